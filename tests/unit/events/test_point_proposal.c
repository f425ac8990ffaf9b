/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/events/points/point_file_reader.h"
#include "ros2bt/events/point_proposal.h"

static struct point_proposal *proposal;

static void setup(void)
{
	proposal = point_proposal_create();
}

static void teardown(void)
{
	point_proposal_destroy(proposal);
}

TestSuite(point_proposal, .init = setup, .fini = teardown);

static void found(const char *name, const struct point_field *fields, size_t count)
{
	const struct point_class_listener *listener = point_proposal_listener(proposal);

	listener->found(listener->data, name, fields, count);
}

static const struct point_field id_field[] = { { "id", POINT_VALUE_SIGNED, false } };

/* A class with one integer, an event of which was recorded. */
static void recorded(const char *name)
{
	const struct point_events *events;

	found(name, id_field, 1);
	events = point_proposal_events(proposal);
	for (size_t i = 0; i < events->count; i++) {
		if (strcmp(events->events[i].name, name) == 0) {
			point_proposal_count(proposal, i);
		}
	}
}

/* The proposed file, which must be readable; NULL: none. */
static char *proposed(void)
{
	char *text = point_proposal_text(proposal, "the\nrecording");
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	struct point_file *file;

	if (!text) {
		return NULL;
	}
	close(g_file_open_tmp("ros2bt-proposal-XXXXXX", &path, NULL));
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	file = point_file_read(path, &error);
	cr_assert_not_null(file, "%s in %s", error ? error->message : "", text);
	point_file_destroy(file);
	g_remove(path);
	return text;
}

static void expect_pair(const char *start, const char *end, const char *name)
{
	g_autofree char *expected_start = g_strdup_printf("  start: %s # 1 events\n  end: %s # 1 events\n", start, end);
	g_autofree char *expected_name = g_strdup_printf("- name: %s\n", name);
	g_autofree char *text = NULL;

	teardown();
	setup();
	recorded(end);
	recorded(start);
	text = proposed();
	cr_assert_not_null(text, "%s", start);
	cr_assert(strstr(text, expected_start), "%s", text);
	cr_assert(strstr(text, expected_name), "%s", text);
}

Test(point_proposal, pairs_are_found_by_their_names)
{
	expect_pair("app:frame_start", "app:frame_end", "frame");
	expect_pair("app:frame_start", "app:frame_stop", "frame");
	expect_pair("app:begin_frame", "app:end_frame", "frame");
	expect_pair("app:work_entry", "app:work_exit", "work");
	expect_pair("app:enter_lock", "app:leave_lock", "lock");
	expect_pair("app:start", "app:end", "app");
}

Test(point_proposal, what_is_no_pair_is_none)
{
	recorded("app:frame_start");
	recorded("app:frames_end");
	recorded("other:frame_end");
	recorded("app:restart");
	recorded("app:end");
	cr_assert_null(proposed());
}

Test(point_proposal, events_of_others_and_events_that_did_not_come_are_left_out)
{
	recorded("ros2:callback_start");
	recorded("ros2:callback_end");
	recorded("lttng_ust_libc:malloc_start");
	recorded("lttng_ust_libc:malloc_end");
	recorded("irq_handler_entry");
	recorded("irq_handler_exit");
	recorded("app:a_start");
	found("app:a_end", id_field, 1);
	cr_assert_null(proposed());
}

static void recorded_with(const char *name, const struct point_field *fields, size_t count)
{
	found(name, fields, count);
	recorded(name);
}

Test(point_proposal, the_key_is_an_integer_that_looks_like_one_and_names_are_labels)
{
	static const struct point_field fields[] = {
		{ "depth", POINT_VALUE_UNSIGNED, false },
		{ "frame_id", POINT_VALUE_UNSIGNED, false },
		{ "name", POINT_VALUE_TEXT, false },
		{ "stage", POINT_VALUE_UNSIGNED, true },
	};
	g_autofree char *text = NULL;

	recorded_with("app:a_start", fields, 4);
	recorded_with("app:a_end", fields, 4);
	text = proposed();
	cr_assert(strstr(text, "  key: frame_id #"), "%s", text);
	cr_assert(strstr(text, "- name_field: stage #"), "%s", text);
	cr_assert(g_str_has_prefix(text, "# Proposed from the?recording,"), "%s", text);
}

Test(point_proposal, without_a_common_integer_the_thread_decides)
{
	static const struct point_field fields[] = { { "name", POINT_VALUE_TEXT, false } };
	g_autofree char *text = NULL;

	recorded_with("app:a_start", fields, 1);
	recorded_with("app:a_end", NULL, 0);
	text = proposed();
	cr_assert(strstr(text, "  scope: thread #"), "%s", text);
	cr_assert_not(strstr(text, "key:"), "%s", text);
	cr_assert(strstr(text, "- name: a\n"), "%s", text);
}

Test(point_proposal, other_events_are_series_of_their_numbers)
{
	static const struct point_field fields[] = {
		{ "key", POINT_VALUE_SIGNED, false },	  { "queue", POINT_VALUE_TEXT, false },
		{ "depth", POINT_VALUE_UNSIGNED, false }, { "_boxes_length", POINT_VALUE_UNSIGNED, false },
		{ "boxes", POINT_VALUE_LIST, false },	  { "odd \"name\"", POINT_VALUE_REAL, false },
		{ "null", POINT_VALUE_REAL, false },
	};
	g_autofree char *text = NULL;

	recorded_with("app:queue", fields, 7);
	text = proposed();
	cr_assert(strstr(text, "  fields: [depth, boxes, \"odd \\\"name\\\"\", \"null\"]\n  by: queue #"), "%s", text);
}
