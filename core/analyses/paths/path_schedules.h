/* SPDX-License-Identifier: MIT */
/*
 * Why the slowest traversal of each path took so long, where the recording has the kernel's events: the table
 * `path_hop_scheduling`, and a line of the summary `why_paths`.
 *
 * A hop is a message and the execution that handles it. If the thread waited outside of any callback when the message
 * was published, and as far as wake-ups are recorded, the time from the publication to the start of the execution
 * (transport + wait of path_hops) consists of
 *
 *   middleware  until the thread that took the message was woken: the message had not arrived before
 *   wake-up     from then until the thread ran on a CPU
 *   queue       from then until the execution started: the executor did something else
 *
 * If the thread did not wait, it is not known when the message arrived: all of the time is queue, except the wake-up
 * after the publication, if there was one. The execution itself is in the states of thread_states.h, to its end, even
 * if the next message was published long before. A hop has no times where the thread is not known, or where its
 * execution is not kept any more (execution_schedules.h).
 *
 * Cost: nothing for a traversal that is not the slowest so far. Memory: one traversal per path. Times in ns.
 */
#ifndef ROS2BT_PATH_SCHEDULES_H
#define ROS2BT_PATH_SCHEDULES_H

#include "core/analyses/paths/path_tree.h"

struct execution_schedules;

extern const struct table_schema path_schedule_schema, path_why_schema;

/* The traversal that ends with the step is the slowest one of its path so far. */
void path_schedules_note(const struct path_tree *tree, const struct execution_schedules *schedules, struct path *path,
			 const struct step *last, int64_t end_ns);

/* The rows of all chosen paths; `why`: of the slowest one. Both writers may be NULL. */
void path_schedules_write(const struct path_tree *tree, struct table_writer *hops, struct table_writer *why,
			  int64_t begin_ns);

#endif
