/* SPDX-License-Identifier: MIT */
#include "core/model/thread_history.h"

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/slots.h"
#include "core/model/coverage.h"
#include "core/model/open_executions.h"
#include "core/model/thread_past.h"
#include "ros2bt/base/time_units.h"

#define UNKNOWN_END INT64_MIN
#define UNDECIDED_END (INT64_MIN + 1)

/* A process that has initialized a context: since then its threads may be others. */
struct initialization {
	int64_t time_ns; /* of the last one */
	size_t pasts;	 /* how many threads had executed something then, of all processes */
};

/*
 * A question, and the answer to it. It is the answer for each end that is later than after_ns and not later than
 * until_ns, too: the thread executes nothing in between. So a message has one answer, until it is taken and until its
 * callback starts.
 */
struct answer {
	uint32_t thread;
	int64_t from_ns, to_ns;
	int64_t after_ns, until_ns;
	uint64_t periods; /* of the thread so far: once there are more, it is to be found anew */
	bool is_known;
	bool is_undecided; /* and so not known yet */
	struct thread_uses uses;
};

struct thread_history {
	struct recording *recording;   /* borrowed */
	struct executions *executions; /* borrowed */
	struct coverage *coverage;     /* theirs */
	bool listens;
	GPtrArray *pasts;	 /* struct thread_past *, in the arena */
	GArray *initializations; /* struct initialization by index of the process; zeros: none */
	struct answer last;
};

static struct thread_past *past_of(struct thread_history *history, uint32_t thread)
{
	struct execution_stack *stack = execution_stack_of(history->executions, thread);

	if (!stack->past) {
		stack->past = arena_take(recording_arena(history->recording), sizeof(struct thread_past));
		stack->past->number = history->pasts->len;
		g_ptr_array_add(history->pasts, stack->past);
	}
	return stack->past;
}

static void clear_past(void *data)
{
	struct thread_past *past = data;

	g_clear_pointer(&past->questions, g_array_unref);
}

static G_GNUC_NO_INLINE bool lies_in_losses(const struct thread_history *history, uint32_t thread, int64_t from_ns,
					    int64_t to_ns)
{
	return !coverage_process_is_whole(history->coverage, recording_thread(history->recording, thread)->process,
					  from_ns, to_ns);
}

/* Whether events of a thread may be missing between two times: they are lost, or its process was not recorded. */
static inline bool may_miss_events(const struct thread_history *history, uint32_t thread, int64_t from_ns,
				   int64_t to_ns)
{
	return G_UNLIKELY(coverage_has_any(history->coverage)) && lies_in_losses(history, thread, from_ns, to_ns);
}

/* Whether an execution without a recorded end may have ended at any time before end_ns: its end may be lost. */
static bool may_have_ended(const struct thread_history *history, const struct execution *execution, int64_t end_ns)
{
	return may_miss_events(history, execution->thread, execution->start_ns, end_ns);
}

/*
 * The time in which it executed, for certain unless its end may be lost. After that, it is not known what its thread
 * did if that `is_hidden`.
 */
static void add_left(const struct thread_history *history, struct thread_past *past, const struct execution *execution,
		     bool is_hidden)
{
	bool is_known = !may_have_ended(history, execution, execution->left_ns);

	thread_periods_add(&past->periods, is_known ? execution->callback : NULL, execution->start_ns,
			   execution->left_ns);
	if (is_hidden) {
		thread_periods_open(&past->periods, execution->left_ns);
	}
}

static bool is_over(const struct thread_history *history, const struct execution *execution, int64_t now_ns)
{
	return executions_fate(history->executions, execution, now_ns) == EXECUTION_IS_OVER;
}

/* Asks again what was undecided. */
static G_GNUC_NO_INLINE void answer_questions(struct thread_history *history, struct thread_past *past)
{
	GArray *questions = g_steal_pointer(&past->questions);

	for (guint i = 0; i < questions->len; i++) {
		thread_history_ask(history, &g_array_index(questions, struct thread_question, i));
	}
	g_array_unref(questions);
}

/* The outermost execution counts as over if it was, or if the one that starts shows it. */
static G_GNUC_NO_INLINE void leave_outermost(struct thread_history *history, struct thread_past *past,
					     const struct execution *starting)
{
	bool is_shown = thread_history_is_outside(starting->callback);

	if (is_shown || is_over(history, past->outermost, starting->start_ns)) {
		past->shown = is_shown ? starting->callback : past->shown;
		add_left(history, past, past->outermost, past->has_inner);
		past->outermost = NULL;
		if (past->questions) {
			answer_questions(history, past);
		}
	}
}

/* The answer before is found anew; thread_periods.count tells of what thread_past.h has noted. */
static void forget_answer(struct thread_history *history, const struct execution *execution)
{
	history->last.is_known &= history->last.thread != execution->thread;
}

static void started(void *data, struct execution *execution)
{
	struct thread_history *history = data;
	struct thread_past *past = past_of(history, execution->thread);
	struct callback_ends *ends = execution_ends_of(execution->callback);

	forget_answer(history, execution);
	if (past->outermost) {
		leave_outermost(history, past, execution);
	}
	if (execution_stack_of(history->executions, execution->thread)->depth == 1 && ends->place == PLACE_UNKNOWN &&
	    !may_miss_events(history, execution->thread, INT64_MIN, execution->start_ns)) {
		ends->place = PLACE_OUTSIDE;
	}
	if (!past->outermost) {
		thread_periods_close(&past->periods, execution->start_ns);
		past->outermost = execution;
		past->has_inner = false;
	} else {
		past->has_inner = true;
	}
}

/* The execution that ends here may have begun at any time since the last known period. */
static void end_without_start(struct thread_past *past, const struct execution *execution, bool is_in_other)
{
	const struct thread_period *last = thread_periods_last(&past->periods);

	if (past->periods.is_open) {
		thread_periods_close(&past->periods, execution->end_ns);
	} else if (!is_in_other) {
		thread_periods_add(&past->periods, NULL, last ? last->end_ns : INT64_MIN, execution->end_ns);
	}
}

static void end_outermost(const struct thread_history *history, struct thread_past *past,
			  const struct execution *execution, enum execution_outcome outcome)
{
	if (outcome != EXECUTION_WITHOUT_END) {
		thread_periods_add(&past->periods, outcome == EXECUTION_COMPLETE ? execution->callback : NULL,
				   execution->start_ns, execution->end_ns);
	} else if (execution->left_ns != EXECUTION_HAS_NOT_LEFT) {
		add_left(history, past, execution, past->has_inner || !is_over(history, execution, execution->left_ns));
	} else {
		thread_periods_open(&past->periods, execution->start_ns);
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct thread_history *history = data;
	struct thread_past *past = past_of(history, execution->thread);

	forget_answer(history, execution);
	if (outcome == EXECUTION_WITHOUT_START) {
		end_without_start(past, execution,
				  execution_stack_of(history->executions, execution->thread)->depth > 0);
	} else if (execution == past->outermost) {
		past->outermost = NULL;
		end_outermost(history, past, execution, outcome);
		if (past->questions) {
			answer_questions(history, past);
		}
	} else if (!past->outermost && outcome != EXECUTION_WITHOUT_END) {
		/* it seemed to be over, and was not: what is known since its start is wrong */
		past->periods.count = 0;
		past->periods.is_open = false;
		thread_periods_add(&past->periods, NULL, INT64_MIN, execution->end_ns);
		if (past->shown) {
			execution_ends_of(past->shown)->place = PLACE_ANYWHERE;
		}
	}
}

/* All threads that executed something so far may be others from now on. */
static void may_be_new(void *data, uint32_t process, int64_t time_ns)
{
	struct thread_history *history = data;

	*array_at(history->initializations, struct initialization, process) =
		(struct initialization){ .time_ns = time_ns, .pasts = history->pasts->len };
	history->last.is_known = false;
}

struct thread_history *thread_history_create(struct recording *recording, struct executions *executions)
{
	struct thread_history *history = g_new0(struct thread_history, 1);

	history->recording = recording;
	history->executions = executions;
	history->coverage = executions_coverage(executions);
	history->pasts = g_ptr_array_new_with_free_func(clear_past);
	history->initializations = g_array_new(FALSE, TRUE, sizeof(struct initialization));
	return history;
}

void thread_history_listen(struct thread_history *history)
{
	if (!history->listens) {
		executions_add_listener(history->executions, &(struct executions_listener){
								     .data = history,
								     .only_unusual = true,
								     .started = started,
								     .ended = ended,
								     .may_be_new = may_be_new,
							     });
		history->listens = true;
	}
}

void thread_history_destroy(struct thread_history *history)
{
	if (history) {
		g_ptr_array_unref(history->pasts);
		g_array_unref(history->initializations);
		g_free(history);
	}
}

/*
 * When the outermost execution, which is open, ended, or to_ns if it went on; UNKNOWN_END: that is not known, such as
 * where its end may be lost; UNDECIDED_END: what follows decides.
 */
static int64_t end_of_open(const struct thread_history *history, const struct thread_past *past, int64_t to_ns)
{
	const struct execution *open = past->outermost;

	if (G_UNLIKELY(may_have_ended(history, open, to_ns))) {
		return UNKNOWN_END;
	}
	if (G_LIKELY(to_ns <= open->left_ns)) {
		return to_ns;
	}
	if (!is_over(history, open, to_ns)) {
		return UNDECIDED_END;
	}
	return past->has_inner ? UNKNOWN_END : open->left_ns;
}

/*
 * From the last period backwards: they are in order and do not overlap, so that only the first use can go beyond to_ns.
 * The sums are in local variables, which stay in registers, because there may be hundreds of uses.
 */
static bool find_in_past(const struct thread_history *history, const struct thread_past *past, struct answer *answer)
{
	const struct thread_periods *periods = &past->periods;
	const struct thread_period *period = thread_periods_at(periods, periods->count - 1);
	uint64_t left = MIN(periods->count, THREAD_HISTORY_LENGTH); /* `period` and those before it */
	int64_t from_ns = answer->from_ns, to_ns = answer->to_ns;
	struct thread_uses *uses = &answer->uses;
	struct thread_use *use = uses->list;
	struct model_callback *longest = NULL;
	int64_t longest_ns = -1, total_ns = 0, until_ns = INT64_MAX;
	bool is_in_open = past->outermost && past->outermost->start_ns < to_ns, goes_on = false;

	if (is_in_open) {
		int64_t end_ns = end_of_open(history, past, to_ns);
		int64_t start_ns = MAX(past->outermost->start_ns, from_ns);

		if (end_ns == UNKNOWN_END || end_ns == UNDECIDED_END) {
			answer->is_undecided = end_ns == UNDECIDED_END;
			return false;
		}
		if (start_ns < end_ns) {
			longest = past->outermost->callback;
			longest_ns = total_ns = end_ns - start_ns;
			goes_on = end_ns == to_ns;
			*use++ = (struct thread_use){ longest, total_ns };
		}
	}
	for (; left > 0 && period->start_ns >= to_ns; left--, period = thread_periods_before(periods, period)) {
		until_ns = period->start_ns;
	}
	if (left > 0 && period->end_ns > to_ns) {
		goes_on = true;
	} else if (!is_in_open) {
		answer->after_ns = left > 0 ? MAX(from_ns, period->end_ns) : from_ns;
		answer->until_ns = past->outermost ? MIN(until_ns, past->outermost->start_ns) : until_ns;
	}
	for (; left > 0; left--, period = thread_periods_before(periods, period)) {
		int64_t start_ns = period->start_ns, end_ns = period->end_ns;

		if (G_UNLIKELY(start_ns <= from_ns || end_ns > to_ns)) {
			if (end_ns <= from_ns) {
				break;
			}
			start_ns = MAX(start_ns, from_ns);
			end_ns = MIN(end_ns, to_ns);
		}
		if (!period->callback) {
			return false;
		}
		*use++ = (struct thread_use){ period->callback, end_ns - start_ns };
		total_ns = add_saturated(total_ns, end_ns - start_ns);
		if (end_ns - start_ns > longest_ns) {
			longest = period->callback;
			longest_ns = end_ns - start_ns;
		}
	}
	uses->total_ns = total_ns;
	uses->longest = longest;
	uses->goes_on = goes_on;
	uses->count = (size_t)(use - uses->list);
	return left > 0 || periods->count <= THREAD_HISTORY_LENGTH ||
	       thread_periods_at(periods, periods->count)->start_ns <= from_ns;
}

/* What the thread executed before may be of another thread; INT64_MIN: all is its own. */
static int64_t new_since(const struct thread_history *history, const struct execution_stack *thread)
{
	const struct initialization *last = NULL;

	if (thread->process < history->initializations->len) {
		last = &g_array_index(history->initializations, struct initialization, thread->process);
	}
	return last && thread->past->number < last->pasts ? last->time_ns : INT64_MIN;
}

static bool find(const struct thread_history *history, const struct execution_stack *thread, struct answer *answer)
{
	answer->after_ns = answer->until_ns = answer->to_ns;
	answer->periods = thread->past ? thread->past->periods.count : 0;
	answer->is_undecided = false;
	if (answer->to_ns < answer->from_ns || !thread->has_vtid ||
	    may_miss_events(history, answer->thread, answer->from_ns, answer->to_ns)) {
		return false;
	}
	executions_catch_up(history->executions, answer->thread, answer->to_ns);
	if (thread->past) {
		int64_t new_ns = new_since(history, thread);
		bool is_one = new_ns <= answer->from_ns || new_ns >= answer->to_ns;

		return is_one && find_in_past(history, thread->past, answer);
	}
	answer->uses.total_ns = 0;
	answer->uses.longest = NULL;
	answer->uses.goes_on = false;
	answer->uses.count = 0;
	return true;
}

/* Nothing that has ended since then counts, and nothing that has started. */
static bool is_answered(const struct thread_history *history, const struct thread_past *past, uint32_t thread,
			int64_t from_ns, int64_t to_ns)
{
	const struct answer *last = &history->last;

	return last->is_known && last->thread == thread && last->from_ns == from_ns &&
	       (!past || last->periods == past->periods.count) &&
	       (last->to_ns == to_ns || (to_ns > last->after_ns && to_ns <= last->until_ns &&
					 (!past || !past->outermost || to_ns <= past->outermost->start_ns))) &&
	       !may_miss_events(history, thread, from_ns, to_ns);
}

const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns)
{
	const struct execution_stack *stack = execution_stack_of(history->executions, thread);
	struct answer *last = &history->last;

	if (!is_answered(history, stack->past, thread, from_ns, to_ns)) {
		last->thread = thread;
		last->from_ns = from_ns;
		last->to_ns = to_ns;
		last->is_known = find(history, stack, last);
	}
	return last->is_known ? &last->uses : NULL;
}

bool thread_history_is_outside(struct model_callback *callback)
{
	return execution_ends_of(callback)->place == PLACE_OUTSIDE;
}

/* Keeps a question for answer_questions() if there is room. */
static bool keep_question(const struct thread_history *history, const struct thread_question *question)
{
	struct thread_past *past = execution_stack_of(history->executions, question->thread)->past;

	if (past->questions && past->questions->len >= THREAD_QUESTIONS_MAX) {
		return false;
	}
	if (!past->questions) {
		past->questions = g_array_new(FALSE, FALSE, sizeof(*question));
	}
	g_array_append_val(past->questions, *question);
	return true;
}

void thread_history_ask(struct thread_history *history, const struct thread_question *question)
{
	const struct thread_uses *uses =
		thread_history_find(history, question->thread, question->from_ns, question->to_ns);

	if (!uses && G_UNLIKELY(history->last.is_undecided) && keep_question(history, question)) {
		return;
	}
	question->answered(question, uses);
}
