/* SPDX-License-Identifier: MIT */
/*
 * Publications without a recorded stamp (Humble, Iron): which one does a take's source timestamp belong to? The rule is
 * that of core/stamps/stamp_matcher.h, which filter.ros2.normalize uses as well; here the linker's publications and
 * takes are given to it. A publication outside of any callback is loose: its thread records the next event when it has
 * to.
 *
 * What is found is fetched by inferred_stamps_next() after each call but inferred_stamps_add() and
 * inferred_stamps_forget().
 */
#ifndef ROS2BT_FLOW_INFER_H
#define ROS2BT_FLOW_INFER_H

#include "core/flow/linked_publications.h"

/* The publication of a release that records no stamps, at its write event. from_ns: its publish event before that. */
void inferred_stamps_add(struct flow_linker *linker, struct flow_thread *thread, struct linked_publication *publication,
			 int64_t from_ns);
/* No take finds it any more. */
void inferred_stamps_forget(struct flow_linker *linker, struct linked_publication *publication);
/* The thread has another event than that of the write. */
void inferred_stamps_end_write(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void inferred_stamps_loosen_write(struct flow_linker *linker, const struct flow_thread *thread);

void inferred_stamps_take(struct flow_linker *linker, const char *topic_name, uint64_t stamp);
/* Call when linker->now_ns has reached linker->infer_due_ns. */
void inferred_stamps_advance(struct flow_linker *linker);
void inferred_stamps_finish(struct flow_linker *linker);
/* A publication whose stamp was found; NULL: no more. Borrowed. */
struct linked_publication *inferred_stamps_next(struct flow_linker *linker, uint64_t *stamp);

/* Whether several publications of the topic may have the stamp. */
bool inferred_stamps_is_ambiguous(struct flow_linker *linker, const char *topic_name, uint64_t stamp);

#endif
