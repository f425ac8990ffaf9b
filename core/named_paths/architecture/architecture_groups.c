/* SPDX-License-Identifier: MIT */
/* The callback groups and executors of an architecture made from a recording. */

#include "core/base/compare_numbers.h"
#include "core/named_paths/architecture/architecture_builder.h"

/* A callback group in the architecture, and the executor to which it was added. */
struct placed_group {
	const char *name;		       /* in the architecture */
	const struct model_executor *executor; /* NULL: unknown */
};

/* The groups of a node so far. */
struct node_groups {
	struct architecture_node *node;
	GHashTable *by_address; /* "PROCESS ADDRESS" to struct architecture_callback_group * */
	GArray *placed;		/* struct placed_group, of all nodes */
};

/* Its type, if caret_analyze accepts that. */
static const char *type_of(const struct model_callback_group *group)
{
	static const char *const types[] = { "mutually_exclusive", "reentrant", NULL };

	return group->type && g_strv_contains(types, group->type) ? group->type : NULL;
}

static struct architecture_callback_group *add_group(const struct architecture_builder *builder,
						     struct architecture_node *node, const char *type)
{
	g_autofree char *name = g_strdup_printf("%s/callback_group_%u", node->name, node->callback_groups->len);

	return architecture_add_group(builder->architecture, node, type, name);
}

static struct architecture_callback_group *find_group(const struct architecture_builder *builder,
						      struct node_groups *groups, const struct model_callback *callback,
						      const struct model_callback_group *recorded)
{
	g_autofree char *key = g_strdup_printf("%u %" G_GINT64_MODIFIER "x", callback->process, recorded->address);
	struct architecture_callback_group *group = g_hash_table_lookup(groups->by_address, key);
	struct placed_group placed = { .executor = recorded->executor };

	if (!group) {
		group = add_group(builder, groups->node, type_of(recorded));
		placed.name = group->name;
		g_array_append_val(groups->placed, placed);
		g_hash_table_insert(groups->by_address, g_steal_pointer(&key), group);
	}
	return group;
}

/* In order of names. `recorded_by_name`: the first recorded callback with each name. */
static void build_groups_of_node(const struct architecture_builder *builder, struct node_groups *groups,
				 GHashTable *recorded_by_name)
{
	struct architecture_callback_group *unknown = NULL;
	g_autoptr(GPtrArray) rest = g_ptr_array_new();

	for (guint i = 0; i < groups->node->callbacks->len; i++) {
		const struct architecture_callback *callback = g_ptr_array_index(groups->node->callbacks, i);
		const struct model_callback *recorded = g_hash_table_lookup(recorded_by_name, callback->name);
		struct model_callback_group group;

		if (recorded && object_model_callback_group(builder->model, recorded, &group)) {
			architecture_group_add(builder->architecture, groups->node,
					       find_group(builder, groups, recorded, &group), callback->name);
		} else {
			g_ptr_array_add(rest, (gpointer)callback->name);
		}
	}
	for (guint i = 0; i < rest->len; i++) {
		unknown = unknown ? unknown : add_group(builder, groups->node, NULL);
		architecture_group_add(builder->architecture, groups->node, unknown, g_ptr_array_index(rest, i));
	}
}

static GHashTable *recorded_callbacks(const struct architecture_builder *builder)
{
	GHashTable *recorded = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = builder->recorded->objects->len; i-- > 0;) {
		const struct built *built = built_at(builder, i);
		struct model_callback *callback = recorded_at(builder, i)->callback;

		if (built->callback && callback) {
			g_hash_table_insert(recorded, (gpointer)built->callback->name, callback);
		}
	}
	return recorded;
}

/* --- executors --- */

/* By age: their names are numbers in this order. */
static gint compare_executors(gconstpointer a, gconstpointer b)
{
	const struct model_executor *x = *(gconstpointer const *)a, *y = *(gconstpointer const *)b;

	if (x->since_ns != y->since_ns) {
		return x->since_ns < y->since_ns ? -1 : 1;
	}
	return compare_unsigned(x->index, y->index);
}

/* In order of initialization. */
static GPtrArray *executors_of(const GArray *placed)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
	GPtrArray *executors = g_ptr_array_new();

	for (guint i = 0; i < placed->len; i++) {
		gconstpointer executor = g_array_index(placed, struct placed_group, i).executor;

		if (executor && g_hash_table_add(known, (gpointer)executor)) {
			g_ptr_array_add(executors, (gpointer)executor);
		}
	}
	g_ptr_array_sort(executors, compare_executors);
	return executors;
}

/* Groups are in order of node and number. */
static void build_executors(const struct architecture_builder *builder, const GArray *placed)
{
	g_autoptr(GPtrArray) executors = executors_of(placed);
	g_autoptr(GHashTable) built = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < executors->len; i++) {
		const struct model_executor *recorded = g_ptr_array_index(executors, i);
		g_autofree char *name = g_strdup_printf("executor_%u", i);

		g_hash_table_insert(built, (gpointer)recorded,
				    architecture_add_executor(builder->architecture,
							      recorded->type ? recorded->type : ARCHITECTURE_UNDEFINED,
							      name));
	}
	for (guint i = 0; i < placed->len; i++) {
		const struct placed_group *group = &g_array_index(placed, struct placed_group, i);
		struct architecture_executor *executor = g_hash_table_lookup(built, group->executor);

		if (executor) {
			architecture_add_name(builder->architecture, executor->callback_groups, group->name);
		}
	}
}

void architecture_build_groups(const struct architecture_builder *builder)
{
	g_autoptr(GHashTable) recorded = recorded_callbacks(builder);
	g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(struct placed_group));

	for (guint i = 0; i < builder->architecture->nodes->len; i++) {
		g_autoptr(GHashTable) by_address = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		struct node_groups groups = { g_ptr_array_index(builder->architecture->nodes, i), by_address, placed };

		build_groups_of_node(builder, &groups, recorded);
	}
	build_executors(builder, placed);
}
