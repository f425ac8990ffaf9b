/* SPDX-License-Identifier: MIT */
#include "core/model/thread_history.h"

#include <glib.h>

#include "core/base/arena.h"
#include "core/base/slots.h"
#include "core/model/coverage.h"
#include "core/model/open_executions.h"
#include "core/model/thread_past.h"

#define UNKNOWN_END INT64_MIN
#define UNDECIDED_END (INT64_MIN + 1)

/* A process that has initialized a context: since then its threads may be others. */
struct initialization {
	int64_t time_ns; /* of the last one */
	size_t pasts;	 /* how many threads had executed something then, of all processes */
};

/* A question, and the answer to it: communications and paths ask the same about a message, one after the other. */
struct answer {
	uint32_t thread;
	bool is_undecided;		/* and so not known yet */
	const struct thread_past *past; /* of the thread; NULL: to be found anew … */
	uint64_t periods;		/* … and so once it has more */
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
		stack->past->ended_ns = INT64_MIN;
		thread_periods_init(&stack->past->periods);
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
	if (history->last.thread == execution->thread) {
		history->last.past = NULL;
	}
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
	past->ended_ns = outcome == EXECUTION_WITHOUT_END ? past->ended_ns : execution->end_ns;
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
		thread_periods_init(&past->periods);
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
	history->last.past = NULL;
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

	executions_catch_up(history->executions, open->thread, to_ns);
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
 * What is found so far. In local variables, which stay in registers, because there may be hundreds of uses. These do
 * not overlap, so that their sum is at most the time between two records.
 */
struct sums {
	int64_t total_ns;
	struct thread_use longest;
};

static inline void add_use(struct sums *sums, struct model_callback *callback, int64_t used_ns)
{
	sums->total_ns += used_ns;
	if (used_ns > sums->longest.used_ns) {
		sums->longest = (struct thread_use){ callback, used_ns };
	}
}

static G_GNUC_NO_INLINE bool has_unknown(const struct thread_uses *uses)
{
	const struct thread_period *use = uses->oldest;

	while (use < uses->after && use->callback) {
		use++;
	}
	return use < uses->after;
}

/* Whether the periods say all about the time since from_ns, of which those from `oldest` on are used: it is not before
 * all that are kept, and none is of unknown callbacks. */
static inline bool are_all_known(const struct thread_periods *periods, const struct thread_uses *uses)
{
	return (G_LIKELY(&periods->list[periods->end] - uses->oldest < THREAD_HISTORY_LENGTH) ||
		periods->count <= THREAD_HISTORY_LENGTH || thread_periods_oldest(periods)->start_ns <= uses->from_ns) &&
	       (G_LIKELY(uses->oldest >= &periods->list[periods->unknown]) || !has_unknown(uses));
}

/* From the last period backwards: they are in order and do not overlap, so that only the first can go beyond to_ns. */
static bool find_in_past(const struct thread_history *history, struct thread_past *past, struct answer *answer)
{
	struct thread_periods *periods = &past->periods;
	struct thread_period *after = &periods->list[periods->end]; /* behind the one that is looked at */
	struct thread_uses *uses = &answer->uses;
	int64_t from_ns = uses->from_ns, to_ns = uses->to_ns;
	struct sums sums = { .longest.used_ns = -1 };

	uses->goes_on = false;
	if (G_UNLIKELY(past->outermost && past->outermost->start_ns < to_ns)) {
		int64_t end_ns = end_of_open(history, past, to_ns);

		if (end_ns == UNKNOWN_END || end_ns == UNDECIDED_END) {
			answer->is_undecided = end_ns == UNDECIDED_END;
			return false;
		}
		if (MAX(past->outermost->start_ns, from_ns) < end_ns) {
			*after++ = (struct thread_period){ past->outermost->callback, past->outermost->start_ns,
							   end_ns == to_ns ? OPEN_END : end_ns };
		}
	}
	while (after[-1].start_ns >= to_ns) {
		after--;
	}
	uses->after = after;
	if (G_UNLIKELY(after[-1].end_ns > to_ns)) {
		uses->goes_on = true;
		after--;
		add_use(&sums, after->callback, to_ns - MAX(after->start_ns, from_ns));
	}
	for (; after[-1].start_ns > from_ns; after--) {
		add_use(&sums, after[-1].callback, after[-1].end_ns - after[-1].start_ns);
	}
	if (after[-1].end_ns > from_ns) {
		add_use(&sums, after[-1].callback, after[-1].end_ns - from_ns);
		after--;
	}
	uses->total_ns = sums.total_ns;
	uses->longest = sums.longest.callback;
	uses->oldest = after;
	return are_all_known(periods, uses);
}

/* Whether what the thread executed before one of the times may be of another thread, unlike what followed. */
static inline bool may_be_two(const struct thread_history *history, const struct execution_stack *thread,
			      int64_t from_ns, int64_t to_ns)
{
	const struct initialization *last;

	if (thread->process >= history->initializations->len) {
		return false;
	}
	last = &g_array_index(history->initializations, struct initialization, thread->process);
	return thread->past->number < last->pasts && last->time_ns > from_ns && last->time_ns < to_ns;
}

static G_GNUC_NO_INLINE const struct thread_uses *find_anew(struct thread_history *history, uint32_t thread,
							    int64_t from_ns, int64_t to_ns)
{
	const struct execution_stack *stack = execution_stack_of(history->executions, thread);
	struct answer *answer = &history->last;

	answer->thread = thread;
	answer->is_undecided = false;
	answer->past = NULL;
	answer->uses.from_ns = from_ns;
	answer->uses.to_ns = to_ns;
	if (to_ns < from_ns || !stack->has_vtid || may_miss_events(history, thread, from_ns, to_ns)) {
		return NULL;
	}
	if (stack->past) {
		if (may_be_two(history, stack, from_ns, to_ns) || !find_in_past(history, stack->past, answer)) {
			return NULL;
		}
		answer->past = stack->past;
		answer->periods = stack->past->periods.count;
	} else {
		answer->uses = (struct thread_uses){ .from_ns = from_ns, .to_ns = to_ns };
	}
	return &answer->uses;
}

const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns)
{
	const struct answer *last = &history->last;

	/* Nothing has ended since then that counts, and what has started is later. */
	if (last->uses.from_ns == from_ns && last->uses.to_ns == to_ns && last->thread == thread && last->past &&
	    last->periods == last->past->periods.count && !coverage_has_any(history->coverage)) {
		return &last->uses;
	}
	return find_anew(history, thread, from_ns, to_ns);
}

bool thread_history_is_idle_since(struct thread_history *history, const struct execution *starting, int64_t from_ns)
{
	const struct execution_stack *stack = execution_stack_of(history->executions, starting->thread);
	int64_t to_ns = starting->start_ns;
	struct thread_past *past = stack->past;
	const struct thread_period *last = past ? thread_periods_last(&past->periods) : NULL;

	return last && last->end_ns <= from_ns && from_ns <= to_ns &&
	       (!past->outermost || past->outermost->start_ns >= to_ns) && stack->has_vtid &&
	       !coverage_has_any(history->coverage) && !may_be_two(history, stack, from_ns, to_ns);
}

int64_t thread_history_ended_ns(const struct thread_history *history, uint32_t thread)
{
	const struct thread_past *past = execution_stack_of(history->executions, thread)->past;

	return past ? past->ended_ns : INT64_MIN;
}

int64_t thread_history_reaches_ns(const struct thread_history *history, uint32_t thread)
{
	struct thread_past *past = execution_stack_of(history->executions, thread)->past;
	const struct thread_period *last = past ? thread_periods_last(&past->periods) : NULL;

	return last && last->callback ? last->end_ns : INT64_MIN;
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

void thread_history_keep(struct thread_history *history, const struct thread_question *question)
{
	if (!history->last.is_undecided || !keep_question(history, question)) {
		question->answered(question, NULL);
	}
}
