/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* F_GETPIPE_SZ */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ros2bt/output/output_stream.h"

#define MORE_THAN_A_PIPE_HOLDS (4 * 1024 * 1024)

/* Whoever writes to the pipe waits by then, or is about to. */
static void wait_until_full(int descriptor)
{
	int size = fcntl(descriptor, F_GETPIPE_SZ), held = 0;

	while (ioctl(descriptor, FIONREAD, &held) == 0 && held < size) {
		g_usleep(1000);
	}
}

/* Makes some room in the full pipe, and leaves while the writer waits for more. */
static gpointer read_and_leave(gpointer data)
{
	int descriptor = GPOINTER_TO_INT(data);
	char page[4096];

	wait_until_full(descriptor);
	cr_assert_eq(read(descriptor, page, sizeof(page)), sizeof(page));
	wait_until_full(descriptor);
	close(descriptor);
	return NULL;
}

Test(output_stream, reader_that_leaves_in_the_middle_of_a_write_gives_an_error_and_no_signal, .timeout = 300)
{
	g_autofree char *bytes = g_malloc0(MORE_THAN_A_PIPE_HOLDS);
	g_autoptr(GError) error = NULL;
	struct output_stream *stream;
	GThread *reader;
	int ends[2];

	/* Criterion's own processes ignore it */
	signal(SIGPIPE, SIG_DFL);
	cr_assert_eq(pipe(ends), 0);
	stream = output_stream_create(ends[1], "the pipe");
	reader = g_thread_new("reader", read_and_leave, GINT_TO_POINTER(ends[0]));
	output_stream_bytes(stream, bytes, MORE_THAN_A_PIPE_HOLDS);
	cr_assert_not(output_stream_flush(stream, &error));
	cr_assert(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PIPE));
	g_thread_join(reader);
	output_stream_destroy(stream);
	close(ends[1]);
}
