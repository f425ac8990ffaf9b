/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/model/definitions.h"

#define MS NS_PER_MS

static struct arena *arena;
static struct definitions *definitions;

static void setup(void)
{
	arena = arena_create();
	definitions = definitions_create(arena);
}

static void teardown(void)
{
	definitions_destroy(definitions);
	arena_destroy(arena);
}

TestSuite(definitions, .init = setup, .fini = teardown);

static struct definition *add(uint64_t address, uint64_t word, int64_t time_ns)
{
	struct event_record record = { .time_ns = time_ns };

	return definitions_add(definitions, 0, DEFINITION_TIMER, address, &record, &word);
}

static struct definition *add_by_caret(uint64_t address, uint64_t word, int64_t time_ns, int64_t init_time_ns)
{
	struct event_record record = { .time_ns = time_ns, .flags = RECORD_FROM_CARET | RECORD_HAS_INIT_TIME };

	record.word[EVENT_SLOT_INIT_TIME] = (uint64_t)init_time_ns;
	return definitions_add(definitions, 0, DEFINITION_TIMER, address, &record, &word);
}

static struct definition *newest(uint64_t address)
{
	return definitions_newest(definitions, 0, DEFINITION_TIMER, address);
}

Test(definitions, are_kept_apart_by_process_kind_and_address)
{
	struct event_record record = { .time_ns = 5 };
	uint64_t word = 7;

	add(0x10, 1, 5);
	cr_assert_null(newest(0x20));
	cr_assert_null(definitions_newest(definitions, 1, DEFINITION_TIMER, 0x10));
	cr_assert_null(definitions_newest(definitions, 0, DEFINITION_NODE, 0x10));
	cr_assert_not_null(definitions_add(definitions, 3, DEFINITION_TIMER, 0x10, &record, &word));
	cr_assert_eq(newest(0x10)->word[0], 1);
}

Test(definitions, plain_copies_within_a_millisecond_are_one)
{
	cr_assert_not_null(add(0x10, 1, 10 * MS));
	cr_assert_null(add(0x10, 1, 11 * MS));
	cr_assert_not_null(add(0x10, 1, 11 * MS + 1), "a reused address with the same contents");
	cr_assert_not_null(add(0x10, 2, 10 * MS), "another content is another object");
}

Test(definitions, caret_copies_have_the_same_init_time_however_late_they_come)
{
	cr_assert_not_null(add_by_caret(0x10, 1, 20, 10));
	cr_assert_null(add_by_caret(0x10, 1, 5000 * (int64_t)MS, 10));
	cr_assert_not_null(add_by_caret(0x10, 1, 5001 * (int64_t)MS, 11));
}

Test(definitions, of_twins_the_caret_one_tells_the_time_in_either_order)
{
	add(0x10, 1, 10 * MS + 300);
	add_by_caret(0x10, 1, 10 * MS + 200, 10 * MS);
	cr_assert_eq(newest(0x10)->since_ns, 10 * MS);
	cr_assert_null(newest(0x10)->older);
	add_by_caret(0x20, 1, 10 * MS + 200, 10 * MS);
	cr_assert_null(add(0x20, 1, 10 * MS + 300));
	cr_assert_eq(newest(0x20)->since_ns, 10 * MS);
	cr_assert_null(newest(0x20)->older);
}

Test(definitions, hold_from_their_time_on_in_any_order_of_arrival)
{
	const int64_t times[] = { 30 * MS, 10 * MS, 20 * MS };

	for (size_t i = 0; i < 3; i++) {
		add(0x10, (uint64_t)times[i], times[i]);
	}
	cr_assert_null(definition_at(newest(0x10), 10 * MS - 1));
	cr_assert_eq(definition_at(newest(0x10), 10 * MS)->word[0], 10 * MS);
	cr_assert_eq(definition_at(newest(0x10), 29 * MS)->word[0], 20 * MS);
	cr_assert_eq(definition_at(newest(0x10), INT64_MAX)->word[0], 30 * MS);
	cr_assert_eq(definition_at_or_from(newest(0x10), 5)->word[0], 10 * MS);
	cr_assert_eq(definition_from(newest(0x10), 10 * MS + 1)->word[0], 20 * MS);
	cr_assert_null(definition_from(newest(0x10), 30 * MS + 1));
	cr_assert_eq(definition_nearest(newest(0x10), 24 * MS)->word[0], 20 * MS);
	cr_assert_eq(definition_nearest(newest(0x10), 26 * MS)->word[0], 30 * MS);
	cr_assert_eq(definition_until_ns(newest(0x10), definition_at(newest(0x10), 20 * MS)), 30 * MS);
	cr_assert_eq(definition_until_ns(newest(0x10), newest(0x10)), INT64_MAX);
}

Test(definitions, what_was_used_undefined_is_completed_unless_the_definition_begins_later)
{
	struct definition *used = definitions_add_undefined(definitions, 0, DEFINITION_TIMER, 0x10);
	struct definition *reused = definitions_add_undefined(definitions, 0, DEFINITION_TIMER, 0x20);
	struct definition *unused = definitions_add_undefined(definitions, 0, DEFINITION_TIMER, 0x30);

	used->last_use_ns = 50;
	reused->last_use_ns = 50;
	cr_assert_eq(add(0x10, 1, 40), used);
	cr_assert_neq(add(0x20, 1, 60), reused);
	cr_assert_not(definition_at(newest(0x20), 59)->is_defined);
	cr_assert_eq(definition_at(newest(0x20), 60)->word[0], 1);
	cr_assert_eq(add(0x30, 1, 60), unused);
}

Test(definitions, extreme_times_are_no_harm)
{
	cr_assert_not_null(add(0x10, 1, INT64_MIN));
	cr_assert_not_null(add(0x10, 1, INT64_MAX));
	cr_assert_null(add(0x10, 1, INT64_MAX));
	cr_assert_not_null(add_by_caret(0x10, 1, 0, INT64_MIN + 1));
	cr_assert_eq(definition_nearest(newest(0x10), 5)->since_ns, INT64_MAX);
}

Test(definitions, the_only_one_of_a_kind_is_only_given_if_it_is_the_only_one)
{
	cr_assert_null(definitions_only(definitions, 0, DEFINITION_TIMER));
	add(0x10, 1, 5);
	cr_assert_eq(definitions_only(definitions, 0, DEFINITION_TIMER), newest(0x10));
	add(0x10, 2, 5);
	cr_assert_null(definitions_only(definitions, 0, DEFINITION_TIMER));
}
