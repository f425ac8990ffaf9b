/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/comparison_page.h"

#include <string.h>

#include "core/output/json_trace.h"
#include "core/output/page/page_file.h"
#include "core/output/page/page_histogram.h"
#include "core/output/page/page_rows.h"
#include "core/output/page/page_table.h"
#include "ros2bt/reports/change_limit.h"
#include "ros2bt/reports/comparison_tables.h"

struct comparison_page {
	const struct comparison *comparison;
	const struct comparison_subject *subject;
	const GPtrArray *tables; /* struct page_table */
};

/* --- tables --- */

/* Collects the tables of a comparison as tables of a page. */
struct page_tables {
	struct table_output output;
	struct output_place place;
	GPtrArray *tables; /* struct page_table, owned */
};

static struct table_writer *open_table(struct table_output *output, const struct table_schema *schema)
{
	struct page_tables *tables = (struct page_tables *)output;
	struct page_table *table = page_table_create(schema, &tables->place);

	g_ptr_array_add(tables->tables, table);
	return page_table_writer(table);
}

static GPtrArray *make_tables(const struct comparison *comparison)
{
	struct page_tables tables = {
		.output = { .open = open_table },
		.place = { .spool_directory = g_get_tmp_dir() },
		.tables = g_ptr_array_new_with_free_func((GDestroyNotify)page_table_destroy),
	};

	comparison_write(comparison, &tables.output);
	return tables.tables;
}

/* False with an error if some of their rows could not be kept. */
static bool check_tables(const GPtrArray *tables, GError **error)
{
	for (guint i = 0; i < tables->len; i++) {
		if (!page_table_check(g_ptr_array_index(tables, i), error)) {
			return false;
		}
	}
	return true;
}

static void write_tables(struct json_writer *json, const GPtrArray *tables)
{
	json_writer_member_array(json, "tables");
	for (guint i = 0; i < tables->len; i++) {
		struct page_table *table = g_ptr_array_index(tables, i);

		page_table_choose(table, NULL);
		page_table_write(table, json);
	}
	json_writer_end_array(json);
}

/* --- limits --- */

static void write_limit(struct json_writer *json, const struct change_limit *limit, const struct comparison *comparison)
{
	static const char *const names[] = {
		[CHANGE_KEPT] = "kept",
		[CHANGE_UNDECIDED] = "undecided",
		[CHANGE_EXCEEDED] = "exceeded",
	};
	struct change_outcome outcome = change_limit_check(limit, comparison);
	g_autofree char *text = change_limit_text(limit);
	g_autofree char *reason = change_outcome_reason(&outcome, limit);

	json_writer_begin_object(json);
	json_writer_member_text(json, "limit", text);
	json_writer_member_text(json, "verdict", names[change_outcome_verdict(&outcome)]);
	json_writer_member_unsigned(json, "decided", outcome.decided);
	json_writer_member_text_or_null(json, "reason", reason);
	json_writer_end_object(json);
}

static void write_limits(struct json_writer *json, const struct comparison_page *page)
{
	json_writer_member_array(json, "limits");
	for (guint i = 0; i < page->subject->limits->len; i++) {
		write_limit(json, &g_array_index(page->subject->limits, struct change_limit, i), page->comparison);
	}
	json_writer_end_array(json);
}

/* --- figures --- */

static const struct compared_figure *figure_at(const struct comparison *comparison, guint index)
{
	return &g_array_index(comparison->figures, struct compared_figure, index);
}

static guint count_figures(const struct comparison *comparison)
{
	return MIN(comparison->figures->len, PAGE_ROWS);
}

static void write_intervals(struct json_writer *json, const struct comparison *comparison)
{
	json_writer_member_array(json, "intervals");
	for (guint i = 0; i < count_figures(comparison); i++) {
		const struct compared_figure *figure = figure_at(comparison, i);

		json_writer_begin_array(json);
		for (int side = 0; side < COMPARISON_SIDES; side++) {
			json_writer_real(json, figure->intervals[side].low);
			json_writer_real(json, figure->intervals[side].high);
		}
		json_writer_end_array(json);
	}
	json_writer_end_array(json);
}

static void write_distribution(struct json_writer *json, const struct compared_distribution *distribution)
{
	json_writer_line_break(json);
	json_writer_begin_object(json);
	json_writer_member_text(json, "table", distribution->schema->name);
	json_writer_member_text(json, "row", distribution->row);
	json_writer_member_text(json, "statistic", distribution->statistic);
	json_writer_key(json, "before");
	page_histogram_write(json, distribution->buckets[COMPARISON_BASE]);
	json_writer_key(json, "after");
	page_histogram_write(json, distribution->buckets[COMPARISON_NEW]);
	json_writer_end_object(json);
}

/* What distributions and figures of the same statistic of a row have in common. */
static char *key_of(const struct table_schema *schema, const char *statistic, const char *row)
{
	return g_strdup_printf("%s\n%s\n%s", schema->name, statistic, row);
}

/* The statistic of "latency p99"; to be freed. NULL: the figure is of none. */
static char *statistic_of(const struct compared_figure *figure)
{
	const char *space = strrchr(figure->name, ' ');

	return space ? g_strndup(figure->name, (gsize)(space - figure->name)) : NULL;
}

static GHashTable *find_distributions(const struct comparison *comparison)
{
	GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; comparison->distributions && i < comparison->distributions->len; i++) {
		struct compared_distribution *distribution =
			&g_array_index(comparison->distributions, struct compared_distribution, i);

		g_hash_table_insert(found, key_of(distribution->schema, distribution->statistic, distribution->row),
				    distribution);
	}
	return found;
}

/* Each once, in the order of the figures. */
static void write_distributions(struct json_writer *json, const struct comparison *comparison)
{
	g_autoptr(GHashTable) found = find_distributions(comparison);
	guint written = 0;

	json_writer_member_array(json, "distributions");
	for (guint i = 0; i < count_figures(comparison) && written < COMPARISON_PAGE_DISTRIBUTIONS; i++) {
		const struct compared_figure *figure = figure_at(comparison, i);
		g_autofree char *statistic = statistic_of(figure);
		g_autofree char *key = statistic ? key_of(figure->schema, statistic, figure->row) : NULL;
		const struct compared_distribution *distribution = key ? g_hash_table_lookup(found, key) : NULL;

		if (distribution) {
			write_distribution(json, distribution);
			g_hash_table_remove(found, key);
			written++;
		}
	}
	json_writer_end_array(json);
}

/* --- the page --- */

static void write_comparison(struct json_writer *json, const struct comparison_page *page)
{
	const struct comparison_subject *subject = page->subject;

	json_writer_member_object(json, "comparison");
	json_writer_member_real(json, "least_percent", subject->least_percent);
	json_writer_member_texts(json, "before", subject->recordings[COMPARISON_BASE],
				 subject->recording_counts[COMPARISON_BASE]);
	json_writer_member_texts(json, "after", subject->recordings[COMPARISON_NEW],
				 subject->recording_counts[COMPARISON_NEW]);
	write_limits(json, page);
	write_intervals(json, page->comparison);
	write_distributions(json, page->comparison);
	json_writer_end_object(json);
}

static void write_data(struct json_writer *json, const void *data)
{
	const struct comparison_page *page = data;
	const struct report_trace *trace = page->subject->trace;

	json_writer_begin_object(json);
	json_trace(json, trace);
	json_writer_member_texts(json, "missing", trace->missing, trace->missing_count);
	write_comparison(json, page);
	write_tables(json, page->tables);
	json_writer_member_texts(json, "series", NULL, 0);
	json_writer_end_object(json);
}

bool comparison_page_write(const struct comparison *comparison, const struct comparison_subject *subject,
			   struct output_stream *stream, GError **error)
{
	g_autoptr(GPtrArray) tables = make_tables(comparison);
	const struct comparison_page page = { comparison, subject, tables };

	if (!check_tables(tables, error)) {
		return false;
	}
	page_file_write(stream, PAGE_OF_COMPARISON, write_data, &page);
	return check_tables(tables, error);
}
