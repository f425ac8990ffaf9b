/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <unistd.h>

#include "core/output/text/text_headline.h"

/* What text_headline() writes into a file; free by g_free. */
static char *headline(const struct report_trace *trace, size_t *lines)
{
	struct text_style style = text_style_plain();
	g_autofree char *path = NULL;
	int descriptor = g_file_open_tmp("ros2bt-headline-XXXXXX", &path, NULL);
	struct output_stream *stream = output_stream_create(descriptor, path);
	char *written;

	*lines = text_headline(stream, trace, &style);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	close(descriptor);
	cr_assert(g_file_get_contents(path, &written, NULL, NULL));
	unlink(path);
	return written;
}

Test(text_headline, what_is_missing_goes_on_in_the_next_line_where_it_is_too_long)
{
	g_autofree char *directory = g_strnfill(100, 'd');
	g_autofree char *reason = g_strdup_printf(
		"trace read in part: /%s/ros2_0: ends early: packet beyond /%s/ros2_0", directory, directory);
	const char *missing[] = { reason, "interrupted" };
	struct report_trace trace = { .missing = missing, .missing_count = 2 };
	size_t count;
	g_autofree char *written = headline(&trace, &count);
	g_auto(GStrv) lines = g_strsplit(written, "\n", -1);

	cr_assert_eq(g_strv_length(lines), count + 1); /* nothing follows the last line */
	cr_assert_eq(count, 4);
	cr_expect(g_str_has_prefix(lines[0], "PARTIAL: trace read in part: /ddd"));
	cr_expect(g_str_has_prefix(lines[1], "  "));
	cr_expect_str_eq(lines[2], "PARTIAL: interrupted");
	for (size_t i = 0; lines[i]; i++) {
		cr_expect_leq(strlen(lines[i]), 160, "%s", lines[i]);
	}
}

Test(text_headline, versions_of_tracetools_are_told_with_the_release_that_has_them)
{
	const struct report_version versions[] = { { "8.2.2", "Jazzy" }, { "8.99.0", NULL } };
	struct report_trace trace = { .process_count = 1, .versions = versions, .version_count = 2 };
	size_t count;
	g_autofree char *written = headline(&trace, &count);

	cr_expect_str_eq(written, "ROS 2 latency  1 process\n  tracetools 8.2.2 (Jazzy), 8.99.0\n");
	cr_expect_eq(count, 2);
}

Test(text_headline, a_recording_of_something_else_has_no_processes_to_count)
{
	const char *hosts[] = { "robot" };
	struct report_trace trace = { .hostnames = hosts, .hostname_count = 1 };
	size_t count;
	g_autofree char *of_something_else = headline(&trace, &count);
	g_autofree char *of_a_process = NULL;

	trace.process_count = 1;
	of_a_process = headline(&trace, &count);
	cr_expect_str_eq(of_something_else, "ROS 2 latency  no ROS 2 events  on robot\n");
	cr_expect_str_eq(of_a_process, "ROS 2 latency  1 process  on robot\n");
}
