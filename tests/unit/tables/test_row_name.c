/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/tables/row_name.h"

static const struct table_column columns[] = {
	{ .name = "id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "node", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_GROUP },
	{ .name = "source", .merge = COLUMN_MERGE_KEY, .format = COLUMN_DURATION },
	{ .name = "cpu", .merge = COLUMN_MERGE_KEY },
	{ .name = "symbol", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
};

static const struct table_schema schema = { .name = "table", .columns = columns, .column_count = 6 };

#define EXPECT_NAME(expected, ...)                                                                                     \
	do {                                                                                                           \
		g_autofree char *name = row_name(&schema, (struct cell[]){ cell_unsigned(1), __VA_ARGS__,              \
									   cell_text("f()"), cell_unsigned(7) });      \
		cr_expect_str_eq(name, expected);                                                                      \
	} while (0)

Test(row_name, names_are_joined)
{
	EXPECT_NAME("/talker  /chatter  3", cell_text("/talker"), cell_text("/chatter"), cell_unsigned(3));
	EXPECT_NAME("/talker", cell_text("/talker"), cell_text(""), CELL_NONE);
	EXPECT_NAME("", CELL_NONE, CELL_NONE, CELL_NONE);
}

Test(row_name, a_period_is_shown_as_in_the_report)
{
	EXPECT_NAME("/goal  1.00 s", cell_text("/goal"), cell_integer(1000000000), CELL_NONE);
	EXPECT_NAME("/goal  66.7 ms", cell_text("/goal"), cell_integer(66666667), CELL_NONE);
}
