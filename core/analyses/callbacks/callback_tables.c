/* SPDX-License-Identifier: MIT */
#include "core/analyses/callbacks/callbacks.h"

#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/columns.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/row_process.h"
#include "core/analyses/shared/final_silence.h"
#include "core/base/text/hidden_names.h"
#include "core/tables/row_list.h"

/* Rows of callbacks that never ran are only counted. */
#define HINT_NEVER_RAN HINT_IDLE("never ran")
#define HINT_NEXT_IF_EMPTY HINT(.next_if_empty = true)
#define HINT_SOURCE HINT(.next_if_empty = true, .may_be_hidden = true)

struct written_row {
	struct model_callback *callback;
	const struct callback_row *counts; /* zeros: it never ran */
	bool has_run;
	uint64_t id;
	struct row_process process;
	struct model_callback_info info;
	const char *kind, *source_name; /* NULL: none, or a period */
	struct cell source, address, rate, rate_to_end;
	uint64_t incomplete, deferred;
	const char *which; /* object_numbers_callback() */
	/* In a summary: */
	const char *name; /* the node, or else the process */
	double total_ns;
	struct cell share, p99;
};

static struct cell kind_number(const void *data)
{
	return cell_integer(((const struct written_row *)data)->info.kind);
}

static struct cell id_of_run(const void *data)
{
	const struct written_row *row = data;

	return row->has_run ? cell_unsigned(row->id) : CELL_NONE;
}

/* clang-format off */
#define ROW struct written_row
static const struct table_column columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	COLUMNS_OF_PROCESS(process),
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP,
	  .budget = "callback", .proposed = PROPOSED_ALWAYS, .hints = HINT_MAY_BE_HIDDEN, CELL_OF(info.node) },
	{ .name = "kind", .means = MEANS_KIND, .merge = COLUMN_MERGE_KEY, .proposed = PROPOSED_ALWAYS, CELL_OF(kind) },
	{ .name = "source", .means = MEANS_SOURCE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION,
	  .budget = "callback", .proposed = PROPOSED_ALWAYS, .hints = HINT_SOURCE, CELL_OF(source) },
	{ .name = "symbol", .means = MEANS_SYMBOL, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "callback", .role = COLUMN_ROLE_DETAIL, .hints = HINT_NEXT_IF_EMPTY, CELL_OF(info.symbol) },
	{ .name = "callback", .means = MEANS_CALLBACK, .role = COLUMN_ROLE_HIDDEN, CELL_OF(address) },
	{ .name = "count", .means = MEANS_COUNT, .merge = COLUMN_MERGE_SUM, .hints = HINT_NEVER_RAN,
	  CELL_VIA(counts, count) },
	{ .name = "incomplete", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_NEVER_RAN,
	  CELL_OF(incomplete) },
	{ .name = "duration", .means = MEANS_DURATION, .format = COLUMN_STATISTIC, .counted_by = "count",
	  .lacks = "doubtful", CELL_VIA(counts, duration) },
	{ .name = "period", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(counts, period) },
	{ .name = "gap", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(counts, gap) },
	{ .name = "doubtful", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_NEVER_RAN,
	  CELL_VIA(counts, doubtful) },
	{ .name = "rate_hz", .means = MEANS_RATE, .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL,
	  CELL_OF(rate) },
	{ .name = "deferred", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_NEVER_RAN, CELL_OF(deferred) },
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) },
	{ COLUMN_IS_RATE_TO_END, CELL_OF(rate_to_end) },
};

static const struct table_column unwritten[] = {
	{ .name = "topic", .means = MEANS_TOPIC, CELL_OF(source_name) },
	{ .name = "has_run", CELL_OF(has_run) },
	{ .name = "kind_number", CELL_BY(kind_number) },
	{ .name = "source_name", CELL_OF(source_name) },
	{ .name = "period_ns", CELL_OF(info.period_ns) },
	{ .name = "address", CELL_VIA(callback, address) },
	{ .name = "id_of_run", CELL_BY(id_of_run) },
	{ .name = "longest_ns", CELL_VIA(counts, duration.longest_ns) },
};

/* Callbacks that never ran get their ids in this order, so it is not that of the schema. */
#define ORDER \
	"hostname procname vpid node -has_run -duration kind_number source_name period_ns symbol address id_of_run"

static const struct table_schema schema = {
	TABLE("callbacks", columns), .title = "Callbacks", .selection = "callbacks", .subject = SUBJECT_CALLBACKS,
	UNWRITTEN(unwritten),
	.is_of_processes = true,
};

/* A callback in a summary. */
#define COLUMNS_OF_CALLBACK \
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(name) }, \
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(process.hostname) }, \
	{ COLUMN_IS_PROCESS("vpid"), CELL_OF(process.vpid) }, \
	{ .name = "kind", .means = MEANS_KIND, .merge = COLUMN_MERGE_KEY, CELL_OF(kind) }, \
	{ .name = "source", .means = MEANS_SOURCE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION, \
	  CELL_OF(source) }, \
	{ COLUMN_IS_WHICH("which", "which"), CELL_OF(which) }

static const struct table_column busiest_columns[] = {
	COLUMNS_OF_CALLBACK,
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, CELL_OF(rate) },
	{ .name = "total_ns", .label = "total", .format = COLUMN_DURATION, CELL_OF(total_ns) },
	{ .name = "share_percent", .label = "of the time", .format = COLUMN_PERCENT, CELL_OF(share) },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_OF(p99) },
};

static const struct table_schema busiest_schema = {
	TABLE("busiest_callbacks", busiest_columns), .title = "Busiest callbacks", .selection = "callbacks", .kind = KIND_SUMMARY, .place = 3,
};

static const struct table_column longest_columns[] = {
	COLUMNS_OF_CALLBACK,
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION,
	  CELL_VIA(counts, duration.longest_ns) },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_VIA(counts, duration.longest_at_ns) },
	{ .name = "p99_ns", .label = "p99", .format = COLUMN_DURATION, CELL_OF(p99) },
};

static const struct table_schema longest_schema = {
	TABLE("longest_executions", longest_columns), .title = "Longest executions", .selection = "callbacks",
	.kind = KIND_SUMMARY, .place = 4,
};
#undef ROW

struct instance {
	struct cell callback_id, vtid, start, end, duration, doubtful, start_cpu, end_cpu;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", CELL_OF(callback_id) },
	{ .name = "vtid", .means = MEANS_THREAD, CELL_OF(vtid) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION, CELL_OF(duration) },
	{ .name = "doubtful", CELL_OF(doubtful) },
	{ .name = "start_cpu", CELL_OF(start_cpu) },
	{ .name = "end_cpu", CELL_OF(end_cpu) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("callback_instances", instance_columns), .title = "Callback executions", .selection = "callbacks",
	.kind = KIND_INSTANCES,
};
#undef ROW

struct worst_row {
	uint64_t callback_id, rank;
	struct cell thread;
	int64_t start_ns, duration_ns;
};

#define ROW struct worst_row
static const struct table_column worst_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_OF(callback_id) },
	{ .name = "rank", .means = MEANS_RANK, CELL_OF(rank) },
	{ .name = "vtid", .means = MEANS_THREAD, .label = "thread", CELL_OF(thread) },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT, CELL_OF(start_ns) },
	{ .name = "duration_ns", .label = "duration", .format = COLUMN_DURATION, CELL_OF(duration_ns) },
};

static const struct table_schema worst_schema = {
	TABLE("worst_executions", worst_columns), .title = "Worst executions", .selection = "callbacks",
	.parent = "callbacks", .kind = KIND_WORST,
};
#undef ROW

const struct table_schema *const callback_tables[] = {
	[TABLE_CALLBACKS] = &schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_BUSIEST] = &busiest_schema,
	[TABLE_LONGEST] = &longest_schema,
	[TABLE_WORST] = &worst_schema,
	NULL,
};
/* clang-format on */

static bool is_chosen(const struct callbacks *callbacks, struct model_callback *callback)
{
	return callback_is_chosen(callbacks->analysis.context.options, callbacks->analysis.context.model, callback);
}

static struct cell thread_cell(const struct callbacks *callbacks, uint32_t thread)
{
	return vtid_cell(recording_thread(callbacks->analysis.context.recording, thread));
}

static struct cell stream_cell(const struct callbacks *callbacks, uint16_t stream)
{
	return cpu_cell(callbacks->analysis.context.recording, stream);
}

static void write_instance(const struct callbacks *callbacks, const struct instance *instance)
{
	row_write(callbacks->analysis.writers[TABLE_INSTANCES], &instance_schema, instance);
}

void callback_tables_write_instance(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct execution *execution, enum execution_outcome outcome)
{
	bool has_start = outcome != EXECUTION_WITHOUT_START, has_end = outcome != EXECUTION_WITHOUT_END;

	if (is_chosen(callbacks, execution->callback)) {
		write_instance(callbacks,
			       &(struct instance){
				       .callback_id = cell_unsigned(row->id),
				       .vtid = thread_cell(callbacks, execution->thread),
				       .start = has_start ? cell_integer(execution->start_ns) : CELL_NONE,
				       .end = has_end ? cell_integer(execution->end_ns) : CELL_NONE,
				       .duration = has_start && has_end
							   ? cell_integer(execution->end_ns - execution->start_ns)
							   : CELL_NONE,
				       .doubtful = cell_integer(outcome == EXECUTION_DOUBTFUL),
				       .start_cpu = has_start ? stream_cell(callbacks, execution->stream) : CELL_NONE,
				       .end_cpu = has_end ? stream_cell(callbacks, execution->end_stream) : CELL_NONE,
			       });
	}
}

void callback_tables_write_inferred(const struct callbacks *callbacks, const struct callback_row *row,
				    const struct inferred_execution *execution)
{
	if (is_chosen(callbacks, execution->callback)) {
		write_instance(callbacks, &(struct instance){
						  .callback_id = cell_unsigned(row->id),
						  .vtid = thread_cell(callbacks, execution->thread),
						  .start = cell_integer(execution->start_ns),
						  .doubtful = cell_integer(0),
					  });
	}
}

/* --- rows --- */

static void add_row(const struct callbacks *callbacks, uint32_t index, struct row_list *rows)
{
	static const struct callback_row never_ran;
	const struct analysis_context *context = &callbacks->analysis.context;
	struct model_callback *callback = object_model_callback_at(context->model, index);
	const struct callback_row *counts = slot_get(callbacks->analysis.rows.rows, index);
	struct written_row *row = row_list_make(rows);

	row->callback = callback;
	row->has_run = counts != NULL;
	row->counts = counts ? counts : &never_ran;
	row->id = row->counts->id;
	row->process = row_process_of(context->recording, callback->process);
	row->info = *object_model_callback_info(context->model, callback);
	row->source_name = callback_source(&row->info);
}

/* Those that never ran have none if they are only counted, unless filters are to remember their names. */
static void add_rows(const struct callbacks *callbacks, struct row_list *rows, struct table_writer *writer)
{
	bool only_counts_idle = writer->only_counts_idle && analysis_is_about_all(&callbacks->analysis);
	size_t count = object_model_callback_count(callbacks->analysis.context.model);

	for (uint32_t i = 0; i < count; i++) {
		if (!only_counts_idle || slot_get(callbacks->analysis.rows.rows, i)) {
			add_row(callbacks, i, rows);
		}
	}
	writer->idle = count - row_list_count(rows);
}

/* How often a callback starts; empty where no period was measured. */
static struct cell start_rate_cell(const struct callback_row *row)
{
	double period_ns = duration_statistics_mean(&row->period);

	return period_ns > 0 ? cell_real((double)NS_PER_S / period_ns) : CELL_NONE;
}

/* Its last start may lie outside of the range. */
static struct cell rate_to_end(const struct written_row *row, const struct final_silence *silence)
{
	struct duration_totals periods = duration_statistics_totals(&row->counts->period);
	double silent_ns = final_silence_of(silence, row->callback->process, row->counts->last_start_ns);

	return rate_to_end_cell(periods.count + 1, int128_to_double(periods.sum_ns), silent_ns);
}

/* What hides rows, beside what orders them. */
static void judge_row(const struct callbacks *callbacks, struct written_row *row)
{
	const struct callback_row *counts = row->counts;
	bool is_deferred = executions_is_deferred(callbacks->analysis.context.executions, row->callback);

	row->source = row->info.has_period ? cell_integer(row->info.period_ns) : cell_text(row->source_name);
	row->incomplete = counts->without_start + (is_deferred ? 0 : counts->without_end);
	row->deferred = is_deferred ? counts->without_end : 0;
}

/* All else that is written. */
static void fill_row(const struct callbacks *callbacks, struct written_row *row, const struct final_silence *silence,
		     struct row_list *rows)
{
	row->kind = callback_kind_name(row->info.kind);
	row->address = row->info.kind == CALLBACK_KIND_INFERRED ? CELL_NONE : cell_address(row->callback->address);
	row->rate = start_rate_cell(row->counts);
	row->rate_to_end = rate_to_end(row, silence);
	row->which = row_list_keep(rows, object_numbers_callback(callbacks->analysis.context.numbers, row->callback));
}

static void write_worst(const struct callbacks *callbacks, const struct callback_row *row, struct table_writer *writer)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(row->worst, &count);

	for (size_t i = 0; writer && i < count; i++) {
		const struct worst_execution *execution = worst[i].kept;

		row_write(writer, &worst_schema,
			  &(struct worst_row){
				  .callback_id = row->id,
				  .rank = i + 1,
				  .thread = thread_cell(callbacks, execution->thread),
				  .start_ns = worst[i].start_ns,
				  .duration_ns = worst[i].duration_ns,
			  });
	}
}

/* All rows, also those that the report is not about. */
static void note_starts(struct final_silence *silence, const struct row_list *rows)
{
	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct written_row *row = row_list_at(rows, i);

		final_silence_note(silence, row->callback->process, row->counts->last_start_ns);
	}
}

/* The rows that the report is about, sorted. */
static struct row_list *rows_of(const struct callbacks *callbacks, struct final_silence *silence,
				struct table_writer *writer)
{
	uint64_t next_id = callback_ids_count(callbacks->analysis.context.callback_ids);
	struct row_list *rows = analysis_rows(&callbacks->analysis, &schema);

	add_rows(callbacks, rows, writer);
	row_list_sort(rows, ORDER);
	for (guint i = 0; i < row_list_count(rows); i++) {
		struct written_row *row = row_list_at(rows, i);

		row->id = row->has_run ? row->id : next_id++;
	}
	note_starts(silence, rows);
	row_list_choose(rows);
	for (guint i = 0; i < row_list_count(rows); i++) {
		judge_row(callbacks, row_list_at(rows, i));
	}
	return rows;
}

static void write_rows(const struct callbacks *callbacks, const struct row_list *rows,
		       const struct final_silence *silence, struct table_writer *const *writers)
{
	g_autoptr(row_list) written = row_list_create(&schema);

	for (guint i = 0; i < row_list_count(rows); i++) {
		row_list_add(written, row_list_at(rows, i));
	}
	row_list_leave_out(written, writers[TABLE_CALLBACKS]);
	for (guint i = 0; i < row_list_count(written); i++) {
		struct written_row *row = row_list_at(written, i);

		fill_row(callbacks, row, silence, written);
		row_write(writers[TABLE_CALLBACKS], &schema, row);
		write_worst(callbacks, row->counts, writers[TABLE_WORST]);
	}
}

/* --- summaries --- */

/* Whether it has durations, and its names are not hidden. */
static bool is_of_summary(const struct written_row *row)
{
	return row->counts->count > 0 && row->info.kind != CALLBACK_KIND_INFERRED &&
	       !(row->info.node && name_is_hidden(row->info.node)) &&
	       !(row->source_name && name_is_hidden(row->source_name));
}

static struct cell time_share_cell(const struct callbacks *callbacks, const struct written_row *row)
{
	const struct analysis_span *span = callbacks->analysis.context.span;
	double span_ns = time_between(span->begin_ns, span->end_ns), covered_ns = row->total_ns;

	if (G_UNLIKELY(coverage_has_any(callbacks->coverage)) && span_ns > 0) {
		span_ns -= (double)coverage_process_lost_ns(callbacks->coverage, row->callback->process, span->begin_ns,
							    span->end_ns);
		covered_ns -= (double)covered_time_uncovered_ns(&row->counts->time, callbacks->coverage);
	}
	return share_cell(covered_ns, span_ns);
}

/* Whether any of its callbacks takes more than all of the time. */
static bool write_summary(const struct callbacks *callbacks, struct row_list *rows, const struct final_silence *silence,
			  const char *order, const struct table_schema *summary, struct table_writer *writer)
{
	g_autoptr(row_order) ordered = NULL;
	bool is_over = false;
	size_t count = 0;

	if (!writer) {
		return false;
	}
	ordered = row_order_create(rows, order);
	for (guint i = 0; i < row_list_count(rows) && count < SUMMARY_ROWS; i++) {
		struct written_row *row = row_order_at(ordered, i);

		if (is_of_summary(row)) {
			fill_row(callbacks, row, silence, rows);
			row->name = row_list_keep(rows, node_or_process(row->info.node, row->process.process));
			row->total_ns = int128_to_double(duration_statistics_totals(&row->counts->duration).sum_ns);
			row->share = time_share_cell(callbacks, row);
			row->p99 = cell_integer(duration_statistics_quantile(&row->counts->duration, 0.99));
			row_write(writer, summary, row);
			is_over |= row->share.type == CELL_REAL && row->share.real > 100;
			count++;
		}
	}
	return is_over;
}

void callback_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct callbacks *callbacks = data;
	g_autoptr(row_list) rows = NULL;
	struct final_silence silence;

	if (!writers[TABLE_CALLBACKS]) {
		return;
	}
	final_silence_init(&silence, &callbacks->analysis.context, callbacks->coverage);
	rows = rows_of(callbacks, &silence, writers[TABLE_CALLBACKS]);
	write_rows(callbacks, rows, &silence, writers);
	/* rows that are equal in these stay in their order */
	if (write_summary(callbacks, rows, &silence, "-has_run -duration", &busiest_schema, writers[TABLE_BUSIEST])) {
		writers[TABLE_BUSIEST]->note =
			"Of the time recorded: more than 100 % where several threads are in a callback at once.";
	}
	write_summary(callbacks, rows, &silence, "-longest_ns " ORDER, &longest_schema, writers[TABLE_LONGEST]);
	final_silence_clear(&silence);
}
