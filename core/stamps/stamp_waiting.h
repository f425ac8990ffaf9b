/* SPDX-License-Identifier: MIT */
/*
 * The stamps that wait for a decision, in the order of their takes. A stamp waits once, whoever takes it. It leaves the
 * queue when it has waited for MATCHER_WAIT_NS; until then it stays, decided or not. stamp_matcher.h describes the
 * rule.
 *
 * Some are odd: no publication can have them at the known offsets, or only at offsets that are in doubt because of
 * other odd ones (stamp_doubt.h). The last odd ones that have left are remembered for a vote: where messages are rare,
 * too few wait at a time.
 *
 * Memory: WAITING_MAX stamps; then the first one leaves; and WAITING_LEFT_MAX that have left. Cost: O(1) to add and to
 * leave, O(stamps that wait) to search.
 */
#ifndef ROS2BT_STAMP_WAITING_H
#define ROS2BT_STAMP_WAITING_H

#include "core/stamps/stamp_doubt.h"
#include "core/stamps/stamp_interval.h"

#define WAITING_MAX 1024
#define WAITING_LEFT_MAX 16 /* twice as many as a vote needs */

struct waiting_stamp {
	struct stamp_topic *topic;
	struct stamp_take take;
	bool is_ended; /* decided, or given up */
	bool is_odd;
	bool is_dismissed; /* it was odd, but not because system time was set */
};

struct stamp_waiting {
	GArray *queue; /* struct waiting_stamp */
	guint first;   /* of the queue; those before have left */
	guint settled; /* of the queue; those before were looked at after MATCHER_SETTLE_NS */
	guint odd;     /* that have not ended */
	struct waiting_stamp left[WAITING_LEFT_MAX]; /* odd ones that have left, the oldest first */
	guint left_count;
};

void stamp_waiting_init(struct stamp_waiting *waiting);
void stamp_waiting_clear(struct stamp_waiting *waiting);

static inline struct waiting_stamp *stamp_waiting_at(const struct stamp_waiting *waiting, guint index)
{
	return &g_array_index(waiting->queue, struct waiting_stamp, index);
}

/* Whether the stamp waits, and has not ended. */
bool stamp_waiting_has(const struct stamp_waiting *waiting, const struct stamp_topic *topic, int64_t stamp);

void stamp_waiting_add(struct stamp_waiting *waiting, struct stamp_topic *topic, const struct stamp_take *take,
		       bool is_odd);
void stamp_waiting_end(struct stamp_waiting *waiting, struct waiting_stamp *stamp);
void stamp_waiting_set_odd(struct stamp_waiting *waiting, struct waiting_stamp *stamp, bool is_odd);
/* The first one leaves. */
void stamp_waiting_drop(struct stamp_waiting *waiting);

/* When the first odd one was taken, those included that were taken after since_ns and have left; 0: there is none. */
int64_t stamp_waiting_first_odd_ns(const struct stamp_waiting *waiting, int64_t since_ns);
/* The newest odd ones. */
struct stamp_doubt stamp_waiting_doubt(const struct stamp_waiting *waiting);
/*
 * The publication certainly has its stamp: until it was written, system time was not set, and what was odd before is of
 * publications that are not recorded. Not so if they may be of another host.
 */
void stamp_waiting_dismiss(struct stamp_waiting *waiting, const struct stamp_interval *certain);
/* System time was set when the first odd stamp was taken: what was taken before cannot be decided by the new offset. */
void stamp_waiting_restart(struct stamp_waiting *waiting);

#endif
