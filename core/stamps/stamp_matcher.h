/* SPDX-License-Identifier: MIT */
/*
 * Source timestamps of publications that record none (Humble, Iron): which publication does a stamp belong to that is
 * known from a take? The flow linker and filter.ros2.normalize share this rule.
 *
 * The middleware takes the stamp during the write: between two events of the publishing thread, the publish event
 * before rmw_publish and the next one after it, however long the thread was preempted in between. (Humble and Iron take
 * it after rmw_publish; the rule also holds for Jazzy, which takes it just before.) The stamp is in system time, events
 * are in the clock of the trace. The offset between the two is the same for all publications of a host, so each certain
 * match bounds it from both sides, and all bounds are intersected. A publication is a candidate for a stamp if its
 * interval, moved by any offset within the bounds, contains the stamp. A single candidate is certain. With several
 * candidates the stamp waits until other stamps are assigned or the offset is known better. After MATCHER_SETTLE_NS it
 * is decided in two cases:
 *
 *   - One candidate begins right before the stamp, and no other overlaps it except loose ones, which are long for
 *     another reason than the write (see below). The others fit only because the offset is uncertain.
 *   - No two candidates overlap, and all offsets that give each waiting stamp a publication of its own agree on this
 *     one.
 *
 * All other stamps are ambiguous and are never decided.
 *
 * The order of stamps adds no information: two publications of a thread have disjoint intervals, and two threads may
 * stamp in another order than they write (dds_time() is read before the writer is locked).
 *
 * The offset is first learnt by a vote: it is the offset at which most stamps lie right behind the beginning of a
 * write, if it is clearly nearer to zero than any rival with half as many votes (recorders sample the offset of the
 * trace's clock from system time when they start). Fewer than MATCHER_VOTERS stamps can only elect an offset near zero.
 * When stamps no longer lie within any write, the clock was set, and there is another vote. While nothing confirms the
 * bounds, they widen by 100 ppm, the error of a cheap crystal.
 *
 * An interval is loose if the next event does not show how long the write took: the publication is outside of any
 * callback, or events may be missing. A loose interval ends after INTERVAL_LOOSE_NS at the latest.
 *
 * This file holds the stamps that wait and decides when each is looked at. Its parts: stamp_clock.h (the bounds of the
 * offset), stamp_interval.h (the publications), stamp_candidates.h, stamp_burst.h (several that do not overlap) and
 * stamp_vote.h.
 *
 * Times in ns; publications and takes are in the clock of the trace, in order. Cost: O(log publications + candidates)
 * for a take, O(1) for a publication; O(64 takes x 32 publications) for a vote, which is rare, and rarer after each
 * failure. Memory: 88 bytes for each publication that is not forgotten, and the takes that wait, at most 1024.
 */
#ifndef ROS2BT_STAMP_MATCHER_H
#define ROS2BT_STAMP_MATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/time_units.h"

#define MATCHER_SETTLE_NS (50 * NS_PER_MS) /* a guess: by then the rivals have recorded their next events */
#define MATCHER_WAIT_NS NS_PER_S	   /* a stamp that has waited so long is given up; see FLOW_BIND_WAIT_NS */
#define MATCHER_THREADLESS_NS NS_PER_MS	   /* a guess at the length of a write if the trace records no threads */
#define MATCHER_VOTERS 8		   /* stamps that elect any offset; fewer elect one near zero */

struct stamp_matcher;
struct stamp_topic;
struct stamp_interval; /* of a publication */

struct stamp_publication {
	uint64_t owner;	 /* of the caller, returned with the match */
	uint32_t host;	 /* whose clocks it was recorded with */
	uint32_t thread; /* index in the recording */
	bool is_loose;
	int64_t from_ns; /* the publish event before the write event; the write event if there is no other */
};

struct stamp_match {
	uint64_t owner;
	int64_t stamp;
};

struct stamp_matcher *stamp_matcher_create(void);
void stamp_matcher_destroy(struct stamp_matcher *matcher);

/* Lives as long as the matcher. */
struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher);

/* A write without a stamp. The interval is borrowed, valid until stamp_matcher_forget(). */
struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication);
/* The thread has recorded another event: its write is over. */
void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void stamp_matcher_loosen_write(struct stamp_matcher *matcher, uint32_t thread);
/* The stamp of the publication was recorded after all. */
void stamp_matcher_set_stamp(struct stamp_interval *interval, int64_t stamp);
/* The publication is no candidate any more. */
void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval);

/*
 * A take from the topic has this stamp. Matches of this stamp and of earlier ones are collected for
 * stamp_matcher_next().
 */
void stamp_matcher_take(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp, int64_t now_ns);
/* When to call stamp_matcher_advance() next; INT64_MAX: not before the next take. */
int64_t stamp_matcher_due_ns(const struct stamp_matcher *matcher);
void stamp_matcher_advance(struct stamp_matcher *matcher, int64_t now_ns);
/* The end of the recording: decides what can be decided. */
void stamp_matcher_finish(struct stamp_matcher *matcher);
/* The next match; false: no more. */
bool stamp_matcher_next(struct stamp_matcher *matcher, struct stamp_match *match);

/* Whether several publications of the topic may have this stamp. */
bool stamp_matcher_is_ambiguous(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp);

#endif
