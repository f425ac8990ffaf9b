/* SPDX-License-Identifier: MIT */
#include "flow_records.h"

#include "core/model/coverage.h"
#include "core/model/thread_history.h"

static struct thread_history *history;
static const struct thread_uses *uses;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	history = thread_history_create(recording, executions);
	thread_history_listen(history);
}

static void teardown(void)
{
	flow_teardown_analysis();
	thread_history_destroy(history);
	recording_teardown();
}

TestSuite(thread_history, .init = setup, .fini = teardown);

static void begin_at(uint64_t callback, int64_t time_ns)
{
	now_ns = time_ns - STEP_NS;
	start(listener, callback);
}

static void end_at(uint64_t callback, int64_t time_ns)
{
	now_ns = time_ns - STEP_NS;
	end(listener, callback);
}

static void execute(uint64_t callback, int64_t from_ns, int64_t to_ns)
{
	begin_at(callback, from_ns);
	end_at(callback, to_ns);
}

static bool find(int64_t from_ns, int64_t to_ns)
{
	uses = thread_history_find(history, listener, from_ns, to_ns);
	return uses != NULL;
}

#define expect_use(index, callback_address, time_ns)                                                                   \
	do {                                                                                                           \
		cr_assert_lt((index), uses->after - uses->oldest);                                                     \
		cr_assert_eq(uses->after[-1 - (index)].callback->address, (uint64_t)(callback_address));               \
		cr_assert_eq(thread_uses_ns(uses, &uses->after[-1 - (index)]), (int64_t)(time_ns));                    \
	} while (0)

#define expect_free(from_ns, to_ns)                                                                                    \
	do {                                                                                                           \
		cr_assert(find((from_ns), (to_ns)));                                                                   \
		cr_assert_eq(uses->after - uses->oldest, 0);                                                           \
		cr_assert_eq(uses->total_ns, 0);                                                                       \
	} while (0)

Test(thread_history, a_thread_without_an_execution_was_free)
{
	expect_free(10 * MS, 20 * MS);
}

Test(thread_history, only_the_part_between_the_times_counts)
{
	execute(1, 10 * MS, 14 * MS);
	execute(2, 15 * MS, 18 * MS);
	cr_assert(find(12 * MS, 16 * MS));
	cr_assert_eq(uses->total_ns, 3 * MS);
	cr_assert_eq(uses->after - uses->oldest, 2);
	expect_use(0, 2, 1 * MS);
	expect_use(1, 1, 2 * MS);
	expect_free(14 * MS, 15 * MS);
	expect_free(18 * MS, 19 * MS);
	/* within one */
	cr_assert(find(11 * MS, 12 * MS));
	cr_assert_eq(uses->total_ns, 1 * MS);
}

Test(thread_history, what_runs_in_another_execution_counts_as_that)
{
	begin_at(1, 10 * MS);
	execute(2, 11 * MS, 12 * MS);
	end_at(1, 14 * MS);
	cr_assert(find(10 * MS, 15 * MS));
	cr_assert_eq(uses->after - uses->oldest, 1);
	expect_use(0, 1, 4 * MS);
}

Test(thread_history, an_open_execution_counts)
{
	begin_at(1, 10 * MS);
	cr_assert(find(8 * MS, 13 * MS));
	expect_use(0, 1, 3 * MS);
	expect_free(8 * MS, 10 * MS);
	expect_free(12 * MS, 12 * MS);
}

Test(thread_history, what_other_threads_execute_does_not_count)
{
	now_ns = 10 * MS;
	start(listener_2, 1);
	end(listener_2, 1);
	expect_free(10 * MS, 20 * MS);
}

Test(thread_history, nothing_is_known_between_times_in_wrong_order)
{
	cr_assert_not(find(20 * MS, 10 * MS));
}

Test(thread_history, a_late_question_has_the_same_answer_or_none)
{
	execute(1, 10 * MS, 14 * MS);
	for (int64_t i = 1; i < THREAD_HISTORY_LENGTH; i++) {
		execute(2, (20 + i) * MS, (20 + i) * MS + MS / 2);
	}
	cr_assert(find(8 * MS, 15 * MS));
	expect_use(0, 1, 4 * MS);
	execute(2, 100 * MS, 101 * MS);
	/* that execution is forgotten: what began before the oldest one kept is not known */
	cr_assert_not(find(8 * MS, 15 * MS));
	cr_assert_not(find(20 * MS, 22 * MS));
	cr_assert(find(21 * MS, 22 * MS));
	expect_use(0, 2, MS / 2);
}

Test(thread_history, an_execution_without_start_may_have_begun_at_any_time_before)
{
	end_at(1, 14 * MS);
	cr_assert_not(find(1 * MS, 2 * MS));
	cr_assert_not(find(13 * MS, 15 * MS));
	expect_free(14 * MS, 15 * MS);
	execute(2, 20 * MS, 21 * MS);
	end_at(1, 30 * MS);
	cr_assert_not(find(22 * MS, 23 * MS));
	cr_assert(find(20 * MS, 21 * MS));
	expect_use(0, 2, 1 * MS);
}

Test(thread_history, an_execution_without_end_may_last_until_the_next_one)
{
	begin_at(1, 10 * MS);
	/* the thread is that of another process now */
	feed(RECORD(RCL_INIT, listener, 12 * MS, 0));
	cr_assert_not(find(14 * MS, 15 * MS));
	execute(2, 20 * MS, 21 * MS);
	cr_assert_not(find(14 * MS, 15 * MS));
	cr_assert_not(find(19 * MS, 21 * MS));
	cr_assert(find(20 * MS, 22 * MS));
	expect_use(0, 2, 1 * MS);
	expect_free(8 * MS, 10 * MS);
}

/* The stream lost packets, for 8 ms. */
static void lose(int64_t time_ns)
{
	feed(loss_of(RECORD_DISCARDED_PACKETS, 0, time_ns, time_ns + 8 * MS));
}

Test(thread_history, nothing_is_known_of_a_loss)
{
	execute(1, 10 * MS, 11 * MS);
	lose(12 * MS);
	execute(2, 20 * MS, 21 * MS);
	expect_free(11 * MS, 12 * MS);
	cr_assert_not(find(11 * MS, 13 * MS));
	cr_assert_not(find(15 * MS, 16 * MS));
	cr_assert(find(20 * MS, 21 * MS));
	expect_use(0, 2, 1 * MS);
}

Test(thread_history, a_doubtful_execution_is_no_answer)
{
	begin_at(1, 10 * MS);
	lose(12 * MS);
	end_at(1, 14 * MS);
	execute(2, 20 * MS, 21 * MS);
	/* where nothing was lost, but the execution may have ended and another one begun */
	cr_assert_not(find(10 * MS + MS / 2, 11 * MS));
	expect_free(14 * MS, 20 * MS);
}

Test(thread_history, without_thread_ids_nothing_is_known)
{
	struct recording_context context = { .has_vpid = true, .vpid = 9 };
	uint32_t thread = recording_add_thread(recording, 0, &context, "process9");

	now_ns = 10 * MS;
	start(thread, 1);
	end(thread, 1);
	cr_assert_not(thread_history_find(history, thread, 10 * MS, 20 * MS));
}

Test(thread_history, listens_once)
{
	thread_history_listen(history);
	execute(TIMER_CALLBACK + 1, 10 * MS, 12 * MS);
	cr_assert(find(8 * MS, 15 * MS));
	cr_assert_eq(uses->after - uses->oldest, 1);
}

/* --- executions that their thread leaves --- */

static void look_at(int64_t time_ns)
{
	executions_look(pipeline->executions, listener, time_ns);
}

Test(thread_history, a_callback_that_throws_has_used_the_thread_until_it_looked_for_work)
{
	begin_at(1, 10 * MS);
	look_at(11 * MS);
	begin_at(1, 20 * MS); /* now it is known that it throws */
	look_at(21 * MS);
	cr_assert(find(20 * MS, 40 * MS));
	cr_assert_eq(uses->after - uses->oldest, 1);
	expect_use(0, 1, 1 * MS);
	expect_free(22 * MS, 40 * MS);
	execute(2, 30 * MS, 35 * MS);
	cr_assert(find(20 * MS, 40 * MS));
	cr_assert_eq(uses->after - uses->oldest, 2);
	expect_use(0, 2, 5 * MS);
	expect_use(1, 1, 1 * MS);
	begin_at(1, 50 * MS);
	expect_free(36 * MS, 50 * MS);
	cr_assert(find(9 * MS, 12 * MS));
	expect_use(0, 1, 1 * MS);
}

Test(thread_history, a_callback_that_spins_uses_the_thread_until_its_end)
{
	begin_at(1, 10 * MS);
	look_at(11 * MS);
	cr_assert(find(10 * MS, 11 * MS));
	cr_assert_not(find(10 * MS, 12 * MS));
	cr_assert_not(find(12 * MS, 13 * MS));
	execute(2, 13 * MS, 14 * MS);
	cr_assert_not(find(10 * MS, 15 * MS));
	end_at(1, 16 * MS);
	cr_assert(find(10 * MS, 20 * MS));
	expect_use(0, 1, 6 * MS);
	/* and another time it may throw: what it does is not known before its end either */
	begin_at(1, 30 * MS);
	look_at(31 * MS);
	execute(2, 32 * MS, 33 * MS);
	cr_assert_not(find(30 * MS, 34 * MS));
	end_at(1, 35 * MS);
	cr_assert(find(30 * MS, 34 * MS));
	cr_assert_eq(uses->after - uses->oldest, 1);
	expect_use(0, 1, 4 * MS);
}

/* --- questions that have to wait for their answer --- */

struct reply {
	int count;
	bool is_known;
	int64_t total_ns;
};

static void note_reply(const struct thread_question *question, const struct thread_uses *found)
{
	struct reply *reply = question->about;

	reply->count++;
	reply->is_known = found != NULL;
	reply->total_ns = found ? found->total_ns : 0;
}

static void ask(struct reply *reply, int64_t from_ns, int64_t to_ns)
{
	*reply = (struct reply){ 0 };
	thread_history_ask(history, &(struct thread_question){
					    .thread = listener,
					    .from_ns = from_ns,
					    .to_ns = to_ns,
					    .answered = note_reply,
					    .about = reply,
				    });
}

Test(thread_history, what_is_decided_is_answered_at_once)
{
	struct reply reply;

	execute(1, 10 * MS, 14 * MS);
	ask(&reply, 12 * MS, 15 * MS);
	cr_assert_eq(reply.count, 1);
	cr_assert(reply.is_known);
	cr_assert_eq(reply.total_ns, 2 * MS);
	ask(&reply, 15 * MS, 12 * MS);
	cr_assert_eq(reply.count, 1);
	cr_assert_not(reply.is_known);
}

Test(thread_history, the_end_of_a_callback_that_spins_answers_what_was_undecided)
{
	struct reply reply;

	begin_at(1, 10 * MS);
	look_at(11 * MS);
	execute(2, 13 * MS, 14 * MS);
	ask(&reply, 8 * MS, 15 * MS);
	cr_assert_eq(reply.count, 0);
	end_at(1, 16 * MS);
	cr_assert_eq(reply.count, 1);
	cr_assert(reply.is_known);
	cr_assert_eq(reply.total_ns, 5 * MS);
}

Test(thread_history, and_so_does_the_next_start_of_one_that_threw)
{
	struct reply reply, early;

	begin_at(1, 10 * MS);
	look_at(11 * MS);
	execute(2, 13 * MS, 14 * MS);
	ask(&reply, 8 * MS, 15 * MS);
	ask(&early, 8 * MS, 11 * MS);
	cr_assert_eq(early.count, 1);
	cr_assert_eq(early.total_ns, 1 * MS);
	begin_at(1, 20 * MS);
	cr_assert_eq(reply.count, 1);
	cr_assert_not(reply.is_known);
}

Test(thread_history, only_so_many_questions_wait)
{
	struct reply first, last;

	begin_at(1, 10 * MS);
	look_at(11 * MS);
	now_ns = 20 * MS;
	ask(&first, 10 * MS, 12 * MS);
	for (int i = 0; i < THREAD_QUESTIONS_MAX; i++) {
		ask(&last, 10 * MS, 12 * MS);
	}
	cr_assert_eq(last.count, 1);
	cr_assert_not(last.is_known);
	cr_assert_eq(first.count, 0);
	end_at(1, 30 * MS);
	cr_assert(first.is_known);
}

Test(thread_history, a_callback_throws_though_it_went_on_before_if_its_executor_executes_something_else)
{
	struct reply reply;

	execute(2, 5 * MS, 6 * MS);
	begin_at(1, 10 * MS);
	look_at(11 * MS);
	execute(3, 12 * MS, 13 * MS);
	end_at(1, 16 * MS);
	begin_at(1, 20 * MS);
	look_at(21 * MS);
	execute(3, 22 * MS, 23 * MS); /* within it, as far as known */
	ask(&reply, 20 * MS, 24 * MS);
	cr_assert_eq(reply.count, 0);
	begin_at(2, 30 * MS); /* not within it */
	cr_assert_eq(reply.count, 1);
	cr_assert_not(reply.is_known);
	end_at(2, 31 * MS);
	cr_assert_not(find(28 * MS, 29 * MS));
	cr_assert(find(30 * MS, 35 * MS));
	cr_assert_eq(uses->after - uses->oldest, 1);
	expect_use(0, 2, 1 * MS);
}

Test(thread_history, a_callback_that_is_executed_outside_others_and_within_them_shows_nothing)
{
	execute(2, 5 * MS, 6 * MS);
	begin_at(1, 10 * MS);
	look_at(11 * MS);
	execute(2, 12 * MS, 13 * MS);
	cr_assert(find(12 * MS, 14 * MS)); /* as if the other one had thrown */
	end_at(1, 16 * MS);
	begin_at(1, 20 * MS);
	look_at(21 * MS);
	execute(2, 22 * MS, 23 * MS);
	cr_assert_not(find(22 * MS, 24 * MS));
	end_at(1, 26 * MS);
	cr_assert(find(22 * MS, 24 * MS));
	expect_use(0, 1, 2 * MS);
}

Test(thread_history, after_a_loss_one_that_seems_to_be_outside_may_be_within_one_whose_start_is_lost)
{
	lose(1 * MS);
	execute(2, 10 * MS, 11 * MS);
	begin_at(1, 20 * MS);
	look_at(21 * MS);
	execute(2, 22 * MS, 23 * MS);
	cr_assert_not(find(22 * MS, 24 * MS)); /* the other one may go on */
}

Test(thread_history, says_whether_the_latest_use_went_on)
{
	execute(1, 10 * MS, 14 * MS);
	cr_assert(find(8 * MS, 12 * MS));
	cr_assert(uses->goes_on);
	cr_assert(find(8 * MS, 14 * MS));
	cr_assert_not(uses->goes_on);
	begin_at(2, 20 * MS);
	cr_assert(find(18 * MS, 22 * MS));
	cr_assert(uses->goes_on);
	cr_assert(find(16 * MS, 18 * MS));
	cr_assert_not(uses->goes_on);
}

Test(thread_history, an_execution_may_have_ended_while_tracing_was_off)
{
	execute(1, 2 * MS, 3 * MS);
	begin_at(1, 10 * MS);
	coverage_add_pause(executions_coverage(executions), 11 * MS, 20 * MS);
	executions_pause(executions);
	now_ns = 30 * MS;
	cr_assert_not(find(25 * MS, 26 * MS));
	cr_assert_not(find(5 * MS, 15 * MS));
	cr_assert(find(2 * MS, 5 * MS));
}

Test(thread_history, what_followed_a_callback_that_seemed_to_be_over_is_unknown)
{
	begin_at(1, 10 * MS);
	look_at(11 * MS);
	begin_at(1, 20 * MS);
	look_at(21 * MS);
	execute(2, 30 * MS, 35 * MS);
	cr_assert(find(29 * MS, 36 * MS));
	end_at(1, 40 * MS);
	cr_assert_not(find(29 * MS, 36 * MS));
	expect_free(41 * MS, 42 * MS);
}

Test(thread_history, an_execution_whose_end_may_be_lost_has_used_nothing_for_certain)
{
	begin_at(1, 10 * MS);
	lose(12 * MS);
	now_ns = 13 * MS - STEP_NS;
	end(talker, 9);
	cr_assert_not(find(14 * MS, 15 * MS));
	look_at(20 * MS);
	cr_assert_not(find(14 * MS, 18 * MS));
	begin_at(1, 30 * MS);
	cr_assert_not(find(14 * MS, 18 * MS));
	cr_assert(find(30 * MS, 31 * MS));
	expect_use(0, 1, 1 * MS);
}

Test(thread_history, what_was_executed_before_a_context_was_initialized_may_be_of_another_process)
{
	execute(1, 10 * MS, 14 * MS);
	cr_assert(find(12 * MS, 16 * MS));
	feed(RECORD(RCL_INIT, listener, 20 * MS, 0));
	execute(2, 22 * MS, 24 * MS);
	cr_assert_not(find(12 * MS, 21 * MS));
	cr_assert_not(find(19 * MS, 25 * MS));
	/* before and since then, it is one process */
	cr_assert(find(12 * MS, 20 * MS));
	expect_use(0, 1, 2 * MS);
	cr_assert(find(20 * MS, 25 * MS));
	expect_use(0, 2, 2 * MS);
}

/* Whether the thread was idle until an execution that starts. */
static bool was_idle(int64_t from_ns, int64_t start_ns)
{
	const struct execution starting = { .thread = listener, .start_ns = start_ns };

	begin_at(3, start_ns);
	return thread_history_is_idle_since(history, &starting, from_ns);
}

Test(thread_history, a_thread_is_idle_only_if_an_answer_would_say_so)
{
	execute(1, 10 * MS, 14 * MS);
	cr_assert(was_idle(14 * MS, 16 * MS));
	/* within the one that started */
	cr_assert_not(was_idle(17 * MS, 18 * MS));
	end_at(3, 19 * MS);
	end_at(3, 20 * MS);
	cr_assert_not(was_idle(19 * MS, 22 * MS));
	end_at(3, 24 * MS);
	feed(RECORD(RCL_INIT, listener, 26 * MS, 0));
	cr_assert_not(was_idle(25 * MS, 28 * MS));
	end_at(3, 30 * MS);
	cr_assert(was_idle(31 * MS, 32 * MS));
	end_at(3, 33 * MS);
	lose(34 * MS);
	cr_assert_not(was_idle(35 * MS, 50 * MS));
}

Test(thread_history, nothing_was_executed_before_the_first_context)
{
	feed(RECORD(RCL_INIT, listener, 12 * MS, 0));
	execute(1, 14 * MS, 16 * MS);
	cr_assert(find(10 * MS, 20 * MS));
	expect_use(0, 1, 2 * MS);
}

Test(thread_history, a_context_of_another_process_does_not_matter)
{
	execute(1, 10 * MS, 14 * MS);
	feed(RECORD(RCL_INIT, talker, 12 * MS + 1, 0));
	execute(2, 22 * MS, 24 * MS);
	cr_assert_not(recording_thread(recording, talker)->process == recording_thread(recording, listener)->process);
	cr_assert(find(12 * MS, 25 * MS));
	expect_use(0, 2, 2 * MS);
	expect_use(1, 1, 2 * MS);
}

Test(thread_history, each_further_context_of_a_process_is_a_border)
{
	execute(1, 10 * MS, 14 * MS);
	feed(RECORD(RCL_INIT, listener, 20 * MS, 0));
	execute(2, 22 * MS, 24 * MS);
	feed(RECORD(RCL_INIT, listener, 30 * MS, 0));
	execute(1, 32 * MS, 34 * MS);
	cr_assert_not(find(22 * MS, 33 * MS));
	cr_assert(find(30 * MS, 35 * MS));
	expect_use(0, 1, 2 * MS);
}

Test(thread_history, an_answer_holds_until_something_else_is_executed)
{
	execute(1, 10 * MS, 14 * MS);
	cr_assert(find(12 * MS, 16 * MS));
	begin_at(1, 17 * MS);
	cr_assert(find(12 * MS, 18 * MS));
	cr_assert_eq(uses->total_ns, 3 * MS);
	for (int64_t to_ns = 13 * MS; to_ns <= 20 * MS; to_ns += MS / 2) {
		cr_assert(find(12 * MS, to_ns));
		cr_assert_eq(uses->total_ns, MIN(to_ns, 14 * MS) - 12 * MS + MAX(to_ns - 17 * MS, 0));
	}
	end_at(1, 19 * MS);
	cr_assert(find(12 * MS, 20 * MS));
	cr_assert_eq(uses->total_ns, 4 * MS);
}

/* The same is asked again, after a question that nothing answers. */
Test(thread_history, answers_do_not_depend_on_earlier_questions)
{
	GRand *random = g_rand_new_with_seed(7);
	int64_t time_ns = 10 * MS;

	for (int i = 0; i < 20000; i++) {
		int64_t from_ns = time_ns - g_rand_int_range(random, 0, 20), to_ns = from_ns;
		uint64_t callback = (uint64_t)g_rand_int_range(random, 1, 3);

		if (g_rand_boolean(random)) {
			begin_at(callback, time_ns += g_rand_int_range(random, 0, 4));
		} else {
			end_at(callback, time_ns += g_rand_int_range(random, 0, 4));
		}
		for (int k = 0; k < 4; k++, to_ns = g_rand_int_range(random, 0, 2) ? (int64_t)to_ns + 1 : time_ns) {
			bool is_found = find(from_ns, to_ns);
			struct thread_uses found = is_found ? *uses : (struct thread_uses){ 0 };

			cr_assert_not(find(1, 0));
			cr_assert_eq(find(from_ns, to_ns), is_found);
			cr_assert(!is_found || (found.total_ns == uses->total_ns &&
						found.after - found.oldest == uses->after - uses->oldest &&
						found.longest == uses->longest));
		}
	}
	g_rand_free(random);
}

/* Those of a thread so far, oldest first. */
struct spent {
	int64_t start_ns, end_ns;
	bool is_known;
};

static void expect_answer(const GArray *spent, int64_t from_ns, int64_t to_ns)
{
	guint first = spent->len - MIN(spent->len, THREAD_HISTORY_LENGTH);
	bool is_known = first == 0 || g_array_index(spent, struct spent, first).start_ns <= from_ns;
	int64_t total_ns = 0;

	for (guint i = first; i < spent->len; i++) {
		const struct spent *one = &g_array_index(spent, struct spent, i);

		if (one->start_ns < to_ns && one->end_ns > from_ns) {
			is_known &= one->is_known;
			total_ns += MIN(one->end_ns, to_ns) - MAX(one->start_ns, from_ns);
		}
	}
	cr_assert_eq(find(from_ns, to_ns), is_known);
	cr_assert(!is_known || uses->total_ns == total_ns);
}

/* Ends without a start among them: what was executed since the last one is not known. */
Test(thread_history, answers_are_those_of_a_look_at_all_that_is_kept)
{
	GRand *random = g_rand_new_with_seed(7);
	GArray *spent = g_array_new(FALSE, FALSE, sizeof(struct spent));
	int64_t last_ns = INT64_MIN, time_ns = 10 * MS;

	for (int i = 0; i < 5000; i++) {
		struct spent one = { time_ns += g_rand_int_range(random, 0, 4), 0, g_rand_int_range(random, 0, 300) };
		int64_t from_ns = one.start_ns - g_rand_int_range(random, 0, 8);

		if (one.is_known) {
			cr_assert_eq(was_idle(from_ns, one.start_ns), i > 0 && last_ns <= from_ns);
		} else {
			one.start_ns = last_ns;
		}
		one.end_ns = last_ns = time_ns += g_rand_int_range(random, 1, 4);
		end_at(3, one.end_ns);
		g_array_append_val(spent, one);
		for (int k = 0; k < 8; k++) {
			from_ns = time_ns - g_rand_int_range(random, 1, k % 2 ? 2000 : 20);
			expect_answer(spent, from_ns,
				      from_ns + g_rand_int_range(random, 1, (gint32)(time_ns - from_ns) + 1));
		}
	}
	g_array_unref(spent);
	g_rand_free(random);
}

static void ask_at_end(void *data, struct execution *execution, enum execution_outcome outcome)
{
	(void)execution;
	(void)outcome;
	*(bool *)data = find(12 * MS, 13 * MS);
}

/* What two analyses ask must not depend on each other: a report of one table is part of that of all. */
Test(thread_history, who_hears_of_an_end_first_is_answered_alike_whether_others_have_asked)
{
	for (int others = 0; others < 2; others++) {
		bool is_known = true;
		struct reply reply;

		teardown();
		flow_setup_recording();
		flow_setup_analysis();
		executions_add_listener(executions,
					&(struct executions_listener){ .data = &is_known, .ended = ask_at_end });
		history = thread_history_create(recording, executions);
		thread_history_listen(history);
		begin_at(1, 10 * MS);
		look_at(11 * MS);
		if (others) {
			ask(&reply, 12 * MS, 13 * MS);
		}
		end_at(1, 16 * MS);
		cr_assert_not(is_known);
		cr_assert(find(12 * MS, 13 * MS));
	}
}
