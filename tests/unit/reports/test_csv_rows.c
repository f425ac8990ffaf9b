/* SPDX-License-Identifier: MIT */
#include "core/reports/merge/csv_rows.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <unistd.h>

static char *path;

static void setup(void)
{
	int descriptor = g_file_open_tmp("ros2bt-csv-XXXXXX", &path, NULL);

	cr_assert_geq(descriptor, 0);
	close(descriptor);
}

static void teardown(void)
{
	g_unlink(path);
	g_free(path);
}

TestSuite(csv_rows, .init = setup, .fini = teardown);

static struct csv_rows *open_text(const char *text, gssize size, GError **error)
{
	cr_assert(g_file_set_contents(path, text, size, NULL));
	return csv_rows_open(path, error);
}

/* The rows, cells joined by "|", each with ";" behind it. */
static char *read_text(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct csv_rows *rows = open_text(text, -1, &error);
	GString *all = g_string_new(NULL);
	const char *const *cells;

	cr_assert_not_null(rows, "%s", error ? error->message : "");
	while ((cells = csv_rows_next(rows, &error))) {
		for (size_t i = 0; i < csv_rows_column_count(rows); i++) {
			g_string_append_printf(all, "%s%s", i ? "|" : "", cells[i]);
		}
		g_string_append_c(all, ';');
	}
	cr_assert_null(error, "%s", error ? error->message : "");
	cr_assert_not(csv_rows_are_refused(rows), "the end is no refusal");
	csv_rows_close(rows);
	return g_string_free(all, FALSE);
}

Test(csv_rows, cells_are_quoted_or_not_and_lines_end_in_either_way)
{
	static const struct {
		const char *text, *rows;
	} cases[] = {
		{ "a,b\n1,2\n3,4\n", "1|2;3|4;" },
		{ "a,b\r\n1,2\r\n3,4", "1|2;3|4;" },
		{ "a,b\n,\n\"\",\"x\"\n", "|;|x;" },
		{ "a,b\n\"1,\"\"2\"\"\n3\",4\n", "1,\"2\"\n3|4;" },
		{ "\xef\xbb\xbf"
		  "a,b\n1,2\n\n\r\n",
		  "1|2;" },
		{ "a,b\n", "" },
		{ "a", "" },
		{ "a,b\n1,\"open", "1|open;" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *rows = read_text(cases[i].text);

		cr_assert_str_eq(rows, cases[i].rows, "%s: %s", cases[i].text, rows);
	}
}

Test(csv_rows, columns_are_found_by_name)
{
	struct csv_rows *rows = open_text("\xef\xbb\xbfid,\"b,c\"\n", -1, NULL);

	cr_assert_eq(csv_rows_column_count(rows), 2);
	cr_assert_eq(csv_rows_find(rows, "id"), 0);
	cr_assert_eq(csv_rows_find(rows, "b,c"), 1);
	cr_assert_eq(csv_rows_find(rows, "x"), -1);
	csv_rows_close(rows);
}

Test(csv_rows, an_error_names_file_and_line)
{
	g_autoptr(GError) error = NULL;
	struct csv_rows *rows = open_text("a,b\n\"1\n1\",2\n3\n", -1, NULL);
	g_autofree char *expected = g_strdup_printf("%s:4: 1 cells, not 2 as in the first line", path);

	cr_assert_not_null(csv_rows_next(rows, &error));
	cr_assert_not(csv_rows_are_refused(rows));
	cr_assert_null(csv_rows_next(rows, &error));
	cr_assert(csv_rows_are_refused(rows));
	cr_assert_str_eq(error->message, expected);
	csv_rows_close(rows);
}

Test(csv_rows, a_file_of_something_else_is_refused)
{
	g_autoptr(GError) is_binary = NULL, is_missing = NULL;

	cr_assert_null(open_text("a\0b", 3, &is_binary));
	cr_assert(g_str_has_suffix(is_binary->message, "not a text file"));
	cr_assert_null(csv_rows_open("/nothing/there.csv", &is_missing));
	cr_assert(g_error_matches(is_missing, G_FILE_ERROR, G_FILE_ERROR_NOENT));
}

Test(csv_rows, numbers_are_whole_cells)
{
	g_autoptr(GError) empty = NULL, rest = NULL, negative = NULL, real_error = NULL;
	struct csv_rows *rows = open_text("a\n1\n", -1, NULL);
	uint64_t natural = 0;
	int64_t integer = 0;
	double real = 0;

	csv_rows_next(rows, NULL);
	cr_assert(csv_rows_integer(rows, 0, "-9223372036854775808", &integer, NULL));
	cr_assert_eq(integer, INT64_MIN);
	cr_assert(csv_rows_unsigned(rows, 0, "18446744073709551615", &natural, NULL));
	cr_assert_eq(natural, UINT64_MAX);
	cr_assert(csv_rows_real(rows, 0, "-1.5", &real, NULL));
	cr_assert_eq(real, -1.5);
	cr_assert_not(csv_rows_integer(rows, 0, "", &integer, &empty));
	cr_assert_not(csv_rows_integer(rows, 0, "12x", &integer, &rest));
	cr_assert_not(csv_rows_unsigned(rows, 0, "-1", &natural, &negative));
	cr_assert_not(csv_rows_real(rows, 0, "1.5s", &real, &real_error));
	cr_assert(g_str_has_suffix(rest->message, ":2: a is \"12x\": expected an integer"), "%s", rest->message);
	csv_rows_close(rows);
}
