/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ros2bt/normalize/normalizer.h"

static struct string_pool *pool;
static struct recording *recording;
static struct look_ahead *ahead;
static struct normalizer *normalizer;
static struct normalized_events events;
static uint32_t trace;
static int64_t now;

static void setup(void)
{
	struct recording_trace_info info = { .hostname = "robot" };
	struct normalizer_options options = { 0 };

	pool = string_pool_create();
	recording = recording_create(pool);
	trace = recording_add_trace(recording, &info);
	ahead = look_ahead_create(recording, false);
	normalizer = normalizer_create(recording, ahead, &options);
	now = 1000;
}

static void use(struct normalizer_options options)
{
	normalizer_destroy(normalizer);
	normalizer = normalizer_create(recording, ahead, &options);
}

static void teardown(void)
{
	normalizer_destroy(normalizer);
	look_ahead_destroy(ahead);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(normalizer, .init = setup, .fini = teardown);

static uint32_t thread(int32_t vpid, int32_t vtid)
{
	struct recording_context context = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };
	uint32_t index = recording_find_thread(recording, trace, &context);

	return index != RECORDING_NONE ? index : recording_add_thread(recording, trace, &context, "node");
}

static uint64_t text(const char *string)
{
	return (uint64_t)(uintptr_t)string_pool_intern(pool, string);
}

/* A record of thread 1 of process 1 with the given words in slots 0, 1, …; LAST_WORD ends them, NO_WORD is a field not
 * there. */
#define LAST_WORD UINT64_C(0xffff0001)
#define NO_WORD UINT64_C(0xffff0002)
#define RECORD(kind, flags, ...) make(EVENT_##kind, flags, (const uint64_t[]){ __VA_ARGS__, LAST_WORD })

static struct event_record make(enum event_kind kind, uint8_t flags, const uint64_t *words)
{
	struct event_record record = { .time_ns = now, .thread = thread(1, 1), .kind = (uint8_t)kind, .flags = flags };

	for (unsigned int i = 0; words[i] != LAST_WORD; i++) {
		if (words[i] != NO_WORD) {
			record.word[i] = words[i];
			record.present |= 1u << i;
		}
	}
	return record;
}

static void rewrite(struct event_record record)
{
	normalizer_rewrite(normalizer, &record, &events);
	now += 10;
}

static void learn_and_rewrite(struct event_record record)
{
	look_ahead_learn(ahead, &record);
	rewrite(record);
}

static void expect(size_t index, enum event_kind kind, enum normalized_how how)
{
	cr_assert_lt(index, events.count);
	cr_expect_eq(events.event[index].record.kind, kind, "%s",
		     event_schema_of(events.event[index].record.kind)->name);
	cr_expect_eq(events.event[index].how, how);
}

static void begin_process(void)
{
	rewrite(RECORD(RCL_INIT, 0, 0x1, text("8.2.2")));
	expect(0, EVENT_RCL_INIT, NORMALIZED_KEPT);
	cr_assert_eq(events.count, 1);
}

Test(normalizer, a_process_that_tells_no_version_gets_one_before_its_first_event)
{
	rewrite(RECORD(CALLBACK_START, 0, 0xc, 0));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RCL_INIT, NORMALIZED_SUPPLIED);
	cr_expect_str_eq(record_string(&events.event[0].record, RCL_INIT__version), NORMALIZER_VERSION);
	expect(1, EVENT_CALLBACK_START, NORMALIZED_KEPT);
	rewrite(RECORD(CALLBACK_END, 0, 0xc));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, events_of_caret_alone_need_no_version)
{
	rewrite(RECORD(CARET_INIT, RECORD_FROM_CARET, 5));
	cr_assert_eq(events.count, 1);
	expect(0, EVENT_CARET_INIT, NORMALIZED_KEPT);
}

Test(normalizer, versions_before_8_or_unreadable_are_replaced)
{
	static const char *const versions[] = { "4.1.1", "", "jazzy", "8.x", "8.2.2.rc1", "8." };

	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
		rewrite(RECORD(RCL_INIT, 0, 0x1, text(versions[i])));
		expect(0, EVENT_RCL_INIT, NORMALIZED_CHANGED);
		cr_expect_str_eq(record_string(&events.event[0].record, RCL_INIT__version), NORMALIZER_VERSION);
	}
	rewrite(RECORD(RCL_INIT, 0, 0x1, text("10.0.3")));
	expect(0, EVENT_RCL_INIT, NORMALIZED_KEPT);
}

Test(normalizer, an_event_of_caret_gets_the_name_of_its_twin_and_loses_its_init_time)
{
	struct event_record record =
		RECORD(RCL_NODE_INIT, RECORD_FROM_CARET | RECORD_HAS_INIT_TIME, 0x1, 0x2, text("n"), text("/"));

	record.present |= 1u << EVENT_SLOT_INIT_TIME;
	begin_process();
	rewrite(record);
	cr_assert_eq(events.count, 1);
	expect(0, EVENT_RCL_NODE_INIT, NORMALIZED_CHANGED);
	cr_expect_eq(events.event[0].record.flags, 0);
	cr_expect_not(record_has(&events.event[0].record, EVENT_SLOT_INIT_TIME));
}

Test(normalizer, a_publisher_without_its_rmw_part_gets_one)
{
	begin_process();
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RMW_PUBLISHER_INIT, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISHER_INIT__rmw_publisher_handle], 0xb);
	rewrite(RECORD(RMW_PUBLISHER_INIT, 0, 0xb, text("0123456789abcdef")));
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	cr_expect_eq(events.count, 1);
}

static void define_subscription(uint8_t flags)
{
	rewrite(RECORD(RCL_SUBSCRIPTION_INIT, flags, 0x5, 0x1, 0x6, text("/t"), 10));
	expect(0, EVENT_RMW_SUBSCRIPTION_INIT, NORMALIZED_SUPPLIED);
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_INIT, flags, 0x5, 0x7));
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, flags, 0x7, 0x8));
	rewrite(RECORD(RCLCPP_CALLBACK_REGISTER, flags, 0x8, text("f")));
}

Test(normalizer, under_caret_a_take_gets_its_third_step)
{
	begin_process();
	define_subscription(RECORD_FROM_CARET);
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 77, 1));
	cr_assert_eq(events.count, 2);
	expect(1, EVENT_RCLCPP_TAKE, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[1].record.word[RCLCPP_TAKE__message], 0xe);
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 0, 0));
	cr_expect_eq(events.count, 1, "nothing was taken");
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x99, 77, 1));
	cr_expect_eq(events.count, 1, "not a subscription of rclcpp");
}

Test(normalizer, without_caret_or_with_a_third_step_of_its_own_a_take_stays_as_it_is)
{
	begin_process();
	define_subscription(0);
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 77, 1));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCLCPP_TAKE, 0, 0xe));
	rewrite(RECORD(CARET_INIT, RECORD_FROM_CARET, 5));
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 78, 1));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, a_write_of_caret_becomes_a_publication_of_the_publisher_that_the_thread_used)
{
	struct event_record publish, write, bind;

	begin_process();
	learn_and_rewrite(RECORD(RCL_PUBLISHER_INIT, RECORD_FROM_CARET, 0xa, 0x1, 0xb, text("/t"), 10));
	publish = RECORD(RCL_PUBLISH, 0, 0xe, 0xa);
	write = RECORD(DDS_WRITE, RECORD_FROM_CARET, 0xe);
	bind = RECORD(DDS_BIND_ADDR_TO_STAMP, RECORD_FROM_CARET, 0xe, 4242);
	look_ahead_learn(ahead, &publish);
	look_ahead_learn(ahead, &write);
	look_ahead_learn(ahead, &bind);
	rewrite(publish);
	rewrite(write);
	cr_assert_eq(events.count, 1);
	expect(0, EVENT_RMW_PUBLISH, NORMALIZED_BOUND);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISH__rmw_publisher_handle], 0xb);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISH__timestamp], 4242);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISH__message], 0xe);
}

Test(normalizer, a_publication_of_nobody_known_has_publisher_0_and_no_timestamp)
{
	begin_process();
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe));
	cr_assert_eq(events.count, 1);
	expect(0, EVENT_RMW_PUBLISH, NORMALIZED_UNSTAMPED);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISH__rmw_publisher_handle], 0);
	cr_expect_eq((int64_t)events.event[0].record.word[RMW_PUBLISH__timestamp], PUBLICATION_STAMP_UNKNOWN);
}

Test(normalizer, a_publication_in_todays_layout_stays_as_it_is)
{
	begin_process();
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242));
	cr_assert_eq(events.count, 1);
	expect(0, EVENT_RMW_PUBLISH, NORMALIZED_KEPT);
}

Test(normalizer, a_timer_is_linked_to_the_only_node_of_a_process_that_links_none)
{
	begin_process();
	rewrite(RECORD(RCL_NODE_INIT, 0, 0x1, 0x2, text("n"), text("/")));
	rewrite(RECORD(RCL_TIMER_INIT, 0, 0x20, 1000));
	rewrite(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, 0, 0x20, 0x21));
	rewrite(RECORD(CALLBACK_START, 0, 0x21, 0));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RCLCPP_TIMER_LINK_NODE, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[0].record.word[RCLCPP_TIMER_LINK_NODE__timer_handle], 0x20);
	cr_expect_eq(events.event[0].record.word[RCLCPP_TIMER_LINK_NODE__node_handle], 0x1);
	rewrite(RECORD(CALLBACK_START, 0, 0x21, 0));
	cr_expect_eq(events.count, 1, "once");
}

Test(normalizer, with_two_nodes_no_timer_is_linked)
{
	begin_process();
	rewrite(RECORD(RCL_NODE_INIT, 0, 0x1, 0x2, text("n"), text("/")));
	rewrite(RECORD(RCL_NODE_INIT, 0, 0x3, 0x4, text("m"), text("/")));
	rewrite(RECORD(RCLCPP_TIMER_CALLBACK_ADDED, 0, 0x20, 0x21));
	rewrite(RECORD(CALLBACK_START, 0, 0x21, 0));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, a_callback_of_the_oldest_layout_gets_its_subscription)
{
	begin_process();
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 0, NO_WORD, 0x8, 0x5));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RCLCPP_SUBSCRIPTION_INIT, NORMALIZED_SUPPLIED);
	expect(1, EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, NORMALIZED_COMPLETED);
	cr_expect_eq(events.event[0].record.word[RCLCPP_SUBSCRIPTION_INIT__subscription],
		     events.event[1].record.word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription]);
}

Test(normalizer, empty_takes_are_left_out_with_their_upper_steps)
{
	use((struct normalizer_options){ .drops_empty_takes = true });
	begin_process();
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 0, 0));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCL_TAKE, 0, 0xe));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCLCPP_TAKE, 0, 0xe));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_TAKE, 0, 0xe, 0x6, 77, 1));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCL_TAKE, 0, 0xe));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, empty_takes_of_requests_and_responses_are_left_out)
{
	use((struct normalizer_options){ .drops_empty_takes = true });
	begin_process();
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, 0, text("gid"), 0));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, 1, text("gid"), 1));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 0, 0, 0));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4242, 1));
	cr_expect_eq(events.count, 1);
}

/* A node 0x1 with the service 0x70 (rmw 0x71) and the client 0x80 (rmw 0x81). */
static void define_service_and_client(void)
{
	begin_process();
	rewrite(RECORD(RCL_NODE_INIT, 0, 0x1, 0x2, text("n"), text("/")));
	rewrite(RECORD(RCL_SERVICE_INIT, 0, 0x70, 0x1, 0x71, text("/s")));
	rewrite(RECORD(RMW_CLIENT_INIT, 0, 0x81, text("gid")));
	rewrite(RECORD(RCL_CLIENT_INIT, 0, 0x80, 0x1, 0x81, text("/s")));
}

static void expect_call(int64_t number)
{
	rewrite(RECORD(RMW_SEND_REQUEST, 0, 0x81, (uint64_t)number));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, (uint64_t)number, text("gid"), 1));
	expect(events.count - 1, EVENT_RMW_TAKE_REQUEST, NORMALIZED_KEPT);
}

Test(normalizer, a_service_without_callback_gets_one_at_its_first_request)
{
	use((struct normalizer_options){ .completes = true });
	define_service_and_client();
	expect_call(1);
	cr_assert_eq(events.count, 3);
	expect(0, EVENT_RCLCPP_SERVICE_CALLBACK_ADDED, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[0].record.word[RCLCPP_SERVICE_CALLBACK_ADDED__service_handle], 0x70);
	expect(1, EVENT_RCLCPP_CALLBACK_REGISTER, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[1].record.word[RCLCPP_CALLBACK_REGISTER__callback],
		     events.event[0].record.word[RCLCPP_SERVICE_CALLBACK_ADDED__callback]);
	cr_expect_str_eq(record_string(&events.event[1].record, RCLCPP_CALLBACK_REGISTER__symbol), "/s");
	expect_call(2);
	cr_expect_eq(events.count, 1, "once");
	rewrite(RECORD(RCL_SERVICE_INIT, 0, 0x70, 0x1, 0x71, text("/other")));
	expect_call(3);
	cr_expect_eq(events.count, 3, "the address belongs to another service now");
}

Test(normalizer, a_service_with_a_callback_keeps_it)
{
	use((struct normalizer_options){ .completes = true });
	define_service_and_client();
	rewrite(RECORD(RCLCPP_SERVICE_CALLBACK_ADDED, 0, 0x70, 0x72));
	expect_call(1);
	cr_expect_eq(events.count, 1);
}

Test(normalizer, a_request_whose_sending_is_not_recorded_is_left_out)
{
	use((struct normalizer_options){ .completes = true });
	define_service_and_client();
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, 1, text("gid"), 1));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_SEND_REQUEST, 0, 0x81, 1));
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, 1, text("of another client"), 1));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x99, 1, text("gid"), 1));
	cr_expect_eq(events.count, 1, "nobody looks for the request of an unknown service");
}

Test(normalizer, a_response_whose_sending_is_not_recorded_is_left_out)
{
	use((struct normalizer_options){ .completes = true });
	define_service_and_client();
	expect_call(1);
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4242, 1));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RMW_SEND_RESPONSE, 0, 0x71, 1, text("gid"), 4242));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4243, 1));
	cr_expect_eq(events.count, 0, "another timestamp");
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4242, 1));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, a_response_of_a_service_without_node_is_none_to_trace_compass)
{
	use((struct normalizer_options){ .completes = true });
	define_service_and_client();
	rewrite(RECORD(RCL_SERVICE_INIT, 0, 0x70, 0x99, 0x71, text("/s")));
	expect_call(1);
	rewrite(RECORD(RMW_SEND_RESPONSE, 0, 0x71, 1, text("gid"), 4242));
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4242, 1));
	cr_expect_eq(events.count, 0);
}

Test(normalizer, requests_and_services_are_kept_as_they_are_unless_asked)
{
	define_service_and_client();
	rewrite(RECORD(RMW_TAKE_REQUEST, 0, 0x71, 1, text("gid"), 1));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RMW_TAKE_RESPONSE, 0, 0x81, 1, 4242, 0));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, a_publication_by_rcl_alone_gets_the_step_of_rclcpp)
{
	use((struct normalizer_options){ .completes = true });
	begin_process();
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RCLCPP_PUBLISH, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[0].record.word[RCLCPP_PUBLISH__message], 0xe);
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCLCPP_PUBLISH, 0, 0xf));
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xf, 0xa));
	cr_expect_eq(events.count, 1, "it has one");
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xf, 0xb, 4243));
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xf, 0xa));
	cr_expect_eq(events.count, 2, "that was of another publication");
}

Test(normalizer, a_serialized_publication_gets_both_upper_steps)
{
	use((struct normalizer_options){ .completes = true });
	begin_process();
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242));
	cr_assert_eq(events.count, 3);
	expect(0, EVENT_RCLCPP_PUBLISH, NORMALIZED_SUPPLIED);
	expect(1, EVENT_RCL_PUBLISH, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[1].record.word[RCL_PUBLISH__publisher_handle], 0xa);
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0x99, 4243));
	cr_expect_eq(events.count, 1, "the middleware's own");
}

Test(normalizer, rosout_is_left_out_with_its_publications)
{
	use((struct normalizer_options){ .drops_rosout = true });
	begin_process();
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/rosout"), 10));
	cr_expect_eq(events.count, 0);
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	cr_expect_eq(events.count, 0);
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	cr_expect_eq(events.count, 1, "the address belongs to another publisher now");
}

static void learn_and_keep(struct event_record record)
{
	look_ahead_learn(ahead, &record);
	now += 1000;
}

/* A publication and the callback that handles it, as Galactic records them. */
static void expect_inferred_take(uint64_t topic, bool is_shown)
{
	const struct event_record definitions[] = {
		RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, topic, 10),
		RECORD(RCL_SUBSCRIPTION_INIT, 0, 0x5, 0x1, 0x6, topic, 10),
		RECORD(RCLCPP_SUBSCRIPTION_INIT, 0, 0x5, 0x7),
		RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 0, 0x7, 0xc),
	};
	struct event_record publish, start;

	for (size_t i = 0; i < G_N_ELEMENTS(definitions); i++) {
		learn_and_keep(definitions[i]);
		rewrite(definitions[i]);
	}
	now += INT64_C(2000000000);
	publish = RECORD(RCL_PUBLISH, 0, 0xe, 0xa);
	learn_and_keep(publish);
	start = RECORD(CALLBACK_START, 0, 0xc, 0);
	learn_and_keep(start);
	learn_and_keep(RECORD(CALLBACK_END, 0, 0xc));
	now += 20000000;
	learn_and_keep(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	learn_and_keep(RECORD(CALLBACK_END, 0, 0xc));
	look_ahead_finish(ahead);
	rewrite(publish);
	cr_assert_eq(events.count, is_shown ? 2 : 0);
	if (is_shown) {
		expect(1, EVENT_RMW_PUBLISH, NORMALIZED_INFERRED_TAKE);
		cr_expect_eq(events.event[1].record.word[RMW_PUBLISH__rmw_publisher_handle], 0xb);
		cr_expect_eq(events.event[1].record.word[RMW_PUBLISH__timestamp], (uint64_t)publish.time_ns);
	}
	rewrite(start);
	cr_assert_eq(events.count, is_shown ? 3 : 1);
	if (is_shown) {
		expect(0, EVENT_RMW_TAKE, NORMALIZED_INFERRED_TAKE);
		cr_expect_eq(events.event[0].record.word[RMW_TAKE__rmw_subscription_handle], 0x6);
		cr_expect_eq(events.event[0].record.word[RMW_TAKE__source_timestamp], (uint64_t)publish.time_ns);
		expect(1, EVENT_RCLCPP_TAKE, NORMALIZED_INFERRED_TAKE);
		expect(2, EVENT_CALLBACK_START, NORMALIZED_KEPT);
	}
	rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	if (is_shown) {
		expect(1, EVENT_RMW_PUBLISH, NORMALIZED_SUPPLIED);
		cr_expect_eq(events.event[1].record.word[RMW_PUBLISH__timestamp], (uint64_t)PUBLICATION_STAMP_UNKNOWN,
			     "nobody takes it");
	}
}

Test(normalizer, a_take_that_no_event_records_is_inferred)
{
	begin_process();
	expect_inferred_take(text("/t"), true);
}

Test(normalizer, no_take_of_rosout_is_inferred_if_its_publications_are_left_out)
{
	use((struct normalizer_options){ .drops_rosout = true });
	begin_process();
	expect_inferred_take(text("/rosout"), false);
}

static void define_intra_process_subscription(void)
{
	rewrite(RECORD(RCL_PUBLISHER_INIT, 0, 0xa, 0x1, 0xb, text("/t"), 10));
	rewrite(RECORD(RCL_SUBSCRIPTION_INIT, 0, 0x5, 0x1, 0x6, text("/t"), 10));
	rewrite(RECORD(RCLCPP_BUFFER_TO_IPB, 0, 0x30, 0x31));
	rewrite(RECORD(RCLCPP_IPB_TO_SUBSCRIPTION, 0, 0x31, 0x32));
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 0, 0x32, 0x33));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCLCPP_CALLBACK_REGISTER, 0, 0x33, text("f")));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_INIT, 0, 0x5, 0x32));
	cr_expect_eq(events.count, 0);
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_INIT, 0, 0x5, 0x7));
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 0, 0x7, 0x8));
	rewrite(RECORD(RCLCPP_CALLBACK_REGISTER, 0, 0x8, text("f")));
	cr_expect_eq(events.count, 1);
}

Test(normalizer, an_intra_process_message_is_dressed_as_an_inter_process_one)
{
	uint64_t timestamp;

	use((struct normalizer_options){ .intra_as_inter = true });
	begin_process();
	define_intra_process_subscription();
	learn_and_rewrite(RECORD(RCLCPP_INTRA_PUBLISH, 0, 0xe, 0xa));
	cr_assert_eq(events.count, 3);
	expect(0, EVENT_RCLCPP_INTRA_PUBLISH, NORMALIZED_KEPT);
	expect(1, EVENT_RCLCPP_PUBLISH, NORMALIZED_AS_INTER_PROCESS);
	expect(2, EVENT_RCL_PUBLISH, NORMALIZED_AS_INTER_PROCESS);
	rewrite(RECORD(RCLCPP_RING_BUFFER_ENQUEUE, 0, 0x30, 3, 1, 0));
	cr_assert_eq(events.count, 2);
	expect(0, EVENT_RMW_PUBLISH, NORMALIZED_AS_INTER_PROCESS);
	cr_expect_eq(events.event[0].record.word[RMW_PUBLISH__rmw_publisher_handle], 0xb);
	timestamp = events.event[0].record.word[RMW_PUBLISH__timestamp];
	rewrite(RECORD(RCLCPP_RING_BUFFER_DEQUEUE, 0, 0x30, 3, 0));
	cr_assert_eq(events.count, 3);
	expect(1, EVENT_RMW_TAKE, NORMALIZED_AS_INTER_PROCESS);
	cr_expect_eq(events.event[1].record.word[RMW_TAKE__source_timestamp], timestamp);
	cr_expect_eq(events.event[1].record.word[RMW_TAKE__rmw_subscription_handle], 0x6);
	expect(2, EVENT_RCLCPP_TAKE, NORMALIZED_AS_INTER_PROCESS);
	rewrite(RECORD(CALLBACK_START, 0, 0x33, 1));
	expect(0, EVENT_CALLBACK_START, NORMALIZED_CHANGED);
	cr_expect_eq(events.event[0].record.word[CALLBACK_START__callback], 0x8);
	cr_expect_eq(events.event[0].record.word[CALLBACK_START__is_intra_process], 1);
	rewrite(RECORD(RCLCPP_RING_BUFFER_DEQUEUE, 0, 0x30, 3, 0));
	cr_expect_eq(events.count, 1, "a message is taken once");
}

Test(normalizer, the_address_of_an_intra_process_subscription_may_be_used_again)
{
	use((struct normalizer_options){ .intra_as_inter = true });
	begin_process();
	define_intra_process_subscription();
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_INIT, 0, 0x55, 0x32));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, 0, 0x32, 0x33));
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(CALLBACK_START, 0, 0x33, 0));
	expect(0, EVENT_CALLBACK_START, NORMALIZED_KEPT);
	define_intra_process_subscription();
}

Test(normalizer, a_message_with_an_inter_process_leg_keeps_the_timestamp_of_that)
{
	struct event_record intra, publish, write;

	use((struct normalizer_options){ .intra_as_inter = true });
	begin_process();
	define_intra_process_subscription();
	intra = RECORD(RCLCPP_INTRA_PUBLISH, 0, 0xe, 0xa);
	publish = RECORD(RCL_PUBLISH, 0, 0xe, 0xa);
	write = RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242);
	look_ahead_learn(ahead, &intra);
	look_ahead_learn(ahead, &publish);
	look_ahead_learn(ahead, &write);
	rewrite(intra);
	cr_expect_eq(events.count, 1);
	rewrite(RECORD(RCLCPP_RING_BUFFER_ENQUEUE, 0, 0x30, 0, 1, 0));
	rewrite(RECORD(RCLCPP_RING_BUFFER_DEQUEUE, 0, 0x30, 0, 0));
	cr_assert_eq(events.count, 3);
	cr_expect_eq(events.event[1].record.word[RMW_TAKE__source_timestamp], 4242);
}

static void expect_take(uint64_t rmw_subscription, uint64_t timestamp, size_t count)
{
	rewrite(RECORD(RMW_TAKE, 0, 0xe, rmw_subscription, timestamp, 1));
	cr_expect_eq(events.count, count);
	rewrite(RECORD(RCL_TAKE, 0, 0xe));
	cr_expect_eq(events.count, count);
	rewrite(RECORD(RCLCPP_TAKE, 0, 0xe));
	cr_expect_eq(events.count, count);
}

Test(normalizer, a_copy_that_rclcpp_takes_and_discards_is_left_out)
{
	use((struct normalizer_options){ .intra_as_inter = true });
	begin_process();
	define_intra_process_subscription();
	learn_and_rewrite(RECORD(RCLCPP_INTRA_PUBLISH, 0, 0xe, 0xa));
	learn_and_rewrite(RECORD(RCL_PUBLISH, 0, 0xe, 0xa));
	learn_and_rewrite(RECORD(RMW_PUBLISH, 0, 0xe, 0xb, 4242));
	expect_take(0x6, 4242, 0);
	expect_take(0x6, 4243, 1);
	rewrite(RECORD(RCL_SUBSCRIPTION_INIT, 0, 0x5, 0x1, 0x6, text("/other"), 10));
	expect_take(0x6, 4242, 1);
}

Test(normalizer, a_dispatch_of_carets_fork_stands_for_a_take)
{
	begin_process();
	define_subscription(0);
	rewrite(RECORD(DISPATCH_SUBSCRIPTION_CALLBACK, 0, 0xe, 0x8, 4242));
	cr_assert_eq(events.count, 3);
	expect(1, EVENT_RMW_TAKE, NORMALIZED_SUPPLIED);
	cr_expect_eq(events.event[1].record.word[RMW_TAKE__source_timestamp], 4242);
	expect(2, EVENT_RCLCPP_TAKE, NORMALIZED_SUPPLIED);
}

Test(normalizer, addresses_and_indexes_that_cannot_be_are_survived)
{
	use((struct normalizer_options){
		.drops_empty_takes = true, .drops_rosout = true, .intra_as_inter = true, .completes = true });
	for (enum event_kind kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		struct event_record record = make(kind, 0, (const uint64_t[]){ LAST_WORD });

		for (unsigned int i = 0; i < EVENT_SLOTS; i++) {
			record.word[i] = UINT64_MAX;
		}
		for (size_t i = 0; i < event_schema_of(kind)->field_count; i++) {
			const struct event_field *field = &event_schema_of(kind)->fields[i];

			if (field->slot != SKIP) {
				record.present |= 1u << field->slot;
				if (field->type == FIELD_TYPE_STRING || field->type == FIELD_TYPE_NAME ||
				    field->type == FIELD_TYPE_GID) {
					record.word[field->slot] = text("?");
				}
			}
		}
		learn_and_rewrite(record);
		learn_and_rewrite(record);
	}
}

/* Any record of any kind may come at any time; `lag` is how far rewriting is behind learning. */
static void feed_anything(unsigned int seed, size_t lag)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(struct event_record));

	for (size_t i = 0; i < 20000; i++) {
		enum event_kind kind = (enum event_kind)g_rand_int_range(random, 0, EVENT_KIND_COUNT);
		const struct event_schema *schema = event_schema_of(kind);
		struct event_record record = { .time_ns = (int64_t)i * 100, .kind = (uint8_t)kind };

		record.thread = thread(g_rand_int_range(random, 1, 3), g_rand_int_range(random, 1, 5));
		record.flags = g_rand_boolean(random) ? RECORD_FROM_CARET : 0;
		for (size_t f = 0; f < schema->field_count; f++) {
			const struct event_field *field = &schema->fields[f];

			if (field->slot == SKIP || g_rand_int_range(random, 0, 20) == 0) {
				continue;
			}
			record.present |= 1u << field->slot;
			record.word[field->slot] = (uint64_t)g_rand_int_range(random, 0, 8);
			if ((field->type == FIELD_TYPE_STRING || field->type == FIELD_TYPE_NAME)) {
				record.word[field->slot] = text(g_rand_boolean(random) ? "/rosout" : "/t");
			}
		}
		g_array_append_val(records, record);
		look_ahead_learn(ahead, &record);
		if (i >= lag) {
			rewrite(g_array_index(records, struct event_record, i - lag));
		}
	}
}

Test(normalizer, any_order_of_any_events_is_survived)
{
	use((struct normalizer_options){ .drops_empty_takes = true, .intra_as_inter = true });
	for (unsigned int seed = 1; seed <= 5; seed++) {
		feed_anything(seed, 0);
		feed_anything(seed, 700);
	}
}
