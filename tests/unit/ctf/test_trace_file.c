/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* AT_EMPTY_PATH */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ctf/trace_file.h"

#define SIZE (5 * 4096 + 100)

/* While not 0, fstat() fails with it, as on a file that is too large for a 32-bit program. */
static int fstat_error;

int fstat(int fd, struct stat *buf)
{
	if (fstat_error != 0) {
		errno = fstat_error;
		return -1;
	}
	return fstatat(fd, "", buf, AT_EMPTY_PATH);
}

static char *path;
static struct trace_file *file;
static struct file_view view;

static void setup(void)
{
	g_autofree char *content = g_strnfill(SIZE, 'x');
	int descriptor = g_file_open_tmp("ros2bt-file-XXXXXX", &path, NULL);

	cr_assert_geq(descriptor, 0);
	close(descriptor);
	cr_assert(g_file_set_contents(path, content, SIZE, NULL));
	file = trace_file_open(path, NULL);
	cr_assert_not_null(file);
}

static void teardown(void)
{
	file_view_close(&view);
	trace_file_close(file);
	g_unlink(path);
	g_free(path);
}

TestSuite(trace_file, .init = setup, .fini = teardown);

static size_t count_of(char byte)
{
	g_autofree char *bytes = g_malloc(SIZE);
	size_t count = 0;

	trace_file_read(file, 0, bytes, SIZE);
	for (size_t i = 0; i < SIZE; i++) {
		count += bytes[i] == byte;
	}
	return count;
}

/* From now on no file is kept open. */
static void open_again_without_descriptors(void)
{
	int next = open(path, O_RDONLY);
	struct rlimit limit = { (rlim_t)next + 1, (rlim_t)next + 1 };

	close(next);
	trace_file_close(file);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	file = trace_file_open(path, NULL);
	cr_assert_not_null(file);
}

Test(trace_file, a_file_is_read)
{
	cr_assert_eq(trace_file_size(file), SIZE);
	cr_assert_eq(count_of('x'), SIZE);
	cr_assert_str_eq(trace_file_path(file), path);
	cr_assert(trace_file_is_whole(file));
}

Test(trace_file, what_is_cut_off_is_zeros_and_told)
{
	cr_assert_eq(truncate(path, 4096 + 10), 0);
	cr_assert_eq(count_of('x'), 4096 + 10);
	cr_assert_eq(count_of('\0'), SIZE - 4096 - 10);
	cr_assert_not(trace_file_is_whole(file));
}

Test(trace_file, a_cut_is_told_even_if_the_file_has_grown_again)
{
	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(count_of('\0'), SIZE);
	cr_assert_eq(truncate(path, SIZE), 0);
	cr_assert_not(trace_file_is_whole(file));
}

Test(trace_file, a_cut_within_the_last_page_is_told)
{
	cr_assert_eq(truncate(path, SIZE - 1), 0);
	cr_assert_eq(count_of('x'), SIZE - 1);
	cr_assert_not(trace_file_is_whole(file));
}

Test(trace_file, a_file_that_grows_is_removed_or_replaced_stays_whole)
{
	cr_assert_eq(truncate(path, 10 * SIZE), 0);
	cr_assert(trace_file_is_whole(file));
	cr_assert_eq(g_unlink(path), 0);
	cr_assert(trace_file_is_whole(file));
	cr_assert(g_file_set_contents(path, "short", -1, NULL));
	cr_assert(trace_file_is_whole(file));
	cr_assert_eq(count_of('x'), SIZE);
}

Test(trace_file, a_file_that_is_opened_for_each_read_is_the_same_file)
{
	open_again_without_descriptors();
	cr_assert_eq(count_of('x'), SIZE);
	cr_assert(trace_file_is_whole(file));
	cr_assert_eq(truncate(path, SIZE - 1), 0);
	cr_assert_eq(count_of('x'), SIZE - 1);
	cr_assert_not(trace_file_is_whole(file));
}

Test(trace_file, another_file_in_the_place_of_one_that_is_opened_for_each_read_is_not_read)
{
	g_autofree char *old_path = g_strconcat(path, ".old", NULL);

	open_again_without_descriptors();
	/* not removed: the other file could get its number */
	cr_assert_eq(g_rename(path, old_path), 0);
	cr_assert(g_file_set_contents(path, "yyyy", -1, NULL));
	cr_assert_eq(truncate(path, SIZE), 0);
	cr_assert_eq(count_of('\0'), SIZE);
	cr_assert_not(trace_file_is_whole(file));
	g_unlink(old_path);
}

static const uint8_t *view_of(uint64_t offset)
{
	return trace_file_view(file, &view, offset, 1, 1);
}

Test(trace_file, a_file_is_viewed_if_that_is_allowed)
{
	cr_assert_null(view_of(0));
	file_views_allow();
	cr_assert_eq(*view_of(SIZE - 1), 'x');
	cr_assert_eq(*view_of(0), 'x');
	cr_assert_eq(count_of('x'), SIZE, "it can be copied as well");
	cr_assert(trace_file_is_whole(file));
}

Test(trace_file, a_cut_is_told_of_a_viewed_file_even_if_it_has_grown_again)
{
	file_views_allow();
	cr_assert_eq(*view_of(0), 'x');
	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(*view_of(SIZE - 1), 0);
	cr_assert_eq(truncate(path, SIZE), 0);
	cr_assert_not(trace_file_is_whole(file));
	file_view_close(&view);
	cr_assert_not(trace_file_is_whole(file));
}

Test(trace_file, a_file_that_is_opened_for_each_view_is_the_same_file)
{
	g_autofree char *old_path = g_strconcat(path, ".old", NULL);

	file_views_allow();
	open_again_without_descriptors();
	cr_assert_eq(*view_of(SIZE - 1), 'x');
	file_view_close(&view);
	cr_assert_eq(g_rename(path, old_path), 0);
	cr_assert(g_file_set_contents(path, "yyyy", -1, NULL));
	cr_assert_null(view_of(0));
	g_unlink(old_path);
}

Test(trace_file, of_several_files_the_cut_one_is_told)
{
	struct trace_file *other;
	g_autofree char *other_path = g_strconcat(path, ".other", NULL);
	char bytes[4];

	cr_assert(g_file_set_contents(other_path, "other", -1, NULL));
	other = trace_file_open(other_path, NULL);
	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(count_of('\0'), SIZE);
	cr_assert(trace_file_is_whole(other));
	trace_file_read(other, 1, bytes, 4);
	cr_assert_eq(memcmp(bytes, "ther", 4), 0);
	trace_file_close(other);
	g_unlink(other_path);
}

Test(trace_file, an_empty_file_is_whole)
{
	struct trace_file *empty;
	g_autofree char *empty_path = g_strconcat(path, ".empty", NULL);

	cr_assert(g_file_set_contents(empty_path, "", -1, NULL));
	empty = trace_file_open(empty_path, NULL);
	cr_assert_eq(trace_file_size(empty), 0);
	cr_assert(trace_file_is_whole(empty));
	trace_file_close(empty);
	g_unlink(empty_path);
}

Test(trace_file, a_file_that_cannot_be_opened_is_named)
{
	g_autoptr(GError) error = NULL;

	cr_assert_null(trace_file_open("/nonexistent/file", &error));
	cr_assert(strstr(error->message, "/nonexistent/file"));
}

Test(trace_file, what_is_no_regular_file_is_refused)
{
	g_autoptr(GError) error = NULL;

	cr_assert_null(trace_file_open("/dev", &error));
	cr_assert(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_INVAL));
}

Test(trace_file, the_reason_of_fstat_is_given)
{
	g_autoptr(GError) error = NULL;

	errno = 0;
	fstat_error = EOVERFLOW;
	cr_assert_null(trace_file_open(path, &error));
	fstat_error = 0;
	cr_assert_not_null(strstr(error->message, g_strerror(EOVERFLOW)), "%s", error->message);
}
