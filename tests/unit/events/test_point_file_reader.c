/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/events/points/point_builder.h"
#include "core/events/points/point_file_reader.h"

static char *path;

static void setup(void)
{
	close(g_file_open_tmp("ros2bt-points-XXXXXX", &path, NULL));
}

static void teardown(void)
{
	g_remove(path);
	g_free(path);
}

TestSuite(point_file_reader, .init = setup, .fini = teardown);

static struct point_file *read_text(const char *text, GError **error)
{
	cr_assert(g_file_set_contents(path, text, -1, NULL));
	return point_file_read(path, error);
}

static struct point_file *read_good(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct point_file *file = read_text(text, &error);

	cr_assert_not_null(file, "%s", error ? error->message : "");
	return file;
}

static void check_refused(const char *text, const char *message)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *expected = g_strdup_printf("%s:%s", path, message);

	cr_assert_null(read_text(text, &error), "%s", text);
	cr_assert_str_eq(error->message, expected, "%s", error->message);
}

static void check_stage_refused(const char *stage, const char *message)
{
	g_autofree char *text = g_strdup_printf("stages:\n- %s\n", stage);

	check_refused(text, message);
}

static const char *field_name(const struct point_file *file, const struct point_match *match, size_t value)
{
	return file->events.events[match->event].fields[value];
}

Test(point_file_reader, a_stage_has_events_keys_and_a_scope)
{
	struct point_file *file =
		read_good("stages:\n"
			  "- name: request\n"
			  "  start: app:send\n"
			  "  end: {event: app:receive, key: [request, client], when: {status: [ok, 2]}}\n"
			  "  key: [id, client]\n"
			  "  scope: all\n");
	const struct point_stage *stage = point_file_stage(file, 0);
	const struct point_condition *condition = &g_array_index(stage->end.conditions, struct point_condition, 0);

	cr_assert_eq(file->stages->len, 1);
	cr_assert_str_eq(stage->name, "request");
	cr_assert_eq(stage->scope, POINT_SCOPE_ALL);
	cr_assert_eq(file->events.count, 2);
	cr_assert_str_eq(file->events.events[stage->start.event].name, "app:send");
	cr_assert_str_eq(file->events.events[stage->end.event].name, "app:receive");
	cr_assert_eq(stage->start.key_count, 2);
	cr_assert_str_eq(field_name(file, &stage->start, stage->start.keys[0]), "id");
	cr_assert_str_eq(field_name(file, &stage->end, stage->end.keys[0]), "request");
	cr_assert_str_eq(field_name(file, &stage->end, stage->end.keys[1]), "client");
	cr_assert_str_eq(field_name(file, &stage->end, condition->value), "status");
	cr_assert_eq(condition->allowed->len, 2);
	cr_assert_eq(stage->start.conditions->len, 0);
	point_file_destroy(file);
}

Test(point_file_reader, a_scope_is_that_of_the_process_with_a_key_and_that_of_the_thread_without)
{
	struct point_file *file = read_good("stages:\n"
					    "- {name: a, start: app:a, end: app:b, key: id}\n"
					    "- {name: b, start: app:a, end: app:b}\n");

	cr_assert_eq(point_file_stage(file, 0)->scope, POINT_SCOPE_PROCESS);
	cr_assert_eq(point_file_stage(file, 1)->scope, POINT_SCOPE_THREAD);
	cr_assert_eq(point_file_stage(file, 1)->start.key_count, 0);
	point_file_destroy(file);
}

Test(point_file_reader, each_event_and_each_field_is_read_once)
{
	struct point_file *file = read_good("stages:\n"
					    "- {name_field: stage, start: app:a, end: app:a, key: id}\n"
					    "series:\n"
					    "- {event: app:a, fields: [id, depth], by: stage}\n");

	cr_assert_eq(file->events.count, 1);
	cr_assert_eq(file->events.events[0].field_count, 3);
	cr_assert_eq(point_events_find(&file->events, "app:a"), 0);
	cr_assert_eq(point_events_find(&file->events, "app:b"), -1);
	cr_assert_eq(point_events_find(NULL, "app:a"), -1);
	cr_assert_str_eq(point_file_series(file, 1)->name, "app:a.depth");
	point_file_destroy(file);
}

Test(point_file_reader, paths_are_named_by_their_stages)
{
	struct point_file *file = read_good("stages:\n"
					    "- {name: a, start: app:a, end: app:b}\n"
					    "- {name: b, start: app:b, end: app:c}\n"
					    "paths:\n"
					    "- stages: [a, b]\n"
					    "- {name: image, stages: [a, b], scope: host}\n");

	cr_assert_str_eq(point_file_path(file, 0)->name, "a > b");
	cr_assert_eq(point_file_path(file, 0)->scope, POINT_SCOPE_ALL);
	cr_assert_str_eq(point_file_path(file, 1)->name, "image");
	cr_assert_eq(point_file_path(file, 1)->scope, POINT_SCOPE_HOST);
	point_file_destroy(file);
}

Test(point_file_reader, what_is_wrong_is_named_with_its_line)
{
	check_refused("", " the file is empty: expected stages or series");
	check_refused("stages: []\n", "1: nothing to measure: expected stages or series");
	check_refused("- a\n", "1: points: expected keys and values");
	check_refused("stage: []\n",
		      "1: points: `stage` is unknown (did you mean \"stages\"?): expected stages, series, paths");
	check_refused("stages: a\n", "1: stages: expected a list");
	check_stage_refused("a", "2: stages: expected keys and values");
	check_stage_refused("{name: a, start: app:a}", "2: end: expected the name of an event, such as my_app:start");
	check_stage_refused("{name: a, begin: app:a}",
			    "2: stages: `begin` is unknown: expected name, name_field, start, end, key, scope");
	check_stage_refused("{start: app:a, end: app:b}",
			    "2: stages: expected either name, or name_field for both events");
	check_stage_refused("{name: a, name_field: b, start: app:a, end: app:b}",
			    "2: stages: expected either name, or name_field for both events");
	check_stage_refused("{name: a, start: app:a, end: {event: app:b, key: k}}",
			    "2: key: start and end must have the same number of fields");
	check_stage_refused("{name: a, start: app:a, end: app:b, key: [a, b, c, d, e]}", "2: key: at most 4 fields");
	check_stage_refused("{name: a, start: app:a, end: app:b, key: {a: b}}",
			    "2: key: expected a name, or a list of names");
	check_stage_refused("{name: a, start: app:a, end: app:b, scope: robot}",
			    "2: scope: expected thread, process, host or all");
	check_stage_refused("{name: a, start: {event: app:a, if: b}, end: app:b}",
			    "2: start: `if` is unknown: expected event, key, name_field, when");
	check_stage_refused("{name: a, start: {event: app:a, when: b}, end: app:b}",
			    "2: when: expected {FIELD: VALUE}");
	check_stage_refused("{name: a, start: app a, end: app:b}",
			    "2: start: `app a` is not the name of an event, such as my_app:start");
	check_stage_refused("{name: ~, start: app:a, end: app:b}", "2: name: expected a name");
	check_refused("series:\n- {field: a}\n", "2: event: expected the name of an event, such as my_app:start");
	check_refused("series:\n- {event: app:a}\n",
		      "2: series: expected either field, or fields with a list of fields");
	check_refused("series:\n- {event: app:a, fields: [a, b], name: c}\n",
		      "2: name: several fields cannot have one name");
	check_refused("stages:\n- {name: a, start: app:a, end: app:b}\npaths:\n- {name: p}\n",
		      "4: stages: expected a list of names of stages");
	check_refused("stages:\n- {name: a, start: app:a, end: app:b}\npaths:\n- stages: [a, b]\n",
		      "4: stages: no stage is named `b`: expected names of entries under stages");
}

/* --- conditions --- */

static bool holds(const char *when, void (*set)(struct point_builder *builder))
{
	g_autofree char *text = g_strdup_printf("series:\n- {event: app:a, field: f, when: {f: %s}}\n", when);
	struct point_file *file = read_good(text);
	struct point_builder builder;
	struct event_record record;
	bool does_hold;

	point_builder_init(&builder);
	point_builder_begin_batch(&builder);
	point_builder_start(&builder, 1);
	set(&builder);
	point_builder_finish(&builder, 0, false, &record);
	does_hold = point_match_holds(&point_file_series(file, 0)->match, record_point_values(&record));
	point_builder_clear(&builder);
	point_file_destroy(file);
	return does_hold;
}

static void set_nothing(struct point_builder *builder)
{
}

static void set_label(struct point_builder *builder)
{
	point_builder_set_integer(builder, 0, false, 3, "plan");
}

static void set_negative(struct point_builder *builder)
{
	point_builder_set_integer(builder, 0, true, (uint64_t)-3, NULL);
}

static void set_real(struct point_builder *builder)
{
	point_builder_set_real(builder, 0, 0.5);
}

static void set_text(struct point_builder *builder)
{
	point_builder_set_text(builder, 0, "12", 2);
}

Test(point_file_reader, a_condition_compares_labels_texts_and_numbers)
{
	cr_assert(holds("plan", set_label));
	cr_assert(holds("[capture, plan]", set_label));
	cr_assert(holds("3", set_label));
	cr_assert(holds("0x3", set_label));
	cr_assert_not(holds("capture", set_label));
	cr_assert_not(holds("3x", set_label));
	cr_assert(holds("-3", set_negative));
	cr_assert_not(holds("3", set_negative));
	cr_assert(holds("0.50", set_real));
	cr_assert(holds("'12'", set_text));
	cr_assert_not(holds("0xc", set_text));
	cr_assert_not(holds("0", set_nothing));
}
