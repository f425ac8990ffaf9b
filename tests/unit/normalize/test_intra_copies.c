/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/normalize/intra_copies.h"

static struct intra_copies copies;

static void setup(void)
{
	intra_copies_init(&copies);
}

static void teardown(void)
{
	intra_copies_clear(&copies);
}

TestSuite(intra_copies, .init = setup, .fini = teardown);

Test(intra_copies, a_message_is_known_by_timestamp_and_topic)
{
	intra_copies_add(&copies, 1000, 0x1);
	cr_expect(intra_copies_has(&copies, 1000, 0x1));
	cr_expect(intra_copies_has(&copies, 1000, 0x1), "several subscriptions may take it");
	cr_expect_not(intra_copies_has(&copies, 1000, 0x2));
	cr_expect_not(intra_copies_has(&copies, 1001, 0x1));
}

Test(intra_copies, an_unknown_topic_has_no_copies)
{
	intra_copies_add(&copies, 1000, U64_MAP_NONE);
	cr_expect_not(intra_copies_has(&copies, 1000, U64_MAP_NONE));
}

Test(intra_copies, the_oldest_messages_are_forgotten)
{
	for (int64_t i = 0; i < 2 * INTRA_COPIES_MAX + 10; i++) {
		intra_copies_add(&copies, i, 0x1);
		intra_copies_add(&copies, i, 0x1);
	}
	cr_expect_not(intra_copies_has(&copies, INTRA_COPIES_MAX + 9, 0x1));
	cr_expect(intra_copies_has(&copies, INTRA_COPIES_MAX + 10, 0x1));
	cr_expect(intra_copies_has(&copies, 2 * INTRA_COPIES_MAX + 9, 0x1));
	cr_expect_eq(copies.topics.count, INTRA_COPIES_MAX);
}
