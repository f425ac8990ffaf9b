/* SPDX-License-Identifier: MIT */
/*
 * Links callbacks of subscriptions with publications where no takes are recorded, as core/untaken/untaken_matcher.h
 * infers it: of any subscription before Humble; later, of those whose messages are loaned (up to Kilted the middleware
 * records no takes of these) or taken as serialized ones (Humble, Iron).
 *
 * The first take of a subscription, or CARET's record of one, ends the inference for it, since all of its messages are
 * taken in one way. Where takes of others are recorded, a callback counts as one without a take only if none is
 * pending and its thread has run another one before, without a loss or pause in between: else its take may be missing.
 *
 * Times are in ns. Cost: nothing while all callbacks have takes, else that of the matcher.
 */
#ifndef ROS2BT_FLOW_UNTAKEN_MESSAGES_H
#define ROS2BT_FLOW_UNTAKEN_MESSAGES_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"
#include "core/untaken/untaken_matcher.h"

/* Sets linker->untaken, and frees it. */
void untaken_messages_create(struct flow_linker *linker);
void untaken_messages_destroy(struct flow_linker *linker);

/* The publisher of the publication is known. */
void untaken_messages_published(struct flow_linker *linker, struct linked_publication *publication);

/*
 * A callback of any kind starts on the thread. Returns whether the cause of the execution will be decided here; else it
 * is none of a message between processes.
 */
bool untaken_messages_started(struct flow_linker *linker, struct flow_thread *thread,
			      struct linked_execution *execution, const struct model_callback_info *info,
			      bool is_intra_process);

/*
 * A callback of a subscription starts without a take, where takes are recorded: from now on, callbacks of such
 * subscriptions are followed, if it is one. What it handles itself stays unknown.
 */
void untaken_messages_missed(struct flow_linker *linker, const struct flow_thread *thread,
			     const struct model_callback_info *info);

#endif
