/* SPDX-License-Identifier: MIT */
/* Executions of Agnocast's callbacks, whose events name a callable. */
#include <criterion/criterion.h>

#include "core/model/agnocast_callables.h"
#include "core/model/executions.h"
#include "records.h"

enum { NODE = 0x10, TIMER = 0x20, TICK = 0x30, SUBSCRIPTION = 0x40, HEAR = 0x50, STACK = 0x1000, HEAP = 0x2000 };

static struct object_model *model;
static struct diagnostics *diagnostics;
static struct executions *executions;
static uint32_t thread, other_thread, other_process;
static GString *story; /* "30:10-20 ": callback, start and end; no end, or no start: "-" alone; "?": doubtful */
static int64_t now_ns;

static void on_ended(void *data, struct execution *execution, enum execution_outcome outcome)
{
	g_string_append_printf(story, "%x:", (unsigned int)execution->callback->address);
	if (outcome != EXECUTION_WITHOUT_START) {
		g_string_append_printf(story, "%d", (int)execution->start_ns);
	}
	g_string_append_c(story, '-');
	if (outcome != EXECUTION_WITHOUT_END) {
		g_string_append_printf(story, "%d", (int)execution->end_ns);
	}
	g_string_append(story, outcome == EXECUTION_DOUBTFUL ? "? " : " ");
}

static void feed(struct event_record record)
{
	executions_follow(executions, &record);
	object_model_feed(model, &record);
	executions_feed(executions, &record);
}

#define NEXT(kind, thread, ...) feed(RECORD(kind, (thread), now_ns += 10, __VA_ARGS__))

static void setup(void)
{
	recording_setup();
	add_trace("trace");
	recording_add_stream(recording, 0);
	thread = add_thread(0, 7, 7);
	other_thread = add_thread(0, 7, 8);
	other_process = add_thread(0, 9, 9);
	model = object_model_create(recording);
	diagnostics = diagnostics_create();
	executions = executions_create(recording, model, diagnostics);
	executions_add_listener(executions, &(struct executions_listener){ .ended = on_ended });
	story = g_string_new(NULL);
	now_ns = 0;
	feed(RECORD(AGNOCAST_TIMER_INIT, thread, 0, TIMER, NODE, TICK, text("tick"), 50));
	feed(RECORD(AGNOCAST_SUBSCRIPTION_INIT, thread, 0, SUBSCRIPTION, NODE, HEAR, text("hear"), text("/t")));
}

static void teardown(void)
{
	executions_destroy(executions);
	diagnostics_destroy(diagnostics);
	object_model_destroy(model);
	recording_teardown();
	g_string_free(story, TRUE);
}

TestSuite(callables, .init = setup, .fini = teardown);

static void expect(const char *expected)
{
	executions_finish(executions);
	cr_assert_str_eq(story->str, expected);
}

Test(callables, start_and_end_are_of_the_callback_of_the_callable)
{
	NEXT(AGNOCAST_CREATE_TIMER_CALLABLE, thread, STACK, TIMER);
	NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, STACK, 5, HEAR);
	NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	expect("30:20-30 50:50-60 ");
}

Test(callables, an_address_is_of_a_process)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, STACK, 5, HEAR);
	NEXT(AGNOCAST_CALLABLE_START, other_process, STACK);
	NEXT(AGNOCAST_CALLABLE_END, other_process, STACK);
	expect("1001:20-30 ");
}

Test(callables, callables_may_wait_for_other_threads)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, HEAP, 5, HEAR);
	NEXT(AGNOCAST_CREATE_TIMER_CALLABLE, thread, STACK, TIMER);
	NEXT(AGNOCAST_CALLABLE_START, other_thread, HEAP);
	NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
	NEXT(AGNOCAST_CALLABLE_END, other_thread, HEAP);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	expect("50:30-50 30:40-60 ");
}

Test(callables, a_callable_is_executed_once)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, STACK, 5, HEAR);
	for (int i = 0; i < 2; i++) {
		NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
		NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	}
	expect("50:20-30 1001:40-50 ");
}

Test(callables, an_end_without_start_is_of_an_unknown_callback)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, STACK, 5, HEAR);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	expect("1001:-20 ");
}

Test(callables, a_pause_separates_a_callable_from_what_follows)
{
	NEXT(AGNOCAST_CREATE_CALLABLE, thread, STACK, 5, HEAR);
	cr_assert_not_null(executions_callable(executions, recording_thread(recording, thread)->process, STACK, 15));
	executions_pause(executions);
	cr_assert_null(executions_callable(executions, recording_thread(recording, thread)->process, STACK, 15));
	NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	expect("1001:20-30 ");
}

Test(callables, a_timer_without_definition_is_told_by_its_handle)
{
	NEXT(AGNOCAST_CREATE_TIMER_CALLABLE, thread, STACK, 0x60);
	NEXT(AGNOCAST_CALLABLE_START, thread, STACK);
	NEXT(AGNOCAST_CALLABLE_END, thread, STACK);
	expect("60:20-30 ");
}

Test(callables, what_never_ends_does_not_fill_the_memory)
{
	for (uint64_t i = 0; i <= CALLABLES_MAX; i++) {
		NEXT(AGNOCAST_CREATE_CALLABLE, thread, HEAP + 16 * i, 5, HEAR);
	}
	cr_assert_null(executions_callable(executions, recording_thread(recording, thread)->process, HEAP, now_ns));
	cr_assert_not_null(executions_callable(executions, recording_thread(recording, thread)->process,
					       HEAP + UINT64_C(16) * CALLABLES_MAX, now_ns));
}
