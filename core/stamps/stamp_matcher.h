/* SPDX-License-Identifier: MIT */
/*
 * Source timestamps of publications that record none (Humble, Iron): which publication does a stamp, known from a
 * take, belong to?
 *
 * Rule. The middleware takes the stamp within the write: between two events of the publishing thread, the publish event
 * before rmw_publish and the next one after it, however long the thread was preempted in between. (Humble and Iron take
 * it after rmw_publish; with Jazzy's order, just before it, the rule holds as well.) The stamp is in system time,
 * events are in the trace's clock; the offset of the two is the same for all publications of a host, so each certain
 * match bounds it from both sides, and the bounds of all are intersected. A publication is a candidate if its interval,
 * moved by any offset within the bounds, holds the stamp. The only candidate is certain. Where there are several, the
 * stamp waits until others have been assigned or the offset is known better. After MATCHER_SETTLE_NS it is decided
 * whether
 *
 *   - one candidate begins right before the stamp and no other overlaps it (then only the uncertain offset makes the
 *     others fit), loose ones aside, which are long for another reason than the write (see below);
 *   - none overlaps another one, and all offsets that give each waiting stamp a publication of its own agree on this
 * one.
 *
 * Whatever remains is ambiguous and is never decided.
 *
 * Order adds nothing to that: two publications of a thread have disjoint intervals, and two threads may stamp in
 * another order than that of their write events (dds_time() is read before the writer is locked).
 *
 * The offset is first learnt by a vote: the offset at which most stamps lie right behind the beginning of a write, if
 * it is clearly nearer to zero (recorders sample the trace's offset from the system clock at the start) than any rival
 * with half as many. Less than MATCHER_VOTERS stamps elect only an offset near zero. When stamps lie within no write
 * any more, the clock was set: they vote once more. The bounds widen by 100 ppm, the error of a cheap crystal, while
 * nothing confirms them.
 *
 * An interval is loose where the next event is no evidence for how long the write took: the publication is outside of
 * any callback, or events may be missing. A loose interval ends after INTERVAL_LOOSE_NS at the latest.
 *
 * Times in ns; of publications and takes those of the trace, in order. Cost: O(log publications + candidates) for a
 * take, O(1) for a publication. A vote (rare, less often if it fails): O(64 takes x 32 publications). Memory: 88 bytes
 * for each publication that is not forgotten; takes that wait, at most 1024.
 *
 * Here: the stamps that wait, and when each is decided. Parts: stamp_clock.h (the bounds of the offset),
 * stamp_interval.h (the publications), stamp_candidates.h, stamp_burst.h (several that do not overlap), stamp_vote.h.
 *
 * The flow linker and filter.ros2.normalize use the same rule through this one.
 */
#ifndef ROS2BT_STAMP_MATCHER_H
#define ROS2BT_STAMP_MATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/time_units.h"

#define MATCHER_SETTLE_NS (50 * NS_PER_MS)
#define MATCHER_WAIT_NS NS_PER_S	/* a stamp that waited so long is given up */
#define MATCHER_THREADLESS_NS NS_PER_MS /* of a write, where the trace does not record threads */
#define MATCHER_VOTERS 8		/* stamps needed for the offset, if there are as many */

struct stamp_matcher;
struct stamp_topic;
struct stamp_interval; /* of a publication */

struct stamp_publication {
	uint64_t owner;	 /* the caller's */
	uint32_t host;	 /* whose clocks it was recorded with */
	uint32_t thread; /* index, small */
	bool is_loose;
	int64_t from_ns; /* the publish event before the write event; the write event itself if it is the only one */
};

struct stamp_match {
	uint64_t owner;
	int64_t stamp;
};

struct stamp_matcher *stamp_matcher_create(void);
void stamp_matcher_destroy(struct stamp_matcher *matcher);

/* Lives as long as the matcher. */
struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher);

/* A write without a stamp. The interval is valid until it is forgotten. */
struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication);
/* The thread has another event: its write is over. */
void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void stamp_matcher_loosen_write(struct stamp_matcher *matcher, uint32_t thread);
/* The stamp was recorded after all. */
void stamp_interval_set(struct stamp_interval *interval, int64_t stamp);
void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval);

/*
 * A stamp was taken from the topic. Matches, of this stamp and of earlier ones, are collected for stamp_matcher_next().
 */
void stamp_matcher_take(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp, int64_t now_ns);
/* When stamp_matcher_advance() has something to do; INT64_MAX: not before the next take. */
int64_t stamp_matcher_due_ns(const struct stamp_matcher *matcher);
void stamp_matcher_advance(struct stamp_matcher *matcher, int64_t now_ns);
/* No more publications come. */
void stamp_matcher_finish(struct stamp_matcher *matcher);
bool stamp_matcher_next(struct stamp_matcher *matcher, struct stamp_match *match);

/* Whether several publications may have this stamp. */
bool stamp_matcher_is_ambiguous(struct stamp_matcher *matcher, struct stamp_topic *topic, int64_t stamp);

#endif
