/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "core/events/points/point_builder.h"
#include "core/events/points/point_file_reader.h"
#include "flow_records.h"
#include "kept_tables.h"

static struct point_builder builder;
static struct point_file *file;

static void begin(const char *text)
{
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;

	close(g_file_open_tmp("ros2bt-points-XXXXXX", &path, NULL));
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	file = point_file_read(path, &error);
	cr_assert_not_null(file, "%s", error ? error->message : "");
	g_remove(path);
	kept_options.points = file;
	begin_session();
}

static void setup(void)
{
	kept_options = (struct analysis_options){ 0 };
	flow_setup_recording();
	point_builder_init(&builder);
	point_builder_begin_batch(&builder);
	script = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	now_ns = 0;
}

static void teardown(void)
{
	destroy_session();
	g_clear_pointer(&script, g_array_unref);
	point_file_destroy(file);
	point_builder_clear(&builder);
	recording_teardown();
}

TestSuite(points, .init = setup, .fini = teardown);

static void feed_now(struct event_record record)
{
	session_feed(session, &record, 1);
}

static void feed_loss(int64_t time_ns, int64_t end_ns)
{
	feed_now(loss_of(RECORD_DISCARDED_EVENTS, 0, time_ns, end_ns));
	feed_now(gap_of(0, end_ns));
}

/* An event of the file with one field, an integer. */
static struct event_record point(const char *name, uint32_t thread, int64_t time_ns, int64_t key)
{
	struct event_record record = { .time_ns = time_ns, .thread = thread };
	int event = point_events_find(&file->events, name);

	cr_assert_geq(event, 0);
	point_builder_start(&builder, file->events.events[event].field_count);
	if (file->events.events[event].field_count > 0) {
		point_builder_set_integer(&builder, 0, true, (uint64_t)key, NULL);
	}
	point_builder_finish(&builder, (size_t)event, false, &record);
	return record;
}

static void begins(uint32_t thread, int64_t time_ns, int64_t key)
{
	feed_now(point("app:start", thread, time_ns, key));
}

static void ends(uint32_t thread, int64_t time_ns, int64_t key)
{
	feed_now(point("app:end", thread, time_ns, key));
}

static void finish_all(void)
{
	cr_assert(session_finish(session, NULL));
}

#define STAGE(scope) "stages:\n- {name: stage, start: app:start, end: app:end, key: id, scope: " scope "}\n"

static void expect_counts(const char *table, guint row, const char *count, const char *without_start,
			  const char *without_end, const char *unknown)
{
	expect(table, row, "count", count);
	expect(table, row, "without_start", without_start);
	expect(table, row, "without_end", without_end);
	expect(table, row, "unknown", unknown);
}

Test(points, a_start_and_an_end_of_one_key_are_a_pair)
{
	begin(STAGE("process"));
	begins(talker, 100, 1);
	begins(talker, 110, 2);
	ends(talker_2, 150, 1);
	ends(talker, 190, 2);
	finish_all();
	expect_counts("points", 0, "2", "0", "0", "0");
	expect_cells("points", 0, "stage", "stage", "duration_sum_ns", "130", "duration_max_ns", "80", "out_of_order",
		     "0");
	expect_cells("point_instances", 0, "key", "1", "duration_ns", "50", "start_vtid", "1", "end_vtid", "2",
		     "callback_id", "");
}

Test(points, a_key_is_of_its_scope)
{
	begin("stages:\n"
	      "- {name: thread, start: app:start, end: app:end, key: id, scope: thread}\n"
	      "- {name: process, start: app:start, end: app:end, key: id, scope: process}\n"
	      "- {name: host, start: app:start, end: app:end, key: id, scope: host}\n"
	      "- {name: all, start: app:start, end: app:end, key: id, scope: all}\n");
	begins(talker, 100, 1);
	begins(talker_2, 110, 2);
	begins(talker, 120, 3);
	ends(talker, 150, 1);
	ends(talker, 160, 2);
	ends(listener, 170, 3);
	finish_all();
	expect("points", 0, "count", "1");
	expect("points", 1, "count", "2");
	expect("points", 2, "count", "3");
	expect("points", 3, "count", "3");
	expect_cells("points", 0, "without_start", "2", "without_end", "2");
}

Test(points, a_second_start_means_that_the_end_was_lost)
{
	begin(STAGE("all"));
	begins(talker, 100, 1);
	ends(talker, 110, 1);
	begins(talker, 200, 1);
	begins(talker, 300, 1);
	ends(talker, 310, 1);
	begins(talker, 400, 2);
	ends(talker, 500, 7);
	ends(talker, 600, 7);
	finish_all();
	expect_counts("points", 0, "2", "2", "2", "0");
	expect("points", 0, "duration_max_ns", "10");
	expect_cells("point_instances", 1, "start_ns", "200", "end_ns", "");
	expect_cells("point_instances", 3, "start_ns", "", "end_ns", "500");
	expect("point_instances", 5, "key", "2");
}

/* A stage that takes at most 10 ns and begins 5 ns before the last event may still be running. */
Test(points, a_start_that_comes_sooner_than_the_end_usually_does_leaves_nothing_unknown)
{
	begin(STAGE("all"));
	begins(talker, 100, 1);
	ends(talker, 200, 1);
	begins(talker, 300, 1);
	begins(talker, 310, 1);
	ends(talker, 320, 1);
	begins(talker, 500, 1);
	ends(talker, 510, 1);
	finish_all();
	expect_counts("points", 0, "3", "0", "1", "0");
}

Test(points, what_the_edges_of_the_recording_may_have_cut_is_unknown)
{
	begin(STAGE("all"));
	ends(talker, 100, 1);
	begins(talker, 200, 2);
	ends(talker, 210, 2);
	ends(talker, 300, 3);
	begins(talker, 395, 4);
	begins(talker, 400, 5);
	finish_all();
	expect_counts("points", 0, "1", "2", "2", "3");
}

Test(points, a_pair_across_a_loss_is_doubtful_unless_its_keys_rise)
{
	begin("stages:\n"
	      "- {name: keyed, start: app:start, end: app:end, key: id}\n"
	      "- {name: unkeyed, start: app:start, end: app:end}\n");
	feed_now(in_stream(RECORD(CALLBACK_START, talker, 50, 1, 0), 0));
	feed_now(in_stream(RECORD(CALLBACK_END, talker, 60, 1), 0));
	begins(talker, 100, 1);
	feed_loss(110, 150);
	feed_now(in_stream(RECORD(CALLBACK_START, talker, 160, 1, 0), 0));
	ends(talker, 200, 1);
	begins(talker, 300, 2);
	ends(talker, 310, 2);
	finish_all();
	expect_cells("points", 0, "count", "2", "doubtful", "0", "duration_max_ns", "100");
	expect_cells("points", 1, "count", "2", "doubtful", "1", "duration_max_ns", "10");
}

Test(points, keys_that_come_twice_make_a_pair_across_a_loss_doubtful)
{
	begin(STAGE("process"));
	feed_now(in_stream(RECORD(CALLBACK_START, talker, 10, 1, 0), 0));
	begins(talker, 20, 5);
	ends(talker, 30, 5);
	begins(talker, 40, 5);
	feed_loss(50, 60);
	feed_now(in_stream(RECORD(CALLBACK_END, talker, 70, 1), 0));
	ends(talker, 80, 5);
	ends(talker, 81, 6);
	finish_all();
	expect_cells("points", 0, "count", "2", "doubtful", "1", "duration_max_ns", "10", "without_start", "1");
}

Test(points, a_pair_across_a_pause_of_tracing_is_doubtful)
{
	begin("stages:\n- {name: stage, start: app:start, end: app:end}\n");
	recording_packet_begins(recording, 0, 10);
	begins(talker, 20, 1);
	ends(talker, 30, 1);
	begins(talker, 40, 1);
	recording_packet_ends(recording, 0, 50);
	recording_packet_begins(recording, 0, 90);
	ends(talker, 100, 1);
	recording_packet_ends(recording, 0, 110);
	finish_all();
	expect_cells("points", 0, "count", "2", "doubtful", "1", "duration_max_ns", "10");
}

Test(points, only_events_that_meet_the_conditions_count)
{
	begin("stages:\n"
	      "- name: stage\n"
	      "  start: {event: app:state, when: {state: [1, 3]}}\n"
	      "  end: {event: app:state, when: {state: 2}}\n");
	for (int64_t state = 0; state <= 4; state++) {
		feed_now(point("app:state", talker, 100 + 10 * state, state));
	}
	finish_all();
	/* from 1 to 2; 3 begins again and would have ended by 4; 0 and 4 are nothing */
	expect_counts("points", 0, "1", "0", "1", "0");
	expect("points", 0, "duration_max_ns", "10");
}

/* An event of a kernel, by a thread of a program if its ids are recorded. */
static void feed_kernel(const char *name, int64_t time_ns, int32_t vpid, int32_t vtid)
{
	const struct recording_context ids = { .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };
	struct event_record record = point(name, RECORDING_NONE, time_ns, 1);

	if (vpid) {
		record.word[RECORD__ids] = recording_add_ids(recording, &ids);
		record.present |= 1u << RECORD__ids;
	}
	feed_now(record);
}

Test(points, events_of_a_kernel_belong_to_the_threads_of_their_contexts)
{
	begin("stages:\n"
	      "- {name: thread, start: app:start, end: app:end, key: id, scope: thread}\n"
	      "- {name: process, start: app:start, end: app:end, key: id, scope: process}\n"
	      "- {name: host, start: app:start, end: app:end, key: id, scope: host}\n");
	feed_kernel("app:start", 100, 1, 1);
	feed_kernel("app:end", 110, 3, 3); /* of another process */
	feed_kernel("app:end", 120, 1, 2); /* of another thread */
	feed_kernel("app:end", 130, 1, 1);
	finish_all();
	expect_cells("points", 0, "count", "1", "duration_max_ns", "30", "without_start", "2");
	expect_cells("points", 1, "count", "1", "duration_max_ns", "20", "without_start", "2");
	expect_cells("points", 2, "count", "1", "duration_max_ns", "10", "without_start", "2");
	expect("point_instances", 0, "start_vtid", "");
}

/* But not with events of programs whose ids would be the same. */
Test(points, events_of_a_kernel_without_ids_belong_together)
{
	begin(STAGE("thread"));
	begins(talker, 90, 1);
	feed_kernel("app:start", 100, 0, 0);
	feed_kernel("app:end", 110, 1, 1);
	feed_kernel("app:end", 120, 0, 0);
	ends(talker, 190, 1);
	finish_all();
	expect_cells("points", 0, "count", "2", "without_start", "1", "duration_min_ns", "20", "duration_max_ns",
		     "100");
}

Test(points, one_event_may_end_a_stage_and_start_the_next)
{
	begin("stages:\n- {name: turn, start: app:tick, end: app:tick}\n");
	for (int64_t i = 1; i <= 5; i++) {
		feed_now(point("app:tick", talker, 100 * i * i, 0));
	}
	finish_all();
	expect_counts("points", 0, "4", "0", "1", "1");
	expect("points", 0, "duration_max_ns", "900");
}

Test(points, a_stage_is_of_the_callback_that_it_starts_in)
{
	begin(STAGE("process"));
	define_node(talker, "talker");
	define_timer(talker, 1);
	feed_now(RECORD(CALLBACK_START, talker, 1 * MS, TIMER_CALLBACK + 1, 0));
	begins(talker, 1 * MS + 10, 1);
	begins(talker_2, 1 * MS + 11, 2);
	feed_now(RECORD(CALLBACK_END, talker, 2 * MS, TIMER_CALLBACK + 1));
	ends(talker, 3 * MS, 1);
	ends(talker, 3 * MS, 2);
	finish_all();
	cr_assert_eq(row_count("point_callbacks"), 2);
	expect_cells("point_callbacks", 0, "callback_id", "0", "count", "1");
	expect_cells("point_callbacks", 1, "callback", "", "count", "1");
	expect("point_instances", 0, "callback_id", "0");
	expect("point_instances", 1, "callback_id", "");
}

Test(points, a_path_goes_from_the_first_stage_to_the_last_by_key_and_across_processes)
{
	begin("stages:\n"
	      "- {name: capture, start: app:start, end: app:end, key: id}\n"
	      "- {name: plan, start: app:plan, end: app:planned, key: frame}\n"
	      "paths:\n"
	      "- {name: image, stages: [capture, plan]}\n");
	for (int64_t key = 1; key <= 3; key++) {
		begins(talker, 100 * key, key);
		ends(talker, 100 * key + 1, key);
	}
	feed_now(point("app:plan", listener, 400, 2));
	feed_now(point("app:planned", listener, 410, 2));
	feed_now(point("app:plan", listener, 420, 1));
	feed_now(point("app:planned", listener, 430, 1));
	feed_now(point("app:planned", listener, 500, 9));
	finish_all();
	cr_assert_eq(row_count("point_paths"), 1);
	expect_cells("point_paths", 0, "path", "image", "count", "2", "without_start", "1", "without_end", "1",
		     "out_of_order", "1", "latency_min_ns", "210", "latency_max_ns", "330");
	expect_cells("slowest_points", 0, "name", "image", "without_end", "1");
	expect_cells("slowest_points", 1, "name", "plan", "max_ns", "10");
	expect("slowest_points", 2, "max_at_ns", "100");
	cr_assert_eq(row_count("slowest_points"), 3);
	expect("point_path_instances", 0, "key", "2");
	expect("point_path_instances", 2, "start_ns", "");
	expect("points", 1, "without_start", "1");
}

Test(points, only_what_starts_in_the_range_counts)
{
	kept_options.range = (struct time_range){ .has_begin = true, .begin.ns = 200, .has_end = true, .end.ns = 300 };
	begin(STAGE("all"));
	begins(talker, 100, 1);
	ends(talker, 250, 1);
	begins(talker, 260, 2);
	ends(talker, 350, 2);
	begins(talker, 320, 3);
	ends(talker, 360, 4);
	finish_all();
	expect_cells("points", 0, "count", "1", "duration_sum_ns", "90", "without_start", "0", "without_end", "0");
}

Test(points, what_is_open_is_bounded_and_the_oldest_gives_way)
{
	begin(STAGE("all"));
	for (int64_t key = 0; key < 65536 + 10; key++) {
		point_builder_begin_batch(&builder);
		begins(talker, 100 + key, key);
	}
	ends(talker, 200000, 5);
	ends(talker, 200001, 11);
	finish_all();
	expect_cells("points", 0, "count", "1", "without_start", "1", "without_end", "65545");
	cr_assert_eq(count_of("starts given up"), 10);
}

Test(points, an_event_without_its_field_is_no_start_and_is_counted)
{
	struct event_record record = { .time_ns = 100, .thread = talker };

	begin("stages:\n"
	      "- {name: stage, start: app:start, end: app:end, key: id}\n"
	      "- {name: other, start: app:never, end: app:end}\n");
	point_builder_start(&builder, 1);
	point_builder_finish(&builder, (size_t)point_events_find(&file->events, "app:start"), false, &record);
	feed_now(record);
	finish_all();
	expect_counts("points", 0, "0", "0", "0", "0");
	cr_assert_eq(count_of("point without field"), 1);
	cr_assert_eq(count_of("point not recorded"), 2);
}

/* --- keys and names --- */

Test(points, keys_are_equal_whatever_the_size_of_their_integers)
{
	struct event_record record = { .time_ns = 110, .thread = talker };

	begin("stages:\n- {name: stage, start: app:start, end: app:end, key: [a, b]}\n");
	point_builder_start(&builder, 2);
	point_builder_set_integer(&builder, 0, true, 7, NULL);
	point_builder_set_text(&builder, 1, "a text that is longer than any short key has room for", 60);
	point_builder_finish(&builder, 0, false, &record);
	feed_now(record);
	point_builder_start(&builder, 2);
	point_builder_set_integer(&builder, 0, false, 7, "seven");
	point_builder_set_text(&builder, 1, "a text that is longer than any short key has room for", 60);
	point_builder_finish(&builder, 1, false, &record);
	feed_now(record);
	finish_all();
	expect("points", 0, "count", "1");
	expect("point_instances", 0, "key", "7, a text that is longer than any short key has room for");
}

static void feed_named(const char *event, int64_t time_ns, int64_t key, uint64_t number, const char *label)
{
	struct event_record record = { .time_ns = time_ns, .thread = talker };

	point_builder_begin_batch(&builder);
	point_builder_start(&builder, 2);
	point_builder_set_integer(&builder, 0, true, (uint64_t)key, NULL);
	point_builder_set_integer(&builder, 1, false, number, label);
	point_builder_finish(&builder, (size_t)point_events_find(&file->events, event), false, &record);
	feed_now(record);
}

Test(points, a_stage_is_named_by_the_label_of_its_field)
{
	begin("stages:\n- {name_field: stage, start: app:start, end: app:end, key: id}\n");
	feed_named("app:start", 100, 1, 0, "capture");
	feed_named("app:start", 110, 1, 1, "detect");
	feed_named("app:end", 120, 1, 1, "detect");
	/* the same number, another label: a class of another program */
	feed_named("app:end", 130, 1, 4, "capture");
	feed_named("app:start", 140, 1, 9, NULL);
	finish_all();
	cr_assert_eq(row_count("points"), 3);
	expect_cells("points", 0, "stage", "capture", "count", "1", "duration_sum_ns", "30");
	expect_cells("points", 1, "stage", "detect", "duration_sum_ns", "10");
	expect_cells("points", 2, "stage", "9", "without_end", "1");
}

Test(points, names_beyond_the_limit_are_one)
{
	begin("stages:\n- {name_field: stage, start: app:start, end: app:end, key: id}\n");
	for (uint64_t i = 0; i < 1200; i++) {
		feed_named("app:start", 100 + (int64_t)i, (int64_t)i, i, NULL);
	}
	finish_all();
	cr_assert_eq(row_count("points"), 1001);
	expect_cells("points", 1000, "stage", "(others)", "without_end", "200");
}

/* --- series --- */

static struct event_record series_event(size_t event)
{
	struct event_record record = { .time_ns = 100, .thread = talker };

	point_builder_finish(&builder, event, false, &record);
	return record;
}

static void feed_real(double real)
{
	point_builder_start(&builder, 1);
	point_builder_set_real(&builder, 0, real);
	feed_now(series_event(0));
}

Test(points, a_series_has_the_numbers_of_a_field)
{
	begin("series:\n- {event: app:a, field: score, name: score}\n");
	feed_real(0.5);
	feed_real(-1.5);
	feed_real(4);
	feed_real(NAN);
	finish_all();
	cr_assert_eq(row_count("point_series"), 1);
	expect_cells("point_series", 0, "name", "score", "count", "3", "min", "-1.5", "mean", "1", "max", "4", "sum",
		     "3", "not_finite", "1");
}

Test(points, a_list_has_the_numbers_of_its_elements_and_their_count)
{
	begin("series:\n- {event: app:a, field: boxes, name: boxes}\n");
	for (uint64_t count = 0; count <= 3; count++) {
		point_builder_start(&builder, 1);
		point_builder_set_list(&builder, 0, POINT_VALUE_SIGNED, count);
		for (uint64_t i = 0; i < count; i++) {
			point_builder_add_element(&builder, (uint64_t) - (int64_t)i);
		}
		feed_now(series_event(0));
	}
	finish_all();
	expect_cells("point_series", 0, "name", "boxes", "count", "6", "min", "-2", "sum", "-4");
	expect_cells("point_series", 1, "name", "length of boxes", "count", "4", "max", "3");
}

Test(points, integers_beyond_64_bits_add_up)
{
	begin("series:\n- {event: app:a, field: n, name: n}\n");
	for (int i = 0; i < 2; i++) {
		point_builder_start(&builder, 1);
		point_builder_set_integer(&builder, 0, false, UINT64_MAX, NULL);
		feed_now(series_event(0));
	}
	finish_all();
	expect_cells("point_series", 0, "max", "18446744073709551615", "sum", "3.689348815e+19");
}

Test(points, labels_and_texts_are_counted)
{
	begin("series:\n- {event: app:a, field: state, name: state}\n- {event: app:a, field: n, by: state, name: n}\n");
	for (uint64_t i = 0; i < 5; i++) {
		point_builder_start(&builder, 2);
		point_builder_set_integer(&builder, 0, false, i % 2, i % 2 ? "on" : "off");
		point_builder_set_integer(&builder, 1, false, i, NULL);
		feed_now(series_event(0));
	}
	finish_all();
	cr_assert_eq(row_count("point_series"), 4);
	expect_cells("point_series", 0, "value", "off", "count", "3", "mean", "");
	expect_cells("point_series", 2, "value", "off", "sum", "6");
	expect_cells("point_series", 3, "value", "on", "max", "3");
}

/* --- without a file --- */

Test(points, without_a_file_nothing_is_read)
{
	begin_session();
	cr_assert_null(session_interest(session)->points);
	finish_all();
	cr_assert_eq(row_count("points"), 0);
}
