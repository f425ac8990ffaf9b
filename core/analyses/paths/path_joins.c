/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_joins.h"

#include <string.h>

#include "core/analyses/paths/path_firsts.h"
#include "core/analyses/paths/path_names.h"
#include "core/analyses/paths/path_summary.h"
#include "ros2bt/flow/link_rules.h"

/* The longest path that ends at a node by a topic. */
struct end {
	const char *topic; /* interned */
	const struct path *path;
	GHashTable *passed;		   /* names of its nodes, borrowed; NULL until asked for */
	const struct path_first *received; /* when the node first received the topic; NULL: not known */
};

/* A node of ROS 2 at which paths end. */
struct join {
	uint32_t process;
	const char *name;		/* interned */
	GArray *ends;			/* struct end, of different topics */
	const struct path *end, *start; /* the longest ones that may be joined; NULL: none */
};

struct joins {
	const struct path_tree *tree;
	struct path_firsts *firsts; /* NULL: not needed */
	GHashTable *by_node;	    /* struct join, owned, as its own key */
	GHashTable *with_links;	    /* struct join, owned, as its own key: nodes of which a link is known */
};

static guint join_hash(gconstpointer data)
{
	const struct join *join = data;

	return g_direct_hash(join->name) * 31 + join->process;
}

static gboolean join_equal(gconstpointer a, gconstpointer b)
{
	const struct join *left = a, *right = b;

	return left->process == right->process && left->name == right->name;
}

static void end_clear(gpointer data)
{
	struct end *end = data;

	g_clear_pointer(&end->passed, g_hash_table_unref);
}

static void join_free(gpointer data)
{
	struct join *join = data;

	g_clear_pointer(&join->ends, g_array_unref);
	g_free(join);
}

static uint64_t flows_of(const struct path *path)
{
	return path_count_cell(path).unsigned_integer;
}

static bool is_longer(const struct path *path, const struct path *other)
{
	if (!other || path->node->depth != other->node->depth) {
		return !other || path->node->depth > other->node->depth;
	}
	return flows_of(path) != flows_of(other) ? flows_of(path) > flows_of(other) : path->id < other->id;
}

/* The node of a tree node as a key; its name is NULL if that is unknown. */
static struct join key_of(const struct path_tree *tree, const struct path_node *node)
{
	return (struct join){ .process = path_node_process(node), .name = path_node_known_name(tree, node) };
}

/* Names as ROS 2 allows them: a shell and the grammar of links take each for what it is. */
static bool is_plain_name(const char *name)
{
	bool is_plain = name && name[0] == '/';

	for (; is_plain && *name; name++) {
		is_plain = g_ascii_isalnum(*name) || *name == '/' || *name == '_';
	}
	return is_plain;
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

/* Topics of which any node may keep everything: that it receives them says little of what it publishes. */
static bool ends_everywhere(const char *topic)
{
	return strcmp(topic, "/clock") == 0 || strcmp(topic, "/tf") == 0 || strcmp(topic, "/tf_static") == 0;
}

static struct end *find_or_add_end(struct join *join, const char *topic)
{
	const struct end none = { .topic = topic };

	for (guint i = 0; i < join->ends->len; i++) {
		struct end *end = &g_array_index(join->ends, struct end, i);

		if (end->topic == topic) {
			return end;
		}
	}
	g_array_append_val(join->ends, none);
	return &g_array_index(join->ends, struct end, join->ends->len - 1);
}

static void add_end(struct joins *joins, const struct path *path)
{
	const struct path_tree *tree = joins->tree;
	struct join key = key_of(tree, path->node), *join = g_hash_table_lookup(joins->by_node, &key);
	const char *topic = topic_of(path->node);
	struct end *end;

	if (!topic || ends_everywhere(topic) ||
	    object_model_callback_info(tree->model, path->node->callback)->kind != CALLBACK_KIND_SUBSCRIPTION ||
	    comes_back(tree, path) || (!join && (!is_plain_name(key.name) || has_given_link(tree, key.name)))) {
		return;
	}
	if (!join) {
		join = g_memdup2(&key, sizeof(key));
		join->ends = g_array_new(FALSE, FALSE, sizeof(struct end));
		g_array_set_clear_func(join->ends, end_clear);
		g_hash_table_add(joins->by_node, join);
	}
	end = find_or_add_end(join, topic);
	if (is_longer(path, end->path)) {
		end->path = path;
	}
}

/* Whether a path that begins there comes to another node of the one that ends there. */
static bool meets_end(const struct path_tree *tree, struct end *end, const struct path *start)
{
	if (!end->passed) {
		end->passed = g_hash_table_new(g_direct_hash, g_direct_equal);
		for (const struct path_node *node = end->path->node; node; node = node->parent) {
			const char *name = path_node_known_name(tree, node);

			if (name) {
				g_hash_table_add(end->passed, (gpointer)name);
			}
		}
	}
	for (const struct path_node *node = start->node; node->parent; node = node->parent) {
		const char *name = path_node_known_name(tree, node);

		if (name && g_hash_table_contains(end->passed, name)) {
			return true;
		}
	}
	return false;
}

static unsigned int gain_of(const struct join *join)
{
	return (unsigned int)join->end->node->depth * join->start->node->depth;
}

/* Whether the two join more than those that may be joined so far. */
static bool joins_more(const struct join *join, const struct path *end, const struct path *start)
{
	const struct join other = { .end = end, .start = start };

	return !join->start || gain_of(&other) > gain_of(join) ||
	       (gain_of(&other) == gain_of(join) &&
		(end == join->end ? is_longer(start, join->start) : is_longer(end, join->end)));
}

static void add_start(struct joins *joins, const struct path *path)
{
	const struct path_node *first = first_hop_of(path), *root = first->parent;
	const char *topic = topic_of(first);
	const struct path_first *published = NULL;
	struct join key, *join;

	if (!root || !topic || strcmp(topic, "/diagnostics") == 0 || !path_node_begins_by_itself(joins->tree, root)) {
		return;
	}
	key = key_of(joins->tree, root);
	if (!key.name || g_hash_table_contains(joins->with_links, &key)) {
		return;
	}
	join = g_hash_table_lookup(joins->by_node, &key);
	if (join) {
		published = path_firsts_find(joins->firsts, key.process, key.name, topic, true);
	}
	for (guint i = 0; join && i < join->ends->len; i++) {
		struct end *end = &g_array_index(join->ends, struct end, i);

		if (joins_more(join, end->path, path) &&
		    !path_firsts_can_do_without(joins->firsts, end->received, published) &&
		    !meets_end(joins->tree, end, path)) {
			join->end = end->path;
			join->start = path;
		}
	}
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

static void find_firsts(struct joins *joins)
{
	GHashTableIter all;
	gpointer join;

	joins->firsts = path_firsts_create(joins->tree);
	g_hash_table_iter_init(&all, joins->by_node);
	while (g_hash_table_iter_next(&all, &join, NULL)) {
		const struct join *node = join;

		for (guint i = 0; i < node->ends->len; i++) {
			struct end *end = &g_array_index(node->ends, struct end, i);

			end->received = path_firsts_find(joins->firsts, node->process, node->name, end->topic, false);
		}
	}
}

static void add_nodes_with_links(struct joins *joins, const struct path *path)
{
	for (const struct path_node *node = path->node; node->parent; node = node->parent) {
		if (node->is_indirect) {
			struct join key = key_of(joins->tree, node->parent);

			add_node_with_link(joins, &key);
		}
	}
}

/* struct join *, owned by by_node, those that join the most first. */
static GPtrArray *find_joins(struct joins *joins, const struct path *const *paths, size_t count)
{
	GPtrArray *found = g_ptr_array_new();
	GHashTableIter all;
	gpointer join;

	for (size_t i = 0; i < count; i++) {
		add_nodes_with_links(joins, paths[i]);
		if (counts(paths[i])) {
			add_end(joins, paths[i]);
		}
	}
	if (g_hash_table_size(joins->by_node) > 0) {
		find_firsts(joins);
	}
	for (size_t i = 0; joins->firsts && i < count; i++) {
		if (counts(paths[i])) {
			add_start(joins, paths[i]);
		}
	}
	g_hash_table_iter_init(&all, joins->by_node);
	while (g_hash_table_iter_next(&all, &join, NULL)) {
		if (((const struct join *)join)->start) {
			g_ptr_array_add(found, join);
		}
	}
	g_ptr_array_sort(found, compare_joins);
	return found;
}

char **path_joins_find(const struct path_tree *tree, const struct path *const *paths, size_t count)
{
	struct joins joins = {
		.tree = tree,
		.by_node = g_hash_table_new_full(join_hash, join_equal, join_free, NULL),
		.with_links = g_hash_table_new_full(join_hash, join_equal, join_free, NULL),
	};
	g_autoptr(GPtrArray) found = find_joins(&joins, paths, count);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *links = g_ptr_array_new();

	for (guint i = 0; i < found->len; i++) {
		const struct join *join = found->pdata[i];
		char *link = g_strdup_printf("%s: %s -> %s: periodic_async", join->name, topic_of(join->end->node),
					     topic_of(first_hop_of(join->start)));

		if (g_hash_table_add(known, link)) {
			g_ptr_array_add(links, link);
		} else {
			g_free(link); /* of a node of the same name */
		}
	}
	g_ptr_array_add(links, NULL);
	path_firsts_destroy(joins.firsts);
	g_hash_table_unref(joins.by_node);
	g_hash_table_unref(joins.with_links);
	return (char **)g_ptr_array_free(links, FALSE);
}

static guint count_followed(const struct analysis_options *options)
{
	guint followed = 0;

	for (size_t i = 0; i < options->link_count; i++) {
		followed += options->links[i].is_proposed;
	}
	return followed;
}

static void append_sentence(GString *text, guint count)
{
	g_string_append(text, "Paths end at nodes that begin others by themselves. If such a node uses what it has "
			      "received, a link joins them");
	if (count > JOINS_PROPOSED) {
		g_string_append_printf(text, "; --link=proposed follows these and %u more:", count - JOINS_PROPOSED);
	} else {
		g_string_append(text, count > 1 ? "; --link=proposed follows both:" : " (or --link=proposed):");
	}
}

void path_joins_describe(const struct path_tree *tree, const struct path *const *paths, size_t count, GString *text)
{
	guint followed = count_followed(tree->options), found;
	g_auto(GStrv) links = NULL;

	if (followed > 0) {
		g_string_append(text, text->len > 0 ? "\n" : "");
		g_string_append_printf(text,
				       "Where paths say >>, they follow %s: that the node uses what it has "
				       "received, no event tells. The table diagnostics lists them.",
				       followed > 1 ? "links that are proposed, not recorded"
						    : "a link that is proposed, not recorded");
		return;
	}
	links = path_joins_find(tree, paths, count);
	found = g_strv_length(links);
	if (found > 0) {
		g_string_append(text, text->len > 0 ? "\n" : "");
		append_sentence(text, found);
	}
	for (guint i = 0; i < MIN(found, JOINS_PROPOSED); i++) {
		g_string_append_printf(text, "\n--link='%s'", links[i]);
	}
}
