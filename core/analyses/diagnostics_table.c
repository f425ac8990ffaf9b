/* SPDX-License-Identifier: MIT */
/*
 * The table `diagnostics`, a row per fault and place, with what the session and all analyses have found so far; and the
 * lines `not_in_trace` of the summary: a count and a remedy per fault, without notes and without the places that ROS 2
 * tools hide (hidden_names.h). Faults by which figures may be wrong come before those by which something is unknown.
 * Where a release does not record something, a sentence stands for what follows from that.
 */
#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "core/analyses/shared/analysis.h"
#include "core/base/text/hidden_names.h"

struct fault {
	const char *what;
	uint64_t count;
	const char *detail; /* NULL: none */
};

struct summary {
	const char *text;
};

static bool detail_is_name(const struct cell *cells)
{
	const struct diagnostic_kind *kind = diagnostic_kind_of_name(cells[0].text);

	return !kind || !diagnostic_is_of_files(kind);
}

/* clang-format off */
#define ROW struct fault
static const struct table_column columns[] = {
	{ .name = "what", .merge = COLUMN_MERGE_KEY, .hints = HINT(.folds = "kind"), CELL_OF(what) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_OF(count) },
	{ .name = "detail", .format = COLUMN_NAME, .hints = HINT(.may_be_hidden = true, .is_name = detail_is_name),
	  CELL_OF(detail) },
};

static const struct table_schema schema = {
	TABLE("diagnostics", columns), .title = "What the trace could not tell", .selection = "diagnostics",
	.subject = SUBJECT_GAPS, .presence = PRESENT_IF_ANY_IN_TEXT,
};
#undef ROW

#define ROW struct summary
static const struct table_column summary_columns[] = { { .name = "text", CELL_OF(text) } };

static const struct table_schema summary_schema = {
	TABLE("not_in_trace", summary_columns), .title = "Not in the trace", .selection = "diagnostics",
	.subject = SUBJECT_GAPS, .kind = KIND_SUMMARY, .place = 5,
};
#undef ROW
/* clang-format on */
enum { TABLE_DIAGNOSTICS, TABLE_SUMMARY };

static void write_row(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	row_write(data, &schema, &(struct fault){ diagnostic_name(what), count, *detail ? detail : NULL });
}

/* The lines of the summary: faults come in order, a fault with all its places together. */
struct lines {
	const struct diagnostics *all;
	struct table_writer *writer;
	bool has_no_takes;    /* none was recorded */
	bool is_of_unknown;   /* the lines are those of SEVERITY_UNKNOWN; otherwise of all that is worse */
	enum diagnostic what; /* the fault that is being counted */
	uint64_t count;	      /* stops at UINT64_MAX */
	bool has_places;      /* it was found in several places */
	unsigned int written, left_out;
};

static bool is_of_takes(enum diagnostic what, const char *detail)
{
	return what == DIAGNOSTIC_MISSING_EVENTS && strcmp(detail, "ros2:rmw_take") == 0;
}

/* Whether a sentence of write_release() says it. */
static bool is_of_release(const struct lines *lines, enum diagnostic what, const char *detail)
{
	return diagnostics_is_of_release(lines->all, what, detail) ||
	       (lines->has_no_takes && (is_of_takes(what, detail) || what == DIAGNOSTIC_AMBIGUOUS_LINK));
}

static bool is_listed(const struct lines *lines, enum diagnostic what, const char *detail)
{
	const struct diagnostic_kind *kind = diagnostic_kind(what);

	return kind->severity != SEVERITY_NOTE && (kind->severity == SEVERITY_UNKNOWN) == lines->is_of_unknown &&
	       (diagnostic_is_of_files(kind) || !name_is_hidden(detail)) && !is_of_release(lines, what, detail);
}

/* Markdown to text: without the marks of code. */
static void append_plain(GString *line, const char *text)
{
	for (; *text; text++) {
		if (*text != '`') {
			g_string_append_c(line, *text);
		}
	}
}

static void lines_flush(struct lines *lines)
{
	const struct diagnostic_kind *kind = diagnostic_kind(lines->what);
	g_autoptr(GString) line = g_string_new(NULL);

	if (lines->count == 0) {
		return;
	}
	if (lines->written == SUMMARY_ROWS) {
		lines->left_out++;
		lines->count = 0;
		return;
	}
	g_string_append_printf(line, "%" PRIu64 " x %s", lines->count, kind->name);
	if (lines->what == DIAGNOSTIC_PAUSE) {
		g_string_append_printf(line, ", %s%s", lines->has_places ? "first " : "",
				       diagnostics_first(lines->all, lines->what));
	}
	if (kind->remedy[0] != '\0') {
		g_string_append(line, ": ");
		append_plain(line, kind->remedy);
	}
	row_write(lines->writer, &summary_schema, &(struct summary){ line->str });
	lines->count = 0;
	lines->written++;
}

static void lines_add(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	struct lines *lines = data;

	if (!is_listed(lines, what, detail)) {
		return;
	}
	if (what != lines->what) {
		lines_flush(lines);
		lines->what = what;
	}
	lines->has_places = lines->count > 0;
	if (__builtin_add_overflow(lines->count, count, &lines->count)) {
		lines->count = UINT64_MAX;
	}
}

/* Writes what is worse than unknown, or what is unknown. */
static void lines_write(struct lines *lines, bool is_of_unknown)
{
	lines->is_of_unknown = is_of_unknown;
	diagnostics_foreach(lines->all, lines_add, lines);
	lines_flush(lines);
}

/* --- what releases do not record: a sentence instead of counts about which nobody can do anything --- */

struct release_gaps {
	const struct diagnostics *all;
	bool has_no_takes, has_no_requests;
	uint64_t unlinked; /* messages, for want of takes */
};

static void release_gaps_add(void *data, enum diagnostic what, const char *detail, uint64_t count)
{
	struct release_gaps *gaps = data;

	if (what == DIAGNOSTIC_MISSING_EVENTS) {
		gaps->has_no_takes |= is_of_takes(what, detail);
		gaps->has_no_requests |= diagnostics_is_of_release(gaps->all, what, detail);
	} else if (what == DIAGNOSTIC_AMBIGUOUS_LINK && !name_is_hidden(detail)) {
		gaps->unlinked += MIN(count, UINT64_MAX - gaps->unlinked);
	}
}

/* Returns the number of lines. */
static unsigned int write_release(const struct release_gaps *gaps, struct table_writer *writer)
{
	g_autofree char *takes = g_strdup_printf(
		"takes of messages: releases before Humble record none, later ones do if ros2:rmw_take is enabled; "
		"messages are linked by their order where only one is possible, and %" PRIu64
		" are not; losses are unknown",
		gaps->unlinked);

	if (gaps->has_no_takes) {
		row_write(writer, &summary_schema, &(struct summary){ takes });
	}
	if (gaps->has_no_requests) {
		row_write(writer, &summary_schema,
			  &(struct summary){ "requests and responses of services: releases before Kilted record none, "
					     "later ones do if ros2:rmw_send_request, ros2:rmw_take_request, "
					     "ros2:rmw_send_response and ros2:rmw_take_response are enabled" });
	}
	return gaps->has_no_takes + gaps->has_no_requests;
}

static void write_summary(const struct diagnostics *all, struct table_writer *writer)
{
	struct release_gaps gaps = { .all = all };
	struct lines lines = { .all = all, .writer = writer };

	diagnostics_foreach(all, release_gaps_add, &gaps);
	lines.written = write_release(&gaps, writer);
	lines.has_no_takes = gaps.has_no_takes;
	lines_write(&lines, false);
	lines_write(&lines, true);
	if (lines.left_out > 0) {
		g_autofree char *text = g_strdup_printf("%u more, in the table diagnostics", lines.left_out);

		row_write(writer, &summary_schema, &(struct summary){ text });
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
