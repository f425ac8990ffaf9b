/* SPDX-License-Identifier: MIT */
/*
 * Publications without a recorded stamp (Humble, Iron): which one does the source timestamp of a take belong to? The
 * rule is in core/stamps/stamp_matcher.h, which filter.ros2.normalize uses as well; this file gives it the publications
 * and takes of the linker. A publication outside of any callback is loose: when its thread records the next event says
 * little about how long the write took.
 *
 * After each call except inferred_stamps_add() and inferred_stamps_forget(), fetch the results with
 * inferred_stamps_next(). Cost: that of the matcher.
 */
#ifndef ROS2BT_FLOW_INFER_H
#define ROS2BT_FLOW_INFER_H

#include "core/flow/linked_publications.h"
#include "core/flow/waiting_takes.h"

/* Call once, before the first record. */
void inferred_stamps_listen(struct flow_linker *linker);

/*
 * A publication without a stamp, at its write event, in this stream; NULL if its publisher is not known. from_ns: the
 * publish event before that.
 */
void inferred_stamps_add(struct flow_linker *linker, struct flow_thread *thread, struct linked_publication *publication,
			 uint16_t stream, int64_t from_ns);
/* No take finds the publication any more. */
void inferred_stamps_forget(struct flow_linker *linker, struct linked_publication *publication);
/* The thread has recorded the event after the write. */
void inferred_stamps_end_write(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void inferred_stamps_loosen_write(struct flow_linker *linker, const struct flow_thread *thread);

/* A take of a subscription whose topic is known. */
void inferred_stamps_take(struct flow_linker *linker, const struct flow_take *take);
/* Call when linker->now_ns has reached linker->infer_due_ns. */
void inferred_stamps_advance(struct flow_linker *linker);
/* The end of the recording. */
void inferred_stamps_finish(struct flow_linker *linker);
/* Tells when system time was set, as far as it has turned out. */
void inferred_stamps_diagnose(struct flow_linker *linker);
/* A publication whose stamp was found, borrowed; NULL: no more. */
struct linked_publication *inferred_stamps_next(struct flow_linker *linker, uint64_t *stamp);

/* Whether recorded publications may have the stamp of the take, which was not linked. */
bool inferred_stamps_is_ambiguous(struct flow_linker *linker, const struct flow_take *take);

#endif
