/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_joins.h"

#include <string.h>

#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_summary.h"
#include "ros2bt/flow/link_rules.h"

/* A node of ROS 2 at which paths end. */
struct join {
	uint32_t process;
	const char *name;
	const struct path *end, *start; /* the longest of each; start: NULL if none begins there */
	GHashTable *passed;		/* names of the nodes of `end`, borrowed; NULL until asked for */
};

struct joins {
	const struct path_tree *tree;
	GHashTable *by_node;	/* struct join, owned, as its own key */
	GHashTable *with_links; /* struct join, owned, as its own key: nodes of which a link is known */
};

static guint join_hash(gconstpointer data)
{
	const struct join *join = data;

	return g_str_hash(join->name) * 31 + join->process;
}

static gboolean join_equal(gconstpointer a, gconstpointer b)
{
	const struct join *left = a, *right = b;

	return left->process == right->process && strcmp(left->name, right->name) == 0;
}

static void join_free(gpointer data)
{
	struct join *join = data;

	if (join->passed) {
		g_hash_table_unref(join->passed);
	}
	g_free(join);
}

static uint64_t flows_of(const struct path *path)
{
	return path_count_cell(path).unsigned_integer;
}

static bool is_longer(const struct path *path, const struct path *other)
{
	return !other || path->node->depth > other->node->depth ||
	       (path->node->depth == other->node->depth && flows_of(path) > flows_of(other));
}

/* The node of a tree node as a key; its name is NULL if that is unknown. */
static struct join key_of(const struct path_tree *tree, const struct path_node *node)
{
	return (struct join){ .process = path_node_process(node), .name = path_node_known_name(tree, node) };
}

/* Names as ROS 2 allows them: a shell and the grammar of links take each for what it is. */
static bool is_plain_name(const char *name)
{
	return name && name[0] == '/' &&
	       strspn(name, "/_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(name);
}

/* The topic by which a flow arrived; NULL if by a service, or if it cannot be named. */
static const char *topic_of(const struct path_node *node)
{
	return node->via && is_plain_name(node->via->topic) ? node->via->topic : NULL;
}

/* The node after the root. */
static const struct path_node *first_hop_of(const struct path *path)
{
	const struct path_node *node = path->node;

	while (node->parent && node->parent->parent) {
		node = node->parent;
	}
	return node;
}

static bool counts(const struct path *path)
{
	return !path->node->is_hidden && path->node->depth > 0 && flows_of(path) >= JOIN_TRAVERSALS_MIN;
}

/* Whether the path has passed its last node before, by another callback. */
static bool comes_back(const struct path_tree *tree, const struct path *path)
{
	struct join last = key_of(tree, path->node);

	for (const struct path_node *node = path->node->parent; node; node = node->parent) {
		struct join key = key_of(tree, node);

		if (key.name && join_equal(&key, &last)) {
			return true;
		}
	}
	return false;
}

static void add_node_with_link(struct joins *joins, const struct join *key)
{
	if (key->name && !g_hash_table_contains(joins->with_links, key)) {
		g_hash_table_add(joins->with_links, g_memdup2(key, sizeof(*key)));
	}
}

static bool has_given_link(const struct path_tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->options->link_count; i++) {
		if (strcmp(tree->options->links[i].node, name) == 0) {
			return true;
		}
	}
	return false;
}

static void add_end(struct joins *joins, const struct path *path)
{
	const struct path_tree *tree = joins->tree;
	struct join key = key_of(tree, path->node), *join;
	const char *topic = topic_of(path->node);

	if (!is_plain_name(key.name) || !topic || strcmp(topic, "/clock") == 0 ||
	    object_model_callback_info(tree->model, path->node->callback)->kind != CALLBACK_KIND_SUBSCRIPTION ||
	    has_given_link(tree, key.name) || comes_back(tree, path)) {
		return;
	}
	join = g_hash_table_lookup(joins->by_node, &key);
	if (!join) {
		join = g_memdup2(&key, sizeof(key));
		g_hash_table_add(joins->by_node, join);
	}
	if (is_longer(path, join->end)) {
		join->end = path;
	}
}

static bool begins_by_itself(const struct path_tree *tree, const struct path_node *root)
{
	return root->callback ? !root->is_external && object_model_callback_info(tree->model, root->callback)->kind ==
							      CALLBACK_KIND_TIMER
			      : root->publisher != NULL;
}

/* Whether a path that begins there comes to another node of the one that ends there. */
static bool meets_end(const struct path_tree *tree, struct join *join, const struct path *start)
{
	if (!join->passed) {
		join->passed = g_hash_table_new(g_str_hash, g_str_equal);
		for (const struct path_node *node = join->end->node; node; node = node->parent) {
			const char *name = path_node_known_name(tree, node);

			if (name) {
				g_hash_table_add(join->passed, (gpointer)name);
			}
		}
	}
	for (const struct path_node *node = start->node; node->parent; node = node->parent) {
		const char *name = path_node_known_name(tree, node);

		if (name && g_hash_table_contains(join->passed, name)) {
			return true;
		}
	}
	return false;
}

static void add_start(struct joins *joins, const struct path *path)
{
	const struct path_node *first = first_hop_of(path), *root = first->parent;
	const char *topic = topic_of(first);
	struct join key, *join;

	if (!root || !topic || strcmp(topic, "/diagnostics") == 0 || !begins_by_itself(joins->tree, root)) {
		return;
	}
	key = key_of(joins->tree, root);
	if (!key.name || g_hash_table_contains(joins->with_links, &key)) {
		return;
	}
	join = g_hash_table_lookup(joins->by_node, &key);
	if (join && is_longer(path, join->start) && !meets_end(joins->tree, join, path)) {
		join->start = path;
	}
}

static unsigned int gain_of(const struct join *join)
{
	return (unsigned int)join->end->node->depth * join->start->node->depth;
}

static gint compare_joins(gconstpointer a, gconstpointer b)
{
	const struct join *left = *(struct join *const *)a, *right = *(struct join *const *)b;
	unsigned int left_gain = gain_of(left), right_gain = gain_of(right);
	int by_name = strcmp(left->name, right->name);

	if (left_gain != right_gain) {
		return left_gain > right_gain ? -1 : 1;
	}
	return by_name ? by_name : left->process > right->process ? 1 : -1;
}

static void append_joins(GPtrArray *found, GString *text)
{
	for (guint i = 0; i < MIN(found->len, JOINS_PROPOSED); i++) {
		const struct join *join = found->pdata[i];

		if (i == 0) {
			g_string_append(text, text->len > 0 ? "\n" : "");
			g_string_append(text, "Paths end at nodes that begin others by themselves. If such a node uses "
					      "what it has received, a link joins them:");
		}
		g_string_append_printf(text, "\n--link='%s: %s -> %s: periodic_async'", join->name,
				       topic_of(join->end->node), topic_of(first_hop_of(join->start)));
	}
}

void path_joins_describe(const struct path_tree *tree, const struct row_list *rows, GString *text)
{
	struct joins joins = {
		.tree = tree,
		.by_node = g_hash_table_new_full(join_hash, join_equal, join_free, NULL),
		.with_links = g_hash_table_new_full(join_hash, join_equal, join_free, NULL),
	};
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	GHashTableIter all;
	gpointer join;

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct path *path = row_list_at(rows, i);

		for (const struct path_node *node = path->node; node->parent; node = node->parent) {
			if (node->is_indirect) {
				struct join key = key_of(tree, node->parent);

				add_node_with_link(&joins, &key);
			}
		}
		if (counts(path)) {
			add_end(&joins, path);
		}
	}
	for (guint i = 0; i < row_list_count(rows) && g_hash_table_size(joins.by_node) > 0; i++) {
		if (counts(row_list_at(rows, i))) {
			add_start(&joins, row_list_at(rows, i));
		}
	}
	g_hash_table_iter_init(&all, joins.by_node);
	while (g_hash_table_iter_next(&all, &join, NULL)) {
		if (((const struct join *)join)->start) {
			g_ptr_array_add(found, join);
		}
	}
	g_ptr_array_sort(found, compare_joins);
	append_joins(found, text);
	g_hash_table_unref(joins.by_node);
	g_hash_table_unref(joins.with_links);
}
