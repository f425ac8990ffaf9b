/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/ctf/file_view.h"

#define SIZE ((size_t)8 * 1024 * 1024 + 100)
#define VIEW_SIZE ((size_t)512 * 1024)

static char *path;
static int descriptor;
static size_t page_size;
static struct file_view view;
static volatile sig_atomic_t has_hole;
static sigjmp_buf before_fault;

static void setup(void)
{
	g_autofree char *content = g_strnfill(SIZE, 'x');

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	descriptor = g_file_open_tmp("ros2bt-view-XXXXXX", &path, NULL);
	cr_assert_geq(descriptor, 0);
	cr_assert_eq(write(descriptor, content, SIZE), (ssize_t)SIZE);
}

static void teardown(void)
{
	file_view_close(&view);
	close(descriptor);
	g_unlink(path);
	g_free(path);
}

TestSuite(file_view, .init = setup, .fini = teardown);

/* The byte at an offset of the file, to which the view moves. */
static volatile const uint8_t *show(uint64_t offset, size_t size)
{
	cr_assert(file_view_move(&view, descriptor, offset, size, &has_hole));
	cr_assert(file_view_has(&view, offset, size, &has_hole));
	return view.bytes + (offset - view.offset);
}

/* Memory of files that this process has in use, in bytes. */
static size_t memory_of_files(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	size_t total, resident, shared;

	cr_assert_eq(fscanf(file, "%zu %zu %zu", &total, &resident, &shared), 3);
	fclose(file);
	return shared * page_size;
}

Test(file_view, nothing_is_viewed_before_a_program_asks_for_it)
{
	struct sigaction before, after;

	cr_assert_eq(sigaction(SIGBUS, NULL, &before), 0);
	cr_assert_not(file_view_move(&view, descriptor, 0, VIEW_SIZE, &has_hole));
	cr_assert_eq(sigaction(SIGBUS, NULL, &after), 0);
	cr_assert_eq(before.sa_handler, after.sa_handler);
}

Test(file_view, the_bytes_are_those_of_the_file)
{
	file_views_allow();
	cr_assert_eq(pwrite(descriptor, "abc", 3, 12345), 3);
	cr_assert_eq(*show(12346, 1), 'b');
	cr_assert_eq(*show(1, VIEW_SIZE), 'x');
	cr_assert_eq(*show(SIZE - 1, VIEW_SIZE), 'x');
	cr_assert_eq(*show(12347, 10 * VIEW_SIZE), 'c', "a larger view");
	cr_assert_not(has_hole);
}

Test(file_view, it_has_what_it_was_moved_to)
{
	volatile sig_atomic_t other = 0;

	file_views_allow();
	cr_assert_not(file_view_has(&view, 0, 1, &has_hole));
	show(page_size + 1, VIEW_SIZE);
	cr_assert(file_view_has(&view, page_size, VIEW_SIZE, &has_hole));
	cr_assert_not(file_view_has(&view, page_size - 1, 1, &has_hole));
	cr_assert_not(file_view_has(&view, page_size, 2 * VIEW_SIZE, &has_hole));
	cr_assert_not(file_view_has(&view, 3 * VIEW_SIZE, 1, &has_hole));
	cr_assert_not(file_view_has(&view, page_size, VIEW_SIZE, &other), "of another file");
	file_view_close(&view);
	cr_assert_not(file_view_has(&view, page_size, 1, &has_hole));
}

Test(file_view, the_descriptor_may_be_closed)
{
	volatile const uint8_t *bytes;

	file_views_allow();
	bytes = show(SIZE / 2, VIEW_SIZE);
	close(descriptor);
	cr_assert_eq(*bytes, 'x');
	descriptor = open("/dev/null", O_RDONLY);
}

Test(file_view, what_the_file_has_lost_are_zeros_and_noted)
{
	struct file_view other = { 0 };
	volatile sig_atomic_t other_has_hole = 0;
	volatile const uint8_t *bytes;

	file_views_allow();
	bytes = show(0, VIEW_SIZE);
	cr_assert(file_view_move(&other, descriptor, 0, page_size, &other_has_hole));
	cr_assert_eq(ftruncate(descriptor, (off_t)(3 * page_size)), 0);
	cr_assert_eq(bytes[3 * page_size - 1], 'x');
	cr_assert_not(has_hole);
	for (size_t at = VIEW_SIZE; at-- > 3 * page_size;) {
		cr_assert_eq(bytes[at], 0, "byte %zu", at);
	}
	cr_assert(has_hole);
	cr_assert_eq(bytes[3 * page_size - 1], 'x', "what is in front of the hole is still there");
	cr_assert_eq(*other.bytes, 'x');
	cr_assert_not(other_has_hole);
	file_view_close(&other);
}

Test(file_view, a_view_of_what_is_lost_already_is_zeros)
{
	file_views_allow();
	cr_assert_eq(ftruncate(descriptor, 0), 0);
	cr_assert_eq(*show(SIZE - 1, 1), 0);
	cr_assert(has_hole);
	has_hole = 0;
	cr_assert_eq(*show(0, 1), 0, "the next one has a hole of its own");
	cr_assert(has_hole);
}

Test(file_view, memory_is_that_of_the_view)
{
	size_t before, most = 0;

	file_views_allow();
	before = memory_of_files();
	for (size_t at = 0; at < SIZE; at += page_size) {
		if (!file_view_has(&view, at, 1, &has_hole)) {
			show(at, VIEW_SIZE);
		}
		cr_assert_eq(view.bytes[at - view.offset], 'x');
		most = MAX(most, memory_of_files() - before);
	}
	/* the kernel counts in steps */
	cr_assert_lt(most, SIZE / 4, "%zu bytes", most);
	file_view_close(&view);
	cr_assert_null(view.bytes);
}

static void jump_back(int signal_number)
{
	(void)signal_number;
	siglongjmp(before_fault, 1);
}

Test(file_view, a_fault_elsewhere_is_for_the_handler_before)
{
	volatile const uint8_t *foreign = mmap(NULL, page_size, PROT_READ, MAP_SHARED, descriptor, 0);

	signal(SIGBUS, jump_back);
	file_views_allow();
	show(0, VIEW_SIZE);
	cr_assert_eq(ftruncate(descriptor, 0), 0);
	if (sigsetjmp(before_fault, 1) == 0) {
		cr_assert_eq(*foreign, 0);
		cr_assert_fail("the handler before was not called");
	}
	cr_assert_not(has_hole);
}

Test(file_view, a_fault_elsewhere_ends_the_program_if_there_was_no_handler, .signal = SIGBUS)
{
	volatile const uint8_t *foreign = mmap(NULL, page_size, PROT_READ, MAP_SHARED, descriptor, 0);

	signal(SIGBUS, SIG_DFL);
	file_views_allow();
	show(0, VIEW_SIZE);
	cr_assert_eq(ftruncate(descriptor, 0), 0);
	g_unlink(path);
	cr_assert_eq(*foreign, 0);
}

Test(file_view, a_signal_that_is_sent_is_for_the_handler_before)
{
	signal(SIGBUS, jump_back);
	file_views_allow();
	if (sigsetjmp(before_fault, 1) == 0) {
		kill(getpid(), SIGBUS);
		cr_assert_fail("the handler before was not called");
	}
}

Test(file_view, a_handler_that_came_since_gets_what_concerns_no_view_once_they_are_allowed_again)
{
	file_views_allow();
	signal(SIGBUS, jump_back);
	file_views_allow();
	file_views_allow();
	show(0, VIEW_SIZE);
	cr_assert_eq(ftruncate(descriptor, 0), 0);
	if (sigsetjmp(before_fault, 1) == 0) {
		cr_assert_eq(*(volatile const uint8_t *)view.bytes, 0);
	} else {
		cr_assert_fail("it was called for a view");
	}
	cr_assert(has_hole);
	if (sigsetjmp(before_fault, 1) == 0) {
		kill(getpid(), SIGBUS);
		cr_assert_fail("it was not called");
	}
}

Test(file_view, a_file_that_cannot_be_viewed_leaves_nothing_in_view)
{
	int ends[2];

	file_views_allow();
	show(0, VIEW_SIZE);
	cr_assert_eq(pipe(ends), 0);
	cr_assert_not(file_view_move(&view, ends[0], 0, VIEW_SIZE, &has_hole));
	cr_assert_null(view.bytes);
	close(ends[0]);
	close(ends[1]);
	cr_assert_eq(*show(0, VIEW_SIZE), 'x');
}
