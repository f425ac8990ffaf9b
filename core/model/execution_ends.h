/* SPDX-License-Identifier: MIT */
/*
 * How executions ended, by callback (callback_ends.h) and by process: which callbacks respond later than they return
 * (executions_is_deferred()), which execute others before they go on (executions_fate()), and the counts for the
 * diagnostics. Embedded: init and clear.
 *
 * Cost: O(1) per execution. Memory: 24 bytes per process.
 */
#ifndef ROS2BT_EXECUTION_ENDS_H
#define ROS2BT_EXECUTION_ENDS_H

#include <glib.h>

#include "core/model/execution.h"
#include "core/model/object_kinds.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

struct process_ends {
	uint64_t without_start, doubtful, too_deep;
};

struct execution_ends {
	GArray *processes; /* struct process_ends by process index */
};

void execution_ends_init(struct execution_ends *ends);
void execution_ends_clear(struct execution_ends *ends);

/* The counts of a callback. */
static inline struct callback_ends *execution_ends_of(struct model_callback *callback)
{
	return &((struct callback_object *)callback)->ends;
}

static inline struct missing_ends *execution_ends_missing(struct model_callback *callback)
{
	return &((struct callback_object *)callback)->missing_ends;
}

/* object_model_callback_info() of one of which an execution starts: executions.c has asked for it. */
static inline const struct model_callback_info *callback_info_at_start(const struct model_callback *callback)
{
	return &((const struct callback_object *)callback)->info;
}

/* The counts of a process. Valid until the next call. */
struct process_ends *execution_ends_of_process(struct execution_ends *ends, uint32_t process);

/* Whether a callback responds later than it returns, as far as is known by now; `info` is that of the callback. */
bool execution_ends_are_deferred(struct model_callback *callback, const struct model_callback_info *info);

/* What becomes of an execution that its thread has left. */
enum execution_fate execution_ends_fate(struct model_callback *callback, const struct model_callback_info *info);

/* Adds the counts to the diagnostics. */
void execution_ends_diagnose(const struct execution_ends *ends, const struct recording *recording,
			     struct object_model *model, struct diagnostics *diagnostics);

#endif
