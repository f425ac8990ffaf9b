/* SPDX-License-Identifier: MIT */
/*
 * The tables `hosts` (a row per host) and `host_clocks` (a row per host and piece of its clock), and the lines `clocks`
 * of the summary: how the clocks of a recording's hosts relate, as a first pass aligned them
 * (core/base/clock_alignment.h). A recording of one host has no rows.
 *
 * - offset: the host's clock minus the clock of the reference, in ns. A piece lies between two moments at which a clock
 *   was set or its rate changed; `hosts` holds the offset of the first piece.
 * - Times are those of the reference.
 * - uncertainty: by how much the offset may be wrong; empty where messages went one way only.
 *
 * Works at the end only. Memory: none but the rows that it writes.
 */
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/base/clock_alignment.h"
#include "core/base/compare_numbers.h"
#include "core/text/human_text.h"

static const struct table_column host_columns[] = {
	{ .name = "hostname", .merge = COLUMN_MERGE_KEY },
	{ .name = "reference" },
	{ .name = "offset_ns", .label = "offset", .format = COLUMN_DURATION },
	{ .name = "drift_ppm", .label = "drift ppm" },
	{ .name = "uncertainty_ns", .label = "uncertainty", .format = COLUMN_DURATION },
	{ .name = "messages_there", .label = "messages there", .merge = COLUMN_MERGE_SUM },
	{ .name = "messages_back", .label = "back", .merge = COLUMN_MERGE_SUM },
	{ .name = "offset_at_ns", .label = "offset at", .format = COLUMN_MOMENT, .role = COLUMN_ROLE_DETAIL },
	{ .name = "through", .role = COLUMN_ROLE_DETAIL },
	{ .name = "method" },
	{ .name = "times_set", .label = "times set", .role = COLUMN_ROLE_DETAIL, .merge = COLUMN_MERGE_SUM },
	{ .name = "contradictions", .role = COLUMN_ROLE_DETAIL, .merge = COLUMN_MERGE_SUM },
};

static const struct table_schema host_schema = {
	.name = "hosts",
	.title = "Clocks of the hosts",
	.selection = "hosts",
	.is_optional = true,
	.why_empty = "needs several hosts, see docs/clocks.md",
	.columns = host_columns,
	.column_count = G_N_ELEMENTS(host_columns),
};

static const struct table_column clock_columns[] = {
	{ .name = "hostname" },
	{ .name = "through" },
	{ .name = "begin_ns", .label = "from", .format = COLUMN_MOMENT },
	{ .name = "end_ns", .label = "to", .format = COLUMN_MOMENT },
	{ .name = "offset_ns", .label = "offset", .format = COLUMN_DURATION },
	{ .name = "drift_ppm", .label = "drift ppm" },
	{ .name = "uncertainty_ns", .label = "uncertainty", .format = COLUMN_DURATION },
	{ .name = "farthest_ns", .label = "at most off by", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL },
	{ .name = "messages_there", .label = "messages there" },
	{ .name = "messages_back", .label = "back" },
	{ .name = "set_by_ns", .label = "was set by", .format = COLUMN_DURATION },
};

static const struct table_schema clock_schema = {
	.name = "host_clocks",
	.title = "Clocks while none was set and none changed its rate",
	.selection = "hosts",
	.is_optional = true,
	.parent = "hosts",
	.columns = clock_columns,
	.column_count = G_N_ELEMENTS(clock_columns),
};

static const struct table_column summary_columns[] = { { .name = "text" } };

static const struct table_schema summary_schema = {
	.name = "clocks",
	.title = "Clocks",
	.selection = "hosts",
	.summary = 6,
	.columns = summary_columns,
	.column_count = G_N_ELEMENTS(summary_columns),
};

enum { TABLE_HOSTS, TABLE_CLOCKS, TABLE_SUMMARY };

struct hosts {
	const struct recording *recording;
	const struct analysis_options *options;
	const struct analysis_span *span;
};

static const char *hostname(const struct hosts *hosts, uint32_t host)
{
	return recording_host(hosts->recording, host)->hostname;
}

static struct cell known(int64_t uncertainty_ns)
{
	return uncertainty_ns == CLOCK_UNKNOWN_NS ? CELL_NONE : cell_integer(uncertainty_ns);
}

/* The evidence for the offset. */
static const char *method_of(const struct clock_relation *relation)
{
	return clock_relation_uncertainty(relation) != CLOCK_UNKNOWN_NS
		       ? "messages both ways"
		       : "messages one way: the fastest seem to take no time";
}

/* Drifts are so small that those on the way to the reference add up. */
static double drift_to_reference(const struct clock_alignment *clocks, uint32_t host)
{
	const struct aligned_host *aligned = clock_alignment_host(clocks, host);
	double drift = 0;

	for (; aligned->relation; aligned = clock_alignment_host(clocks, aligned->parent)) {
		drift += clock_relation_piece(aligned->relation, 0)->drift;
	}
	return drift;
}

/* --- rows --- */

static void write_reference(const struct hosts *hosts, uint32_t host, struct table_writer *writer)
{
	bool is_aligned = hosts->options->clocks != NULL;

	TABLE_ROW(
		writer, host_columns,
		(struct cell[]){
			cell_text(hostname(hosts, host)),
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			CELL_NONE,
			cell_text(is_aligned ? "as recorded: no message connects it with a reference" : "as recorded"),
			CELL_NONE,
			CELL_NONE,
		});
}

static void write_used_reference(const struct hosts *hosts, uint32_t host, struct table_writer *writer)
{
	TABLE_ROW(writer, host_columns,
		  (struct cell[]){
			  cell_text(hostname(hosts, host)),
			  cell_text(hostname(hosts, host)),
			  cell_integer(0),
			  cell_real(0),
			  cell_integer(0),
			  CELL_NONE,
			  CELL_NONE,
			  CELL_NONE,
			  CELL_NONE,
			  cell_text("reference"),
			  CELL_NONE,
			  CELL_NONE,
		  });
}

static void write_aligned(const struct hosts *hosts, uint32_t host, struct table_writer *writer)
{
	const struct clock_alignment *clocks = hosts->options->clocks;
	const struct aligned_host *aligned = clock_alignment_host(clocks, host);
	const struct clock_relation *relation = aligned->relation;
	uint32_t reference = clock_alignment_reference(clocks, host);
	int64_t at_ns = clock_relation_piece(relation, 0)->begin_ns;

	TABLE_ROW(writer, host_columns,
		  (struct cell[]){
			  cell_text(hostname(hosts, host)),
			  cell_text(hostname(hosts, reference)),
			  cell_integer(clock_alignment_offset(clocks, host, at_ns)),
			  cell_real(drift_to_reference(clocks, host) * 1e6),
			  known(clock_alignment_uncertainty(clocks, host, reference)),
			  cell_unsigned(relation->upper_count),
			  cell_unsigned(relation->lower_count),
			  cell_integer(at_ns),
			  cell_text(hostname(hosts, aligned->parent)),
			  cell_text(method_of(relation)),
			  cell_unsigned(clock_relation_times_set(relation)),
			  cell_unsigned(relation->contradiction_count),
		  });
}

static void write_pieces(const struct hosts *hosts, uint32_t host, struct table_writer *writer)
{
	const struct aligned_host *aligned = clock_alignment_host(hosts->options->clocks, host);

	for (guint i = 0; i < aligned->relation->pieces->len; i++) {
		const struct clock_piece *piece = clock_relation_piece(aligned->relation, i);

		TABLE_ROW(writer, clock_columns,
			  (struct cell[]){
				  cell_text(hostname(hosts, host)),
				  cell_text(hostname(hosts, aligned->parent)),
				  cell_integer(piece->begin_ns),
				  cell_integer(piece->end_ns),
				  cell_integer(clock_relation_offset(aligned->relation, piece->begin_ns)),
				  cell_real(piece->drift * 1e6),
				  known(piece->uncertainty_ns),
				  known(piece->error_ns),
				  cell_unsigned(piece->upper_count),
				  cell_unsigned(piece->lower_count),
				  piece->was_set ? cell_integer(clock_relation_step(aligned->relation, i)) : CELL_NONE,
			  });
	}
}

static char *summary_of(const struct hosts *hosts, uint32_t host)
{
	const struct clock_alignment *clocks = hosts->options->clocks;
	const struct aligned_host *aligned = clock_alignment_host(clocks, host);
	uint32_t reference = clock_alignment_reference(clocks, host);
	int64_t offset_ns = clock_alignment_offset(clocks, host, clock_relation_piece(aligned->relation, 0)->begin_ns);
	int64_t uncertainty_ns = clock_alignment_uncertainty(clocks, host, reference);
	char offset[HUMAN_TEXT_SIZE], uncertainty[HUMAN_TEXT_SIZE];

	return g_strdup_printf("%s is %s %s %s (uncertainty %s, drift %+.1f ppm%s)", hostname(hosts, host),
			       human_text_duration(offset, ABS(offset_ns)), offset_ns < 0 ? "behind" : "ahead of",
			       hostname(hosts, reference),
			       uncertainty_ns == CLOCK_UNKNOWN_NS ? "unknown"
								  : human_text_duration(uncertainty, uncertainty_ns),
			       drift_to_reference(clocks, host) * 1e6,
			       clock_relation_times_set(aligned->relation) > 0 ? ", was set meanwhile" : "");
}

static void write_host(const struct hosts *hosts, uint32_t host, struct table_writer *const *writers,
		       const bool *is_reference)
{
	const struct clock_alignment *clocks = hosts->options->clocks;

	if (clocks && clock_alignment_host(clocks, host)->relation) {
		g_autofree char *text = summary_of(hosts, host);

		write_aligned(hosts, host, writers[TABLE_HOSTS]);
		write_pieces(hosts, host, writers[TABLE_CLOCKS]);
		TABLE_ROW(writers[TABLE_SUMMARY], summary_columns, (struct cell[]){ cell_text(text) });
	} else if (is_reference[host]) {
		write_used_reference(hosts, host, writers[TABLE_HOSTS]);
	} else {
		write_reference(hosts, host, writers[TABLE_HOSTS]);
	}
}

static gint compare_hosts(gconstpointer a, gconstpointer b, gpointer data)
{
	const uint32_t *left = a, *right = b;
	int order = strcmp(hostname(data, *left), hostname(data, *right));

	return order ? order : compare_unsigned(*left, *right);
}

static uint32_t *hosts_by_name(const struct hosts *hosts)
{
	size_t count = recording_host_count(hosts->recording);
	uint32_t *order = g_new(uint32_t, count);

	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
	}
	g_qsort_with_data(order, (gint)count, sizeof(*order), compare_hosts, (gpointer)hosts);
	return order;
}

/* --- diagnostics --- */

static void diagnose_host(const struct hosts *hosts, uint32_t host, struct diagnostics *findings)
{
	const struct clock_relation *relation = clock_alignment_host(hosts->options->clocks, host)->relation;

	bool is_one_way = relation->upper_count == 0 || relation->lower_count == 0;

	for (guint i = 1; i < relation->pieces->len; i++) {
		int64_t step_ns = clock_relation_step(relation, i);
		char step[HUMAN_TEXT_SIZE], at[HUMAN_TEXT_SIZE];

		if (clock_relation_piece(relation, i)->was_set || is_one_way) {
			g_autofree char *detail = g_strdup_printf(
				"%s: %s by %s about %s", hostname(hosts, host), step_ns < 0 ? "back" : "forwards",
				human_text_duration(step, ABS(step_ns)),
				human_text_time(at, clock_relation_piece(relation, i)->from_ns));

			diagnostics_add(findings, is_one_way ? DIAGNOSTIC_CLOCK_MAY_BE_SET : DIAGNOSTIC_CLOCK_SET,
					detail, 1);
		}
	}
	if (relation->contradiction_count > 0) {
		diagnostics_add(findings, DIAGNOSTIC_CLOCK_CONTRADICTION, hostname(hosts, host),
				relation->contradiction_count);
	}
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct hosts *hosts = g_new0(struct hosts, 1);

	hosts->recording = context->recording;
	hosts->options = context->options;
	hosts->span = context->span;
	return hosts;
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct hosts *hosts = analysis;

	for (uint32_t host = 0; hosts->options->clocks && host < recording_host_count(hosts->recording); host++) {
		if (clock_alignment_host(hosts->options->clocks, host)->relation) {
			diagnose_host(hosts, host, findings);
		}
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	const struct hosts *hosts = analysis;
	size_t count = recording_host_count(hosts->recording);
	g_autofree bool *is_reference = g_new0(bool, count);
	g_autofree uint32_t *order = hosts_by_name(hosts);

	for (uint32_t host = 0; hosts->options->clocks && host < count; host++) {
		if (clock_alignment_host(hosts->options->clocks, host)->relation) {
			is_reference[clock_alignment_reference(hosts->options->clocks, host)] = true;
		}
	}
	for (size_t i = 0; count > 1 && i < count; i++) {
		write_host(hosts, order[i], writers, is_reference);
	}
}

const struct analysis_class hosts_analysis = {
	.name = "hosts",
	.tables = (const struct table_schema *const[]){ &host_schema, &clock_schema, &summary_schema, NULL },
	.create = create,
	.diagnose = diagnose,
	.write = write_tables,
	.destroy = g_free,
};
