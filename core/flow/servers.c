/* SPDX-License-Identifier: MIT */
#include "core/flow/servers.h"

#include "core/flow/channels.h"

static uint64_t key_of(const char *name)
{
	return (uint64_t)(uintptr_t)name;
}

static GPtrArray *servers_of(struct flow_linker *linker, const char *name)
{
	GPtrArray *servers = u64_map_get_pointer(&linker->servers, key_of(name));

	if (!servers) {
		servers = g_ptr_array_new();
		u64_map_set_pointer(&linker->servers, key_of(name), servers);
	}
	return servers;
}

/* Adds those that were defined since the last call. */
static void see_servers(struct flow_linker *linker)
{
	size_t count = object_model_service_count(linker->model);

	for (; linker->servers_seen < count; linker->servers_seen++) {
		struct model_service *service = object_model_service_at(linker->model, linker->servers_seen);

		if (service->name) {
			g_ptr_array_add(servers_of(linker, service->name), service);
		}
	}
}

static bool has_taken(const struct linked_publication *request, const struct model_service *service)
{
	const struct linked_delivery *delivery = request->deliveries;

	while (delivery && delivery->public.service != service) {
		delivery = delivery->next;
	}
	return delivery != NULL;
}

static bool may_take(struct flow_linker *linker, const struct linked_publication *request,
		     const struct model_service *service)
{
	const struct flow_process *process = flow_process(linker, service->process);

	return service->since_ns <= request->public.first_ns &&
	       linker->now_ns - process->recorded.last_ns < FLOW_PROCESS_SILENT_NS && !has_taken(request, service);
}

bool flow_servers_await(struct flow_linker *linker, const struct linked_publication *request)
{
	const struct model_client *client = request->public.client;
	const GPtrArray *servers;

	if (!client || !client->service_name) {
		return false;
	}
	see_servers(linker);
	servers = servers_of(linker, client->service_name);
	for (guint i = 0; i < servers->len; i++) {
		if (may_take(linker, request, servers->pdata[i])) {
			return true;
		}
	}
	return false;
}

void flow_servers_clear(struct flow_linker *linker)
{
	size_t position = 0;
	uint64_t key;
	uint64_t value;

	while (u64_map_next(&linker->servers, &position, &key, &value)) {
		g_ptr_array_free((GPtrArray *)(uintptr_t)value, TRUE);
	}
	u64_map_clear(&linker->servers);
}
