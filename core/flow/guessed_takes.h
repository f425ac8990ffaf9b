/* SPDX-License-Identifier: MIT */
/*
 * Callbacks without definitions: which of them may handle what their thread has just taken (take.h). That is a guess,
 * where the executor does not announce what it executes (static and events executors): what the client of an action
 * takes has no callback that is recorded, so the callback of a timer or service may follow it as well.
 *
 * A callback of a subscription handles messages of this one only, each right after its take. So the guess is wrong for
 * a callback that has started after a take of another subscription or service, or after none; from then on it handles
 * nothing. What was guessed before stands. Nothing is learnt where events of the thread may be missing.
 *
 * Cost: O(1) for a start of such a callback, nothing for others. Memory: 16 bytes for each callback.
 */
#ifndef ROS2BT_FLOW_GUESSED_TAKES_H
#define ROS2BT_FLOW_GUESSED_TAKES_H

#include "core/flow/state.h"

/* For linker->guessed_takes. */
GArray *guessed_takes_create(void);

/*
 * The callback starts on the thread, not from a ring buffer; `of` is the subscription or service whose message the
 * thread may have taken for it, NULL if there is none. Returns whether it may handle that.
 */
bool guessed_takes_start(struct flow_linker *linker, const struct flow_thread *thread,
			 const struct model_callback *callback, const void *of);

#endif
