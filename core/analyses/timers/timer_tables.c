/* SPDX-License-Identifier: MIT */
#include "core/analyses/timers/timer_tables.h"

#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/node_or_process.h"
#include "core/analyses/shared/row_process.h"
#include "core/analyses/timers/timer_clock.h"
#include "core/base/name_filter.h"
#include "core/base/slots.h"
#include "core/text/hidden_names.h"
#include "core/text/human_text.h"
#include <inttypes.h>
#include <string.h>

#define LATE_TIMERS_MAX 3
#define MISSED_SHARE_MIN 0.001 /* of the calls, in the summary */

/* Rows of timers that were never called are only counted. */
#define HINT_NEVER_CALLED HINT_IDLE("never called")

static const struct table_column columns[] = {
	{ .name = "timer_id", .role = COLUMN_ROLE_HIDDEN },
	COLUMN_HOST("hostname", "on"),
	{ .name = "vpid", .label = "pid", .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "period_ns", .merge = COLUMN_MERGE_KEY, .label = "period", .format = COLUMN_DURATION },
	{ .name = "calls", .merge = COLUMN_MERGE_SUM, .hints = HINT_NEVER_CALLED },
	{ .name = "missed", .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED },
	{ .name = "restarts", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "early", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "overruns", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "clock", .role = COLUMN_ROLE_DETAIL },
	{ .name = "rate_error_percent", .label = "rate error", .format = COLUMN_PERCENT, .role = COLUMN_ROLE_DETAIL },
	{ .name = "blocked_by", .label = "late behind", .format = COLUMN_NAME },
	{ .name = "lateness", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "jitter", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF },
	{ .name = "procname", .label = "process", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "symbol", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "callback", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "blocked_ns", .merge = COLUMN_MERGE_SUM, .format = COLUMN_DURATION, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
};

enum {
	COLUMN_ID,
	COLUMN_HOSTNAME,
	COLUMN_VPID,
	COLUMN_NODE,
	COLUMN_PERIOD,
	COLUMN_CALLS,
	COLUMN_MISSED,
	COLUMN_RESTARTS,
	COLUMN_EARLY,
	COLUMN_OVERRUNS,
	COLUMN_CLOCK,
	COLUMN_RATE_ERROR,
	COLUMN_BLOCKED_BY,
	COLUMN_LATENESS,
	COLUMN_JITTER,
	COLUMN_PROCNAME,
	COLUMN_SYMBOL,
	COLUMN_CALLBACK,
	COLUMN_BLOCKED,
	COLUMN_UNKNOWN,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "timers",
	.title = "Timers",
	.selection = "timers",
	.is_optional = true,
	.why_empty = "needs timers, see docs/timers.md",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "timer_id" },
	{ .name = "expected_ns", .label = "expected", .format = COLUMN_TIME },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME },
	{ .name = "lateness_ns", .label = "lateness", .format = COLUMN_DURATION },
	{ .name = "missed" },
};

static const struct table_schema instance_schema = {
	.name = "timer_instances",
	.title = "Calls of timers",
	.selection = "timers",
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column late_columns[] = {
	{ .name = "timer" },
};

static const struct table_schema late_schema = {
	.name = "late_timers",
	.title = "Late timer",
	.selection = "timers",
	.summary = 5,
	.columns = late_columns,
	.column_count = G_N_ELEMENTS(late_columns),
};

/* clang-format off */
const struct table_schema *const timer_tables[] = {
	[TABLE_TIMERS] = &schema,
	[TABLE_TIMER_INSTANCES] = &instance_schema,
	[TABLE_LATE_TIMERS] = &late_schema,
	NULL,
};
/* clang-format on */

/* Whether the report is about a timer of this node. A timer has no topic. */
static bool is_chosen(const struct timers *timers, const char *node)
{
	const char *topic = NULL;

	return name_filter_passes(timers->options->nodes, &node, 1) &&
	       name_filter_passes(timers->options->topics, &topic, 1);
}

void timer_tables_write_instance(const struct timers *timers, const struct timer_row *row,
				 const struct timer_call *call)
{
	const struct timer_call_facts *facts = &call->facts;
	bool has_expected = call->has_expected && !row->is_other_clock;

	if (!is_chosen(timers, object_model_callback_info(timers->model, row->callback)->node)) {
		return;
	}
	TABLE_ROW(timers->instance_writer, instance_columns,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  has_expected ? cell_integer(call->expected_ns) : CELL_NONE,
			  cell_integer(facts->start_ns),
			  call->has_end ? cell_integer(call->end_ns) : CELL_NONE,
			  has_expected ? cell_integer(facts->start_ns - call->expected_ns) : CELL_NONE,
			  has_expected ? cell_unsigned(call->missed) : CELL_NONE,
		  });
}

/* --- rows --- */

/* A row as it is sorted and written. */
struct output_row {
	const struct timer_row *row;	       /* NULL: no call was recorded */
	const struct model_callback *callback; /* NULL: it has none */
	uint32_t process_index;
	struct row_process process;
	const char *node, *symbol;
	uint64_t address; /* of the callback, or else of the timer */
	bool has_period;
	int64_t period_ns;
	int64_t since_ns;
	enum timer_clock clock;
};

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = strcmp(left->process.hostname, right->process.hostname);

	order = order ? order : g_strcmp0(left->node, right->node);
	order = order ? order : strcmp(left->process.process->procname, right->process.process->procname);
	order = order ? order : compare_integers(left->process.process->vpid, right->process.process->vpid);
	order = order ? order : compare_integers(left->period_ns, right->period_ns);
	order = order ? order : g_strcmp0(left->symbol, right->symbol);
	order = order ? order : compare_unsigned(left->address, right->address);
	return order ? order : compare_integers(left->since_ns, right->since_ns);
}

static struct output_row output_row_of(const struct timers *timers, uint32_t process_index)
{
	return (struct output_row){
		.process_index = process_index,
		.process = row_process_of(timers->recording, process_index),
	};
}

static void note_process(GArray *has_callbacks, uint32_t process)
{
	if (process >= has_callbacks->len) {
		g_array_set_size(has_callbacks, process + 1);
	}
	g_array_index(has_callbacks, bool, process) = true;
}

/* `has_callbacks`: bool by process; set for those whose callbacks are recorded. */
static void add_callbacks(const struct timers *timers, GArray *rows, GArray *has_callbacks)
{
	for (size_t i = 0; i < object_model_callback_count(timers->model); i++) {
		struct model_callback *callback = object_model_callback_at(timers->model, i);
		const struct model_callback_info *info = object_model_callback_info(timers->model, callback);
		struct output_row row = output_row_of(timers, callback->process);

		if (info->kind != CALLBACK_KIND_INFERRED) {
			note_process(has_callbacks, callback->process);
		}
		if (info->kind != CALLBACK_KIND_TIMER) {
			continue;
		}
		row.row = slot_get(timers->rows, (uint32_t)i);
		row.node = info->node;
		row.symbol = info->symbol;
		row.address = callback->address;
		row.callback = callback;
		row.has_period = info->has_period;
		row.period_ns = info->period_ns;
		row.since_ns = callback->since_ns;
		row.clock = row.row ? timer_row_clock(row.row) : TIMER_CLOCK_UNKNOWN;
		g_array_append_val(rows, row);
	}
}

/*
 * Timers of nodes without rclcpp, of which only the creation is recorded. In a process with rclcpp such timers are
 * internal to rcl_action. Waits with a timeout are no timers.
 */
static void add_timers_without_callback(const struct timers *timers, GArray *rows, const GArray *has_callbacks)
{
	for (size_t i = 0; i < object_model_timer_count(timers->model); i++) {
		const struct model_timer *timer = object_model_timer_at(timers->model, i);
		struct output_row row = output_row_of(timers, timer->process);
		bool is_of_rclcpp =
			timer->process < has_callbacks->len && g_array_index(has_callbacks, bool, timer->process);

		if (!timer->is_defined || is_of_rclcpp ||
		    object_model_is_wait_period(timers->model, timer->process, timer->period_ns)) {
			continue;
		}
		row.address = timer->handle;
		row.has_period = true;
		row.period_ns = timer->period_ns;
		row.since_ns = timer->since_ns;
		g_array_append_val(rows, row);
	}
}

static GArray *rows_of(const struct timers *timers)
{
	g_autoptr(GArray) has_callbacks = g_array_new(FALSE, TRUE, sizeof(bool));
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	add_callbacks(timers, rows, has_callbacks);
	add_timers_without_callback(timers, rows, has_callbacks);
	g_array_sort(rows, compare_rows);
	return rows;
}

static struct cell clock_cell(enum timer_clock clock)
{
	static const char *const names[] = {
		[TIMER_CLOCK_UNKNOWN] = NULL,
		[TIMER_CLOCK_STEADY] = "steady",
		[TIMER_CLOCK_OTHER] = "other",
	};

	return cell_text(names[clock]);
}

/* A count of a timer that runs by the clock of the trace; empty for others. */
static struct cell count_cell(const struct output_row *output, uint64_t count)
{
	bool is_known = output->row && timer_schedule_is_known(&output->row->schedule);

	return is_known && output->clock != TIMER_CLOCK_OTHER ? cell_unsigned(count) : CELL_NONE;
}

static void write_row(const struct timers *timers, struct table_writer *writer, const struct output_row *output,
		      uint64_t id)
{
	static const struct timer_row never_called;
	const struct timer_row *row = output->row ? output->row : &never_called;
	bool is_other = output->clock == TIMER_CLOCK_OTHER;
	g_autofree char *blocked_by = is_other ? NULL : holders_longest_text(&row->holders, timers->model);
	double percent;
	const struct cell cells[] = {
		[COLUMN_ID] = cell_unsigned(id),
		[COLUMN_HOSTNAME] = cell_text(output->process.hostname),
		[COLUMN_VPID] = vpid_cell(output->process.process),
		[COLUMN_NODE] = cell_text(output->node),
		[COLUMN_PERIOD] = output->has_period ? cell_integer(output->period_ns) : CELL_NONE,
		[COLUMN_CALLS] = output->callback ? cell_unsigned(row->calls) : CELL_NONE,
		[COLUMN_MISSED] = count_cell(output, row->missed),
		[COLUMN_RESTARTS] = count_cell(output, row->restarts),
		[COLUMN_EARLY] = count_cell(output, row->early),
		[COLUMN_OVERRUNS] = count_cell(output, row->overruns),
		[COLUMN_CLOCK] = clock_cell(output->clock),
		[COLUMN_RATE_ERROR] =
			output->row && timer_row_rate_error(row, &percent) ? cell_real(percent) : CELL_NONE,
		[COLUMN_BLOCKED_BY] = cell_text(blocked_by),
		[COLUMN_LATENESS] = cell_statistic(is_other ? &never_called.lateness : &row->lateness),
		[COLUMN_JITTER] = cell_statistic(is_other ? &never_called.jitter : &row->jitter),
		[COLUMN_PROCNAME] = cell_text(output->process.process->procname),
		[COLUMN_SYMBOL] = cell_text(output->symbol),
		[COLUMN_CALLBACK] = output->callback ? cell_address(output->address) : CELL_NONE,
		[COLUMN_BLOCKED] = is_other || !output->row ? CELL_NONE : cell_integer(row->held_ns),
		[COLUMN_UNKNOWN] = count_cell(output, row->unknown),
	};

	TABLE_ROW(writer, columns, cells);
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

static bool is_worth_a_line(const struct timers *timers, const struct output_row *output)
{
	return output->row && output->row->calls > 0 && output->clock == TIMER_CLOCK_STEADY &&
	       is_chosen(timers, output->node) && !(output->node && name_is_hidden(output->node)) &&
	       (missed_share(output) >= MISSED_SHARE_MIN || output->row->early > 0);
}

/* Timers with the largest share of missed or early calls come first. */
static gint compare_late(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	double left_share = MAX(missed_share(left), early_share(left));
	double right_share = MAX(missed_share(right), early_share(right));
	int order = (left_share < right_share) - (left_share > right_share);

	return order ? order : compare_rows(a, b);
}

static bool is_most_of(int64_t part_ns, const struct timer_row *row)
{
	return (__int128)part_ns * 2 > duration_statistics_totals(&row->lateness).sum_ns;
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
	g_autofree char *holder = holders_longest_text(&row->holders, timers->model);

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

static void write_late(const struct timers *timers, struct table_writer *writer, const GArray *rows)
{
	g_autoptr(GArray) late = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	for (guint i = 0; i < rows->len; i++) {
		struct output_row row = g_array_index(rows, struct output_row, i);

		if (is_worth_a_line(timers, &row)) {
			g_array_append_val(late, row);
		}
	}
	g_array_sort(late, compare_late);
	for (guint i = 0; i < late->len && i < LATE_TIMERS_MAX; i++) {
		g_autofree char *text = late_text(timers, &g_array_index(late, struct output_row, i));

		TABLE_ROW(writer, late_columns, (struct cell[]){ cell_text(text) });
	}
}

void timer_tables_write(const struct timers *timers, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = rows_of(timers);
	uint64_t next_id = timers->next_id;

	for (guint i = 0; i < rows->len; i++) {
		const struct output_row *row = &g_array_index(rows, struct output_row, i);
		uint64_t id = row->row && row->row->is_timer ? row->row->id : next_id++;

		if (writers[TABLE_TIMERS] && is_chosen(timers, row->node)) {
			write_row(timers, writers[TABLE_TIMERS], row, id);
		}
	}
	if (writers[TABLE_LATE_TIMERS]) {
		write_late(timers, writers[TABLE_LATE_TIMERS], rows);
	}
}

/* --- diagnostics --- */

/* Whether a timer that seems to be late may have been stopped, or the reverse. */
static bool is_in_doubt(const struct output_row *output)
{
	return output->row && output->row->lacks_executor && (output->row->missed > 0 || output->row->restarts > 0);
}

static void diagnose_row(const struct timers *timers, const struct output_row *output, struct diagnostics *findings)
{
	g_autofree char *process = recording_process_text(timers->recording, output->process_index);

	if (!output->callback) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_WITHOUT_CALLS, process, 1);
	} else if (output->clock == TIMER_CLOCK_OTHER) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_OTHER_CLOCK, process, 1);
	} else if (is_in_doubt(output)) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_WITHOUT_EXECUTOR, process, 1);
	}
}

void timer_tables_diagnose(const struct timers *timers, struct diagnostics *findings)
{
	g_autoptr(GArray) rows = rows_of(timers);

	for (guint i = 0; i < rows->len; i++) {
		diagnose_row(timers, &g_array_index(rows, struct output_row, i), findings);
	}
}
