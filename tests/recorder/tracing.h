/* SPDX-License-Identifier: MIT */
/*
 * Which events of this process are recorded, and by which provider. Without CARET: those of ros2_tracing. Under CARET
 *(v0.4 and newer) the process is in one of three states:
 *
 *	WAIT     definitions are recorded when they happen, nothing else is
 *	PREPARE  all definitions so far are recorded again, from a thread of their own, a few at a time
 *	RECORD   runtime events are recorded as well
 *
 * CARET replaces ros2_tracing's definitions, leaves out the events of the executor, rcl_take, rclcpp_take and the
 * definitions of rmw, and has dds_write in the place of rmw_publish.
 */
#ifndef RECORDER_TRACING_H
#define RECORDER_TRACING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "tracepoint_arguments.h"
#include "tracepoints.h"

/* Loads the library of tracepoints of the layout; the process registers with the session daemon. Exits on failure. */
const struct tracepoints *tracing_load(const struct options *options, bool is_caret);

/* Starts the thread that takes a process under CARET through its states; counts up `done` behind the last one. */
void tracing_start_caret(const struct options *options, _Atomic uint32_t *done);

void tracing_stop_caret(void);

/* Between these two the phase stays what it is. A thread that holds it already goes on holding it. */
void tracing_hold_phase(void);
void tracing_release_phase(void);

/* The number of the RECORD phase the process is in, from 1; 0: runtime events are not recorded. */
unsigned int tracing_phase(void);

/* Records the event unless the layout does not have it or the state does not allow it. */
void tracing_record(enum event_kind kind, const void *arguments);

/* The same for definitions, whose struct of arguments begins with init_timestamp. */
void tracing_define(enum event_kind kind, const void *arguments, size_t size);

/* Whether the library records the event at all. */
bool tracing_has(enum event_kind kind);

/* Events recorded by the calling thread since its last call; those of CARET's thread once it has ended. */
uint32_t tracing_count(void);

#define RECORD(event, ...) tracing_record((enum event_kind)KIND_OF_##event, &(struct event##_arguments){ __VA_ARGS__ })
#define DEFINE(event, ...)                                                                                             \
	tracing_define((enum event_kind)KIND_OF_##event, &(struct event##_arguments){ __VA_ARGS__ },                   \
		       sizeof(struct event##_arguments))

#endif
