/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/output/outputs.h"
#include "core/output/perfetto/perfetto_packets.h"
#include "core/tables/timeline_tables.h"
#include "ros2bt/output/output_stream.h"
#include "ros2bt/output/report.h"

static const struct table_schema tracks = { .name = "tracks", TIMELINE_SCHEMA_TRACKS };
static const struct table_schema labels = { .name = "labels", TIMELINE_SCHEMA_LABELS };
static const struct table_schema events = { .name = "events", TIMELINE_SCHEMA_EVENTS };

/* The varint examples of the description of the encoding, and a number of ten bytes. */
Test(protobuf, fields_are_encoded_as_described)
{
	static const uint8_t expected[] = { 0x08, 0x96, 0x01, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					    0xff, 0xff, 0x01, 0x1a, 0x07, 't',	'e',  's',  't',  'i',	'n',
					    'g',  0x21, 2,    1,    0,	  0,	0,    0,    0,	  0 };
	struct protobuf message = { 0 };

	protobuf_varint(&message, 1, 150);
	protobuf_varint(&message, 2, (uint64_t)-1);
	protobuf_text(&message, 3, "testing");
	protobuf_fixed64(&message, 4, 0x102);
	cr_assert_eq(message.size, sizeof(expected));
	cr_assert_arr_eq(message.bytes, expected, sizeof(expected));
	protobuf_free(&message);
}

static bool contains(const char *bytes, gsize size, const char *text)
{
	return memmem(bytes, size, text, strlen(text)) != NULL;
}

Test(perfetto, only_what_events_use_is_written_and_what_is_above_it)
{
	g_autofree char *directory = g_dir_make_tmp("ros2bt-perfetto-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "timeline.pftrace", NULL);
	struct report *report =
		report_create(&(struct report_options){ .format = &perfetto_output, .directory = directory }, NULL);
	struct table_output *tables = report_tables(report);
	struct table_writer *event_writer = tables->open(tables, &events);
	struct table_writer *track_writer = tables->open(tables, &tracks);
	struct table_writer *label_writer = tables->open(tables, &labels);
	g_autofree char *contents = NULL;
	gsize size;

	timeline_write_slice(event_writer, 2, 7, 10, 20, cell_none(), cell_none(), cell_none());
	timeline_write_counter(event_writer, 4, 15, -1);
	timeline_write_label(label_writer, 7, "name", cell_text("a label in use"));
	timeline_write_label(label_writer, 8, "name", cell_text("a label of nothing"));
	for (uint64_t id = 1; id <= 4; id++) {
		static const char *const names[] = { "", "the process", "its thread", "no events here", "a counter" };

		timeline_write_track(track_writer, &(struct timeline_track){ .id = id,
									     .parent = id == 2 ? 1 : 0,
									     .kind = id == 1   ? "process"
										     : id == 4 ? "counter"
											       : "row",
									     .name = names[id],
									     .pid = cell_integer(5) });
	}
	cr_assert(report_finish(report, &(struct report_trace){ 0 }, NULL));
	report_destroy(report);
	cr_assert(g_file_get_contents(path, &contents, &size, NULL));
	cr_assert(contains(contents, size, "a label in use"));
	cr_assert_not(contains(contents, size, "a label of nothing"));
	cr_assert(contains(contents, size, "the process"));
	cr_assert(contains(contents, size, "its thread"));
	cr_assert(contains(contents, size, "a counter"));
	cr_assert_not(contains(contents, size, "no events here"));
	g_unlink(path);
	g_rmdir(directory);
}

/* More than browsers can show; by its options or parameters it is told how to get less. */
static void expect_refused(bool are_parameters, const char *words)
{
	g_autofree char *directory = g_dir_make_tmp("ros2bt-perfetto-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "timeline.pftrace", NULL);
	struct report *report =
		report_create(&(struct report_options){ .format = &perfetto_output,
							.directory = directory,
							.choice = { .are_parameters = are_parameters } },
			      NULL);
	struct table_writer *event_writer = report_tables(report)->open(report_tables(report), &events);
	g_autoptr(GError) error = NULL;

	for (int i = 0; i < 3000000; i++) {
		timeline_write_instant(event_writer, 2, 7, i, cell_none(), cell_none(), cell_none());
	}
	cr_assert(report_check(report, NULL));
	timeline_write_state(event_writer, 3, 8, 1, 2, cell_none(), cell_none());
	cr_assert_not(report_finish(report, &(struct report_trace){ 0 }, &error));
	cr_assert_not_null(strstr(error->message, words), "%s", error->message);
	report_destroy(report);
	cr_assert_not(g_file_test(path, G_FILE_TEST_EXISTS));
	g_rmdir(directory);
}

Test(perfetto, more_than_browsers_can_show_is_refused_in_the_words_of_the_options)
{
	expect_refused(false, "by --begin and --end");
	expect_refused(true, "by begin and end, or some of its nodes by nodes");
}

static const struct table_column plain_columns[] = { { .name = "plain_id", .id_of = "plains" } };
static const struct table_schema plain = {
	.name = "plains", .selection = "plain", .columns = plain_columns, .column_count = 1
};

static bool opens(const struct output_class *format, const char *const *chosen, const struct table_schema *schema)
{
	g_autofree char *directory = g_dir_make_tmp("ros2bt-perfetto-XXXXXX", NULL);
	struct report *report = report_create(
		&(struct report_options){
			.format = format, .directory = directory, .tables = chosen, .has_instances = true },
		NULL);
	bool is_open = report_tables(report)->open(report_tables(report), schema) != NULL;

	report_destroy(report);
	g_rmdir(directory);
	return is_open;
}

Test(perfetto, tables_of_a_timeline_are_for_outputs_that_draw_it_or_who_names_them)
{
	static const char *const named[] = { "timeline", NULL }, *const other[] = { "plain", NULL };

	cr_assert(opens(&perfetto_output, NULL, &events));
	cr_assert_not(opens(&perfetto_output, NULL, &plain));
	cr_assert_not(opens(&csv_output, NULL, &events));
	cr_assert_not(opens(&csv_output, other, &events));
	cr_assert(opens(&csv_output, named, &events));
	cr_assert(opens(&csv_output, NULL, &plain));
}
