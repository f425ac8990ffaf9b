/* SPDX-License-Identifier: MIT */
/*
 * The main tables as metrics for Prometheus, in the text format that the textfile collector of its node_exporter reads:
 * counters and histograms since the recording began, so that rate() and histogram_quantile() make windows of them.
 *
 * - Times and durations are in seconds. No line has a timestamp of its own, since node_exporter skips files that do.
 * - What the trace does not tell has no line; neither have statistics without samples. Rows with hidden names and of
 *   what never happened are only counted, in a comment, unless they are asked for.
 * - The order of lines depends on the trace only.
 *
 * metrics.h says which metrics a table is. Memory: the rows of main tables.
 */
#include <string.h>

#include "core/base/int128.h"
#include "core/base/text/number_text.h"
#include "core/output/hidden_row.h"
#include "core/output/outputs.h"
#include "core/output/prometheus/exposition_text.h"
#include "core/output/prometheus/series.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/output/output_stream.h"

struct prometheus_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct prometheus_table, owned, in the order of opening */
	size_t hidden, idle;		  /* rows that are left out */
};

struct prometheus_table {
	struct table_writer writer;
	struct prometheus_output *output; /* borrowed */
	struct metrics metrics;
	GPtrArray *rows; /* struct series, owned */
};

static void table_destroy(gpointer data)
{
	struct prometheus_table *table = data;

	metrics_clear(&table->metrics);
	g_ptr_array_unref(table->rows);
	g_free(table);
}

static struct output *create(const struct output_place *place)
{
	struct prometheus_output *prometheus = g_new0(struct prometheus_output, 1);

	prometheus->place = place;
	prometheus->tables = g_ptr_array_new_with_free_func(table_destroy);
	return (struct output *)prometheus;
}

/* By a name that is a label: others do not tell series apart, so their rows are part of one that is shown. */
static bool is_hidden(const struct metrics *metrics, const struct cell *cells)
{
	for (guint i = 0; i < metrics->labels->len; i++) {
		size_t column = g_array_index(metrics->labels, struct metric_label, i).column;

		if (column_hides_row(&metrics->schema->columns[column], &cells[column], cells)) {
			return true;
		}
	}
	return false;
}

static void write_row(struct table_writer *writer, const struct cell *cells)
{
	struct prometheus_table *table = (struct prometheus_table *)writer;

	if (!table->output->place->choice.shows_hidden && is_hidden(&table->metrics, cells)) {
		table->output->hidden++;
		return;
	}
	g_ptr_array_add(table->rows, series_create(&table->metrics, cells));
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct prometheus_output *prometheus = (struct prometheus_output *)output;
	struct prometheus_table *table;

	if (schema->kind != KIND_MAIN) {
		return NULL;
	}
	table = g_new0(struct prometheus_table, 1);
	table->writer.row = write_row;
	table->writer.only_counts_hidden = !prometheus->place->choice.shows_hidden;
	table->output = prometheus;
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)series_destroy);
	metrics_init(&table->metrics, schema);
	if (!metrics_are_useful(&table->metrics)) {
		table_destroy(table);
		return NULL;
	}
	g_ptr_array_add(prometheus->tables, table);
	return &table->writer;
}

/* --- lines --- */

/* A family's head. `help` is a constant without line breaks and backslashes. */
static void write_head(struct output_stream *stream, const char *name, const char *type, const char *help)
{
	g_autofree char *text = g_strdup_printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);

	output_stream_text(stream, text);
}

/* `suffix` of the name; `bound` of a bucket, "" if it is none. */
static void write_line(struct output_stream *stream, const char *name, const char *suffix, const char *labels,
		       const char *bound, const char *value)
{
	bool has_bound = bound[0] != '\0';
	const char *const parts[] = {
		name, suffix, "{", labels, has_bound ? ",le=\"" : "", bound, has_bound ? "\"} " : "} ", value, "\n"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		output_stream_text(stream, parts[i]);
	}
}

static char *decimal(int128 value, unsigned int decimals)
{
	GString *text = g_string_new(NULL);

	exposition_append_decimal(text, value, decimals);
	return g_string_free(text, FALSE);
}

static void write_counter(struct output_stream *stream, const struct metric *metric, const char *labels,
			  const struct series_value *value)
{
	g_autofree char *text = NULL;

	if (value->real != 0) {
		double scale = metric->decimals > 0 ? (double)NS_PER_S : 1;
		char buffer[NUMBER_TEXT_SIZE];

		text = g_strdup(g_ascii_formatd(buffer, sizeof(buffer), "%.9f",
						(int128_to_double(value->whole) + value->real) / scale));
	} else {
		text = decimal(value->whole, metric->decimals);
	}
	write_line(stream, metric->name, "", labels, "", text);
}

static void write_histogram(struct output_stream *stream, const struct metric *metric, const char *labels,
			    const struct series_value *value)
{
	g_autofree char *sum = decimal(value->sum_ns, metric->decimals);
	g_autofree char *count = decimal(value->count, 0);
	uint64_t so_far = 0;

	for (size_t i = 0; i < SERIES_BOUNDS; i++) {
		g_autofree char *bound = decimal(series_bounds_ns[i], metric->decimals);
		char buffer[NUMBER_TEXT_SIZE];

		so_far += value->buckets[i];
		write_line(stream, metric->name, "_bucket", labels, bound, number_text_unsigned(buffer, so_far));
	}
	write_line(stream, metric->name, "_bucket", labels, "+Inf", count);
	write_line(stream, metric->name, "_sum", labels, "", sum);
	write_line(stream, metric->name, "_count", labels, "", count);
}

static void write_family(struct output_stream *stream, const struct prometheus_table *table, guint index,
			 const GPtrArray *all)
{
	const struct metric *metric = &g_array_index(table->metrics.metrics, struct metric, index);
	const struct table_schema *schema = table->metrics.schema;
	bool is_histogram = metric->type == METRIC_HISTOGRAM, has_head = false;

	for (guint i = 0; i < all->len; i++) {
		const struct series *series = all->pdata[i];

		if (!series->values[index].is_known) {
			continue;
		}
		if (!has_head) {
			g_autofree char *help = g_strdup_printf("Column %s of the table %s of ros2-latency.",
								schema->columns[metric->column].name, schema->name);

			write_head(stream, metric->name, is_histogram ? "histogram" : "counter", help);
			has_head = true;
		}
		(is_histogram ? write_histogram : write_counter)(stream, metric, series->labels,
								 &series->values[index]);
	}
}

/* --- the file --- */

/* Moves the names of hosts to the other labels. */
static void append_hosts(struct series *series)
{
	if (series->hosts[0] != '\0') {
		char *labels = g_strconcat(series->labels, ",", series->hosts, NULL);

		g_free(series->labels);
		series->labels = labels;
	}
}

/* The series of a table, in the order of their first rows; borrowed from its rows. */
static GPtrArray *merge_rows(struct prometheus_table *table, bool has_hosts)
{
	g_autoptr(GHashTable) by_labels = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < table->rows->len; i++) {
		struct series *row = table->rows->pdata[i], *same;

		if (has_hosts) {
			append_hosts(row);
		}
		same = g_hash_table_lookup(by_labels, row->labels);
		if (same) {
			series_add(same, row, &table->metrics);
		} else {
			g_hash_table_insert(by_labels, row->labels, row);
			g_ptr_array_add(all, row);
		}
	}
	return all;
}

/* Leaves out what never happened. Returns how many. */
static size_t remove_idle(const struct prometheus_table *table, GPtrArray *all)
{
	size_t count = all->len;
	guint kept = 0;

	for (guint i = 0; i < all->len; i++) {
		if (!series_is_idle(all->pdata[i], &table->metrics)) {
			all->pdata[kept++] = all->pdata[i];
		}
	}
	g_ptr_array_set_size(all, (gint)kept);
	return count - kept;
}

static void write_table(struct prometheus_output *prometheus, struct prometheus_table *table, bool has_hosts)
{
	g_autoptr(GPtrArray) all = merge_rows(table, has_hosts);

	if (!prometheus->place->choice.shows_hidden) {
		prometheus->idle += remove_idle(table, all);
	}
	prometheus->hidden += table->writer.hidden;
	for (guint i = 0; i < table->metrics.metrics->len; i++) {
		write_family(prometheus->place->stream, table, i, all);
	}
}

static void write_plain(struct output_stream *stream, const char *name, const char *type, const char *help,
			int128 value, unsigned int decimals)
{
	g_autofree char *text = decimal(value, decimals);
	g_autofree char *line = g_strdup_printf("%s %s\n", name, text);

	write_head(stream, name, type, help);
	output_stream_text(stream, line);
}

static void write_trace(struct output_stream *stream, const struct report_trace *trace)
{
	if (trace->has_runtime_events) {
		write_plain(stream, "ros2_trace_begin_timestamp_seconds", "gauge", "Time of the first runtime event.",
			    trace->begin_ns, EXPOSITION_NS_DECIMALS);
		write_plain(stream, "ros2_trace_end_timestamp_seconds", "gauge", "Time of the last runtime event.",
			    trace->end_ns, EXPOSITION_NS_DECIMALS);
		write_plain(stream, "ros2_trace_processes", "gauge", "Processes with events of ROS 2.",
			    trace->process_count, 0);
		write_plain(stream, "ros2_trace_nodes", "gauge", "Nodes that are not hidden.", trace->node_count, 0);
		write_plain(stream, "ros2_trace_topics", "gauge", "Topics that are not hidden.", trace->topic_count, 0);
	}
	if (trace->knows_discarded) {
		write_plain(stream, "ros2_trace_discarded_events_total", "counter", "Events that LTTng lost.",
			    trace->discarded_event_count, 0);
	}
	write_plain(stream, "ros2_report_incomplete", "gauge", "1 if not all of the recording was read.",
		    trace->missing_count > 0, 0);
	if (trace->has_lag) {
		write_plain(stream, "ros2_report_lag_seconds", "gauge", "How far the report is behind the clock.",
			    trace->lag_ns, EXPOSITION_NS_DECIMALS);
	}
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct prometheus_output *prometheus = (struct prometheus_output *)output;
	struct output_stream *stream = prometheus->place->stream;

	write_trace(stream, trace);
	for (guint i = 0; i < prometheus->tables->len; i++) {
		write_table(prometheus, prometheus->tables->pdata[i], trace->hostname_count > 1);
	}
	if (prometheus->hidden + prometheus->idle > 0) {
		g_autofree char *text = g_strdup_printf("# left out: %zu with hidden names, %zu that never happened\n",
							prometheus->hidden, prometheus->idle);

		output_stream_text(stream, text);
	}
	return true;
}

static void destroy(struct output *output)
{
	struct prometheus_output *prometheus = (struct prometheus_output *)output;

	g_ptr_array_unref(prometheus->tables);
	g_free(prometheus);
}

const struct output_class prometheus_output = {
	.name = "prometheus",
	.file = "ros2.prom",
	.is_of_one_recording = true,
	.create = create,
	.open = open_table,
	.finish = finish,
	.destroy = destroy,
};
