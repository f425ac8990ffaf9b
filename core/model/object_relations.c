/* SPDX-License-Identifier: MIT */
/*
 * Relations between objects, resolved on demand: nodes, owners of callbacks, callback groups, ring buffers. The rules
 * are in docs/internals/object_model.md.
 */
#include <string.h>

#include "core/model/object_store.h"

/* A cached answer of object_model_subscription_of_buffer(). */
struct buffer_object {
	const uint64_t *process_version; /* model_process_version() */
	uint64_t version;
	struct model_subscription *subscription;
};

/* --- references, as of the time of the definition that contains them --- */

static const struct definition *resolve(const struct object_model *model, uint32_t process, enum definition_kind kind,
					uint64_t address, int64_t time_ns)
{
	return definition_at_or_from(model_newest(model, process, kind, address), time_ns);
}

/* As resolve(), for a target that may be defined before or after the definition that refers to it. */
static const struct definition *resolve_nearest(const struct object_model *model, uint32_t process,
						enum definition_kind kind, uint64_t address, int64_t time_ns)
{
	return definition_nearest(model_newest(model, process, kind, address), time_ns);
}

const char *object_model_node_name(const struct object_model *model, uint32_t process, uint64_t node_handle,
				   int64_t time_ns)
{
	return definition_text(resolve(model, process, DEFINITION_NODE, node_handle, time_ns), NODE_NAME);
}

const char *object_model_publisher_node(const struct object_model *model, const struct model_publisher *publisher)
{
	if (!publisher->is_defined) {
		return NULL;
	}
	if (g_strcmp0(publisher->topic, "/rosout") == 0) {
		/* up to Jazzy, rcl_node_init() itself creates it, before its node is recorded */
		return definition_text(resolve_nearest(model, publisher->process, DEFINITION_NODE,
						       publisher->node_handle, publisher->since_ns),
				       NODE_NAME);
	}
	return object_model_endpoint_node(model, &publisher->endpoint);
}

const char *object_model_subscription_node(const struct object_model *model,
					   const struct model_subscription *subscription)
{
	return subscription->is_defined ? object_model_endpoint_node(model, &subscription->endpoint) : NULL;
}

static struct model_subscription *resolve_buffer(const struct object_model *model, uint32_t process,
						 const struct definition *buffer)
{
	/* rclcpp_buffer_to_ipb, rclcpp_ipb_to_subscription, rclcpp_subscription_init follow one another */
	const struct definition *intra_process_buffer = definition_nearest(
		model_newest(model, process, DEFINITION_INTRA_PROCESS_BUFFER, buffer->word[REFERENCE]),
		buffer->since_ns);
	const struct definition *object, *subscription;

	if (!intra_process_buffer) {
		return NULL;
	}
	object = resolve_nearest(model, process, DEFINITION_SUBSCRIPTION_OBJECT, intra_process_buffer->word[REFERENCE],
				 intra_process_buffer->since_ns);
	if (!object) {
		return NULL;
	}
	subscription = resolve(model, process, DEFINITION_SUBSCRIPTION, object->word[REFERENCE], object->since_ns);
	return subscription ? subscription->object : NULL;
}

struct model_subscription *object_model_subscription_of_buffer(struct object_model *model, uint32_t process,
							       uint64_t buffer, int64_t time_ns)
{
	struct definition *definition = definition_at(model_newest(model, process, DEFINITION_BUFFER, buffer), time_ns);
	struct buffer_object *answer;

	if (!definition) {
		return NULL;
	}
	if (!definition->object) {
		answer = definition->object = g_new0(struct buffer_object, 1);
		answer->process_version = model_process_version(model, process);
		g_ptr_array_add(model->buffers, answer);
	}
	answer = definition->object;
	if (answer->version != *answer->process_version) {
		answer->version = *answer->process_version;
		answer->subscription = resolve_buffer(model, process, definition);
	}
	return answer->subscription;
}

/* --- callbacks --- */

uint64_t object_model_timer_callback(const struct object_model *model, uint32_t process, uint64_t timer_handle,
				     int64_t time_ns)
{
	const struct definition *definition =
		definition_at_or_from(model_newest(model, process, DEFINITION_TIMER_CALLBACK, timer_handle), time_ns);

	return definition ? definition->word[REFERENCE] : 0;
}

/* The life of an object at its address: from its definition to that of the next one there. */
struct life {
	int64_t since_ns;
	int64_t until_ns;
};

static struct life life_of(struct definition *newest, const struct definition *definition)
{
	return (struct life){ definition->since_ns, definition_until_ns(newest, definition) };
}

/*
 * The first definition within the life of an object. It may count as a copy of that of another object, which was there
 * until right before: then it is at last_ns.
 */
static const struct definition *first_within(struct definition *newest, struct life life)
{
	const struct definition *first = definition_from(newest, life.since_ns);
	const struct definition *before = definition_at(newest, life.since_ns);

	if (first && first->since_ns < life.until_ns) {
		return first;
	}
	return before && before->is_defined && before->last_ns >= life.since_ns ? before : NULL;
}

/*
 * rclcpp_callback_register follows the event that adds the callback to its owner: at a reused address, the symbol is
 * the first one between a definition of the callback and the next.
 */
static const char *symbol_of(const struct object_model *model, const struct callback_object *callback)
{
	const struct definition *definition = callback->definition;
	struct definition *newest =
		model_newest(model, callback->public.process, DEFINITION_SYMBOL, callback->public.address);
	int64_t until_ns = definition_until_ns(
		model_newest(model, callback->public.process, DEFINITION_CALLBACK, callback->public.address),
		definition);
	const struct definition *symbol = definition->is_defined
						  ? definition_from(newest, definition->since_ns)
						  : definition_at_or_from(newest, definition->last_use_ns);

	return symbol && symbol->since_ns < until_ns ? definition_text(symbol, REFERENCE) : NULL;
}

static void resolve_subscription(const struct object_model *model, uint32_t process, uint64_t handle, int64_t time_ns,
				 struct model_callback_info *info)
{
	const struct definition *subscription = resolve(model, process, DEFINITION_SUBSCRIPTION, handle, time_ns);

	if (subscription) {
		info->subscription = subscription->object;
		info->node = object_model_subscription_node(model, info->subscription);
	}
}

static void resolve_subscription_object(const struct object_model *model, uint32_t process, uint64_t address,
					int64_t time_ns, struct model_callback_info *info)
{
	const struct definition *object =
		resolve_nearest(model, process, DEFINITION_SUBSCRIPTION_OBJECT, address, time_ns);

	if (object) {
		/* the intra-process part adds its callback in its constructor, the subscription after its constructor
		 */
		info->is_intra_process = object->since_ns > time_ns;
		resolve_subscription(model, process, object->word[REFERENCE], object->since_ns, info);
	}
}

/*
 * Those of lifecycle nodes have a handle that is not the service's (lifecycle_services.h). A service that such a node
 * adds itself, of the same type, is younger than the one it would be taken for; one that was at the address before is
 * older, and one that is there later is no longer of the callback.
 */
static const struct definition *service_of_callback(const struct object_model *model,
						    const struct callback_object *callback)
{
	const struct definition *definition = callback->definition;
	uint32_t process = callback->public.process;
	uint64_t address = callback->public.address;
	const struct definition *copied =
		first_within(model_newest(model, process, DEFINITION_CALLBACK_SERVICE, address),
			     life_of(model_newest(model, process, DEFINITION_CALLBACK, address), definition));
	const struct definition *named = resolve(model, process, DEFINITION_SERVICE,
						 definition->word[CALLBACK_OWNER_ADDRESS], definition->since_ns);
	const struct definition *service =
		copied ? resolve(model, process, DEFINITION_SERVICE, copied->word[REFERENCE], definition->since_ns)
		       : NULL;
	bool is_copy =
		service && !(named && named->since_ns > service->since_ns && named->since_ns <= definition->since_ns);

	return is_copy ? service : named;
}

static void resolve_service(const struct object_model *model, const struct callback_object *callback,
			    struct model_callback_info *info)
{
	const struct definition *service = service_of_callback(model, callback);

	if (service) {
		info->service = service->object;
		info->node = object_model_node_name(model, callback->public.process, service->word[ENDPOINT_NODE],
						    service->since_ns);
	}
}

/* A callback group belongs to one node: the node of its members. NULL if members with a known node disagree. */
static const char *node_of_group(const struct object_model *model, uint32_t process, uint64_t group)
{
	const char *node = NULL;

	for (const struct definition *member = model_newest(model, process, DEFINITION_GROUP_MEMBER, group); member;
	     member = member->older) {
		const struct definition *endpoint;
		const char *node_of_member;

		if (member->word[MEMBER_KIND] == DEFINITION_TIMER) {
			continue;
		}
		endpoint = definition_at(model_newest(model, process, (enum definition_kind)member->word[MEMBER_KIND],
						      member->word[MEMBER_HANDLE]),
					 member->since_ns);
		if (!endpoint || !endpoint->is_defined) {
			continue;
		}
		node_of_member =
			object_model_node_name(model, process, endpoint->word[ENDPOINT_NODE], endpoint->since_ns);
		if (node && node_of_member && node_of_member != node) {
			return NULL;
		}
		node = node ? node : node_of_member;
	}
	return node;
}

/* The only node of a process, for releases that do not link timers to nodes; else NULL. */
static const char *only_node(const struct object_model *model, uint32_t process)
{
	return model_get_flag(model->lacks_timer_links, process)
		       ? definition_text(definitions_only(model->definitions, process, DEFINITION_NODE), NODE_NAME)
		       : NULL;
}

static const char *node_of_timer(const struct object_model *model, uint32_t process, uint64_t handle, struct life life)
{
	const struct definition *link = first_within(model_newest(model, process, DEFINITION_TIMER_NODE, handle), life);
	const struct definition *group;
	const char *node = NULL;

	if (link) {
		return object_model_node_name(model, process, link->word[REFERENCE],
					      link->since_ns >= life.since_ns ? link->since_ns : link->last_ns);
	}
	group = first_within(model_newest(model, process, DEFINITION_TIMER_GROUP, handle), life);
	if (group) {
		node = node_of_group(model, process, group->word[REFERENCE]);
	}
	return node ? node : only_node(model, process);
}

static void resolve_timer(const struct object_model *model, uint32_t process, uint64_t handle, int64_t time_ns,
			  struct model_callback_info *info)
{
	struct definition *newest = model_newest(model, process, DEFINITION_TIMER, handle);
	const struct definition *timer = definition_at_or_from(newest, time_ns);

	info->timer_handle = handle;
	if (!timer) {
		info->node = node_of_timer(model, process, handle, (struct life){ time_ns, INT64_MAX });
		return;
	}
	info->timer = timer->object;
	info->has_period = true;
	info->period_ns = (int64_t)timer->word[TIMER_PERIOD];
	info->node = node_of_timer(model, process, handle, life_of(newest, timer));
}

static struct life life_of_timer(const struct object_model *model, const struct model_timer *timer)
{
	struct definition *newest = model_newest(model, timer->process, DEFINITION_TIMER, timer->handle);

	return life_of(newest, definition_at(newest, timer->since_ns));
}

const char *object_model_timer_node(const struct object_model *model, const struct model_timer *timer)
{
	return node_of_timer(model, timer->process, timer->handle, life_of_timer(model, timer));
}

const char *object_model_state_machine_node(const struct object_model *model, const struct model_state_machine *machine)
{
	return object_model_node_name(model, machine->process, machine->node_handle, machine->since_ns);
}

/*
 * rclcpp's AnyServiceCallback accepts callbacks with and without a response argument. Those without take the id of the
 * request, by which they answer later.
 */
static enum service_response response_of(const char *symbol)
{
	if (symbol && strstr(symbol, "_Response_<")) {
		return SERVICE_RESPONSE_RETURNED;
	}
	return symbol && strstr(symbol, "rmw_request_id_s") ? SERVICE_RESPONSE_DEFERRED : SERVICE_RESPONSE_UNKNOWN;
}

static void resolve_callback(const struct object_model *model, const struct callback_object *callback,
			     struct model_callback_info *info)
{
	const struct definition *definition = callback->definition;
	uint32_t process = callback->public.process;
	uint64_t owner;

	*info = (struct model_callback_info){ .symbol = symbol_of(model, callback) };
	if (!definition->is_defined) {
		return;
	}
	owner = definition->word[CALLBACK_OWNER_ADDRESS];
	switch ((enum callback_owner)definition->word[CALLBACK_OWNER]) {
	case OWNER_SUBSCRIPTION_OBJECT:
		info->kind = CALLBACK_KIND_SUBSCRIPTION;
		resolve_subscription_object(model, process, owner, definition->since_ns, info);
		break;
	case OWNER_SUBSCRIPTION:
		info->kind = CALLBACK_KIND_SUBSCRIPTION;
		resolve_subscription(model, process, owner, definition->since_ns, info);
		break;
	case OWNER_TIMER:
		info->kind = CALLBACK_KIND_TIMER;
		resolve_timer(model, process, owner, definition->since_ns, info);
		break;
	case OWNER_SERVICE:
		info->kind = CALLBACK_KIND_SERVICE;
		info->response = response_of(info->symbol);
		resolve_service(model, callback, info);
		break;
	case OWNER_INFERRED_SUBSCRIPTION:
		info->kind = CALLBACK_KIND_INFERRED;
		info->subscription = (struct model_subscription *)(uintptr_t)owner;
		info->node = object_model_subscription_node(model, info->subscription);
		break;
	case OWNER_INFERRED_SERVICE:
		info->kind = CALLBACK_KIND_INFERRED;
		info->service = (struct model_service *)(uintptr_t)owner;
		info->node = object_model_endpoint_node(model, &info->service->endpoint);
		break;
	}
}

static G_GNUC_NO_INLINE void renew_info(struct object_model *model, struct callback_object *object)
{
	object->version = model_process_version(model, object->public.process);
	object->info_version = *object->version;
	resolve_callback(model, object, &object->info);
}

const struct model_callback_info *object_model_callback_info(struct object_model *model,
							     struct model_callback *callback)
{
	struct callback_object *object = (struct callback_object *)callback;

	if (G_UNLIKELY(!object->version || object->info_version != *object->version)) {
		renew_info(model, object);
	}
	return &object->info;
}

/* --- callback groups --- */

struct owner {
	enum definition_kind kind;
	enum definition_kind group; /* the definitions of its callback group */
	uint64_t handle;
};

static bool owner_of(const struct object_model *model, uint32_t process, const struct definition *callback,
		     struct owner *owner)
{
	uint64_t address = callback->word[CALLBACK_OWNER_ADDRESS];
	const struct definition *object;

	switch ((enum callback_owner)callback->word[CALLBACK_OWNER]) {
	case OWNER_SUBSCRIPTION_OBJECT:
		object = resolve_nearest(model, process, DEFINITION_SUBSCRIPTION_OBJECT, address, callback->since_ns);
		*owner = (struct owner){ DEFINITION_SUBSCRIPTION, DEFINITION_SUBSCRIPTION_GROUP,
					 object ? object->word[REFERENCE] : 0 };
		return object != NULL;
	case OWNER_SUBSCRIPTION:
		*owner = (struct owner){ DEFINITION_SUBSCRIPTION, DEFINITION_SUBSCRIPTION_GROUP, address };
		return true;
	case OWNER_TIMER:
		*owner = (struct owner){ DEFINITION_TIMER, DEFINITION_TIMER_GROUP, address };
		return true;
	case OWNER_SERVICE:
		*owner = (struct owner){ DEFINITION_SERVICE, DEFINITION_SERVICE_GROUP, address };
		return true;
	case OWNER_INFERRED_SUBSCRIPTION:
	case OWNER_INFERRED_SERVICE:
		break;
	}
	return false;
}

/* Members are added to a callback group right after they are created. */
static const struct definition *group_of(const struct object_model *model, uint32_t process, const struct owner *owner,
					 int64_t time_ns)
{
	struct definition *newest = model_newest(model, process, owner->kind, owner->handle);
	const struct definition *definition = definition_at_or_from(newest, time_ns);
	struct life life = definition ? life_of(newest, definition) : (struct life){ time_ns, INT64_MAX };

	return first_within(model_newest(model, process, owner->group, owner->handle), life);
}

/* A group is added to an executor or to the entities collector of an executor. */
static void resolve_executor(const struct object_model *model, uint32_t process, int64_t time_ns,
			     struct model_callback_group *group)
{
	const struct definition *added =
		resolve_nearest(model, process, DEFINITION_GROUP_EXECUTOR, group->address, time_ns);
	const struct definition *executor = added;

	if (!added) {
		added = resolve_nearest(model, process, DEFINITION_GROUP_COLLECTOR, group->address, time_ns);
		executor = added ? resolve_nearest(model, process, DEFINITION_COLLECTOR_EXECUTOR,
						   added->word[GROUP_EXECUTOR], added->since_ns)
				 : NULL;
	}
	group->type = definition_text(added, GROUP_TYPE);
	if (executor) {
		executor = resolve(model, process, DEFINITION_EXECUTOR, executor->word[REFERENCE], executor->since_ns);
	}
	group->executor = executor ? executor->object : NULL;
}

bool object_model_callback_group(const struct object_model *model, const struct model_callback *callback,
				 struct model_callback_group *group)
{
	const struct definition *definition = ((const struct callback_object *)callback)->definition;
	const struct definition *added;
	struct owner owner;

	if (!definition->is_defined || !owner_of(model, callback->process, definition, &owner)) {
		return false;
	}
	added = group_of(model, callback->process, &owner, definition->since_ns);
	if (!added) {
		return false;
	}
	group->address = added->word[REFERENCE];
	resolve_executor(model, callback->process, added->since_ns, group);
	return true;
}
