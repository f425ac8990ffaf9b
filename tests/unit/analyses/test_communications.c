/* SPDX-License-Identifier: MIT */
#include "flow_records.h"
#include "core/analyses/analyses.h"
#include "core/analyses/shared/thread_history.h"
#include "ros2bt/duration_statistics.h"

/* Keeps of each row of `communications` "subscription: samples of transport, of held, sum of held in us, held_by\n". */
struct keeper {
	struct table_writer writer;
	GString *text;
};

static struct keeper rows;
static void *communications;
static struct thread_history *thread_history;

static const struct cell *cell_named(const struct cell *cells, const char *name)
{
	const struct table_schema *schema = communications_analysis.tables[0];

	for (size_t i = 0; i < schema->column_count; i++) {
		if (strcmp(schema->columns[i].name, name) == 0) {
			return &cells[i];
		}
	}
	cr_assert_fail("no column %s", name);
	return NULL;
}

static void keep_row(struct table_writer *writer, const struct cell *cells)
{
	struct duration_totals transport = duration_statistics_totals(cell_named(cells, "transport")->statistic);
	struct duration_totals held = duration_statistics_totals(cell_named(cells, "held")->statistic);
	const char *held_by = cell_named(cells, "held_by")->text;

	g_string_append_printf(rows.text, "%s: %d %d %d %s\n", cell_named(cells, "topic")->text, (int)transport.count,
			       (int)held.count, (int)(held.sum_ns / STEP_NS), held_by ? held_by : "-");
}

static struct table_writer *const writers[] = { &rows.writer, NULL, NULL };

static void setup(void)
{
	static const struct analysis_options options;
	struct analysis_context context;

	rows = (struct keeper){ .writer.row = keep_row, .text = g_string_new(NULL) };
	flow_setup_recording();
	flow_setup_analysis();
	thread_history = thread_history_create(recording, executions);
	context = (struct analysis_context){
		.recording = recording,
		.model = model,
		.diagnostics = diagnostics,
		.executions = executions,
		.flows = linker,
		.threads = thread_history,
		.options = &options,
	};
	communications = communications_analysis.create(&context, writers);
	define_node(talker, "first");
	define_publisher(talker, 1, "/a");
	define_node(listener, "second");
	define_subscription(listener, 1, "/a");
	define_timer(listener, 1);
	run(talker);
	run(listener);
}

static void teardown(void)
{
	flow_teardown_analysis();
	thread_history_destroy(thread_history);
	communications_analysis.destroy(communications);
	recording_teardown();
	g_string_free(rows.text, TRUE);
}

TestSuite(communications, .init = setup, .fini = teardown);

static void expect(const char *expected)
{
	finish();
	communications_analysis.write(communications, writers);
	cr_assert_str_eq(rows.text->str, expected);
}

Test(communications, a_free_thread_holds_no_message)
{
	publish(talker, 1, 100);
	handle(listener, 1, 100);
	expect("/a: 1 1 0 -\n");
}

Test(communications, an_execution_before_the_take_holds_the_message)
{
	start(listener, TIMER_CALLBACK + 1);
	publish(talker, 1, 100); /* three events, 1 us apart */
	end(listener, TIMER_CALLBACK + 1);
	now_ns += 5 * STEP_NS;
	handle(listener, 1, 100);
	expect("/a: 1 1 3 /second 10.0 ms\n");
}

Test(communications, another_message_of_the_subscription_may_hold_it)
{
	publish(talker, 1, 100);
	take(listener, 1, 100);
	start(listener, SUBSCRIPTION_CALLBACK + 1);
	publish(talker, 1, 200);
	end(listener, SUBSCRIPTION_CALLBACK + 1);
	handle(listener, 1, 200);
	expect("/a: 2 2 3 /second /a\n");
}

Test(communications, a_thread_that_was_busy_holds_nothing_that_another_one_takes)
{
	start(listener_2, TIMER_CALLBACK + 1);
	publish(talker, 1, 100);
	handle(listener, 1, 100);
	end(listener_2, TIMER_CALLBACK + 1);
	expect("/a: 1 1 0 -\n");
}

Test(communications, a_message_without_execution_is_no_sample)
{
	start(listener, TIMER_CALLBACK + 1);
	publish(talker, 1, 100);
	take(listener, 1, 100);
	end(listener, TIMER_CALLBACK + 1);
	expect("/a: 1 0 0 -\n");
}

/* The stamp is known after the take, when its thread has executed some more. */
static void bind_late(int executions_between)
{
	NEXT(RCLCPP_PUBLISH, talker, MESSAGE);
	NEXT(RCL_PUBLISH, talker, MESSAGE, PUBLISHER + 1);
	NEXT(DDS_WRITE, talker, MESSAGE, RMW_PUBLISHER + 1);
	start(listener, TIMER_CALLBACK + 1);
	end(listener, TIMER_CALLBACK + 1);
	handle(listener, 1, 100);
	for (int i = 0; i < executions_between; i++) {
		start(listener, TIMER_CALLBACK + 1);
		end(listener, TIMER_CALLBACK + 1);
	}
	NEXT(DDS_BIND_ADDR_TO_STAMP, talker, MESSAGE, 100);
}

Test(communications, a_stamp_bound_late_changes_nothing)
{
	bind_late(20);
	expect("/a: 1 1 1 /second 10.0 ms\n");
}

Test(communications, a_stamp_bound_too_late_is_no_sample)
{
	bind_late(300);
	expect("/a: 1 0 0 -\n");
}
