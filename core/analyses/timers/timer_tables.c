/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_tables.h"

#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/analyses/timers/timer_clock.h"
#include "core/base/int128.h"
#include "core/base/slots.h"
#include "core/base/text/hidden_names.h"
#include "core/base/text/human_text.h"
#include "core/tables/row_list.h"
#include <inttypes.h>

#define LATE_TIMERS_MAX 3
#define MISSED_SHARE_MIN 0.001 /* of the calls, in the summary */

/* Rows of timers that were never called are only counted. */
#define HINT_NEVER_CALLED HINT_IDLE("never called")

/* A timer. */
struct output_row {
	uint64_t id;
	const struct timer_row *row;		 /* zeros: no call was recorded */
	const struct timer_row *decided;	 /* it has a schedule, … */
	const struct timer_row *known;		 /* … and most of its calls are known; or NULL */
	const struct timer_row *timed, *regular; /* as are the times of most, and their periods; or zeros */
	const struct model_callback *callback;	 /* NULL: it has none */
	uint32_t process_index;
	struct row_process process;
	const char *node, *symbol;
	uint64_t address; /* of the callback, or else of the timer */
	bool has_period;
	int64_t period_ns;
	int64_t since_ns;
	enum timer_clock clock;
	const char *clock_name, *blocked_by;
	struct cell period, calls, rate_error, callback_address, held;
};

/* A report about certain topics is about no timer. */
static struct cell no_topic(const void *row)
{
	return CELL_NONE;
}

/* clang-format off */
#define ROW struct output_row
static const struct table_column columns[] = {
	{ .name = "timer_id", .id_of = "timers", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ COLUMN_IS_HOST("hostname", "on"), CELL_OF(process.hostname) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(PROCESS), CELL_OF(process.vpid) },
	{ .name = "node", .means = MEANS_NODE, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "timer", .hints = HINT_MAY_BE_HIDDEN, CELL_OF(node) },
	{ .name = "period_ns", .merge = COLUMN_MERGE_KEY, .label = "period", .format = COLUMN_DURATION,
	  CELL_OF(period) },
	{ .name = "calls", .merge = COLUMN_MERGE_SUM, .hints = HINT_NEVER_CALLED, CELL_OF(calls) },
	{ .name = "missed", .means = MEANS_MISSED, .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED,
	  CELL_VIA(known, missed) },
	{ .name = "restarts", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(known, restarts) },
	{ .name = "early", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(known, early) },
	{ .name = "overruns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, CELL_VIA(decided, overruns) },
	{ .name = "clock", .role = COLUMN_ROLE_DETAIL, CELL_OF(clock_name) },
	{ .name = "rate_error_percent", .means = MEANS_DEVIATION, .label = "rate error", .format = COLUMN_PERCENT,
	  .role = COLUMN_ROLE_DETAIL, CELL_OF(rate_error) },
	{ .name = "blocked_by", .label = "late behind", .format = COLUMN_NAME, CELL_OF(blocked_by) },
	{ .name = "lateness", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_VIA(timed, lateness) },
	{ .name = "jitter", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF,
	  CELL_VIA(regular, jitter) },
	{ .name = "procname", .means = MEANS_PROCESS_NAME, .label = "process", .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN, CELL_OF(process.procname) },
	{ .name = "symbol", .means = MEANS_SYMBOL, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_HIDDEN, CELL_OF(symbol) },
	{ .name = "callback", .means = MEANS_CALLBACK, .role = COLUMN_ROLE_HIDDEN, CELL_OF(callback_address) },
	{ .name = "blocked_ns", .merge = COLUMN_MERGE_SUM, .format = COLUMN_DURATION, .role = COLUMN_ROLE_HIDDEN,
	  CELL_OF(held) },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_VIA(decided, unknown) },
};

static const struct table_column unwritten[] = {
	{ .name = "topic", .means = MEANS_TOPIC, CELL_BY(no_topic) },
	{ .name = "period_number", CELL_OF(period_ns) },
	{ .name = "address", CELL_OF(address) },
	{ .name = "since_ns", CELL_OF(since_ns) },
};

/* Timers that were never called get their ids in this order, so it is not that of the schema. */
#define ORDER "hostname node procname vpid period_number symbol address since_ns"

static const struct table_schema schema = {
	TABLE("timers", columns), .title = "Timers", .selection = "timers", .presence = PRESENT_IF_ANY,
	.why_empty = "needs timers, see docs/timers.md", .is_of_processes = true, UNWRITTEN(unwritten),
};
#undef ROW

struct instance {
	struct cell timer_id, expected, start, end, lateness, missed;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "timer_id", .id_of = "timers", CELL_OF(timer_id) },
	{ .name = "expected_ns", .label = "expected", .format = COLUMN_TIME, CELL_OF(expected) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "lateness_ns", .label = "lateness", .format = COLUMN_DURATION, CELL_OF(lateness) },
	{ .name = "missed", .means = MEANS_MISSED, CELL_OF(missed) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("timer_instances", instance_columns), .title = "Calls of timers", .selection = "timers",
	.kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW

/* Timers with the largest share of missed or early calls come first. */
struct late_row {
	const struct output_row *timer;
	double share;
	const char *text;
};

#define ROW struct late_row
static const struct table_column late_columns[] = { { .name = "timer", CELL_OF(text) } };

static const struct table_column late_order_columns[] = { { .name = "share", CELL_OF(share) } };

static const struct table_schema late_schema = {
	TABLE("late_timers", late_columns), .title = "Late timer", .selection = "timers", .kind = KIND_SUMMARY, .place = 5,
	.order = "-share", UNWRITTEN(late_order_columns),
};
#undef ROW
const struct table_schema *const timer_tables[] = {
	[TABLE_TIMERS] = &schema,
	[TABLE_TIMER_INSTANCES] = &instance_schema,
	[TABLE_LATE_TIMERS] = &late_schema,
	NULL,
};
/* clang-format on */

void timer_tables_write_instance(const struct timers *timers, const struct timer_row *row,
				 const struct timer_call *call)
{
	const struct analysis_context *context = &timers->analysis.context;
	const struct timer_call_facts *facts = &call->facts;
	struct output_row of = { .node = object_model_callback_info(context->model, row->callback)->node };
	bool has_expected = call->has_expected && !row->is_other_clock;

	if (!analysis_is_about(&timers->analysis, &of)) {
		return;
	}
	row_write(timers->analysis.writers[TABLE_TIMER_INSTANCES], &instance_schema,
		  &(struct instance){
			  .timer_id = cell_unsigned(row->id),
			  .expected = has_expected ? cell_integer(call->expected_ns) : CELL_NONE,
			  .start = cell_integer(facts->start_ns),
			  .end = call->has_end ? cell_integer(call->end_ns) : CELL_NONE,
			  .lateness = has_expected ? cell_integer(facts->start_ns - call->expected_ns) : CELL_NONE,
			  .missed = has_expected ? cell_unsigned(call->missed) : CELL_NONE,
		  });
}

/* --- rows --- */

static const struct timer_row never_called;

static struct output_row *add_row(const struct timers *timers, struct row_list *rows, uint32_t process_index)
{
	struct output_row *row = row_list_make(rows);

	row->row = &never_called;
	row->process_index = process_index;
	row->process = row_process_of(timers->analysis.context.recording, process_index);
	return row;
}

static void note_process(GArray *has_callbacks, uint32_t process)
{
	*array_at(has_callbacks, bool, process) = true;
}

/* `has_callbacks`: bool by process; set for those whose callbacks are recorded. */
static void add_callbacks(const struct timers *timers, struct row_list *rows, GArray *has_callbacks)
{
	struct object_model *model = timers->analysis.context.model;

	for (uint32_t i = 0; i < object_model_callback_count(model); i++) {
		struct model_callback *callback = object_model_callback_at(model, i);
		const struct model_callback_info *info = object_model_callback_info(model, callback);
		const struct timer_row *called = slot_get(timers->analysis.rows.rows, i);
		struct output_row *row;

		if (info->kind != CALLBACK_KIND_INFERRED) {
			note_process(has_callbacks, callback->process);
		}
		if (info->kind != CALLBACK_KIND_TIMER) {
			continue;
		}
		row = add_row(timers, rows, callback->process);
		row->node = info->node;
		row->symbol = info->symbol;
		row->address = callback->address;
		row->callback = callback;
		row->has_period = info->has_period;
		row->period_ns = info->period_ns;
		row->since_ns = callback->since_ns;
		if (called) {
			row->row = called;
			row->clock = timer_row_clock(called);
		}
	}
}

/*
 * Timers of nodes without rclcpp, of which only the creation is recorded. In a process with rclcpp such timers are
 * internal to rcl_action. Waits with a timeout are no timers.
 */
static void add_timers_without_callback(const struct timers *timers, struct row_list *rows, const GArray *has_callbacks)
{
	struct object_model *model = timers->analysis.context.model;

	for (size_t i = 0; i < object_model_timer_count(model); i++) {
		const struct model_timer *timer = object_model_timer_at(model, i);
		bool is_of_rclcpp =
			timer->process < has_callbacks->len && g_array_index(has_callbacks, bool, timer->process);
		struct output_row *row;

		if (!timer->is_defined || is_of_rclcpp ||
		    object_model_is_wait_period(model, timer->process, timer->period_ns)) {
			continue;
		}
		row = add_row(timers, rows, timer->process);
		row->address = timer->handle;
		row->has_period = true;
		row->period_ns = timer->period_ns;
		row->since_ns = timer->since_ns;
	}
}

/* Sorted. */
static struct row_list *rows_of(const struct timers *timers)
{
	g_autoptr(GArray) has_callbacks = g_array_new(FALSE, TRUE, sizeof(bool));
	struct row_list *rows = analysis_rows(&timers->analysis, &schema);

	add_callbacks(timers, rows, has_callbacks);
	add_timers_without_callback(timers, rows, has_callbacks);
	row_list_sort(rows, ORDER);
	return rows;
}

static const char *clock_name(enum timer_clock clock)
{
	static const char *const names[] = {
		[TIMER_CLOCK_UNKNOWN] = NULL,
		[TIMER_CLOCK_STEADY] = "steady",
		[TIMER_CLOCK_OTHER] = "other",
	};

	return names[clock];
}

/*
 * What was counted at calls. By a clock other than that of the trace, times mean nothing; and what few known calls
 * show is not true of the timer.
 */
static void fill_called(const struct timers *timers, struct output_row *output, struct row_list *rows)
{
	const struct timer_row *row = output->row;
	double percent;

	output->calls = cell_unsigned(row->calls);
	if (timer_row_rate_error(row, &percent)) {
		output->rate_error = cell_real(percent);
	}
	if (output->clock == TIMER_CLOCK_OTHER) {
		return;
	}
	output->decided = timer_schedule_is_known(&row->schedule) ? row : NULL;
	if (!timer_row_is_known(row)) {
		return;
	}
	output->known = output->decided;
	output->timed = row;
	output->regular = timer_row_has_known_periods(row) ? row : &never_called;
	output->held = cell_integer(row->held_ns);
	output->blocked_by = row_list_keep(rows, holders_longest_text(&row->holders, timers->analysis.context.model));
}

/* What orders no rows. */
static void fill_row(const struct timers *timers, struct output_row *output, struct row_list *rows)
{
	output->period = output->has_period ? cell_integer(output->period_ns) : CELL_NONE;
	output->clock_name = clock_name(output->clock);
	output->timed = output->regular = &never_called;
	if (output->callback) {
		output->calls = cell_unsigned(0);
		output->callback_address = cell_address(output->address);
	}
	if (output->row != &never_called) {
		fill_called(timers, output, rows);
	}
}

/* --- the summary --- */

static double missed_share(const struct output_row *output)
{
	uint64_t missed = output->row->missed;

	return missed ? (double)missed / ((double)missed + (double)output->row->calls) : 0;
}

static double early_share(const struct output_row *output)
{
	return (double)output->row->early / (double)MAX(output->row->calls, 1);
}

static bool is_worth_a_line(const struct output_row *output)
{
	return output->row->calls > 0 && output->clock == TIMER_CLOCK_STEADY && timer_row_is_known(output->row) &&
	       !(output->node && name_is_hidden(output->node)) &&
	       (missed_share(output) >= MISSED_SHARE_MIN || output->row->early > 0);
}

static bool is_most_of(int64_t part_ns, const struct timer_row *row)
{
	return (int128)part_ns * 2 > duration_statistics_totals(&row->lateness).sum_ns;
}

/* Where most of the lateness comes from, as far as that is known. */
static void append_reason(GString *text, const struct timer_row *row, const char *holder,
			  const struct model_callback *timer)
{
	if (is_most_of(holders_longest_ns(&row->holders), row)) {
		g_string_append_printf(text, ", mostly behind %s",
				       holders_longest(&row->holders) == timer ? "itself" : holder);
	} else if (is_most_of(row->held_ns, row)) {
		g_string_append(text, ", mostly behind several callbacks");
	} else if (is_most_of(row->waited_ns, row)) {
		g_string_append(text, ", mostly woken late");
	} else if (!is_most_of(add_saturated(row->held_ns, row->hidden_ns), row)) {
		g_string_append(text, ", mostly not behind callbacks");
	}
}

static void append_missed(GString *text, const struct timers *timers, const struct output_row *output)
{
	char lateness[HUMAN_TEXT_SIZE];
	const struct timer_row *row = output->row;
	g_autofree char *holder = holders_longest_text(&row->holders, timers->analysis.context.model);

	g_string_append_printf(text, " %" PRIu64 " of %" PRIu64 " calls missed, late by up to %s", row->missed,
			       row->missed + row->calls, human_text_duration(lateness, row->lateness.longest_ns));
	append_reason(text, row, holder, output->callback);
}

/* As "/planner 10 ms: 42 of 3042 calls missed, late by up to 31 ms, mostly behind /planner /scan". To be freed. */
static char *late_text(const struct timers *timers, const struct output_row *output)
{
	char period[HUMAN_TEXT_SIZE];
	const struct timer_row *row = output->row;
	g_autofree char *node = node_or_process(output->node, output->process.process);
	GString *text = g_string_new(node);

	g_string_append_printf(text, " %s:", human_text_duration(period, output->period_ns));
	if (row->missed > 0) {
		append_missed(text, timers, output);
	}
	if (row->early > 0) {
		g_string_append_printf(text,
				       "%s %" PRIu64 " of %" PRIu64 " calls before their time, a defect of rclcpp",
				       row->missed > 0 ? ";" : "", row->early, row->calls);
	}
	return g_string_free(text, FALSE);
}

/* The rows of the report, in their order. */
static void write_late(const struct timers *timers, struct table_writer *writer, const struct row_list *rows)
{
	g_autoptr(row_list) late = row_list_create(&late_schema);

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct output_row *row = row_list_at(rows, i);

		if (is_worth_a_line(row)) {
			struct late_row *line = row_list_make(late);

			line->timer = row;
			line->share = MAX(missed_share(row), early_share(row));
		}
	}
	row_list_sort(late, late_schema.order);
	for (guint i = 0; i < MIN(row_list_count(late), LATE_TIMERS_MAX); i++) {
		struct late_row *line = row_list_at(late, i);

		line->text = row_list_keep(late, late_text(timers, line->timer));
		row_write(writer, &late_schema, line);
	}
}

void timer_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct timers *timers = data;
	g_autoptr(row_list) rows = rows_of(timers);
	uint64_t next_id = timers->next_id;

	for (guint i = 0; i < row_list_count(rows); i++) {
		struct output_row *row = row_list_at(rows, i);

		row->id = row->row->is_timer ? row->row->id : next_id++;
	}
	row_list_choose(rows);
	for (guint i = 0; i < row_list_count(rows); i++) {
		fill_row(timers, row_list_at(rows, i), rows);
	}
	row_list_write(rows, writers[TABLE_TIMERS]);
	if (writers[TABLE_LATE_TIMERS]) {
		write_late(timers, writers[TABLE_LATE_TIMERS], rows);
	}
}

/* --- diagnostics --- */

/* Whether a timer that seems to be late may have been stopped, or the reverse. */
static bool is_in_doubt(const struct output_row *output)
{
	return output->row->lacks_executor && (output->row->missed > 0 || output->row->restarts > 0);
}

static void diagnose_row(const struct timers *timers, const struct output_row *output, struct diagnostics *findings)
{
	g_autofree char *process = recording_process_text(timers->analysis.context.recording, output->process_index);

	if (!output->callback) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_WITHOUT_CALLS, process, 1);
	} else if (output->clock == TIMER_CLOCK_OTHER) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_OTHER_CLOCK, process, 1);
	} else if (is_in_doubt(output)) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_WITHOUT_EXECUTOR, process, 1);
	}
}

void timer_tables_diagnose(const void *data, struct diagnostics *findings)
{
	g_autoptr(row_list) rows = rows_of(data);

	for (guint i = 0; i < row_list_count(rows); i++) {
		diagnose_row(data, row_list_at(rows, i), findings);
	}
}
