/* SPDX-License-Identifier: MIT */
/*
 * The tables `hosts` (a row per host) and `host_clocks` (a row per host and piece of its clock), and the lines `clocks`
 * of the summary: how the clocks of a recording's hosts relate, as a first pass aligned them
 * (core/clocks/clock_alignment.h). A recording of one host has no rows.
 *
 * - offset: the host's clock minus the clock of the reference, in ns. A piece lies between two moments at which a clock
 *   was set or its rate changed; `hosts` holds the offset of the first piece.
 * - Times are those of the reference.
 * - uncertainty: by how much the offset may be wrong; empty where messages went one way only.
 *
 * Works at the end only. Memory: none but the rows that it writes.
 */
#include "core/analyses/shared/analysis.h"
#include "core/base/text/human_text.h"
#include "core/clocks/clock_alignment.h"
#include "core/tables/row_list.h"

struct host_row {
	const char *hostname, *method;
	struct cell reference, offset, drift, uncertainty, messages_there, messages_back, offset_at, through, times_set,
		contradictions;
	const char *summary; /* NULL: none */
};

/* clang-format off */
#define ROW struct host_row
static const struct table_column host_columns[] = {
	{ .name = "hostname", .means = MEANS_HOST, .merge = COLUMN_MERGE_KEY, CELL_OF(hostname) },
	{ .name = "reference", .cells = CELL_TEXT, CELL_OF(reference) },
	{ .name = "offset_ns", .label = "offset", .format = COLUMN_DURATION, CELL_OF(offset) },
	{ .name = "drift_ppm", .cells = CELL_REAL, .label = "drift ppm", CELL_OF(drift) },
	{ .name = "uncertainty_ns", .label = "uncertainty", .format = COLUMN_DURATION, CELL_OF(uncertainty) },
	{ .name = "messages_there", .label = "messages there", .merge = COLUMN_MERGE_SUM, CELL_OF(messages_there) },
	{ .name = "messages_back", .label = "back", .merge = COLUMN_MERGE_SUM, CELL_OF(messages_back) },
	{ .name = "offset_at_ns", .label = "offset at", .format = COLUMN_MOMENT, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(offset_at) },
	{ .name = "through", .cells = CELL_TEXT, .role = COLUMN_ROLE_DETAIL, CELL_OF(through) },
	{ .name = "method", CELL_OF(method) },
	{ .name = "times_set", .label = "times set", .role = COLUMN_ROLE_DETAIL, .merge = COLUMN_MERGE_SUM,
	  CELL_OF(times_set) },
	{ .name = "contradictions", .role = COLUMN_ROLE_DETAIL, .merge = COLUMN_MERGE_SUM, CELL_OF(contradictions) },
};

static const struct table_schema host_schema = {
	TABLE("hosts", host_columns), .title = "Clocks of the hosts", .selection = "hosts", .presence = PRESENT_IF_ANY,
	.why_empty = "needs several hosts, see docs/clocks.md", .order = "hostname",
};
#undef ROW

struct clock_row {
	const char *hostname, *through;
	int64_t begin_ns, end_ns, offset_ns;
	double drift_ppm;
	struct cell uncertainty, farthest;
	uint64_t messages_there, messages_back;
	struct cell set_by;
};

#define ROW struct clock_row
static const struct table_column clock_columns[] = {
	{ .name = "hostname", .means = MEANS_HOST, CELL_OF(hostname) },
	{ .name = "through", CELL_OF(through) },
	{ .name = "begin_ns", .label = "from", .format = COLUMN_MOMENT, CELL_OF(begin_ns) },
	{ .name = "end_ns", .label = "to", .format = COLUMN_MOMENT, CELL_OF(end_ns) },
	{ .name = "offset_ns", .label = "offset", .format = COLUMN_DURATION, CELL_OF(offset_ns) },
	{ .name = "drift_ppm", .cells = CELL_REAL, .label = "drift ppm", CELL_OF(drift_ppm) },
	{ .name = "uncertainty_ns", .label = "uncertainty", .format = COLUMN_DURATION, CELL_OF(uncertainty) },
	{ .name = "farthest_ns", .label = "at most off by", .format = COLUMN_DURATION, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(farthest) },
	{ .name = "messages_there", .label = "messages there", CELL_OF(messages_there) },
	{ .name = "messages_back", .label = "back", CELL_OF(messages_back) },
	{ .name = "set_by_ns", .label = "was set by", .format = COLUMN_DURATION, CELL_OF(set_by) },
};

static const struct table_schema clock_schema = {
	TABLE("host_clocks", clock_columns), .title = "Clocks while none was set and none changed its rate",
	.selection = "hosts", .presence = PRESENT_IF_ANY, .kind = KIND_DETAIL, .parent = "hosts", .order = "hostname",
};
#undef ROW

static const struct table_column summary_columns[] = { { .name = "text" } };

static const struct table_schema summary_schema = {
	.name = "clocks", .columns = summary_columns, .column_count = G_N_ELEMENTS(summary_columns), .title = "Clocks",
	.selection = "hosts", .kind = KIND_SUMMARY, .place = 6,
};
/* clang-format on */

enum { TABLE_HOSTS, TABLE_CLOCKS, TABLE_SUMMARY };

static const char *hostname(const struct analysis_context *context, uint32_t host)
{
	return recording_host(context->recording, host)->hostname;
}

/* NULL: the clock of the host is no other one's. */
static const struct clock_relation *relation_of(const struct analysis_context *context, uint32_t host)
{
	const struct clock_alignment *clocks = context->options->clocks;

	return clocks ? clock_alignment_host(clocks, host)->relation : NULL;
}

static struct cell known(int64_t uncertainty_ns)
{
	return uncertainty_ns == CLOCK_UNKNOWN_NS ? CELL_NONE : cell_integer(uncertainty_ns);
}

/* The evidence for the offset. */
static const char *method_of(const struct clock_relation *relation)
{
	if (relation->upper_count == 0 || relation->lower_count == 0) {
		return "messages one way: the fastest seem to take no time";
	}
	return clock_relation_uncertainty(relation) != CLOCK_UNKNOWN_NS ? "messages both ways"
									: "too few messages both ways for a bound";
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

static void add_pieces(const struct analysis_context *context, uint32_t host, struct row_list *rows)
{
	const struct aligned_host *aligned = clock_alignment_host(context->options->clocks, host);

	for (guint i = 0; i < aligned->relation->pieces->len; i++) {
		const struct clock_piece *piece = clock_relation_piece(aligned->relation, i);

		*(struct clock_row *)row_list_make(rows) = (struct clock_row){
			.hostname = hostname(context, host),
			.through = hostname(context, aligned->parent),
			.begin_ns = piece->begin_ns,
			.end_ns = piece->end_ns,
			.offset_ns = clock_relation_offset(aligned->relation, piece->begin_ns),
			.drift_ppm = piece->drift * 1e6,
			.uncertainty = known(piece->uncertainty_ns),
			.farthest = known(piece->error_ns),
			.messages_there = piece->upper_count,
			.messages_back = piece->lower_count,
			.set_by = piece->was_set ? cell_integer(clock_relation_step(aligned->relation, i)) : CELL_NONE,
		};
	}
}

static char *summary_of(const struct host_row *row)
{
	int64_t offset_ns = row->offset.integer;
	char offset[HUMAN_TEXT_SIZE], uncertainty[HUMAN_TEXT_SIZE];

	return g_strdup_printf(
		"%s is %s %s %s (uncertainty %s, drift %+.1f ppm%s)", row->hostname,
		human_text_duration(offset, ABS(offset_ns)), offset_ns < 0 ? "behind" : "ahead of", row->reference.text,
		row->uncertainty.type == CELL_EMPTY ? "unknown"
						    : human_text_duration(uncertainty, row->uncertainty.integer),
		row->drift.real, row->times_set.unsigned_integer > 0 ? ", was set meanwhile" : "");
}

static void add_aligned(const struct analysis_context *context, uint32_t host, struct row_list *rows)
{
	const struct clock_alignment *clocks = context->options->clocks;
	const struct aligned_host *aligned = clock_alignment_host(clocks, host);
	const struct clock_relation *relation = aligned->relation;
	uint32_t reference = clock_alignment_reference(clocks, host);
	int64_t at_ns = clock_relation_piece(relation, 0)->begin_ns;
	struct host_row *row = row_list_make(rows);

	*row = (struct host_row){
		.hostname = hostname(context, host),
		.method = method_of(relation),
		.reference = cell_text(hostname(context, reference)),
		.offset = cell_integer(clock_alignment_offset(clocks, host, at_ns)),
		.drift = cell_real(drift_to_reference(clocks, host) * 1e6),
		.uncertainty = known(clock_alignment_uncertainty(clocks, host, reference)),
		.messages_there = cell_unsigned(relation->upper_count),
		.messages_back = cell_unsigned(relation->lower_count),
		.offset_at = cell_integer(at_ns),
		.through = cell_text(hostname(context, aligned->parent)),
		.times_set = cell_unsigned(clock_relation_times_set(relation)),
		.contradictions = cell_unsigned(relation->contradiction_count),
	};
	row->summary = row_list_keep(rows, summary_of(row));
}

static bool is_reference(const struct analysis_context *context, uint32_t host)
{
	for (uint32_t i = 0; i < recording_host_count(context->recording); i++) {
		if (relation_of(context, i) && clock_alignment_reference(context->options->clocks, i) == host) {
			return true;
		}
	}
	return false;
}

/* A host whose times are as it recorded them. */
static void add_recorded(const struct analysis_context *context, uint32_t host, struct row_list *rows)
{
	struct host_row *row = row_list_make(rows);

	row->hostname = hostname(context, host);
	if (is_reference(context, host)) {
		row->reference = cell_text(row->hostname);
		row->offset = row->uncertainty = cell_integer(0);
		row->drift = cell_real(0);
		row->method = "reference";
	} else {
		row->method = context->options->clocks ? "as recorded: no message connects it with a reference"
						       : "as recorded";
	}
}

/* --- diagnostics --- */

static void diagnose_host(const struct analysis_context *context, uint32_t host, struct diagnostics *findings)
{
	const struct clock_relation *relation = relation_of(context, host);
	bool is_one_way = relation->upper_count == 0 || relation->lower_count == 0;

	for (guint i = 1; i < relation->pieces->len; i++) {
		int64_t step_ns = clock_relation_step(relation, i);
		char step[HUMAN_TEXT_SIZE], at[HUMAN_TEXT_SIZE];

		if (clock_relation_piece(relation, i)->was_set || is_one_way) {
			g_autofree char *detail = g_strdup_printf(
				"%s: %s by %s about %s", hostname(context, host), step_ns < 0 ? "back" : "forwards",
				human_text_duration(step, ABS(step_ns)),
				human_text_time(at, clock_relation_piece(relation, i)->from_ns));

			diagnostics_add(findings, is_one_way ? DIAGNOSTIC_CLOCK_MAY_BE_SET : DIAGNOSTIC_CLOCK_SET,
					detail, 1);
		}
	}
	if (relation->contradiction_count > 0) {
		diagnostics_add(findings, DIAGNOSTIC_CLOCK_CONTRADICTION, hostname(context, host),
				relation->contradiction_count);
	}
}

/* --- the analysis --- */

static void diagnose(const void *data, struct diagnostics *findings)
{
	const struct analysis_context *context = &((const struct analysis *)data)->context;

	for (uint32_t host = 0; host < recording_host_count(context->recording); host++) {
		if (relation_of(context, host)) {
			diagnose_host(context, host, findings);
		}
	}
}

static void write_tables(const void *data, struct table_writer *const *writers)
{
	const struct analysis_context *context = &((const struct analysis *)data)->context;
	g_autoptr(row_list) hosts = row_list_create(&host_schema);
	g_autoptr(row_list) pieces = row_list_create(&clock_schema);
	size_t count = recording_host_count(context->recording);

	for (uint32_t host = 0; count > 1 && host < count; host++) {
		if (relation_of(context, host)) {
			add_aligned(context, host, hosts);
			add_pieces(context, host, pieces);
		} else {
			add_recorded(context, host, hosts);
		}
	}
	row_list_write(hosts, writers[TABLE_HOSTS]);
	row_list_write(pieces, writers[TABLE_CLOCKS]);
	for (guint i = 0; i < row_list_count(hosts); i++) {
		const struct host_row *row = row_list_at(hosts, i);

		if (row->summary) {
			TABLE_ROW(writers[TABLE_SUMMARY], summary_columns, (struct cell[]){ cell_text(row->summary) });
		}
	}
}

const struct analysis_class hosts_analysis = {
	.name = "hosts",
	.tables = (const struct table_schema *const[]){ &host_schema, &clock_schema, &summary_schema, NULL },
	.diagnose = diagnose,
	.write = write_tables,
};
