/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_firsts.h"

#include <string.h>

#include "core/analyses/paths/path_names.h"
#include "core/model/coverage.h"

/* The first message of a topic that a node received, or that was received of a node. */
struct first {
	uint32_t process;
	const char *node;
	const char *topic; /* interned */
	bool is_published;
	int64_t time_ns;
	int64_t since_ns; /* of the publisher */
};

struct path_firsts {
	const struct path_tree *tree;
	GHashTable *all; /* struct first, owned, as its own key */
};

static guint first_hash(gconstpointer data)
{
	const struct first *first = data;

	return (g_str_hash(first->node) * 31 + g_direct_hash(first->topic)) * 31 + 2 * first->process +
	       first->is_published;
}

static gboolean first_equal(gconstpointer a, gconstpointer b)
{
	const struct first *left = a, *right = b;

	return left->process == right->process && left->topic == right->topic &&
	       left->is_published == right->is_published && strcmp(left->node, right->node) == 0;
}

static void add(struct path_firsts *firsts, const struct first *first)
{
	struct first *known;

	if (!first->node || !first->topic) {
		return;
	}
	known = g_hash_table_lookup(firsts->all, first);
	if (!known) {
		g_hash_table_add(firsts->all, g_memdup2(first, sizeof(*first)));
	} else if (first->time_ns < known->time_ns) {
		known->time_ns = first->time_ns;
		known->since_ns = first->since_ns;
	}
}

bool path_node_begins_by_itself(const struct path_tree *tree, const struct path_node *root)
{
	return root->callback ? !root->is_external && object_model_callback_info(tree->model, root->callback)->kind ==
							      CALLBACK_KIND_TIMER
			      : root->publisher != NULL;
}

static void add_received(struct path_firsts *firsts, const struct path_node *node)
{
	const struct path_tree *tree = firsts->tree;
	const struct model_callback_info *info =
		node->callback ? object_model_callback_info(tree->model, node->callback) : NULL;

	if (info && info->subscription) {
		add(firsts, &(struct first){
				    .process = path_node_process(node),
				    .node = path_node_known_name(tree, node),
				    .topic = info->subscription->topic,
				    .time_ns = node->first_ns,
			    });
	}
}

static void add_published(struct path_firsts *firsts, const struct path_node *node)
{
	const struct path_tree *tree = firsts->tree;

	if (node->depth == 1 && node->via && path_node_begins_by_itself(tree, node->parent)) {
		add(firsts, &(struct first){
				    .process = path_node_process(node->parent),
				    .node = path_node_known_name(tree, node->parent),
				    .topic = node->via->topic,
				    .is_published = true,
				    .time_ns = node->first_ns,
				    .since_ns = node->via->since_ns,
			    });
	}
}

struct path_firsts *path_firsts_create(const struct path_tree *tree)
{
	struct path_firsts *firsts = g_new0(struct path_firsts, 1);

	firsts->tree = tree;
	firsts->all = g_hash_table_new_full(first_hash, first_equal, g_free, NULL);
	for (guint i = 0; i < tree->nodes.all->len; i++) {
		const struct path_node *node = tree->nodes.all->pdata[i];

		if (node->first_ns) { /* else a root outside callbacks */
			add_received(firsts, node);
			add_published(firsts, node);
		}
	}
	return firsts;
}

void path_firsts_destroy(struct path_firsts *firsts)
{
	if (firsts) {
		g_hash_table_unref(firsts->all);
		g_free(firsts);
	}
}

bool path_firsts_can_do_without(const struct path_firsts *firsts, uint32_t process, const char *node,
				const char *received, const char *published)
{
	const struct first input = { .process = process, .node = node, .topic = received };
	const struct first output = { .process = process, .node = node, .topic = published, .is_published = true };
	const struct first *in = g_hash_table_lookup(firsts->all, &input);
	const struct first *out = g_hash_table_lookup(firsts->all, &output);

	return in && out && out->time_ns < in->time_ns &&
	       coverage_process_is_whole(firsts->tree->coverage, process, out->since_ns, out->time_ns);
}
