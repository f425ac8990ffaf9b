/* SPDX-License-Identifier: MIT */
#include "core/analyses/publications/publications.h"

#include "core/analyses/shared/columns.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/row_process.h"

/* What the row of a publisher has in addition to what was counted. */
struct written_row {
	const struct publication_row *counts;
	const char *topic, *node;
	const char *node_or_process;
	struct row_process process;
	struct cell rate, rate_to_end, max_gap, max_gap_at, gap_periods, silent, which;
	struct cell bytes_sum, bytes_min, bytes_mean, bytes_max;
};

/* clang-format off */
#define ROW struct written_row
static const struct table_column columns[] = {
	{ .name = "publication_id", .id_of = "publications", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(counts, id) },
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "publication", .hints = HINT(.may_be_hidden = true, .if_empty = "?"), CELL_OF(topic) },
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_OF(node_or_process) },
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(process.hostname) },
	{ COLUMN_IS_PROCESS("vpid"), CELL_OF(process.vpid) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, CELL_VIA(counts, count) },
	{ .name = "max_gap_ns", .label = "longest gap", .merge = COLUMN_MERGE_MAX, .format = COLUMN_DURATION,
	  CELL_OF(max_gap) },
	{ .name = "max_gap_at_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(max_gap_at) },
	{ .name = "period", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(counts, period) },
	{ .name = "jitter", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(counts, jitter) },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, CELL_OF(rate) },
	{ .name = "max_gap_periods", .cells = CELL_REAL, .label = "gap in periods", .hints = HINT_MARKED, CELL_OF(gap_periods) },
	{ .name = "silent_ns", .label = "silent at end", .format = COLUMN_DURATION, CELL_OF(silent) },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_VIA(counts, unknown) },
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .label = "process", .role = COLUMN_ROLE_HIDDEN,
	  CELL_OF(process.procname) },
	{ COLUMN_IS_WHICH("which", "which publisher"), CELL_OF(which) },
	{ .name = "stamp_age", .format = COLUMN_STATISTIC, .hints = HINT(.is_brief = true, .only_if_any = true),
	  CELL_VIA(counts, stamp_age) },
	{ .name = "stamp_unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(counts, stamp_unknown) },
	{ .name = "bytes_sum", .label = "bytes", .merge = COLUMN_MERGE_SUM, .format = COLUMN_BYTES,
	  .hints = HINT_ONLY_IF_ANY, CELL_OF(bytes_sum) },
	{ .name = "bytes_min", .format = COLUMN_BYTES, .role = COLUMN_ROLE_HIDDEN, CELL_OF(bytes_min) },
	{ .name = "bytes_mean", .cells = CELL_REAL, .label = "mean", .format = COLUMN_BYTES, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(bytes_mean) },
	{ .name = "bytes_max", .label = "max", .merge = COLUMN_MERGE_MAX, .format = COLUMN_BYTES,
	  .hints = HINT_ONLY_IF_ANY, CELL_OF(bytes_max) },
	{ .name = "bytes_count", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_VIA(counts, sizes.count) },
	{ COLUMN_IS_RATE_TO_END, CELL_OF(rate_to_end) },
};

static const struct table_column unwritten[] = { { .name = "known_node", .means = MEANS_NODE, CELL_OF(node) } };

static const struct table_schema schema = {
	TABLE("publications", columns), .title = "Publications: how regularly each publisher publishes",
	.selection = "publications", .presence = PRESENT_IF_ANY, .is_of_processes = true,
	.why_empty = "needs publications, which are recorded from Galactic on",
	.order = "topic node hostname vpid publication_id", UNWRITTEN(unwritten),
};
#undef ROW
/* clang-format on */

const struct table_schema *const publication_tables[] = {
	[TABLE_PUBLICATIONS] = &schema,
	[TABLE_PUBLICATION_TRACKS] = &publication_track_schema,
	[TABLE_PUBLICATION_LABELS] = &publication_label_schema,
	[TABLE_PUBLICATION_EVENTS] = &publication_event_schema,
	NULL,
};

/* When each trace ends, by its index: int64_t, the last event of a process in it. O(threads). To be freed. */
static GArray *trace_ends_of(const struct publications *publications)
{
	const struct analysis_context *context = &publications->analysis.context;
	GArray *ends = g_array_new(FALSE, TRUE, sizeof(int64_t));

	g_array_set_size(ends, (guint)recording_trace_count(context->recording));
	for (size_t i = 0; i < recording_thread_count(context->recording); i++) {
		const struct recording_thread *thread = recording_thread(context->recording, (uint32_t)i);
		int64_t *end_ns = &g_array_index(ends, int64_t, thread->trace);

		*end_ns = MAX(*end_ns, flow_linker_process_life(context->flows, thread->process).last_ns);
	}
	return ends;
}

/*
 * From the last publication to the end of the trace that has it, or of the range; empty if events may be missing there,
 * or more may follow.
 */
static struct cell silence_of(const struct publications *publications, const struct publication_row *row,
			      const GArray *trace_ends)
{
	int64_t end_ns =
		MIN(g_array_index(trace_ends, int64_t, row->trace), publications->analysis.context.span->end_ns);
	bool is_known = row->has_last && flow_linker_has_ended(publications->analysis.context.flows) &&
			end_ns >= row->last_ns && !publication_may_miss(publications, row, row->last_ns, end_ns);

	return is_known ? cell_integer(end_ns - row->last_ns) : CELL_NONE;
}

static struct cell rate_of(const struct publication_row *counts)
{
	double period_ns = duration_statistics_mean(&counts->period);

	return period_ns > 0 ? cell_real((double)NS_PER_S / period_ns) : CELL_NONE;
}

static struct cell rate_to_end(const struct written_row *row)
{
	struct duration_totals periods = duration_statistics_totals(&row->counts->period);
	double silent_ns = row->silent.type == CELL_INTEGER ? (double)row->silent.integer : 0;

	return rate_to_end_cell(periods.count + 1, int128_to_double(periods.sum_ns), silent_ns);
}

static void fill_gap(struct written_row *row)
{
	double periods = publication_gap_periods(row->counts);

	if (duration_statistics_count(&row->counts->period) > 0) {
		row->max_gap = cell_integer(row->counts->period.longest_ns);
		row->max_gap_at = cell_integer(row->counts->period.longest_at_ns);
		row->gap_periods = periods > 0 ? cell_real(periods) : CELL_NONE;
	}
}

static void fill_sizes(struct written_row *row)
{
	const struct publication_sizes *sizes = &row->counts->sizes;

	if (sizes->count > 0) {
		row->bytes_min = cell_unsigned(sizes->min_bytes);
		row->bytes_max = cell_unsigned(sizes->max_bytes);
	}
	if (sizes->count > 0 && !sizes->is_too_large) {
		row->bytes_sum = cell_unsigned(sizes->sum_bytes);
		row->bytes_mean = cell_real((double)sizes->sum_bytes / (double)sizes->count);
	}
}

static void add_row(const struct publications *publications, const struct publication_row *counts,
		    const GArray *trace_ends, struct row_list *rows)
{
	const struct analysis_context *context = &publications->analysis.context;
	const struct model_publisher *publisher = counts->publisher;
	struct written_row *row = row_list_make(rows);

	row->counts = counts;
	row->topic = publisher->topic;
	row->process = row_process_of(context->recording, publisher->process);
	row->node = object_model_publisher_node(context->model, publisher);
	row->node_or_process = row_list_keep(rows, node_or_process(row->node, row->process.process));
	row->rate = rate_of(counts);
	row->which = object_numbers_cell(context->numbers, MODEL_PUBLISHER, &publisher->object);
	fill_gap(row);
	fill_sizes(row);
	row->silent = silence_of(publications, counts, trace_ends);
	row->rate_to_end = rate_to_end(row);
}

void publication_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct publications *publications = data;
	const GPtrArray *all = publications->analysis.rows.rows;
	g_autoptr(row_list) rows = analysis_rows(&publications->analysis, &schema);
	g_autoptr(GArray) trace_ends = trace_ends_of(publications);

	for (guint i = 0; i < all->len; i++) {
		const struct publication_row *counts = all->pdata[i];

		if (counts && counts->count > 0) {
			add_row(publications, counts, trace_ends, rows);
		}
	}
	row_list_write(rows, writers[TABLE_PUBLICATIONS]);
	publication_timeline_write(publications, writers);
}
