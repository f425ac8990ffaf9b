/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/architecture_graph.h"

#include <string.h>

#include "core/base/compare_numbers.h"
#include "core/base/compare_texts.h"
#include "core/base/name_filter.h"

/* Nodes and endpoints are no rows of a table: they are numbered in these orders. */
static gint compare_nodes(gconstpointer a, gconstpointer b)
{
	const struct architecture_node *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static gint by_node(gconstpointer a, gconstpointer b)
{
	const struct endpoint *x = a, *y = b;
	int node = compare_unsigned(x->node, y->node), topic = compare_unsigned(x->topic, y->topic);

	return node ? node : topic ? topic : compare_unsigned(x->order, y->order);
}

static gint by_topic(gconstpointer a, gconstpointer b)
{
	const struct endpoint *x = a, *y = b;
	int topic = compare_unsigned(x->topic, y->topic);

	return topic ? topic : by_node(a, b);
}

static uint32_t index_of_node(const struct endpoint *endpoint)
{
	return endpoint->node;
}

static uint32_t index_of_topic(const struct endpoint *endpoint)
{
	return endpoint->topic;
}

static struct endpoint_list list_of(const GArray *endpoints, GCompareFunc compare,
				    uint32_t (*index_of)(const struct endpoint *endpoint), guint count)
{
	struct endpoint_list list = { g_array_sized_new(FALSE, FALSE, sizeof(struct endpoint), endpoints->len),
				      g_new0(guint, (gsize)count + 1) };
	guint next = 0;

	g_array_append_vals(list.endpoints, endpoints->data, endpoints->len);
	g_array_sort(list.endpoints, compare);
	for (guint i = 0; i < list.endpoints->len; i++) {
		while (next <= index_of(&g_array_index(list.endpoints, struct endpoint, i))) {
			list.firsts[next++] = i;
		}
	}
	while (next <= count) {
		list.firsts[next++] = list.endpoints->len;
	}
	return list;
}

static void list_clear(struct endpoint_list *list)
{
	g_array_unref(list->endpoints);
	g_free(list->firsts);
}

bool graph_matches(const char *name, const char *const *globs)
{
	struct name_filter *filter = name_filter_create(globs);
	bool is_match = filter && name_filter_passes(filter, &name, 1);

	name_filter_destroy(filter);
	return is_match;
}

/* Numbers the topics that are published, by name. */
static GHashTable *number_topics(struct graph *graph, const char *const *without)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *numbers = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iteration;
	gpointer name;

	for (guint i = 0; i < graph->nodes->len; i++) {
		const struct architecture_node *node = g_ptr_array_index(graph->nodes, i);

		for (guint j = 0; j < node->publishers->len; j++) {
			const struct architecture_endpoint *publisher = g_ptr_array_index(node->publishers, j);

			g_hash_table_add(names, (gpointer)publisher->topic);
		}
	}
	g_hash_table_iter_init(&iteration, names);
	while (g_hash_table_iter_next(&iteration, &name, NULL)) {
		if (!graph_matches(name, without)) {
			g_ptr_array_add(graph->topics, name);
		}
	}
	g_ptr_array_sort(graph->topics, compare_texts);
	for (guint i = 0; i < graph->topics->len; i++) {
		g_hash_table_insert(numbers, g_ptr_array_index(graph->topics, i), GUINT_TO_POINTER(i + 1));
	}
	return numbers;
}

/* Adds the publishers or subscriptions of a node of which the graph has the topic. */
static void add_of_node(GArray *endpoints, GHashTable *topics, uint32_t node, const GPtrArray *of_node)
{
	for (guint i = 0; i < of_node->len; i++) {
		const struct architecture_endpoint *of = g_ptr_array_index(of_node, i);
		guint number = GPOINTER_TO_UINT(g_hash_table_lookup(topics, of->topic));
		struct endpoint endpoint = { .node = node, .topic = number - 1, .order = of->order };

		if (number > 0) {
			g_array_append_val(endpoints, endpoint);
		}
	}
}

static void add_endpoints(struct graph *graph, GHashTable *topics)
{
	g_autoptr(GArray) publishers = g_array_new(FALSE, FALSE, sizeof(struct endpoint));
	g_autoptr(GArray) subscriptions = g_array_new(FALSE, FALSE, sizeof(struct endpoint));
	guint node_count = graph->nodes->len, topic_count = graph->topics->len;

	for (guint i = 0; i < node_count; i++) {
		const struct architecture_node *node = g_ptr_array_index(graph->nodes, i);

		add_of_node(publishers, topics, i, node->publishers);
		add_of_node(subscriptions, topics, i, node->subscriptions);
	}
	graph->publishers_of_node = list_of(publishers, by_node, index_of_node, node_count);
	graph->subscriptions_of_node = list_of(subscriptions, by_node, index_of_node, node_count);
	graph->publishers_of_topic = list_of(publishers, by_topic, index_of_topic, topic_count);
	graph->subscriptions_of_topic = list_of(subscriptions, by_topic, index_of_topic, topic_count);
}

void graph_init(struct graph *graph, const struct architecture *architecture, const char *const *without)
{
	g_autoptr(GHashTable) topics = NULL;

	graph->nodes = g_ptr_array_new();
	graph->topics = g_ptr_array_new();
	for (guint i = 0; i < architecture->nodes->len; i++) {
		struct architecture_node *node = g_ptr_array_index(architecture->nodes, i);

		if (!graph_matches(node->name, without)) {
			g_ptr_array_add(graph->nodes, node);
		}
	}
	g_ptr_array_sort(graph->nodes, compare_nodes);
	topics = number_topics(graph, without);
	add_endpoints(graph, topics);
}

void graph_clear(struct graph *graph)
{
	list_clear(&graph->publishers_of_node);
	list_clear(&graph->subscriptions_of_node);
	list_clear(&graph->publishers_of_topic);
	list_clear(&graph->subscriptions_of_topic);
	g_ptr_array_unref(graph->nodes);
	g_ptr_array_unref(graph->topics);
}
