/* SPDX-License-Identifier: MIT */
/*
 * A report as one page for a browser (page_file.h). Its data:
 *
 *   { schema_version, trace: { hosts, …, missing }, tables: [page_table.h], series: [page_series.h],
 *     flows: [page_flows.h], threads: page_threads.h }
 *
 * Instances are reduced as they arrive. Memory: the series, and samples of traversals.
 */
#include "core/output/json_trace.h"
#include "core/output/json_writer.h"
#include "core/output/outputs.h"
#include "core/output/page/page_file.h"
#include "core/output/page/page_flows.h"
#include "core/output/page/page_rows.h"
#include "core/output/page/page_series.h"
#include "core/output/page/page_table.h"
#include "core/output/page/page_threads.h"

#define PAGE_SCHEMA_VERSION 1

struct html_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct page_table, owned, in the order of opening */
	struct page_series *series;	  /* owned */
	struct page_flows *flows;	  /* owned */
	struct page_threads *threads;	  /* owned */
};

static struct output *create(const struct output_place *place)
{
	struct html_output *html = g_new0(struct html_output, 1);

	html->place = place;
	html->tables = g_ptr_array_new_with_free_func((GDestroyNotify)page_table_destroy);
	html->series = page_series_create();
	html->flows = page_flows_create();
	html->threads = page_threads_create(place->spool_directory);
	return (struct output *)html;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct html_output *html = (struct html_output *)output;
	struct page_table *table;

	if (table_is_of_timeline(schema)) {
		return page_threads_open(html->threads, schema);
	}
	if (table_is_of_instances(schema)) {
		struct table_writer *series = page_series_open(html->series, schema);

		return series ? series : page_flows_open(html->flows, schema);
	}
	table = page_table_create(schema, html->place);
	g_ptr_array_add(html->tables, table);
	return page_table_writer(table);
}

static bool check(const struct output *output, GError **error)
{
	const struct html_output *html = (const struct html_output *)output;

	for (guint i = 0; i < html->tables->len; i++) {
		if (!page_table_check(g_ptr_array_index(html->tables, i), error)) {
			return false;
		}
	}
	return page_threads_check(html->threads, error);
}

/* --- the data --- */

static struct page_table *find_table(const struct html_output *html, const char *name)
{
	for (guint i = 0; name && i < html->tables->len; i++) {
		struct page_table *table = g_ptr_array_index(html->tables, i);

		if (g_str_equal(page_table_schema(table)->name, name)) {
			return table;
		}
	}
	return NULL;
}

/* Parents first. A table without its parent is one itself. */
static void choose_rows(const struct html_output *html)
{
	for (int has_parent = 0; has_parent <= 1; has_parent++) {
		for (guint i = 0; i < html->tables->len; i++) {
			struct page_table *table = g_ptr_array_index(html->tables, i);
			const struct page_table *parent = find_table(html, page_table_schema(table)->parent);

			if ((parent != NULL) == has_parent) {
				page_table_choose(table, parent);
			}
		}
	}
}

/* Whether the page has the row that a series is of. */
static bool has_row(const void *output, const struct table_schema *instances, uint64_t id)
{
	const struct page_table *table = find_table(output, instances->columns[0].id_of);

	return !table || page_table_has(table, id);
}

static void want_window(void *data, const struct page_worst *worst)
{
	const struct html_output *html = data;
	const char *main = worst->instances->columns[0].id_of;

	page_threads_want(
		html->threads, worst,
		page_flows_find(html->flows, main, worst->id, worst->at_ns, worst->at_ns + worst->duration_ns));
}

/* A report, and the recording that it is on. */
struct page_subject {
	const struct html_output *html;
	const struct report_trace *trace;
};

static void write_data(struct json_writer *json, const void *data)
{
	const struct page_subject *subject = data;
	const struct html_output *html = subject->html;
	const struct report_trace *trace = subject->trace;
	const struct page_choice choice = { has_row, html };

	json_writer_begin_object(json);
	json_writer_member_unsigned(json, "schema_version", PAGE_SCHEMA_VERSION);
	json_trace(json, trace);
	json_writer_member_texts(json, "recordings", html->place->recordings, html->place->recording_count);
	json_writer_member_texts(json, "missing", trace->missing, trace->missing_count);
	json_writer_member_array(json, "tables");
	for (guint i = 0; i < html->tables->len; i++) {
		page_table_write(g_ptr_array_index(html->tables, i), json);
	}
	json_writer_end_array(json);
	json_writer_key(json, "series");
	page_series_write(html->series, json, &choice);
	json_writer_key(json, "flows");
	page_flows_write(html->flows, json, trace->begin_ns, &choice);
	json_writer_key(json, "threads");
	page_threads_write(html->threads, json, trace->begin_ns);
	json_writer_end_object(json);
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	const struct html_output *html = (const struct html_output *)output;
	const struct page_subject subject = { html, trace };
	const struct page_choice choice = { has_row, html };

	choose_rows(html);
	if (page_threads_have_any(html->threads)) {
		page_series_each_worst(html->series, &choice, want_window, output);
		page_threads_collect(html->threads);
		if (!page_threads_check(html->threads, error)) {
			return false;
		}
	}
	page_file_write(html->place->stream, PAGE_OF_REPORT, write_data, &subject);
	return true;
}

static void destroy(struct output *output)
{
	struct html_output *html = (struct html_output *)output;

	g_ptr_array_unref(html->tables);
	page_series_destroy(html->series);
	page_flows_destroy(html->flows);
	page_threads_destroy(html->threads);
	g_free(html);
}

const struct output_class html_output = {
	.name = "html",
	.file = "report.html",
	.is_binary = true,
	.is_of_one_recording = true,
	.has_page_of_comparison = true,
	.takes_summary = true,
	.takes_instances = true,
	.takes_threads = true,
	.worst = 5,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
