/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/output/outputs.h"
#include "core/tables/table.h"
#include "ros2bt/output/report.h"

static const struct table_column columns[] = {
	{ .name = "topic", .means = MEANS_TOPIC },
	{ .name = "from", .means = MEANS_NODE, .side = SIDE_SENDER },
	{ .name = "to", .means = MEANS_NODE, .side = SIDE_RECEIVER },
	{ .name = "received", .means = MEANS_RECEIVED },
	{ .name = "lost", .means = MEANS_LOST },
	{ .name = "overwritten", .means = MEANS_OVERWRITTEN },
	{ .name = "rate_hz", .means = MEANS_RATE },
};
static const struct table_schema schema = {
	.name = "messages",
	.selection = "messages",
	.subject = SUBJECT_MESSAGES,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

/* The graph of a talker and a listener that received 10 messages at 10 Hz. */
static char *graph_of(uint64_t lost, uint64_t overwritten)
{
	g_autofree char *directory = g_dir_make_tmp("ros2bt-dot-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "graph.dot", NULL);
	struct report_options options = { .format = &dot_output, .directory = directory };
	struct report *report = report_create(&options, NULL);
	struct table_writer *writer = report_tables(report)->open(report_tables(report), &schema);
	char *text = NULL;

	table_row(writer,
		  (struct cell[]){ cell_text("/a"), cell_text("/talker"), cell_text("/listener"), cell_unsigned(10),
				   cell_unsigned(lost), cell_unsigned(overwritten), cell_real(10) });
	cr_assert(report_finish(report, &(struct report_trace){ 0 }, NULL));
	report_destroy(report);
	cr_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_remove(path);
	g_rmdir(directory);
	return text;
}

Test(output_dot, what_was_lost_was_published)
{
	g_autofree char *graph = graph_of(10, 0);

	cr_assert(strstr(graph, "\"n_/talker\" -> \"t_/a\" [label=\"20 Hz\""), "%s", graph);
	cr_assert(strstr(graph, "\"t_/a\" -> \"n_/listener\" [label=\"10 Hz\\n10 lost\""), "%s", graph);
}

Test(output_dot, what_was_overwritten_was_published_but_is_no_loss)
{
	g_autofree char *graph = graph_of(0, 20);

	cr_assert(strstr(graph, "\"n_/talker\" -> \"t_/a\" [label=\"30 Hz\""), "%s", graph);
	cr_assert(strstr(graph, "\"t_/a\" -> \"n_/listener\" [label=\"10 Hz\""), "%s", graph);
	cr_assert_null(strstr(graph, "red"), "%s", graph);
}
