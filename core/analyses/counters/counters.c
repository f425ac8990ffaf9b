/* SPDX-License-Identifier: MIT */
/*
 * The tables `counters` (a row per callback and counter) and `counter_instances` (a row per execution and counter, from
 * the first change of the counter on): how much of what LTTng's contexts perf:thread:NAME count callbacks use.
 *
 * - The value of an execution is the difference between the counter at callback_start and at callback_end on one
 *   thread, executions within it included. An execution counts when it starts within the options' [begin, end], if
 *   both its start and its end are recorded without doubt (executions.h).
 * - LTTng accepts counters that it cannot read on the machine: these have one value per thread of a host throughout the
 *   recording. Their values are unknown, not 0.
 * - The value of an execution is also unknown if the counter goes back, because it was restarted (beyond 64 bits it
 *   wraps), or if it counts time and stands still while the callback runs, because it was stopped.
 * - callback_id: see callback_ids.h.
 *
 * Cost: O(counters) per start and end of a callback. Memory: for each callback and counter, and the open executions.
 */
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/counters/counter_tables.h"
#include "core/base/slots.h"
#include "core/base/time_units.h"

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
		thread = *slot = g_new0(struct counter_thread, 1);
		thread->has_come = true;
		thread->next = g_array_new(FALSE, FALSE, sizeof(struct counter_value));
		thread->last = g_array_new(FALSE, FALSE, sizeof(struct counter_value));
		thread->frames = g_array_new(FALSE, FALSE, sizeof(struct counter_frame));
		thread->at_starts = g_array_new(FALSE, FALSE, sizeof(struct counter_value));
	}
	return thread;
}

static void thread_free(gpointer data)
{
	struct counter_thread *thread = data;

	if (thread) {
		g_array_unref(thread->next);
		g_array_unref(thread->last);
		g_array_unref(thread->frames);
		g_array_unref(thread->at_starts);
		g_free(thread);
	}
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
	uint32_t process = recording_thread(counters->recording, thread)->process;
	uint32_t host = recording_process(counters->recording, process)->host;
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

static struct counter_row *row_of(struct counters *counters, const struct model_callback *callback)
{
	gpointer *slot = slot_at(counters->rows, callback->index);
	struct counter_row *row = *slot;

	if (G_UNLIKELY(!row)) {
		row = *slot = g_new0(struct counter_row, 1);
		row->id = callback_ids_of(counters->ids, callback);
		row->cells = g_ptr_array_new();
	}
	return row;
}

static void row_free(gpointer data)
{
	struct counter_row *row = data;

	if (row) {
		g_ptr_array_unref(row->cells);
		g_free(row);
	}
}

static struct counter_cell *cell_of(struct counters *counters, struct counter_row *row, guint counter)
{
	gpointer *slot = slot_at(row->cells, counter);
	struct counter_cell *cell = *slot;

	if (G_UNLIKELY(!cell)) {
		struct arena *arena = recording_arena(counters->recording);

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

	if (!thread->has_come && recording_thread(counters->recording, execution->thread)->has_vtid) {
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
			if (counters->instance_writer && counter->has_changed) {
				counter_tables_write_instance(counters, row, counter, execution, value);
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
	if (outcome == EXECUTION_COMPLETE && analysis_options_include(counters->options, execution->start_ns)) {
		count(counters, row_of(counters, execution->callback), thread, &frame, execution);
	}
}

/* --- the analysis --- */

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct counters *counters = g_new0(struct counters, 1);

	counters->recording = context->recording;
	counters->model = context->model;
	counters->options = context->options;
	counters->ids = context->callback_ids;
	counters->instance_writer = writers[TABLE_COUNTER_INSTANCES];
	counters->counters = g_array_new(FALSE, FALSE, sizeof(struct counter));
	counters->rows = g_ptr_array_new_with_free_func(row_free);
	counters->threads = g_ptr_array_new_with_free_func(thread_free);
	callback_ids_listen(counters->ids);
	executions_add_listener(context->executions, &(struct executions_listener){
							     .data = counters,
							     .started = started,
							     .ended = ended,
						     });
	return counters;
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

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	counter_tables_diagnose(analysis, findings);
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	counter_tables_write(analysis, writers);
}

static void destroy(void *analysis)
{
	struct counters *counters = analysis;

	g_array_unref(counters->counters);
	g_ptr_array_unref(counters->rows);
	g_ptr_array_unref(counters->threads);
	g_free(counters);
}

static const enum event_kind starts_and_ends[] = { EVENT_CALLBACK_START, EVENT_CALLBACK_END, EVENT_KIND_COUNT };

const struct analysis_class counters_analysis = {
	.name = "counters",
	.tables = counter_tables,
	.kinds = starts_and_ends,
	.counter_kinds = starts_and_ends,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.create = create,
	.feed = feed,
	.feed_counter = feed_counter,
	.diagnose = diagnose,
	.write = write_tables,
	.destroy = destroy,
};
