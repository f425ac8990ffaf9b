/* SPDX-License-Identifier: MIT */
/* Samples of traversals: runs in a row, the slowest besides, and bounds for a row and for all. */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "core/output/json_writer.h"
#include "core/output/page/page_flows.h"
#include "core/output/page/page_rows.h"
#include "ros2bt/output/output_stream.h"

#define HOPS 4

static const struct table_column columns[] = {
	{ .name = "path_id", .id_of = "paths" },
	{ .name = "instance", .means = MEANS_INSTANCE },
	{ .name = "publish_ns", .format = COLUMN_TIME },
	{ .name = "take_ns", .format = COLUMN_TIME },
	{ .name = "callback_start_ns", .format = COLUMN_TIME },
};
static const struct table_schema schema = {
	.name = "path_hop_instances",
	.selection = "paths",
	.kind = KIND_INSTANCES,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static void keep(const char *bytes, size_t size, void *data)
{
	g_string_append_len(data, bytes, (gssize)size);
}

static bool has_row(const void *data, const struct table_schema *instances, uint64_t id)
{
	return true;
}

static char *written(struct page_flows *flows)
{
	const struct page_choice choice = { has_row, NULL };
	GString *text = g_string_new(NULL);
	struct output_stream *stream = output_stream_create_into(keep, text);
	struct json_writer json;

	json_writer_init(&json, stream);
	page_flows_write(flows, &json, 0, &choice);
	cr_assert(output_stream_flush(stream, NULL));
	output_stream_destroy(stream);
	return g_string_free(text, FALSE);
}

/* A traversal of HOPS hops; the first hop has no message. */
static void add(struct table_writer *writer, uint64_t id, uint64_t instance, int64_t latency_ns)
{
	int64_t at_ns = (int64_t)instance * 1000000;

	for (int hop = 0; hop < HOPS; hop++) {
		struct cell message = hop == 0 ? CELL_NONE : cell_integer(at_ns + hop);

		table_row(writer, (struct cell[]){ cell_unsigned(id), cell_unsigned(instance), message, message,
						   cell_integer(hop == HOPS - 1 ? at_ns + latency_ns : at_ns + hop) });
	}
}

static unsigned int count_of(const char *text, const char *what)
{
	unsigned int count = 0;

	for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
		count++;
	}
	return count;
}

/* Of 1000 traversals: runs of 8, of which every sixteenth is kept, and the slowest wherever it is. */
Test(page_flows, samples_runs_and_the_slowest)
{
	struct page_flows *flows = page_flows_create();
	struct table_writer *writer = page_flows_open(flows, &schema);
	g_autofree char *text = NULL;

	for (uint64_t i = 1; i <= 1000; i++) {
		add(writer, 7, i, i == 500 ? 900000 : 1000 - (int64_t)i / 2);
	}
	cr_assert_not_null(page_flows_find(flows, "paths", 7, 500000000, 500900000));
	cr_assert_null(page_flows_find(flows, "paths", 7, 500000000, 500900001));
	cr_assert_null(page_flows_find(flows, "paths", 8, 500000000, 500900000));
	text = written(flows);
	cr_assert_not_null(strstr(text, "\"count\": 1000"), "%s", text);
	cr_assert_not_null(strstr(text, "\"stride\": 16"), "%s", text);
	for (unsigned int i = 0; i < 1000; i++) {
		g_autofree char *begin = g_strdup_printf("[%u, %u000000, null, null, 0", i + 1, i + 1);
		bool is_expected = i / 8 % 16 == 0 || i == 499;

		cr_assert_eq(strstr(text, begin) != NULL, is_expected, "%u", i + 1);
	}
	page_flows_destroy(flows);
}

/* Rows without end: the bound for all holds, and those that are left are slow ones. */
Test(page_flows, has_a_bound_for_all_rows)
{
	struct page_flows *flows = page_flows_create();
	struct table_writer *writer = page_flows_open(flows, &schema);
	g_autofree char *text = NULL;
	unsigned int traversals;

	for (uint64_t i = 1; i <= 40; i++) {
		for (uint64_t id = 0; id < 3000; id++) {
			add(writer, id, i, 1000 + (int64_t)id);
		}
	}
	text = written(flows);
	traversals = count_of(text, "null, null, 0");
	cr_assert_leq(traversals * HOPS, PAGE_FLOW_PARTS);
	cr_assert_geq(traversals * HOPS, PAGE_FLOW_PARTS / 4, "%u", traversals);
	cr_assert_null(strstr(text, "\"id\": 0,"), "the fastest has none");
	cr_assert_not_null(strstr(text, "\"id\": 2999,"), "the slowest has some");
	cr_assert_null(strstr(text, "\"without_room\": 0"));
	page_flows_destroy(flows);
}

/* What is found stays: room for the last traversal of another table is made before anything is found. */
Test(page_flows, finds_the_same_after_another_table)
{
	static const struct table_column named_columns[] = {
		{ .name = "named_path_id", .id_of = "named_paths" },	{ .name = "instance", .means = MEANS_INSTANCE },
		{ .name = "publish_ns", .format = COLUMN_TIME },	{ .name = "take_ns", .format = COLUMN_TIME },
		{ .name = "callback_start_ns", .format = COLUMN_TIME },
	};
	const struct table_schema named = { .name = "named_path_hop_instances",
					    .selection = "named_paths",
					    .kind = KIND_INSTANCES,
					    .columns = named_columns,
					    .column_count = G_N_ELEMENTS(named_columns) };
	struct page_flows *flows = page_flows_create();
	struct table_writer *writer = page_flows_open(flows, &schema), *other = page_flows_open(flows, &named);
	const struct page_traversal *first, *longest;
	uint64_t count = PAGE_FLOW_PARTS / (2 * HOPS); /* each is in the sample and one of the longest */

	for (uint64_t id = 0; id < count; id++) {
		add(writer, id, 1, 1000 + (int64_t)id);
	}
	add(other, 0, 1, 1000000);
	first = page_flows_find(flows, "paths", 0, 1000000, 1001000);
	longest = page_flows_find(flows, "paths", count - 1, 1000000, 1000999 + (int64_t)count);
	cr_assert_not_null(page_flows_find(flows, "named_paths", 0, 1000000, 2000000));
	cr_assert_eq(page_flows_find(flows, "paths", 0, 1000000, 1001000), first);
	cr_assert_not_null(longest);
	cr_assert_eq(page_flows_find(flows, "paths", count - 1, 1000000, 1000999 + (int64_t)count), longest);
	page_flows_destroy(flows);
}

Test(page_flows, takes_parts_of_instances_only)
{
	static const struct table_column whole_columns[] = {
		{ .name = "path_id", .id_of = "paths" },
		{ .name = "start_ns", .format = COLUMN_TIME },
		{ .name = "end_ns", .format = COLUMN_TIME },
	};
	const struct table_schema whole = { .name = "whole",
					    .kind = KIND_INSTANCES,
					    .columns = whole_columns,
					    .column_count = G_N_ELEMENTS(whole_columns) };
	struct page_flows *flows = page_flows_create();
	g_autofree char *text = NULL;

	cr_assert_null(page_flows_open(flows, &whole));
	text = written(flows);
	cr_assert_str_eq(text, "[]");
	page_flows_destroy(flows);
}
