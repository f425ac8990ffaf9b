/* SPDX-License-Identifier: MIT */
#include "core/model/namespace_ids.h"

#include <criterion/criterion.h>

static struct namespace_ids ids;

static void setup(void)
{
	namespace_ids_init(&ids);
}

static void teardown(void)
{
	namespace_ids_clear(&ids);
}

TestSuite(namespace_ids, .init = setup, .fini = teardown);

/* Thread 1 is (1, 1) of namespace 100, as thread 2 of 200: every container numbers from 1. Thread 3 is (1, 5) of 100.
 */
static void fill(void)
{
	namespace_ids_set(&ids, &(struct thread_ids){ 1, 1, 100 }, 1);
	namespace_ids_set(&ids, &(struct thread_ids){ 1, 1, 200 }, 2);
	namespace_ids_set(&ids, &(struct thread_ids){ 1, 5, 100 }, 3);
}

static uint32_t find(int32_t vpid, int32_t vtid, uint64_t ns_inum)
{
	return namespace_ids_find(&ids, &(struct thread_ids){ vpid, vtid, ns_inum });
}

Test(namespace_ids, a_thread_is_found_by_both_ids_in_its_namespace)
{
	fill();
	cr_expect_eq(find(1, 1, 100), 1);
	cr_expect_eq(find(1, 1, 200), 2);
	cr_expect_eq(find(1, 5, 100), 3);
	cr_expect_eq(find(1, 5, 200), NAMESPACE_IDS_NONE);
	cr_expect_eq(find(5, 1, 100), NAMESPACE_IDS_NONE);
	cr_expect_eq(find(1, 1, 300), NAMESPACE_IDS_NONE);
}

Test(namespace_ids, without_a_namespace_ids_must_be_those_of_one_thread)
{
	uint32_t thread;

	fill();
	cr_expect(namespace_ids_find_anywhere(&ids, 1, 5, &thread));
	cr_expect_eq(thread, 3);
	cr_expect_not(namespace_ids_find_anywhere(&ids, 1, 1, &thread));
	cr_expect(namespace_ids_find_anywhere(&ids, 9, 9, &thread));
	cr_expect_eq(thread, NAMESPACE_IDS_NONE);
	/* recorded with and without its namespace */
	namespace_ids_set(&ids, &(struct thread_ids){ 1, 5, 0 }, 3);
	cr_expect(namespace_ids_find_anywhere(&ids, 1, 5, &thread));
	cr_expect_eq(thread, 3);
}

Test(namespace_ids, ids_go_to_the_latest_thread_and_only_that_can_lose_them)
{
	const struct thread_ids of = { 1, 1, 100 };

	fill();
	namespace_ids_set(&ids, &of, 7);
	namespace_ids_remove(&ids, &of, 1);
	cr_expect_eq(find(1, 1, 100), 7);
	namespace_ids_remove(&ids, &of, 7);
	cr_expect_eq(find(1, 1, 100), NAMESPACE_IDS_NONE);
	cr_expect_eq(find(1, 1, 200), 2);
	namespace_ids_remove(&ids, &(struct thread_ids){ 1, 1, 300 }, 7);
}
