/* SPDX-License-Identifier: MIT */
#include "ros2bt/named_paths/architecture_build.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/base/text/utf8.h"
#include "core/named_paths/architecture/architecture_builder.h"

/* Names of a trace may hold any bytes, a file holds text. NULL for texts that are no name in files. */
static const char *valid_text(const struct architecture_builder *builder, const char *text)
{
	g_autoptr(GString) valid = g_string_new(NULL);
	const char *piece;
	size_t length;

	if (!text) {
		return NULL;
	}
	while ((length = utf8_next_piece(&text, &piece)) > 0) {
		g_string_append_len(valid, piece, (gssize)length);
	}
	return architecture_text(builder->architecture, valid->str);
}

/* --- callbacks --- */

/* The properties by which CARET identifies a callback. */
static char *key_of_callback(const struct recorded_object *object)
{
	return g_strdup_printf("%d %" G_GINT64_FORMAT " %u %s\n%s", object->kind, object->period_ns,
			       object->callback_order, object->topic ? object->topic : "",
			       object->symbol ? object->symbol : "");
}

static struct architecture_callback *add_callback(const struct architecture_builder *builder,
						  struct architecture_node *node, const struct recorded_object *object,
						  const char *name)
{
	bool is_timer = object->kind == RECORDED_TIMER;
	struct architecture_callback *callback = architecture_add_callback(
		builder->architecture, node, name, is_timer ? ARCHITECTURE_TIMER : ARCHITECTURE_SUBSCRIPTION);

	callback->topic = valid_text(builder, object->topic);
	callback->period_ns = object->period_ns;
	callback->symbol = valid_text(builder, object->symbol);
	callback->order = object->callback_order;
	return callback;
}

/* The objects of a node from index `first` on, without `end`. */
struct node_objects {
	struct architecture_node *node;
	guint first, end;
};

/* Numbers the callbacks, and returns their count. Callbacks alike in several lives of the node are one. */
static guint find_alike(const struct architecture_builder *builder, struct node_objects objects, GHashTable *numbers)
{
	guint count = 0;

	for (guint i = objects.first; i < objects.end; i++) {
		const struct recorded_object *object = recorded_at(builder, i);
		g_autofree char *key = key_of_callback(object);

		if (object->kind != RECORDED_PUBLISHER && !g_hash_table_contains(numbers, key)) {
			g_hash_table_insert(numbers, g_steal_pointer(&key), GUINT_TO_POINTER(count++));
		}
	}
	return count;
}

static int digits_of(guint number)
{
	return number < 10 ? 1 : 1 + digits_of(number / 10);
}

static void build_callbacks(const struct architecture_builder *builder, struct node_objects objects)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int digits = digits_of(find_alike(builder, objects, numbers));

	for (guint i = objects.first; i < objects.end; i++) {
		const struct recorded_object *object = recorded_at(builder, i);
		g_autofree char *key = key_of_callback(object), *name = NULL;
		struct architecture_callback *callback;

		if (object->kind == RECORDED_PUBLISHER) {
			continue;
		}
		name = g_strdup_printf("%s/callback_%0*u", objects.node->name, digits,
				       GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key)));
		callback = architecture_find_callback(objects.node, name);
		built_at(builder, i)->callback =
			callback ? callback : add_callback(builder, objects.node, object, name);
	}
	if (objects.node->callbacks->len >= 2) {
		architecture_add_passing(builder->architecture, objects.node, NULL, NULL);
	}
}

/* --- publishers and subscriptions --- */

/* The order of the architecture file, as that of callbacks and executors: none of them is a row of a table. */
static gint compare_endpoints(gconstpointer a, gconstpointer b)
{
	const struct architecture_endpoint *x = *(gconstpointer const *)a, *y = *(gconstpointer const *)b;
	int topics = strcmp(x->topic, y->topic);

	return topics ? topics : compare_unsigned(x->order, y->order);
}

static void build_endpoint(const struct architecture_builder *builder, struct architecture_node *node, guint index,
			   GHashTable *known)
{
	const struct recorded_object *object = recorded_at(builder, index);
	struct built *built = built_at(builder, index);
	const char *topic = valid_text(builder, object->topic);
	g_autofree char *key = NULL;

	if (object->kind == RECORDED_TIMER || !topic) {
		return;
	}
	key = g_strdup_printf("%d %u %s", object->kind, object->order, topic);
	built->publisher = g_hash_table_lookup(known, key);
	if (g_hash_table_contains(known, key)) {
		return;
	}
	if (object->kind == RECORDED_PUBLISHER) {
		built->publisher =
			architecture_add_endpoint(builder->architecture, node->publishers, topic, object->order);
	} else {
		architecture_add_endpoint(builder->architecture, node->subscriptions, topic, object->order)->callback =
			built->callback->name;
	}
	g_hash_table_insert(known, g_steal_pointer(&key), built->publisher);
}

static void build_endpoints(const struct architecture_builder *builder, struct node_objects objects)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = objects.first; i < objects.end; i++) {
		build_endpoint(builder, objects.node, i, known);
	}
	g_ptr_array_sort(objects.node->publishers, compare_endpoints);
	g_ptr_array_sort(objects.node->subscriptions, compare_endpoints);
}

/* --- nodes --- */

/* Objects are in order of node. */
static void build_nodes(const struct architecture_builder *builder)
{
	guint count = builder->recorded->objects->len, next = 0;

	for (guint i = 0; i < builder->recorded->nodes->len; i++) {
		const char *name = g_ptr_array_index(builder->recorded->nodes, i);
		const char *valid = valid_text(builder, name);
		struct architecture_node *node = valid ? architecture_add_node(builder->architecture, valid) : NULL;
		struct node_objects objects = { .node = node, .first = next };

		while (next < count && strcmp(recorded_at(builder, next)->node, name) == 0) {
			built_at(builder, next++)->node = node;
		}
		objects.end = next;
		if (node) {
			build_callbacks(builder, objects);
			build_endpoints(builder, objects);
		}
	}
}

struct architecture *architecture_build(struct pipeline *pipeline, const struct publishing_callbacks *publishing,
					const struct architecture_build_options *options)
{
	struct architecture_builder builder = {
		.model = pipeline->model,
		.publishing = publishing,
		.assumes_latest = options->assumes_latest,
		.architecture = architecture_create(),
		.recorded = recorded_objects_collect(pipeline->model),
		.built = g_array_new(FALSE, TRUE, sizeof(struct built)),
	};

	g_array_set_size(builder.built, builder.recorded->objects->len);
	build_nodes(&builder);
	architecture_build_groups(&builder);
	architecture_build_contexts(&builder);
	g_array_unref(builder.built);
	recorded_objects_destroy(builder.recorded);
	return builder.architecture;
}
