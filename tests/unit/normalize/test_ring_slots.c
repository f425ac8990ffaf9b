/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/normalize/ring_slots.h"

static struct ring_slots slots;

static void setup(void)
{
	ring_slots_init(&slots);
}

static void teardown(void)
{
	ring_slots_clear(&slots);
}

TestSuite(ring_slots, .init = setup, .fini = teardown);

Test(ring_slots, slots_of_two_buffers_do_not_mix)
{
	cr_assert(ring_slots_set(&slots, 0x1000, 0, 7));
	cr_assert(ring_slots_set(&slots, 0x2000, 0, 8));
	cr_assert(ring_slots_set(&slots, 0x1000, 1, 9));
	cr_assert_eq(ring_slots_get(&slots, 0x1000, 0), 7);
	cr_assert_eq(ring_slots_get(&slots, 0x2000, 0), 8);
	cr_assert_eq(ring_slots_get(&slots, 0x1000, 1), 9);
	cr_assert_eq(ring_slots_get(&slots, 0x2000, 1), U64_MAP_NONE);
}

Test(ring_slots, a_slot_is_replaced_and_removed)
{
	ring_slots_set(&slots, 0x1000, 3, 7);
	ring_slots_set(&slots, 0x1000, 3, 8);
	cr_assert_eq(ring_slots_remove(&slots, 0x1000, 3), 8);
	cr_assert_eq(ring_slots_remove(&slots, 0x1000, 3), U64_MAP_NONE);
	cr_assert_eq(ring_slots_remove(&slots, 0x2000, 3), U64_MAP_NONE);
}

Test(ring_slots, hostile_buffers_and_indexes_are_not_followed)
{
	ring_slots_set(&slots, 0x1000, 0, 7);
	cr_assert_not(ring_slots_set(&slots, U64_MAP_NONE, 0, 8));
	cr_assert_not(ring_slots_set(&slots, 0x1000, UINT64_C(1) << 32, 8));
	cr_assert_eq(ring_slots_get(&slots, U64_MAP_NONE, 0), U64_MAP_NONE);
	cr_assert_eq(ring_slots_get(&slots, 0x1000, UINT64_C(1) << 32), U64_MAP_NONE);
	cr_assert_eq(ring_slots_get(&slots, 0x1000, 0), 7);
}
