/* SPDX-License-Identifier: MIT */
#include "core/model/callback_ids.h"
#include "flow_records.h"

static struct callback_ids *ids;

static void setup(void)
{
	flow_setup_recording();
	flow_setup_analysis();
	ids = callback_ids_create(executions, pipeline->inferred);
}

static void teardown(void)
{
	flow_teardown_analysis();
	callback_ids_destroy(ids);
	recording_teardown();
}

TestSuite(callback_ids, .init = setup, .fini = teardown);

static const struct model_callback *callback_at(uint64_t address)
{
	return object_model_callback(model, process_of(talker), address, now_ns);
}

static void execute(uint64_t callback)
{
	start(talker, callback);
	end(talker, callback);
}

Test(callback_ids, callbacks_are_numbered_in_the_order_of_their_first_executions)
{
	(void)callback_at(0x41);
	callback_ids_listen(ids);
	execute(0x43);
	start(talker, 0x42);
	execute(0x44); /* within the other one, which began before */
	end(talker, 0x42);
	execute(0x43);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x43)), 0);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x42)), 1);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x44)), 2);
	cr_assert_not(callback_ids_has(ids, callback_at(0x41)));
	cr_assert(callback_ids_has(ids, callback_at(0x44)));
	cr_assert_eq(callback_ids_count(ids), 3);
}

Test(callback_ids, an_end_without_start_is_an_execution)
{
	callback_ids_listen(ids);
	end(talker, 0x42);
	execute(0x43);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x42)), 0);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x43)), 1);
}

Test(callback_ids, a_take_that_stands_for_a_callback_is_an_execution_when_it_is_closed)
{
	const struct model_callback *inferred;

	define_node(listener, "python");
	define_plain_subscription(listener, 1, "/a");
	callback_ids_listen(ids);
	take_plain(listener, 1, 77);
	now_ns += MS;
	execute(0x43);
	finish();
	inferred = object_model_inferred_subscription(
		model, object_model_find_subscription(model, process_of(listener), SUBSCRIPTION + 1, now_ns));
	cr_assert_eq(callback_ids_of(ids, callback_at(0x43)), 0);
	cr_assert(callback_ids_has(ids, inferred));
	cr_assert_eq(callback_ids_of(ids, inferred), 1);
}

Test(callback_ids, who_asks_at_the_first_executions_gets_the_same_numbers_without_listening)
{
	execute(0x43);
	cr_assert_eq(callback_ids_count(ids), 0);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x43)), 0);
	callback_ids_listen(ids);
	callback_ids_listen(ids);
	execute(0x43);
	execute(0x42);
	cr_assert_eq(callback_ids_of(ids, callback_at(0x42)), 1);
	cr_assert_eq(callback_ids_count(ids), 2);
}
