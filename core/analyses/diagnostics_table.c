/* SPDX-License-Identifier: MIT */
/*
 * The table `diagnostics`, a row per fault and place, with what the session and all analyses have found so far; and the
 * line `not_in_trace` of the summary, a count per fault without the places that ROS 2 tools hide (hidden_names.h).
 */
#include <glib.h>
#include <inttypes.h>

#include "core/analyses/analyses.h"
#include "core/text/hidden_names.h"

struct fault {
	const char *what;
	uint64_t count;
	const char *detail; /* NULL: none */
};

struct summary {
	const char *text;
};

/* clang-format off */
#define ROW struct fault
static const struct table_column columns[] = {
	{ .name = "what", .merge = COLUMN_MERGE_KEY, CELL_OF(what) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
	{ .name = "detail", .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN, CELL_OF(detail) },
};

static const struct table_schema schema = {
	TABLE("diagnostics", columns), .title = "What the trace could not tell", .selection = "diagnostics",
};
#undef ROW

#define ROW struct summary
static const struct table_column summary_columns[] = { { .name = "text", CELL_OF(text) } };

static const struct table_schema summary_schema = {
	TABLE("not_in_trace", summary_columns), .title = "Not in the trace", .selection = "diagnostics", .summary = 5,
};
#undef ROW
/* clang-format on */
enum { TABLE_DIAGNOSTICS, TABLE_SUMMARY };

static void write_row(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	row_write(data, &schema, &(struct fault){ diagnostic_name(what), count, *detail ? detail : NULL });
}

/* The line of the summary: faults come in order, a fault with all its places together. */
struct line {
	GString *text;
	enum diagnostic what; /* the fault that is being counted */
	uint64_t count;	      /* stops at UINT64_MAX */
};

static void line_flush(struct line *line)
{
	if (line->count > 0) {
		g_string_append_printf(line->text, "%s%" PRIu64 " x %s", line->text->len > 0 ? ", " : "", line->count,
				       diagnostic_name(line->what));
		line->count = 0;
	}
}

static void line_add(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	struct line *line = data;

	if (name_is_hidden(detail)) {
		return;
	}
	if (what != line->what) {
		line_flush(line);
		line->what = what;
	}
	if (__builtin_add_overflow(line->count, count, &line->count)) {
		line->count = UINT64_MAX;
	}
}

static void write_summary(const struct diagnostics *all, struct table_writer *writer)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct line line = { .text = text };

	diagnostics_foreach(all, line_add, &line);
	line_flush(&line);
	if (text->len > 0) {
		row_write(writer, &summary_schema, &(struct summary){ text->str });
	}
}

/* --- the analysis --- */

static void write_table(const void *data, struct table_writer *const *writers)
{
	const struct analysis_context *context = &((const struct analysis *)data)->context;
	struct diagnostics *all = diagnostics_create();

	diagnostics_add_all(all, context->diagnostics);
	diagnostics_add_all(all, context->findings);
	diagnostics_foreach(all, write_row, writers[TABLE_DIAGNOSTICS]);
	if (writers[TABLE_SUMMARY]) {
		write_summary(all, writers[TABLE_SUMMARY]);
	}
	diagnostics_destroy(all);
}

const struct analysis_class diagnostics_analysis = {
	.name = "diagnostics",
	.tables = (const struct table_schema *const[]){ &schema, &summary_schema, NULL },
	.needs = ANALYSIS_NEEDS_EXECUTIONS | ANALYSIS_NEEDS_FLOWS | ANALYSIS_NEEDS_ANALYSES,
	.write = write_table,
};
