/* SPDX-License-Identifier: MIT */
/* The sink in a graph, from a script to the files of its report. What the numbers must be is tested with the analyses.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "support/every_message.h"
#include "support/test_graph.h"

#define HEAD                                                                                                           \
	"trace T hostname=robot\n"                                                                                     \
	"stream A T vpid:i32 vtid:i32 procname:str\n"                                                                  \
	"class s A ros2:callback_start callback:u64 is_intra_process:i32\n"                                            \
	"class e A ros2:callback_end callback:u64\n"                                                                   \
	"begin A\n"

static char *directory;

static void setup(void)
{
	directory = g_dir_make_tmp("ros2bt-latency-XXXXXX", NULL);
}

static void remove_all(const char *path)
{
	g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries))) {
		g_autofree char *child = g_build_filename(path, name, NULL);

		remove_all(child);
	}
	g_remove(path);
}

static void teardown(void)
{
	remove_all(directory);
	g_free(directory);
}

TestSuite(latency, .init = setup, .fini = teardown);

static char *read_report(const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

static bool has_files(void)
{
	g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);

	return g_dir_read_name(entries) != NULL;
}

/* Runs the sink over the script, `filter` before it if not NULL; what the graph said. */
static char *run_behind(const char *filter, const char *script, const char *more_params)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	g_autofree char *params = g_strdup_printf("output=%s %s", directory, more_params);

	if (filter) {
		cr_assert(test_graph_add(graph, filter, ""), "%s", test_graph_error(graph));
	}
	cr_assert(test_graph_add(graph, "latency", params), "%s", test_graph_error(graph));
	return g_strdup(test_graph_run(graph));
}

static char *run(const char *script, const char *more_params)
{
	g_autofree char *params = g_strconcat("format=csv ", more_params, NULL);

	return run_behind(NULL, script, params);
}

static size_t line_count(const char *text)
{
	size_t count = 0;

	for (; *text; text++) {
		count += *text == '\n';
	}
	return count;
}

Test(latency, a_report_is_written_at_the_end)
{
	g_autofree char *said = run(HEAD "event A s 100 vpid=5 vtid=5 procname=talker callback=0xf00\n"
					 "again\n"
					 "event A e 107 vpid=5 vtid=5 procname=talker callback=0xf00\n"
					 "end A\n",
				    "instances=yes");
	g_autofree char *callbacks = read_report("callbacks.csv");
	g_autofree char *instances = read_report("callback_instances.csv");

	cr_assert_str_eq(said, "again\n");
	cr_assert_eq(line_count(callbacks), 2, "%s", callbacks);
	cr_assert(strstr(callbacks, ",robot,5,talker,"), "%s", callbacks);
	cr_assert(strstr(callbacks, ",0xf00,1,0,7,7,"), "%s", callbacks);
	cr_assert(strstr(instances, ",5,100,107,7,0,,\n"), "%s", instances);
}

Test(latency, an_error_upstream_is_an_error_and_leaves_a_report_of_what_came_before)
{
	g_autofree char *said = run(HEAD "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
					 "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
					 "fail\n",
				    "");
	g_autofree char *callbacks = read_report("callbacks.csv");

	cr_assert_str_eq(said, "error\n");
	cr_assert_eq(line_count(callbacks), 2, "%s", callbacks);
}

#define ONE_CALLBACK "event A s 100 vpid=5 vtid=5 callback=0xf00\nevent A e 107 vpid=5 vtid=5 callback=0xf00\n"

static void assert_not_aligned(const char *script, const char *problem)
{
	g_autoptr(test_graph) graph = test_graph_create(script);
	g_autofree char *params = g_strdup_printf("format=csv output=%s clocks=align", directory);

	cr_assert(test_graph_add(graph, "latency", params));
	cr_assert_str_eq(test_graph_run(graph), "error\n");
	cr_assert(strstr(test_graph_error(graph), problem), "%s", test_graph_error(graph));
	cr_assert_not(has_files());
}

Test(latency, clocks_are_aligned_in_two_passes)
{
	g_autofree char *said = run(HEAD ONE_CALLBACK "end A\n", "clocks=align");
	g_autofree char *callbacks = read_report("callbacks.csv");

	cr_assert_str_eq(said, "");
	cr_assert_eq(line_count(callbacks), 2, "%s", callbacks);
}

Test(latency, clocks_are_not_aligned_if_a_pass_is_missing)
{
	assert_not_aligned(HEAD "norewind\n" ONE_CALLBACK "end A\n", "align reads a trace twice");
	assert_not_aligned(HEAD ONE_CALLBACK "fail\n", "in the first of two passes");
}

Test(latency, a_graph_that_is_not_run_to_its_end_leaves_a_report_too)
{
	g_autofree char *callbacks = NULL;
	g_autofree char *params = g_strdup_printf("format=csv output=%s", directory);
	struct test_graph *graph = test_graph_create(HEAD "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
							  "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
							  "again\n"
							  "event A s 108 vpid=5 vtid=5 callback=0xf01\n"
							  "end A\n");

	cr_assert(test_graph_add(graph, "latency", params));
	cr_assert_not(test_graph_run_until_again(graph));
	cr_assert_null(read_report("callbacks.csv"));
	test_graph_destroy(graph);
	callbacks = read_report("callbacks.csv");
	cr_assert_not_null(callbacks);
	cr_assert_eq(line_count(callbacks), 2, "%s", callbacks);
}

Test(latency, a_trace_without_ros_2_gives_a_report_that_says_so)
{
	g_autofree char *said = run("trace T\nstream A T\nclass m A my_app:malloc size:u64\n"
				    "begin A\nevent A m 1\nend A\n",
				    "");
	g_autofree char *callbacks = read_report("callbacks.csv");
	g_autofree char *diagnostics = read_report("diagnostics.csv");

	cr_assert_str_eq(said, "");
	cr_assert_eq(line_count(callbacks), 1);
	cr_assert_eq(line_count(diagnostics), 2, "%s", diagnostics);
}

/* A callback starts before a loss and one of the same callback ends behind it; then one runs as a whole. */
#define ACROSS(STREAM, LOSS)                                                                                           \
	"trace T hostname=robot\n"                                                                                     \
	"stream A T " STREAM " vpid:i32 vtid:i32 procname:str\n"                                                       \
	"class s A ros2:callback_start callback:u64 is_intra_process:i32\n"                                            \
	"class e A ros2:callback_end callback:u64\n"                                                                   \
	"begin A\n"                                                                                                    \
	"open A 90\n"                                                                                                  \
	"event A s 100 vpid=5 vtid=5 callback=0xf00\n"                                                                 \
	"close A 110\n" LOSS "open A 160\n"                                                                            \
	"event A e 170 vpid=5 vtid=5 callback=0xf00\n"                                                                 \
	"event A s 200 vpid=5 vtid=5 callback=0xf00\n"                                                                 \
	"event A e 207 vpid=5 vtid=5 callback=0xf00\n"                                                                 \
	"close A 210\n"                                                                                                \
	"end A\n"

/* `lost`: a row of the diagnostics. */
static void assert_what_lies_across_is_doubtful(const char *script, const char *lost)
{
	g_autofree char *said = run(script, "instances=yes");
	g_autofree char *callbacks = read_report("callbacks.csv");
	g_autofree char *instances = read_report("callback_instances.csv");
	g_autofree char *diagnostics = read_report("diagnostics.csv");

	cr_assert_str_eq(said, "");
	cr_assert(strstr(callbacks, ",0xf00,2,0,7,7,"), "no sample across: %s", callbacks);
	cr_assert(strstr(instances, ",5,200,207,7,0,,\n"), "%s", instances);
	cr_assert(strstr(instances, ",5,100,170,70,1,,\n"), "%s", instances);
	cr_assert(strstr(diagnostics, "doubtful callback execution,1,"), "%s", diagnostics);
	cr_assert(strstr(diagnostics, lost), "%s\nnot in\n%s", lost, diagnostics);
}

Test(latency, what_lies_across_lost_packets_is_doubtful)
{
	assert_what_lies_across_is_doubtful(ACROSS("packets lostpackets", "lostpackets A 110 160 2\n"),
					    "discarded packets,2,");
}

Test(latency, so_it_is_across_lost_packets_without_a_number)
{
	assert_what_lies_across_is_doubtful(ACROSS("packets lostpackets", "lostpackets A 110 160 ?\n"),
					    "discarded packets,1,T: losses of unknown size\n");
}

Test(latency, so_it_is_across_lost_packets_without_times)
{
	assert_what_lies_across_is_doubtful(ACROSS("packets lostpackets lostwithouttimes", "lostpackets A 0 0 2\n"),
					    "discarded packets,2,");
}

Test(latency, what_lies_across_lost_events_is_doubtful)
{
	assert_what_lies_across_is_doubtful(ACROSS("packets lost", "lost A 110 150 2\nopen A 120\nclose A 150\n"),
					    "discarded events,2,");
}

Test(latency, so_it_is_across_lost_events_without_a_number)
{
	assert_what_lies_across_is_doubtful(ACROSS("packets lost", "lost A 110 150 ?\nopen A 120\nclose A 150\n"),
					    "discarded events,1,T: losses of unknown size\n");
}

Test(latency, so_it_is_across_lost_events_without_times)
{
	assert_what_lies_across_is_doubtful(
		ACROSS("packetswithouttimes lost lostwithouttimes", "lost A 0 0 2\nopen A 0\nclose A 0\n"),
		"discarded events,2,");
}

Test(latency, without_a_loss_the_same_callback_is_whole)
{
	g_autofree char *said = run(ACROSS("packets lost lostpackets", ""), "instances=yes");
	g_autofree char *instances = read_report("callback_instances.csv");

	cr_assert_str_eq(said, "");
	cr_assert(strstr(instances, ",5,100,170,70,0,,\n"), "%s", instances);
}

static char *report_of(const char *script)
{
	g_autofree char *said = run(script, "instances=yes");
	g_autofree char *callbacks = read_report("callbacks.csv");
	g_autofree char *instances = read_report("callback_instances.csv");
	g_autofree char *diagnostics = read_report("diagnostics.csv");

	cr_assert_str_eq(said, "");
	return g_strconcat(callbacks, instances, diagnostics, NULL);
}

Test(latency, inactivity_changes_nothing)
{
	g_autofree char *plain = report_of(HEAD "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
						"event A e 107 vpid=5 vtid=5 callback=0xf00\n"
						"event A s 200 vpid=5 vtid=5 callback=0xf00\n"
						"end A\n");
	g_autofree char *with_inactivity = report_of(HEAD "inactivity T 50\n"
							  "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
							  "inactivity T 103\n"
							  "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
							  "inactivity T 107\n"
							  "event A s 200 vpid=5 vtid=5 callback=0xf00\n"
							  "end A\n"
							  "inactivity T 9000\n");

	cr_assert_str_eq(with_inactivity, plain);
}

#define EXECUTION(at)                                                                                                  \
	"event A s " #at "000000 vpid=5 vtid=5 callback=0xf00\n"                                                       \
	"event A e " #at "000007 vpid=5 vtid=5 callback=0xf00\n"

Test(latency, a_report_is_written_when_an_event_shows_that_a_period_is_over_and_when_inactivity_does)
{
	g_autofree char *params = g_strdup_printf("format=csv period=10ms output=%s", directory);
	g_autoptr(test_graph) graph =
		test_graph_create(HEAD EXECUTION(100) EXECUTION(101) EXECUTION(111) "again\n"
										    "inactivity T 121000000\n"
										    "again\n" EXECUTION(122) "end A\n");
	static const char *const expected[] = { ",0xf00,2,0,", ",0xf00,3,0,", ",0xf00,4,0," };

	cr_assert(test_graph_add(graph, "latency", params), "%s", test_graph_error(graph));
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		bool is_over = test_graph_run_until_again(graph);
		g_autofree char *callbacks = read_report("callbacks.csv"),
				*diagnostics = read_report("diagnostics.csv");

		cr_assert_eq(is_over, i == 2);
		cr_assert(strstr(callbacks, expected[i]), "%zu: %s", i, callbacks);
		cr_assert_eq(strstr(diagnostics, "as of 1970-01-01 00:00:00.1") != NULL, i < 2, "%zu: %s", i,
			     diagnostics);
	}
}

Test(latency, the_report_at_the_end_is_the_same_with_periods)
{
	static const char script[] = HEAD EXECUTION(100) EXECUTION(111) "again\n" EXECUTION(131) "end A\n";
	static const char *const names[] = { "callbacks.csv", "communications.csv", "paths.csv", "diagnostics.csv" };
	char *plain[G_N_ELEMENTS(names)];
	g_autofree char *without = run(script, ""), *with = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		plain[i] = read_report(names[i]);
	}
	with = run(script, "period=10ms");
	cr_assert_str_eq(with, without);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *report = read_report(names[i]);

		cr_assert_str_eq(report, plain[i]);
		g_free(plain[i]);
	}
}

/* The graph has an execution left. A file is where the report of the period before it should have gone. */
static struct test_graph *run_without_directory(const char *gone)
{
	g_autofree char *params = g_strdup_printf("format=csv period=10ms output=%s", gone);
	struct test_graph *graph =
		test_graph_create(HEAD "again\n" EXECUTION(100) EXECUTION(111) "again\n" EXECUTION(121) "end A\n");

	cr_assert(test_graph_add(graph, "latency", params), "%s", test_graph_error(graph));
	cr_assert_not(test_graph_run_until_again(graph));
	cr_assert_eq(g_rmdir(gone), 0);
	cr_assert(g_file_set_contents(gone, "", 0, NULL));
	cr_assert_not(test_graph_run_until_again(graph), "reading goes on");
	return graph;
}

/* Neither the reports of periods nor that at the end: only this one is an error. */
Test(latency, a_report_that_cannot_be_written_at_the_end_is_an_error)
{
	g_autofree char *gone = g_build_filename(directory, "gone", NULL);
	g_autoptr(test_graph) graph = run_without_directory(gone);

	cr_assert(strstr(test_graph_run(graph), "error\n"));
	cr_assert(strstr(test_graph_error(graph), gone), "%s", test_graph_error(graph));
}

Test(latency, a_period_that_cannot_be_written_is_tried_anew)
{
	g_autofree char *gone = g_build_filename(directory, "gone", NULL);
	g_autoptr(test_graph) graph = run_without_directory(gone);
	g_autofree char *callbacks = NULL;

	cr_assert_eq(g_unlink(gone), 0);
	cr_assert_str_eq(test_graph_run(graph), "");
	callbacks = read_report("gone/callbacks.csv");
	cr_assert(strstr(callbacks, ",3,0,"), "%s", callbacks);
}

Test(latency, every_type_of_message_is_taken)
{
	g_autofree char *said =
		run(HEAD EVERY_MESSAGE_DECLARATIONS EVERY_MESSAGE "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
								  "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
								  "end A\n",
		    "");
	g_autofree char *callbacks = read_report("callbacks.csv");
	g_autofree char *diagnostics = read_report("diagnostics.csv");

	cr_assert_str_eq(said, "");
	cr_assert(strstr(callbacks, ",0xf00,1,0,7,7,"), "%s", callbacks);
	cr_assert(strstr(diagnostics, "discarded events,11,every_T\n"), "%s", diagnostics);
	cr_assert(strstr(diagnostics, "discarded packets,5,every_T\n"), "%s", diagnostics);
}

Test(latency, a_sink_with_several_ports_merges_them)
{
	struct test_graph *graph = test_graph_create(HEAD "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
							  "again\n"
							  "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
							  "end A\n");
	g_autofree char *params = g_strdup_printf("format=csv output=%s", directory);
	g_autofree char *callbacks = NULL;

	/* the other half of the executions of the process is in another trace of the host */
	test_graph_add_source(graph, HEAD "event A e 90 vpid=5 vtid=5 callback=0xf00\n"
					  "event A s 101 vpid=5 vtid=5 callback=0xe00\n"
					  "event A e 104 vpid=5 vtid=5 callback=0xe00\n"
					  "end A\n");
	cr_assert(test_graph_add(graph, "latency", params), "%s", test_graph_error(graph));
	cr_assert_str_eq(test_graph_run(graph), "again\n");
	test_graph_destroy(graph);
	callbacks = read_report("callbacks.csv");
	cr_assert_eq(line_count(callbacks), 3, "%s", callbacks);
	cr_assert(strstr(callbacks, ",0xf00,1,1,7,7,"), "%s", callbacks);
	cr_assert(strstr(callbacks, ",0xe00,1,0,3,3,"), "%s", callbacks);
}

/* A: the stream that loses events, and records nothing but a definition then. B: callbacks. */
#define LOSS                                                                                                           \
	"trace T hostname=robot\n"                                                                                     \
	"stream A T packets lost vpid:i32 vtid:i32 procname:str\n"                                                     \
	"stream B T packets lost vpid:i32 vtid:i32 procname:str\n"                                                     \
	"class i A ros2_caret:rcl_init context_handle:u64 version:str init_timestamp:i64\n"                            \
	"class m A ros2_caret:caret_init clock_offset:i64\n"                                                           \
	"class s B ros2:callback_start callback:u64 is_intra_process:i32\n"                                            \
	"class e B ros2:callback_end callback:u64\n"                                                                   \
	"begin A\nbegin B\nopen A 10\nopen B 10\n"                                                                     \
	"event A i 10 vpid=5 vtid=5 context_handle=1 init_timestamp=10\n"                                              \
	"close A 20\nlost A 20 600000 3\nopen A 30\n"                                                                  \
	"event B s 400000 vpid=5 vtid=5 callback=0xf00\n"                                                              \
	"event A i 495000 vpid=5 vtid=5 context_handle=1 init_timestamp=10\n"                                          \
	"event B e 500000 vpid=5 vtid=5 callback=0xf00\n"                                                              \
	"close A 600000\nopen A 600000\n"                                                                              \
	"event A m 650000 vpid=6 vtid=6\n"                                                                             \
	"event B s 700000 vpid=5 vtid=5 callback=0xf00\n"                                                              \
	"event B e 800000 vpid=5 vtid=5 callback=0xf00\n"                                                              \
	"close A 900000\nclose B 900000\nend A\nend B\n"

Test(latency, a_gap_is_as_long_when_the_copy_of_a_definition_that_follows_it_is_dropped)
{
	static const char *const filters[] = { NULL, "dedup", "init-timestamp" };

	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autofree char *said = run_behind(filters[i], LOSS, "format=csv instances=yes");
		g_autofree char *instances = read_report("callback_instances.csv");

		cr_assert_str_eq(said, "");
		cr_assert_str_eq(instances,
				 "callback_id,vtid,start_ns,end_ns,duration_ns,doubtful,start_cpu,end_cpu\n"
				 "0,5,400000,500000,100000,1,,\n0,5,700000,800000,100000,0,,\n",
				 "%s: %s", filters[i] ? filters[i] : "no filter", instances);
	}
}

Test(latency, hosts_are_told_in_the_same_order_when_a_definition_is_moved)
{
	static const char *const filters[] = { NULL, "init-timestamp" };

	for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
		g_autofree char *said =
			run_behind(filters[i],
				   HEAD "trace U hostname=base\n"
					"stream B U vpid:i32 vtid:i32 procname:str\n"
					"class i B ros2_caret:rcl_init context_handle:u64 version:str "
					"init_timestamp:i64\n"
					"event A s 100 vpid=5 vtid=5 callback=0xf00\n"
					"begin B\n"
					"event B i 200 vpid=6 vtid=6 context_handle=1 init_timestamp=50\n"
					"end A\nend B\n",
				   "format=json");
		g_autofree char *report = read_report("report.json");

		cr_assert_str_eq(said, "");
		cr_assert(strstr(report, "\"hosts\": [\"base\", \"robot\"]"), "%s", report);
	}
}

Test(latency, a_sink_without_any_connection_is_an_error)
{
	g_autoptr(test_graph) graph = test_graph_create(HEAD "end A\n");
	g_autofree char *params = g_strdup_printf("format=csv output=%s", directory);

	cr_assert(test_graph_add(graph, "latency", params));
	/* the source is taken */
	cr_assert(test_graph_add(graph, "latency", params));
	cr_assert_str_eq(test_graph_run(graph), "error\n");
	cr_assert(strstr(test_graph_error(graph), "no input port is connected"), "%s", test_graph_error(graph));
}

static void assert_refused(const char *params, const char *problem)
{
	g_autoptr(test_graph) graph = test_graph_create(HEAD "end A\n");

	cr_assert_not(test_graph_add(graph, "latency", params), "%s", params);
	cr_assert(strstr(test_graph_error(graph), problem), "%s\nnot in\n%s", problem, test_graph_error(graph));
}

Test(latency, parameters_that_cannot_be_are_refused_with_their_name)
{
	assert_refused("formt=csv", "unknown parameter \"formt\", did you mean \"format\"?");
	assert_refused("format=xml", "parameter \"format\" cannot be \"xml\": expected string, text|");
	assert_refused("instances=1", "parameter \"instances\" has the wrong type: expected boolean");
	assert_refused("tables=[callbacks,path]", "parameter \"tables\" cannot hold \"path\"");
	assert_refused("begin=noon", "parameter \"begin\" cannot be \"noon\"");
	assert_refused("begin=2 end=1", "parameter \"begin\" is later than parameter \"end\"");
	assert_refused("'links=[/a: /b to /c: sometimes]'", "parameter \"links\"");
	assert_refused("output=/dev/null/report", "/dev/null/report");
	assert_refused("format=csv", "tables");
	assert_refused("period=9ms", "parameter \"period\" is too short: expected 10ms or more");
	assert_refused("period=often", "parameter \"period\"");
	assert_refused("period=1s instances=yes", "parameter \"period\" cannot be combined with instances");
	assert_refused("period=1s format=perfetto output=/tmp",
		       "parameter \"period\" cannot be combined with instances");
}

Test(latency, nothing_is_left_behind_when_the_graph_never_ran)
{
	g_autofree char *params = g_strdup_printf("format=json output=%s", directory);
	struct test_graph *graph = test_graph_create(HEAD "end A\n");

	cr_assert(test_graph_add(graph, "latency", params));
	test_graph_destroy(graph);
	cr_assert_not(has_files());
}

Test(latency, times_outside_begin_and_end_do_not_count)
{
	g_autofree char *said = run(HEAD "event A s 100 vpid=5 vtid=5 callback=0xf00\n"
					 "event A e 107 vpid=5 vtid=5 callback=0xf00\n"
					 "event A s 200 vpid=5 vtid=5 callback=0xf00\n"
					 "event A e 209 vpid=5 vtid=5 callback=0xf00\n"
					 "end A\n",
				    "begin=150 end=0.000000300");
	g_autofree char *callbacks = read_report("callbacks.csv");

	cr_assert_str_eq(said, "");
	cr_assert(strstr(callbacks, ",0xf00,1,0,9,9,"), "%s", callbacks);
}
