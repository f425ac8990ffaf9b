/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>

#include "ros2bt/base/unique_ids.h"

Test(unique_ids, the_first_namespace_keeps_an_id_others_get_their_own_one)
{
	struct unique_ids ids;

	unique_ids_init(&ids);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026531836), 1);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532001), UNIQUE_IDS_FIRST + UNIQUE_IDS_RANGE + 1);
	cr_expect_eq(unique_ids_get(&ids, 2, 4026532001), 2, "nobody else has it");
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532002), UNIQUE_IDS_FIRST + 2 * UNIQUE_IDS_RANGE + 1);
	cr_expect_eq(unique_ids_get(&ids, 2, 4026531836), UNIQUE_IDS_FIRST + 2);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532001), UNIQUE_IDS_FIRST + UNIQUE_IDS_RANGE + 1,
		     "the same every time");
	cr_expect_eq(unique_ids_get(&ids, 1, 4026531836), 1);
	cr_expect_eq(unique_ids_get(&ids, -1, UINT64_MAX), -1);
	unique_ids_clear(&ids);
}

Test(unique_ids, the_recorded_id_is_got_back)
{
	const int32_t recorded[] = { 0, 1, 12345, UNIQUE_IDS_RANGE - 1 };
	struct unique_ids ids;

	unique_ids_init(&ids);
	for (uint64_t pid_ns = 0; pid_ns < UNIQUE_IDS_NAMESPACES; pid_ns++) {
		for (size_t i = 0; i < G_N_ELEMENTS(recorded); i++) {
			int32_t id = unique_ids_get(&ids, recorded[i], pid_ns);

			cr_assert_eq(unique_id_recorded(id), recorded[i]);
			cr_assert_eq(id == recorded[i], pid_ns == 0);
			cr_assert_eq(unique_ids_get(&ids, id, pid_ns), id, "made unique a second time");
		}
	}
	unique_ids_clear(&ids);
}

Test(unique_ids, what_has_no_room_for_its_id_is_numbered)
{
	struct unique_ids ids;

	unique_ids_init(&ids);
	for (uint64_t pid_ns = 0; pid_ns < UNIQUE_IDS_NAMESPACES; pid_ns++) {
		unique_ids_get(&ids, 1, pid_ns);
	}
	cr_expect_eq(unique_ids_get(&ids, 1, UNIQUE_IDS_NAMESPACES), UNIQUE_IDS_PLAIN);
	cr_expect_eq(unique_ids_get(&ids, -1, 0), -1);
	cr_expect_eq(unique_ids_get(&ids, -1, 1), UNIQUE_IDS_PLAIN + 1, "no id that Linux gives");
	cr_expect_eq(unique_id_recorded(UNIQUE_IDS_PLAIN + 1), UNIQUE_IDS_PLAIN + 1);
	unique_ids_clear(&ids);
}
