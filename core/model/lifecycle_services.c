/* SPDX-License-Identifier: MIT */
#include "core/model/lifecycle_services.h"

#include <string.h>

#define TYPES "lifecycle_msgs::srv::"
#define STEPS_MAX 4096 /* services; a limit of cost */

struct created_machine {
	const struct model_state_machine *machine; /* borrowed; NULL: the thread has created a node since */
	uint64_t transitions;			   /* the first callback of that type, 0: none so far */
};

/* The names of the services by the type of their requests, in the order of their callbacks. */
static const struct service_type {
	const char *request;
	const char *names[2];
} types[] = {
	{ TYPES "ChangeState_Request", { "/change_state" } },
	{ TYPES "GetState_Request", { "/get_state" } },
	{ TYPES "GetAvailableStates_Request", { "/get_available_states" } },
	{ TYPES "GetAvailableTransitions_Request", { "/get_available_transitions", "/get_transition_graph" } },
};

void lifecycle_services_init(struct lifecycle_services *services)
{
	u64_map_init(&services->machines);
}

void lifecycle_services_clear(struct lifecycle_services *services)
{
	size_t position = 0;
	uint64_t thread, created;

	while (u64_map_next(&services->machines, &position, &thread, &created)) {
		g_free((gpointer)(uintptr_t)created);
	}
	u64_map_clear(&services->machines);
}

void lifecycle_services_created(struct lifecycle_services *services, uint32_t thread,
				const struct model_state_machine *machine)
{
	struct created_machine *created = u64_map_get_pointer(&services->machines, thread);

	if (!created && machine) {
		created = g_new0(struct created_machine, 1);
		u64_map_set_pointer(&services->machines, thread, created);
	}
	if (created) {
		*created = (struct created_machine){ .machine = machine };
	}
}

static const struct service_type *type_of(const char *symbol)
{
	const char *type = strstr(symbol, TYPES);

	for (size_t i = 0; type && i < G_N_ELEMENTS(types); i++) {
		if (g_str_has_prefix(type, types[i].request)) {
			return &types[i];
		}
	}
	return NULL;
}

/* The service of the node of the machine, 0: unknown. */
static uint64_t find_service(const GPtrArray *services, const struct model_state_machine *machine, const char *name)
{
	guint end = services->len - MIN(services->len, STEPS_MAX);

	for (guint i = services->len; i-- > end;) {
		const struct model_service *service = services->pdata[i];

		if (service->process == machine->process && service->node_handle == machine->node_handle &&
		    service->since_ns <= machine->since_ns && service->name && g_str_has_suffix(service->name, name)) {
			return service->handle;
		}
	}
	return 0;
}

size_t lifecycle_services_of_callback(struct lifecycle_services *services, const GPtrArray *all, uint32_t thread,
				      uint64_t callback, const char *symbol, struct lifecycle_callback told[2])
{
	struct created_machine *created = u64_map_get_pointer(&services->machines, thread);
	const struct service_type *type = created && created->machine && symbol ? type_of(symbol) : NULL;
	uint64_t callbacks[2] = { callback, 0 };
	size_t count = 0;

	if (!type) {
		return 0;
	}
	if (type->names[1]) {
		callbacks[0] = created->transitions;
		callbacks[1] = callback;
		created->transitions = callback;
	}
	for (size_t i = 0; i < 2 && callbacks[0] != 0 && callbacks[i] != 0; i++) {
		uint64_t service = find_service(all, created->machine, type->names[i]);

		if (service != 0) {
			told[count++] = (struct lifecycle_callback){ callbacks[i], service };
		}
	}
	return count;
}
