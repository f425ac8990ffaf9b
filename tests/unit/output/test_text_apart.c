/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/output/text/text_apart.h"

enum { ID, NODE, KIND, HOST, PID, WHICH, COUNT, COLUMNS };

static const struct table_column columns[] = {
	[ID] = { .name = "thing_id", .id_of = "things", .role = COLUMN_ROLE_HIDDEN },
	[NODE] = { .name = "node", .merge = COLUMN_MERGE_KEY },
	[KIND] = { .name = "kind",
		   .merge = COLUMN_MERGE_KEY,
		   .role = COLUMN_ROLE_DETAIL,
		   .hints = HINT_TELLS_APART(WHICH) },
	[HOST] = { .name = "host", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(HOST) },
	[PID] = { .name = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	[WHICH] = { .name = "which", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(WHICH) },
	[COUNT] = { .name = "count" },
};
static const struct table_schema schema = {
	.name = "things",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

struct thing {
	const char *node, *kind, *host;
	int pid, which;
};

static void expect(bool has_room, const struct thing *things, size_t count, const char *const *expected)
{
	static const struct row_choice all_rows;
	struct text_table *table = text_table_create(&schema, &all_rows);
	bool is_shown[COLUMNS] = { [NODE] = true, [KIND] = has_room, [COUNT] = true };
	struct text_selection selection;
	struct text_apart apart;

	for (size_t i = 0; i < count; i++) {
		text_table_add(table, (struct cell[]){
					      cell_unsigned(i),
					      cell_text(things[i].node),
					      cell_text(things[i].kind),
					      cell_text(things[i].host),
					      cell_integer(things[i].pid),
					      things[i].which ? cell_integer(things[i].which) : CELL_NONE,
					      cell_unsigned(1),
				      });
	}
	text_selection_init(&selection, table);
	text_apart_init(&apart, table, &selection, is_shown);
	for (size_t i = 0; i < count; i++) {
		g_autoptr(GString) needed = g_string_new(NULL);

		for (size_t kept = 0; kept < table->kept_count; kept++) {
			if (text_apart_needs_cell(&apart, i, kept)) {
				g_string_append_printf(needed, "%s ", text_table_column(table, kept)->name);
			}
		}
		cr_assert_str_eq(needed->str, expected[i], "row %zu: %s", i, needed->str);
	}
	text_apart_clear(&apart);
	text_selection_clear(&selection);
	text_table_destroy(table);
}

#define EXPECT(has_room, things, ...)                                                                                  \
	expect(has_room, things, G_N_ELEMENTS(things), (const char *const[]){ __VA_ARGS__ })

Test(text_apart, rows_that_differ_need_nothing)
{
	static const struct thing things[] = {
		{ "/a", "timer", "robot1", 1, 0 },
		{ "/b", "timer", "robot2", 2, 0 },
	};

	EXPECT(true, things, "", "");
}

Test(text_apart, only_what_differs_is_shown)
{
	static const struct thing things[] = {
		{ "/a", "timer", "robot1", 1, 1 },
		{ "/a", "timer", "robot1", 2, 1 },
		{ "/b", "timer", "robot1", 1, 1 },
		{ "/b", "timer", "robot1", 1, 2 },
	};

	EXPECT(true, things, "pid ", "pid ", "which ", "which ");
}

Test(text_apart, the_host_comes_first)
{
	static const struct thing things[] = {
		{ "/a", "timer", "robot1", 1, 1 },
		{ "/a", "timer", "robot2", 2, 2 },
		{ "/a", "timer", "robot2", 3, 3 },
	};

	EXPECT(true, things, "host ", "host pid ", "host pid ");
}

Test(text_apart, the_id_tells_apart_what_nothing_else_does)
{
	static const struct thing things[] = {
		{ "/a", "timer", "robot1", 1, 0 },
		{ "/a", "timer", "robot1", 1, 0 },
	};

	EXPECT(true, things, "thing_id ", "thing_id ");
}

Test(text_apart, a_column_without_room_is_needed_where_rows_differ_in_it)
{
	static const struct thing things[] = {
		{ "/a", "timer", "robot1", 1, 0 },
		{ "/a", "service", "robot1", 1, 0 },
	};

	EXPECT(true, things, "", "");
	EXPECT(false, things, "kind ", "kind ");
}
