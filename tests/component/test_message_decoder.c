/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ros2bt/bt/message_decoder.h"
#include "ros2bt/events/poll.h"
#include "support/record_text.h"
#include "support/test_graph.h"

static struct string_pool *pool;
static struct recording *recording;
static struct message_decoder *decoder;
static GString *text;

static void setup(void)
{
	static struct event_interest interest;

	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest.wants[kind] = event_class_of(kind) != EVENT_CLASS_POLL;
	}
	pool = string_pool_create();
	recording = recording_create(pool);
	decoder = message_decoder_create(recording, &interest, 0);
	text = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(text, TRUE);
	message_decoder_destroy(decoder);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(message_decoder, .init = setup, .fini = teardown);

static void decode(void *data, const bt_message *message)
{
	struct event_record record;

	if (message_decoder_decode(decoder, message, &record) > 0) {
		record_text_append(text, &record);
	}
}

/* Plays the script and compares the records with the expected text. */
static void assert_records(const char *script, const char *expected)
{
	g_autoptr(test_graph) graph = test_graph_create(script);

	test_graph_observe(graph, decode, NULL);
	cr_assert_not(strstr(test_graph_run(graph), "error"), "%s", test_graph_error(graph));
	cr_assert_str_eq(text->str, expected);
}

static void assert_unknown(uint32_t index, const char *name, const char *reason, uint64_t count)
{
	const struct recording_unknown_class *unknown;

	cr_assert_lt(index, recording_unknown_class_count(recording));
	unknown = recording_unknown_class(recording, index);
	cr_assert_str_eq(unknown->name, name);
	cr_assert_str_eq(unknown->reason, reason);
	cr_assert_eq(unknown->count, count);
}

Test(message_decoder, integers_are_read_by_the_type_that_the_trace_gives_them)
{
	assert_records("trace T\n"
		       "stream A T\n"
		       "class u A ros2:callback_start callback:u64 is_intra_process:i32\n"
		       "class s A ros2:callback_start callback:i64 is_intra_process:u8\n"
		       "class n A ros2:callback_start callback:i32 is_intra_process:bool\n"
		       "class e A ros2:callback_start callback:eu32 is_intra_process:ei32\n"
		       "class b A ros2:callback_start callback:bits is_intra_process:i8\n"
		       "begin A\n"
		       "event A u 1 callback=0xffffffffffffff00 is_intra_process=-1\n"
		       "event A s 2 callback=-256 is_intra_process=255\n"
		       "event A n 3 callback=-256 is_intra_process=1\n"
		       "event A e 4 callback=0xffffff00 is_intra_process=-1\n"
		       "event A b 5 callback=0xff00 is_intra_process=-1\n"
		       "end A\n",
		       "callback_start 1 t0 s0 callback=0xffffffffffffff00 is_intra_process=-1\n"
		       "callback_start 2 t0 s0 callback=0xffffffffffffff00 is_intra_process=255\n"
		       "callback_start 3 t0 s0 callback=0xffffff00 is_intra_process=1\n"
		       "callback_start 4 t0 s0 callback=0xffffff00 is_intra_process=-1\n"
		       "callback_start 5 t0 s0 callback=0xff00 is_intra_process=-1\n"
		       "stream_end 5 s0\n");
	cr_assert_eq(recording_unknown_class_count(recording), 0);
}

Test(message_decoder, strings_gids_and_lists_are_interned)
{
	assert_records("trace T\n"
		       "stream A T\n"
		       "class n A ros2:rcl_node_init node_handle:u64 rmw_handle:u64 node_name:str namespace:str\n"
		       "class g A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[24]'\n"
		       "class h A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:i8[16]'\n"
		       "class q A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[]'\n"
		       "class l A ros2:message_link_partial_sync 'subs:u64[]' 'pubs:i32[]'\n"
		       "begin A\n"
		       "event A n 1 node_handle=1 rmw_handle=2 node_name=talker namespace=/\n"
		       "event A g 2 rmw_publisher_handle=3 'gid=1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;99;99'\n"
		       "event A h 3 rmw_publisher_handle=3 'gid=-1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16'\n"
		       "event A q 4 rmw_publisher_handle=3 'gid=1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;99'\n"
		       "event A q 5 rmw_publisher_handle=3 'gid=1;2;3'\n"
		       "event A l 6 'subs=16;32' 'pubs=-1'\n"
		       "event A l 7\n"
		       "end A\n",
		       "rcl_node_init 1 t0 s0 node_handle=0x1 rmw_handle=0x2 node_name='talker' namespace='/'\n"
		       "rmw_publisher_init 2 t0 s0 rmw_publisher_handle=0x3 gid=0102030405060708090a0b0c0d0e0f10\n"
		       "rmw_publisher_init 3 t0 s0 rmw_publisher_handle=0x3 gid=ff02030405060708090a0b0c0d0e0f10\n"
		       "rmw_publisher_init 4 t0 s0 rmw_publisher_handle=0x3 gid=0102030405060708090a0b0c0d0e0f10\n"
		       "rmw_publisher_init 5 t0 s0 rmw_publisher_handle=0x3\n"
		       "message_link_partial_sync 6 t0 s0 subs=0x10;0x20 pubs=0xffffffff\n"
		       "message_link_partial_sync 7 t0 s0 subs= pubs=\n"
		       "stream_end 7 s0\n");
}

Test(message_decoder, the_name_of_an_event_tells_which_system_call_it_is)
{
	assert_records("trace T\nstream A T vpid:i32 vtid:i32\nclass r A syscall_entry_read\nbegin A\n"
		       "event A r 1 vpid=1 vtid=2\nend A\n",
		       "syscall_entry_ 1 t0 s0 call='read'\nstream_end 1 s0\n");
}

Test(message_decoder, what_the_table_does_not_know_is_named_once_and_counted)
{
	assert_records("trace T\n"
		       "stream A T\n"
		       "class other A my_app:malloc callback:u64\n"
		       "class poll A ros2:rclcpp_executor_wait_for_work timeout:i64\n"
		       "class new A ros2:brand_new callback:u64\n"
		       "class missing A ros2:callback_start is_intra_process:i32\n"
		       "class odd A ros2:callback_end callback:str\n"
		       "class gid A ros2:rmw_publisher_init rmw_publisher_handle:u64 'gid:u8[15]'\n"
		       "class words A ros2:rmw_subscription_init rmw_subscription_handle:u64 'gid:u16[24]'\n"
		       "class none A ros2:callback_end\n"
		       "begin A\n"
		       "event A other 1\nevent A poll 2\n"
		       "event A new 3\nevent A new 4\nevent A new 5\n"
		       "event A missing 6\nevent A odd 7\nevent A gid 8\nevent A words 9\nevent A none 10\n"
		       "end A\n",
		       "stream_end 0 s0\n");
	cr_assert_eq(recording_unknown_class_count(recording), 6);
	assert_unknown(0, "ros2:brand_new", "not in the table of events", 3);
	assert_unknown(1, "ros2:callback_start", "field callback is missing", 1);
	assert_unknown(2, "ros2:callback_end", "field callback is not of type address", 1);
	assert_unknown(3, "ros2:rmw_publisher_init", "field gid is not of type array of bytes", 1);
	assert_unknown(4, "ros2:rmw_subscription_init", "field gid is not of type array of bytes", 1);
	assert_unknown(5, "ros2:callback_end", "field callback is missing", 1);
}

Test(message_decoder, threads_are_told_by_the_contexts_that_are_there)
{
	assert_records("trace T hostname=robot\n"
		       "stream A T vpid:i32 vtid:i32 procname:str\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "stream B T vtid:u64 vpid:i64\n"
		       "class b B ros2:callback_end callback:u64\n"
		       "stream C T vpid:str pid_ns:u32\n"
		       "class c C ros2:callback_end callback:u64\n"
		       "begin A\nbegin B\nbegin C\n"
		       "event A a 1 vpid=5 vtid=6 procname=worker\n"
		       "event A a 2 vpid=5 vtid=5 procname=main\n"
		       "event B b 3 vpid=5 vtid=6\n"
		       "event A a 4 vpid=5 vtid=6 procname=other\n"
		       "event C c 5 vpid=five\n"
		       "event B b 6 vpid=7 vtid=6\n"
		       "end A\nend B\nend C\n",
		       "callback_end 1 t0 s0 callback=0x0\n"
		       "callback_end 2 t1 s0 callback=0x0\n"
		       "callback_end 3 t0 s1 callback=0x0\n"
		       "callback_end 4 t0 s0 callback=0x0\n"
		       "callback_end 5 t2 s2 callback=0x0\n"
		       "callback_end 6 t3 s1 callback=0x0\n"
		       "stream_end 6 s0\nstream_end 6 s1\nstream_end 6 s2\n");
	cr_assert_str_eq(recording_process(recording, 0)->procname, "main");
	cr_assert_not(recording_process(recording, recording_thread(recording, 2)->process)->has_vpid);
	cr_assert_eq(recording_process(recording, recording_thread(recording, 3)->process)->vpid, 7);
}

Test(message_decoder, a_trace_of_one_process_names_it_in_its_environment)
{
	assert_records("trace T hostname=robot vpid=42 procname=talker uuid=7\n"
		       "stream A T\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "begin A\nevent A a 1\nend A\n",
		       "callback_end 1 t0 s0 callback=0x0\nstream_end 1 s0\n");
	cr_assert_eq(recording_process(recording, 0)->vpid, 42);
	cr_assert_str_eq(recording_process(recording, 0)->procname, "talker");
	cr_assert_str_eq(recording_host(recording, 0)->hostname, "robot");
}

Test(message_decoder, traces_of_one_host_share_processes_and_those_of_two_do_not)
{
	assert_records("trace T hostname=robot uuid=1\n"
		       "trace U hostname=robot uuid=1\n"
		       "trace V hostname=robot uuid=2\n"
		       "stream A T vpid:i32\nstream B U vpid:i32\nstream C V vpid:i32\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "class b B ros2:callback_end callback:u64\n"
		       "class c C ros2:callback_end callback:u64\n"
		       "begin A\nbegin B\nbegin C\n"
		       "event A a 1 vpid=5\nevent B b 2 vpid=5\nevent C c 3 vpid=5\n"
		       "end A\nend B\nend C\n",
		       "callback_end 1 t0 s0 callback=0x0\n"
		       "callback_end 2 t1 s1 callback=0x0\n"
		       "callback_end 3 t2 s2 callback=0x0\n"
		       "stream_end 3 s0\nstream_end 3 s1\nstream_end 3 s2\n");
	cr_assert_eq(recording_thread(recording, 0)->process, recording_thread(recording, 1)->process);
	cr_assert_neq(recording_thread(recording, 0)->process, recording_thread(recording, 2)->process);
}

Test(message_decoder, times_are_ns_from_the_origin_of_each_clock)
{
	assert_records("trace T frequency=1000 offset=10 uuid=1\n"
		       "trace U frequency=1000000000 offset=10 cycles=20 uuid=2\n"
		       "stream A T\nstream B U\n"
		       "class a A ros2_caret:rcl_init context_handle:u64 init_timestamp:i64\n"
		       "class b B ros2_caret:rcl_init context_handle:u64 init_timestamp:u64\n"
		       "begin A\nbegin B\n"
		       "event A a 5 context_handle=1 init_timestamp=3\n"
		       "event B b 5000000000 context_handle=2 init_timestamp=7\n"
		       "end A\nend B\n",
		       "rcl_init 10005000000 t0 s0 context_handle=0x1 caret since=10003000000\n"
		       "rcl_init 15000000020 t1 s1 context_handle=0x2 caret since=10000000027\n"
		       "stream_end 15000000020 s0\nstream_end 15000000020 s1\n");
}

Test(message_decoder, an_init_timestamp_that_is_no_time_before_the_event_is_not_believed)
{
	assert_records("trace T\n"
		       "stream A T\n"
		       "class a A ros2_caret:rcl_init context_handle:u64 init_timestamp:i64\n"
		       "class o A ros2_caret:rcl_init context_handle:u64 init_timestamp:str\n"
		       "begin A\n"
		       "event A a 100 init_timestamp=100\n"
		       "event A a 101 init_timestamp=102\n"
		       "event A a 102 init_timestamp=0\n"
		       "event A a 103 init_timestamp=-5\n"
		       "event A o 104 init_timestamp=5\n"
		       "end A\n",
		       "rcl_init 100 t0 s0 context_handle=0x0 caret since=100\n"
		       "rcl_init 101 t0 s0 context_handle=0x0 caret\n"
		       "rcl_init 102 t0 s0 context_handle=0x0 caret\n"
		       "rcl_init 103 t0 s0 context_handle=0x0 caret\n"
		       "rcl_init 104 t0 s0 context_handle=0x0 caret\n"
		       "stream_end 104 s0\n");
	assert_unknown(0, "ros2_caret:rcl_init", "init_timestamp is not a time before the event", 3);
}

Test(message_decoder, an_event_after_one_whose_time_does_not_fit_is_read)
{
	assert_records("trace T\n"
		       "stream A T\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "begin A\nagain\n"
		       "event A a 18446744073709551615\nagain\n"
		       "event A a 7\n"
		       "end A\n",
		       "callback_end 7 t0 s0 callback=0x0\n"
		       "stream_end 7 s0\n");
	assert_unknown(0, "ros2:callback_end", "its time is not within the years 1824 to 2115", 1);
}

Test(message_decoder, events_with_an_impossible_time_are_counted)
{
	assert_records("trace T noclock\n"
		       "trace U offset=4611686018\n"
		       "trace V offset=9223372034\n"
		       "stream A T\nstream B U\nstream C V\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "class b B ros2:callback_end callback:u64\n"
		       "class c C ros2:callback_end callback:u64\n"
		       "begin A\nbegin B\nbegin C\n"
		       "event A a 0\nevent A a 0\n"
		       "event B b 1\nevent B b 427387903\nevent B b 427387904\n"
		       "event C c 1\nevent C c 2900000000\n"
		       "end A\nend B\nend C\n",
		       "callback_end 4611686018000000001 t0 s1 callback=0x0\n"
		       "callback_end 4611686018427387903 t0 s1 callback=0x0\n"
		       "stream_end 4611686018427387903 s0\nstream_end 4611686018427387903 s1\n"
		       "stream_end 4611686018427387903 s2\n");
	assert_unknown(0, "ros2:callback_end", "its stream has no clock", 2);
	assert_unknown(1, "ros2:callback_end", "its time is not within the years 1824 to 2115", 3);
}

Test(message_decoder, losses_are_told_where_they_are)
{
	assert_records("trace T\n"
		       "stream A T packets lost lostpackets\n"
		       "class a A ros2:callback_end callback:u64\n"
		       "stream B T lost lostwithouttimes\n"
		       "class b B ros2:callback_end callback:u64\n"
		       "begin A\nbegin B\n"
		       "open A 1\nevent A a 2\nclose A 5\n"
		       "lost A 5 9 7\nopen A 6\nevent A a 7\nclose A 9\n"
		       "lost A 9 20 18446744073708243631\nlostpackets A 9 10 2\n"
		       "open A 10\nevent A a 11\nlost B 0 0 ?\nevent B b 12\nclose A 20\n"
		       "open A 21\nclose A 22\n"
		       "end A 30\nend B\n",
		       "callback_end 2 t0 s0 callback=0x0\n"
		       "discarded_events 5 s0 to 9 count 7\n"
		       "gap 6 s0\n"
		       "callback_end 7 t0 s0 callback=0x0\n"
		       "gap 9 s0\n"
		       "discarded_events 9 s0 to 20 count ?\n"
		       "discarded_packets 9 s0 to 10 count 2\n"
		       "gap 10 s0\n"
		       "callback_end 11 t0 s0 callback=0x0\n"
		       "discarded_events 11 s1 to 11 count ?\n"
		       "callback_end 12 t0 s1 callback=0x0\n"
		       "gap 20 s0\n"
		       "stream_end 30 s0\nstream_end 30 s1\n");
}

static bool was_off(const char *loss)
{
	g_autofree char *script = g_strdup_printf("trace T\nstream A T packets lost lostpackets\n"
						  "begin A\nopen A 1\nclose A 100\n%sopen A 300\nclose A 400\nend A\n",
						  loss);
	g_autoptr(test_graph) graph = test_graph_create(script);

	teardown();
	setup();
	test_graph_observe(graph, decode, NULL);
	cr_assert_not(strstr(test_graph_run(graph), "error"), "%s", test_graph_error(graph));
	return recording_was_off(recording, 50, 350);
}

Test(message_decoder, tracing_was_off_between_packets_unless_some_of_what_was_there_is_lost)
{
	cr_assert(was_off(""));
	cr_assert_not(was_off("lostpackets A 100 300 1\n"));
	cr_assert_not(was_off("lost A 100 400 1\n"));
}

Test(message_decoder, again_and_batches_make_no_difference)
{
	g_autoptr(GString) script = g_string_new("trace T\nstream A T\n"
						 "class a A ros2:callback_end callback:u64\nbegin A\n");
	g_autoptr(GString) expected = g_string_new(NULL);

	for (int i = 1; i <= 100; i++) {
		g_string_append_printf(script, "event A a %d callback=%d\n%s", i, i, i % 7 == 0 ? "again\n" : "");
		g_string_append_printf(expected, "callback_end %d t0 s0 callback=0x%x\n", i, i);
	}
	g_string_append(script, "end A\n");
	g_string_append(expected, "stream_end 100 s0\n");
	assert_records(script->str, expected->str);
}

static struct event_record batch[10000];
static size_t batch_count, full_count;

/* Records of batches follow one another here, for none may move. */
static void decode_to_batch(void *data, const bt_message *message)
{
	if (message_decoder_is_full(decoder)) {
		message_decoder_begin_batch(decoder);
		full_count++;
	}
	batch_count += message_decoder_decode(decoder, message, &batch[batch_count]);
}

static void decode_joined(const char *script, bool wants_counters, const struct point_events *points)
{
	static struct event_interest interest = {
		.joins_polls = true,
		.wants = { [EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK] = true,
			   [EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY] = true,
			   [EVENT_CALLBACK_END] = true },
	};
	g_autoptr(test_graph) graph = test_graph_create(script);

	interest.wants_counters[EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY] = wants_counters;
	interest.points = points;
	message_decoder_destroy(decoder);
	decoder = message_decoder_create(recording, &interest, 0);
	message_decoder_begin_batch(decoder);
	test_graph_observe(graph, decode_to_batch, NULL);
	cr_assert_not(strstr(test_graph_run(graph), "error"), "%s", test_graph_error(graph));
}

/* Streams are independent; a thread, a packet, a loss, another event and the room of a record end a record. */
Test(message_decoder, polls_of_a_thread_that_follow_in_a_stream_are_one_record)
{
	g_autoptr(GString) script = g_string_new("trace T\nstream A T packets vpid:i32 vtid:i32\n"
						 "stream B T lost lostwithouttimes vpid:i32 vtid:i32\n"
						 "class wait A ros2:rclcpp_executor_wait_for_work timeout:i64\n"
						 "class find B ros2:rclcpp_executor_get_next_ready\n"
						 "class other A ros2:callback_end callback:u64\n"
						 "begin A\nbegin B\nopen A 1\n"
						 "event A wait 1 vpid=1 vtid=1 timeout=8\n"
						 "event B find 2 vpid=1 vtid=1\n"
						 "event A wait 3 vpid=1 vtid=1 timeout=0\n"
						 "event A wait 4 vpid=1 vtid=2 timeout=1\n"
						 "event B find 5 vpid=1 vtid=1\n"
						 "close A 5\nopen A 6\n"
						 "event A wait 7 vpid=1 vtid=2 timeout=1\n"
						 "event A other 8 vpid=1 vtid=2\n"
						 "event A wait 9 vpid=1 vtid=2 timeout=1\n"
						 "close A 9\nend A\nlost B 0 0 ?\n");
	static const struct {
		int kind;
		int64_t time_ns;
		uint64_t count;
	} expected[] = {
		{ RECORD_POLLS, 1, 2 },
		{ RECORD_POLLS, 2, 2 },
		{ EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, 4, 0 },
		{ EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, 7, 0 },
		{ EVENT_CALLBACK_END, 8, 0 },
		{ EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, 9, 0 },
		{ RECORD_STREAM_END, 9, 0 },
		{ RECORD_DISCARDED_EVENTS, 9, 0 },
		{ RECORD_POLLS, 10, 8 },
		{ RECORD_POLLS, 18, 2 },
		{ RECORD_STREAM_END, 19, 0 },
	};

	for (int time = 10; time < 20; time++) {
		g_string_append_printf(script, "event B find %d vpid=1 vtid=1\n", time);
	}
	g_string_append(script, "end B\n");
	decode_joined(script->str, false, NULL);

	cr_assert_eq(batch_count, G_N_ELEMENTS(expected));
	for (size_t i = 0; i < batch_count; i++) {
		cr_expect_eq(batch[i].kind, expected[i].kind, "%zu: %d", i, batch[i].kind);
		cr_expect_eq(batch[i].time_ns, expected[i].time_ns, "%zu: %ld", i, (long)batch[i].time_ns);
		cr_expect(batch[i].kind != RECORD_POLLS || batch[i].word[RECORD__count] == expected[i].count);
	}
	cr_expect_eq(record_polls(&batch[0])[0].kind, POLL_WAIT);
	cr_expect_eq(record_polls(&batch[0])[1].kind, POLL_LOOK_UP);
	cr_expect_eq(record_polls(&batch[0])[1].time_ns, 3);
	cr_expect_eq(record_polls(&batch[1])[1].time_ns, 5);
	cr_expect_eq(record_polls(&batch[8])[7].time_ns, 17);
}

/* The room for polls ends a batch after the second of three polls: the third is a record of the next. */
Test(message_decoder, records_of_polls_fill_a_batch_and_end_with_it)
{
	g_autoptr(GString) script = g_string_new("trace T\nstream A T vpid:i32 vtid:i32\n"
						 "class find A ros2:rclcpp_executor_get_next_ready\nbegin A\n");

	for (int time = 0; time < 27000; time++) {
		g_string_append_printf(script, "event A find %d vpid=1 vtid=%d\n", time, time / 3 % 2);
	}
	g_string_append(script, "end A\n");
	decode_joined(script->str, false, NULL);

	cr_expect_eq(full_count, 1);
	cr_expect_eq(batch_count, 9000 + 1 + 1);
}

/* Only so many gaps between packets are remembered. */
Test(message_decoder, packets_fill_a_batch)
{
	g_autoptr(GString) script = g_string_new("trace T\nstream A T packets\nbegin A\n");

	for (int time = 0; time < 3000; time++) {
		g_string_append_printf(script, "open A %d\nclose A %d\n", 3 * time, 3 * time + 1);
	}
	g_string_append(script, "end A\n");
	decode_joined(script->str, false, NULL);

	cr_expect_eq(full_count, 2);
}

Test(message_decoder, polls_whose_counters_are_wanted_stay_events)
{
	decode_joined("trace T\nstream A T vpid:i32 perf_thread_faults:u64\n"
		      "class find A ros2:rclcpp_executor_get_next_ready\nbegin A\n"
		      "event A find 1 perf_thread_faults=3\nevent A find 2 perf_thread_faults=4\nend A\n",
		      true, NULL);

	cr_assert_eq(batch_count, 5);
	cr_expect_eq(batch[2].kind, RECORD_COUNTER);
	cr_expect_eq(batch[2].word[RECORD__counter_value], 4);
	cr_expect_eq(batch[3].kind, EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY);
	cr_expect_eq(batch[3].time_ns, 2);
}

/* A record of what the user chose follows that of the event, if there is one; polls that are chosen are not joined. */
Test(message_decoder, an_event_that_the_user_chose_gives_two_records)
{
	static const struct point_event chosen[] = { { .name = "ros2:rclcpp_executor_wait_for_work" },
						     { .name = "ros2:rclcpp_executor_get_next_ready" },
						     { .name = "my_app:go" } };
	static const struct point_events points = { chosen, G_N_ELEMENTS(chosen) };
	static const struct {
		int kind;
		int64_t time_ns;
		uint64_t point;
	} expected[] = {
		{ EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, 1, 0 },
		{ RECORD_POINT, 1, 0 },
		{ EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK, 2, 0 },
		{ RECORD_POINT, 2, 0 },
		{ RECORD_COUNTER, 3, 0 },
		{ EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY, 3, 0 },
		{ RECORD_POINT, 3, 1 },
		{ RECORD_POINT, 4, 2 },
		{ RECORD_STREAM_END, 4, 0 },
	};

	decode_joined("trace T\nstream A T vpid:i32 perf_thread_faults:u64\n"
		      "class wait A ros2:rclcpp_executor_wait_for_work timeout:i64\n"
		      "class find A ros2:rclcpp_executor_get_next_ready\nclass go A my_app:go\nbegin A\n"
		      "event A wait 1 timeout=9\nevent A wait 2 timeout=9\n"
		      "event A find 3 perf_thread_faults=3\nevent A go 4\nend A\n",
		      true, &points);

	cr_assert_eq(batch_count, G_N_ELEMENTS(expected));
	for (size_t i = 0; i < batch_count; i++) {
		cr_expect_eq(batch[i].kind, expected[i].kind, "%zu: %d", i, batch[i].kind);
		cr_expect_eq(batch[i].time_ns, expected[i].time_ns);
		if (batch[i].kind == RECORD_POINT) {
			cr_expect_eq(batch[i].present, 1u << RECORD__point | 1u << RECORD__values);
			cr_expect_eq(batch[i].word[RECORD__point], expected[i].point);
		}
	}
	cr_expect_eq(batch[0].word[RCLCPP_EXECUTOR_WAIT_FOR_WORK__timeout], 9);
}
