/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "ros2bt/events/recording.h"

static struct string_pool *pool;
static struct recording *recording;

static void setup(void)
{
	pool = string_pool_create();
	recording = recording_create(pool);
}

static void teardown(void)
{
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(recording, .init = setup, .fini = teardown);

static uint32_t thread_of(uint32_t trace, struct recording_context context, const char *procname)
{
	uint32_t thread = recording_find_thread(recording, trace, &context);

	return thread != RECORDING_NONE ? thread : recording_add_thread(recording, trace, &context, procname);
}

static struct recording_context ids(int32_t vpid, int32_t vtid)
{
	return (struct recording_context){ .has_vpid = true, .has_vtid = true, .vpid = vpid, .vtid = vtid };
}

Test(recording, a_process_is_one_in_all_traces_of_its_host_but_a_thread_belongs_to_a_trace)
{
	const uint8_t uuid[16] = { 1 };
	struct recording_trace_info info = { .hostname = "robot", .clock_uuid = uuid };
	uint32_t first = recording_add_trace(recording, &info);
	uint32_t second = recording_add_trace(recording, &info);
	uint32_t a = thread_of(first, ids(10, 11), "worker");
	uint32_t b = thread_of(second, ids(10, 11), "worker");

	cr_assert_eq(recording_host_count(recording), 1);
	cr_assert_neq(a, b);
	cr_assert_eq(recording_thread(recording, a)->process, recording_thread(recording, b)->process);
	cr_assert_eq(thread_of(first, ids(10, 11), NULL), a);
}

Test(recording, hosts_pid_namespaces_and_unnamed_hosts_keep_processes_apart)
{
	uint32_t a = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "a" });
	uint32_t b = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "b" });
	uint32_t c = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint32_t d = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	struct recording_context in_container = ids(1, 1);

	in_container.has_pid_ns = true;
	in_container.pid_ns = 7;
	thread_of(a, ids(1, 1), NULL);
	thread_of(b, ids(1, 1), NULL);
	thread_of(c, ids(1, 1), NULL);
	thread_of(d, ids(1, 1), NULL);
	thread_of(a, in_container, NULL);
	in_container.pid_ns = 8;
	thread_of(a, in_container, NULL);
	cr_assert_eq(recording_process_count(recording), 6);
	cr_assert_eq(recording_thread_count(recording), 6);
}

Test(recording, the_main_thread_names_the_process)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "a" });
	uint32_t worker = thread_of(trace, ids(5, 6), "worker");
	uint32_t process = recording_thread(recording, worker)->process;

	cr_assert_str_eq(recording_process(recording, process)->procname, "worker");
	thread_of(trace, ids(5, 5), "main");
	thread_of(trace, ids(5, 7), "other");
	cr_assert_str_eq(recording_process(recording, process)->procname, "main");
}

/*
 * `nice node`: nice records an allocation, then node runs in its place, with its ids. The first node names the process
 * for good; a node that another thread creates does not, nor does a context without a name.
 */
Test(recording, the_first_node_of_the_main_thread_names_the_process_for_good)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "a" });
	uint32_t main_thread = thread_of(trace, ids(5, 5), "nice");
	uint32_t worker = thread_of(trace, ids(5, 6), "worker");
	uint32_t process = recording_thread(recording, main_thread)->process;

	recording_name_process(recording, worker, "worker", 6);
	recording_name_process(recording, main_thread, NULL, 0);
	recording_name_process(recording, main_thread, "\0", 1);
	cr_assert_str_eq(recording_process(recording, process)->procname, "nice");
	recording_name_process(recording, main_thread, "node\0rest", 9);
	cr_assert_str_eq(recording_process(recording, process)->procname, "node");
	recording_name_process(recording, main_thread, "renamed", 7);
	cr_assert_str_eq(recording_process(recording, process)->procname, "node");
}

Test(recording, events_without_vpid_belong_to_the_process_that_the_trace_names_or_to_the_trace)
{
	struct recording_trace_info per_process = { .hostname = "a", .has_vpid = true, .vpid = 42, .procname = "p" };
	uint32_t a = recording_add_trace(recording, &per_process);
	uint32_t b = recording_add_trace(recording, &(struct recording_trace_info){ .hostname = "a" });
	uint32_t of_a = thread_of(a, (struct recording_context){ .has_vtid = true, .vtid = 42 }, NULL);
	uint32_t of_b = thread_of(b, (struct recording_context){ 0 }, NULL);
	const struct recording_process *process;

	process = recording_process(recording, recording_thread(recording, of_a)->process);
	cr_assert(process->has_vpid);
	cr_assert_eq(process->vpid, 42);
	cr_assert_str_eq(process->procname, "p");
	process = recording_process(recording, recording_thread(recording, of_b)->process);
	cr_assert_not(process->has_vpid);
	cr_assert_not(recording_thread(recording, of_b)->has_vtid);
}

Test(recording, unknown_classes_are_named_once_and_counted)
{
	uint32_t a = recording_add_unknown_class(recording, "ros2:odd", "no field callback");

	recording_count_unknown(recording, a);
	cr_assert_eq(recording_add_unknown_class(recording, "ros2:odd", "no field callback"), a);
	recording_count_unknown(recording, a);
	cr_assert_eq(recording_unknown_class(recording, a)->count, 2);
	cr_assert_eq(recording_unknown_class_count(recording), 1);
}

Test(recording, a_stream_has_the_cpu_that_all_its_packets_name)
{
	static const struct {
		uint64_t packets[3];
		uint32_t cpu;
	} cases[] = {
		{ { 3, 3, 3 }, 3 },
		{ { 0, 0, 0 }, 0 },
		{ { 3, 4, 3 }, RECORDING_NONE },
		{ { UINT64_MAX, 3, 3 }, RECORDING_NONE },
		{ { 3, UINT64_MAX, 3 }, RECORDING_NONE },
		{ { 1ull << 32, 1ull << 32, 1ull << 32 }, RECORDING_NONE },
	};
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t stream = recording_add_stream(recording, trace);

		cr_expect_eq(recording_stream_cpu(recording, stream), RECORDING_NONE, "no packet yet");
		for (size_t packet = 0; packet < 3; packet++) {
			recording_set_stream_cpu(recording, stream, cases[i].packets[packet]);
		}
		cr_expect_eq(recording_stream_cpu(recording, stream), cases[i].cpu, "case %zu", i);
	}
}

Test(recording, the_index_that_stands_for_several_streams_has_no_cpu)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });

	for (uint32_t i = 0; i <= RECORDING_STREAM_MAX; i++) {
		recording_add_stream(recording, trace);
	}
	recording_set_stream_cpu(recording, RECORDING_STREAM_MAX, 1);
	cr_assert_eq(recording_stream_cpu(recording, RECORDING_STREAM_MAX), RECORDING_NONE);
}

Test(recording, tracing_was_off_when_no_stream_was_in_a_packet)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint16_t a = recording_add_stream(recording, trace), b = recording_add_stream(recording, trace);
	struct apart off;

	cr_assert_not(recording_was_off(recording, 0, 1000), "nothing is known of packets");
	recording_packet_begins(recording, a, 10);
	recording_packet_ends(recording, a, 100);
	recording_packet_begins(recording, a, 100);
	cr_assert_not(recording_was_off(recording, 20, 200), "packets follow one another at once");
	cr_assert(recording_was_off(recording, 0, 200), "but before the first one");
	recording_packet_begins(recording, b, 50);
	recording_packet_ends(recording, a, 300);
	recording_packet_begins(recording, a, 400);
	cr_assert_not(recording_was_off(recording, 250, 450), "the other one was in a packet");
	recording_packet_ends(recording, a, 500);
	recording_packet_ends(recording, b, 510);
	cr_assert(recording_was_off(recording, 450, 600), "and then neither");
	recording_packet_begins(recording, b, 600);
	recording_packet_begins(recording, a, 700);
	cr_assert(recording_was_off(recording, 450, 650));
	cr_assert_not(recording_was_off(recording, 620, 690));
	cr_assert_not(recording_was_off(recording, 450, 509));
	cr_assert(recording_find_off(recording, 450, 650, &off));
	cr_assert_eq(off.begin_ns, 510);
	cr_assert_eq(off.end_ns, 600);
}

Test(recording, packets_that_are_lost_do_not_show_that_tracing_was_off)
{
	uint16_t stream =
		recording_add_stream(recording, recording_add_trace(recording, &(struct recording_trace_info){ 0 }));

	recording_packet_begins(recording, stream, 0);
	recording_packet_ends(recording, stream, 100);
	recording_packets_are_lost(recording, stream);
	cr_assert_not(recording_was_off(recording, 150, 250), "before the next one is read");
	recording_packet_begins(recording, stream, 300);
	cr_assert_not(recording_was_off(recording, 50, 350));
	recording_packet_ends(recording, stream, 400);
	recording_packet_begins(recording, stream, 500);
	cr_assert(recording_was_off(recording, 350, 550));
}

/* A reader that learns of a packet when it begins knows as much as one that has read ahead. */
Test(recording, a_packet_that_follows_shows_that_tracing_was_off_before_it_is_read)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint16_t whole = recording_add_stream(recording, trace), lossy = recording_add_stream(recording, trace);

	for (uint16_t stream = whole; stream <= lossy; stream++) {
		recording_set_stream_has_more(recording, stream, true);
		recording_packet_begins(recording, stream, 0);
		recording_packet_ends(recording, stream, 100);
	}
	recording_packets_are_lost(recording, lossy);
	recording_packet_begins(recording, lossy, 300);
	cr_assert(recording_was_off(recording, 50, 350));
	recording_set_stream_has_more(recording, whole, false);
	cr_assert_not(recording_was_off(recording, 50, 350), "its program may have ended");
	recording_set_stream_has_more(recording, whole, true);
	recording_packets_are_lost(recording, whole);
	cr_assert_not(recording_was_off(recording, 50, 350), "both lost packets");
}

Test(recording, packets_that_are_lost_do_not_hide_that_tracing_was_off)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint16_t whole = recording_add_stream(recording, trace), lossy = recording_add_stream(recording, trace);
	uint16_t later = recording_add_stream(recording, trace), earlier = recording_add_stream(recording, trace);

	recording_packet_begins(recording, earlier, 0);
	recording_packet_ends(recording, earlier, 100);
	for (uint16_t stream = whole; stream <= lossy; stream++) {
		recording_packet_begins(recording, stream, 0);
		recording_packet_ends(recording, stream, 300 + stream);
	}
	recording_packets_are_lost(recording, lossy);
	recording_packet_begins(recording, whole, 400);
	cr_assert(recording_was_off(recording, 200, 450), "before the next packet is read");
	recording_packet_begins(recording, lossy, 500);
	cr_assert(recording_was_off(recording, 200, 450));
	cr_assert_not(recording_was_off(recording, 400, 450), "the stream without a loss was in a packet");

	recording_packet_ends(recording, lossy, 600);
	recording_packet_ends(recording, whole, 700);
	recording_packets_are_lost(recording, whole);
	recording_packet_begins(recording, whole, 800);
	recording_packets_are_lost(recording, lossy);
	recording_packet_begins(recording, lossy, 900);
	recording_packet_begins(recording, later, 850);
	cr_assert_not(recording_was_off(recording, 650, 850), "both lost packets; the others had ended, or not begun");

	for (uint16_t stream = whole; stream <= lossy; stream++) {
		recording_packet_ends(recording, stream, 1000);
	}
	recording_packet_ends(recording, later, 1000);
	recording_packets_are_lost(recording, lossy);
	recording_packet_begins(recording, lossy, 1100);
	recording_packet_ends(recording, lossy, 1200);
	recording_packet_begins(recording, whole, 1000);
	recording_packet_ends(recording, whole, 1200);
	for (uint16_t stream = whole; stream <= later; stream++) {
		recording_packet_begins(recording, stream, 1300);
	}
	cr_assert(recording_was_off(recording, 1000, 1300), "the later of two gaps is common to all");
}

Test(recording, a_stream_of_definitions_does_not_show_that_tracing_was_on)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint16_t stream = recording_add_stream(recording, trace), other = recording_add_stream(recording, trace);

	recording_set_stream_has_definitions_only(recording, other, true);
	recording_packet_begins(recording, other, 0);
	cr_assert_not(recording_was_off(recording, 10, 20), "nothing is known of others");
	recording_packet_begins(recording, stream, 0);
	recording_packet_ends(recording, stream, 100);
	recording_packet_begins(recording, stream, 200);
	cr_assert(recording_was_off(recording, 50, 250));
	cr_assert_not(recording_was_off(recording, 50, 90));
}

Test(recording, of_what_is_long_ago_nobody_knows_whether_tracing_was_off)
{
	uint32_t trace = recording_add_trace(recording, &(struct recording_trace_info){ 0 });
	uint16_t stream = recording_add_stream(recording, trace);

	for (int64_t i = 0; i < 2 * APARTS_KEPT; i++) {
		recording_packet_begins(recording, stream, 10 * i);
		recording_packet_ends(recording, stream, 10 * i + 5);
	}
	cr_assert(recording_was_off(recording, 20 * APARTS_KEPT - 13, 20 * APARTS_KEPT - 12));
	cr_assert(recording_was_off(recording, 15 * APARTS_KEPT + 7, 15 * APARTS_KEPT + 8),
		  "a reader may be ahead by a batch");
	cr_assert_not(recording_was_off(recording, 7, 8));
}

Test(recording, ids_of_a_kernels_events_are_kept_apart_from_threads)
{
	struct recording_context in_container = ids(1, 1);
	uint32_t first = recording_add_ids(recording, &(struct recording_context){ 0 });
	uint32_t second = recording_add_ids(recording, &in_container);

	in_container.has_pid_ns = true;
	in_container.pid_ns = 7;
	cr_assert_eq(recording_add_ids(recording, &(struct recording_context){ 0 }), first);
	cr_assert_neq(recording_add_ids(recording, &in_container), second);
	cr_assert_eq(recording_ids_count(recording), 3);
	cr_assert_eq(recording_ids(recording, second)->vtid, 1);
	cr_assert_eq(recording_ids(recording, 2)->pid_ns, 7);
	cr_assert_eq(recording_thread_count(recording), 0);
	cr_assert_eq(recording_process_count(recording), 0);
}

Test(recording, packets_may_be_missing_before_the_first_one_of_a_stream)
{
	uint16_t a =
		recording_add_stream(recording, recording_add_trace(recording, &(struct recording_trace_info){ 0 }));
	uint16_t b = recording_add_stream(recording, 0);

	cr_assert_eq(recording_stream_packets(recording, a)->begin_ns, INT64_MAX);
	recording_set_stream_lost_before(recording, a, 0, 10);
	recording_set_stream_lost_before(recording, b, 7, 20);
	recording_packet_begins(recording, a, 10);
	recording_packet_ends(recording, a, 30);
	recording_packet_begins(recording, a, 40);
	cr_assert_eq(recording_stream_packets(recording, a)->lost_before, 0U);
	cr_assert_eq(recording_stream_packets(recording, b)->lost_before, 7U);
	cr_assert_eq(recording_stream_packets(recording, b)->first_begin_ns, 20);
	cr_assert_eq(*recording_late_streams(recording), 1U);
	cr_assert_eq(recording_stream_packets(recording, a)->begin_ns, 10);
	cr_assert_eq(recording_stream_packets(recording, a)->end_ns, 30);
}
