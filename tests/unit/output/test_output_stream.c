/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <unistd.h>

#include "core/output/output_stream.h"

#define MORE_THAN_A_PIPE_HOLDS (4 * 1024 * 1024)

/* Makes some room in the full pipe, and leaves while the writer waits for more. */
static gpointer read_and_leave(gpointer data)
{
	int descriptor = GPOINTER_TO_INT(data);
	char page[4096];

	g_usleep(100000);
	cr_assert_eq(read(descriptor, page, sizeof(page)), sizeof(page));
	g_usleep(100000);
	close(descriptor);
	return NULL;
}

Test(output_stream, reader_that_leaves_in_the_middle_of_a_write_gives_an_error_and_no_signal)
{
	g_autofree char *bytes = g_malloc0(MORE_THAN_A_PIPE_HOLDS);
	struct output_stream *stream;
	GThread *reader;
	int ends[2];

	/* Criterion's own processes ignore it */
	signal(SIGPIPE, SIG_DFL);
	cr_assert_eq(pipe(ends), 0);
	stream = output_stream_create(ends[1], "the pipe");
	reader = g_thread_new("reader", read_and_leave, GINT_TO_POINTER(ends[0]));
	output_stream_bytes(stream, bytes, MORE_THAN_A_PIPE_HOLDS);
	cr_assert_not(output_stream_flush(stream, NULL));
	cr_assert_eq(output_stream_error_number(stream), EPIPE);
	g_thread_join(reader);
	output_stream_destroy(stream);
	close(ends[1]);
}
