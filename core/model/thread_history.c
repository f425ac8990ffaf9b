/* SPDX-License-Identifier: MIT */
#include "core/model/thread_history.h"

#include <glib.h>
#include <string.h>

#include "core/base/slots.h"
#include "core/model/coverage.h"
#include "ros2bt/base/time_units.h"

#define UNKNOWN_END INT64_MIN
#define UNDECIDED_END (INT64_MIN + 1)

/* What is known of the executor of a callback. */
enum place {
	PLACE_UNKNOWN,
	PLACE_OUTSIDE,	/* it executed the callback outside others */
	PLACE_ANYWHERE, /* … and within one, too */
};

struct thread_ring {
	const struct execution *outermost;  /* open; borrowed until it ends, NULL if there is none */
	uint32_t depth;			    /* open executions, those that are over included */
	bool has_inner;			    /* others were executed within the outermost one, or after it */
	const struct model_callback *shown; /* the last one that showed that an execution is over, or NULL */
	GArray *questions;		    /* struct thread_question, undecided; NULL: none */
	size_t number;			    /* among the rings, from 0, in order of creation */
	struct thread_periods periods;
};

/* A process that has initialized a context: since then its threads may be others. */
struct initialization {
	int64_t time_ns; /* of the last one */
	size_t rings;	 /* how many there were then, of all processes */
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
	bool is_known;
	bool is_undecided; /* and so not known yet */
	struct thread_uses uses;
};

struct thread_history {
	const struct recording *recording; /* borrowed */
	struct executions *executions;	   /* borrowed */
	struct coverage *coverage;	   /* theirs */
	bool listens;
	GPtrArray *rings; /* struct thread_ring * by thread index; NULL: the thread executed nothing */
	size_t ring_count;
	GArray *initializations; /* struct initialization by index of the process; zeros: none */
	GByteArray *places;	 /* enum place by index of the callback */
	struct answer last;
};

static struct thread_ring *ring_of(struct thread_history *history, uint32_t thread)
{
	gpointer *slot = slot_at(history->rings, thread);

	if (G_UNLIKELY(!*slot)) {
		*slot = g_new0(struct thread_ring, 1);
		((struct thread_ring *)*slot)->number = history->ring_count++;
	}
	return *slot;
}

static void free_ring(void *data)
{
	struct thread_ring *ring = data;

	if (ring) {
		g_clear_pointer(&ring->questions, g_array_unref);
		g_free(ring);
	}
}

static uint8_t *place_of(const struct thread_history *history, const struct model_callback *callback)
{
	guint known = history->places->len;

	if (G_UNLIKELY(callback->index >= known)) {
		g_byte_array_set_size(history->places, callback->index + 1);
		memset(&history->places->data[known], PLACE_UNKNOWN, history->places->len - known);
	}
	return &history->places->data[callback->index];
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
static void add_left(const struct thread_history *history, struct thread_ring *ring, const struct execution *execution,
		     bool is_hidden)
{
	bool is_known = !may_have_ended(history, execution, execution->left_ns);

	thread_periods_add(&ring->periods, is_known ? execution->callback : NULL, execution->start_ns,
			   execution->left_ns);
	if (is_hidden) {
		thread_periods_add(&ring->periods, NULL, execution->left_ns, OPEN_END);
	}
}

static bool is_over(const struct thread_history *history, const struct execution *execution, int64_t now_ns)
{
	return executions_fate(history->executions, execution, now_ns) == EXECUTION_IS_OVER;
}

/* Asks again what was undecided. */
static G_GNUC_NO_INLINE void answer_questions(struct thread_history *history, struct thread_ring *ring)
{
	GArray *questions = g_steal_pointer(&ring->questions);

	for (guint i = 0; i < questions->len; i++) {
		thread_history_ask(history, &g_array_index(questions, struct thread_question, i));
	}
	g_array_unref(questions);
}

/* The outermost execution counts as over if it was, or if the one that starts shows it. */
static G_GNUC_NO_INLINE void leave_outermost(struct thread_history *history, struct thread_ring *ring,
					     const struct execution *starting)
{
	bool is_shown = thread_history_is_outside(history, starting->callback);

	if (is_shown || is_over(history, ring->outermost, starting->start_ns)) {
		ring->shown = is_shown ? starting->callback : ring->shown;
		add_left(history, ring, ring->outermost, ring->has_inner);
		ring->outermost = NULL;
		if (ring->questions) {
			answer_questions(history, ring);
		}
	}
}

/* The answer before holds no longer than until the execution starts. */
static inline void limit_answer(struct thread_history *history, const struct execution *starting)
{
	if (history->last.thread == starting->thread) {
		history->last.until_ns = MIN(history->last.until_ns, starting->start_ns);
	}
}

static G_GNUC_NO_INLINE void start(struct thread_history *history, const struct execution *execution)
{
	struct thread_ring *ring = ring_of(history, execution->thread);
	uint8_t *place;

	if (ring->outermost) {
		leave_outermost(history, ring, execution);
	}
	limit_answer(history, execution);
	if (ring->depth++ == 0) {
		place = place_of(history, execution->callback);
		if (*place == PLACE_UNKNOWN &&
		    !may_miss_events(history, execution->thread, INT64_MIN, execution->start_ns)) {
			*place = PLACE_OUTSIDE;
		}
	}
	if (!ring->outermost) {
		thread_periods_close(&ring->periods, execution->start_ns);
		ring->outermost = execution;
		ring->has_inner = false;
	} else {
		ring->has_inner = true;
	}
}

/* Nearly all start while nothing is open, after one that has ended, and not for the first time. */
static void started(void *data, struct execution *execution)
{
	struct thread_history *history = data;
	struct thread_ring *ring = slot_get(history->rings, execution->thread);
	uint32_t callback = execution->callback->index;

	if (G_LIKELY(ring && ring->depth == 0 && ring->periods.count > 0 &&
		     thread_periods_last(&ring->periods)->end_ns != OPEN_END && callback < history->places->len &&
		     history->places->data[callback] != PLACE_UNKNOWN)) {
		limit_answer(history, execution);
		ring->depth = 1;
		ring->outermost = execution;
		ring->has_inner = false;
	} else {
		start(history, execution);
	}
}

/* The execution that ends here may have begun at any time since the last known period. */
static G_GNUC_NO_INLINE void end_without_start(struct thread_ring *ring, const struct execution *execution)
{
	const struct thread_period *last = thread_periods_last(&ring->periods);

	if (last && last->end_ns == OPEN_END) {
		thread_periods_close(&ring->periods, execution->end_ns);
	} else if (ring->depth == 0) {
		thread_periods_add(&ring->periods, NULL, last ? last->end_ns : INT64_MIN, execution->end_ns);
	}
}

static void end_outermost(const struct thread_history *history, struct thread_ring *ring,
			  const struct execution *execution, enum execution_outcome outcome)
{
	if (outcome == EXECUTION_WITHOUT_END && execution->left_ns != EXECUTION_HAS_NOT_LEFT) {
		add_left(history, ring, execution, ring->has_inner || !is_over(history, execution, execution->left_ns));
		return;
	}
	thread_periods_add(&ring->periods, outcome == EXECUTION_COMPLETE ? execution->callback : NULL,
			   execution->start_ns, outcome == EXECUTION_WITHOUT_END ? OPEN_END : execution->end_ns);
}

static G_GNUC_NO_INLINE void end(struct thread_history *history, struct thread_ring *ring,
				 const struct execution *execution, enum execution_outcome outcome)
{
	if (outcome == EXECUTION_WITHOUT_START) {
		end_without_start(ring, execution);
		return;
	}
	ring->depth--;
	if (execution == ring->outermost) {
		ring->outermost = NULL;
		end_outermost(history, ring, execution, outcome);
		if (ring->questions) {
			answer_questions(history, ring);
		}
	} else if (!ring->outermost && outcome != EXECUTION_WITHOUT_END) {
		/* it seemed to be over, and was not: what is known since its start is wrong */
		ring->periods.count = 0;
		thread_periods_add(&ring->periods, NULL, INT64_MIN, execution->end_ns);
		if (ring->shown) {
			*place_of(history, ring->shown) = PLACE_ANYWHERE;
		}
	}
}

static void ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	struct thread_history *history = data;
	struct thread_ring *ring = slot_get(history->rings, execution->thread);

	history->last.is_known &= history->last.thread != execution->thread;
	if (G_LIKELY(ring && execution == ring->outermost && outcome == EXECUTION_COMPLETE && !ring->questions)) {
		ring->depth--;
		ring->outermost = NULL;
		thread_periods_add(&ring->periods, execution->callback, execution->start_ns, execution->end_ns);
	} else {
		end(history, ring_of(history, execution->thread), execution, outcome);
	}
}

/* All threads that executed something so far may be others from now on. */
static void may_be_new(void *data, uint32_t process, int64_t time_ns)
{
	struct thread_history *history = data;

	*array_at(history->initializations, struct initialization, process) =
		(struct initialization){ .time_ns = time_ns, .rings = history->ring_count };
	history->last.is_known = false;
}

struct thread_history *thread_history_create(const struct recording *recording, struct executions *executions)
{
	struct thread_history *history = g_new0(struct thread_history, 1);

	history->recording = recording;
	history->executions = executions;
	history->coverage = executions_coverage(executions);
	history->rings = g_ptr_array_new_with_free_func(free_ring);
	history->initializations = g_array_new(FALSE, TRUE, sizeof(struct initialization));
	history->places = g_byte_array_new();
	return history;
}

void thread_history_listen(struct thread_history *history)
{
	if (!history->listens) {
		executions_add_listener(history->executions, &(struct executions_listener){
								     .data = history,
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
		g_ptr_array_unref(history->rings);
		g_array_unref(history->initializations);
		g_byte_array_unref(history->places);
		g_free(history);
	}
}

/*
 * When the outermost execution, which is open, ended, or to_ns if it went on; UNKNOWN_END: that is not known, such as
 * where its end may be lost; UNDECIDED_END: what follows decides.
 */
static int64_t end_of_open(const struct thread_history *history, const struct thread_ring *ring, int64_t to_ns)
{
	const struct execution *open = ring->outermost;

	if (G_UNLIKELY(may_have_ended(history, open, to_ns))) {
		return UNKNOWN_END;
	}
	if (G_LIKELY(to_ns <= open->left_ns)) {
		return to_ns;
	}
	if (!is_over(history, open, to_ns)) {
		return UNDECIDED_END;
	}
	return ring->has_inner ? UNKNOWN_END : open->left_ns;
}

/*
 * From the last period backwards: they are in order and do not overlap, so that only the first use can go beyond to_ns.
 * The sums are in local variables, which stay in registers, because there may be hundreds of uses.
 */
static bool find_in_ring(const struct thread_history *history, const struct thread_ring *ring, struct answer *answer)
{
	uint64_t i = ring->periods.count, oldest = i - MIN(i, THREAD_HISTORY_LENGTH);
	int64_t from_ns = answer->from_ns, to_ns = answer->to_ns;
	struct thread_uses *uses = &answer->uses;
	struct thread_use *use = uses->list;
	struct model_callback *longest = NULL;
	int64_t longest_ns = -1, total_ns = 0, reached_ns = INT64_MAX;
	bool is_in_open = ring->outermost && ring->outermost->start_ns < to_ns, goes_on = false;

	if (is_in_open) {
		int64_t end_ns = end_of_open(history, ring, to_ns);
		int64_t start_ns = MAX(ring->outermost->start_ns, from_ns);

		if (end_ns == UNKNOWN_END || end_ns == UNDECIDED_END) {
			answer->is_undecided = end_ns == UNDECIDED_END;
			return false;
		}
		if (start_ns < end_ns) {
			longest = ring->outermost->callback;
			longest_ns = total_ns = end_ns - start_ns;
			goes_on = end_ns == to_ns;
			*use++ = (struct thread_use){ longest, total_ns };
		}
	}
	while (i > oldest && thread_periods_at(&ring->periods, i - 1)->start_ns >= to_ns) {
		reached_ns = thread_periods_at(&ring->periods, --i)->start_ns;
	}
	if (!is_in_open && (i == oldest || thread_periods_at(&ring->periods, i - 1)->end_ns <= to_ns)) {
		answer->after_ns =
			i == oldest ? from_ns : MAX(from_ns, thread_periods_at(&ring->periods, i - 1)->end_ns);
		answer->until_ns = ring->outermost ? MIN(reached_ns, ring->outermost->start_ns) : reached_ns;
	}
	for (; i > oldest; i--) {
		const struct thread_period *period = thread_periods_at(&ring->periods, i - 1);
		int64_t used_ns;

		if (period->end_ns <= from_ns) {
			reached_ns = from_ns;
			break;
		}
		if (!period->callback) {
			return false;
		}
		reached_ns = period->start_ns;
		goes_on |= period->end_ns > to_ns;
		used_ns = MIN(period->end_ns, to_ns) - MAX(period->start_ns, from_ns);
		*use++ = (struct thread_use){ period->callback, used_ns };
		total_ns = add_saturated(total_ns, used_ns);
		longest = used_ns > longest_ns ? period->callback : longest;
		longest_ns = MAX(longest_ns, used_ns);
	}
	uses->total_ns = total_ns;
	uses->longest = longest;
	uses->goes_on = goes_on;
	uses->count = (size_t)(use - uses->list);
	return oldest == 0 || reached_ns <= from_ns;
}

/* What the thread executed before may be of another thread; INT64_MIN: all is its own. */
static int64_t new_since(const struct thread_history *history, uint32_t thread, const struct thread_ring *ring)
{
	uint32_t process = recording_thread(history->recording, thread)->process;
	const struct initialization *last = NULL;

	if (process < history->initializations->len) {
		last = &g_array_index(history->initializations, struct initialization, process);
	}
	return last && ring->number < last->rings ? last->time_ns : INT64_MIN;
}

static bool find(const struct thread_history *history, struct answer *answer)
{
	const struct thread_ring *ring = slot_get(history->rings, answer->thread);

	answer->after_ns = answer->until_ns = answer->to_ns;
	answer->is_undecided = false;
	if (answer->to_ns < answer->from_ns || !recording_thread(history->recording, answer->thread)->has_vtid ||
	    may_miss_events(history, answer->thread, answer->from_ns, answer->to_ns)) {
		return false;
	}
	executions_catch_up(history->executions, answer->thread, answer->to_ns);
	if (ring) {
		int64_t new_ns = new_since(history, answer->thread, ring);
		bool is_one = new_ns <= answer->from_ns || new_ns >= answer->to_ns;

		return is_one && find_in_ring(history, ring, answer);
	}
	answer->uses.total_ns = 0;
	answer->uses.longest = NULL;
	answer->uses.goes_on = false;
	answer->uses.count = 0;
	return true;
}

static bool is_answered(const struct thread_history *history, uint32_t thread, int64_t from_ns, int64_t to_ns)
{
	const struct answer *last = &history->last;

	return last->is_known && last->thread == thread && last->from_ns == from_ns &&
	       (last->to_ns == to_ns || (to_ns > last->after_ns && to_ns <= last->until_ns)) &&
	       !may_miss_events(history, thread, from_ns, to_ns);
}

const struct thread_uses *thread_history_find(struct thread_history *history, uint32_t thread, int64_t from_ns,
					      int64_t to_ns)
{
	struct answer *last = &history->last;

	if (!is_answered(history, thread, from_ns, to_ns)) {
		last->thread = thread;
		last->from_ns = from_ns;
		last->to_ns = to_ns;
		last->is_known = find(history, last);
	}
	return last->is_known ? &last->uses : NULL;
}

bool thread_history_is_outside(const struct thread_history *history, const struct model_callback *callback)
{
	return *place_of(history, callback) == PLACE_OUTSIDE;
}

/* Keeps a question for answer_questions() if there is room. */
static bool keep_question(const struct thread_history *history, const struct thread_question *question)
{
	struct thread_ring *ring = slot_get(history->rings, question->thread);

	if (ring->questions && ring->questions->len >= THREAD_QUESTIONS_MAX) {
		return false;
	}
	if (!ring->questions) {
		ring->questions = g_array_new(FALSE, FALSE, sizeof(*question));
	}
	g_array_append_val(ring->questions, *question);
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
