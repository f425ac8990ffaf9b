/* SPDX-License-Identifier: MIT */
/*
 * The report as text for people (text_table.h): main tables with the rows of their tables of detail below the rows,
 * then the instances.
 */
#include "core/base/compare_numbers.h"
#include "core/output/outputs.h"
#include "core/output/text/text_headline.h"
#include "core/output/text/text_report.h"
#include "core/output/text/text_table.h"
#include "ros2bt/output/output_stream.h"

/* The tables whose parent it is, ended by NULL. */
static GPtrArray *children_of(const struct text_report *report, const struct text_report_table *table)
{
	GPtrArray *children = g_ptr_array_new();

	for (guint i = 0; i < report->tables->len; i++) {
		const struct text_report_table *child = text_report_table_at(report, i);

		if (child->kept && g_strcmp0(child->schema->parent, table->schema->name) == 0) {
			g_ptr_array_add(children, child->kept);
		}
	}
	g_ptr_array_add(children, NULL);
	return children;
}

/* Returns the number of lines. */
static size_t write_summaries(const struct text_report *report, const struct text_style *style)
{
	g_autoptr(GPtrArray) summaries = text_report_summaries(report);
	size_t lines = 0;

	for (guint i = 0; i < summaries->len; i++) {
		const struct text_report_table *table = g_ptr_array_index(summaries, i);

		lines += text_table_write_summary(table->kept, style, report->place->stream);
	}
	return lines;
}

static gint compare_sizes(gconstpointer a, gconstpointer b)
{
	const size_t *left = a, *right = b;

	return compare_unsigned(*left, *right);
}

/* How many lines the largest table may have so that all together fit: smaller tables leave it what they do not need. */
static size_t fair_share(GArray *heights, size_t lines)
{
	size_t height = 0;

	g_array_sort(heights, compare_sizes);
	for (guint i = 0; i < heights->len; i++) {
		size_t share = lines / (heights->len - i);

		height = g_array_index(heights, size_t, i);
		if (height > share) {
			return share;
		}
		lines -= height;
	}
	return height + lines;
}

static void write_tables(const struct text_report *report, size_t lines, const struct text_style *style)
{
	g_autoptr(GArray) heights = g_array_new(FALSE, FALSE, sizeof(size_t));
	size_t share;

	for (guint i = 0; i < report->tables->len; i++) {
		if (text_report_is_shown(text_report_table_at(report, i))) {
			g_autoptr(GPtrArray) children = children_of(report, text_report_table_at(report, i));
			size_t height = text_table_height(text_report_table_at(report, i)->kept,
							  (const struct text_table *const *)children->pdata);

			g_array_append_val(heights, height);
		}
	}
	share = fair_share(heights, lines);
	for (guint i = 0; i < report->tables->len; i++) {
		if (text_report_is_shown(text_report_table_at(report, i))) {
			g_autoptr(GPtrArray) children = children_of(report, text_report_table_at(report, i));

			text_table_write(text_report_table_at(report, i)->kept,
					 (const struct text_table *const *)children->pdata, share, style,
					 report->place->stream);
		}
	}
}

/* The style stays as it is now, even if the terminal gets wider: what was brief from the start has no more to show. */
static struct output *create(const struct output_place *place)
{
	struct output *output = text_report_create(place);

	((struct text_report *)output)->style =
		place->is_standard_output ? text_style_of_standard_output() : text_style_plain();
	return output;
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	const struct text_report *report = (const struct text_report *)output;
	struct table_writer *writer = text_report_open(output, schema, stream);

	writer->is_brief =
		!report->place->is_repeated && !report->place->choice.sort && text_style_is_narrow(&report->style);
	return writer;
}

static bool finish(struct output *output, const struct report_trace *trace, GError **error)
{
	struct text_report *report = (struct text_report *)output;
	struct output_stream *stream = report->place->stream;
	size_t lines;
	struct text_style style = report->style;

	if (!text_report_is_worth_it(report, trace)) {
		return true;
	}
	style.begin_ns = trace->begin_ns;
	text_report_note_left_out(report);
	lines = text_headline(stream, trace, &style);
	lines += write_summaries(report, &style);
	write_tables(report, lines < TEXT_REPORT_LINES ? TEXT_REPORT_LINES - lines : 0, &style);
	for (guint i = 0; i < report->tables->len; i++) {
		if (text_report_table_at(report, i)->spool) {
			output_stream_splice(stream, text_report_table_at(report, i)->spool);
		}
	}
	return true;
}

const struct output_class text_output = {
	.name = "text",
	.file = "report.txt",
	.takes_summary = true,
	.leaves_out_optional = true,
	.create = create,
	.open = open_table,
	.check = text_report_check,
	.finish = finish,
	.destroy = text_report_destroy,
};
