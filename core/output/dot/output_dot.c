/* SPDX-License-Identifier: MIT */
/*
 * The system as a graph for Graphviz: nodes (ellipses, with their callbacks), topics (boxes) and services (hexagons),
 * named and drawn as by rqt_graph. Edges show how often something is sent, how long it takes, and what was lost: thick
 * edges carry more messages, red ones have lost some.
 *
 * Nodes of one name on several hosts are several ellipses. So are topics and services of one name, unless their hosts
 * exchange messages: two robots with the same software, that do not know of each other, are two graphs.
 *
 * A graph of many nodes and topics is a tangle that nobody can read. Then nodes are connected directly, by an edge for
 * all that one sends another, in the colour of their namespace; only the connections that lost something or took
 * longest are drawn, and the graph says of how many. `top` is the number of connections, 0: the whole graph.
 *
 * The graph is drawn from the tables of messages, calls and callbacks (table_subject); others are not opened. Hidden
 * names (/rosout, …) are left out, as in rqt_graph, unless they are asked for; so are topics whose name was not
 * recorded.
 *
 * Memory: the nodes, topics and edges.
 */
#include <math.h>

#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/output/dot/dot_graph.h"
#include "core/output/dot/dot_part.h"
#include "core/output/dot/dot_write.h"
#include "core/output/outputs.h"
#include "core/statistics/duration_statistics.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/output/output_stream.h"

#define WHOLE_MAX 100	   /* nodes and topics up to which the whole graph is drawn */
#define CONNECTIONS_MAX 40 /* drawn of a larger one */

/* How a table of messages is drawn: sender → via → receiver. */
struct dot_source {
	enum table_subject subject;
	const char *prefix; /* of the ids of the vertices between the nodes */
	const char *shape;
};

static const struct dot_source sources[] = {
	{ SUBJECT_MESSAGES, "t_", "box" },
	{ SUBJECT_CALLS, "s_", "hexagon" },
};

struct dot_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct dot_table, owned */
	struct dot_graph *graph;
	struct dot_graph *direct; /* nodes only: edges for all that one sends another */
	GHashTable *met;	  /* which via the edges of `direct` have counted; owned keys */
	GHashTable *rates;	  /* double, of callbacks, by the ends of the edge to them; owned keys and values */
};

struct dot_table {
	struct table_writer writer;
	struct dot_output *dot;		   /* borrowed */
	const struct table_schema *schema; /* borrowed */
	const struct dot_source *source;   /* NULL: the table of callbacks */
};

/* --- rows --- */

static const struct cell *find_cell(const struct dot_table *table, const struct cell *cells, enum column_meaning means,
				    enum column_side side)
{
	return table_find_meant(table->schema, cells, means, side);
}

/* NULL if the cell holds no text. */
static const char *text_of(const struct dot_table *table, const struct cell *cells, enum column_meaning means,
			   enum column_side side)
{
	const struct cell *cell = find_cell(table, cells, means, side);

	return cell->type == CELL_TEXT ? cell->text : NULL;
}

static uint64_t count_of(const struct dot_table *table, const struct cell *cells, enum column_meaning means)
{
	const struct cell *cell = find_cell(table, cells, means, SIDE_NONE);

	return cell->type == CELL_UNSIGNED || cell->type == CELL_INTEGER ? cell->unsigned_integer : 0;
}

static struct duration_totals totals_of(const struct dot_table *table, const struct cell *cells)
{
	const struct cell *cell = find_cell(table, cells, MEANS_DURATION, SIDE_NONE);

	return cell->type == CELL_STATISTIC ? duration_statistics_totals(cell->statistic)
					    : (struct duration_totals){ 0 };
}

/* "" if it is not known. */
static const char *host_of(const struct dot_table *table, const struct cell *cells, enum column_side side)
{
	const char *host = text_of(table, cells, MEANS_HOST, side);

	return host ? host : "";
}

static bool is_shown(const struct dot_output *dot, const char *name)
{
	return name && (dot->place->choice.shows_hidden || !name_is_hidden(name));
}

/* What a node sends another through topics and services, whatever these are. */
static void add_connection(struct dot_output *dot, struct dot_vertex *sender, struct dot_vertex *receiver,
			   const char *via, const struct dot_edge *part)
{
	struct dot_vertex *from = dot_graph_vertex(dot->direct, "n_", "ellipse", sender->label, sender->host);
	struct dot_vertex *to = dot_graph_vertex(dot->direct, "n_", "ellipse", receiver->label, receiver->host);
	struct dot_edge *edge = dot_graph_edge(dot->direct, from, to);

	edge->via_count += g_hash_table_add(dot->met, g_strconcat(from->key, "\n", to->key, "\n", via, NULL));
	if (!edge->via || part->max_ns > edge->max_ns) {
		g_free(edge->via);
		edge->via = g_strdup(via);
	}
	edge->messages += part->messages;
	edge->hz += part->hz;
	edge->lost += part->lost;
	edge->samples += part->samples;
	edge->sum_ns += part->sum_ns;
	edge->max_ns = MAX(edge->max_ns, part->max_ns);
}

/*
 * The table has a row for each pair: what a sender sends appears in all of its rows, perhaps with several kinds of
 * transport.
 */
static void write_message_row(struct table_writer *writer, const struct cell *cells)
{
	struct dot_table *table = (struct dot_table *)writer;
	struct dot_output *dot = table->dot;
	const struct dot_source *source = table->source;
	const char *via_name = text_of(table, cells, MEANS_TOPIC, SIDE_NONE);
	const char *sender = text_of(table, cells, MEANS_NODE, SIDE_SENDER);
	const char *receiver = text_of(table, cells, MEANS_NODE, SIDE_RECEIVER);
	struct duration_totals totals = totals_of(table, cells);
	uint64_t received = count_of(table, cells, MEANS_RECEIVED), lost = count_of(table, cells, MEANS_LOST);
	uint64_t sent = received + lost + count_of(table, cells, MEANS_OVERWRITTEN);
	const struct cell *rate = find_cell(table, cells, MEANS_RATE, SIDE_NONE);
	double hz = rate->type == CELL_REAL ? rate->real : 0;
	const char *sender_host = host_of(table, cells, SIDE_SENDER);
	const char *receiver_host = host_of(table, cells, SIDE_RECEIVER);
	struct dot_vertex *sending, *receiving, *from, *to;
	const struct dot_edge part = { .messages = received,
				       .hz = hz,
				       .lost = lost,
				       .samples = totals.count,
				       .sum_ns = totals.sum_ns,
				       .max_ns = totals.count > 0 ? totals.max_ns : INT64_MIN };
	struct dot_edge *edge;

	if (!is_shown(dot, via_name) || received + lost == 0) {
		return;
	}
	sending = dot_graph_vertex(dot->graph, source->prefix, source->shape, via_name, sender_host);
	from = dot_graph_vertex(dot->graph, "n_", "ellipse", sender ? sender : "?", sender_host);
	edge = dot_graph_edge(dot->graph, from, sending);
	edge->messages = MAX(edge->messages, count_of(table, cells, MEANS_SENT));
	/* what the receiver lost, or what was replaced, was sent, too */
	edge->hz = MAX(edge->hz, received > 0 ? hz * (double)sent / (double)received : 0);
	receiving = dot_graph_vertex(dot->graph, source->prefix, source->shape, via_name, receiver_host);
	dot_graph_unite(sending, receiving);
	to = dot_graph_vertex(dot->graph, "n_", "ellipse", receiver ? receiver : "?", receiver_host);
	edge = dot_graph_edge(dot->graph, receiving, to);
	edge->messages += received;
	edge->hz += hz;
	edge->lost += lost;
	edge->samples += part.samples;
	edge->sum_ns += part.sum_ns;
	edge->max_ns = MAX(edge->max_ns, part.max_ns);
	add_connection(dot, from, to, via_name, &part);
}

/* A callback runs at the rate of the messages it receives. */
static void note_rate(struct dot_output *dot, const struct dot_vertex *node, const struct cell *source, double rate)
{
	for (size_t i = 0; source->type == CELL_TEXT && i < G_N_ELEMENTS(sources); i++) {
		double *kept = g_new(double, 1);

		*kept = rate;
		g_hash_table_insert(dot->rates, g_strconcat(sources[i].prefix, source->text, "\n", node->key, NULL),
				    kept);
	}
}

/* A line of its node, such as "/scan 10 Hz, 2.1 ms". */
static void write_callback_row(struct table_writer *writer, const struct cell *cells)
{
	struct dot_table *table = (struct dot_table *)writer;
	const char *node = text_of(table, cells, MEANS_NODE, SIDE_NONE);
	const char *kind = text_of(table, cells, MEANS_KIND, SIDE_NONE);
	const struct cell *source = find_cell(table, cells, MEANS_SOURCE, SIDE_NONE);
	const struct cell *rate = find_cell(table, cells, MEANS_RATE, SIDE_NONE);
	struct duration_totals totals = totals_of(table, cells);
	char buffer[HUMAN_TEXT_SIZE];
	struct dot_vertex *vertex;

	if (!is_shown(table->dot, node) || count_of(table, cells, MEANS_COUNT) == 0 ||
	    (source->type == CELL_TEXT && !is_shown(table->dot, source->text))) {
		return;
	}
	vertex = dot_graph_vertex(table->dot->graph, "n_", "ellipse", node, host_of(table, cells, SIDE_NONE));
	if (vertex->line_count++ >= DOT_LINES_MAX) {
		return;
	}
	g_string_append_c(vertex->lines, '\n');
	if (source->type == CELL_TEXT) {
		g_string_append(vertex->lines, source->text);
	} else if (source->type == CELL_INTEGER) {
		g_string_append_printf(vertex->lines, "timer %s", human_text_duration(buffer, source->integer));
	} else {
		g_string_append(vertex->lines, kind ? kind : "callback");
	}
	if (rate->type == CELL_REAL) {
		g_string_append_c(vertex->lines, ' ');
		dot_append_rate(vertex->lines, rate->real);
		note_rate(table->dot, vertex, source, rate->real);
	}
	if (totals.count > 0) {
		g_string_append_printf(vertex->lines, ", %s",
				       human_text_real_duration(buffer, duration_totals_mean(&totals)));
	}
}

/* --- the file --- */

/* That of the callback that an edge leads to; NULL: unknown. */
static const double *callback_rate(const struct dot_output *dot, const struct dot_edge *edge)
{
	g_autofree char *key = g_strconcat(edge->from->named, "\n", edge->to->key, NULL);

	return g_hash_table_lookup(dot->rates, key);
}

/* How much a message adds to the rate of its topic, by the callbacks that received some. */
static void measure_topics(struct dot_output *dot)
{
	for (guint i = 0; i < dot->graph->edges->len; i++) {
		const struct dot_edge *edge = g_ptr_array_index(dot->graph->edges, i);
		const double *rate = callback_rate(dot, edge);
		struct dot_vertex *from = dot_vertex_drawn(edge->from);

		if (rate && edge->messages > 0) {
			from->hz_per_message = MAX(from->hz_per_message, *rate / (double)edge->messages);
		}
	}
}

/*
 * That of the callback that receives the messages, else that of the table; else during the time they are sent, as far
 * as callbacks show that; else over the whole recording. NAN if that is unknown, as in merged reports.
 */
static double rate_of(const struct dot_output *dot, const struct dot_edge *edge, double seconds)
{
	const double *rate = callback_rate(dot, edge);

	if (rate) {
		return *rate;
	}
	if (edge->hz > 0) {
		return edge->hz;
	}
	if (dot_vertex_drawn(edge->to)->hz_per_message > 0) {
		return dot_vertex_drawn(edge->to)->hz_per_message * (double)edge->messages;
	}
	return seconds > 0 ? (double)edge->messages / seconds : NAN;
}

static void write_edge(struct output_stream *stream, const struct dot_edge *edge, double rate)
{
	g_autofree char *from = dot_one_line(dot_vertex_drawn(edge->from)->id),
			*to = dot_one_line(dot_vertex_drawn(edge->to)->id);
	g_autoptr(GString) label = g_string_new(NULL);

	dot_append_edge_label(label, edge, rate);
	dot_write_edge(stream, from, to, label->str, rate, edge->lost > 0);
}

static double seconds_of(const struct report_trace *trace)
{
	int64_t begin_ns = trace->begin_ns, end_ns = trace->end_ns;

	time_range_limit(&trace->range, &begin_ns, &end_ns);
	return trace->has_runtime_events && begin_ns < end_ns ? (double)(end_ns - begin_ns) / (double)NS_PER_S : 0;
}

static void write_whole(struct dot_output *dot, double seconds)
{
	struct output_stream *stream = dot->place->stream;

	dot_graph_name(dot->graph);
	for (guint i = 0; i < dot->graph->vertices->len; i++) {
		const struct dot_vertex *vertex = g_ptr_array_index(dot->graph->vertices, i);

		if (!vertex->same) {
			dot_write_vertex(stream, vertex);
		}
	}
	measure_topics(dot);
	for (guint i = 0; i < dot->graph->edges->len; i++) {
		const struct dot_edge *edge = g_ptr_array_index(dot->graph->edges, i);

		write_edge(stream, edge, rate_of(dot, edge, seconds));
	}
}

static guint drawn_count(const struct dot_graph *graph)
{
	guint count = 0;

	for (guint i = 0; i < graph->vertices->len; i++) {
		count += ((const struct dot_vertex *)g_ptr_array_index(graph->vertices, i))->same == NULL;
	}
	return count;
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct dot_output *dot = (struct dot_output *)output;
	const struct row_choice *choice = &dot->place->choice;
	struct output_stream *stream = dot->place->stream;
	bool is_whole = choice->has_top ? choice->top == 0 : drawn_count(dot->graph) <= WHOLE_MAX;

	output_stream_text(stream, "digraph ros2 {\n");
	if (is_whole) {
		dot_write_head(stream, dot_graph_depth(dot->graph, dot->graph->edges));
		write_whole(dot, seconds_of(trace));
	} else {
		dot_write_part(stream, dot->direct,
			       choice->has_top ? (guint)MIN(choice->top, G_MAXINT) : CONNECTIONS_MAX);
	}
	output_stream_text(stream, "}\n");
	return true;
}

/* --- life --- */

static struct output *create(const struct output_place *place)
{
	struct dot_output *dot = g_new0(struct dot_output, 1);

	dot->place = place;
	dot->tables = g_ptr_array_new_with_free_func(g_free);
	dot->graph = dot_graph_create();
	dot->direct = dot_graph_create();
	dot->met = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	dot->rates = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return (struct output *)dot;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct dot_output *dot = (struct dot_output *)output;
	bool is_of_callbacks = schema->subject == SUBJECT_CALLBACKS;
	const struct dot_source *source = NULL;
	struct dot_table *table;

	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
		source = schema->subject == sources[i].subject ? &sources[i] : source;
	}
	if (!source && !is_of_callbacks) {
		return NULL;
	}
	table = g_new0(struct dot_table, 1);
	table->writer.row = source ? write_message_row : write_callback_row;
	table->dot = dot;
	table->schema = schema;
	table->source = source;
	g_ptr_array_add(dot->tables, table);
	return &table->writer;
}

static void destroy(struct output *output)
{
	struct dot_output *dot = (struct dot_output *)output;

	g_hash_table_unref(dot->rates);
	dot_graph_destroy(dot->graph);
	dot_graph_destroy(dot->direct);
	g_hash_table_unref(dot->met);
	g_ptr_array_unref(dot->tables);
	g_free(dot);
}

const struct output_class dot_output = {
	.name = "dot",
	.file = "graph.dot",
	.is_of_one_recording = true,
	.create = create,
	.open = open_table,
	.finish = finish,
	.destroy = destroy,
};
