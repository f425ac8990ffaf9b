/* SPDX-License-Identifier: MIT */
/*
 * object_model_feed(): from initialization events to definitions and objects. The table at the end of the file has a
 * row for each event, which lists what the event defines.
 */
#include <stdlib.h>
#include <string.h>

#include "core/model/object_store.h"
#include "core/model/without_rclcpp.h"

#define RULES_MAX 5	/* of one event */
#define VERSIONS_MAX 16 /* further ones are not told */

struct source;

/* One definition that an event makes. */
struct rule {
	void (*define)(const struct source *source, const struct rule *rule);
	unsigned int kind; /* enum model_kind, definition_kind or callback_owner, depending on `define` */
	uint8_t slots[1 + DEFINITION_WORDS_MAX]; /* of the record: the address, then the words of the definition */
	uint8_t slot_count;
};

/* The INIT event being processed. */
struct source {
	struct object_model *model;
	const struct event_record *record;
	uint32_t process;
};

static bool has_slot(const struct source *source, uint8_t slot)
{
	return slot != SKIP && record_has(source->record, slot);
}

static uint64_t word_of(const struct source *source, uint8_t slot)
{
	return has_slot(source, slot) ? source->record->word[slot] : 0;
}

/* Whether the record has the address and the first word; without both there is nothing to define. */
static bool is_complete(const struct source *source, const struct rule *rule)
{
	return has_slot(source, rule->slots[0]) && has_slot(source, rule->slots[1]);
}

static struct definition *add(const struct source *source, enum definition_kind kind, uint64_t address,
			      const uint64_t *words)
{
	return model_define(source->model, source->process, kind, address, source->record, words);
}

/* --- objects --- */

static void complete(struct model_object *object, enum model_kind kind, uint64_t handle, struct definition *definition)
{
	object->handle = handle;
	object->since_ns = definition->since_ns;
	object->is_defined = true;
	model_kinds[kind].complete(object, definition);
}

/*
 * The definition of an endpoint by the middleware's handle; NULL if there is no such handle or nothing is new. It
 * refers to the object that has the rcl handle, unless an object was looked up by the middleware's handle before.
 */
static struct definition *add_by_rmw(const struct source *source, enum model_kind kind,
				     const struct definition *endpoint)
{
	enum definition_kind by_rmw = model_kinds[kind].by_rmw;
	uint64_t word = (uint64_t)(uintptr_t)endpoint;

	return by_rmw != DEFINITION_KIND_COUNT && endpoint->word[ENDPOINT_RMW] != 0
		       ? add(source, by_rmw, endpoint->word[ENDPOINT_RMW], &word)
		       : NULL;
}

static void add_object(const struct source *source, enum model_kind kind, uint64_t handle, const uint64_t *words)
{
	struct definition *definition = add(source, model_kinds[kind].definition, handle, words);
	struct definition *by_rmw;

	if (!definition) {
		return;
	}
	by_rmw = add_by_rmw(source, kind, definition);
	if (!definition->object) {
		definition->object = by_rmw && by_rmw->object ? by_rmw->object
							      : model_add_object(source->model, kind, source->process);
	}
	if (by_rmw && !by_rmw->object) {
		by_rmw->object = definition->object;
	}
	complete(definition->object, kind, handle, definition);
	if (by_rmw && by_rmw->object != definition->object) {
		complete(by_rmw->object, kind, handle, definition);
	}
}

/* What is in the slots behind the address; false if there is nothing to define. */
static bool read_words(const struct source *source, const struct rule *rule, uint64_t words[DEFINITION_WORDS_MAX])
{
	for (uint8_t i = 1; i < rule->slot_count; i++) {
		words[i - 1] = word_of(source, rule->slots[i]);
	}
	return is_complete(source, rule);
}

static void define_object(const struct source *source, const struct rule *rule)
{
	uint64_t words[DEFINITION_WORDS_MAX] = { 0 };

	if (read_words(source, rule, words)) {
		add_object(source, rule->kind, word_of(source, rule->slots[0]), words);
	}
}

static uint64_t intern(const struct source *source, const char *text, size_t length)
{
	struct string_pool *pool = recording_pool(source->model->recording);
	g_autofree char *copy = g_strndup(text, length);

	return (uint64_t)(uintptr_t)string_pool_intern(pool, copy);
}

/* Slots: handle, name, namespace. */
static void define_node(const struct source *source, const struct rule *rule)
{
	const char *name = record_string(source->record, rule->slots[1]);
	const char *namespace = record_string(source->record, rule->slots[2]);
	g_autofree char *full_name = NULL;
	bool needs_separator;
	uint64_t word;

	if (!name || !is_complete(source, rule)) {
		return;
	}
	namespace = namespace ? namespace : "";
	needs_separator = namespace[0] != '\0' && !g_str_has_suffix(namespace, "/");
	full_name = g_strconcat(namespace[0] == '/' ? "" : "/", namespace, needs_separator ? "/" : "", name, NULL);
	word = intern(source, full_name, strlen(full_name));
	add_object(source, MODEL_NODE, word_of(source, rule->slots[0]), &word);
}

/* Slots: those of an endpoint. The service or client of send_goal is created first of all endpoints of an action. */
static void define_action(const struct source *source, const struct rule *rule)
{
	const char *name = record_string(source->record, rule->slots[1 + ENDPOINT_NAME]);
	size_t length;

	if (name && action_part_of(name, &length) == ACTION_PART_SEND_GOAL) {
		uint64_t words[] = {
			[ACTION_NODE] = word_of(source, rule->slots[1 + ENDPOINT_NODE]),
			[ACTION_NAME] = intern(source, name, length),
			[ACTION_IS_SERVER] = rule->kind == MODEL_SERVICE,
		};

		add_object(source, MODEL_ACTION, word_of(source, rule->slots[0]), words);
	}
}

/* Slots: callback, owner. */
static void define_callback(const struct source *source, const struct rule *rule)
{
	uint64_t words[] = {
		[CALLBACK_OWNER] = rule->kind,
		[CALLBACK_OWNER_ADDRESS] = word_of(source, rule->slots[1]),
	};

	add_object(source, MODEL_CALLBACK, word_of(source, rule->slots[0]), words);
}

/* Slots: callback, rclcpp object, rcl handle (instead of the rclcpp object in early Dashing). */
static void define_subscription_callback(const struct source *source, const struct rule *rule)
{
	bool has_object = has_slot(source, rule->slots[1]);

	define_callback(source, &(struct rule){
					.kind = has_object ? OWNER_SUBSCRIPTION_OBJECT : OWNER_SUBSCRIPTION,
					.slots = { rule->slots[0], rule->slots[has_object ? 1 : 2] },
				});
}

/* --- references --- */

static void define_reference(const struct source *source, const struct rule *rule)
{
	uint64_t words[DEFINITION_WORDS_MAX] = { 0 };

	if (read_words(source, rule, words)) {
		add(source, rule->kind, word_of(source, rule->slots[0]), words);
	}
}

/* A symbol at an address without a callback adds a callback of which only the symbol is known. */
static void define_symbol(const struct source *source, const struct rule *rule)
{
	struct object_model *model = source->model;
	uint64_t address = word_of(source, rule->slots[0]);
	uint64_t symbol = word_of(source, rule->slots[1]);

	if (add(source, DEFINITION_SYMBOL, address, &symbol) &&
	    !model_newest(model, source->process, DEFINITION_CALLBACK, address)) {
		model_add_undefined(
			model, MODEL_CALLBACK, DEFINITION_CALLBACK, source->process, address,
			record_since_ns(source->record),
			definitions_add_undefined(model->definitions, source->process, DEFINITION_CALLBACK, address));
	}
}

/* Slots: state machine or node. */
static void note_created(const struct source *source, const struct rule *rule)
{
	const struct model_object *created =
		object_model_find(source->model, rule->kind, source->process, word_of(source, rule->slots[0]),
				  record_since_ns(source->record));

	lifecycle_services_created(&source->model->lifecycle, source->record->thread,
				   rule->kind == MODEL_STATE_MACHINE ? (const struct model_state_machine *)created
								     : NULL);
}

/* Slots: callback, symbol. */
static void define_callback_service(const struct source *source, const struct rule *rule)
{
	struct lifecycle_callback told[2];
	size_t count = lifecycle_services_of_callback(&source->model->lifecycle, source->model->objects[MODEL_SERVICE],
						      source->record->thread, word_of(source, rule->slots[0]),
						      record_string(source->record, rule->slots[1]), told);

	for (size_t i = 0; i < count; i++) {
		add(source, DEFINITION_CALLBACK_SERVICE, told[i].callback, &told[i].service);
	}
}

/* Slots: the id that stands for the callback's address, owner, symbol. Subscriptions without a callback have id 0. */
static void define_agnocast_callback(const struct source *source, const struct rule *rule)
{
	if (word_of(source, rule->slots[0]) != 0) {
		define_callback(source, rule);
		define_symbol(source, &(struct rule){ .slots = { rule->slots[0], rule->slots[2] } });
	}
}

/* Slots: group, member. */
static void define_group_member(const struct source *source, const struct rule *rule)
{
	uint64_t words[] = { [MEMBER_KIND] = rule->kind, [MEMBER_HANDLE] = word_of(source, rule->slots[1]) };

	add(source, DEFINITION_GROUP_MEMBER, word_of(source, rule->slots[0]), words);
}

/* tracetools before 2.1.0 has no rclcpp_timer_link_node. */
static bool version_lacks_timer_links(const char *version)
{
	char *rest;
	unsigned long major = strtoul(version, &rest, 10);

	return rest != version && *rest == '.' && (major < 2 || (major == 2 && strtoul(rest + 1, NULL, 10) < 1));
}

/* Slots: version. */
static void define_context(const struct source *source, const struct rule *rule)
{
	const char *version = record_string(source->record, rule->slots[0]);
	GPtrArray *versions = source->model->versions;

	if (!version || version[0] == '\0') {
		return;
	}
	if (version_lacks_timer_links(version)) {
		model_set_flag(source->model->lacks_timer_links, source->process);
		model_note_change(source->model, source->process);
	}
	if (versions->len < VERSIONS_MAX && !g_ptr_array_find(versions, version, NULL)) {
		g_ptr_array_add(versions, (gpointer)version);
	}
}

/* --- nodes without rclcpp --- */

/* Slots: rcl handle. */
static void note_subscription(const struct source *source, const struct rule *rule)
{
	model_note_subscription(source->model, source->process, word_of(source, rule->slots[0]));
}

/* Slots: rcl handle, rclcpp object. */
static void define_rclcpp_part(const struct source *source, const struct rule *rule)
{
	uint64_t object = word_of(source, rule->slots[1]);

	if (is_complete(source, rule) &&
	    add(source, DEFINITION_SUBSCRIPTION_PART, word_of(source, rule->slots[0]), &object)) {
		note_subscription(source, rule);
	}
}

static void note_service(const struct source *source, const struct rule *rule)
{
	model_note_service(source->model, source->process);
}

static void note_rclcpp(const struct source *source, const struct rule *rule)
{
	model_note_rclcpp(source->model, source->process);
}

/* Slots: handle, period. Timers that only wait are not defined: there may be millions of them. */
static void define_timer(const struct source *source, const struct rule *rule)
{
	struct object_model *model = source->model;
	uint64_t handle = word_of(source, rule->slots[0]);
	int64_t period_ns = (int64_t)word_of(source, rule->slots[1]);
	size_t count = object_model_timer_count(model);
	bool is_at_old_address = model_newest(model, source->process, DEFINITION_TIMER, handle) != NULL;

	if (!object_model_is_wait_period(model, source->process, period_ns)) {
		define_object(source, rule);
		if (object_model_timer_count(model) > count) {
			model_note_timer(model, source->process, period_ns, is_at_old_address);
		}
	}
}

/* --- the table --- */

#define RULE(define, kind, ...)                                                                                        \
	{                                                                                                              \
		define, kind, { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })                                      \
	}

static const struct rule rules[EVENT_KIND_COUNT][RULES_MAX] = {
	[EVENT_RCL_INIT] = { RULE(define_context, 0, RCL_INIT__version) },
	[EVENT_RCL_NODE_INIT] = { RULE(define_node, MODEL_NODE, RCL_NODE_INIT__node_handle, RCL_NODE_INIT__node_name,
				       RCL_NODE_INIT__namespace),
				  RULE(note_created, MODEL_NODE, RCL_NODE_INIT__node_handle) },
	[EVENT_RCL_PUBLISHER_INIT] = { RULE(define_object, MODEL_PUBLISHER, RCL_PUBLISHER_INIT__publisher_handle,
					    RCL_PUBLISHER_INIT__node_handle, RCL_PUBLISHER_INIT__rmw_publisher_handle,
					    RCL_PUBLISHER_INIT__topic_name, RCL_PUBLISHER_INIT__queue_depth) },
	[EVENT_RCL_SUBSCRIPTION_INIT] = { RULE(define_object, MODEL_SUBSCRIPTION,
					       RCL_SUBSCRIPTION_INIT__subscription_handle,
					       RCL_SUBSCRIPTION_INIT__node_handle,
					       RCL_SUBSCRIPTION_INIT__rmw_subscription_handle,
					       RCL_SUBSCRIPTION_INIT__topic_name, RCL_SUBSCRIPTION_INIT__queue_depth),
					  RULE(note_subscription, 0, RCL_SUBSCRIPTION_INIT__subscription_handle) },
#define SERVICE_SLOTS                                                                                                  \
	RCL_SERVICE_INIT__service_handle, RCL_SERVICE_INIT__node_handle, RCL_SERVICE_INIT__rmw_service_handle,         \
		RCL_SERVICE_INIT__service_name
	[EVENT_RCL_SERVICE_INIT] = { RULE(define_object, MODEL_SERVICE, SERVICE_SLOTS),
				     RULE(define_action, MODEL_SERVICE, SERVICE_SLOTS),
				     RULE(note_service, 0, RCL_SERVICE_INIT__service_handle) },
#define CLIENT_SLOTS                                                                                                   \
	RCL_CLIENT_INIT__client_handle, RCL_CLIENT_INIT__node_handle, RCL_CLIENT_INIT__rmw_client_handle,              \
		RCL_CLIENT_INIT__service_name
	[EVENT_RCL_CLIENT_INIT] = { RULE(define_object, MODEL_CLIENT, CLIENT_SLOTS),
				    RULE(define_action, MODEL_CLIENT, CLIENT_SLOTS) },
	[EVENT_RMW_CLIENT_INIT] = { RULE(define_reference, DEFINITION_CLIENT_GID, RMW_CLIENT_INIT__rmw_client_handle,
					 RMW_CLIENT_INIT__gid) },
	[EVENT_RCLCPP_SUBSCRIPTION_INIT] = { RULE(define_reference, DEFINITION_SUBSCRIPTION_OBJECT,
						  RCLCPP_SUBSCRIPTION_INIT__subscription,
						  RCLCPP_SUBSCRIPTION_INIT__subscription_handle),
					     RULE(define_rclcpp_part, 0, RCLCPP_SUBSCRIPTION_INIT__subscription_handle,
						  RCLCPP_SUBSCRIPTION_INIT__subscription),
					     RULE(note_rclcpp, 0, RCLCPP_SUBSCRIPTION_INIT__subscription) },
	[EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED] = { RULE(define_subscription_callback, 0,
							    RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback,
							    RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription,
							    RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription_handle) },
	[EVENT_RCLCPP_SERVICE_CALLBACK_ADDED] = { RULE(define_callback, OWNER_SERVICE,
						       RCLCPP_SERVICE_CALLBACK_ADDED__callback,
						       RCLCPP_SERVICE_CALLBACK_ADDED__service_handle),
						  RULE(note_rclcpp, 0, RCLCPP_SERVICE_CALLBACK_ADDED__callback) },
	[EVENT_RCL_TIMER_INIT] = { RULE(define_timer, MODEL_TIMER, RCL_TIMER_INIT__timer_handle,
					RCL_TIMER_INIT__period) },
	[EVENT_RCLCPP_TIMER_CALLBACK_ADDED] = { RULE(define_callback, OWNER_TIMER,
						     RCLCPP_TIMER_CALLBACK_ADDED__callback,
						     RCLCPP_TIMER_CALLBACK_ADDED__timer_handle),
						RULE(define_reference, DEFINITION_TIMER_CALLBACK,
						     RCLCPP_TIMER_CALLBACK_ADDED__timer_handle,
						     RCLCPP_TIMER_CALLBACK_ADDED__callback),
						RULE(note_rclcpp, 0, RCLCPP_TIMER_CALLBACK_ADDED__callback) },
	[EVENT_RCLCPP_TIMER_LINK_NODE] = { RULE(define_reference, DEFINITION_TIMER_NODE,
						RCLCPP_TIMER_LINK_NODE__timer_handle,
						RCLCPP_TIMER_LINK_NODE__node_handle) },
	[EVENT_RCLCPP_CALLBACK_REGISTER] = { RULE(define_symbol, 0, RCLCPP_CALLBACK_REGISTER__callback,
						  RCLCPP_CALLBACK_REGISTER__symbol),
					     RULE(define_callback_service, 0, RCLCPP_CALLBACK_REGISTER__callback,
						  RCLCPP_CALLBACK_REGISTER__symbol) },
	[EVENT_RCL_LIFECYCLE_STATE_MACHINE_INIT] = { RULE(define_object, MODEL_STATE_MACHINE,
							  RCL_LIFECYCLE_STATE_MACHINE_INIT__state_machine,
							  RCL_LIFECYCLE_STATE_MACHINE_INIT__node_handle),
						     RULE(note_created, MODEL_STATE_MACHINE,
							  RCL_LIFECYCLE_STATE_MACHINE_INIT__state_machine) },
	[EVENT_RCLCPP_BUFFER_TO_IPB] = { RULE(define_reference, DEFINITION_BUFFER, RCLCPP_BUFFER_TO_IPB__buffer,
					      RCLCPP_BUFFER_TO_IPB__ipb) },
	[EVENT_RCLCPP_IPB_TO_SUBSCRIPTION] = { RULE(define_reference, DEFINITION_INTRA_PROCESS_BUFFER,
						    RCLCPP_IPB_TO_SUBSCRIPTION__ipb,
						    RCLCPP_IPB_TO_SUBSCRIPTION__subscription) },

	/* CARET: callback groups and executors */
	[EVENT_CALLBACK_GROUP_ADD_TIMER] = { RULE(define_reference, DEFINITION_TIMER_GROUP,
						  CALLBACK_GROUP_ADD_TIMER__timer_handle,
						  CALLBACK_GROUP_ADD_TIMER__callback_group_addr),
					     RULE(define_group_member, DEFINITION_TIMER,
						  CALLBACK_GROUP_ADD_TIMER__callback_group_addr,
						  CALLBACK_GROUP_ADD_TIMER__timer_handle) },
	[EVENT_CALLBACK_GROUP_ADD_SUBSCRIPTION] = { RULE(define_reference, DEFINITION_SUBSCRIPTION_GROUP,
							 CALLBACK_GROUP_ADD_SUBSCRIPTION__subscription_handle,
							 CALLBACK_GROUP_ADD_SUBSCRIPTION__callback_group_addr),
						    RULE(define_group_member, DEFINITION_SUBSCRIPTION,
							 CALLBACK_GROUP_ADD_SUBSCRIPTION__callback_group_addr,
							 CALLBACK_GROUP_ADD_SUBSCRIPTION__subscription_handle) },
	[EVENT_CALLBACK_GROUP_ADD_SERVICE] = { RULE(define_reference, DEFINITION_SERVICE_GROUP,
						    CALLBACK_GROUP_ADD_SERVICE__service_handle,
						    CALLBACK_GROUP_ADD_SERVICE__callback_group_addr),
					       RULE(define_group_member, DEFINITION_SERVICE,
						    CALLBACK_GROUP_ADD_SERVICE__callback_group_addr,
						    CALLBACK_GROUP_ADD_SERVICE__service_handle) },
	[EVENT_CALLBACK_GROUP_ADD_CLIENT] = { RULE(define_group_member, DEFINITION_CLIENT,
						   CALLBACK_GROUP_ADD_CLIENT__callback_group_addr,
						   CALLBACK_GROUP_ADD_CLIENT__client_handle) },
	[EVENT_CONSTRUCT_EXECUTOR] = { RULE(define_object, MODEL_EXECUTOR, CONSTRUCT_EXECUTOR__executor_addr,
					    CONSTRUCT_EXECUTOR__executor_type_name) },
	[EVENT_CONSTRUCT_STATIC_EXECUTOR] = { RULE(define_object, MODEL_EXECUTOR,
						   CONSTRUCT_STATIC_EXECUTOR__executor_addr,
						   CONSTRUCT_STATIC_EXECUTOR__executor_type_name),
					      RULE(define_reference, DEFINITION_COLLECTOR_EXECUTOR,
						   CONSTRUCT_STATIC_EXECUTOR__entities_collector_addr,
						   CONSTRUCT_STATIC_EXECUTOR__executor_addr) },
	[EVENT_ADD_CALLBACK_GROUP] = { RULE(define_reference, DEFINITION_GROUP_EXECUTOR,
					    ADD_CALLBACK_GROUP__callback_group_addr, ADD_CALLBACK_GROUP__executor_addr,
					    ADD_CALLBACK_GROUP__group_type_name) },
	[EVENT_ADD_CALLBACK_GROUP_STATIC_EXECUTOR] = { RULE(define_reference, DEFINITION_GROUP_COLLECTOR,
							    ADD_CALLBACK_GROUP_STATIC_EXECUTOR__callback_group_addr,
							    ADD_CALLBACK_GROUP_STATIC_EXECUTOR__entities_collector_addr,
							    ADD_CALLBACK_GROUP_STATIC_EXECUTOR__group_type_name) },
	[EVENT_CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR] = { RULE(
		define_reference, DEFINITION_GROUP_COLLECTOR,
		CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR__callback_group_addr,
		CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR__entities_collector_addr,
		CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR__group_type_name) },
	[EVENT_EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR] = { RULE(
		define_reference, DEFINITION_COLLECTOR_EXECUTOR,
		EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR__entities_collector_addr,
		EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR__executor_addr) },

	/* Agnocast: its endpoints have no rmw handle, and one event defines a callback and its owner */
	[EVENT_AGNOCAST_NODE_INIT] = { RULE(define_node, MODEL_NODE, AGNOCAST_NODE_INIT__node_handle,
					    AGNOCAST_NODE_INIT__node_name, AGNOCAST_NODE_INIT__namespace) },
	[EVENT_AGNOCAST_PUBLISHER_INIT] = { RULE(
		define_object, MODEL_PUBLISHER, AGNOCAST_PUBLISHER_INIT__publisher_handle,
		AGNOCAST_PUBLISHER_INIT__node_handle, SKIP, AGNOCAST_PUBLISHER_INIT__topic_name,
		AGNOCAST_PUBLISHER_INIT__queue_depth) },
	[EVENT_AGNOCAST_SUBSCRIPTION_INIT] = { RULE(define_object, MODEL_SUBSCRIPTION,
						    AGNOCAST_SUBSCRIPTION_INIT__subscription_handle,
						    AGNOCAST_SUBSCRIPTION_INIT__node_handle, SKIP,
						    AGNOCAST_SUBSCRIPTION_INIT__topic_name),
					       RULE(define_agnocast_callback, OWNER_SUBSCRIPTION,
						    AGNOCAST_SUBSCRIPTION_INIT__pid_callback_info_id,
						    AGNOCAST_SUBSCRIPTION_INIT__subscription_handle,
						    AGNOCAST_SUBSCRIPTION_INIT__symbol) },
	[EVENT_AGNOCAST_TIMER_INIT] = { RULE(define_object, MODEL_TIMER, AGNOCAST_TIMER_INIT__timer_handle,
					     AGNOCAST_TIMER_INIT__period),
					RULE(define_reference, DEFINITION_TIMER_NODE, AGNOCAST_TIMER_INIT__timer_handle,
					     AGNOCAST_TIMER_INIT__node_handle),
					RULE(define_reference, DEFINITION_TIMER_CALLBACK,
					     AGNOCAST_TIMER_INIT__timer_handle, AGNOCAST_TIMER_INIT__callback),
					RULE(define_callback, OWNER_TIMER, AGNOCAST_TIMER_INIT__callback,
					     AGNOCAST_TIMER_INIT__timer_handle),
					RULE(define_symbol, 0, AGNOCAST_TIMER_INIT__callback,
					     AGNOCAST_TIMER_INIT__symbol) },
	[EVENT_AGNOCAST_CONSTRUCT_EXECUTOR] = { RULE(define_object, MODEL_EXECUTOR,
						     AGNOCAST_CONSTRUCT_EXECUTOR__executor_addr,
						     AGNOCAST_CONSTRUCT_EXECUTOR__executor_type_name) },
	[EVENT_AGNOCAST_ADD_CALLBACK_GROUP] = { RULE(
		define_reference, DEFINITION_GROUP_EXECUTOR, AGNOCAST_ADD_CALLBACK_GROUP__callback_group_addr,
		AGNOCAST_ADD_CALLBACK_GROUP__executor_addr, AGNOCAST_ADD_CALLBACK_GROUP__group_type_name) },
};

void object_model_feed(struct object_model *model, const struct event_record *record)
{
	struct source source = { .model = model, .record = record };

	if (record->kind >= EVENT_KIND_COUNT || event_class_of(record->kind) != EVENT_CLASS_INIT) {
		return;
	}
	source.process = recording_thread(model->recording, record->thread)->process;
	model_set_flag(model->has_definitions, source.process);
	if (record->flags & RECORD_FROM_CARET) {
		model_note_caret(model, source.process);
	}
	for (size_t i = 0; i < RULES_MAX && rules[record->kind][i].define; i++) {
		rules[record->kind][i].define(&source, &rules[record->kind][i]);
	}
}
