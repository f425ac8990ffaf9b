/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/tables/row_store.h"

struct row {
	uint64_t count;
	struct duration_statistics period;
};

/* clang-format off */
#define ROW struct row
static const struct table_column columns[] = {
	{ .name = "count", CELL_OF(count) },
	{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
};
static const struct table_schema schema = { TABLE("rows", columns) };
#undef ROW
/* clang-format on */

static struct arena *arena;
static struct row_store store;

static void setup(void)
{
	arena = arena_create();
	row_store_init(&store, &schema, arena);
}

static void teardown(void)
{
	arena_destroy(arena);
}

TestSuite(row_store, .init = setup, .fini = teardown);

Test(row_store, the_row_of_an_index_is_made_once)
{
	struct row *row = row_store_at(&store, 5);

	row->count++;
	duration_statistics_add(&row->period, 3, 0);
	for (uint32_t i = 6; i < 1000; i++) {
		cr_assert_eq(((struct row *)row_store_at(&store, i))->count, 0);
	}
	cr_expect_eq(row_store_at(&store, 5), row);
	cr_expect_eq(row->count, 1);
	cr_expect_eq(duration_statistics_totals(&row->period).count, 1);
	cr_expect_null(store.rows->pdata[4], "an index that nobody asked for has no row");
}

Test(row_store, the_row_of_a_key_is_made_once)
{
	struct row *first = row_store_of(&store, UINT64_MAX - 1), *second = row_store_of(&store, 0);

	cr_expect_neq(first, second);
	cr_expect_eq(row_store_of(&store, 0), second);
	cr_expect_eq(row_store_of(&store, UINT64_MAX - 1), first);
	cr_expect_eq(store.rows->len, 2);
	cr_expect_eq(store.rows->pdata[0], first, "rows are in the order in which they were made");
	duration_statistics_add(&second->period, 3, 0);
	cr_expect_eq(duration_statistics_totals(&first->period).count, 0);
}
