/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static char *graph_of_rows(void (*write_rows)(struct table_writer *writer, const uint64_t *numbers),
			   const uint64_t *numbers, const struct row_choice *choice)
{
	g_autofree char *directory = g_dir_make_tmp("ros2bt-dot-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "graph.dot", NULL);
	struct report_options options = { .format = &dot_output, .directory = directory, .choice = *choice };
	struct report *report = report_create(&options, NULL);
	struct table_writer *writer = report_tables(report)->open(report_tables(report), &schema);
	char *text = NULL;

	write_rows(writer, numbers);
	cr_assert(report_finish(report, &(struct report_trace){ 0 }, NULL));
	report_destroy(report);
	cr_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_remove(path);
	g_rmdir(directory);
	return text;
}

static void write_pair(struct table_writer *writer, const uint64_t *numbers)
{
	table_row(writer,
		  (struct cell[]){ cell_text("/a"), cell_text("/talker"), cell_text("/listener"), cell_unsigned(10),
				   cell_unsigned(numbers[0]), cell_unsigned(numbers[1]), cell_real(10) });
}

/* The graph of a talker and a listener that received 10 messages at 10 Hz. */
static char *graph_of(uint64_t lost, uint64_t overwritten)
{
	return graph_of_rows(write_pair, (uint64_t[]){ lost, overwritten }, &(struct row_choice){ 0 });
}

static char *node_name(uint64_t number)
{
	return g_strdup_printf("/group_%d/node_%d", (int)(number % 4), (int)number);
}

/* 48 nodes, 288 topics of one publisher and one subscription: two from each node to each of the next three. */
static void write_mesh(struct table_writer *writer, const uint64_t *numbers)
{
	for (uint64_t i = 0; i < 288; i++) {
		g_autofree char *topic = g_strdup_printf("/topic_%d", (int)i);
		g_autofree char *from = node_name(i / 6), *to = node_name((i / 6 + 1 + i % 3) % 48);

		table_row(writer, (struct cell[]){ cell_text(topic), cell_text(from), cell_text(to), cell_unsigned(10),
						   cell_unsigned(i == 200), cell_unsigned(0), cell_real(10) });
	}
}

static size_t count_of(const char *text, const char *part)
{
	g_auto(GStrv) pieces = g_strsplit(text, part, -1);

	return g_strv_length(pieces) - 1;
}

/* The width of the layout in points, 0 if there is no Graphviz. */
static int width_of(const char *graph)
{
	g_autofree char *program = g_find_program_in_path("dot");
	g_autofree char *path = NULL, *svg = NULL, *command = NULL;
	int file = g_file_open_tmp("ros2bt-XXXXXX.dot", &path, NULL);
	const char *width;

	cr_assert_geq(file, 0);
	close(file);
	if (program && g_file_set_contents(path, graph, -1, NULL)) {
		command = g_strdup_printf("dot -Tsvg %s", path);
		cr_assert(g_spawn_command_line_sync(command, &svg, NULL, NULL, NULL));
	}
	g_remove(path);
	width = svg ? strstr(svg, "<svg width=\"") : NULL;
	return width ? atoi(width + strlen("<svg width=\"")) : 0;
}

Test(output_dot, of_a_large_graph_a_legible_part_is_drawn)
{
	g_autofree char *graph = graph_of_rows(write_mesh, NULL, &(struct row_choice){ 0 });

	cr_assert_eq(count_of(graph, " -> "), 40, "%s", graph);
	cr_assert_eq(count_of(graph, "shape=box"), 0);
	cr_assert_eq(count_of(graph, ", color=red"), 1, "what lost messages is drawn first");
	cr_assert(strstr(graph, "40 of 144 connections of 48 nodes"), "%s", graph);
	cr_assert_eq(count_of(graph, "fillcolor=\"/pastel28/"), 4, "a colour for each namespace: %s", graph);
	cr_assert_eq(count_of(graph, "subgraph"), 0, "boxes around namespaces tangle the edges");
	cr_assert(strstr(graph, "\\nand 1 more\\n20 Hz"), "%s", graph);
	cr_assert_leq(width_of(graph), 3000); /* 4000 pixels */
}

Test(output_dot, all_of_a_large_graph_is_drawn_if_asked_for)
{
	g_autofree char *graph = graph_of_rows(write_mesh, NULL, &(struct row_choice){ .has_top = true });
	g_autofree char *five = graph_of_rows(write_mesh, NULL, &(struct row_choice){ .has_top = true, .top = 5 });

	cr_assert_eq(count_of(graph, "shape=box"), 288);
	cr_assert_eq(count_of(graph, " -> "), 576);
	cr_assert_eq(count_of(five, " -> "), 5);
}

/* A pipeline of so many nodes. */
static void write_pipeline(struct table_writer *writer, const uint64_t *numbers)
{
	for (uint64_t i = 0; i + 1 < numbers[0]; i++) {
		g_autofree char *topic = g_strdup_printf("/stage_%d", (int)i);
		g_autofree char *from = node_name(i), *to = node_name(i + 1);

		table_row(writer, (struct cell[]){ cell_text(topic), cell_text(from), cell_text(to), cell_unsigned(10),
						   cell_unsigned(0), cell_unsigned(0), cell_real(10) });
	}
}

Test(output_dot, a_long_pipeline_runs_from_top_to_bottom)
{
	g_autofree char *small = graph_of_rows(write_pipeline, (uint64_t[]){ 5 }, &(struct row_choice){ 0 });
	g_autofree char *graph = graph_of_rows(write_pipeline, (uint64_t[]){ 40 }, &(struct row_choice){ 0 });

	cr_assert(strstr(small, "rankdir=LR"), "%s", small);
	cr_assert(strstr(graph, "rankdir=TB"), "%s", graph);
	cr_assert_eq(count_of(graph, "shape=box"), 39, "it is whole");
	cr_assert_leq(width_of(graph), 3000); /* 4000 pixels */
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
