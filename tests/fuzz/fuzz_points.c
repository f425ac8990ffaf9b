/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: a file of points of any bytes. It must be refused with a reason that names the file, or its contents must
 * be complete: events with fields, stages with events of the list, paths with stages.
 */
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/events/points/point_file_reader.h"
#include "fuzz_input.h"

static const char *file_path(void)
{
	static char *path;

	if (!path) {
		path = g_strdup_printf("%s/fuzz-points-%d", g_get_tmp_dir(), getpid());
	}
	return path;
}

static void check_value(const struct point_file *file, size_t event, size_t value)
{
	FUZZ_MUST(value < file->events.events[event].field_count, "a value of a field");
}

static void check_match(const struct point_file *file, const struct point_match *match)
{
	FUZZ_MUST(match->event < file->events.count, "an event of the list");
	FUZZ_MUST(match->key_count <= POINT_KEYS_MAX, "not too many keys");
	for (size_t i = 0; i < match->key_count; i++) {
		check_value(file, match->event, match->keys[i]);
	}
	if (match->name != POINT_NO_VALUE) {
		check_value(file, match->event, match->name);
	}
	for (guint i = 0; i < match->conditions->len; i++) {
		const struct point_condition *condition = &g_array_index(match->conditions, struct point_condition, i);

		check_value(file, match->event, condition->value);
		FUZZ_MUST(condition->allowed->len > 0, "a condition allows something");
	}
}

static void check_file(const struct point_file *file)
{
	for (size_t i = 0; i < file->events.count; i++) {
		FUZZ_MUST(point_events_find(&file->events, file->events.events[i].name) == (int)i, "each event once");
	}
	for (guint i = 0; i < file->stages->len; i++) {
		const struct point_stage *stage = point_file_stage(file, i);

		check_match(file, &stage->start);
		check_match(file, &stage->end);
		FUZZ_MUST(stage->start.key_count == stage->end.key_count, "keys alike");
		FUZZ_MUST(!stage->name == (stage->start.name != POINT_NO_VALUE), "either a name or a field");
	}
	for (guint i = 0; i < file->series->len; i++) {
		const struct point_series *series = point_file_series(file, i);

		check_match(file, &series->match);
		check_value(file, series->match.event, series->value);
	}
	for (guint i = 0; i < file->paths->len; i++) {
		FUZZ_MUST(point_file_path(file, i)->stages->len > 0, "a path has stages");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	g_autoptr(GError) error = NULL;
	struct point_file *file;

	FUZZ_MUST(g_file_set_contents(file_path(), (const char *)bytes, (gssize)size, NULL), "the disk is full");
	file = point_file_read(file_path(), &error);
	FUZZ_MUST(!file == !!error, "either a file or an error");
	if (file) {
		check_file(file);
		point_file_destroy(file);
	} else {
		FUZZ_MUST(g_str_has_prefix(error->message, file_path()), "%s", error->message);
	}
	return 0;
}
