/* SPDX-License-Identifier: MIT */
/*
 * When each publication of a topic can have taken its stamp: the interval from its publish event to the next event of
 * the thread, in the clock of the trace (ns). stamp_matcher.h describes the rule.
 *
 * The intervals of a topic are a list in the order of their beginnings. Intervals that are open or longer than
 * INTERVAL_LONG_NS are also in a list of their own, so that a search among the others ends soon. That list holds
 * INTERVAL_LONGS_MAX; then one leaves that has its stamp, or the oldest.
 *
 * What its owner has forgotten leaves only after INTERVAL_STAY_NS: until then it may still be the publication of a
 * stamp that waits, although nobody learns of the match. What has left is remembered by those that could be mistaken
 * for it: they are contested for good, unless they have their stamps.
 *
 * Invariant: a thread has at most one open interval. Memory: a pool, 96 bytes for each interval that has not left; of
 * the forgotten ones INTERVAL_STAYING_MAX at most.
 */
#ifndef ROS2BT_STAMP_INTERVAL_H
#define ROS2BT_STAMP_INTERVAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/object_pool.h"
#include "core/stamps/stamp_take.h"
#include "ros2bt/base/time_units.h"

#define INTERVAL_LONG_NS (2 * NS_PER_MS)
#define INTERVAL_LONGS_MAX 64		 /* of a topic; a limit of cost */
#define INTERVAL_STAY_NS NS_PER_S	 /* as long as a stamp waits: MATCHER_WAIT_NS */
#define TOPIC_EARLY_MAX 16		 /* stamps that were taken before the first publication; a guess */
#define INTERVAL_STAYING_MAX 16384	 /* a limit of memory */
#define TOPIC_WRITERS_MAX 32		 /* a limit of cost */
#define INTERVAL_LOOSE_NS NS_PER_S	 /* how long a loose interval is at most */
#define INTERVAL_NEAR_NS INT64_C(250000) /* from the write event to the stamp; recordings show 0.1 to 53 us */

struct stamp_interval {
	int64_t from_ns, until_ns; /* until_ns is INT64_MAX while open */
	int64_t written_ns;	   /* the write event: mostly right behind from_ns, and right before the stamp */
	int64_t stamp;
	uint64_t owner;
	struct stamp_topic *topic;
	struct stamp_interval *older, *newer; /* of the topic */
	struct stamp_interval *next_to_leave; /* of the forgotten ones */
	int64_t forgotten_ns;
	uint32_t host, thread;
	uint16_t stream; /* of the write event */
	bool is_stamped, is_loose, is_long;
	bool is_forgotten; /* by its owner */
	bool is_contested; /* another publication that has left may have its stamps */
};

/* A thread that has published on a topic, and a stream of its write events: it may have several. */
struct stamp_writer {
	uint32_t host, thread;
	uint16_t stream;
};

struct stamp_topic {
	struct stamp_interval *newest;
	GPtrArray *longs; /* struct stamp_interval *, borrowed: open or longer than INTERVAL_LONG_NS */
	GArray *hosts;	  /* uint32_t, of the intervals */
	/* Each once, the one of the last publication first, at most TOPIC_WRITERS_MAX; the others have left. */
	GArray *writers; /* struct stamp_writer */
	bool has_lost_writers;
	guint unresolved; /* stamps that wait, counted by the matcher */
	/* The last ones that were taken before the first publication: theirs are not recorded. A ring. */
	int64_t early[TOPIC_EARLY_MAX];
	guint early_count;	/* so far */
	int64_t early_left_max; /* the largest one that has left the ring; INT64_MIN: none */
};

/* Of all topics. */
struct stamp_intervals {
	struct object_pool pool;
	GPtrArray *topics;  /* struct stamp_topic *, owned */
	GPtrArray *writing; /* struct stamp_interval *, borrowed: the open one, by thread */
	struct stamp_interval *first_to_leave, *last_to_leave; /* forgotten ones, in this order */
	guint staying;					       /* how many these are */
};

void stamp_intervals_init(struct stamp_intervals *intervals);
void stamp_intervals_clear(struct stamp_intervals *intervals);

/* Lives as long as the intervals. */
struct stamp_topic *stamp_intervals_add_topic(struct stamp_intervals *intervals);

/*
 * A stamp that is taken before the first publication of the topic, and whether one was, or may have been: no more than
 * the largest is known of those that left the ring. O(1).
 */
void stamp_topic_add_early(struct stamp_topic *topic, int64_t stamp);
bool stamp_topic_has_early(const struct stamp_topic *topic, int64_t stamp);

/* Adds a copy of `publication`, whose topic is set, and closes the open interval of the thread. O(1) if in order. */
struct stamp_interval *stamp_intervals_open(struct stamp_intervals *intervals,
					    const struct stamp_interval *publication);
/* Closes the open interval of the thread, if there is one. */
void stamp_intervals_close(struct stamp_intervals *intervals, uint32_t thread, int64_t time_ns);
/* The open interval of the thread; NULL: none. */
struct stamp_interval *stamp_intervals_open_of(const struct stamp_intervals *intervals, uint32_t thread);
/* Its owner has forgotten the interval: it stays, as the last of those that leave. */
void stamp_intervals_forget(struct stamp_intervals *intervals, struct stamp_interval *interval, int64_t now_ns);
/* The forgotten interval that leaves next; NULL: none is due. */
struct stamp_interval *stamp_intervals_leaving(const struct stamp_intervals *intervals, int64_t now_ns);
/* Frees an interval: the one that leaves next, or one that was not forgotten. */
void stamp_intervals_remove(struct stamp_intervals *intervals, struct stamp_interval *interval);

/* INT64_MAX while open. */
static inline int64_t stamp_interval_end(const struct stamp_interval *interval)
{
	int64_t limit_ns = interval->is_loose ? interval->from_ns + INTERVAL_LOOSE_NS : INT64_MAX;

	return MIN(interval->until_ns, limit_ns);
}

/* The same for the stamp of a take: on its host, it was made before the take. */
static inline int64_t stamp_interval_end_before(const struct stamp_interval *interval, const struct stamp_take *take)
{
	int64_t end_ns = stamp_interval_end(interval);

	return interval->host == take->host ? MIN(end_ns, take->taken_ns) : end_ns;
}

static inline bool stamp_interval_overlaps(const struct stamp_interval *a, const struct stamp_interval *b)
{
	return a->from_ns < stamp_interval_end(b) && b->from_ns < stamp_interval_end(a);
}

#endif
