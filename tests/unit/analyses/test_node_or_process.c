/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/row_process.h"

#include <criterion/criterion.h>
#include <glib.h>

static void expect_name(const char *node, const char *procname, const char *expected)
{
	const struct recording_process process = { .procname = procname };
	g_autofree char *name = node_or_process(node, &process);

	cr_assert_str_eq(name, expected);
}

Test(node_or_process, a_node_has_its_name_else_that_of_its_process_if_it_has_one)
{
	expect_name("/talker", "talker", "/talker");
	expect_name("/talker", "", "/talker");
	expect_name(NULL, "talker", "[talker]");
	expect_name(NULL, "", "[?]");
}
