/* SPDX-License-Identifier: MIT */
/*
 * Why the slowest traversal of each path took so long, where the recording has events of the kernel: the table
 * `path_hop_scheduling`, and a line `why` of the summary.
 *
 * A hop is a message and the execution that handles it. The time from the publication to the start of the execution
 * (transport + wait of path_hops) is
 *
 *   middleware  until the thread that took it was woken: the message was not there before
 *   wake-up     from then until the thread was on a CPU
 *   queue       from then until the execution started: the executor did something else
 *
 * if the thread waited outside of any callback when the message was published, as far as wake-ups are recorded. If it
 * did not, it is not known when the message was there: all is queue but the wake-up after it, if there was one. The
 * execution itself is in the states of thread_states.h, all of it, also if the next message was published long before
 * its end. Where the thread is not known, or its execution is no longer kept (execution_schedules.h), the hop has no
 * times.
 *
 * Cost: nothing for a traversal that is not the slowest so far. Memory: that of one traversal for each path.
 */
#ifndef ROS2BT_PATH_SCHEDULES_H
#define ROS2BT_PATH_SCHEDULES_H

#include "core/analyses/paths/path_tree.h"

struct execution_schedules;

extern const struct table_schema path_schedule_schema, path_why_schema;

/* The traversal that ends with the step is the slowest one of its path so far. */
void path_schedules_note(const struct path_tree *tree, const struct execution_schedules *schedules, struct path *path,
			 const struct step *last, int64_t end_ns);

/* Of all chosen paths. `why`: of the slowest one. Both may be NULL. */
void path_schedules_write(const struct path_tree *tree, struct table_writer *hops, struct table_writer *why,
			  int64_t begin_ns);

#endif
