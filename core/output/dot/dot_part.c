/* SPDX-License-Identifier: MIT */
#include "core/output/dot/dot_part.h"

#include <math.h>
#include <string.h>

#include "core/output/dot/dot_write.h"
#include "ros2bt/output/output_stream.h"

#define OF_ONE_TOPIC_MAX 3
#define NO_GROUP UINT_MAX

/* What lost something first, then what took longest, then by name. */
static gint compare_connections(gconstpointer a, gconstpointer b)
{
	const struct dot_edge *one = *(const struct dot_edge *const *)a, *other = *(const struct dot_edge *const *)b;
	int order = strcmp(one->from->key, other->from->key);

	if ((one->lost > 0) != (other->lost > 0)) {
		return one->lost > 0 ? -1 : 1;
	}
	if (one->max_ns != other->max_ns) {
		return one->max_ns > other->max_ns ? -1 : 1;
	}
	return order != 0 ? order : strcmp(one->to->key, other->to->key);
}

/* That of a node in a namespace of its own; "": none. To be freed. */
static char *namespace_of(const struct dot_vertex *vertex)
{
	const char *end = strrchr(vertex->label, '/');

	return end && end > vertex->label ? g_strndup(vertex->label, (gsize)(end - vertex->label)) : g_strdup("");
}

/* Of one colour, as namespaces have eight by turns; a node that is alone in its own is white. Boxes around them would
 * tie the layout, which becomes a tangle. */
static void write_group(struct output_stream *stream, const GPtrArray *vertices, guint number)
{
	g_autofree char *colour =
		g_strdup_printf("\tnode [style=filled, fillcolor=\"/pastel28/%u\"];\n", number % 8 + 1);

	output_stream_text(stream, number == NO_GROUP ? "\tnode [style=filled, fillcolor=white];\n" : colour);
	for (guint i = 0; i < vertices->len; i++) {
		dot_write_vertex(stream, g_ptr_array_index(vertices, i));
	}
}

/* The nodes of these connections, by namespace. */
static void write_groups(struct output_stream *stream, const GPtrArray *connections)
{
	g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) groups =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GList) names = NULL;
	guint number = 0;

	for (guint i = 0; i < 2 * connections->len; i++) {
		const struct dot_edge *edge = g_ptr_array_index(connections, i / 2);
		struct dot_vertex *vertex = i % 2 ? edge->to : edge->from;
		g_autofree char *name = namespace_of(vertex);

		if (g_hash_table_add(met, vertex)) {
			GPtrArray *group = g_hash_table_lookup(groups, name);

			if (!group) {
				group = g_ptr_array_new();
				g_hash_table_insert(groups, g_steal_pointer(&name), group);
			}
			g_ptr_array_add(group, vertex);
		}
	}
	names = g_list_sort(g_hash_table_get_keys(groups), (GCompareFunc)strcmp);
	for (const GList *name = names; name; name = name->next) {
		const char *text = name->data;
		const GPtrArray *vertices = g_hash_table_lookup(groups, text);
		bool is_group = text[0] && vertices->len > 1;

		write_group(stream, vertices, is_group ? number++ : NO_GROUP);
	}
}

/* Its label begins with the topic that took longest. */
static void write_connection(struct output_stream *stream, const struct dot_edge *edge)
{
	g_autofree char *from = dot_one_line(edge->from->id), *to = dot_one_line(edge->to->id),
			*via = dot_one_line(edge->via);
	g_autoptr(GString) label = g_string_new(via);

	if (edge->via_count > 1) {
		g_string_append_printf(label, "\nand %u more", edge->via_count - 1);
	}
	g_string_append_c(label, '\n');
	dot_append_edge_label(label, edge, edge->hz > 0 ? edge->hz : NAN);
	dot_write_edge(stream, from, to, label->str, edge->hz, edge->lost > 0);
}

/*
 * So many, in their order; of those whose slowest topic is the same only a few, as long as there are others: what all
 * nodes receive (/tf) would leave nothing else to see. To be freed.
 */
static GPtrArray *choose(const GPtrArray *edges, guint count)
{
	g_autoptr(GHashTable) used = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	GPtrArray *chosen = g_ptr_array_new();

	for (guint i = 0; i < edges->len && chosen->len < count; i++) {
		struct dot_edge *edge = g_ptr_array_index(edges, i);
		guint before = GPOINTER_TO_UINT(g_hash_table_lookup(used, edge->via));

		g_hash_table_insert(used, edge->via, GUINT_TO_POINTER(before + 1));
		g_ptr_array_add(before < OF_ONE_TOPIC_MAX ? chosen : others, edge);
	}
	for (guint i = 0; i < others->len && chosen->len < count; i++) {
		g_ptr_array_add(chosen, g_ptr_array_index(others, i));
	}
	return chosen;
}

void dot_write_part(struct output_stream *stream, struct dot_graph *direct, guint count)
{
	g_autoptr(GPtrArray) chosen = NULL;
	g_autofree char *label = NULL;

	g_ptr_array_sort(direct->edges, compare_connections);
	dot_graph_name(direct);
	chosen = choose(direct->edges, count);
	label = g_strdup_printf("%u of %u connections of %u nodes: those that lost messages or took longest "
				"(all: --top=0; of some nodes: --node)",
				chosen->len, direct->edges->len, direct->vertices->len);
	dot_write_head(stream, dot_graph_depth(direct, chosen));
	output_stream_text(stream, "\tgraph [labelloc=t, label=");
	dot_write_text(stream, label);
	output_stream_text(stream, "];\n");
	write_groups(stream, chosen);
	for (guint i = 0; i < chosen->len; i++) {
		write_connection(stream, g_ptr_array_index(chosen, i));
	}
}
