/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "core/base/spool.h"

static struct spool spool;

static void setup(void)
{
	spool_init(&spool);
}

static void teardown(void)
{
	spool_clear(&spool);
}

TestSuite(spool, .init = setup, .fini = teardown);

/* Writes 0 … count - 1 and reads them back twice. */
static void check(uint64_t count)
{
	uint64_t number;

	for (uint64_t i = 0; i < count; i++) {
		spool_write(&spool, &i, sizeof(i));
	}
	for (int time = 0; time < 2; time++) {
		spool_rewind(&spool);
		for (uint64_t i = 0; i < count; i++) {
			cr_assert(spool_read(&spool, &number, sizeof(number)));
			cr_assert_eq(number, i);
		}
		cr_assert_not(spool_read(&spool, &number, sizeof(number)));
	}
	cr_assert_not(spool_has_failed(&spool));
}

Test(spool, an_empty_one_ends_at_once)
{
	check(0);
}

Test(spool, a_little_stays_in_memory)
{
	check(100);
	cr_assert_null(spool.file);
}

Test(spool, much_goes_to_a_file)
{
	check(3 * SPOOL_MEMORY / sizeof(uint64_t) + 7);
	cr_assert_not_null(spool.file);
}

/* A piece may be in the file with its beginning only. */
Test(spool, pieces_of_any_size)
{
	char piece[1000];

	for (size_t i = 0; i < 5000; i++) {
		memset(piece, (int)(i % 128), sizeof(piece));
		spool_write(&spool, piece, 1 + i % sizeof(piece));
	}
	spool_rewind(&spool);
	for (size_t i = 0; i < 5000; i++) {
		cr_assert(spool_read(&spool, piece, 1 + i % sizeof(piece)));
		cr_assert_eq(piece[i % sizeof(piece)], (char)(i % 128));
	}
}

Test(spool, without_room_it_fails_and_says_so)
{
	uint64_t number = 1;

	spool.file = fopen("/dev/full", "w");
	cr_assert_not_null(spool.file);
	for (size_t i = 0; i <= SPOOL_MEMORY / sizeof(number); i++) {
		spool_write(&spool, &number, sizeof(number));
	}
	cr_assert(spool_has_failed(&spool));
}
