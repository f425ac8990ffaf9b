/* SPDX-License-Identifier: MIT */
/*
 * Which publication a callback of a subscription handles, where the release records no takes (Galactic): inferred from
 * the order of the publications on the topic and of the callbacks of the subscription. It knows neither the linker nor
 * the normalizer, so that both infer the same.
 *
 * Callbacks are looked at together from one rest of their executor to the next. A thread rests when no callback of it
 * runs for UNTAKEN_REST_NS. An executor does not rest while a message waits (rclcpp, Executor::wait_for_work()), so by
 * then each message that has arrived was handled, or will never be. Candidates are the publications on the topic since
 * those that were handled before, of all publishers. Rules:
 *
 *  - As many candidates as callbacks, each published before its callback: first in, first out.
 *  - A candidate that a resting thread left waiting, though it took a later one on at once, was not delivered: it is
 *    none. At once: within a quarter of the time that the other had waited.
 *  - More candidates than callbacks: one callback of a subscription that keeps one message had the last one. Otherwise
 *    unknown: any of them may have been lost.
 *  - Fewer: another publisher is not recorded, such as of another host; which callbacks are whose is unknown.
 *
 * Unknown, too: messages of two threads within UNTAKEN_TIE_NS, since the middleware may have written them in either
 * order; several callbacks of which two threads ran some at once (a reentrant group), since the order of their starts
 * is not that of their takes; publications of another host, whose clock differs; and, as its user knows, what happened
 * while events of one of the processes may be missing.
 *
 * Invariant: a callback is given at most one publication, a publication to one callback of a subscription, and never to
 * one that had started before it.
 *
 * Times are in ns. Cost: O(1) for a publication and a callback. Memory: the last UNTAKEN_KEPT publications of each
 * topic, to the end; and UNTAKEN_KEPT undecided callbacks of each subscription, each for up to UNTAKEN_WAIT_NS.
 */
#ifndef ROS2BT_UNTAKEN_MATCHER_H
#define ROS2BT_UNTAKEN_MATCHER_H

#include "core/untaken/untaken_user.h"
#include "ros2bt/events/recording.h"

struct untaken_matcher;
struct untaken_subscription;
struct untaken_topic;

/* The recording is borrowed. */
struct untaken_matcher *untaken_matcher_create(struct recording *recording, const struct untaken_user *user);
/* Decides nothing: call untaken_matcher_finish() before. */
void untaken_matcher_destroy(struct untaken_matcher *matcher);

/*
 * It hears nothing of what was before this time: messages of before may be under way, and callbacks run. Call first.
 * The caller sets all threads as in a callback, those that it will see later, too.
 */
void untaken_matcher_begin_late(struct untaken_matcher *matcher, int64_t now_ns);

/* The topic with the name, which is interned; valid as long as the matcher. */
struct untaken_topic *untaken_matcher_topic(struct untaken_matcher *matcher, const char *name);

/* first_ns: the first publish event. The matcher keeps the publication, until it calls `forget`. */
void untaken_matcher_publish(struct untaken_matcher *matcher, struct untaken_topic *topic, void *publication,
			     int64_t first_ns);

/* The subscription of the model, whose topic is known; valid as long as the matcher. */
struct untaken_subscription *untaken_matcher_subscription(struct untaken_matcher *matcher,
							  struct model_subscription *model);

/* The callback that has started handles a message of its process, from a ring buffer. */
void untaken_matcher_take_intra(struct untaken_subscription *subscription);
/*
 * It handles a message that is to be decided. The thread outlives the matcher. Returns the callback, of which the
 * caller sets what is the user's, before the next call of any function.
 */
struct untaken_callback *untaken_matcher_take(struct untaken_matcher *matcher,
					      struct untaken_subscription *subscription,
					      const struct untaken_thread *thread, int64_t start_ns, int64_t now_ns);

/* Decides what has waited long enough; when there is more to decide: INT64_MAX: nothing waits. */
void untaken_matcher_expire(struct untaken_matcher *matcher, int64_t now_ns);
int64_t untaken_matcher_due_ns(const struct untaken_matcher *matcher);
/* Events may be missing: what has no decision yet stays unknown. */
void untaken_matcher_forget(struct untaken_matcher *matcher, int64_t now_ns);
/* The end of the recording. */
void untaken_matcher_finish(struct untaken_matcher *matcher, int64_t now_ns);

#endif
