/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "core/normalize/sent_calls.h"

static struct sent_calls *calls;
static const char client[] = "client", other[] = "other";

static void setup(void)
{
	calls = sent_calls_create();
}

static void teardown(void)
{
	sent_calls_destroy(calls);
}

TestSuite(sent_calls, .init = setup, .fini = teardown);

Test(sent_calls, a_request_is_known_by_client_and_number)
{
	sent_calls_add_request(calls, client, 5);
	cr_expect(sent_calls_has_request(calls, client, 5));
	cr_expect(sent_calls_has_request(calls, client, 5), "several services may take it");
	cr_expect_not(sent_calls_has_request(calls, client, 4));
	cr_expect_not(sent_calls_has_request(calls, client, 6));
	cr_expect_not(sent_calls_has_request(calls, other, 5));
}

/* Against a plain array of flags. */
Test(sent_calls, requests_may_be_sent_in_any_order)
{
	bool is_sent[200] = { false };

	srand(1);
	for (int i = 0; i < 1000; i++) {
		int number = rand() % 200;

		sent_calls_add_request(calls, client, number - 100);
		is_sent[number] = true;
		number = rand() % 200;
		cr_assert_eq(sent_calls_has_request(calls, client, number - 100), is_sent[number], "%d", number);
	}
}

Test(sent_calls, the_largest_and_smallest_numbers_are_survived)
{
	sent_calls_add_request(calls, client, INT64_MAX);
	sent_calls_add_request(calls, client, INT64_MIN);
	cr_expect(sent_calls_has_request(calls, client, INT64_MAX));
	cr_expect(sent_calls_has_request(calls, client, INT64_MIN));
	cr_expect_not(sent_calls_has_request(calls, client, 0));
	sent_calls_add_response(calls, client, -1, 7);
	cr_expect_not(sent_calls_take_response(calls, client, -1, 7), "no client counts down");
}

Test(sent_calls, the_lowest_numbers_are_forgotten_if_too_many_are_apart)
{
	for (int64_t i = 0; i <= SENT_RANGES_MAX; i++) {
		sent_calls_add_request(calls, client, 2 * i);
	}
	cr_expect_not(sent_calls_has_request(calls, client, 0));
	cr_expect(sent_calls_has_request(calls, client, 2));
	cr_expect(sent_calls_has_request(calls, client, INT64_C(2) * SENT_RANGES_MAX));
}

Test(sent_calls, a_response_is_taken_once_by_its_client)
{
	sent_calls_add_request(calls, client, 1);
	sent_calls_add_request(calls, client, 2);
	sent_calls_add_response(calls, client, 1, 1000);
	sent_calls_add_response(calls, client, 2, 1000);
	cr_expect_not(sent_calls_take_response(calls, client, 1, 1001));
	cr_expect_not(sent_calls_take_response(calls, other, 1, 1000));
	cr_expect(sent_calls_take_response(calls, client, 1, 1000));
	cr_expect_not(sent_calls_take_response(calls, client, 1, 1000));
	cr_expect(sent_calls_take_response(calls, client, 2, 1000));
}

Test(sent_calls, responses_to_unknown_clients_are_not_remembered)
{
	sent_calls_add_response(calls, client, 1, 1000);
	sent_calls_add_request(calls, client, 1);
	cr_expect_not(sent_calls_take_response(calls, client, 1, 1000));
}
