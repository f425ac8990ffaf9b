/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <unistd.h>

#include "core/output/text/text_line.h"

/* What text_line_write_wrapped() writes; free by g_free. */
static char *wrapped(const char *text, size_t width, size_t expected_lines)
{
	g_autoptr(GString) line = g_string_new(text);
	g_autofree char *path = NULL;
	int descriptor = g_file_open_tmp("ros2bt-line-XXXXXX", &path, NULL);
	struct output_stream *stream = output_stream_create(descriptor, path);
	char *written;

	cr_assert_eq(text_line_write_wrapped(stream, line, width, TEXT_INDENT_WRAPPED), expected_lines);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	close(descriptor);
	cr_assert(g_file_get_contents(path, &written, NULL, NULL));
	unlink(path);
	return written;
}

static void expect(const char *text, size_t width, size_t expected_lines, const char *expected)
{
	g_autofree char *written = wrapped(text, width, expected_lines);

	cr_assert_str_eq(written, expected);
}

Test(text_line, goes_on_in_the_next_line_where_it_is_too_long)
{
	expect("", 20, 1, "\n");
	expect("one two", 7, 1, "one two\n");
	expect("one two three four", 9, 3, "one two\n  three\n  four\n");
	expect("µµµµ µµµ", 8, 1, "µµµµ µµµ\n");
}

Test(text_line, breaks_no_word)
{
	expect("something long", 4, 2, "something\n  long\n");
	expect("a something", 4, 2, "a\n  something\n");
}

Test(text_line, breaks_words_that_no_line_may_have)
{
	g_autofree char *name = g_strnfill(400, 'n');
	g_autofree char *text = g_strdup_printf("late: %s of all", name);
	g_autofree char *written = wrapped(text, 100, 4);
	g_auto(GStrv) lines = g_strsplit(written, "\n", -1);
	size_t letters = 0;

	for (size_t i = 0; lines[i]; i++) {
		cr_assert_leq(strlen(lines[i]), 160, "%s", lines[i]);
	}
	for (const char *letter = written; (letter = strchr(letter, 'n')); letter++) {
		letters++;
	}
	cr_assert_eq(letters, 400);
}

static void expect_fitting(const char *text, size_t width, size_t length)
{
	cr_expect_eq(text_line_fitting(text, width), length, "%s: %zu, not %zu", text, text_line_fitting(text, width),
		     length);
}

Test(text_line, as_much_fits_as_the_columns_of_the_terminal_hold)
{
	expect_fitting("one two", 7, 7);
	expect_fitting("one two", 6, 3);
	expect_fitting("one two", 4, 3);
	expect_fitting("one two", 3, 3);
	expect_fitting("one two", 2, 2);
	expect_fitting(" onetwo", 4, 4);
	expect_fitting("漢字", 3, 3);
	expect_fitting("漢字", 1, 3);
	expect_fitting("e\xCC\x81x", 1, 3);
	expect_fitting("", 1, 0);
}
