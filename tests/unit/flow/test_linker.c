/* SPDX-License-Identifier: MIT */
/* The linker as a whole: lifetimes, memory, and independence from the order of streams and definitions. */
#include "story.h"

TestSuite(linker, .init = story_setup, .fini = story_teardown);

static void write_without_stamp(uint64_t number)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + number);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + number);
}

Test(linker, every_execution_is_finished_and_released_once)
{
	define_system();
	for (uint64_t i = 0; i < 10; i++) {
		publish_in(talker, TIMER_CALLBACK + 1, 1, 500 + i);
		handle(listener, 1, 500 + i);
	}
	start(talker, TIMER_CALLBACK + 1);
	finish();
	cr_assert_eq(finished_count, 21);
	flow_teardown_analysis();
	cr_assert_eq(released_count, 21);
}

/* Keeps something at two of three executions, as two listeners would. */
static void keep(void *data, struct flow_execution *execution)
{
	uint64_t *resolved = data, place = (*resolved)++ % (FLOW_DATA_MAX + 1);

	if (place < FLOW_DATA_MAX) {
		execution->data[place] = execution;
	}
}

static void hear_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	finished_count++;
}

/* A listener to which only what carries something matters. */
static void add_keeper(uint64_t *resolved)
{
	flow_linker_add_listener(linker, &(struct flow_listener){
						 .data = resolved,
						 .only_carriers = true,
						 .resolved = keep,
						 .finished = hear_finished,
						 .released = on_released,
					 });
}

static void run_three_executions(void)
{
	define_system();
	publish_in(talker, TIMER_CALLBACK + 1, 1, 500);
	handle(listener, 1, 500);
	start(talker, TIMER_CALLBACK + 1);
	finish();
	flow_teardown_analysis();
}

Test(linker, ends_are_told_of_what_carries_something)
{
	uint64_t resolved = 0;

	flow_teardown_analysis();
	flow_setup_analysis();
	add_keeper(&resolved);
	run_three_executions();
	cr_assert_eq(resolved, 3);
	cr_assert_eq(finished_count, 2);
	cr_assert_eq(released_count, 2);
}

Test(linker, ends_are_told_of_what_carries_nothing_if_that_matters_to_one)
{
	uint64_t resolved = 0;

	flow_teardown_analysis();
	flow_setup_analysis();
	flow_linker_add_listener(linker, &(struct flow_listener){ .released = on_released });
	add_keeper(&resolved);
	run_three_executions();
	cr_assert_eq(finished_count, 3);
	cr_assert_eq(released_count, 6, "both hear of all");
}

/* --- memory --- */

static void expect_live_at_most(uint64_t limit)
{
	struct flow_counts counts;

	flow_linker_counts(linker, &counts);
	cr_assert_leq(counts.live_publications, limit);
	cr_assert_leq(counts.live_executions, limit);
	g_string_truncate(story, 0);
}

/* One leg of ping-pong: the subscription's callback publishes the next message. */
static void hit(uint32_t thread, uint64_t subscription, uint64_t publisher, uint64_t stamp)
{
	pass_on(thread, subscription, stamp, publisher, stamp + 1);
}

Test(linker, ping_pong_needs_no_more_memory_with_each_round)
{
	define_publisher(talker, 1, "/ping");
	define_subscription(talker, 2, "/pong");
	define_publisher(listener, 2, "/pong");
	define_subscription(listener, 1, "/ping");
	run(talker);
	run(listener);
	publish(talker, 1, 1000);
	for (uint64_t stamp = 1000; stamp < 201000; stamp += 2) {
		hit(listener, 1, 2, stamp);
		hit(talker, 2, 1, stamp + 1);
		expect_live_at_most(64);
	}
	finish();
	cr_assert_eq(finished_count, 200000);
}

#define REPETITIONS 200000

Test(linker, publications_that_never_leave_their_process_need_no_memory)
{
	define_system();
	run(listener);
	for (int i = 0; i < REPETITIONS; i++) {
		NEXT(RCLCPP_PUBLISH, talker, MESSAGE + (uint64_t)i);
		expect_live_at_most(4);
	}
}

Test(linker, takes_that_are_never_dispatched_need_no_memory)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		publish(talker, 1, 500 + i);
		take(listener, 1, 500 + i);
		expect_live_at_most(32);
	}
}

Test(linker, callbacks_that_never_end_need_bounded_memory)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		start(talker, 0x100000 + i * 16);
		publish(talker, 1, 500 + i);
		handle(listener, 1, 500 + i);
		expect_live_at_most(2 * EXECUTION_DEPTH_MAX);
	}
}

Test(linker, a_subscription_that_never_takes_needs_memory_for_its_queue_only)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		now_ns += MS;
		publish(talker, 1, 500 + i);
		expect_live_at_most(256);
	}
}

Test(linker, writes_whose_stamp_is_never_bound_are_let_go)
{
	define_system();
	run(listener);
	for (uint64_t i = 0; i < REPETITIONS; i++) {
		now_ns += MS;
		write_without_stamp(1);
		NEXT(RMW_TAKE, listener, MESSAGE, RMW_SUBSCRIPTION + 1, 500 + i, 1);
		expect_live_at_most(2000);
	}
}

/* --- any system --- */

#define TOPICS 3
#define PUBLISHERS 4
#define SUBSCRIPTIONS 6
#define THREADS 4

/* A system that does things at random, in two processes of two threads. */
struct random_system {
	GRand *random;
	uint32_t threads[THREADS];
	GArray *to_do[THREADS];	     /* struct event_record: what the thread does next */
	GQueue inbox[SUBSCRIPTIONS]; /* stamps */
	uint64_t next_stamp;
};

static bool happens(struct random_system *system, double probability)
{
	return g_rand_double(system->random) < probability;
}

#define PLAN(kind, ...)                                                                                                \
	do {                                                                                                           \
		struct event_record planned = RECORD(kind, system->threads[thread], 0, __VA_ARGS__);                   \
                                                                                                                       \
		g_array_append_val(system->to_do[thread], planned);                                                    \
	} while (0)

/* Objects of even numbers live in the process of threads 0 and 1. */
static void plan_publication(struct random_system *system, int thread)
{
	uint64_t number = (uint64_t)g_rand_int_range(system->random, 0, PUBLISHERS / 2) * 2 + (uint64_t)thread / 2;

	PLAN(RCLCPP_PUBLISH, MESSAGE);
	if (happens(system, 0.9)) {
		PLAN(RCL_PUBLISH, MESSAGE, PUBLISHER + number);
		PLAN(RMW_PUBLISH, MESSAGE, RMW_PUBLISHER + number, system->next_stamp++);
	}
}

static void plan_take(struct random_system *system, int thread)
{
	int number = g_rand_int_range(system->random, 0, SUBSCRIPTIONS / 2) * 2 + thread / 2;
	uint64_t stamp;

	if (happens(system, 0.1)) {
		g_queue_pop_head(&system->inbox[number]);
	}
	stamp = (uint64_t)GPOINTER_TO_SIZE(g_queue_pop_head(&system->inbox[number]));
	PLAN(RMW_TAKE, MESSAGE, RMW_SUBSCRIPTION + (uint64_t)number, stamp, stamp != 0);
	if (stamp != 0 && happens(system, 0.9)) {
		PLAN(CALLBACK_START, SUBSCRIPTION_CALLBACK + (uint64_t)number, 0);
		if (happens(system, 0.3)) {
			plan_publication(system, thread);
		}
		PLAN(CALLBACK_END, SUBSCRIPTION_CALLBACK + (uint64_t)number);
	}
}

static void plan_timer(struct random_system *system, int thread)
{
	PLAN(CALLBACK_START, TIMER_CALLBACK + (uint64_t)thread, 0);
	plan_publication(system, thread);
	PLAN(CALLBACK_END, TIMER_CALLBACK + (uint64_t)thread);
}

static void write_into_inboxes(struct random_system *system, const struct event_record *record)
{
	uint64_t topic = (record->word[RMW_PUBLISH__rmw_publisher_handle] - RMW_PUBLISHER) % TOPICS;

	for (uint64_t i = topic; i < SUBSCRIPTIONS; i += TOPICS) {
		g_queue_push_tail(&system->inbox[i], GSIZE_TO_POINTER(record->word[RMW_PUBLISH__timestamp]));
	}
}

static void step(struct random_system *system, GArray *records)
{
	int thread = g_rand_int_range(system->random, 0, THREADS);
	struct event_record record;

	if (system->to_do[thread]->len == 0) {
		if (happens(system, 0.5)) {
			plan_take(system, thread);
		} else if (happens(system, 0.8)) {
			plan_timer(system, thread);
		} else {
			plan_publication(system, thread);
		}
	}
	record = g_array_index(system->to_do[thread], struct event_record, 0);
	g_array_remove_index(system->to_do[thread], 0);
	record.time_ns = now_ns += g_rand_int_range(system->random, 1, 100000);
	g_array_append_val(records, record);
	if (record.kind == EVENT_RMW_PUBLISH) {
		write_into_inboxes(system, &record);
	}
}

static void run_random_system(uint32_t seed, GArray *records, size_t count)
{
	struct random_system system = {
		.random = g_rand_new_with_seed(seed),
		.threads = { talker, talker_2, listener, listener_2 },
		.next_stamp = 1000,
	};

	for (int i = 0; i < THREADS; i++) {
		system.to_do[i] = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	}
	while (records->len < count) {
		step(&system, records);
	}
	for (int i = 0; i < THREADS; i++) {
		g_array_free(system.to_do[i], TRUE);
	}
	for (int i = 0; i < SUBSCRIPTIONS; i++) {
		g_queue_clear(&system.inbox[i]);
	}
	g_rand_free(system.random);
}

static void define_random_system(void)
{
	static const char *const topics[TOPICS] = { "/a", "/b", "/c" };

	for (uint64_t i = 0; i < PUBLISHERS; i++) {
		define_publisher(i % 2 ? listener : talker, i, topics[i % TOPICS]);
	}
	for (uint64_t i = 0; i < SUBSCRIPTIONS; i++) {
		define_subscription(i % 2 ? listener : talker, i, topics[i % TOPICS]);
	}
	for (uint64_t i = 0; i < THREADS; i++) {
		define_timer(i / 2 ? listener : talker, i);
	}
}

/* As CARET records them again, when a process begins to run. */
static void feed_late_definitions(const GArray *definitions, uint32_t process, int64_t time_ns)
{
	for (guint i = 0; i < definitions->len; i++) {
		struct event_record record = g_array_index(definitions, struct event_record, i);

		if (process_of(record.thread) == process) {
			record = by_caret(record, record.time_ns);
			record.time_ns = time_ns;
			feed(record);
		}
	}
}

struct variation {
	bool is_first, is_late; /* when definitions are recorded */
	GRand *streams;		/* NULL: all in one stream */
};

static char *feed_story(const GArray *definitions, const GArray *records, struct variation variation)
{
	bool has_run[8] = { false };

	story_teardown_analysis();
	story_setup_analysis();
	for (guint i = 0; variation.is_first && i < definitions->len; i++) {
		feed(g_array_index(definitions, struct event_record, i));
	}
	for (guint i = 0; i < records->len; i++) {
		struct event_record record = g_array_index(records, struct event_record, i);
		uint32_t process = process_of(record.thread);

		if (variation.is_late && !has_run[process]) {
			feed_late_definitions(definitions, process, record.time_ns);
		}
		has_run[process] = true;
		feed(in_stream(record, variation.streams ? (uint16_t)g_rand_int_range(variation.streams, 0, 4) : 0));
	}
	finish();
	return g_strdup(story->str);
}

Test(linker, links_depend_neither_on_streams_nor_on_when_definitions_are_recorded)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		g_autoptr(GArray) definitions = g_array_new(FALSE, FALSE, sizeof(struct event_record));
		g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(struct event_record));
		g_autoptr(GRand) streams = g_rand_new_with_seed(seed);
		g_autofree char *expected = NULL;

		script = definitions;
		define_random_system();
		script = NULL;
		run_random_system(seed, records, 3000);
		expected = feed_story(definitions, records, (struct variation){ .is_first = true });
		cr_assert_gt(strlen(expected), 2000);
		cr_assert_not_null(strstr(expected, "x"), "something is lost");
		for (int variant = 0; variant < 5; variant++) {
			g_autofree char *other = feed_story(definitions, records,
							    (struct variation){
								    .is_first = variant != 1 && variant != 2,
								    .is_late = variant >= 1 && variant <= 3,
								    .streams = variant != 1 ? streams : NULL,
							    });

			cr_assert_str_eq(other, expected, "seed %u, variant %d", seed, variant);
		}
	}
}
