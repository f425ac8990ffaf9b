/* SPDX-License-Identifier: MIT */
/*
 * Links callbacks of subscriptions with publications where the release records no takes, as
 * core/untaken/untaken_matcher.h infers it. The first take, or CARET's record of one, ends all inference.
 *
 * Times are in ns. Cost: nothing once a take was recorded, else that of the matcher.
 */
#ifndef ROS2BT_FLOW_UNTAKEN_MESSAGES_H
#define ROS2BT_FLOW_UNTAKEN_MESSAGES_H

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"
#include "core/untaken/untaken_matcher.h"

/* Sets linker->untaken. */
void untaken_messages_create(struct flow_linker *linker);

/* The publisher of the publication is known. */
void untaken_messages_published(struct flow_linker *linker, struct linked_publication *publication);

/*
 * A callback of any kind starts on the thread. Returns whether the cause of the execution will be decided here; else it
 * is none of a message between processes.
 */
bool untaken_messages_started(struct flow_linker *linker, const struct flow_thread *thread,
			      struct linked_execution *execution, const struct model_callback_info *info,
			      bool is_intra_process);

#endif
