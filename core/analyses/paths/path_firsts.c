/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_firsts.h"

#include "core/analyses/paths/path_names.h"
#include "core/base/slots.h"
#include "core/model/coverage.h"

/* The first message of a topic that a node received, or that was received of a node. */
struct path_first {
	uint32_t process;
	const char *node, *topic; /* interned */
	bool is_published;
	int64_t time_ns;
	int64_t since_ns; /* of the publisher */
};

struct path_firsts {
	const struct path_tree *tree;
	GHashTable *all; /* struct path_first, owned, as its own key */
};

static guint first_hash(gconstpointer data)
{
	const struct path_first *first = data;

	return (g_direct_hash(first->node) * 31 + g_direct_hash(first->topic)) * 31 + 2 * first->process +
	       first->is_published;
}

static gboolean first_equal(gconstpointer a, gconstpointer b)
{
	const struct path_first *left = a, *right = b;

	return left->node == right->node && left->topic == right->topic && left->process == right->process &&
	       left->is_published == right->is_published;
}

static void add(struct path_firsts *firsts, const struct path_first *first)
{
	struct path_first *known;

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

/* When the first message came to the callback, at any of its nodes of the tree. */
static void note_received(GArray *received, const struct path_node *node)
{
	if (node->callback) {
		int64_t *time_ns = array_at(received, int64_t, node->callback->index);

		*time_ns = *time_ns ? MIN(*time_ns, node->first_ns) : node->first_ns;
	}
}

static void add_received(struct path_firsts *firsts, struct model_callback *callback, int64_t time_ns)
{
	const struct model_callback_info *info = object_model_callback_info(firsts->tree->model, callback);

	if (info->subscription) {
		add(firsts, &(struct path_first){
				    .process = callback->process,
				    .node = info->node,
				    .topic = info->subscription->topic,
				    .time_ns = time_ns,
			    });
	}
}

/* Nobody asks for topics of hidden names, by which most nodes of a large system's tree may have come. */
static void add_published(struct path_firsts *firsts, const struct path_node *node)
{
	const struct path_tree *tree = firsts->tree;

	if (node->depth == 1 && node->via && !node->is_hidden && path_node_begins_by_itself(tree, node->parent)) {
		add(firsts, &(struct path_first){
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
	g_autoptr(GArray) received = g_array_new(FALSE, TRUE, sizeof(int64_t)); /* by index of the callback */

	firsts->tree = tree;
	firsts->all = g_hash_table_new_full(first_hash, first_equal, g_free, NULL);
	for (guint i = 0; i < tree->nodes.all->len; i++) {
		const struct path_node *node = tree->nodes.all->pdata[i];

		if (node->first_ns) { /* else a root outside callbacks */
			note_received(received, node);
			add_published(firsts, node);
		}
	}
	for (guint i = 0; i < received->len; i++) {
		int64_t time_ns = g_array_index(received, int64_t, i);

		if (time_ns) {
			add_received(firsts, object_model_callback_at(tree->model, i), time_ns);
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

const struct path_first *path_firsts_find(const struct path_firsts *firsts, uint32_t process, const char *node,
					  const char *topic, bool is_published)
{
	const struct path_first key = {
		.process = process, .node = node, .topic = topic, .is_published = is_published
	};

	return g_hash_table_lookup(firsts->all, &key);
}

bool path_firsts_can_do_without(const struct path_firsts *firsts, const struct path_first *received,
				const struct path_first *published)
{
	return received && published && published->time_ns < received->time_ns &&
	       coverage_process_is_whole(firsts->tree->coverage, published->process, published->since_ns,
					 published->time_ns);
}
