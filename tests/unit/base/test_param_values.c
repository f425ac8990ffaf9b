/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ros2bt/base/param_values.h"
#include "ros2bt/base/params.h"

static struct param_values *values;

static void setup(void)
{
	values = param_values_create();
}

static void teardown(void)
{
	param_values_destroy(values);
}

TestSuite(param_values, .init = setup, .fini = teardown);

static struct param_item text_item(char *text)
{
	return (struct param_item){ PARAM_ITEM_STRING, .string = text };
}

Test(param_values, the_last_value_of_a_key_counts_and_keeps_the_place_of_the_first)
{
	char text[] = "one";

	param_values_set(values, "mode", text_item(text));
	param_values_set(values, "depth", (struct param_item){ PARAM_ITEM_INTEGER, .integer = 8 });
	memcpy(text, "two", sizeof(text));
	cr_assert_str_eq(param_value_item(param_values_find(values, "mode"), 0)->string, "one", "a copy");
	param_values_set(values, "mode", text_item(text));
	cr_assert_eq(param_values_count(values), 2);
	cr_assert_str_eq(param_values_at(values, 0)->key, "mode");
	cr_assert_eq(param_values_at(values, 0)->items->len, 1);
	cr_assert_str_eq(param_value_item(param_values_at(values, 0), 0)->string, "two");
	cr_assert_null(param_values_find(values, "window"));
}

Test(param_values, items_of_an_array_add_up_and_replace_what_was_none)
{
	param_values_set(values, "tables", text_item("a"));
	param_values_append(values, "tables", text_item("b"));
	param_values_append(values, "tables", text_item("c"));
	param_values_set_array(values, "tables");
	cr_assert(param_values_at(values, 0)->is_array);
	cr_assert_eq(param_values_at(values, 0)->items->len, 2);
	cr_assert_str_eq(param_value_item(param_values_at(values, 0), 0)->string, "b");
	cr_assert_str_eq(param_value_item(param_values_at(values, 0), 1)->string, "c");
}

/* Of several problems, the one that the user wrote first is reported. */
Test(param_values, are_checked_in_the_order_in_which_they_were_given)
{
	static const struct param rows[] = {
		{ "mode", PARAM_STRING, "auto", "auto|window", "how" },
		{ "depth", PARAM_INTEGER, "8", "1..64", "how deep" },
	};
	const struct params params = { rows, G_N_ELEMENTS(rows), values, true };
	g_autofree char *problem = NULL;

	param_values_set(values, "depth", (struct param_item){ PARAM_ITEM_INTEGER, .integer = 65 });
	param_values_set(values, "mode", text_item("fast"));
	problem = params_check(&params);
	cr_assert_str_eq(problem, "--depth cannot be 65: expected 1..64");
}
