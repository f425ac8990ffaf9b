/* SPDX-License-Identifier: MIT */
#include "core/calls/action_sides.h"

#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "ros2bt/base/u64_map.h"

/* Resolved once for each pair of a service, and again when its client becomes known. */
struct known_role {
	const struct model_client *client;
	bool is_resolved;
	struct action_role role;
};

struct action_sides {
	struct recording *recording; /* borrowed, like the next one */
	struct object_model *model;
	GPtrArray *pairs;	 /* struct action_pair *, in the arena, by index */
	struct u64_map by_sides; /* → struct action_pair * */
	GArray *roles;		 /* struct known_role, by index of the service's pair */
};

struct action_sides *action_sides_create(struct recording *recording, struct object_model *model)
{
	struct arena *arena = recording_arena(recording);
	struct action_sides *sides = arena_take(arena, sizeof(*sides));

	sides->recording = recording;
	sides->model = model;
	sides->pairs = arena_pointers(arena);
	sides->roles = arena_array(arena, sizeof(struct known_role));
	arena_map(arena, &sides->by_sides);
	return sides;
}

struct action_pair *action_sides_pair(struct action_sides *sides, struct model_action *client,
				      struct model_action *server)
{
	uint64_t key = (uint64_t)(client ? client->index + 1 : 0) << 32 | (server ? server->index + 1 : 0);
	struct action_pair *pair = u64_map_get_pointer(&sides->by_sides, key);

	if (!pair) {
		pair = arena_take(recording_arena(sides->recording), sizeof(*pair));
		pair->index = sides->pairs->len;
		pair->client = client;
		pair->server = server;
		g_ptr_array_add(sides->pairs, pair);
		u64_map_set_pointer(&sides->by_sides, key, pair);
	}
	return pair;
}

static struct action_role resolve(struct action_sides *sides, const struct service_pair *pair)
{
	const char *name = service_pair_name(pair);
	const struct model_client *client = pair->client ? pair->client->client : NULL;
	const struct model_service *service = pair->server ? pair->server->service : NULL;
	struct action_role role = { ACTION_PART_NONE, NULL };
	size_t length;

	role.part = name ? action_part_of(name, &length) : ACTION_PART_NONE;
	if (role.part != ACTION_PART_NONE) {
		role.pair = action_sides_pair(
			sides, client ? object_model_action_of(sides->model, MODEL_CLIENT, &client->endpoint) : NULL,
			service ? object_model_action_of(sides->model, MODEL_SERVICE, &service->endpoint) : NULL);
	}
	return role;
}

struct action_role action_sides_role(struct action_sides *sides, const struct service_pair *pair)
{
	const struct model_client *client = pair->client ? pair->client->client : NULL;
	struct known_role *known;

	known = array_at(sides->roles, struct known_role, pair->index);
	if (!known->is_resolved || known->client != client) {
		known->is_resolved = true;
		known->client = client;
		known->role = resolve(sides, pair);
	}
	return known->role;
}

size_t action_sides_pair_count(const struct action_sides *sides)
{
	return sides->pairs->len;
}

const struct action_pair *action_sides_pair_at(const struct action_sides *sides, size_t index)
{
	return sides->pairs->pdata[index];
}
