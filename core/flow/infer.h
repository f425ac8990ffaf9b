/* SPDX-License-Identifier: MIT */
/*
 * Publications without a recorded stamp (Humble, Iron): which one does a take's source timestamp belong to? The rule is
 * that of core/stamps/stamp_matcher.h, which filter.ros2.normalize uses as well; here the linker's publications and
 * takes are given to it. A publication outside of any callback is loose: its thread records the next event when it has
 * to.
 *
 * What is found is fetched by flow_infer_next() after each call but flow_infer_add() and flow_infer_forget().
 */
#ifndef ROS2BT_FLOW_INFER_H
#define ROS2BT_FLOW_INFER_H

#include "core/flow/state.h"

/* The publication of a release that records no stamps, at its write event. from_ns: its publish event before that. */
void flow_infer_add(struct flow_linker *linker, struct flow_thread *thread, struct linked_publication *publication,
		    int64_t from_ns);
/* No take finds it any more. */
void flow_infer_forget(struct flow_linker *linker, struct linked_publication *publication);
/* The thread has another event than that of the write. */
void flow_infer_end_write(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void flow_infer_loosen_write(struct flow_linker *linker, const struct flow_thread *thread);

void flow_infer_take(struct flow_linker *linker, const char *topic_name, uint64_t stamp);
/* Call when linker->now_ns has reached linker->infer_due_ns. */
void flow_infer_advance(struct flow_linker *linker);
void flow_infer_finish(struct flow_linker *linker);
/* A publication whose stamp was found; NULL: no more. Borrowed. */
struct linked_publication *flow_infer_next(struct flow_linker *linker, uint64_t *stamp);

/* Whether several publications of the topic may have the stamp. */
bool flow_infer_is_ambiguous(struct flow_linker *linker, const char *topic_name, uint64_t stamp);

#endif
