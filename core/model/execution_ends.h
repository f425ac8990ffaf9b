/* SPDX-License-Identifier: MIT */
/*
 * How executions ended, by callback and by process: which callbacks respond later than they return
 * (executions_is_deferred()), which execute others before they go on (executions_fate()), and the counts for the
 * diagnostics. Embedded: init and clear.
 *
 * Cost: O(1) per execution. Memory: 32 bytes per callback and 24 per process.
 */
#ifndef ROS2BT_EXECUTION_ENDS_H
#define ROS2BT_EXECUTION_ENDS_H

#include <glib.h>

#include "core/base/slots.h"
#include "core/model/execution.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

struct callback_ends {
	uint64_t missing, cut; /* executions without end; cut: the end may have been lost */
	uint32_t over; /* executions that their thread left, and whose end was not recorded though nothing was lost */
	bool has_end;  /* the end of some execution was recorded */
	bool was_left; /* a thread left an execution before its end was recorded (executions.h) */
	bool was_kept; /* at the end of its process, or of the trace, an execution was open and its thread had not left
			  it */
	bool goes_on;  /* after that, the end of some execution was recorded */
	uint8_t kinds; /* 1 << enum callback_kind of what it was known as at its executions so far; 0: none yet */
	uint32_t version; /* model_process_version() of the last one of these */
};

struct process_ends {
	uint64_t without_start, doubtful, too_deep;
};

struct execution_ends {
	GArray *callbacks; /* struct callback_ends by index of the callback */
	GArray *processes; /* struct process_ends by process index */
};

void execution_ends_init(struct execution_ends *ends);
void execution_ends_clear(struct execution_ends *ends);

/* The counts of a callback. Valid until the next call. */
static inline struct callback_ends *execution_ends_of(struct execution_ends *ends,
						      const struct model_callback *callback)
{
	return array_at(ends->callbacks, struct callback_ends, callback->index);
}

/* The counts of a process. Valid until the next call. */
struct process_ends *execution_ends_of_process(struct execution_ends *ends, uint32_t process);

/* Whether a callback responds later than it returns, as far as is known by now; `info` is that of the callback. */
bool execution_ends_are_deferred(const struct execution_ends *ends, const struct model_callback *callback,
				 const struct model_callback_info *info);

/* What becomes of an execution that its thread has left. */
enum execution_fate execution_ends_fate(const struct execution_ends *ends, const struct model_callback *callback,
					const struct model_callback_info *info);

/* Adds the counts to the diagnostics. */
void execution_ends_diagnose(const struct execution_ends *ends, const struct recording *recording,
			     struct object_model *model, struct diagnostics *diagnostics);

#endif
