/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/base/unique_ids.h"

Test(unique_ids, the_first_namespace_keeps_an_id_others_get_their_own_one)
{
	struct unique_ids ids;

	unique_ids_init(&ids);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026531836), 1);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532001), UNIQUE_IDS_FIRST);
	cr_expect_eq(unique_ids_get(&ids, 2, 4026532001), 2, "nobody else has it");
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532002), UNIQUE_IDS_FIRST + 1);
	cr_expect_eq(unique_ids_get(&ids, 2, 4026531836), UNIQUE_IDS_FIRST + 2);
	cr_expect_eq(unique_ids_get(&ids, 1, 4026532001), UNIQUE_IDS_FIRST, "the same every time");
	cr_expect_eq(unique_ids_get(&ids, 1, 4026531836), 1);
	cr_expect_eq(unique_ids_get(&ids, -1, UINT64_MAX), -1);
	unique_ids_clear(&ids);
}
