/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "ros2bt/base/params.h"
#include "ros2bt/bt/given_params.h"
#include "ros2bt/bt/own.h"

#define THING_PARAMS(PARAM)                                                                                            \
	PARAM(mode, STRING, "auto", "auto|window", "how")                                                              \
	PARAM(path, STRING, "none", "TEXT", "where")                                                                   \
	PARAM(window, DURATION, "2s", "TEXT", "how long")                                                              \
	PARAM(loud, BOOL, "yes", "yes|no", "really")                                                                   \
	PARAM(depth, INTEGER, "8", "1..64", "how deep")                                                                \
	PARAM(share, REAL, "0.5", "0..1", "how much")                                                                  \
	PARAM(begin, STRING_OR_INTEGER, "none", "TEXT", "when")                                                        \
	PARAM(tables, STRINGS, "a,b", "a|b|c", "which")                                                                \
	PARAM(quantiles, REALS, "0.5,0.9", "0..1", "which")

static const struct param rows[] = { THING_PARAMS(PARAM_ROW) };

static bt_value *map;
static struct param_values *values; /* of the map, as of the last take_map() */
static struct params params;

static void take_map(void)
{
	param_values_destroy(values);
	values = given_params(map);
	params.values = values;
}

static void setup(void)
{
	map = bt_value_map_create();
	params = (struct params){ rows, G_N_ELEMENTS(rows), NULL, false };
	take_map();
}

static void teardown(void)
{
	bt_value_put_ref(map);
	g_clear_pointer(&values, param_values_destroy);
}

TestSuite(params, .init = setup, .fini = teardown);

static void assert_refused(const char *expected)
{
	g_autofree char *problem = NULL;

	take_map();
	problem = params_check(&params);
	cr_assert_not_null(problem, "expected: %s", expected);
	cr_assert_str_eq(problem, expected);
	bt_value_put_ref(map);
	setup();
}

static void assert_accepted(void)
{
	g_autofree char *problem = NULL;

	take_map();
	problem = params_check(&params);
	cr_assert_null(problem, "%s", problem);
}

Test(params, defaults_are_those_of_the_table)
{
	size_t count;
	g_autofree double *quantiles = params_reals(&params, "quantiles", &count);
	g_auto(GStrv) tables = params_strings(&params, "tables");

	assert_accepted();
	cr_assert_str_eq(params_string(&params, "mode"), "auto");
	cr_assert_null(params_string(&params, "path"));
	cr_assert_eq(params_duration_ns(&params, "window"), 2000000000);
	cr_assert(params_bool(&params, "loud"));
	cr_assert_eq(params_integer(&params, "depth"), 8);
	cr_assert_eq(params_real(&params, "share"), 0.5);
	cr_assert_null(params_value(&params, "begin"));
	cr_assert_eq(count, 2);
	cr_assert_eq(quantiles[1], 0.9);
	cr_assert_eq(g_strv_length(tables), 2);
	cr_assert_str_eq(tables[1], "b");
}

Test(params, values_take_the_place_of_defaults)
{
	bt_value *array = NULL;
	size_t count;
	g_autofree double *quantiles = NULL;
	g_auto(GStrv) tables = NULL;

	bt_value_map_insert_string_entry(map, "mode", "window");
	bt_value_map_insert_string_entry(map, "path", "");
	bt_value_map_insert_string_entry(map, "window", "1ms");
	bt_value_map_insert_bool_entry(map, "loud", BT_FALSE);
	bt_value_map_insert_unsigned_integer_entry(map, "depth", 64);
	bt_value_map_insert_signed_integer_entry(map, "share", 1);
	bt_value_map_insert_unsigned_integer_entry(map, "begin", 7);
	bt_value_map_insert_empty_array_entry(map, "tables", &array);
	bt_value_array_append_string_element(array, "c");
	bt_value_map_insert_empty_array_entry(map, "quantiles", &array);
	bt_value_array_append_unsigned_integer_element(array, 0);
	bt_value_array_append_real_element(array, 0.25);
	assert_accepted();
	cr_assert_str_eq(params_string(&params, "mode"), "window");
	cr_assert_str_eq(params_string(&params, "path"), "");
	cr_assert_eq(params_duration_ns(&params, "window"), 1000000);
	cr_assert_not(params_bool(&params, "loud"));
	cr_assert_eq(params_integer(&params, "depth"), 64);
	cr_assert_eq(params_real(&params, "share"), 1);
	cr_assert_eq(params_integer(&params, "begin"), 7);
	tables = params_strings(&params, "tables");
	cr_assert_eq(g_strv_length(tables), 1);
	quantiles = params_reals(&params, "quantiles", &count);
	cr_assert_eq(count, 2);
	cr_assert_eq(quantiles[1], 0.25);
}

Test(params, an_unknown_key_names_the_nearest_and_all)
{
	static const char allowed[] = "(allowed: mode, path, window, loud, depth, share, begin, tables, quantiles)";
	g_autofree char *near = g_strdup_printf("unknown parameter \"tabels\", did you mean \"tables\"? %s", allowed);
	g_autofree char *far = g_strdup_printf("unknown parameter \"xyzzy\" %s", allowed);

	bt_value_map_insert_string_entry(map, "tabels", "a");
	assert_refused(near);
	bt_value_map_insert_string_entry(map, "xyzzy", "a");
	assert_refused(far);
}

Test(params, wrong_types_and_impossible_values_name_the_key_and_what_is_allowed)
{
	bt_value *array = NULL;

	bt_value_map_insert_signed_integer_entry(map, "mode", 1);
	assert_refused("parameter \"mode\" has the wrong type: expected string, auto|window");
	bt_value_map_insert_string_entry(map, "mode", "fast");
	assert_refused("parameter \"mode\" cannot be \"fast\": expected string, auto|window");
	bt_value_map_insert_string_entry(map, "mode", "windows");
	assert_refused(
		"parameter \"mode\" cannot be \"windows\" (did you mean \"window\"?): expected string, auto|window");
	bt_value_map_insert_string_entry(map, "loud", "yes");
	assert_refused("parameter \"loud\" has the wrong type: expected boolean, yes|no");
	bt_value_map_insert_signed_integer_entry(map, "depth", 65);
	assert_refused("parameter \"depth\" cannot be 65: expected integer, 1..64");
	bt_value_map_insert_unsigned_integer_entry(map, "depth", UINT64_MAX);
	assert_refused("parameter \"depth\" has the wrong type: expected integer, 1..64");
	bt_value_map_insert_real_entry(map, "share", -0.1);
	assert_refused("parameter \"share\" cannot be -0.1: expected real, 0..1");
	bt_value_map_insert_empty_map_entry(map, "share", NULL);
	assert_refused("parameter \"share\" has the wrong type: expected real, 0..1");
	bt_value_map_insert_empty_array_entry(map, "tables", &array);
	assert_refused("parameter \"tables\" is empty: expected at least one of a|b|c, or leave it out");
	bt_value_map_insert_real_entry(map, "begin", 0.5);
	assert_refused("parameter \"begin\" has the wrong type: expected string or integer");
	bt_value_map_insert_string_entry(map, "tables", "a");
	assert_refused("parameter \"tables\" has the wrong type: expected array of strings, each a|b|c");
	bt_value_map_insert_empty_array_entry(map, "tables", &array);
	bt_value_array_append_string_element(array, "d");
	assert_refused("parameter \"tables\" cannot hold \"d\": expected array of strings, each a|b|c");
	bt_value_map_insert_empty_array_entry(map, "quantiles", &array);
	bt_value_array_append_string_element(array, "0.5");
	assert_refused("parameter \"quantiles\" has the wrong type: expected array of reals, each 0..1");
}

Test(params, a_duration_needs_a_unit)
{
	g_autofree char *problem = NULL;

	bt_value_map_insert_string_entry(map, "window", "5");
	take_map();
	problem = params_check(&params);
	cr_assert(g_str_has_prefix(problem, "parameter \"window\" cannot be \"5\": expected a number and a unit"), "%s",
		  problem);
}

Test(params, the_help_has_every_row)
{
	static const char help[] = THING_PARAMS(PARAM_HELP);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *head = g_strdup_printf("  %s (", rows[i].key);

		cr_assert(strstr(help, head));
		cr_assert(strstr(help, rows[i].help));
	}
}

Test(params, options_are_named_as_they_are_given)
{
	bt_value *array = NULL;

	params.are_options = true;
	bt_value_map_insert_string_entry(map, "mode", "fast");
	assert_refused("--mode cannot be \"fast\": expected auto|window");
	params.are_options = true;
	bt_value_map_insert_empty_array_entry(map, "tables", &array);
	bt_value_array_append_string_element(array, "a");
	bt_value_array_append_string_element(array, "d");
	assert_refused("--table cannot be \"d\": expected a|b|c");
}
