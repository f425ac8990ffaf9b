/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/tables/row.h"

struct place {
	const char *name;
	uint64_t number;
};

struct row {
	int32_t small;
	int64_t large;
	uint32_t index;
	uint64_t count;
	bool is_on;
	double share;
	const char *text;
	struct cell maybe;
	const struct place *place;
	struct duration_statistics period;
};

static struct cell doubled(const void *row)
{
	return cell_unsigned(2 * ((const struct row *)row)->count);
}

/* clang-format off */
#define ROW struct row
static const struct table_column columns[] = {
	{ .name = "small", CELL_OF(small) },
	{ .name = "large", CELL_OF(large) },
	{ .name = "index", CELL_OF(index) },
	{ .name = "count", CELL_OF(count) },
	{ .name = "is_on", CELL_OF(is_on) },
	{ .name = "share", CELL_OF(share) },
	{ .name = "text", CELL_OF(text) },
	{ .name = "maybe", CELL_OF(maybe) },
	{ .name = "place", CELL_VIA(place, name) },
	{ .name = "number", CELL_VIA(place, number) },
	{ .name = "period", .format = COLUMN_STATISTIC, CELL_OF(period) },
	{ .name = "doubled", CELL_BY(doubled) },
};
static const struct table_schema schema = { TABLE("rows", columns) };
#undef ROW

struct pair { struct cell left, right; };

#define ROW struct pair
static const struct table_column pair_columns[] = {
	{ .name = "left", CELL_OF(left) },
	{ .name = "right", CELL_OF(right) },
};
static const struct table_schema pair_schema = { TABLE_OF_CELLS("pairs", pair_columns) };
#undef ROW
/* clang-format on */

static struct cell written[G_N_ELEMENTS(columns)];
static const struct cell *written_at;
static size_t column_count;

static void keep(struct table_writer *writer, const struct cell *cells)
{
	written_at = cells;
	memcpy(written, cells, column_count * sizeof(*cells));
}

static struct table_writer writer = { .row = keep };

static const struct cell *write_row(const struct row *row)
{
	column_count = G_N_ELEMENTS(columns);
	row_write(&writer, &schema, row);
	return written;
}

Test(row, the_type_of_a_member_is_that_of_its_cell)
{
	const struct place place = { "garage", UINT64_MAX };
	const struct row row = {
		.small = -3,
		.large = INT64_MIN,
		.index = UINT32_MAX,
		.count = 21,
		.is_on = true,
		.share = 0.5,
		.text = "",
		.maybe = cell_address(16),
		.place = &place,
	};
	const struct cell *cells = write_row(&row);

	cr_expect(cells[0].type == CELL_INTEGER && cells[0].integer == -3);
	cr_expect(cells[1].type == CELL_INTEGER && cells[1].integer == INT64_MIN);
	cr_expect(cells[2].type == CELL_UNSIGNED && cells[2].unsigned_integer == UINT32_MAX);
	cr_expect(cells[3].type == CELL_UNSIGNED && cells[3].unsigned_integer == 21);
	cr_expect(cells[4].type == CELL_INTEGER && cells[4].integer == 1);
	cr_expect(cells[5].type == CELL_REAL && cells[5].real == 0.5);
	cr_expect(cells[6].type == CELL_TEXT && cells[6].text[0] == '\0');
	cr_expect(cells[7].type == CELL_ADDRESS && cells[7].unsigned_integer == 16);
	cr_expect(cells[8].type == CELL_TEXT && cells[8].text == place.name);
	cr_expect(cells[9].type == CELL_UNSIGNED && cells[9].unsigned_integer == place.number);
	cr_expect(cells[10].type == CELL_STATISTIC && cells[10].statistic == &row.period);
	cr_expect(cells[11].type == CELL_UNSIGNED && cells[11].unsigned_integer == 42);
}

Test(row, what_is_not_known_is_empty)
{
	const struct cell *cells = write_row(&(struct row){ .count = 0 });

	cr_expect_eq(cells[6].type, CELL_EMPTY, "a text that is NULL");
	cr_expect_eq(cells[7].type, CELL_EMPTY, "an empty cell");
	cr_expect_eq(cells[8].type, CELL_EMPTY, "a text of what a pointer of NULL points to");
	cr_expect_eq(cells[9].type, CELL_EMPTY, "a number of what a pointer of NULL points to");
}

Test(row, cells_in_the_order_of_the_columns_are_passed_as_they_are)
{
	const struct pair pair = { cell_integer(1), CELL_NONE };

	column_count = 2;
	row_write(&writer, &pair_schema, &pair);
	cr_expect_eq((const void *)written_at, (const void *)&pair);
	cr_expect_eq(written[0].integer, 1);
	cr_expect_eq(row_cell(&pair_columns[1].source, &pair).type, CELL_EMPTY);
}

Test(row, a_table_that_nobody_asked_for_has_no_rows)
{
	row_write(NULL, &schema, &(struct row){ .count = 1 });
	row_write(NULL, &pair_schema, &(struct pair){ .left = CELL_NONE });
}

Test(row, distributions_of_a_new_row_take_samples)
{
	struct arena *arena = arena_create();
	struct row row = { .count = 1 };

	row_init_statistics(&row, &schema, row_statistics(&schema), false, arena);
	duration_statistics_add(&row.period, 5, 0);
	cr_expect_eq(duration_statistics_totals(&row.period).sum_ns, 5);
	arena_destroy(arena);
}
