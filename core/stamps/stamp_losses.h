/* SPDX-License-Identifier: MIT */
/*
 * Publications that are not known to the matcher, to which a stamp may belong although it fits a single one that is:
 *
 *   - Events may be missing at the time of the stamp, on whatever host of the recording. The write event of such a
 *     publication would be at most LOSSES_PREEMPTED_NS before the stamp, since its thread may be preempted in between.
 *   - A stranger: a write whose topic is not known, since the publisher's definition or the event
 *     that names the publisher is not recorded. It may be of any topic. Its interval is that of stamp_matcher.h, and up
 *     to CLOCK_CLOSE_NS longer while only a vote shows the offset, since strangers' stamps have no vote. Those
 *     outside of callbacks count if the stamp is near them (INTERVAL_NEAR_NS), since their intervals are loose; but not
 *     those of a thread that has neither run a callback nor looked for work so far: most are the middleware's own, when
 *     objects are made.
 *
 * Then the stamp is certain only if it is close behind the beginning of the write (stamp_clock_is_close()), as nearly
 * all stamps are, and
 *   - it is not near a stranger (INTERVAL_NEAR_NS: rarely, a thread is preempted in its write; by any
 *     offset of the stranger's host that may be, at zero if nothing is known of it),
 *   - the stream of the write lost nothing in that time: then its thread has not written again,
 *   - no other host that publishes on the topic lost anything: one of several publishers may have written meanwhile,
 *   - nor did the stream of another thread that publishes on the topic, right after the beginning of the write,
 *   - nor did a stream in which a stranger has written: it may publish on the topic, too.
 *
 * Cost: that of the questions for each host, and O(strangers that are kept, and streams in which they have written).
 * Memory: LOSSES_STRANGERS_MAX strangers, and these streams.
 */
#ifndef ROS2BT_STAMP_LOSSES_H
#define ROS2BT_STAMP_LOSSES_H

#include "core/stamps/stamp_clock.h"
#include "core/stamps/stamp_interval.h"
#include "core/stamps/stamp_take.h"

#define LOSSES_PREEMPTED_NS (100 * NS_PER_MS) /* a guess: the longest that a thread of a busy machine is preempted */
#define LOSSES_STRANGERS_MAX 1024

/* Who knows what was lost, in the clock of the trace. Zeroed: nothing ever is. */
struct stamp_loss_source {
	void *data;
	size_t (*count_hosts)(void *data);
	/* Whether events of programs on a host, or those of a stream, may be missing from from_ns to to_ns. */
	bool (*may_miss)(void *data, uint32_t host, int64_t from_ns, int64_t to_ns);
	bool (*may_miss_in_stream)(void *data, uint16_t stream, int64_t from_ns, int64_t to_ns);
};

struct stamp_losses {
	struct stamp_loss_source source;
	GArray *strangers; /* struct stamp_interval, without topic, in the order in which they were added */
	guint open;	   /* how many of them */
	GArray *streams;   /* uint16_t, in which strangers have written */
	bool has_forgotten;
	int64_t forgotten_until_ns; /* those that are no longer kept */
};

void stamp_losses_init(struct stamp_losses *losses);
void stamp_losses_clear(struct stamp_losses *losses);

/* A copy. */
void stamp_losses_add_stranger(struct stamp_losses *losses, const struct stamp_interval *stranger);
/* The thread has recorded another event. */
void stamp_losses_end_write(struct stamp_losses *losses, uint32_t thread, int64_t time_ns);

/* Whether the stamp may be of a publication that is not known, as far as only its time tells. */
bool stamp_losses_are_possible(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			       const struct stamp_take *take);

/* Whether the stamp may be of a publication that is not known rather than of this one, the only one that is. */
bool stamp_losses_may_hide(const struct stamp_losses *losses, const struct stamp_clocks *clocks,
			   const struct stamp_take *take, const struct stamp_interval *candidate);

#endif
