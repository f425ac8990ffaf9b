/* SPDX-License-Identifier: MIT */
#include "core/calls/service_peers.h"

#include "core/base/arena_parts.h"
#include "ros2bt/base/u64_map.h"

struct service_peers {
	struct recording *recording; /* borrowed, like the next one */
	struct object_model *model;
	GPtrArray *clients, *servers, *pairs; /* in the arena, by index */
	struct u64_map by_gid;		      /* → struct service_client *, the newest with the gid */
	struct u64_map by_handle;	      /* → struct service_client *, those without gid */
	struct u64_map by_service;	      /* → struct service_server * */
	uint64_t without_gid;
};

struct service_peers *service_peers_create(struct recording *recording, struct object_model *model)
{
	struct arena *arena = recording_arena(recording);
	struct service_peers *peers = arena_take(arena, sizeof(*peers));

	peers->recording = recording;
	peers->model = model;
	peers->clients = arena_pointers(arena);
	peers->servers = arena_pointers(arena);
	peers->pairs = arena_pointers(arena);
	arena_map(arena, &peers->by_gid);
	arena_map(arena, &peers->by_handle);
	arena_map(arena, &peers->by_service);
	return peers;
}

/* --- clients --- */

static struct service_client *add_client(struct service_peers *peers, uint32_t process, struct model_client *model,
					 const char *gid)
{
	struct service_client *client = arena_take(recording_arena(peers->recording), sizeof(*client));

	client->index = peers->clients->len;
	client->process = process;
	client->client = model;
	client->gid = gid;
	g_queue_init(&client->untaken);
	g_queue_init(&client->others);
	g_ptr_array_add(peers->clients, client);
	return client;
}

struct service_client *service_peers_client_by_gid(struct service_peers *peers, const char *gid)
{
	struct service_client *client = u64_map_get_pointer(&peers->by_gid, (uint64_t)(uintptr_t)gid);

	if (!client) {
		client = add_client(peers, RECORDING_NONE, NULL, gid);
		u64_map_set_pointer(&peers->by_gid, (uint64_t)(uintptr_t)gid, client);
	}
	return client;
}

/* A client without gid, by its handle, whose upper bits are zero. */
static struct service_client *client_by_handle(struct service_peers *peers, uint32_t process, uint64_t rmw_handle,
					       struct model_client *model)
{
	uint64_t key = model ? (uint64_t)(uintptr_t)model : (rmw_handle ^ (uint64_t)process << 48) | 1;
	struct service_client *client = u64_map_get_pointer(&peers->by_handle, key);

	peers->without_gid++;
	if (!client) {
		client = add_client(peers, process, model, NULL);
		u64_map_set_pointer(&peers->by_handle, key, client);
	}
	return client;
}

/* The client of an event of its own process. */
struct service_client *service_peers_client(struct service_peers *peers, const struct event_record *record,
					    uint64_t rmw_handle)
{
	uint32_t process = recording_thread(peers->recording, record->thread)->process;
	struct model_client *model =
		object_model_find_client_by_rmw(peers->model, process, rmw_handle, record->time_ns);
	struct service_client *client;

	if (!model || !model->gid) {
		return client_by_handle(peers, process, rmw_handle, model);
	}
	client = service_peers_client_by_gid(peers, model->gid);
	if (client->client && client->client != model) {
		/* another process, or a later client, with the same gid */
		client = add_client(peers, process, model, model->gid);
		u64_map_set_pointer(&peers->by_gid, (uint64_t)(uintptr_t)model->gid, client);
	}
	client->client = model;
	client->process = process;
	return client;
}

/* --- servers and pairs --- */

static struct service_server *add_server(struct service_peers *peers, uint32_t process, uint64_t rmw_handle,
					 struct model_service *service)
{
	uint64_t key = service ? (uint64_t)(uintptr_t)service : (rmw_handle ^ (uint64_t)process << 48) | 1;
	struct service_server *server = u64_map_get_pointer(&peers->by_service, key);

	if (!server) {
		server = arena_take(recording_arena(peers->recording), sizeof(*server));
		server->index = peers->servers->len;
		server->process = process;
		server->rmw_handle = rmw_handle;
		server->service = service;
		g_ptr_array_add(peers->servers, server);
		u64_map_set_pointer(&peers->by_service, key, server);
	}
	return server;
}

struct service_server *service_peers_server(struct service_peers *peers, const struct event_record *record,
					    uint64_t rmw_handle)
{
	uint32_t process = recording_thread(peers->recording, record->thread)->process;
	struct model_service *service =
		object_model_find_service_by_rmw(peers->model, process, rmw_handle, record->time_ns);
	struct service_server *server = add_server(peers, process, rmw_handle, service);

	server->last_ns = record->time_ns;
	return server;
}

static struct service_pair *add_pair(struct service_peers *peers, struct service_client *client,
				     struct service_server *server)
{
	struct service_pair *pair = arena_take(recording_arena(peers->recording), sizeof(*pair));

	pair->index = peers->pairs->len;
	pair->client = client;
	pair->server = server;
	g_ptr_array_add(peers->pairs, pair);
	if (client) {
		pair->next = client->pairs;
		client->pairs = pair;
	}
	return pair;
}

static struct service_pair *find_pair(const struct service_client *client, const struct service_server *server)
{
	struct service_pair *pair = client->pairs;

	while (pair && pair->server != server) {
		pair = pair->next;
	}
	return pair;
}

struct service_pair *service_peers_pair(struct service_peers *peers, struct service_client *client,
					struct service_server *server)
{
	struct service_pair *pair = find_pair(client, server);

	return pair ? pair : add_pair(peers, client, server);
}

struct service_pair *service_peers_pair_without_client(struct service_peers *peers, struct model_service *service)
{
	struct service_server *server = add_server(peers, service->process, service->rmw_handle, service);

	if (!server->unknown) {
		server->unknown = add_pair(peers, NULL, server);
	}
	return server->unknown;
}

/* --- queries --- */

void service_client_remember(struct service_client *client, int64_t sequence_number, int64_t send_ns, bool is_counted)
{
	client->done[client->done_next++ % G_N_ELEMENTS(client->done)] = (struct service_request){
		.sequence_number = sequence_number,
		.send_ns = send_ns,
		.is_counted = is_counted,
		.is_there = true,
	};
}

const struct service_request *service_client_find_done(const struct service_client *client, int64_t sequence_number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(client->done); i++) {
		if (client->done[i].is_there && client->done[i].sequence_number == sequence_number) {
			return &client->done[i];
		}
	}
	return NULL;
}

void service_client_note_request(struct service_client *client, int64_t sequence_number, int64_t time_ns)
{
	if (client->sent_number > 0 && sequence_number > client->sent_number) {
		int64_t between_ns = (time_ns - client->sent_ns) / (sequence_number - client->sent_number);

		client->shortest_ns = client->shortest_ns > 0 ? MIN(client->shortest_ns, between_ns) : between_ns;
	}
	client->sent_number = sequence_number;
	client->sent_ns = time_ns;
}

bool service_client_may_be_another(const struct service_client *client, int64_t sequence_number, int64_t since_ns,
				   int64_t now_ns)
{
	return client->shortest_ns <= 0 || (now_ns - since_ns) / client->shortest_ns >= MAX(sequence_number, 1) - 1;
}

size_t service_peers_client_count(const struct service_peers *peers)
{
	return peers->clients->len;
}

struct service_client *service_peers_client_at(const struct service_peers *peers, size_t index)
{
	return peers->clients->pdata[index];
}

uint64_t service_peers_without_gid(const struct service_peers *peers)
{
	return peers->without_gid;
}

size_t service_peers_pair_count(const struct service_peers *peers)
{
	return peers->pairs->len;
}

const struct service_pair *service_peers_pair_at(const struct service_peers *peers, size_t index)
{
	return peers->pairs->pdata[index];
}

const char *service_pair_name(const struct service_pair *pair)
{
	if (pair->server && pair->server->service && pair->server->service->name) {
		return pair->server->service->name;
	}
	return pair->client && pair->client->client ? pair->client->client->service_name : NULL;
}

const char *service_pair_client_node(const struct object_model *model, const struct service_pair *pair)
{
	const struct model_client *client = pair->client ? pair->client->client : NULL;

	return client ? object_model_endpoint_node(model, &client->endpoint) : NULL;
}

const char *service_pair_server_node(const struct object_model *model, const struct service_pair *pair)
{
	const struct model_service *service = pair->server ? pair->server->service : NULL;

	return service ? object_model_endpoint_node(model, &service->endpoint) : NULL;
}
