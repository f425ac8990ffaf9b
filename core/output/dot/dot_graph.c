/* SPDX-License-Identifier: MIT */
#include "core/output/dot/dot_graph.h"

static void vertex_destroy(gpointer data)
{
	struct dot_vertex *vertex = data;

	g_free(vertex->key);
	g_free(vertex->named);
	g_free(vertex->id);
	g_free(vertex->label);
	g_free(vertex->host);
	g_string_free(vertex->lines, TRUE);
	if (vertex->hosts) {
		g_string_free(vertex->hosts, TRUE);
	}
	g_free(vertex);
}

static void edge_destroy(gpointer data)
{
	struct dot_edge *edge = data;

	g_free(edge->via);
	g_free(edge);
}

struct dot_graph *dot_graph_create(void)
{
	struct dot_graph *graph = g_new0(struct dot_graph, 1);

	graph->vertices = g_ptr_array_new_with_free_func(vertex_destroy);
	graph->edges = g_ptr_array_new_with_free_func(edge_destroy);
	graph->by_key = g_hash_table_new(g_str_hash, g_str_equal);
	graph->by_ends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return graph;
}

void dot_graph_destroy(struct dot_graph *graph)
{
	g_hash_table_unref(graph->by_ends);
	g_hash_table_unref(graph->by_key);
	g_ptr_array_unref(graph->edges);
	g_ptr_array_unref(graph->vertices);
	g_free(graph);
}

struct dot_vertex *dot_graph_vertex(struct dot_graph *graph, const char *prefix, const char *shape, const char *name,
				    const char *host)
{
	g_autofree char *key = g_strconcat(prefix, name, "\n", host, NULL);
	struct dot_vertex *vertex = g_hash_table_lookup(graph->by_key, key);

	if (!vertex) {
		vertex = g_new0(struct dot_vertex, 1);
		vertex->key = g_steal_pointer(&key);
		vertex->named = g_strconcat(prefix, name, NULL);
		vertex->label = g_strdup(name);
		vertex->host = g_strdup(host);
		vertex->index = graph->vertices->len;
		vertex->shape = shape;
		vertex->lines = g_string_new(NULL);
		g_hash_table_insert(graph->by_key, vertex->key, vertex);
		g_ptr_array_add(graph->vertices, vertex);
	}
	return vertex;
}

struct dot_edge *dot_graph_edge(struct dot_graph *graph, struct dot_vertex *from, struct dot_vertex *to)
{
	g_autofree char *ends = g_strconcat(from->key, "\n", to->key, NULL);
	struct dot_edge *edge = g_hash_table_lookup(graph->by_ends, ends);

	if (!edge) {
		edge = g_new0(struct dot_edge, 1);
		edge->from = from;
		edge->to = to;
		edge->max_ns = INT64_MIN;
		g_hash_table_insert(graph->by_ends, g_steal_pointer(&ends), edge);
		g_ptr_array_add(graph->edges, edge);
	}
	return edge;
}

struct dot_vertex *dot_vertex_drawn(struct dot_vertex *vertex)
{
	while (vertex->same) {
		vertex = vertex->same;
	}
	return vertex;
}

void dot_graph_unite(struct dot_vertex *one, struct dot_vertex *other)
{
	one = dot_vertex_drawn(one);
	other = dot_vertex_drawn(other);
	if (one->index < other->index) {
		other->same = one;
	} else if (one != other) {
		one->same = other;
	}
}

static void add_host(struct dot_vertex *drawn, const char *host)
{
	if (!drawn->hosts) {
		drawn->hosts = g_string_new(NULL);
	}
	g_string_append_printf(drawn->hosts, "%s%s", drawn->hosts->len > 0 ? ", " : "", host[0] ? host : "?");
}

void dot_graph_name(struct dot_graph *graph)
{
	g_autoptr(GHashTable) namesakes = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < graph->vertices->len; i++) {
		struct dot_vertex *vertex = g_ptr_array_index(graph->vertices, i);
		guint count = GPOINTER_TO_UINT(g_hash_table_lookup(namesakes, vertex->named));

		g_hash_table_insert(namesakes, vertex->named, GUINT_TO_POINTER(count + !vertex->same));
		add_host(dot_vertex_drawn(vertex), vertex->host);
	}
	for (guint i = 0; i < graph->vertices->len; i++) {
		struct dot_vertex *vertex = g_ptr_array_index(graph->vertices, i);

		if (vertex->same) {
			continue;
		}
		if (GPOINTER_TO_UINT(g_hash_table_lookup(namesakes, vertex->named)) > 1) {
			g_autofree char *line = g_strconcat("\non ", vertex->hosts->str, NULL);

			vertex->id = g_strconcat(vertex->named, "@", vertex->hosts->str, NULL);
			g_string_prepend(vertex->lines, line);
		} else {
			vertex->id = g_strdup(vertex->named);
		}
	}
}

/* What comes before a vertex is looked at before it: one of which nothing is left before it, at a time. */
unsigned int dot_graph_depth(const struct dot_graph *graph, const GPtrArray *edges)
{
	guint count = graph->vertices->len;
	g_autofree guint *before = g_new0(guint, count), *depths = g_new0(guint, count);
	g_autofree GArray **after = g_new0(GArray *, count);
	g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(guint));
	unsigned int depth = 0;

	for (guint i = 0; i < edges->len; i++) {
		const struct dot_edge *edge = g_ptr_array_index(edges, i);
		guint from = dot_vertex_drawn(edge->from)->index, to = dot_vertex_drawn(edge->to)->index;

		after[from] = after[from] ? after[from] : g_array_new(FALSE, FALSE, sizeof(guint));
		g_array_append_val(after[from], to);
		before[to]++;
	}
	for (guint i = 0; i < count; i++) {
		if (before[i] == 0) {
			g_array_append_val(ready, i);
		}
	}
	for (guint i = 0; i < ready->len; i++) {
		guint from = g_array_index(ready, guint, i);

		depth = MAX(depth, depths[from] + 1);
		for (guint j = 0; after[from] && j < after[from]->len; j++) {
			guint to = g_array_index(after[from], guint, j);

			depths[to] = MAX(depths[to], depths[from] + 1);
			if (--before[to] == 0) {
				g_array_append_val(ready, to);
			}
		}
	}
	for (guint i = 0; i < count; i++) {
		g_clear_pointer(&after[i], g_array_unref);
	}
	return depth;
}
