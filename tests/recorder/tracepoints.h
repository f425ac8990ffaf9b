/* SPDX-License-Identifier: MIT */
/*
 * What a library of tracepoints (one per layout, made by generate_tracepoints) gives to the recorder. The recorder
 * itself is not linked with LTTng-UST: each process loads one library after its fork, so that the tracer registers the
 * process under its own id.
 */
#ifndef RECORDER_TRACEPOINTS_H
#define RECORDER_TRACEPOINTS_H

#include "ros2bt/events/event_schema.h"

/* Records one event; the argument is the event's struct of arguments (tracepoint_arguments.h). */
typedef void tracepoint_function(const void *arguments);

struct tracepoints {
	enum release release;
	bool is_fork;
	bool has_caret_definitions;
	/* By kind of event; NULL where the layout does not have it. */
	tracepoint_function *ros2[EVENT_KIND_COUNT];
	tracepoint_function *caret[EVENT_KIND_COUNT];
	/* Records each event of the layout once, with values made from the numbers of kind and field. */
	void (*catalogue)(void);
};

/* The name of the one symbol of a library: const struct tracepoints tracepoints. */
#define TRACEPOINTS_SYMBOL "tracepoints"

#endif
