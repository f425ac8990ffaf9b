/* SPDX-License-Identifier: MIT */
/* Every type of field, with all its properties, through the filters that copy events, and the one that compares them.
 */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/test_graph.h"
#include "support/typed_fields.h"
#include "support/typed_source.h"

/* What sink.text.details writes of the events behind filters of the plugin, a NULL behind the last. */
static char *details(const char *const *filters, uint64_t mip_version)
{
	g_autoptr(test_graph) graph = test_graph_create_from(typed_source_add, "other:typed", mip_version);
	g_autofree char *path = NULL;
	int file = g_file_open_tmp("ros2bt-field-types-XXXXXX", &path, NULL);
	int standard_output = dup(STDOUT_FILENO);
	char *text = NULL;

	for (; *filters; filters++) {
		cr_assert(test_graph_add(graph, *filters, ""), "%s", test_graph_error(graph));
	}
	test_graph_add_details(graph);
	cr_assert(dup2(file, STDOUT_FILENO) >= 0);
	cr_assert_str_eq(test_graph_run(graph), "", "%s", test_graph_error(graph));
	fflush(stdout);
	dup2(standard_output, STDOUT_FILENO);
	cr_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_remove(path);
	close(file);
	close(standard_output);
	return text;
}

/*
 * An event class appears in the text when it is there, and flow copies one when its first event comes. Normalize, which
 * here holds everything back until the end, has copied all classes before it delivers the first message.
 */
static void assert_copied(uint64_t mip_version)
{
	g_autofree char *original = details((const char *const[]){ NULL }, mip_version);
	g_autofree char *copy = details((const char *const[]){ "normalize", NULL }, mip_version);
	g_autofree char *copy_of_copy = details((const char *const[]){ "flow", "normalize", NULL }, mip_version);

	cr_assert(strstr(original, "variant_by_signed"), "%s", original);
	cr_assert_str_eq(copy, original);
	cr_assert_str_eq(copy_of_copy, original);
}

Test(field_types, filters_copy_them_all_with_their_properties)
{
	assert_copied(0);
}

Test(field_types, filters_copy_those_of_the_second_protocol_version_where_there_is_one)
{
	if (test_graph_mip_version("normalize") > 0) {
		assert_copied(1);
	}
}

static void assert_compared(uint64_t mip_version)
{
	g_autoptr(test_graph) graph = test_graph_create_from(typed_source_add, "ros2:rcl_node_init", mip_version);
	const char *text;
	size_t count = 0;

	cr_assert(test_graph_add(graph, "dedup", "window=1s"), "%s", test_graph_error(graph));
	text = test_graph_run(graph);
	for (const char *line = strstr(text, "\nevent "); line; line = strstr(line + 1, "\nevent ")) {
		count++;
	}
	cr_assert_eq(count, typed_fields_count(mip_version) + 1);
}

Test(field_types, dedup_tells_events_apart_by_each_and_knows_a_copy)
{
	assert_compared(0);
}

Test(field_types, dedup_does_so_with_the_second_protocol_version_where_there_is_one)
{
	/* dedup always knows it, but the types that came with it only where the filters that copy know it */
	if (test_graph_mip_version("normalize") > 0) {
		assert_compared(1);
	}
}
