/* SPDX-License-Identifier: MIT */
/*
 * The tables `counters` (a row per callback and counter) and `counter_instances` (a row per execution and counter, from
 * the first change of the counter on): how much of what LTTng's contexts perf:thread:NAME count callbacks use.
 *
 * - The value of an execution is the difference between the counter at callback_start and at callback_end (or those of
 *   Agnocast: agnocast_callable_start and _end) on one thread, executions within it included. An execution counts when
 *   it starts within the options' [begin, end], if both its start and its end are recorded without doubt
 *   (executions.h).
 * - LTTng accepts counters that it cannot read on the machine: these have one value per thread of a host throughout the
 *   recording. Their values are unknown, not 0.
 * - The value of an execution is also unknown if the counter goes back, because it was restarted (beyond 64 bits it
 *   wraps), or if it counts time and stands still while the callback runs, because it was stopped.
 * - callback_id: see callback_ids.h.
 *
 * Cost: O(counters) per start and end of a callback. Memory: for each callback and counter, and the open executions.
 */
#include <string.h>

#include "core/analyses/shared/callback_rows.h"
#include "core/analyses/shared/columns.h"
#include "core/base/arena_parts.h"
#include "ros2bt/base/time_units.h"

/* A counter of a host. */
struct counter {
	uint32_t host;
	const char *name; /* in the recording's pool */
	bool is_time;	  /* its unit is ns, and it counts whenever the thread runs */
	bool has_changed; /* on some thread, which shows that it counts on this host */
};

/* A counter in the executions of a callback. */
struct counter_cell {
	struct duration_statistics counted; /* from start to end of each execution, in the unit of the counter */
	int64_t duration_ns;		    /* of the executions that were counted */
};

/* A callback. */
struct counter_row {
	struct row_callback of;
	uint64_t executions;
	GPtrArray *cells; /* struct counter_cell * in the arena, by counter; NULL: none */
};

struct counters {
	struct analysis analysis; /* its rows are struct counter_row */
	GArray *counters;	  /* struct counter, in order of appearance */
	GPtrArray *threads;	  /* struct counter_thread * by index; NULL: none */
};

/* A callback and a counter, as they are written. */
struct written_row {
	const struct counter_row *row;
	const char *counter, *unit;
	uint64_t count, unknown;
	struct cell sum, min, mean, max, p50, p99, share;
	const struct counter_cell *counted;
};

/* clang-format off */
#define ROW struct written_row
static const struct table_column columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", .role = COLUMN_ROLE_HIDDEN, CELL_VIA(row, of.id) },
	{ .name = "counter", .cells = CELL_TEXT, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP, CELL_OF(counter) },
	{ .name = "count", .merge = COLUMN_MERGE_SUM, .hints = HINT_IDLE("not counted on this machine"),
	  CELL_OF(count) },
	{ .name = "sum", .merge = COLUMN_MERGE_SUM, .hints = HINT_MARKED, CELL_OF(sum) },
	{ .name = "min", .role = COLUMN_ROLE_DETAIL, CELL_OF(min) },
	{ .name = "mean", .cells = CELL_REAL, CELL_OF(mean) },
	{ .name = "max", .merge = COLUMN_MERGE_MAX, CELL_OF(max) },
	{ .name = "p50", CELL_OF(p50) },
	{ .name = "p99", CELL_OF(p99) },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(unknown) },
	{ .name = "unit", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_HIDDEN, CELL_OF(unit) },
	{ .name = "share_percent", .label = "of duration", .format = COLUMN_PERCENT, CELL_OF(share) },
	{ .name = "callback", .means = MEANS_CALLBACK, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .hints = HINT_LEADS, CELL_VIA(row, of.name) },
	{ COLUMN_IS_HOST("hostname", "on"),
	  CELL_VIA(row, of.process.hostname) },
	{ .name = "vpid", .means = MEANS_PROCESS, .label = "pid", .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_TELLS_APART(PROCESS), CELL_VIA(row, of.process.vpid) },
};

/* The sum needs 128 bits, and orders counters that stand still by what they seem to count. */
static const struct table_column order_columns[] = { { .name = "counted", CELL_VIA(counted, counted) } };

static const struct table_schema schema = {
	TABLE("counters", columns), .title = "Counters", .selection = "counters", .presence = PRESENT_IF_ANY,
	.why_empty = "needs contexts such as perf:thread:task-clock, see docs/counters.md", .key_count = 2, .is_of_processes = true,
	.order = "counter -counted hostname callback callback_id", UNWRITTEN(order_columns),
};
#undef ROW

struct instance {
	struct cell callback_id, counter, thread, start, end, value;
};

#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "callback_id", .id_of = "callbacks", CELL_OF(callback_id) },
	{ .name = "counter", .cells = CELL_TEXT, CELL_OF(counter) },
	{ .name = "vtid", .means = MEANS_THREAD, .label = "thread", CELL_OF(thread) },
	{ .name = "start_ns", .label = "start", .format = COLUMN_TIME, CELL_OF(start) },
	{ .name = "end_ns", .label = "end", .format = COLUMN_TIME, CELL_OF(end) },
	{ .name = "value", CELL_OF(value) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("counter_instances", instance_columns), .title = "Counters of executions",
	.selection = "counters", .kind = KIND_INSTANCES, .presence = PRESENT_IF_ANY,
};
#undef ROW
/* clang-format on */

enum { TABLE_COUNTERS, TABLE_INSTANCES };

/* The value of a counter, as an event records it. */
struct counter_value {
	guint counter; /* index */
	uint64_t value;
};

/* An open execution, and where its values are in at_starts of its thread. */
struct counter_frame {
	const struct execution *execution; /* borrowed until it ends */
	guint first, count;
};

struct counter_thread {
	GArray *next;	   /* struct counter_value: those of the next event, or of the last one if has_come */
	bool has_come;	   /* the event that `next` belongs to */
	GArray *last;	   /* struct counter_value: those of the event before */
	GArray *frames;	   /* struct counter_frame, innermost last */
	GArray *at_starts; /* struct counter_value, of all frames */
};

static struct counter_thread *thread_of(struct counters *counters, uint32_t index)
{
	gpointer *slot = slot_at(counters->threads, index);
	struct counter_thread *thread = *slot;

	if (G_UNLIKELY(!thread)) {
		struct arena *arena = analysis_arena(&counters->analysis);

		thread = *slot = arena_take(arena, sizeof(*thread));
		thread->has_come = true;
		thread->next = arena_array(arena, sizeof(struct counter_value));
		thread->last = arena_array(arena, sizeof(struct counter_value));
		thread->frames = arena_array(arena, sizeof(struct counter_frame));
		thread->at_starts = arena_array(arena, sizeof(struct counter_value));
	}
	return thread;
}

/* --- values --- */

static const struct counter_value *value_at(const GArray *values, guint index)
{
	return &g_array_index(values, struct counter_value, index);
}

/* Whether a counter counts ns whenever the thread runs. */
static bool is_time(const char *name)
{
	return strcmp(name, "task_clock") == 0 || strcmp(name, "cpu_clock") == 0;
}

static guint counter_of(struct counters *counters, uint32_t thread, const char *name)
{
	uint32_t process = recording_thread(counters->analysis.context.recording, thread)->process;
	uint32_t host = recording_process(counters->analysis.context.recording, process)->host;
	guint index = 0;

	for (; index < counters->counters->len; index++) {
		const struct counter *counter = &g_array_index(counters->counters, struct counter, index);

		if (counter->name == name && counter->host == host) {
			return index;
		}
	}
	g_array_append_val(counters->counters,
			   ((struct counter){ .host = host, .name = name, .is_time = is_time(name) }));
	return index;
}

/* The value of a counter, which is most likely at `place`; NULL if there is none. */
static const struct counter_value *find_value(const GArray *values, guint counter, guint place)
{
	for (guint i = 0; i < values->len; i++) {
		const struct counter_value *value = value_at(values, (place + i) % values->len);

		if (value->counter == counter) {
			return value;
		}
	}
	return NULL;
}

static void begin_event(struct counter_thread *thread)
{
	GArray *values = thread->last;

	thread->last = thread->next;
	thread->next = values;
	thread->has_come = false;
	g_array_set_size(values, 0);
}

/* --- executions --- */

static struct counter_row *row_of(struct counters *counters, struct model_callback *callback)
{
	struct counter_row *row = callback_row_of(&counters->analysis, callback);

	if (G_UNLIKELY(!row->cells)) {
		row->cells = arena_pointers(analysis_arena(&counters->analysis));
	}
	return row;
}

static struct counter_cell *cell_of(const struct counters *counters, const struct counter_row *row, guint counter)
{
	gpointer *slot = slot_at(row->cells, counter);
	struct counter_cell *cell = *slot;

	if (G_UNLIKELY(!cell)) {
		struct arena *arena = counters->analysis.rows.arena;

		cell = *slot = arena_take(arena, sizeof(*cell));
		duration_statistics_init(&cell->counted, arena);
	}
	return cell;
}

static void started(void *data, struct execution *execution)
{
	struct counters *counters = data;
	struct counter_thread *thread = thread_of(counters, execution->thread);
	struct counter_frame frame = { .execution = execution, .first = thread->at_starts->len };

	if (!thread->has_come && recording_thread(counters->analysis.context.recording, execution->thread)->has_vtid) {
		frame.count = thread->next->len;
		g_array_append_vals(thread->at_starts, thread->next->data, thread->next->len);
	}
	g_array_append_val(thread->frames, frame);
}

/*
 * Removes the frame of an execution, not necessarily the innermost one, from its thread. Its values stay in place until
 * another execution starts.
 */
static struct counter_frame take_frame(struct counter_thread *thread, const struct execution *execution)
{
	struct counter_frame found = { .count = 0 };
	guint length = 0;

	for (guint i = thread->frames->len; i-- > 0;) {
		const struct counter_frame frame = g_array_index(thread->frames, struct counter_frame, i);

		if (frame.execution == execution) {
			found = frame;
			g_array_remove_index(thread->frames, i);
			break;
		}
	}
	for (guint i = 0; i < thread->frames->len; i++) {
		const struct counter_frame *frame = &g_array_index(thread->frames, struct counter_frame, i);

		length = MAX(length, frame->first + frame->count);
	}
	thread->at_starts->len = length;
	return found;
}

/* The difference of two values, which may wrap; false if the counter went back, or is time and stands still. */
static bool difference(const struct counter *counter, uint64_t start, uint64_t end, int64_t duration_ns, int64_t *value)
{
	*value = (int64_t)(end - start);
	return *value >= 0 && !(counter->is_time && *value == 0 && duration_ns > 0);
}

/* If the report is about the callback. */
static void write_instance(const struct counters *counters, const struct counter_row *row,
			   const struct counter *counter, const struct execution *execution, int64_t value)
{
	const struct analysis *analysis = &counters->analysis;

	if (callback_row_is_chosen(analysis, &row->of)) {
		row_write(analysis->writers[TABLE_INSTANCES], &instance_schema,
			  &(struct instance){
				  .callback_id = cell_unsigned(row->of.id),
				  .counter = cell_text(counter->name),
				  .thread = vtid_cell(recording_thread(analysis->context.recording, execution->thread)),
				  .start = cell_integer(execution->start_ns),
				  .end = cell_integer(execution->end_ns),
				  .value = cell_integer(value),
			  });
	}
}

static void count(struct counters *counters, struct counter_row *row, const struct counter_thread *thread,
		  const struct counter_frame *frame, const struct execution *execution)
{
	int64_t duration_ns = execution->end_ns - execution->start_ns;

	row->executions++;
	for (guint i = 0; i < frame->count; i++) {
		const struct counter_value *start = value_at(thread->at_starts, frame->first + i);
		const struct counter_value *end = thread->has_come ? NULL : find_value(thread->next, start->counter, i);
		const struct counter *counter = &g_array_index(counters->counters, struct counter, start->counter);
		struct counter_cell *cell = cell_of(counters, row, start->counter);
		int64_t value;

		if (end && difference(counter, start->value, end->value, duration_ns, &value)) {
			duration_statistics_add(&cell->counted, value, execution->start_ns);
			cell->duration_ns = add_saturated(cell->duration_ns, duration_ns);
			if (counters->analysis.writers[TABLE_INSTANCES] && counter->has_changed) {
				write_instance(counters, row, counter, execution, value);
			}
		}
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct counters *counters = data;
	struct counter_thread *thread = thread_of(counters, execution->thread);
	struct counter_frame frame = { .count = 0 };

	if (outcome != EXECUTION_WITHOUT_START) {
		frame = take_frame(thread, execution);
	}
	if (outcome == EXECUTION_COMPLETE &&
	    analysis_options_include(counters->analysis.context.options, execution->start_ns)) {
		count(counters, row_of(counters, execution->callback), thread, &frame, execution);
	}
}

/* --- events --- */

static void begin(void *data)
{
	struct counters *counters = data;

	counters->counters = arena_array(analysis_arena(&counters->analysis), sizeof(struct counter));
	counters->threads = arena_pointers(analysis_arena(&counters->analysis));
}

/* The event to which the last counters belong, after executions have taken it. */
static void feed(void *analysis, const struct event_record *record)
{
	thread_of(analysis, record->thread)->has_come = true;
}

static void feed_counter(void *analysis, const struct event_record *record)
{
	struct counters *counters = analysis;
	struct counter_thread *thread = thread_of(counters, record->thread);
	struct counter_value value = { .value = record->word[RECORD__counter_value] };
	const struct counter_value *last;

	if (thread->has_come) {
		begin_event(thread);
	}
	value.counter = counter_of(counters, record->thread, record_string(record, RECORD__counter_name));
	last = find_value(thread->last, value.counter, thread->next->len);
	if (last && last->value != value.value) {
		g_array_index(counters->counters, struct counter, value.counter).has_changed = true;
	}
	g_array_append_val(thread->next, value);
}

/* --- the table --- */

static const struct counter *counter_at(const struct counters *counters, guint index)
{
	return &g_array_index(counters->counters, struct counter, index);
}

/* The sum; empty where 64 bits cannot hold it. */
static struct cell sum_cell(const struct duration_totals *totals)
{
	return totals->sum_ns == (int64_t)totals->sum_ns ? cell_integer((int64_t)totals->sum_ns) : CELL_NONE;
}

static void add_row(const struct counter *counter, const struct counter_row *row, const struct counter_cell *cell,
		    struct row_list *rows)
{
	const struct duration_statistics *counted = &cell->counted;
	struct duration_totals totals = duration_statistics_totals(counted);
	struct written_row *written = row_list_make(rows);

	*written = (struct written_row){
		.row = row,
		.counter = counter->name,
		.unit = counter->is_time ? "ns" : NULL,
		.unknown = row->executions,
		.counted = cell,
	};
	if (!counter->has_changed || totals.count == 0) {
		return;
	}
	written->count = totals.count;
	written->unknown = row->executions - totals.count;
	written->sum = sum_cell(&totals);
	written->min = cell_integer(totals.min_ns);
	written->mean = cell_real(duration_totals_mean(&totals));
	written->max = cell_integer(totals.max_ns);
	written->p50 = cell_integer(duration_statistics_quantile_of(counted, &totals, 0.5));
	written->p99 = cell_integer(duration_statistics_quantile_of(counted, &totals, 0.99));
	if (counter->is_time) {
		written->share = share_cell(int128_to_double(totals.sum_ns), (double)cell->duration_ns);
	}
}

static void diagnose(const void *data, struct diagnostics *findings)
{
	const struct counters *counters = data;

	for (guint i = 0; i < counters->counters->len; i++) {
		const struct counter *counter = counter_at(counters, i);

		if (!counter->has_changed) {
			diagnostics_add(findings, DIAGNOSTIC_COUNTER_STANDS_STILL, counter->name, 1);
		}
	}
}

/* A row for each counter that was recorded with a callback. */
static void write_table(const void *data, struct table_writer *const *writers)
{
	const struct counters *counters = data;
	g_autoptr(row_list) callbacks = callback_rows(&counters->analysis, NULL);
	g_autoptr(row_list) rows = row_list_create(&schema);

	for (guint i = 0; i < row_list_count(callbacks); i++) {
		const struct counter_row *row = row_list_at(callbacks, i);

		for (guint j = 0; j < row->cells->len; j++) {
			if (row->cells->pdata[j]) {
				add_row(counter_at(counters, j), row, row->cells->pdata[j], rows);
			}
		}
	}
	row_list_write(rows, writers[TABLE_COUNTERS]);
}

static const enum event_kind starts_and_ends[] = {
	EVENT_CALLBACK_START,	     EVENT_CALLBACK_END, EVENT_AGNOCAST_CALLABLE_START,
	EVENT_AGNOCAST_CALLABLE_END, EVENT_KIND_COUNT,
};

const struct analysis_class counters_analysis = {
	.name = "counters",
	.tables = (const struct table_schema *const[]){ &schema, &instance_schema, NULL },
	.kinds = starts_and_ends,
	.counter_kinds = starts_and_ends,
	.needs = ANALYSIS_NEEDS_EXECUTIONS | ANALYSIS_NEEDS_CALLBACK_IDS,
	.executions = { .started = started, .ended = ended },
	.size = sizeof(struct counters),
	.row_size = sizeof(struct counter_row),
	.begin = begin,
	.feed = feed,
	.feed_counter = feed_counter,
	.diagnose = diagnose,
	.write = write_table,
};
