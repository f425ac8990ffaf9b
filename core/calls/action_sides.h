/* SPDX-License-Identifier: MIT */
/*
 * Pairs of a client and a server of an action, and the part of the action that each service between them serves.
 *
 * Cost: O(1) for a look-up, O(actions) for the first one of each pair of a service. Memory: the pairs, in the arena of
 * the recording.
 */
#ifndef ROS2BT_ACTION_SIDES_H
#define ROS2BT_ACTION_SIDES_H

#include "core/calls/service_peers.h"

struct action_sides;

/* A client and a server of an action; either may be NULL: unknown. */
struct action_pair {
	uint32_t index; /* dense, in order of creation */
	struct model_action *client, *server;
	/* Requests to cancel: sent; answered by the thread that took them; of these, accepted. */
	uint64_t cancels_sent, cancels_answered, cancels_accepted;
};

/* The part of an action that a service serves. */
struct action_role {
	enum action_part part;
	struct action_pair *pair; /* NULL: not of an action */
};

/* In the recording's arena. */
struct action_sides *action_sides_create(struct recording *recording, struct object_model *model);

struct action_role action_sides_role(struct action_sides *sides, const struct service_pair *pair);

/* The pair of two sides, added if there is none. */
struct action_pair *action_sides_pair(struct action_sides *sides, struct model_action *client,
				      struct model_action *server);
size_t action_sides_pair_count(const struct action_sides *sides);
const struct action_pair *action_sides_pair_at(const struct action_sides *sides, size_t index);

#endif
