/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/model/inferred_executions.h"
#include "records.h"

#define US NS_PER_US

/* Addresses: the kind, plus the object's number. */
enum {
	NODE = 0x1000,
	SUBSCRIPTION = 0x3000,
	RMW_SUBSCRIPTION = 0x3100,
	OBJECT = 0x3200,
	CALLBACK = 0x3300,
	TIMER = 0x4000,
	SERVICE = 0x5000,
	RMW_SERVICE = 0x5100,
	PUBLISHER = 0x6000,
};

static struct object_model *model;
static struct inferred_executions *inferred;
static uint32_t python, worker, cpp; /* threads: two of one process, one of another */

/* What the listener hears: "open /a@5 " and "/a@5-9 " when closed, in µs; "/a@5-? " without an end. */
static GString *story;

static const char *source_of(const struct inferred_execution *execution)
{
	const struct model_callback_info *info = object_model_callback_info(model, execution->callback);

	cr_assert_eq(info->kind, CALLBACK_KIND_INFERRED);
	return info->subscription ? info->subscription->topic : info->service->name;
}

static void on_opened(void *data, struct inferred_execution *execution)
{
	g_string_append_printf(story, "open %s@%d ", source_of(execution), (int)(execution->start_ns / US));
}

static void on_closed(void *data, struct inferred_execution *execution)
{
	g_string_append_printf(story, "%s@%d-", source_of(execution), (int)(execution->start_ns / US));
	if (execution->end_max_ns == INFERRED_NO_END) {
		g_string_append(story, "? ");
	} else {
		g_string_append_printf(story, "%d ", (int)(execution->end_max_ns / US));
	}
}

static void setup(void)
{
	uint32_t trace;

	recording_setup();
	trace = add_trace("trace");
	python = add_thread(trace, 7, 7);
	worker = add_thread(trace, 7, 8);
	cpp = add_thread(trace, 9, 9);
	model = object_model_create(recording);
	inferred = inferred_executions_create(recording, model);
	inferred_executions_add_listener(inferred,
					 &(struct inferred_listener){ .opened = on_opened, .closed = on_closed });
	story = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(story, TRUE);
	inferred_executions_destroy(inferred);
	object_model_destroy(model);
	recording_teardown();
}

TestSuite(inferred_executions, .init = setup, .fini = teardown);

static void feed(struct event_record record)
{
	object_model_feed(model, &record);
	if (*object_model_inferable_count(model) > 0) {
		inferred_executions_feed(inferred, &record);
	}
}

#define AT(time_us, kind, thread, ...) feed(RECORD(kind, (thread), (time_us)*US, __VA_ARGS__))

static void subscribe(uint32_t thread, uint64_t number, const char *topic)
{
	AT(0, RCL_SUBSCRIPTION_INIT, thread, SUBSCRIPTION + number, NODE, RMW_SUBSCRIPTION + number, text(topic), 10);
}

static void take(uint32_t thread, int64_t time_us, uint64_t number)
{
	AT(time_us, RMW_TAKE, thread, 0, RMW_SUBSCRIPTION + number, 1, 1);
}

static void assert_story(const char *expected)
{
	cr_assert_str_eq(story->str, expected);
	g_string_truncate(story, 0);
}

Test(inferred_executions, a_take_opens_one_and_the_next_closes_it)
{
	subscribe(python, 1, "/a");
	subscribe(python, 2, "/b");
	take(python, 100, 1);
	assert_story("");
	take(python, 300, 2);
	assert_story("open /a@100 /a@100-300 ");
	inferred_executions_finish(inferred);
	assert_story("open /b@300 /b@300-? ");
}

Test(inferred_executions, an_empty_take_is_a_boundary_only)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	AT(200, RMW_TAKE, python, 0, RMW_SUBSCRIPTION + 1, 0, 0);
	assert_story("open /a@100 /a@100-200 ");
}

Test(inferred_executions, takes_of_the_middleware_are_nothing)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	take(python, 200, 9);
	take(python, 300, 1);
	assert_story("open /a@100 /a@100-300 ");
}

Test(inferred_executions, each_thread_has_its_own)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	take(worker, 150, 1);
	take(python, 300, 1);
	assert_story("open /a@100 /a@100-300 ");
	take(worker, 400, 1);
	assert_story("open /a@150 /a@150-400 ");
	inferred_executions_finish(inferred);
	assert_story("open /a@300 /a@300-? open /a@400 /a@400-? ");
}

Test(inferred_executions, a_wait_and_a_response_are_boundaries)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	AT(200, RCL_TIMER_INIT, python, TIMER, 1000000);
	assert_story("open /a@100 /a@100-200 ");
	AT(250, RCL_TIMER_INIT, python, TIMER + 1, 1000000);
	assert_story("");
	take(python, 300, 1);
	AT(400, RMW_TAKE_RESPONSE, python, 0, 0, 0, 1);
	assert_story("open /a@300 /a@300-400 ");
}

Test(inferred_executions, takes_in_quick_succession_are_a_batch)
{
	subscribe(python, 1, "/a");
	subscribe(python, 2, "/b");
	take(python, 100, 1);
	take(python, 120, 2);
	assert_story("open /a@100 ");
	AT(300, RCL_PUBLISH, python, 0, PUBLISHER);
	assert_story("open /b@120 ");
	take(python, 400, 1);
	assert_story("/a@100-400 /b@120-400 ");
	take(python, 421, 2); /* a microsecond too late */
	assert_story("open /a@400 /a@400-421 ");
}

/* rclpy takes what is ready of an action, 75 µs apart, then executes. */
Test(inferred_executions, parts_of_an_action_are_a_batch)
{
	subscribe(python, 1, "/count/_action/feedback");
	subscribe(python, 2, "/count/_action/status");
	subscribe(python, 3, "/other/_action/status");
	AT(0, RCL_CLIENT_INIT, python, 0x7000, NODE, 0x7100, text("/count/_action/get_result"));
	take(python, 100, 1);
	take(python, 175, 2);
	AT(250, RMW_TAKE_RESPONSE, python, 0x7100, 0, 0, 1);
	assert_story("open /count/_action/feedback@100 ");
	take(python, 900, 1);
	assert_story("open /count/_action/status@175 /count/_action/feedback@100-900 ");
	take(python, 1000, 3);
	assert_story(
		"open /count/_action/feedback@900 /count/_action/status@175-1000 /count/_action/feedback@900-1000 ");
}

Test(inferred_executions, a_publication_ends_a_batch)
{
	size_t count;

	subscribe(python, 1, "/a");
	take(python, 100, 1);
	AT(105, RCL_PUBLISH, python, 0, PUBLISHER);
	take(python, 110, 1);
	assert_story("open /a@100 /a@100-110 ");
	inferred_executions_open(inferred, python, &count);
	cr_assert_eq(count, 1);
	inferred_executions_open(inferred, cpp, &count);
	cr_assert_eq(count, 0);
}

Test(inferred_executions, a_batch_has_a_limit)
{
	size_t count;

	subscribe(python, 1, "/a");
	for (int i = 0; i <= INFERRED_BATCH_MAX; i++) {
		take(python, 100 + i, 1);
	}
	inferred_executions_open(inferred, python, &count);
	cr_assert_eq(count, 1);
}

Test(inferred_executions, rclcpp_has_callbacks_of_its_own)
{
	subscribe(cpp, 1, "/a");
	AT(0, RCLCPP_SUBSCRIPTION_INIT, cpp, SUBSCRIPTION + 1, OBJECT + 1);
	cr_assert_eq(*object_model_inferable_count(model), 0);
	take(cpp, 100, 1);
	take(cpp, 200, 1);
	assert_story("");
	/* Of an action: it has no rclcpp part. */
	subscribe(cpp, 2, "/count/_action/feedback");
	cr_assert_eq(*object_model_inferable_count(model), 1);
	take(cpp, 300, 2);
	AT(400, RCLCPP_EXECUTOR_EXECUTE, cpp, 0);
	assert_story("open /count/_action/feedback@300 /count/_action/feedback@300-400 ");
}

Test(inferred_executions, the_rclcpp_part_may_be_recorded_first)
{
	AT(0, RCLCPP_SUBSCRIPTION_INIT, cpp, SUBSCRIPTION + 1, OBJECT + 1);
	subscribe(cpp, 1, "/a");
	cr_assert_eq(*object_model_inferable_count(model), 0);
}

Test(inferred_executions, a_callback_of_unknown_owner_may_be_that_of_the_take)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	AT(110, CALLBACK_START, python, CALLBACK, 0);
	take(python, 300, 1);
	assert_story("");
	/* Known to be another's. */
	AT(305, RCL_TIMER_INIT, cpp, TIMER, 1000000);
	AT(310, RCLCPP_TIMER_CALLBACK_ADDED, python, TIMER, CALLBACK + 1);
	AT(320, CALLBACK_START, python, CALLBACK + 1, 0);
	assert_story("open /a@300 /a@300-320 ");
}

Test(inferred_executions, services_without_rclcpp)
{
	AT(0, RCL_SERVICE_INIT, python, SERVICE, NODE, RMW_SERVICE, text("/add"));
	AT(100, RMW_TAKE_REQUEST, python, RMW_SERVICE, 0, 0, 1);
	AT(300, RMW_SEND_RESPONSE, python, RMW_SERVICE, 0, 0, 0);
	assert_story("open /add@100 /add@100-300 ");
	/* Those of rclcpp_action in a process with rclcpp. */
	AT(400, RCL_SERVICE_INIT, cpp, SERVICE, NODE, RMW_SERVICE, text("/count/_action/send_goal"));
	AT(400, RCLCPP_SERVICE_CALLBACK_ADDED, cpp, SERVICE + 1, CALLBACK);
	AT(500, RMW_TAKE_REQUEST, cpp, RMW_SERVICE, 0, 0, 1);
	inferred_executions_finish(inferred);
	assert_story("");
}

Test(inferred_executions, nothing_of_what_caret_records)
{
	feed(by_caret(
		RECORD(RCL_SUBSCRIPTION_INIT, cpp, 0, SUBSCRIPTION + 1, NODE, RMW_SUBSCRIPTION + 1, text("/a"), 10),
		0));
	take(cpp, 100, 1);
	inferred_executions_finish(inferred);
	assert_story("");
}

Test(inferred_executions, where_events_were_lost_there_is_no_end)
{
	subscribe(python, 1, "/a");
	take(python, 100, 1);
	take(worker, 90, 1);
	feed((struct event_record){ .time_ns = 200 * US, .kind = RECORD_GAP, .thread = RECORDING_NONE });
	assert_story("open /a@90 /a@90-? open /a@100 /a@100-? ");
}

Test(inferred_executions, a_period_of_waits_is_none_of_timers)
{
	/* rclpy's spin_once(): ever the same addresses. */
	for (int i = 0; i < 100; i++) {
		AT(i * 2000, RCL_TIMER_INIT, python, TIMER + (uint64_t)i % 4, 30000000);
	}
	AT(0, RCL_TIMER_INIT, python, TIMER + 9, 50000000);
	cr_assert(object_model_is_wait_period(model, process_of(python), 30000000));
	cr_assert_not(object_model_is_wait_period(model, process_of(python), 50000000));
	cr_assert_leq(object_model_timer_count(model), 12);
	/* Many nodes in one process. */
	for (int i = 0; i < 20; i++) {
		AT(i * 2000, RCL_TIMER_INIT, worker, TIMER + 100 + (uint64_t)i, 40000000);
	}
	cr_assert_not(object_model_is_wait_period(model, process_of(worker), 40000000));
}
