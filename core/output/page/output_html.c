/* SPDX-License-Identifier: MIT */
/*
 * A report as one page for a browser, which needs nothing else: styles, scripts (page_assets.h) and the data, a
 * compressed JSON text (gzip_stream.h). Only that data holds anything from the trace, and the scripts show it as text
 * only. A policy in the page (Content Security Policy) forbids requests, and all scripts and styles except those built
 * in.
 *
 *   { schema_version, trace: { hosts, …, missing }, tables: [page_table.h], series: [page_series.h] }
 *
 * Instances are reduced as they arrive. Memory: the series.
 */
#include <string.h>

#include "core/output/gzip_stream.h"
#include "core/output/json_trace.h"
#include "core/output/json_writer.h"
#include "core/output/outputs.h"
#include "core/output/page/page_assets.h"
#include "core/output/page/page_series.h"
#include "core/output/page/page_table.h"
#include "ros2bt/output/output_stream.h"

#define PAGE_SCHEMA_VERSION 1

struct html_output {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct page_table, owned, in the order of opening */
	struct page_series *series;	  /* owned */
};

#define ASSET_ADDRESS(name) page_asset_##name,

static const char *const styles[] = { PAGE_STYLES(ASSET_ADDRESS) NULL };
static const char *const licences[] = { PAGE_LICENCES(ASSET_ADDRESS) NULL };
static const char *const scripts[] = { PAGE_SCRIPTS(ASSET_ADDRESS) NULL };

static void destroy_table(gpointer table)
{
	page_table_destroy(table);
}

static struct output *create(const struct output_place *place)
{
	struct html_output *html = g_new0(struct html_output, 1);

	html->place = place;
	html->tables = g_ptr_array_new_with_free_func(destroy_table);
	html->series = page_series_create();
	return (struct output *)html;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	struct html_output *html = (struct html_output *)output;
	struct page_table *table;

	if (table_is_of_instances(schema)) {
		return page_series_open(html->series, schema);
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
	return true;
}

/* --- the parts of the page --- */

static void write_assets(struct output_stream *stream, const char *const *assets)
{
	for (size_t i = 0; assets[i]; i++) {
		output_stream_text(stream, assets[i]);
	}
}

static void write_styles(const struct html_output *html, const struct report_trace *trace)
{
	write_assets(html->place->stream, styles);
}

static void write_scripts(const struct html_output *html, const struct report_trace *trace)
{
	write_assets(html->place->stream, scripts);
}

/* As the licences require. */
static void write_licences(const struct html_output *html, const struct report_trace *trace)
{
	write_assets(html->place->stream, licences);
}

/* The hash by which a policy names the contents of an element. */
static void write_hash(struct output_stream *stream, const char *const *assets)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize size = sizeof(digest);
	g_autofree char *text = NULL;

	for (size_t i = 0; assets[i]; i++) {
		g_checksum_update(checksum, (const guchar *)assets[i], -1);
	}
	g_checksum_get_digest(checksum, digest, &size);
	text = g_base64_encode(digest, size);
	output_stream_text(stream, "'sha256-");
	output_stream_text(stream, text);
	output_stream_text(stream, "'");
}

static void write_policy(const struct html_output *html, const struct report_trace *trace)
{
	struct output_stream *stream = html->place->stream;

	output_stream_text(stream, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
				   "img-src data:; script-src ");
	write_hash(stream, scripts);
	output_stream_text(stream, "; style-src ");
	write_hash(stream, styles);
	output_stream_text(stream, "\">");
}

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

static void write_data(const struct html_output *html, const struct report_trace *trace)
{
	struct gzip_stream *gzip = gzip_stream_create(html->place->stream);
	struct json_writer json;

	choose_rows(html);
	json_writer_init(&json, gzip_stream_input(gzip));
	json_writer_begin_object(&json);
	json_writer_key(&json, "schema_version");
	json_writer_unsigned(&json, PAGE_SCHEMA_VERSION);
	json_trace(&json, trace);
	json_writer_key(&json, "missing");
	json_writer_begin_array(&json);
	for (size_t i = 0; i < trace->missing_count; i++) {
		json_writer_text(&json, trace->missing[i]);
	}
	json_writer_end_array(&json);
	json_writer_key(&json, "tables");
	json_writer_begin_array(&json);
	for (guint i = 0; i < html->tables->len; i++) {
		page_table_write(g_ptr_array_index(html->tables, i), &json);
	}
	json_writer_end_array(&json);
	json_writer_key(&json, "series");
	page_series_write(html->series, &json, has_row, html);
	json_writer_end_object(&json);
	gzip_stream_finish(gzip);
	gzip_stream_destroy(gzip);
}

/* The comment in the page that each part replaces. */
static const struct part {
	const char *mark;
	void (*write)(const struct html_output *html, const struct report_trace *trace);
} parts[] = {
	{ "<!--policy-->", write_policy }, { "<!--style-->", write_styles },   { "<!--licences-->", write_licences },
	{ "<!--data-->", write_data },	   { "<!--script-->", write_scripts },
};

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	const struct html_output *html = (const struct html_output *)output;
	struct output_stream *stream = html->place->stream;
	const char *rest = page_asset_html;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *mark = strstr(rest, parts[i].mark);

		g_assert(mark);
		output_stream_bytes(stream, rest, (size_t)(mark - rest));
		parts[i].write(html, trace);
		rest = mark + strlen(parts[i].mark);
	}
	output_stream_text(stream, rest);
	return true;
}

static void destroy(struct output *output)
{
	struct html_output *html = (struct html_output *)output;

	g_ptr_array_unref(html->tables);
	page_series_destroy(html->series);
	g_free(html);
}

const struct output_class html_output = {
	.name = "html",
	.file = "report.html",
	.is_binary = true,
	.is_of_one_recording = true,
	.takes_summary = true,
	.takes_instances = true,
	.worst = 5,
	.create = create,
	.open = open_table,
	.check = check,
	.finish = finish,
	.destroy = destroy,
};
