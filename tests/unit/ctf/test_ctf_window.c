/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/ctf/ctf_window.h"

#define SIZE ((size_t)3 * CTF_WINDOW_VIEW_MIN)

static char *paths[2];
static struct trace_file *files[2];
static struct ctf_window window;

static void setup(void)
{
	window.arena = arena_create();
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *content = g_strnfill(SIZE, "xy"[i]);
		int descriptor = g_file_open_tmp("ros2bt-window-XXXXXX", &paths[i], NULL);

		cr_assert_geq(descriptor, 0);
		close(descriptor);
		cr_assert(g_file_set_contents(paths[i], content, SIZE, NULL));
		files[i] = trace_file_open(paths[i], NULL);
		cr_assert_not_null(files[i]);
	}
}

static void teardown(void)
{
	ctf_window_close(&window);
	arena_destroy(window.arena);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		trace_file_close(files[i]);
		g_unlink(paths[i]);
		g_free(paths[i]);
	}
}

TestSuite(ctf_window, .init = setup, .fini = teardown);

Test(ctf_window, large_ones_are_views_and_small_ones_copies)
{
	file_views_allow();
	ctf_window_open(&window, files[0], 100, SIZE - 100);
	ctf_window_move(&window, 1000, CTF_WINDOW_VIEW_MIN - 1);
	cr_assert_eq(window.begin, 512);
	cr_assert_eq(window.bytes, window.copy);
	ctf_window_move(&window, 1000, CTF_WINDOW_VIEW_MIN);
	cr_assert_neq(window.bytes, window.copy);
	cr_assert_eq(window.bytes[window.size - 1], 'x');
	cr_assert_not(ctf_window_is_last(&window));
	ctf_window_move(&window, 1000, SIZE);
	cr_assert(ctf_window_is_last(&window));
	cr_assert_eq(window.bytes[window.size - 1], 'x');
}

Test(ctf_window, nothing_of_a_file_stays_in_view_once_another_one_is_read)
{
	file_views_allow();
	ctf_window_open(&window, files[0], 0, SIZE);
	ctf_window_move(&window, 0, CTF_WINDOW_VIEW_MIN);
	cr_assert_not_null(window.view.bytes);
	ctf_window_open(&window, files[0], CTF_WINDOW_VIEW_MIN, CTF_WINDOW_VIEW_MIN);
	cr_assert_not_null(window.view.bytes, "the next packet of the file");
	ctf_window_open(&window, files[1], 0, SIZE);
	cr_assert_null(window.view.bytes);
	ctf_window_move(&window, 0, CTF_WINDOW_VIEW_MIN - 1);
	cr_assert_eq(window.bytes[0], 'y');
	cr_assert_null(window.view.bytes);
}

/* A packet is larger than the one before, then an event larger than the window. */
Test(ctf_window, a_copy_has_room_for_its_window)
{
	ctf_window_open(&window, files[0], 0, 100);
	ctf_window_move(&window, 0, 4096);
	cr_assert_eq(window.copy_size, 100);
	ctf_window_open(&window, files[1], 0, 1000);
	ctf_window_move(&window, 0, 4096);
	cr_assert_eq(window.bytes[999], 'y');
	cr_assert_eq(window.copy_size, 4096);
	ctf_window_open(&window, files[1], 0, SIZE);
	ctf_window_move(&window, 0, CTF_WINDOW_VIEW_MIN - 1);
	cr_assert_eq(window.bytes, window.copy);
	cr_assert_eq(window.bytes[window.size - 1], 'y');
	cr_assert_geq(window.copy_size, window.size);
}

Test(ctf_window, the_copy_of_one_that_is_closed_is_room_for_the_next)
{
	const uint8_t *copy;

	ctf_window_open(&window, files[0], 0, SIZE);
	ctf_window_move(&window, 0, 4096);
	copy = window.copy;
	ctf_window_close(&window);
	cr_assert_null(window.bytes);
	ctf_window_open(&window, files[1], 0, SIZE);
	ctf_window_move(&window, 0, 4096);
	cr_assert_eq(window.copy, copy);
	cr_assert_eq(window.bytes[4095], 'y');
}
