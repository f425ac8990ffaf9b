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
 * interval, moved by any offset within the bounds, contains the stamp, and if it was not written after the take (on the
 * host of the take; stamp_take.h). A single candidate counts as certain, unless it is in doubt (see below), contested
 * by one that has left (stamp_contest.h), or may be mistaken for one that is not recorded (stamp_losses.h). With
 * several candidates the stamp waits until other stamps are assigned or the offset is known better. After
 * MATCHER_SETTLE_NS it is decided in two cases:
 *
 *   - One candidate begins right before the stamp, and no other overlaps it except loose ones, which are long for
 *     another reason than the write (see below). The others fit only because the offset is uncertain. Not if the
 *     candidate begins behind the stamp by the offset that earlier matches confirm: then it fits only because of that.
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
 * When stamps no longer lie within any write, system time was set, and there is another vote, unless it elects an
 * offset within INTERVAL_NEAR_NS of the one that is known: then their publications are not recorded, and others are.
 * Until then, and as long as an odd stamp waits that no publication can have, other stamps are in doubt (stamp_doubt.h)
 * and wait, too. While nothing confirms the bounds, they widen by 500 ppm, by which NTP slews a clock at most.
 *
 * An interval is loose if the next event does not show how long the write took: the publication is outside of any
 * callback, or events may be missing. A loose interval ends after INTERVAL_LOOSE_NS at the latest.
 *
 * The last stamps that were taken before the first publication of their topic are remembered, since other subscriptions
 * may take them later: their publications are not recorded. (They are, if a host's clock is so far behind that its
 * takes precede the publications of another one; then the first of them are not matched.)
 *
 * What the owner of a publication has forgotten remains a candidate for as long as a stamp may wait, since otherwise a
 * wrong one would be the only one left.
 *
 * This file decides when each stamp is looked at. Its parts: stamp_clock.h (the bounds of the offset), stamp_interval.h
 * (the publications), stamp_candidates.h, stamp_burst.h (several that do not overlap), stamp_vote.h, stamp_voters.h,
 * stamp_waiting.h (the stamps that wait), stamp_doubt.h (whether system time was set), stamp_losses.h (what is not
 * known) and stamp_contest.h (publications that leave).
 *
 * Times in ns; publications and takes are in the clock of the trace, in order. Cost: O(log publications + candidates)
 * for a take, O(1) for a publication; O(64 takes x 32 publications) for a vote, which is rare, and rarer after each
 * failure that follows another one within MATCHER_WAIT_NS. Memory: 96 bytes for each publication that has not left,
 * that is until MATCHER_WAIT_NS after it was forgotten (at once, if it has its stamp and no rival), at most 16384
 * forgotten ones; and the takes that wait, at most 1024.
 */
#ifndef ROS2BT_STAMP_MATCHER_H
#define ROS2BT_STAMP_MATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/stamps/stamp_losses.h"
#include "core/stamps/stamp_take.h"
#include "ros2bt/base/time_units.h"

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
	uint16_t stream; /* of the write event */
	bool is_loose;
	int64_t from_ns;    /* the publish event before the write event; the write event if there is no other */
	int64_t written_ns; /* the write event */
};

struct stamp_match {
	uint64_t owner;
	int64_t stamp;
};

/* System time went ahead or back while the clock of the trace went on. */
struct stamp_setting {
	uint32_t host;
	int64_t by_ns;
	int64_t before_ns; /* the take of the first message that shows it */
};

struct stamp_matcher *stamp_matcher_create(void);
void stamp_matcher_destroy(struct stamp_matcher *matcher);

/* Who knows where events were lost; to be called before the first publication. Otherwise nothing counts as lost. */
void stamp_matcher_set_losses(struct stamp_matcher *matcher, const struct stamp_loss_source *source);

/* Lives as long as the matcher. */
struct stamp_topic *stamp_matcher_add_topic(struct stamp_matcher *matcher);

/* A write without a stamp. The interval is borrowed, valid until stamp_matcher_forget(). */
struct stamp_interval *stamp_matcher_publish(struct stamp_matcher *matcher, struct stamp_topic *topic,
					     const struct stamp_publication *publication);
/* A write without a stamp, of a publisher whose topic is not known; `owner` is ignored. */
void stamp_matcher_add_stranger(struct stamp_matcher *matcher, const struct stamp_publication *publication);
/* The thread has recorded another event: its write is over. */
void stamp_matcher_end_write(struct stamp_matcher *matcher, uint32_t thread, int64_t time_ns);
/* Events of the thread may be missing from here on. */
void stamp_matcher_loosen_write(struct stamp_matcher *matcher, uint32_t thread);
/* The stamp of the publication was recorded after all. */
void stamp_matcher_set_stamp(struct stamp_interval *interval, int64_t stamp);
/*
 * The owner has forgotten the publication and learns of no match any more. The publication may still be that of a stamp
 * which waits, so that no other is taken for it.
 */
void stamp_matcher_forget(struct stamp_matcher *matcher, struct stamp_interval *interval);

/*
 * A take from the topic has this stamp. Matches of this stamp and of earlier ones are collected for
 * stamp_matcher_next().
 */
void stamp_matcher_take(struct stamp_matcher *matcher, struct stamp_topic *topic, const struct stamp_take *take);
/* When to call stamp_matcher_advance() next; INT64_MAX: not before the next take. */
int64_t stamp_matcher_due_ns(const struct stamp_matcher *matcher);
void stamp_matcher_advance(struct stamp_matcher *matcher, int64_t now_ns);
/* The end of the recording: decides what can be decided. */
void stamp_matcher_finish(struct stamp_matcher *matcher);
/* The next match; false: no more. */
bool stamp_matcher_next(struct stamp_matcher *matcher, struct stamp_match *match);

/* The next time that system time was set, in the order found; false: no more yet. */
bool stamp_matcher_next_setting(struct stamp_matcher *matcher, struct stamp_setting *setting);

/* Whether recorded publications of the topic may have this stamp, which was not decided. */
bool stamp_matcher_is_ambiguous(struct stamp_matcher *matcher, struct stamp_topic *topic,
				const struct stamp_take *take);

#endif
