/* SPDX-License-Identifier: MIT */
/*
 * Takes by hand: a node takes messages itself, in a timer's callback, say (subscription->take(), a wait set, Autoware's
 * InterProcessPollingSubscriber), and no callback of the subscription runs.
 *
 * A take is one by hand if the thread was in a callback (executions_current()), if its executor had not announced
 * another one, and if no callback has started since. A thread that has never run a callback takes by hand, too, unless
 * its executor announces what it executes. Takes that reach no callback for any other reason are none: the executor may
 * have failed, or events may be missing.
 *
 * How messages are replaced before they are taken: a subscription that keeps one message (queue depth 1) and is polled
 * has the last message at each take. A message that it did not receive was overwritten by a later one, of any
 * publisher, unless a take in vain came before the next one that it received of the same publisher. A message that was
 * published less than POLL_TRANSPORT_NS before a take may have arrived after it, so one such take does not count. Which
 * message another take found is not looked at: if that was published before the one that was not received, this was
 * lost, but counts as overwritten. Between hosts, whose clocks differ, it is unknown which came first.
 *
 * Times are in ns. Cost: O(1) for a take.
 */
#ifndef ROS2BT_FLOW_POLLED_TAKES_H
#define ROS2BT_FLOW_POLLED_TAKES_H

#include "core/flow/state.h"

/* A guess: longer than a message is on its way within a host. */
#define POLL_TRANSPORT_NS (10 * NS_PER_MS)

/*
 * The subscription is asked for a message at that time; is_taken: it had one. Returns since when what was
 * published was not followed by a take in vain.
 */
int64_t polled_takes_note(const struct model_subscription *subscription, int64_t take_ns, bool is_taken);

/* A take of the subscription is recorded, of any kind; whether one was, by polled_takes_note() or this. */
void polled_takes_mark(const struct model_subscription *subscription);
bool polled_takes_are_recorded(const struct model_subscription *subscription);

/* Whether the thread's pending take is one by hand. */
bool polled_takes_has_polled(struct flow_linker *linker, const struct flow_thread *thread);

#endif
