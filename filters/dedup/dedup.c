/* SPDX-License-Identifier: MIT */
#include "filters/dedup/dedup.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>

#include "ros2bt/base/definition_set.h"
#include "filters/dedup/field_bytes.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/normalized_class.h"
#include "ros2bt/bt/origins.h"
#include "ros2bt/bt/own.h"
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
	struct filter_iterator base;
	struct u64_map rules;	     /* const bt_event_class * → enum rule */
	GPtrArray *kept_classes;     /* references: the address of a class must not be used again */
	struct string_pool *pool;    /* owned; names */
	struct origins *origins;     /* owned */
	struct definition_set *seen; /* owned */
	GByteArray *definition;	     /* owned; of the event at hand */
	uint64_t dropped_count;
};

static const struct param rows[] = { DEDUP_PARAMS(PARAM_ROW) };

static bool read_parameters(void *data, const struct params *params, GError **error)
{
	struct dedup *dedup = data;

	dedup->window_ns = params_duration_ns(params, "window");
	return true;
}

static void begin(void *data)
{
	struct dedup_iterator *iterator = data;
	bt_self_component *component = bt_self_message_iterator_borrow_component(iterator->base.self);

	u64_map_init(&iterator->rules);
	iterator->kept_classes = g_ptr_array_new_with_free_func((GDestroyNotify)bt_event_class_put_ref);
	iterator->pool = string_pool_create();
	iterator->origins = origins_create(iterator->pool, bt_self_component_get_graph_mip_version(component));
	iterator->definition = g_byte_array_new();
	iterator->seen = definition_set_create();
}

/* Starts with no definitions. */
static void rewind_to_start(void *data)
{
	struct dedup_iterator *iterator = data;

	definition_set_destroy(iterator->seen);
	iterator->seen = definition_set_create();
	iterator->dropped_count = 0;
}

static void clear(void *data)
{
	struct dedup_iterator *iterator = data;

	u64_map_clear(&iterator->rules);
	g_ptr_array_free(iterator->kept_classes, TRUE);
	origins_destroy(iterator->origins);
	string_pool_destroy(iterator->pool);
	definition_set_destroy(iterator->seen);
	g_byte_array_free(iterator->definition, TRUE);
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
	const struct dedup *dedup = iterator->base.component;
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
				   rule == RULE_INIT_TIME ? INT64_MAX : dedup->window_ns);
}

static bool pass_originals(void *data, bt_message_array_const messages, uint64_t count)
{
	struct dedup_iterator *iterator = data;
	bool is_done = true;

	for (uint64_t i = 0; i < count; i++) {
		if (is_copy(iterator, messages[i])) {
			bt_message_put_ref(messages[i]);
			iterator->dropped_count++;
		} else {
			is_done = packet_gate_push(iterator->base.out, messages[i]) && is_done;
		}
	}
	return is_done;
}

static bool end(void *data)
{
	struct dedup_iterator *iterator = data;

	iterator->base.has_ended = true;
	component_log(filter_component(&iterator->base), BT_LOGGING_LEVEL_INFO,
		      "%" PRIu64 " copies of initialization events dropped", iterator->dropped_count);
	return true;
}

const struct filter_class dedup_class = {
	.rows = rows,
	.row_count = G_N_ELEMENTS(rows),
	.mip_version_max = 1,
	.losses = PACKET_GATE_KEEPS_LOSSES,
	.component_size = sizeof(struct dedup),
	.read_parameters = read_parameters,
	.iterator_size = sizeof(struct dedup_iterator),
	.begin = begin,
	.rewind = rewind_to_start,
	.clear = clear,
	.purpose = "to look for copies in",
	.take = pass_originals,
	.end = end,
};
