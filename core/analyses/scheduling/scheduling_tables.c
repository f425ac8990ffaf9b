/* SPDX-License-Identifier: MIT */
#include "core/analyses/scheduling/scheduling_tables.h"

#include <string.h>

#include "core/analyses/shared/callback_choice.h"
#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/row_process.h"
#include "core/analyses/shared/schedule_text.h"
#include "core/base/time_units.h"
#include "core/text/hidden_names.h"
#include "core/text/human_text.h"

#define HINT_CALLBACK HINT(.leads = true, .may_be_hidden = true)

static const struct table_column columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "executions", .merge = COLUMN_MERGE_SUM },
	{ SUM_OF_TIME("on_cpu_ns", "on CPU") },
	{ SUM_OF_TIME("preempted_ns", "preempted") },
	{ SUM_OF_TIME("woken_ns", "woken") },
	{ SUM_OF_TIME("blocked_ns", "blocked") },
	{ SUM_OF_TIME("unknown_ns", "unknown"), .hints = HINT_ONLY_IF_ANY },
	{ .name = "preemptions", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "blocks", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL },
	{ .name = "preempted_by", .label = "most by", .format = COLUMN_NAME },
	{ .name = "wakeup", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	COLUMNS_OF_PROCESS_GROUP,
	{ .name = "callback", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_CALLBACK },
	{ SUM_OF_TIME("duration_ns", "duration"), .role = COLUMN_ROLE_HIDDEN, .hints = HINT_MARKED },
	{ SUM_OF_TIME("irq_ns", "interrupts"), .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	{ .name = "preempted_by_tid", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "preempted_by_count", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "preempted_by_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION },
	{ .name = "longest_preemption_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION },
	{ .name = "blocked_in", .label = "most in", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL },
	{ .name = "blocked_in_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION },
	{ .name = "system_calls", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	{ SUM_OF_TIME("system_call_ns", "in them"), .role = COLUMN_ROLE_DETAIL, .hints = HINT_ONLY_IF_ANY },
	{ .name = "longest_call", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "longest_call_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION },
};

enum {
	COLUMN_ID,
	COLUMN_EXECUTIONS,
	COLUMN_ON_CPU,
	COLUMN_PREEMPTED,
	COLUMN_WOKEN,
	COLUMN_BLOCKED,
	COLUMN_UNKNOWN,
	COLUMN_PREEMPTIONS,
	COLUMN_BLOCKS,
	COLUMN_PREEMPTED_BY,
	COLUMN_WAKEUP,
	COLUMN_HOSTNAME,
	COLUMN_VPID,
	COLUMN_PROCNAME,
	COLUMN_CALLBACK,
	COLUMN_DURATION_SUM,
	COLUMN_IRQ,
	COLUMN_PREEMPTED_BY_TID,
	COLUMN_PREEMPTED_BY_COUNT,
	COLUMN_PREEMPTED_BY_TIME,
	COLUMN_LONGEST_PREEMPTION,
	COLUMN_BLOCKED_IN,
	COLUMN_BLOCKED_IN_TIME,
	COLUMN_CALLS,
	COLUMN_CALL_TIME,
	COLUMN_LONGEST_CALL,
	COLUMN_LONGEST_CALL_TIME,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "scheduling",
	.title = "What the threads did in callbacks",
	.selection = "scheduling",
	.is_of_kernel = true,
	.is_optional = true,
	.why_empty = "needs the kernel's events, see docs/why.md",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column instance_columns[] = {
	{ .name = "callback_id" },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME },
	{ .name = "on_cpu_ns", .label = "on CPU", .format = COLUMN_DURATION },
	{ .name = "preempted_ns", .label = "preempted", .format = COLUMN_DURATION },
	{ .name = "woken_ns", .label = "woken", .format = COLUMN_DURATION },
	{ .name = "blocked_ns", .label = "blocked", .format = COLUMN_DURATION },
	{ .name = "unknown_ns", .label = "unknown", .format = COLUMN_DURATION },
	{ .name = "irq_ns", .label = "interrupts", .format = COLUMN_DURATION },
	{ .name = "preemptions" },
	{ .name = "blocks" },
	{ .name = "preempted_by" },
	{ .name = "blocked_in" },
	{ .name = "wakeup_ns", .label = "wakeup", .format = COLUMN_DURATION }, /* empty where no wake-up led to it */
};

static const struct table_schema instance_schema = {
	.name = "scheduling_instances",
	.title = "What the threads did in executions",
	.selection = "scheduling",
	.is_of_kernel = true,
	.is_instances = true,
	.is_optional = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

static const struct table_column worst_columns[] = {
	{ .name = "callback_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rank" },
	{ .name = "start_ns", .label = "at", .format = COLUMN_MOMENT },
	{ .name = "why", .format = COLUMN_NAME, .hints = HINT_WRAPS },
	{ .name = "duration_ns", .role = COLUMN_ROLE_HIDDEN, .format = COLUMN_DURATION },
};

static const struct table_schema worst_schema = {
	.name = "worst_scheduling",
	.title = "Why the worst executions took so long",
	.selection = "scheduling",
	.is_of_kernel = true,
	.parent = "scheduling",
	.is_worst = true,
	.is_optional = true,
	.columns = worst_columns,
	.column_count = G_N_ELEMENTS(worst_columns),
};

static const struct table_column why_columns[] = { { .name = "why" } };

static const struct table_schema why_schema = {
	.name = "why",
	.title = "Why",
	.selection = "scheduling",
	.is_of_kernel = true,
	.summary = 5,
	.columns = why_columns,
	.column_count = G_N_ELEMENTS(why_columns),
};

const struct table_schema *const scheduling_tables[] = {
	[TABLE_SCHEDULING] = &schema,
	[TABLE_SCHEDULING_INSTANCES] = &instance_schema,
	[TABLE_WORST_SCHEDULING] = &worst_schema,
	[TABLE_WHY] = &why_schema,
	NULL,
};

static struct cell name_cell(const char *name)
{
	return cell_text(name && name[0] != '\0' ? name : NULL);
}

void scheduling_tables_write_instance(const struct scheduling *scheduling, const struct scheduling_row *row,
				      const struct execution_schedule *schedule)
{
	const struct thread_account *account = &schedule->account;
	const struct thread_wakeup *wakeup = &schedule->wakeup;

	TABLE_ROW(scheduling->instance_writer, instance_columns,
		  (struct cell[]){
			  cell_unsigned(row->id),
			  cell_integer(schedule->start_ns),
			  cell_integer(account->time_ns[THREAD_RUNNING]),
			  cell_integer(account->time_ns[THREAD_PREEMPTED]),
			  cell_integer(account->time_ns[THREAD_WOKEN]),
			  cell_integer(account->time_ns[THREAD_BLOCKED]),
			  cell_integer(account->time_ns[THREAD_UNKNOWN]),
			  cell_integer(account->irq_ns),
			  cell_unsigned(account->preemptions),
			  cell_unsigned(account->blocks),
			  name_cell(schedule->preempted_by.name),
			  name_cell(schedule->blocked_in.name),
			  wakeup->is_fresh ? cell_integer(wakeup->switch_in_ns - wakeup->waking_ns) : CELL_NONE,
		  });
}

/* --- rows --- */

/* A row as it is sorted and written. */
struct output_row {
	const struct scheduling_row *row;
	struct row_process process;
	char *name; /* owned */
	int64_t duration_ns;
};

static void output_row_clear(gpointer data)
{
	g_free(((struct output_row *)data)->name);
}

/* By process; then callbacks that took most time come first. */
static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct output_row *left = a;
	const struct output_row *right = b;
	int order = compare_row_processes(&left->process, &right->process);

	order = order ? order : compare_integers(right->duration_ns, left->duration_ns);
	order = order ? order : strcmp(left->name, right->name);
	return order ? order : compare_unsigned(left->row->id, right->row->id);
}

static void set_causes(struct cell *cells, const struct scheduling_row *row)
{
	const struct thread_cause *preemptor = thread_causes_longest(&row->preempted_by);
	const struct thread_cause *block = thread_causes_longest(&row->blocked_in);
	const struct thread_cause *call = thread_causes_longest(&row->calls);

	if (preemptor) {
		cells[COLUMN_PREEMPTED_BY] = name_cell(preemptor->name);
		cells[COLUMN_PREEMPTED_BY_TID] = cell_integer(preemptor->tid);
		cells[COLUMN_PREEMPTED_BY_COUNT] = cell_unsigned(preemptor->count);
		cells[COLUMN_PREEMPTED_BY_TIME] = cell_integer(preemptor->time_ns);
		cells[COLUMN_LONGEST_PREEMPTION] = cell_integer(preemptor->longest_ns);
	}
	if (block) {
		cells[COLUMN_BLOCKED_IN] = name_cell(block->name);
		cells[COLUMN_BLOCKED_IN_TIME] = cell_integer(block->time_ns);
	}
	if (call) {
		cells[COLUMN_LONGEST_CALL] = name_cell(call->name);
		cells[COLUMN_LONGEST_CALL_TIME] = cell_integer(call->longest_ns);
	}
}

static void write_row(struct table_writer *writer, const struct output_row *output)
{
	const struct scheduling_row *row = output->row;
	const int64_t *time_ns = row->account.time_ns;
	struct cell cells[COLUMNS] = {
		[COLUMN_ID] = cell_unsigned(row->id),
		[COLUMN_EXECUTIONS] = cell_unsigned(row->executions + row->unscheduled),
		[COLUMN_ON_CPU] = cell_integer(time_ns[THREAD_RUNNING]),
		[COLUMN_PREEMPTED] = cell_integer(time_ns[THREAD_PREEMPTED]),
		[COLUMN_WOKEN] = cell_integer(time_ns[THREAD_WOKEN]),
		[COLUMN_BLOCKED] = cell_integer(time_ns[THREAD_BLOCKED]),
		[COLUMN_UNKNOWN] = cell_integer(add_saturated(time_ns[THREAD_UNKNOWN], row->unscheduled_ns)),
		[COLUMN_PREEMPTIONS] = cell_unsigned(row->account.preemptions),
		[COLUMN_BLOCKS] = cell_unsigned(row->account.blocks),
		[COLUMN_WAKEUP] = cell_statistic(&row->wakeup),
		[COLUMN_HOSTNAME] = cell_text(output->process.hostname),
		[COLUMN_VPID] = vpid_cell(output->process.process),
		[COLUMN_PROCNAME] = cell_text(output->process.process->procname),
		[COLUMN_CALLBACK] = cell_text(output->name),
		[COLUMN_DURATION_SUM] = cell_integer(output->duration_ns),
		[COLUMN_IRQ] = cell_integer(row->account.irq_ns),
		[COLUMN_CALLS] = cell_unsigned(row->call_count),
		[COLUMN_CALL_TIME] = cell_integer(row->call_ns),
	};

	set_causes(cells, row);
	TABLE_ROW(writer, columns, cells);
}

static void write_worst(struct table_writer *writer, const struct scheduling_row *row)
{
	size_t count;
	g_autofree struct worst_instance *worst = worst_sorted(row->worst, &count);

	for (size_t i = 0; i < count; i++) {
		g_autofree char *why = schedule_text(worst[i].kept);

		TABLE_ROW(writer, worst_columns,
			  (struct cell[]){
				  cell_unsigned(row->id),
				  cell_unsigned(i + 1),
				  cell_integer(worst[i].start_ns),
				  cell_text(why),
				  cell_integer(worst[i].duration_ns),
			  });
	}
}

/* --- the summary --- */

#define WHY_ROWS 2

static int64_t longest_ns(const struct output_row *output)
{
	return output->row->longest.end_ns - output->row->longest.start_ns;
}

static gint compare_longest(gconstpointer a, gconstpointer b)
{
	int order = compare_integers(longest_ns(b), longest_ns(a));

	return order ? order : compare_rows(a, b);
}

static void write_why(const struct scheduling *scheduling, struct table_writer *writer, const struct output_row *output)
{
	char buffer[HUMAN_TEXT_SIZE];
	g_autofree char *why = schedule_text(&output->row->longest);
	g_autofree char *line = g_strdup_printf(
		"%s at +%s took %s", output->name,
		human_text_duration(buffer, output->row->longest.start_ns - scheduling->span->begin_ns), why);

	TABLE_ROW(writer, why_columns, (struct cell[]){ cell_text(line) });
}

static void write_summary(const struct scheduling *scheduling, struct table_writer *writer, GArray *rows)
{
	size_t count = 0;

	g_array_sort(rows, compare_longest);
	for (guint i = 0; i < rows->len && count < WHY_ROWS; i++) {
		const struct output_row *output = &g_array_index(rows, struct output_row, i);

		if (output->row->executions > 0 && !name_is_hidden(output->name)) {
			write_why(scheduling, writer, output);
			count++;
		}
	}
}

static GArray *rows_of(const struct scheduling *scheduling)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct output_row));

	g_array_set_clear_func(rows, output_row_clear);
	for (guint i = 0; i < scheduling->rows->len; i++) {
		const struct scheduling_row *row = scheduling->rows->pdata[i];
		struct model_callback *callback = object_model_callback_at(scheduling->model, i);
		struct output_row output = {
			.row = row,
			.process = row_process_of(scheduling->recording, callback->process),
		};

		if (!row || row->executions + row->unscheduled == 0 ||
		    !callback_is_chosen(scheduling->options, scheduling->model, callback) ||
		    !execution_schedules_host(scheduling->schedules, output.process.process->host)) {
			continue;
		}
		output.name = callback_text(callback, scheduling->model);
		output.duration_ns = add_saturated(thread_account_total(&row->account), row->unscheduled_ns);
		g_array_append_val(rows, output);
	}
	return rows;
}

void scheduling_tables_write(const struct scheduling *scheduling, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = rows_of(scheduling);

	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		const struct output_row *row = &g_array_index(rows, struct output_row, i);

		write_row(writers[TABLE_SCHEDULING], row);
		if (writers[TABLE_WORST_SCHEDULING]) {
			write_worst(writers[TABLE_WORST_SCHEDULING], row->row);
		}
	}
	if (writers[TABLE_WHY]) {
		write_summary(scheduling, writers[TABLE_WHY], rows);
	}
}
