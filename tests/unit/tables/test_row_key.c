/* SPDX-License-Identifier: MIT */
#include "core/tables/row_key.h"

#include <criterion/criterion.h>

static const struct table_column columns[] = {
	{ .name = "id" },
	{ .name = "node", .merge = COLUMN_MERGE_KEY },
	{ .name = "hops", .merge = COLUMN_MERGE_KEY },
	{ .name = "count", .merge = COLUMN_MERGE_SUM },
};
static const struct table_schema schema = {
	.name = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static char *key_of(const struct cell *cells)
{
	GString *key = g_string_new(NULL);

	row_key_append_names(key, &schema, cells);
	return g_string_free(key, FALSE);
}

Test(row_key, has_the_names_and_nothing_else)
{
	g_autofree char *key = key_of((struct cell[]){ cell_integer(1), cell_text("/a"), cell_integer(-2), CELL_NONE });
	g_autofree char *same =
		key_of((struct cell[]){ cell_integer(5), cell_text("/a"), cell_integer(-2), cell_unsigned(6) });

	cr_assert_str_eq(key, "/a\x1f-2\x1f");
	cr_assert_str_eq(same, key);
}

Test(row_key, names_do_not_run_into_each_other)
{
	g_autofree char *key = key_of((struct cell[]){ CELL_NONE, cell_text("/a1"), cell_text("2"), CELL_NONE });
	g_autofree char *other = key_of((struct cell[]){ CELL_NONE, cell_text("/a"), cell_text("12"), CELL_NONE });

	cr_assert_str_neq(key, other);
}

/* A program names its nodes as it likes. */
Test(row_key, names_with_separators_do_not_run_into_each_other)
{
	static const char *const names[][2] = {
		{ "a\x1f", "b" },
		{ "a", "\x1f"
		       "b" },
		{ "a\x1e", "\x1f"
			   "b" },
		{ "a\x1e\x1f", "b" },
		{ "a", "b" },
	};
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_hash_table_add(seen, key_of((struct cell[]){ CELL_NONE, cell_text(names[i][0]),
							       cell_text(names[i][1]), CELL_NONE }));
	}
	cr_assert_eq(g_hash_table_size(seen), G_N_ELEMENTS(names));
}

Test(row_key, a_number_has_its_sign)
{
	g_autoptr(GString) text = g_string_new(NULL);

	row_key_append_text(text, &(struct cell){ CELL_UNSIGNED, .unsigned_integer = UINT64_MAX });
	cr_assert_str_eq(text->str, "18446744073709551615");
}
