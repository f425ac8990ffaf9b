/* SPDX-License-Identifier: MIT */
/*
 * The tables `timers` (a row per timer) and `timer_instances` (a row per call), and the summary `late_timers`.
 *
 * - timer_schedule.h infers when a call was expected and which calls were missed. A call counts when it starts within
 *   the options' [begin, end].
 * - lateness: from the expected time to callback_start, of calls that were not early. jitter: the difference between a
 *   period (start to next start) and the timer's, within one schedule. Neither counts where events may have been lost.
 * - overrun: an execution that takes longer than the period.
 * - early: a call before its expected time, of a timer that has followed its schedule for PUNCTUAL_CALLS calls. rcl
 *   does not call a timer before its time; rclcpp does, after a timer of the same executor was destroyed.
 * - The clock of a timer is inferred (timer_clock.h), from all of its calls, those before and after the range too. By a
 * clock other than that of the trace, nothing is late or missed.
 * - Slots before the first runtime event or poll of the recording are not missed: the timer may have been called at
 * these.
 * - blocked_by: the callback that delayed the timer longest in total. Of each call, only the callback that delayed it
 *   longest counts. late_timers names it only if it alone makes up most of the timer's lateness.
 * - Without the table `timers`, nobody shows jitter, rate errors and overruns: late_timers and the diagnostics tell of
 *   none of these, and of lateness only its sum and its longest.
 * - Of timers of rclpy and rclc only the creation is recorded: they are listed without calls. A wait with a timeout
 *   creates a timer too, which is not listed (object_model_is_wait_period()).
 *
 * Cost: O(1) per call and per event of an executor. Memory: for each timer that was called. Times in ns.
 */
#include "core/analyses/shared/analysis.h"
#include "core/analyses/timers/timer_clock.h"
#include "core/analyses/timers/timer_counts.h"
#include "core/analyses/timers/timer_creations.h"
#include "core/analyses/timers/timer_tables.h"
#include "core/base/arena_parts.h"
#include "core/base/slots.h"
#include "core/model/coverage.h"
#include "ros2bt/base/time_units.h"

#define PUNCTUAL_CALLS 8 /* in a row: the timer runs by its schedule */

/* --- calls that the schedule has decided on --- */

/* Whether nothing delayed it: no callback, and its executor waited for it. */
static bool is_free(const struct timer_row *row, const struct timer_call *call)
{
	const struct timer_call_facts *facts = &call->facts;
	bool is_awaited = !facts->has_wait || facts->wait_end_ns - facts->wait_begin_ns >= TIMER_AWAITED_NS;

	return is_awaited && facts->held_ns <= row->schedule.period_ns / 20;
}

static void count_free_period(struct timer_row *row, const struct timer_call *call)
{
	duration_statistics_add(&row->free_period, call->facts.start_ns - row->last_start_ns, row->last_start_ns);
	if (++row->free_calls >= MAX(row->next_look, TIMER_FREE_CALLS_MIN)) {
		row->next_look = 2 * row->free_calls;
		row->is_other_clock = timer_row_runs_by_other_clock(row);
	}
}

/* The slot that the call followed. */
static int64_t last_slot_ns(const struct timer_row *row, const struct timer_call *call)
{
	return call->expected_ns + (int64_t)call->missed * row->schedule.period_ns;
}

static void count_period(struct timer_row *row, const struct timer_call *call)
{
	int64_t period_ns = call->facts.start_ns - row->last_start_ns;

	duration_statistics_add(&row->jitter, ABS(period_ns - row->schedule.period_ns), row->last_start_ns);
	if (!call->is_early) {
		row->span_ns += period_ns;
		row->slots_ns += last_slot_ns(row, call) - row->last_slot_ns;
	}
}

/* What only the table of timers shows. `is_counted`: in the range, by a schedule. */
static void count_for_table(struct timer_row *row, const struct timer_call *call, bool is_counted)
{
	bool has_slot = is_counted && call->has_expected;

	if (has_slot && row->has_last_slot && !call->begins_anew) {
		count_period(row, call);
	}
	row->overruns += is_counted && call->has_end && call->end_ns - call->facts.start_ns > row->schedule.period_ns;
	row->has_last_slot = has_slot;
	row->last_slot_ns = has_slot ? last_slot_ns(row, call) : 0;
}

static void add_delay(struct timer_row *row, const struct timer_hold *hold, int64_t late_ns)
{
	if (!hold->is_known) {
		row->hidden_ns = add_saturated(row->hidden_ns, late_ns);
	} else if (hold->holder && hold->held_ns > 0) {
		holders_add(&row->holders, hold->holder, hold->holder_ns);
		row->held_ns = add_saturated(row->held_ns, hold->held_ns);
	}
}

/* What delayed a call that has started; `uses`: what its thread executed. */
static struct timer_hold hold_of(const struct timers *timers, const struct timer_delay *delay,
				 const struct thread_uses *uses)
{
	return timer_delays_hold(timer_threads_delays(timers->threads), delay, uses,
				 timer_threads_is_shared(timers->threads, delay->thread));
}

static void delay_decided(const struct thread_question *question, const struct thread_uses *uses)
{
	const struct timers *timers = question->asker;
	struct timer_row *row = question->about;
	struct timer_delay delay = { row->callback, question->thread, question->from_ns, question->to_ns };
	struct timer_hold hold = hold_of(timers, &delay, uses);

	add_delay(row, &hold, question->to_ns - question->from_ns);
}

/*
 * Whether it is certain already that nothing delayed the call, as nearly all: as known at its start, nothing had
 * executed since then, and what has ended since its start on its thread is this call alone, so that the question would
 * get the same answer.
 */
static bool is_undelayed(const struct timers *timers, const struct timer_call *call)
{
	return call->expected_ns >= call->free_since_ns && call->has_end &&
	       !coverage_has_any(executions_coverage(timers->analysis.context.executions)) &&
	       timer_threads_pause_ns(timers->threads, call->thread, call->end_ns) == 0 &&
	       !timer_threads_is_shared(timers->threads, call->thread);
}

/* The expected time is decided only now. That of the first call of a schedule is derived from the calls after it. */
static void count_delay(struct timers *timers, struct timer_row *row, const struct timer_call *call, int64_t late_ns)
{
	int64_t waited_ns = call->facts.wait_end_ns - MAX(call->facts.wait_begin_ns, call->expected_ns);

	if (call->begins_anew) {
		add_delay(row, &(struct timer_hold){ 0 }, late_ns);
	} else if (!is_undelayed(timers, call)) {
		thread_history_ask(timers->analysis.context.threads, &(struct thread_question){
									     .thread = call->thread,
									     .from_ns = call->expected_ns,
									     .to_ns = call->facts.start_ns,
									     .answered = delay_decided,
									     .asker = timers,
									     .about = row,
								     });
	}
	row->waited_ns = add_saturated(row->waited_ns, CLAMP(waited_ns, 0, late_ns));
}

static void count_lateness(struct timers *timers, struct timer_row *row, const struct timer_call *call)
{
	int64_t late_ns = call->facts.start_ns - call->expected_ns;

	duration_statistics_add_briefly(&row->lateness, late_ns, call->expected_ns);
	count_delay(timers, row, call, late_ns);
	if (!row->schedule.is_guess) {
		timer_shown_note_late(timer_threads_shown(timers->threads, call->thread),
				      call->facts.now_ns - call->expected_ns);
	}
}

static void count_expected(struct timers *timers, struct timer_row *row, const struct timer_call *call)
{
	row->restarts += call->begins_anew && !call->is_first;
	row->early += call->is_early;
	row->missed += call->missed;
	row->unknown += !call->has_expected;
	if (call->is_early) {
		timer_threads_note_early(timers->threads, call->thread, call->facts.start_ns);
	}
	if (call->has_expected && !call->is_early) {
		count_lateness(timers, row, call);
	}
}

/* Until calls have followed the schedule, a call before its time may as well be by another clock. */
static void doubt_early(const struct timer_row *row, struct timer_call *call)
{
	if (call->is_early && row->most_punctual < PUNCTUAL_CALLS) {
		call->is_early = false;
		call->has_expected = false;
	}
}

/* What tells the clock of the timer, which is the same whatever part of the recording counts. */
static void follow_clock(struct timer_row *row, const struct timer_call *call)
{
	bool is_punctual = call->has_expected && !call->is_early && !call->begins_anew;
	bool is_last_free = row->is_last_free;

	row->followed++;
	row->irregular += !is_punctual;
	row->is_last_free = is_free(row, call);
	/* an early call may be at any time */
	if (is_last_free && row->is_last_free && !call->facts.is_after_loss && !call->is_early) {
		count_free_period(row, call);
	}
	row->punctual = is_punctual ? row->punctual + 1 : 0;
	row->most_punctual = MAX(row->most_punctual, row->punctual);
}

static void count_call(struct timers *timers, struct timer_row *row, const struct timer_call *call)
{
	bool is_counted = analysis_options_include(timers->analysis.context.options, call->facts.start_ns);
	bool is_known = timer_schedule_is_known(&row->schedule);

	if (is_known) {
		follow_clock(row, call);
	}
	if (is_counted && is_known) {
		count_expected(timers, row, call);
	} else {
		row->unknown += is_counted;
	}
	if (timers->analysis.writers[TABLE_TIMERS]) {
		count_for_table(row, call, is_counted && is_known);
	}
	row->last_start_ns = call->facts.start_ns;
	if (is_counted && row->is_timer && timers->analysis.writers[TABLE_TIMER_INSTANCES]) {
		timer_tables_write_instance(timers, row, call);
	}
}

static void count_calls(struct timers *timers, struct timer_row *row, bool is_forced)
{
	struct timer_call *call;

	while ((call = timer_schedule_take(&row->schedule, is_forced))) {
		doubt_early(row, call);
		count_call(timers, row, call);
	}
}

/* --- calls at their start --- */

/* NULL if the callback is not that of a timer. */
static struct timer_row *row_of(struct timers *timers, struct model_callback *callback)
{
	struct row_store *rows = &timers->analysis.rows;
	struct timer_row *row = slot_get(rows->rows, callback->index);
	const struct model_callback_info *info;

	if (G_LIKELY(row)) {
		return row;
	}
	info = object_model_callback_info(timers->analysis.context.model, callback);
	if (info->kind != CALLBACK_KIND_TIMER && info->kind != CALLBACK_KIND_UNKNOWN) {
		return NULL;
	}
	row = row_store_make_at(rows, callback->index);
	row->callback = callback;
	timer_schedule_init_unknown(&row->schedule);
	duration_statistics_init(&row->lateness, rows->arena);
	duration_statistics_init(&row->jitter, rows->arena);
	duration_statistics_init(&row->free_period, rows->arena);
	if (!timers->analysis.writers[TABLE_TIMERS]) {
		duration_statistics_set_beside(&row->lateness, &row->lateness);
	}
	return row;
}

/* Takes the id, the period and the creation of the timer once they are known. */
static void find_schedule(struct timers *timers, struct timer_row *row)
{
	const struct model_callback_info *info =
		object_model_callback_info(timers->analysis.context.model, row->callback);

	if (info->kind == CALLBACK_KIND_TIMER && !row->is_timer) {
		row->is_timer = true;
		row->id = timers->next_id++;
	}
	if (!info->timer) {
		return;
	}
	row->has_schedule = true;
	row->created_ns = info->timer->since_ns;
	if (info->period_ns > 0 && info->period_ns <= TIMER_PERIOD_MAX_NS) {
		count_calls(timers, row, true);
		timer_schedule_init(
			&row->schedule, info->period_ns,
			&(struct timer_creation){ row->created_ns,
						  timer_creations_slack_ns(timers->creations, info->timer) });
	}
}

static int64_t recorded_since_ns(const struct timers *timers, uint32_t process)
{
	return process < timers->recorded_since->len ? g_array_index(timers->recorded_since, int64_t, process)
						     : INT64_MIN;
}

/*
 * Whether slots since the last call lie before the recording of what happens at run time on its host, polls included:
 * the timer may have been called at these.
 */
static bool begins_before(const struct timers *timers, const struct timer_row *row, const struct execution *execution)
{
	int64_t expected_ns = row->schedule.expected_ns;

	return timer_schedule_is_known(&row->schedule) &&
	       execution->start_ns - expected_ns >= row->schedule.period_ns &&
	       expected_ns < timer_threads_begin_ns(timers->threads, execution->callback->process,
						    *timers->analysis.context.begin_ns);
}

/* Whether calls since the last one may not have been recorded. */
static bool may_miss_calls(const struct timers *timers, const struct timer_row *row, const struct execution *execution)
{
	struct coverage *coverage = executions_coverage(timers->analysis.context.executions);
	int64_t since_ns = row->schedule.has_last ? row->schedule.last_ns : row->created_ns;

	return (row->calls > 0 && !row->schedule.has_last) || begins_before(timers, row, execution) ||
	       (row->schedule.has_last && row->last_phase != execution->phase) ||
	       recorded_since_ns(timers, execution->callback->process) > since_ns ||
	       (coverage_has_any(coverage) &&
		!coverage_process_is_whole(coverage, execution->callback->process, since_ns, execution->start_ns));
}

static struct timer_call_facts facts_of(const struct timers *timers, const struct timer_row *row,
					const struct execution *execution, const struct timer_delay *delay,
					const struct timer_hold *hold)
{
	const struct model_callback_info *info =
		object_model_callback_info(timers->analysis.context.model, execution->callback);
	struct timer_asked asked = { info->timer_handle, row->has_schedule ? row->created_ns : INT64_MIN,
				     row->schedule.expected_ns };
	bool is_known = timer_schedule_is_known(&row->schedule);
	int64_t late_ns = execution->start_ns - row->schedule.expected_ns;
	struct timer_call_facts facts = {
		.held_ns = hold->is_known ? hold->held_ns : TIMER_HELD_UNKNOWN,
		.silent_since_ns = INT64_MAX,
	};

	timer_threads_tell(timers->threads, execution, &asked, &facts);
	if (is_known && late_ns > TIMER_STOP_NS && timer_threads_is_shared(timers->threads, execution->thread)) {
		facts.in_turn_ns = timer_delays_in_turn_ns(timer_threads_delays(timers->threads), delay);
	}
	if (is_known && (late_ns >= row->schedule.period_ns || row->schedule.calls.held > 0)) {
		facts.silent_since_ns = timer_threads_silent_since_ns(timers->threads, execution);
	}
	if (is_known && late_ns >= row->schedule.period_ns) {
		facts.overtaken =
			timer_threads_executing(timers->threads, execution, info->timer_handle, facts.earliest_ns);
	}
	facts.is_after_loss = may_miss_calls(timers, row, execution);
	return facts;
}

static void add_call(struct timers *timers, struct timer_row *row, struct execution *execution)
{
	struct timer_delay delay = { row->callback, execution->thread, row->schedule.expected_ns, execution->start_ns };
	struct timer_hold hold = { .is_known = true };
	bool is_late = timer_schedule_is_known(&row->schedule) && delay.expected_ns < delay.start_ns;
	struct timer_call_facts facts;
	struct timer_call *call;

	/* nothing has delayed nearly all calls, as hold_of() would say of a thread that was idle */
	if (is_late &&
	    (timer_threads_is_shared(timers->threads, delay.thread) ||
	     !thread_history_is_idle_since(timers->analysis.context.threads, execution, delay.expected_ns))) {
		hold = hold_of(timers, &delay,
			       thread_history_find(timers->analysis.context.threads, delay.thread, delay.expected_ns,
						   delay.start_ns));
	}
	facts = facts_of(timers, row, execution, &delay, &hold);
	if (timer_schedule_make_room(&row->schedule)) {
		count_calls(timers, row, true);
	}
	row->last_phase = execution->phase;
	row->lacks_executor |= !facts.has_executor;
	call = timer_schedule_call(&row->schedule, &facts);
	call->execution = execution;
	call->thread = execution->thread;
	call->free_since_ns = is_late && hold.is_known && hold.held_ns == 0 ? delay.expected_ns : INT64_MAX;
	if (G_UNLIKELY(row->schedule.shows_queue || row->schedule.shows_none)) {
		timer_shown_note_queue(timer_threads_shown(timers->threads, execution->thread),
				       row->schedule.shows_queue, row->schedule.shows_none);
		row->schedule.shows_queue = row->schedule.shows_none = false;
	}
}

static void started(void *data, struct execution *execution)
{
	struct timers *timers = data;
	struct timer_row *row = row_of(timers, execution->callback);

	if (!row) {
		return;
	}
	if (G_UNLIKELY(!row->has_schedule)) {
		find_schedule(timers, row);
	}
	add_call(timers, row, execution);
	row->calls += analysis_options_include(timers->analysis.context.options, execution->start_ns);
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct timers *timers = data;
	struct timer_row *row = slot_get(timers->analysis.rows.rows, execution->callback->index);
	struct timer_call *call = row ? timer_schedule_end(&row->schedule, execution) : NULL;

	if (call) {
		call->end_ns = execution->end_ns;
		call->has_end = outcome == EXECUTION_COMPLETE;
		count_calls(timers, row, false);
	}
}

static void note_recording(struct timers *timers, const struct event_record *record)
{
	uint32_t process = recording_thread(timers->analysis.context.recording, record->thread)->process;
	int64_t never = INT64_MIN;

	while (process >= timers->recorded_since->len) {
		g_array_append_val(timers->recorded_since, never);
	}
	g_array_index(timers->recorded_since, int64_t, process) = record->time_ns;
}

/* --- the analysis --- */

static void begin(void *analysis)
{
	struct timers *timers = analysis;

	timers->threads = timer_threads_create(analysis);
	timers->recorded_since = arena_array(analysis_arena(analysis), sizeof(int64_t));
	timers->creations = timer_creations_create(analysis);
}

/* Not in line: nothing of this is frequent. */
static G_GNUC_NO_INLINE void feed_definition(struct timers *timers, const struct event_record *record)
{
	if (record->kind == EVENT_CARET_INIT) {
		note_recording(timers, record);
	} else {
		timer_creations_feed(timers->creations, record,
				     timer_threads_pause_ns(timers->threads, record->thread, record->time_ns));
	}
}

static void feed(void *analysis, const struct event_record *record)
{
	struct timers *timers = analysis;

	if (G_LIKELY(record->kind == EVENT_RCLCPP_EXECUTOR_EXECUTE)) {
		timer_threads_feed(timers->threads, record);
	} else {
		feed_definition(timers, record);
	}
}

static void feed_polls(void *analysis, uint32_t thread, const struct poll *polls, size_t count)
{
	timer_threads_feed_polls(((struct timers *)analysis)->threads, thread, polls, count);
}

static void finish(void *analysis)
{
	struct timers *timers = analysis;

	for (guint i = 0; i < timers->analysis.rows.rows->len; i++) {
		struct timer_row *row = timers->analysis.rows.rows->pdata[i];

		if (row) {
			timer_schedule_settle(&row->schedule);
			count_calls(timers, row, true);
		}
	}
}

static const enum event_kind kinds[] = {
	EVENT_RCLCPP_EXECUTOR_EXECUTE,
	EVENT_CARET_INIT,
	EVENT_RCL_TIMER_INIT,
	/* the last events of whatever a thread may create before a timer */
	EVENT_RCL_NODE_INIT,
	EVENT_RCL_PUBLISHER_INIT,
	EVENT_RCL_CLIENT_INIT,
	EVENT_RCLCPP_TIMER_LINK_NODE,
	EVENT_RCLCPP_CALLBACK_REGISTER,
	EVENT_RCL_LIFECYCLE_STATE_MACHINE_INIT,
	EVENT_KIND_COUNT,
};

const struct analysis_class timers_analysis = {
	.name = "timers",
	.tables = timer_tables,
	.kinds = kinds,
	.needs = ANALYSIS_NEEDS_EXECUTIONS,
	.executions = { .callback_kinds = 1U << CALLBACK_KIND_TIMER, .started = started, .ended = ended },
	.size = sizeof(struct timers),
	.row_size = sizeof(struct timer_row),
	.begin = begin,
	.feed = feed,
	.feed_polls = feed_polls,
	.finish = finish,
	.diagnose = timer_tables_diagnose,
	.write = timer_tables_write,
};
