/* SPDX-License-Identifier: MIT */
/*
 * The tables `callbacks` (a row per callback), `callback_instances` (a row per execution) and `worst_executions` (the
 * longest executions of each callback), and the summaries `busiest_callbacks` and `longest_executions`.
 *
 * - An execution counts when its start lies within the options' [begin, end]; without a recorded start, when its end
 *   does.
 * - period: from a start to the next start. gap: from an end to the next start, if no execution of the callback is open
 *   then. Neither counts where events may have been lost in between. Both count where they begin, so that each is in
 *   one of two adjacent ranges.
 * - A doubtful execution (EXECUTION_DOUBTFUL) counts and has an instance, but its duration is no sample and is not
 *   among the worst: a long one is most likely two executions.
 * - An inferred execution (inferred_executions.h) counts, and has an instance that starts with the take. It has no
 *   duration, so its callback has no statistics and is in no summary.
 * - callback_id: see callback_ids.h. Callbacks that never ran get the next ids, in the order of their rows.
 * - Rows are sorted by hostname, procname, vpid and node, then by the total duration, the longest first, then by kind,
 *   source, symbol, address and id. The order does not depend on when or how often something was defined.
 *
 * Cost: O(1) per execution. Memory: for each callback that ran.
 */
#include "core/analyses/callbacks/callbacks.h"
#include "core/analyses/shared/analysis.h"

static struct callback_row *add_row(struct callbacks *callbacks, struct model_callback *callback)
{
	const struct analysis_context *context = &callbacks->analysis.context;
	struct arena *arena = callbacks->analysis.rows.arena;
	struct callback_row *row = callback->row = row_store_make_at(&callbacks->analysis.rows, callback->index);

	row->id = callback_ids_of(context->callback_ids, callback);
	row->last_phase = row->usual_phase = NO_PHASE;
	duration_statistics_init(&row->duration, arena);
	duration_statistics_init(&row->period, arena);
	duration_statistics_init(&row->gap, arena);
	if (callbacks->analysis.rows.is_brief) {
		duration_statistics_set_beside(&row->period, &row->duration);
		duration_statistics_set_beside(&row->gap, &row->duration);
	}
	row->worst = worst_create(arena, context->options->worst, sizeof(struct worst_execution));
	return row;
}

/* The row of a callback that runs. */
static inline struct callback_row *row_of(struct callbacks *callbacks, struct model_callback *callback)
{
	return G_LIKELY(callback->row != NULL) ? callback->row : add_row(callbacks, callback);
}

/* The one that an execution ends. */
static inline struct interval interval_before(const struct callback_row *row, const struct execution *execution)
{
	return (struct interval){ execution->thread, row->last_start_ns, row->last_end_ns, execution->start_ns };
}

/* `add`: duration_statistics_add_briefly, or duration_statistics_add_up where both are added up. */
static inline void add_interval(struct callback_row *row, struct interval interval,
				void (*add)(struct duration_statistics *statistics, int64_t duration_ns, int64_t at_ns))
{
	add(&row->period, interval.start_ns - interval.last_start_ns, interval.last_start_ns);
	if (interval.start_ns >= interval.last_end_ns) {
		add(&row->gap, interval.start_ns - interval.last_end_ns, interval.last_end_ns);
	}
}

static bool may_miss_start(const struct callbacks *callbacks, const struct interval *interval)
{
	return executions_may_miss_events(callbacks->analysis.context.executions, interval->thread,
					  interval->last_start_ns, interval->start_ns);
}

/* Decides again, now that more of the trace is known: streams that were silent may have gone on since. */
static void decide(const struct callbacks *callbacks, struct callback_row *row)
{
	if (row->has_undecided && !may_miss_start(callbacks, &row->undecided)) {
		add_interval(row, row->undecided, duration_statistics_add_briefly);
	}
	row->has_undecided = false;
}

static void measure(const struct callbacks *callbacks, struct callback_row *row, const struct execution *execution)
{
	row->undecided = interval_before(row, execution);
	row->has_undecided = coverage_has_any(callbacks->coverage) && may_miss_start(callbacks, &row->undecided);
	if (!row->has_undecided) {
		add_interval(row, row->undecided, duration_statistics_add_briefly);
	}
}

static inline bool ends_interval(const struct callback_row *row, const struct execution *execution)
{
	return row->last_phase == execution->phase && execution->start_ns >= row->last_start_ns;
}

static inline void note_start(struct callback_row *row, const struct execution *execution)
{
	row->open++;
	row->last_start_ns = execution->start_ns;
	row->last_end_ns = INT64_MAX;
}

static G_GNUC_NO_INLINE void start(struct callbacks *callbacks, const struct execution *execution)
{
	struct callback_row *row = row_of(callbacks, execution->callback);
	bool is_counted = analysis_options_include(callbacks->analysis.context.options, execution->start_ns);

	decide(callbacks, row);
	if (ends_interval(row, execution)) {
		measure(callbacks, row, execution);
	}
	note_start(row, execution);
	row->last_phase = is_counted ? execution->phase : NO_PHASE;
	row->usual_phase = !callbacks->notes_more && !row->has_undecided &&
					   duration_statistics_is_added_up(&row->period) &&
					   duration_statistics_is_added_up(&row->gap)
				   ? row->last_phase
				   : NO_PHASE;
}

/* Whether start() would only add up the times since the last execution: nearly all, for which nothing is called. */
static inline bool is_usual(const struct callbacks *callbacks, const struct callback_row *row,
			    const struct execution *execution)
{
	return row->usual_phase == execution->phase && execution->start_ns >= row->last_start_ns &&
	       !coverage_has_any(callbacks->coverage);
}

static void started(void *data, struct execution *execution)
{
	struct callbacks *callbacks = data;
	struct callback_row *row = execution->callback->row;

	if (G_LIKELY(row && is_usual(callbacks, row, execution))) {
		add_interval(row, interval_before(row, execution), duration_statistics_add_up);
		note_start(row, execution);
	} else {
		start(callbacks, execution);
	}
}

static void add_worst(struct callback_row *row, const struct execution *execution)
{
	struct worst_execution *worst =
		worst_add(row->worst, execution->end_ns - execution->start_ns, execution->start_ns);

	if (worst) {
		worst->thread = execution->thread;
	}
}

/* What is not always asked for. */
static G_GNUC_NO_INLINE void note_more(const struct callbacks *callbacks, struct callback_row *row,
				       const struct execution *execution, enum execution_outcome outcome)
{
	if (outcome == EXECUTION_COMPLETE && coverage_has_any(callbacks->coverage)) {
		covered_time_add(&row->time, callbacks->coverage, execution->callback->process, execution->start_ns,
				 execution->end_ns, execution->end_ns - execution->start_ns);
	}
	if (outcome == EXECUTION_COMPLETE && row->worst) {
		add_worst(row, execution);
	}
	if (callbacks->analysis.writers[TABLE_INSTANCES]) {
		callback_tables_write_instance(callbacks, row, execution, outcome);
	}
}

static inline void note_end(const struct callbacks *callbacks, struct callback_row *row,
			    const struct execution *execution, enum execution_outcome outcome, bool is_usual)
{
	bool is_counted =
		is_usual ||
		analysis_options_include(callbacks->analysis.context.options,
					 outcome == EXECUTION_WITHOUT_START ? execution->end_ns : execution->start_ns);

	row->open -= outcome != EXECUTION_WITHOUT_START;
	row->last_end_ns = is_counted && row->open == 0 && execution_is_whole(outcome) ? execution->end_ns : INT64_MAX;
	if (!is_counted) {
		return;
	}
	if (!is_usual) {
		note_more(callbacks, row, execution, outcome);
	}
	row->count += execution_is_whole(outcome);
	row->without_start += outcome == EXECUTION_WITHOUT_START;
	row->without_end += outcome == EXECUTION_WITHOUT_END;
	row->doubtful += outcome == EXECUTION_DOUBTFUL;
	if (outcome == EXECUTION_COMPLETE) {
		duration_statistics_add(&row->duration, execution->end_ns - execution->start_ns, execution->start_ns);
	}
}

static G_GNUC_NO_INLINE void end(struct callbacks *callbacks, const struct execution *execution,
				 enum execution_outcome outcome)
{
	note_end(callbacks, row_of(callbacks, execution->callback), execution, outcome, false);
}

/* Nearly all are complete: for these, whose start made the row, the compiler leaves out what depends on the outcome. */
static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct callbacks *callbacks = data;

	if (G_LIKELY(outcome == EXECUTION_COMPLETE && !callbacks->notes_more &&
		     !coverage_has_any(callbacks->coverage))) {
		note_end(callbacks, execution->callback->row, execution, EXECUTION_COMPLETE, true);
	} else {
		end(callbacks, execution, outcome);
	}
}

static void inferred(void *data, struct inferred_execution *execution)
{
	struct callbacks *callbacks = data;
	struct callback_row *row = row_of(callbacks, execution->callback);

	if (analysis_options_include(callbacks->analysis.context.options, execution->start_ns)) {
		row->count++;
		if (callbacks->analysis.writers[TABLE_INSTANCES]) {
			callback_tables_write_inferred(callbacks, row, execution);
		}
	}
}

static void diagnose_callback(const struct callbacks *callbacks, struct model_callback *callback,
			      struct diagnostics *findings)
{
	const struct model_callback_info *info =
		object_model_callback_info(callbacks->analysis.context.model, callback);
	bool has_owner = info->kind == CALLBACK_KIND_TIMER || info->subscription || info->service;
	g_autofree char *name = NULL;

	if (has_owner && info->node &&
	    object_model_has_definitions(callbacks->analysis.context.model, callback->process)) {
		return;
	}
	name = recording_process_text(callbacks->analysis.context.recording, callback->process);
	if (!has_owner) {
		diagnostics_add(findings, DIAGNOSTIC_CALLBACK_WITHOUT_OWNER, name, 1);
	} else if (!info->node && info->kind == CALLBACK_KIND_TIMER) {
		diagnostics_add(findings, DIAGNOSTIC_TIMER_WITHOUT_NODE, name, 1);
	}
}

/* Processes that ran callbacks of which no initialization was recorded. */
static void diagnose_processes(const struct callbacks *callbacks, struct diagnostics *findings)
{
	g_autoptr(GArray) is_known = g_array_new(FALSE, TRUE, sizeof(bool));

	g_array_set_size(is_known, (guint)recording_process_count(callbacks->analysis.context.recording));
	for (guint i = 0; i < callbacks->analysis.rows.rows->len; i++) {
		uint32_t process = object_model_callback_at(callbacks->analysis.context.model, i)->process;
		bool *known = &g_array_index(is_known, bool, process);
		g_autofree char *name = NULL;

		if (!callbacks->analysis.rows.rows->pdata[i] || *known ||
		    object_model_has_definitions(callbacks->analysis.context.model, process)) {
			continue;
		}
		*known = true;
		name = recording_process_text(callbacks->analysis.context.recording, process);
		diagnostics_add(findings, DIAGNOSTIC_NO_INIT, name, 1);
	}
}

/* --- the analysis --- */

static void begin(void *data)
{
	struct callbacks *callbacks = data;
	const struct analysis_options *options = callbacks->analysis.context.options;

	callbacks->coverage = executions_coverage(callbacks->analysis.context.executions);
	callbacks->notes_more = callbacks->analysis.writers[TABLE_INSTANCES] || options->worst ||
				options->range.has_begin || options->range.has_end;
}

static void finish(void *analysis)
{
	struct callbacks *callbacks = analysis;

	for (guint i = 0; i < callbacks->analysis.rows.rows->len; i++) {
		if (callbacks->analysis.rows.rows->pdata[i]) {
			decide(callbacks, callbacks->analysis.rows.rows->pdata[i]);
		}
	}
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct callbacks *callbacks = analysis;

	for (size_t i = 0; i < object_model_callback_count(callbacks->analysis.context.model); i++) {
		diagnose_callback(callbacks, object_model_callback_at(callbacks->analysis.context.model, i), findings);
	}
	diagnose_processes(callbacks, findings);
}

const struct analysis_class callbacks_analysis = {
	.name = "callbacks",
	.tables = callback_tables,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.executions = { .started = started, .ended = ended },
	.inferred = { .closed = inferred },
	.size = sizeof(struct callbacks),
	.row_size = sizeof(struct callback_row),
	.begin = begin,
	.finish = finish,
	.diagnose = diagnose,
	.write = callback_tables_write,
};
