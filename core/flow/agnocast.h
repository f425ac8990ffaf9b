/* SPDX-License-Identifier: MIT */
/*
 * Messages through Agnocast, which are in memory that processes of one machine share. Its kernel module numbers the
 * messages of a topic: agnocast_publish has the number (entry_id), and so have agnocast_create_callable, the receipt of
 * a message for a callback, and agnocast_take, one by hand. So takes are linked by topic and number, never inferred.
 * Two publications with one topic and number, as of two systems in containers of one machine, are ambiguous.
 *
 * The module forgets a topic, and numbers it from 0 again, when its last publisher and subscription are gone. A message
 * that was published before the subscription began is therefore only linked if the publisher's process has recorded an
 * event since then. (That it may have destroyed the publisher alone, no event tells.)
 *
 * A callback of Agnocast starts with its callable (core/model/agnocast_callables.h), so what it handles is certain,
 * whichever thread received the message.
 *
 * Cost: O(1), as for other takes; none where Agnocast is not recorded.
 */
#ifndef ROS2BT_FLOW_AGNOCAST_H
#define ROS2BT_FLOW_AGNOCAST_H

#include "core/flow/state.h"

/* In place of the gid of a client, where a take is one of Agnocast. */
#define FLOW_AGNOCAST "agnocast"

/* Takes the runtime events of Agnocast, and ignores all others. */
void flow_agnocast_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);

/* A hash of topic, which is interned, and number, in one word; take_links.c compares the parts. */
static inline uint64_t flow_agnocast_key(const char *topic, int64_t entry_id)
{
	return (uint64_t)(uintptr_t)topic ^ ((uint64_t)entry_id + 1) * UINT64_C(0xD6E8FEB86659FD93);
}

#endif
