/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "ros2bt/mapped_file.h"

#define SIZE (5 * 4096 + 100)

static char *path;
static struct mapped_file *file;

static void setup(void)
{
	g_autofree char *content = g_strnfill(SIZE, 'x');
	int descriptor = g_file_open_tmp("ros2bt-mapped-XXXXXX", &path, NULL);

	cr_assert_geq(descriptor, 0);
	close(descriptor);
	cr_assert(g_file_set_contents(path, content, SIZE, NULL));
	file = mapped_file_open(path, NULL);
	cr_assert_not_null(file);
}

static void teardown(void)
{
	mapped_file_close(file);
	g_unlink(path);
	g_free(path);
}

TestSuite(mapped_file, .init = setup, .fini = teardown);

static size_t count_of(char byte)
{
	size_t count = 0;

	for (size_t i = 0; i < mapped_file_size(file); i++) {
		count += mapped_file_bytes(file)[i] == (uint8_t)byte;
	}
	return count;
}

Test(mapped_file, a_file_is_in_memory)
{
	cr_assert_eq(mapped_file_size(file), SIZE);
	cr_assert_eq(count_of('x'), SIZE);
	cr_assert_str_eq(mapped_file_path(file), path);
	cr_assert(mapped_file_is_whole(file));
}

Test(mapped_file, what_is_cut_off_is_zeros_and_told)
{
	cr_assert_eq(truncate(path, 4096 + 10), 0);
	cr_assert_eq(count_of('x'), 4096 + 10);
	cr_assert_eq(count_of('\0'), SIZE - 4096 - 10);
	cr_assert_not(mapped_file_is_whole(file));
}

Test(mapped_file, a_cut_is_told_even_if_the_file_has_grown_again)
{
	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(count_of('\0'), SIZE);
	cr_assert_eq(truncate(path, SIZE), 0);
	cr_assert_not(mapped_file_is_whole(file));
}

Test(mapped_file, a_cut_within_the_last_page_is_told)
{
	cr_assert_eq(truncate(path, SIZE - 1), 0);
	cr_assert_eq(count_of('x'), SIZE - 1);
	cr_assert_not(mapped_file_is_whole(file));
}

Test(mapped_file, a_file_that_grows_is_removed_or_replaced_stays_whole)
{
	cr_assert_eq(truncate(path, 10 * SIZE), 0);
	cr_assert(mapped_file_is_whole(file));
	cr_assert_eq(g_unlink(path), 0);
	cr_assert(mapped_file_is_whole(file));
	cr_assert(g_file_set_contents(path, "short", -1, NULL));
	cr_assert(mapped_file_is_whole(file));
	cr_assert_eq(count_of('x'), SIZE);
}

Test(mapped_file, of_several_files_the_cut_one_is_told)
{
	struct mapped_file *other;
	g_autofree char *other_path = g_strconcat(path, ".other", NULL);

	cr_assert(g_file_set_contents(other_path, "other", -1, NULL));
	other = mapped_file_open(other_path, NULL);
	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(count_of('\0'), SIZE);
	cr_assert(mapped_file_is_whole(other));
	cr_assert_eq(memcmp(mapped_file_bytes(other), "other", 5), 0);
	mapped_file_close(other);
	g_unlink(other_path);
}

Test(mapped_file, an_empty_file_has_no_bytes)
{
	struct mapped_file *empty;
	g_autofree char *empty_path = g_strconcat(path, ".empty", NULL);

	cr_assert(g_file_set_contents(empty_path, "", -1, NULL));
	empty = mapped_file_open(empty_path, NULL);
	cr_assert_eq(mapped_file_size(empty), 0);
	cr_assert(mapped_file_is_whole(empty));
	mapped_file_close(empty);
	g_unlink(empty_path);
}

Test(mapped_file, a_file_that_cannot_be_opened_is_named)
{
	g_autoptr(GError) error = NULL;

	cr_assert_null(mapped_file_open("/nonexistent/file", &error));
	cr_assert(strstr(error->message, "/nonexistent/file"));
}

/* Whatever else raises SIGBUS ends the process as ever. */
Test(mapped_file, other_bus_errors_are_left_alone, .signal = SIGBUS)
{
	GMappedFile *other = g_mapped_file_new(path, FALSE, NULL);

	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(*(volatile char *)g_mapped_file_get_contents(other), 'x');
}
