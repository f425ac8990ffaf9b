/* SPDX-License-Identifier: MIT */
#include "ros2bt/object_model.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/definitions.h"

/* What a callback belongs to: first word of a DEFINITION_CALLBACK. The second word is the owner's address. */
enum callback_owner {
	OWNER_SUBSCRIPTION_OBJECT, /* the rclcpp object */
	OWNER_SUBSCRIPTION,	   /* the rcl handle (early Dashing, agnocast) */
	OWNER_TIMER,
	OWNER_SERVICE,
};

/* Words of definitions. */
enum {
	NODE_NAME = 0,
	ENDPOINT_NODE = 0, /* publishers, subscriptions, services, clients */
	ENDPOINT_RMW = 1,
	ENDPOINT_NAME = 2,
	ENDPOINT_QUEUE_DEPTH = 3,
	TIMER_PERIOD = 0,
	MEMBER_KIND = 0, /* enum definition_kind */
	MEMBER_HANDLE = 1,
	CALLBACK_OWNER = 0, /* enum callback_owner */
	CALLBACK_OWNER_ADDRESS = 1,
	REFERENCE = 0, /* the one word of all others */
};

struct callback_object {
	struct model_callback public;
	struct definition *definition;
	uint64_t info_version; /* of `info`, 0 until asked for */
	struct model_callback_info info;
};

/* The answer of object_model_subscription_of_buffer(). */
struct buffer_object {
	uint64_t version;
	struct model_subscription *subscription;
};

/*
 * An answer of the store, for as long as nothing is defined: running systems ask for the same few objects over and
 * over, and the way to each leads through several cold places.
 */
struct recent_look_up {
	uint64_t address;
	int64_t since_ns; /* holds from here on */
	void *object;
	uint64_t version;
	uint32_t process;
	enum definition_kind kind;
};

#define RECENT_LOOK_UPS_BITS 12

struct object_model {
	struct recording *recording; /* borrowed */
	struct definitions *definitions;
	uint64_t version;
	GPtrArray *callbacks;	  /* struct callback_object *, owned like all below */
	GPtrArray *publishers;	  /* struct model_publisher * */
	GPtrArray *subscriptions; /* struct model_subscription * */
	GPtrArray *services;	  /* struct model_service * */
	GPtrArray *clients;	  /* struct model_client * */
	GPtrArray *buffers;	  /* struct buffer_object * */
	GArray *has_definitions;  /* bool by process */
	GArray *links_no_timers;  /* bool by process: of a release that does not tell the nodes of timers */
	struct recent_look_up recent[1 << RECENT_LOOK_UPS_BITS];
};

struct object_model *object_model_create(struct recording *recording)
{
	struct object_model *model = g_new0(struct object_model, 1);

	model->recording = recording;
	model->definitions = definitions_create();
	model->version = 1;
	model->callbacks = g_ptr_array_new_with_free_func(g_free);
	model->publishers = g_ptr_array_new_with_free_func(g_free);
	model->subscriptions = g_ptr_array_new_with_free_func(g_free);
	model->services = g_ptr_array_new_with_free_func(g_free);
	model->clients = g_ptr_array_new_with_free_func(g_free);
	model->buffers = g_ptr_array_new_with_free_func(g_free);
	model->has_definitions = g_array_new(FALSE, TRUE, sizeof(bool));
	model->links_no_timers = g_array_new(FALSE, TRUE, sizeof(bool));
	return model;
}

void object_model_destroy(struct object_model *model)
{
	if (!model) {
		return;
	}
	g_ptr_array_free(model->callbacks, TRUE);
	g_ptr_array_free(model->publishers, TRUE);
	g_ptr_array_free(model->subscriptions, TRUE);
	g_ptr_array_free(model->services, TRUE);
	g_ptr_array_free(model->clients, TRUE);
	g_ptr_array_free(model->buffers, TRUE);
	g_array_free(model->has_definitions, TRUE);
	g_array_free(model->links_no_timers, TRUE);
	definitions_destroy(model->definitions);
	g_free(model);
}

uint64_t object_model_version(const struct object_model *model)
{
	return model->version;
}

static void set_flag(GArray *flags, uint32_t index)
{
	if (index >= flags->len) {
		g_array_set_size(flags, index + 1);
	}
	g_array_index(flags, bool, index) = true;
}

static bool get_flag(const GArray *flags, uint32_t index)
{
	return index < flags->len && g_array_index(flags, bool, index);
}

bool object_model_has_definitions(const struct object_model *model, uint32_t process)
{
	return get_flag(model->has_definitions, process);
}

/* Creation of objects, with what is known without a definition */

static struct callback_object *add_callback(struct object_model *model, uint32_t process, uint64_t address)
{
	struct callback_object *callback = g_new0(struct callback_object, 1);

	callback->public.index = model->callbacks->len;
	callback->public.process = process;
	callback->public.address = address;
	g_ptr_array_add(model->callbacks, callback);
	return callback;
}

static struct model_publisher *add_publisher(struct object_model *model, uint32_t process)
{
	struct model_publisher *publisher = g_new0(struct model_publisher, 1);

	publisher->index = model->publishers->len;
	publisher->process = process;
	g_ptr_array_add(model->publishers, publisher);
	return publisher;
}

static struct model_subscription *add_subscription(struct object_model *model, uint32_t process)
{
	struct model_subscription *subscription = g_new0(struct model_subscription, 1);

	subscription->index = model->subscriptions->len;
	subscription->process = process;
	g_ptr_array_add(model->subscriptions, subscription);
	return subscription;
}

static struct model_service *add_service(struct object_model *model, uint32_t process)
{
	struct model_service *service = g_new0(struct model_service, 1);

	service->index = model->services->len;
	service->process = process;
	g_ptr_array_add(model->services, service);
	return service;
}

static struct model_client *add_client(struct object_model *model, uint32_t process)
{
	struct model_client *client = g_new0(struct model_client, 1);

	client->index = model->clients->len;
	client->process = process;
	g_ptr_array_add(model->clients, client);
	return client;
}

/* Definitions */

/* A record of an INIT event on its way into the definitions. */
struct source {
	struct object_model *model;
	const struct event_record *record;
	uint32_t process;
};

static uint64_t word_of(const struct source *source, unsigned int slot)
{
	return record_has(source->record, slot) ? source->record->word[slot] : 0;
}

static struct definition *define(const struct source *source, enum definition_kind kind, uint64_t address,
				 const uint64_t *words)
{
	struct definition *definition =
		definitions_add(source->model->definitions, source->process, kind, address, source->record, words);

	source->model->version += definition != NULL;
	return definition;
}

static void define_reference(const struct source *source, enum definition_kind kind, unsigned int address_slot,
			     unsigned int reference_slot)
{
	if (record_has(source->record, address_slot) && record_has(source->record, reference_slot)) {
		define(source, kind, source->record->word[address_slot], &source->record->word[reference_slot]);
	}
}

static void define_node(const struct source *source, unsigned int name_slot, unsigned int namespace_slot)
{
	const char *name = record_string(source->record, name_slot);
	const char *namespace = record_string(source->record, namespace_slot);
	g_autofree char *full_name = NULL;
	bool needs_separator;
	uint64_t word;

	if (!name || !record_has(source->record, RCL_NODE_INIT__node_handle)) {
		return;
	}
	namespace = namespace ? namespace : "";
	needs_separator = namespace[0] != '\0' && !g_str_has_suffix(namespace, "/");
	full_name = g_strconcat(namespace[0] == '/' ? "" : "/", namespace, needs_separator ? "/" : "", name, NULL);
	word = (uint64_t)(uintptr_t)string_pool_intern(recording_pool(source->model->recording), full_name);
	define(source, DEFINITION_NODE, source->record->word[RCL_NODE_INIT__node_handle], &word);
}

/*
 * The definition of an endpoint by its rmw handle, NULL if the rmw handle is unknown or nothing is new. It refers to
 * the same object as that by the rcl handle, if there is not yet an object that was looked up by the rmw handle.
 */
static struct definition *define_by_rmw(const struct source *source, enum definition_kind kind, uint64_t rmw_handle,
					const struct definition *endpoint)
{
	uint64_t word = (uint64_t)(uintptr_t)endpoint;

	return rmw_handle != 0 ? define(source, kind, rmw_handle, &word) : NULL;
}

static void complete_publisher(struct model_publisher *publisher, const struct definition *definition, uint64_t handle)
{
	publisher->handle = handle;
	publisher->node_handle = definition->word[ENDPOINT_NODE];
	publisher->rmw_handle = definition->word[ENDPOINT_RMW];
	publisher->topic = (const char *)(uintptr_t)definition->word[ENDPOINT_NAME];
	publisher->queue_depth = definition->word[ENDPOINT_QUEUE_DEPTH];
	publisher->since_ns = definition->since_ns;
	publisher->is_defined = true;
}

static void define_publisher(const struct source *source, uint64_t handle, const uint64_t *words)
{
	struct definition *definition = define(source, DEFINITION_PUBLISHER, handle, words);
	struct definition *by_rmw;

	if (!definition) {
		return;
	}
	by_rmw = define_by_rmw(source, DEFINITION_PUBLISHER_BY_RMW, words[ENDPOINT_RMW], definition);
	if (!definition->object) {
		definition->object =
			by_rmw && by_rmw->object ? by_rmw->object : add_publisher(source->model, source->process);
	}
	if (by_rmw && !by_rmw->object) {
		by_rmw->object = definition->object;
	}
	complete_publisher(definition->object, definition, handle);
	if (by_rmw && by_rmw->object != definition->object) {
		complete_publisher(by_rmw->object, definition, handle);
	}
}

static void complete_subscription(struct model_subscription *subscription, const struct definition *definition,
				  uint64_t handle)
{
	subscription->handle = handle;
	subscription->node_handle = definition->word[ENDPOINT_NODE];
	subscription->rmw_handle = definition->word[ENDPOINT_RMW];
	subscription->topic = (const char *)(uintptr_t)definition->word[ENDPOINT_NAME];
	subscription->queue_depth = definition->word[ENDPOINT_QUEUE_DEPTH];
	subscription->since_ns = definition->since_ns;
	subscription->is_defined = true;
}

static void define_subscription(const struct source *source, uint64_t handle, const uint64_t *words)
{
	struct definition *definition = define(source, DEFINITION_SUBSCRIPTION, handle, words);
	struct definition *by_rmw;

	if (!definition) {
		return;
	}
	by_rmw = define_by_rmw(source, DEFINITION_SUBSCRIPTION_BY_RMW, words[ENDPOINT_RMW], definition);
	if (!definition->object) {
		definition->object =
			by_rmw && by_rmw->object ? by_rmw->object : add_subscription(source->model, source->process);
	}
	if (by_rmw && !by_rmw->object) {
		by_rmw->object = definition->object;
	}
	complete_subscription(definition->object, definition, handle);
	if (by_rmw && by_rmw->object != definition->object) {
		complete_subscription(by_rmw->object, definition, handle);
	}
}

static void define_service(const struct source *source, uint64_t handle, const uint64_t *words)
{
	struct definition *definition = define(source, DEFINITION_SERVICE, handle, words);
	struct definition *by_rmw;
	struct model_service *service;

	if (!definition) {
		return;
	}
	if (!definition->object) {
		definition->object = add_service(source->model, source->process);
	}
	service = definition->object;
	service->handle = handle;
	service->node_handle = words[ENDPOINT_NODE];
	service->rmw_handle = words[ENDPOINT_RMW];
	service->name = (const char *)(uintptr_t)words[ENDPOINT_NAME];
	service->since_ns = definition->since_ns;
	by_rmw = define_by_rmw(source, DEFINITION_SERVICE_BY_RMW, words[ENDPOINT_RMW], definition);
	if (by_rmw) {
		by_rmw->object = service;
	}
}

static void define_client(const struct source *source, uint64_t handle, const uint64_t *words)
{
	struct definition *definition = define(source, DEFINITION_CLIENT, handle, words);
	struct definition *by_rmw;
	struct model_client *client;

	if (!definition) {
		return;
	}
	if (!definition->object) {
		definition->object = add_client(source->model, source->process);
	}
	client = definition->object;
	client->handle = handle;
	client->node_handle = words[ENDPOINT_NODE];
	client->rmw_handle = words[ENDPOINT_RMW];
	client->service_name = (const char *)(uintptr_t)words[ENDPOINT_NAME];
	client->since_ns = definition->since_ns;
	by_rmw = define_by_rmw(source, DEFINITION_CLIENT_BY_RMW, words[ENDPOINT_RMW], definition);
	if (by_rmw) {
		by_rmw->object = client;
	}
}

static void define_callback(const struct source *source, uint64_t address, enum callback_owner owner,
			    uint64_t owner_address)
{
	uint64_t words[] = { [CALLBACK_OWNER] = owner, [CALLBACK_OWNER_ADDRESS] = owner_address };
	struct definition *definition = define(source, DEFINITION_CALLBACK, address, words);
	struct callback_object *callback;

	if (!definition) {
		return;
	}
	if (!definition->object) {
		definition->object = add_callback(source->model, source->process, address);
	}
	callback = definition->object;
	callback->definition = definition;
	callback->public.since_ns = definition->since_ns;
}

static struct definition *newest_of(const struct object_model *model, uint32_t process, enum definition_kind kind,
				    uint64_t address)
{
	return definitions_newest(model->definitions, process, kind, address);
}

static void set_undefined_callback(struct object_model *model, uint32_t process, uint64_t address, int64_t time_ns,
				   struct definition *definition)
{
	struct callback_object *callback = add_callback(model, process, address);

	definition->object = callback;
	callback->definition = definition;
	callback->public.since_ns = time_ns;
}

/* A symbol alone makes a callback too, of which nothing else is known. */
static void define_symbol(const struct source *source, uint64_t address, uint64_t symbol)
{
	if (define(source, DEFINITION_SYMBOL, address, &symbol) &&
	    !newest_of(source->model, source->process, DEFINITION_CALLBACK, address)) {
		set_undefined_callback(source->model, source->process, address, record_since_ns(source->record),
				       definitions_add_undefined(source->model->definitions, source->process,
								 DEFINITION_CALLBACK, address));
	}
}

static void define_group_member(const struct source *source, enum definition_kind kind)
{
	uint64_t words[] = {
		[MEMBER_KIND] = kind, [MEMBER_HANDLE] = word_of(source, CALLBACK_GROUP_ADD_TIMER__timer_handle)
	};

	define(source, DEFINITION_GROUP_MEMBER, word_of(source, CALLBACK_GROUP_ADD_TIMER__callback_group_addr), words);
}

/* tracetools before 2.1.0 has no rclcpp_timer_link_node. */
static bool version_links_no_timers(const char *version)
{
	char *rest;
	unsigned long major = strtoul(version, &rest, 10);

	return rest != version && *rest == '.' && (major < 2 || (major == 2 && strtoul(rest + 1, NULL, 10) < 1));
}

/* agnocast's subscriptions have no rmw handle; their callback comes with them. */
static void define_agnocast_subscription(const struct source *source)
{
	uint64_t handle = word_of(source, AGNOCAST_SUBSCRIPTION_INIT__subscription_handle);
	uint64_t callback = word_of(source, AGNOCAST_SUBSCRIPTION_INIT__callback);
	uint64_t words[] = {
		[ENDPOINT_NODE] = word_of(source, AGNOCAST_SUBSCRIPTION_INIT__node_handle),
		[ENDPOINT_RMW] = 0,
		[ENDPOINT_NAME] = word_of(source, AGNOCAST_SUBSCRIPTION_INIT__topic_name),
		[ENDPOINT_QUEUE_DEPTH] = 0,
	};

	define_subscription(source, handle, words);
	define_callback(source, callback, OWNER_SUBSCRIPTION, handle);
	define_symbol(source, callback, word_of(source, AGNOCAST_SUBSCRIPTION_INIT__symbol));
}

static void define_agnocast_timer(const struct source *source)
{
	uint64_t callback = word_of(source, AGNOCAST_TIMER_INIT__callback);

	define_reference(source, DEFINITION_TIMER, AGNOCAST_TIMER_INIT__timer_handle, AGNOCAST_TIMER_INIT__period);
	define_reference(source, DEFINITION_TIMER_NODE, AGNOCAST_TIMER_INIT__timer_handle,
			 AGNOCAST_TIMER_INIT__node_handle);
	define_callback(source, callback, OWNER_TIMER, word_of(source, AGNOCAST_TIMER_INIT__timer_handle));
	define_symbol(source, callback, word_of(source, AGNOCAST_TIMER_INIT__symbol));
}

static void define_subscription_callback(const struct source *source)
{
	uint64_t callback = word_of(source, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback);

	if (record_has(source->record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription)) {
		define_callback(source, callback, OWNER_SUBSCRIPTION_OBJECT,
				word_of(source, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription));
	} else {
		define_callback(source, callback, OWNER_SUBSCRIPTION,
				word_of(source, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription_handle));
	}
}

/* The words of a publisher, subscription, service or client of rcl. */
struct endpoint {
	uint64_t handle;
	uint64_t words[DEFINITION_WORDS_MAX];
};

_Static_assert((int)RCL_PUBLISHER_INIT__publisher_handle == (int)RCL_SUBSCRIPTION_INIT__subscription_handle &&
		       (int)RCL_PUBLISHER_INIT__publisher_handle == (int)RCL_SERVICE_INIT__service_handle &&
		       (int)RCL_PUBLISHER_INIT__publisher_handle == (int)RCL_CLIENT_INIT__client_handle &&
		       (int)RCL_PUBLISHER_INIT__topic_name == (int)RCL_SUBSCRIPTION_INIT__topic_name &&
		       (int)RCL_PUBLISHER_INIT__topic_name == (int)RCL_SERVICE_INIT__service_name &&
		       (int)RCL_PUBLISHER_INIT__topic_name == (int)RCL_CLIENT_INIT__service_name,
	       "the endpoints of rcl share their slots");

static struct endpoint endpoint_of(const struct source *source)
{
	return (struct endpoint){
		.handle = word_of(source, RCL_PUBLISHER_INIT__publisher_handle),
		.words = {
			[ENDPOINT_NODE] = word_of(source, RCL_PUBLISHER_INIT__node_handle),
			[ENDPOINT_RMW] = word_of(source, RCL_PUBLISHER_INIT__rmw_publisher_handle),
			[ENDPOINT_NAME] = word_of(source, RCL_PUBLISHER_INIT__topic_name),
			/* this slot is the init_timestamp in none of them, and not there in services and clients */
			[ENDPOINT_QUEUE_DEPTH] = word_of(source, RCL_PUBLISHER_INIT__queue_depth),
		},
	};
}

static void define_agnocast_publisher(const struct source *source)
{
	uint64_t words[] = {
		[ENDPOINT_NODE] = word_of(source, AGNOCAST_PUBLISHER_INIT__node_handle),
		[ENDPOINT_RMW] = 0,
		[ENDPOINT_NAME] = word_of(source, AGNOCAST_PUBLISHER_INIT__topic_name),
		[ENDPOINT_QUEUE_DEPTH] = word_of(source, AGNOCAST_PUBLISHER_INIT__queue_depth),
	};

	define_publisher(source, word_of(source, AGNOCAST_PUBLISHER_INIT__publisher_handle), words);
}

static void define_endpoint(const struct source *source)
{
	struct endpoint endpoint = endpoint_of(source);

	switch (source->record->kind) {
	case EVENT_RCL_PUBLISHER_INIT:
		define_publisher(source, endpoint.handle, endpoint.words);
		break;
	case EVENT_RCL_SUBSCRIPTION_INIT:
		define_subscription(source, endpoint.handle, endpoint.words);
		break;
	case EVENT_RCL_SERVICE_INIT:
		define_service(source, endpoint.handle, endpoint.words);
		break;
	default:
		define_client(source, endpoint.handle, endpoint.words);
		break;
	}
}

static void define_by_kind(const struct source *source)
{
	const struct event_record *record = source->record;

	switch (record->kind) {
	case EVENT_RCL_INIT:
		if (record_has(record, RCL_INIT__version) &&
		    version_links_no_timers(record_string(record, RCL_INIT__version))) {
			set_flag(source->model->links_no_timers, source->process);
		}
		break;
	case EVENT_RCL_NODE_INIT:
		define_node(source, RCL_NODE_INIT__node_name, RCL_NODE_INIT__namespace);
		break;
	case EVENT_RCL_PUBLISHER_INIT:
	case EVENT_RCL_SUBSCRIPTION_INIT:
	case EVENT_RCL_SERVICE_INIT:
	case EVENT_RCL_CLIENT_INIT:
		define_endpoint(source);
		break;
	case EVENT_RMW_CLIENT_INIT:
		define_reference(source, DEFINITION_CLIENT_GID, RMW_CLIENT_INIT__rmw_client_handle,
				 RMW_CLIENT_INIT__gid);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_INIT:
		define_reference(source, DEFINITION_SUBSCRIPTION_OBJECT, RCLCPP_SUBSCRIPTION_INIT__subscription,
				 RCLCPP_SUBSCRIPTION_INIT__subscription_handle);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED:
		define_subscription_callback(source);
		break;
	case EVENT_RCLCPP_SERVICE_CALLBACK_ADDED:
		define_callback(source, word_of(source, RCLCPP_SERVICE_CALLBACK_ADDED__callback), OWNER_SERVICE,
				word_of(source, RCLCPP_SERVICE_CALLBACK_ADDED__service_handle));
		break;
	case EVENT_RCL_TIMER_INIT:
		define_reference(source, DEFINITION_TIMER, RCL_TIMER_INIT__timer_handle, RCL_TIMER_INIT__period);
		break;
	case EVENT_RCLCPP_TIMER_CALLBACK_ADDED:
		define_callback(source, word_of(source, RCLCPP_TIMER_CALLBACK_ADDED__callback), OWNER_TIMER,
				word_of(source, RCLCPP_TIMER_CALLBACK_ADDED__timer_handle));
		break;
	case EVENT_RCLCPP_TIMER_LINK_NODE:
		define_reference(source, DEFINITION_TIMER_NODE, RCLCPP_TIMER_LINK_NODE__timer_handle,
				 RCLCPP_TIMER_LINK_NODE__node_handle);
		break;
	case EVENT_RCLCPP_CALLBACK_REGISTER:
		define_symbol(source, word_of(source, RCLCPP_CALLBACK_REGISTER__callback),
			      word_of(source, RCLCPP_CALLBACK_REGISTER__symbol));
		break;
	case EVENT_RCLCPP_BUFFER_TO_IPB:
		define_reference(source, DEFINITION_BUFFER, RCLCPP_BUFFER_TO_IPB__buffer, RCLCPP_BUFFER_TO_IPB__ipb);
		break;
	case EVENT_RCLCPP_IPB_TO_SUBSCRIPTION:
		define_reference(source, DEFINITION_INTRA_PROCESS_BUFFER, RCLCPP_IPB_TO_SUBSCRIPTION__ipb,
				 RCLCPP_IPB_TO_SUBSCRIPTION__subscription);
		break;
	case EVENT_CALLBACK_GROUP_ADD_TIMER:
		define_reference(source, DEFINITION_TIMER_GROUP, CALLBACK_GROUP_ADD_TIMER__timer_handle,
				 CALLBACK_GROUP_ADD_TIMER__callback_group_addr);
		define_group_member(source, DEFINITION_TIMER);
		break;
	case EVENT_CALLBACK_GROUP_ADD_SUBSCRIPTION:
		define_group_member(source, DEFINITION_SUBSCRIPTION);
		break;
	case EVENT_CALLBACK_GROUP_ADD_SERVICE:
		define_group_member(source, DEFINITION_SERVICE);
		break;
	case EVENT_CALLBACK_GROUP_ADD_CLIENT:
		define_group_member(source, DEFINITION_CLIENT);
		break;
	case EVENT_AGNOCAST_NODE_INIT:
		define_node(source, AGNOCAST_NODE_INIT__node_name, AGNOCAST_NODE_INIT__namespace);
		break;
	case EVENT_AGNOCAST_PUBLISHER_INIT:
		define_agnocast_publisher(source);
		break;
	case EVENT_AGNOCAST_SUBSCRIPTION_INIT:
		define_agnocast_subscription(source);
		break;
	case EVENT_AGNOCAST_TIMER_INIT:
		define_agnocast_timer(source);
		break;
	default:
		break;
	}
}

void object_model_feed(struct object_model *model, const struct event_record *record)
{
	struct source source = { .model = model, .record = record };

	if (record->kind >= EVENT_KIND_COUNT || event_class_of(record->kind) != EVENT_CLASS_INIT) {
		return;
	}
	source.process = recording_thread(model->recording, record->thread)->process;
	set_flag(model->has_definitions, source.process);
	define_by_kind(&source);
}

/* Look-ups by address, at the time of an event */

static struct recent_look_up *recent_of(struct object_model *model, uint32_t process, enum definition_kind kind,
					uint64_t address)
{
	uint64_t hash = (address ^ (uint64_t)process << 48 ^ (uint64_t)kind << 56) * UINT64_C(0x9E3779B97F4A7C15);

	return &model->recent[hash >> (64 - RECENT_LOOK_UPS_BITS)];
}

/* The object, or NULL if it is to be looked up in the store. */
static void *recent_object(struct object_model *model, uint32_t process, enum definition_kind kind, uint64_t address,
			   int64_t time_ns)
{
	const struct recent_look_up *recent = recent_of(model, process, kind, address);

	return recent->address == address && recent->process == process && recent->kind == kind &&
			       recent->version == model->version && recent->since_ns <= time_ns
		       ? recent->object
		       : NULL;
}

/* Only the newest definition holds at all times from its own on. */
static void remember(struct object_model *model, uint32_t process, enum definition_kind kind, uint64_t address,
		     const struct definition *definition)
{
	if (!definition->is_defined || definition != newest_of(model, process, kind, address)) {
		return;
	}
	*recent_of(model, process, kind, address) = (struct recent_look_up){
		.address = address,
		.since_ns = definition->since_ns,
		.object = definition->object,
		.version = model->version,
		.process = process,
		.kind = kind,
	};
}

/* The definition that holds at a time, else an undefined one that is used now. */
static struct definition *use(struct object_model *model, uint32_t process, enum definition_kind kind, uint64_t address,
			      int64_t time_ns)
{
	struct definition *definition = definition_at(newest_of(model, process, kind, address), time_ns);

	if (!definition) {
		definition = definitions_add_undefined(model->definitions, process, kind, address);
	}
	if (!definition->is_defined) {
		definition->last_use_ns = MAX(definition->last_use_ns, time_ns);
	}
	return definition;
}

struct model_callback *object_model_callback(struct object_model *model, uint32_t process, uint64_t address,
					     int64_t time_ns)
{
	struct callback_object *callback = recent_object(model, process, DEFINITION_CALLBACK, address, time_ns);
	struct definition *definition;

	if (G_LIKELY(callback != NULL)) {
		return &callback->public;
	}
	definition = use(model, process, DEFINITION_CALLBACK, address, time_ns);
	if (!definition->object) {
		set_undefined_callback(model, process, address, time_ns, definition);
	}
	remember(model, process, DEFINITION_CALLBACK, address, definition);
	callback = definition->object;
	return &callback->public;
}

struct model_publisher *object_model_publisher(struct object_model *model, uint32_t process, uint64_t handle,
					       int64_t time_ns)
{
	struct model_publisher *publisher = recent_object(model, process, DEFINITION_PUBLISHER, handle, time_ns);
	struct definition *definition;

	if (G_LIKELY(publisher != NULL)) {
		return publisher;
	}
	definition = use(model, process, DEFINITION_PUBLISHER, handle, time_ns);
	if (!definition->object) {
		publisher = add_publisher(model, process);
		publisher->handle = handle;
		publisher->since_ns = time_ns;
		definition->object = publisher;
	}
	remember(model, process, DEFINITION_PUBLISHER, handle, definition);
	return definition->object;
}

struct model_subscription *object_model_subscription_by_rmw(struct object_model *model, uint32_t process,
							    uint64_t rmw_handle, int64_t time_ns)
{
	struct model_subscription *subscription =
		recent_object(model, process, DEFINITION_SUBSCRIPTION_BY_RMW, rmw_handle, time_ns);
	struct definition *definition;

	if (G_LIKELY(subscription != NULL)) {
		return subscription;
	}
	definition = use(model, process, DEFINITION_SUBSCRIPTION_BY_RMW, rmw_handle, time_ns);
	if (!definition->object) {
		subscription = add_subscription(model, process);
		subscription->rmw_handle = rmw_handle;
		subscription->since_ns = time_ns;
		definition->object = subscription;
	}
	remember(model, process, DEFINITION_SUBSCRIPTION_BY_RMW, rmw_handle, definition);
	return definition->object;
}

static void *find_defined(const struct object_model *model, uint32_t process, enum definition_kind kind,
			  uint64_t address, int64_t time_ns)
{
	const struct definition *definition = definition_at(newest_of(model, process, kind, address), time_ns);

	return definition && definition->is_defined ? definition->object : NULL;
}

struct model_publisher *object_model_find_publisher_by_rmw(struct object_model *model, uint32_t process,
							   uint64_t rmw_handle, int64_t time_ns)
{
	return find_defined(model, process, DEFINITION_PUBLISHER_BY_RMW, rmw_handle, time_ns);
}

struct model_service *object_model_find_service_by_rmw(struct object_model *model, uint32_t process,
						       uint64_t rmw_handle, int64_t time_ns)
{
	return find_defined(model, process, DEFINITION_SERVICE_BY_RMW, rmw_handle, time_ns);
}

struct model_client *object_model_find_client_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						     int64_t time_ns)
{
	struct model_client *client = find_defined(model, process, DEFINITION_CLIENT_BY_RMW, rmw_handle, time_ns);

	if (client && !client->gid) {
		/* rmw_client_init comes before rcl_client_init */
		const struct definition *gid =
			definition_at(newest_of(model, process, DEFINITION_CLIENT_GID, rmw_handle), client->since_ns);

		client->gid = gid ? (const char *)(uintptr_t)gid->word[REFERENCE] : NULL;
	}
	return client;
}

/* References, resolved as of the time of the definition they are in */

static const struct definition *resolve(const struct object_model *model, uint32_t process, enum definition_kind kind,
					uint64_t address, int64_t time_ns)
{
	return definition_at_or_from(newest_of(model, process, kind, address), time_ns);
}

/* The same for what may come before or after what refers to it. */
static const struct definition *resolve_nearest(const struct object_model *model, uint32_t process,
						enum definition_kind kind, uint64_t address, int64_t time_ns)
{
	return definition_nearest(newest_of(model, process, kind, address), time_ns);
}

static const char *text_of(const struct definition *definition, unsigned int word)
{
	return definition ? (const char *)(uintptr_t)definition->word[word] : NULL;
}

const char *object_model_node_name(const struct object_model *model, uint32_t process, uint64_t node_handle,
				   int64_t time_ns)
{
	return text_of(resolve(model, process, DEFINITION_NODE, node_handle, time_ns), NODE_NAME);
}

const char *object_model_publisher_node(const struct object_model *model, const struct model_publisher *publisher)
{
	if (!publisher->is_defined) {
		return NULL;
	}
	if (g_strcmp0(publisher->topic, "/rosout") == 0) {
		/* made by rcl_node_init() itself up to jazzy */
		return text_of(resolve_nearest(model, publisher->process, DEFINITION_NODE, publisher->node_handle,
					       publisher->since_ns),
			       NODE_NAME);
	}
	return object_model_node_name(model, publisher->process, publisher->node_handle, publisher->since_ns);
}

const char *object_model_subscription_node(const struct object_model *model,
					   const struct model_subscription *subscription)
{
	return subscription->is_defined ? object_model_node_name(model, subscription->process,
								 subscription->node_handle, subscription->since_ns)
					: NULL;
}

static struct model_subscription *resolve_buffer(const struct object_model *model, uint32_t process,
						 const struct definition *buffer)
{
	/* rclcpp_buffer_to_ipb, rclcpp_ipb_to_subscription, rclcpp_subscription_init follow one another */
	const struct definition *intra_process_buffer = definition_nearest(
		newest_of(model, process, DEFINITION_INTRA_PROCESS_BUFFER, buffer->word[REFERENCE]), buffer->since_ns);
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
	struct definition *definition = definition_at(newest_of(model, process, DEFINITION_BUFFER, buffer), time_ns);
	struct buffer_object *answer;

	if (!definition) {
		return NULL;
	}
	if (!definition->object) {
		definition->object = g_new0(struct buffer_object, 1);
		g_ptr_array_add(model->buffers, definition->object);
	}
	answer = definition->object;
	if (answer->version != model->version) {
		answer->version = model->version;
		answer->subscription = resolve_buffer(model, process, definition);
	}
	return answer->subscription;
}

/* What is known of a callback */

/*
 * rclcpp_callback_register follows the event that adds the callback to its owner: of an address that is used again the
 * first symbol from a definition on, up to the next one.
 */
static const char *symbol_of(const struct object_model *model, const struct callback_object *callback)
{
	const struct definition *definition = callback->definition;
	struct definition *newest =
		newest_of(model, callback->public.process, DEFINITION_SYMBOL, callback->public.address);
	int64_t until_ns = definition_until_ns(
		newest_of(model, callback->public.process, DEFINITION_CALLBACK, callback->public.address), definition);
	const struct definition *symbol = definition->is_defined
						  ? definition_from(newest, definition->since_ns)
						  : definition_at_or_from(newest, definition->last_use_ns);

	return symbol && symbol->since_ns < until_ns ? text_of(symbol, REFERENCE) : NULL;
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
		/* the intra-process part gets its callback in its constructor, the subscription after its own */
		info->is_intra_process = object->since_ns > time_ns;
		resolve_subscription(model, process, object->word[REFERENCE], object->since_ns, info);
	}
}

static void resolve_service(const struct object_model *model, uint32_t process, uint64_t handle, int64_t time_ns,
			    struct model_callback_info *info)
{
	const struct definition *service = resolve(model, process, DEFINITION_SERVICE, handle, time_ns);

	if (service) {
		info->service = service->object;
		info->node = object_model_node_name(model, process, service->word[ENDPOINT_NODE], service->since_ns);
	}
}

/* A callback group belongs to one node: that of its members, if those that tell their node agree. */
static const char *node_of_group(const struct object_model *model, uint32_t process, uint64_t group)
{
	const char *node = NULL;

	for (const struct definition *member = newest_of(model, process, DEFINITION_GROUP_MEMBER, group); member;
	     member = member->older) {
		const struct definition *endpoint;
		const char *node_of_member;

		if (member->word[MEMBER_KIND] == DEFINITION_TIMER) {
			continue;
		}
		endpoint = definition_at(newest_of(model, process, (enum definition_kind)member->word[MEMBER_KIND],
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

/* The one node that a process has, where timers are not linked to nodes in this release. */
static const char *only_node(const struct object_model *model, uint32_t process)
{
	return get_flag(model->links_no_timers, process)
		       ? text_of(definitions_only(model->definitions, process, DEFINITION_NODE), NODE_NAME)
		       : NULL;
}

/* The time from which on a timer's other definitions count, and the time at which the next timer takes its address. */
static const char *node_of_timer(const struct object_model *model, uint32_t process, uint64_t handle, int64_t since_ns,
				 int64_t until_ns)
{
	const struct definition *link =
		definition_from(newest_of(model, process, DEFINITION_TIMER_NODE, handle), since_ns);
	const struct definition *group;
	const char *node = NULL;

	if (link && link->since_ns < until_ns) {
		return object_model_node_name(model, process, link->word[REFERENCE], link->since_ns);
	}
	group = definition_from(newest_of(model, process, DEFINITION_TIMER_GROUP, handle), since_ns);
	if (group && group->since_ns < until_ns) {
		node = node_of_group(model, process, group->word[REFERENCE]);
	}
	return node ? node : only_node(model, process);
}

static void resolve_timer(const struct object_model *model, uint32_t process, uint64_t handle, int64_t time_ns,
			  struct model_callback_info *info)
{
	struct definition *newest = newest_of(model, process, DEFINITION_TIMER, handle);
	const struct definition *timer = definition_at_or_from(newest, time_ns);

	info->timer_handle = handle;
	if (!timer) {
		info->node = node_of_timer(model, process, handle, time_ns, INT64_MAX);
		return;
	}
	info->has_period = true;
	info->period_ns = (int64_t)timer->word[TIMER_PERIOD];
	info->node = node_of_timer(model, process, handle, timer->since_ns, definition_until_ns(newest, timer));
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
		resolve_service(model, process, owner, definition->since_ns, info);
		break;
	}
}

const struct model_callback_info *object_model_callback_info(struct object_model *model,
							     struct model_callback *callback)
{
	struct callback_object *object = (struct callback_object *)callback;

	if (object->info_version != model->version) {
		object->info_version = model->version;
		resolve_callback(model, object, &object->info);
	}
	return &object->info;
}

/* Enumeration */

size_t object_model_callback_count(const struct object_model *model)
{
	return model->callbacks->len;
}

struct model_callback *object_model_callback_at(const struct object_model *model, size_t index)
{
	return &((struct callback_object *)model->callbacks->pdata[index])->public;
}

size_t object_model_publisher_count(const struct object_model *model)
{
	return model->publishers->len;
}

size_t object_model_subscription_count(const struct object_model *model)
{
	return model->subscriptions->len;
}

struct model_subscription *object_model_subscription_at(const struct object_model *model, size_t index)
{
	return model->subscriptions->pdata[index];
}
