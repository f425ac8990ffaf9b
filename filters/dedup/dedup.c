/* SPDX-License-Identifier: MIT */
#include "filters/dedup/dedup.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>

#include "ros2bt/base/definition_set.h"
#include "filters/dedup/field_bytes.h"
#include "ros2bt/bt/filter.h"
#include "ros2bt/bt/given_params.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/normalized_class.h"
#include "ros2bt/bt/origins.h"
#include "ros2bt/bt/own.h"
#include "ros2bt/bt/packet_gate.h"
#include "ros2bt/base/params.h"
#include "ros2bt/bt/component_log.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/base/string_pool.h"
#include "ros2bt/base/u64_map.h"

struct dedup {
	int64_t window_ns;
};

/* How copies of the events of a class are recognized. */
enum rule {
	RULE_PASS,	/* never a copy */
	RULE_WINDOW,	/* a copy if near in time: the payload may belong to another object at a reused address */
	RULE_INIT_TIME, /* a copy at any time: the payload holds the time when the object was created */
};

struct dedup_iterator {
	bt_self_message_iterator *self;
	const struct dedup *dedup;
	bt_message_iterator *upstream; /* owned */
	struct u64_map rules;	       /* const bt_event_class * → enum rule */
	GPtrArray *kept_classes;       /* references: the address of a class must not be used again */
	struct string_pool *pool;      /* owned; names */
	struct origins *origins;       /* owned */
	struct definition_set *seen;   /* owned */
	GByteArray *definition;	       /* owned; of the event at hand */
	struct packet_gate *out;       /* owned */
	uint64_t dropped_count;
	bool has_ended;
};

bt_component_class_get_supported_mip_versions_method_status
dedup_get_supported_mip_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
				 bt_logging_level logging_level, bt_integer_range_set_unsigned *versions)
{
	return filter_supported_mip_versions(versions, 1);
}

static const struct param rows[] = { DEDUP_PARAMS(PARAM_ROW) };

static bool read_parameters(struct dedup *dedup, bt_self_component *self, const bt_value *values)
{
	g_autoptr(param_values) in_map = given_params(values);
	const struct params params = { rows, G_N_ELEMENTS(rows), in_map, false };
	g_autofree char *wrong = params_check(&params);

	if (wrong) {
		component_error(self, "%s", wrong);
		return false;
	}
	dedup->window_ns = params_duration_ns(&params, "window");
	return true;
}

bt_component_class_query_method_status dedup_query(bt_self_component_class_filter *self,
						   bt_private_query_executor *executor, const char *object,
						   const bt_value *params, void *data, const bt_value **result)
{
	return filter_query(rows, G_N_ELEMENTS(rows), object, result);
}

bt_component_class_initialize_method_status dedup_initialize(bt_self_component_filter *self,
							     bt_self_component_filter_configuration *configuration,
							     const bt_value *params, void *data)
{
	struct dedup *dedup = g_new0(struct dedup, 1);
	bt_component_class_initialize_method_status status = BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;

	if (read_parameters(dedup, bt_self_component_filter_as_self_component(self), params)) {
		status = filter_initialize(self, dedup);
	}
	if (status != BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		g_free(dedup);
	}
	return status;
}

void dedup_finalize(bt_self_component_filter *self)
{
	g_free(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

static const bt_component *component_of(bt_self_message_iterator *self)
{
	return bt_self_component_as_component(bt_self_message_iterator_borrow_component(self));
}

/* Starts with no definitions. */
static void iterator_begin(struct dedup_iterator *iterator)
{
	definition_set_destroy(iterator->seen);
	iterator->seen = definition_set_create();
	iterator->dropped_count = 0;
	iterator->has_ended = false;
	packet_gate_rewind(iterator->out);
}

static void iterator_destroy(struct dedup_iterator *iterator)
{
	bt_message_iterator_put_ref(iterator->upstream);
	u64_map_clear(&iterator->rules);
	g_ptr_array_free(iterator->kept_classes, TRUE);
	origins_destroy(iterator->origins);
	string_pool_destroy(iterator->pool);
	definition_set_destroy(iterator->seen);
	g_byte_array_free(iterator->definition, TRUE);
	packet_gate_destroy(iterator->out);
	g_free(iterator);
}

bt_message_iterator_class_initialize_method_status
dedup_iterator_initialize(bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
			  bt_self_component_port_output *port)
{
	struct dedup_iterator *iterator;
	bt_message_iterator *upstream;
	bt_message_iterator_class_initialize_method_status status =
		filter_create_upstream(self, configuration, &upstream);

	if (status != BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK) {
		return status;
	}
	iterator = g_new0(struct dedup_iterator, 1);
	iterator->self = self;
	iterator->dedup = filter_data(self);
	iterator->upstream = upstream;
	u64_map_init(&iterator->rules);
	iterator->kept_classes = g_ptr_array_new_with_free_func((GDestroyNotify)bt_event_class_put_ref);
	iterator->pool = string_pool_create();
	iterator->origins = origins_create(iterator->pool, bt_self_component_get_graph_mip_version(
								   bt_self_message_iterator_borrow_component(self)));
	iterator->definition = g_byte_array_new();
	iterator->out = packet_gate_create(self, PACKET_GATE_KEEPS_LOSSES);
	iterator_begin(iterator);
	bt_self_message_iterator_set_data(self, iterator);
	return status;
}

void dedup_iterator_finalize(bt_self_message_iterator *self)
{
	iterator_destroy(bt_self_message_iterator_get_data(self));
}

static bool has_init_timestamp(const bt_event_class *event_class)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(event_class);

	return payload && bt_field_class_structure_borrow_member_by_name_const(payload, "init_timestamp");
}

static enum rule find_rule(const bt_event_class *event_class)
{
	const char *name = normalized_class_recorded_name(event_class);
	enum event_provider provider;
	const struct event_schema *schema = name ? event_schema_find(name, &provider) : NULL;

	if (!schema || schema->class != EVENT_CLASS_INIT) {
		return RULE_PASS;
	}
	return has_init_timestamp(event_class) ? RULE_INIT_TIME : RULE_WINDOW;
}

static enum rule rule_of(struct dedup_iterator *iterator, const bt_event_class *event_class)
{
	uint64_t key = (uint64_t)(uintptr_t)event_class;
	uint64_t rule = u64_map_get(&iterator->rules, key);

	if (rule == U64_MAP_NONE) {
		rule = find_rule(event_class);
		u64_map_set(&iterator->rules, key, rule);
		bt_event_class_get_ref(event_class);
		g_ptr_array_add(iterator->kept_classes, (gpointer)event_class);
	}
	return (enum rule)rule;
}

/* The identity of a definition: process, name of the event, payload. False if it cannot be determined completely. */
static bool describe_definition(struct dedup_iterator *iterator, const bt_event *event)
{
	const char *name =
		string_pool_intern(iterator->pool, normalized_class_recorded_name(bt_event_borrow_class_const(event)));
	uint32_t process = origins_process(iterator->origins, event);
	const bt_field *payload = bt_event_borrow_payload_field_const(event);

	g_byte_array_set_size(iterator->definition, 0);
	g_byte_array_append(iterator->definition, (const guint8 *)&process, sizeof(process));
	g_byte_array_append(iterator->definition, (const guint8 *)&name, sizeof(name));
	return !payload || field_bytes_append(iterator->definition, payload);
}

static bool is_copy(struct dedup_iterator *iterator, const bt_message *message)
{
	const bt_event *event;
	enum rule rule;
	int64_t time_ns = 0;

	if (bt_message_get_type(message) != BT_MESSAGE_TYPE_EVENT) {
		return false;
	}
	event = bt_message_event_borrow_event_const(message);
	rule = rule_of(iterator, bt_event_borrow_class_const(event));
	if (rule == RULE_PASS || (rule == RULE_WINDOW && message_time(message, &time_ns) != MESSAGE_TIME_KNOWN) ||
	    !describe_definition(iterator, event)) {
		return false;
	}
	return !definition_set_add(iterator->seen, iterator->definition->data, iterator->definition->len, time_ns,
				   rule == RULE_INIT_TIME ? INT64_MAX : iterator->dedup->window_ns);
}

/* Takes over the references of a batch. */
static bool pass_originals(struct dedup_iterator *iterator, bt_message_array_const batch, uint64_t count)
{
	bool is_done = true;

	for (uint64_t i = 0; i < count; i++) {
		if (is_copy(iterator, batch[i])) {
			bt_message_put_ref(batch[i]);
			iterator->dropped_count++;
		} else {
			is_done = packet_gate_push(iterator->out, batch[i]) && is_done;
		}
	}
	return is_done;
}

static void end(struct dedup_iterator *iterator)
{
	iterator->has_ended = true;
	component_log(component_of(iterator->self), BT_LOGGING_LEVEL_INFO,
		      "%" PRIu64 " copies of initialization events dropped", iterator->dropped_count);
}

/* Takes one batch from upstream. */
static bt_message_iterator_class_next_method_status advance(struct dedup_iterator *iterator)
{
	bt_message_array_const batch;
	uint64_t count;
	bt_message_iterator_next_status status = bt_message_iterator_next(iterator->upstream, &batch, &count);

	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
		end(iterator);
	} else if (status < 0) {
		iterator_error(iterator->self, "cannot get the next messages to look for copies in");
	}
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		return filter_same_status(status);
	}
	return pass_originals(iterator, batch, count) ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
						      : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
}

bt_message_iterator_class_next_method_status
dedup_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity, uint64_t *count)
{
	struct dedup_iterator *iterator = bt_self_message_iterator_get_data(self);

	while (packet_gate_is_empty(iterator->out)) {
		bt_message_iterator_class_next_method_status status;

		if (iterator->has_ended) {
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
		}
		if (bt_self_message_iterator_is_interrupted(self)) {
			return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
		}
		status = advance(iterator);
		if (status != BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK) {
			return status;
		}
	}
	*count = packet_gate_pop(iterator->out, messages, capacity);
	return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
dedup_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can_seek)
{
	struct dedup_iterator *iterator = bt_self_message_iterator_get_data(self);

	return filter_can_seek_beginning(iterator->upstream, can_seek);
}

bt_message_iterator_class_seek_beginning_method_status dedup_iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct dedup_iterator *iterator = bt_self_message_iterator_get_data(self);

	iterator_begin(iterator);
	return filter_seek_beginning(iterator->upstream);
}
