/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/recorded_objects.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/base/compare_texts.h"
#include "core/base/slots.h"
#include "core/named_paths/architecture/architecture.h"

/* --- objects that are left out --- */

static bool is_left_out_node(const char *node)
{
	return !node || strstr(node, "caret_trace_") || strcmp(node, ARCHITECTURE_UNDEFINED) == 0;
}

static bool is_left_out_topic(const char *topic)
{
	static const char *const topics[] = { "/parameter_events", "/rosout", "/clock", ARCHITECTURE_UNDEFINED, NULL };

	return !topic || g_strv_contains(topics, topic);
}

/* --- collecting --- */

struct collector {
	struct object_model *model;
	struct recorded_objects *found;
	GHashTable *lives;		   /* by "PROCESS NODE": GArray of int64_t, when each life of the node begins */
	GPtrArray *subscription_callbacks; /* struct model_callback * by index of the subscription */
	GPtrArray *timer_callbacks;	   /* likewise of timers */
};

/* Prefers the callback of the subscription to that of its intra-process part; their symbols are the same. */
static void note_callbacks(struct collector *collector)
{
	struct object_model *model = collector->model;

	for (size_t i = 0; i < object_model_callback_count(model); i++) {
		struct model_callback *callback = object_model_callback_at(model, i);
		const struct model_callback_info *info = object_model_callback_info(model, callback);
		struct model_callback *other;

		if (info->subscription) {
			other = slot_get(collector->subscription_callbacks, info->subscription->index);
			if (!other || object_model_callback_info(model, other)->is_intra_process) {
				*slot_at(collector->subscription_callbacks, info->subscription->index) = callback;
			}
		} else if (info->timer && !slot_get(collector->timer_callbacks, info->timer->index)) {
			*slot_at(collector->timer_callbacks, info->timer->index) = callback;
		}
	}
}

static void note_nodes(struct collector *collector)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iteration;
	gpointer lives_of_node;

	for (size_t i = 0; i < object_model_node_count(collector->model); i++) {
		const struct model_node *node = object_model_node_at(collector->model, i);
		g_autofree char *key = NULL;
		GArray *lives;

		if (is_left_out_node(node->name)) {
			continue;
		}
		if (g_hash_table_add(names, (gpointer)node->name)) {
			g_ptr_array_add(collector->found->nodes, (gpointer)node->name);
		}
		key = g_strdup_printf("%u %s", node->process, node->name);
		lives = g_hash_table_lookup(collector->lives, key);
		if (!lives) {
			lives = g_array_new(FALSE, FALSE, sizeof(int64_t));
			g_hash_table_insert(collector->lives, g_steal_pointer(&key), lives);
		}
		g_array_append_val(lives, node->since_ns);
	}
	g_ptr_array_sort(collector->found->nodes, compare_texts);
	g_hash_table_iter_init(&iteration, collector->lives);
	while (g_hash_table_iter_next(&iteration, NULL, &lives_of_node)) {
		g_array_sort(lives_of_node, compare_times);
	}
}

/* Lives are numbered within a process; the process distinguishes all others. */
static uint32_t life_of(const struct collector *collector, const struct recorded_object *object)
{
	g_autofree char *key = g_strdup_printf("%u %s", object->object->process, object->node);
	const GArray *lives = g_hash_table_lookup(collector->lives, key);
	uint32_t begun = 0, end = lives ? lives->len : 0;

	while (begun < end) {
		uint32_t middle = begun + (end - begun) / 2;

		if (g_array_index(lives, int64_t, middle) <= object->object->since_ns) {
			begun = middle + 1;
		} else {
			end = middle;
		}
	}
	return begun > 0 ? begun - 1 : 0;
}

static void add(struct collector *collector, struct recorded_object object)
{
	if (object.callback) {
		object.symbol = object_model_callback_info(collector->model, object.callback)->symbol;
	}
	if (!is_left_out_node(object.node) && (object.kind == RECORDED_TIMER || !is_left_out_topic(object.topic))) {
		object.life = life_of(collector, &object);
		g_array_append_val(collector->found->objects, object);
	}
}

static void add_timers(struct collector *collector)
{
	for (size_t i = 0; i < object_model_timer_count(collector->model); i++) {
		const struct model_timer *timer = object_model_timer_at(collector->model, i);
		struct model_callback *callback = slot_get(collector->timer_callbacks, (guint)i);

		/* rcl makes no timer with a negative period: the trace is broken */
		if (callback && timer->is_defined && timer->period_ns >= 0) {
			add(collector, (struct recorded_object){
					       .kind = RECORDED_TIMER,
					       .object = &timer->object,
					       .node = object_model_timer_node(collector->model, timer),
					       .period_ns = timer->period_ns,
					       .callback = callback,
				       });
		}
	}
}

static void add_subscriptions(struct collector *collector)
{
	for (size_t i = 0; i < object_model_subscription_count(collector->model); i++) {
		const struct model_subscription *subscription = object_model_subscription_at(collector->model, i);
		const char *node = object_model_subscription_node(collector->model, subscription);

		if (g_strcmp0(node, "/rviz2") != 0) {
			add(collector, (struct recorded_object){
					       .kind = RECORDED_SUBSCRIPTION,
					       .object = &subscription->object,
					       .node = node,
					       .topic = subscription->topic,
					       .callback = slot_get(collector->subscription_callbacks, (guint)i),
				       });
		}
	}
}

static void add_publishers(struct collector *collector)
{
	for (size_t i = 0; i < object_model_publisher_count(collector->model); i++) {
		const struct model_publisher *publisher = object_model_publisher_at(collector->model, i);

		add(collector, (struct recorded_object){
				       .kind = RECORDED_PUBLISHER,
				       .object = &publisher->object,
				       .node = object_model_publisher_node(collector->model, publisher),
				       .topic = publisher->topic,
			       });
	}
}

/* --- order --- */

/* By node, kind and age: objects are numbered in this order. */
static gint compare_objects(gconstpointer a, gconstpointer b)
{
	const struct recorded_object *x = a, *y = b;
	int node = strcmp(x->node, y->node);
	int time = compare_integers(x->object->since_ns, y->object->since_ns);

	if (node || x->kind != y->kind) {
		return node ? node : x->kind < y->kind ? -1 : 1;
	}
	return time ? time : compare_unsigned(x->object->index, y->object->index);
}

/* The number of earlier objects with the same key. */
static uint32_t count(GHashTable *counts, char *key)
{
	guint before = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));

	g_hash_table_insert(counts, key, GUINT_TO_POINTER(before + 1));
	return before;
}

/* In keys, texts are last, separated by a character that no name has. */
static void number_objects(GArray *objects)
{
	g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < objects->len; i++) {
		struct recorded_object *object = &g_array_index(objects, struct recorded_object, i);
		g_autofree char *owner = g_strdup_printf("%d %u %u %s\n", object->kind, object->object->process,
							 object->life, object->node);

		if (object->kind != RECORDED_TIMER) {
			object->order = count(counts, g_strconcat("endpoint ", owner, object->topic, NULL));
		}
		if (object->kind != RECORDED_PUBLISHER) {
			object->callback_order =
				count(counts, g_strdup_printf("callback %s%" G_GINT64_FORMAT " %s\n%s", owner,
							      object->period_ns, object->topic ? object->topic : "",
							      object->symbol ? object->symbol : ""));
		}
	}
}

struct recorded_objects *recorded_objects_collect(struct object_model *model)
{
	struct recorded_objects *found = g_new0(struct recorded_objects, 1);
	g_autoptr(GHashTable) lives =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
	g_autoptr(GPtrArray) subscription_callbacks = g_ptr_array_new();
	g_autoptr(GPtrArray) timer_callbacks = g_ptr_array_new();
	struct collector collector = { model, found, lives, subscription_callbacks, timer_callbacks };

	found->nodes = g_ptr_array_new();
	found->objects = g_array_new(FALSE, TRUE, sizeof(struct recorded_object));
	note_nodes(&collector);
	note_callbacks(&collector);
	add_timers(&collector);
	add_subscriptions(&collector);
	add_publishers(&collector);
	g_array_sort(found->objects, compare_objects);
	number_objects(found->objects);
	return found;
}

void recorded_objects_destroy(struct recorded_objects *objects)
{
	g_ptr_array_unref(objects->nodes);
	g_array_unref(objects->objects);
	g_free(objects);
}
