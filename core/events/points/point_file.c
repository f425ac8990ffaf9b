/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_file.h"

#include <string.h>

static const char *const scope_names[] = {
	[POINT_SCOPE_THREAD] = "thread",
	[POINT_SCOPE_PROCESS] = "process",
	[POINT_SCOPE_HOST] = "host",
	[POINT_SCOPE_ALL] = "all",
};

const char *point_scope_name(enum point_scope scope)
{
	return scope_names[scope];
}

bool point_scope_parse(const char *text, enum point_scope *scope)
{
	for (size_t i = 0; text && i < G_N_ELEMENTS(scope_names); i++) {
		if (strcmp(text, scope_names[i]) == 0) {
			*scope = (enum point_scope)i;
			return true;
		}
	}
	return false;
}

/* --- ownership --- */

static void stage_clear(gpointer data)
{
	struct point_stage *stage = data;

	g_free(stage->name);
	point_match_clear(&stage->start);
	point_match_clear(&stage->end);
}

static void series_clear(gpointer data)
{
	struct point_series *series = data;

	g_free(series->name);
	point_match_clear(&series->match);
}

static void path_clear(gpointer data)
{
	struct point_path *path = data;

	g_free(path->name);
	g_ptr_array_unref(path->stages);
}

static GArray *new_rows(guint size, GDestroyNotify clear)
{
	GArray *rows = g_array_new(FALSE, TRUE, size);

	g_array_set_clear_func(rows, clear);
	return rows;
}

struct point_file *point_file_create(const char *path)
{
	struct point_file *file = g_new0(struct point_file, 1);

	file->path = g_strdup(path);
	file->stages = new_rows(sizeof(struct point_stage), stage_clear);
	file->series = new_rows(sizeof(struct point_series), series_clear);
	file->paths = new_rows(sizeof(struct point_path), path_clear);
	file->event_rows = g_array_new(FALSE, TRUE, sizeof(struct point_event));
	file->event_names = g_ptr_array_new_with_free_func(g_free);
	file->event_fields = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	return file;
}

void point_file_destroy(struct point_file *file)
{
	if (file) {
		g_array_unref(file->stages);
		g_array_unref(file->series);
		g_array_unref(file->paths);
		g_array_unref(file->event_rows);
		g_ptr_array_unref(file->event_names);
		g_ptr_array_unref(file->event_fields);
		g_free(file->path);
		g_free(file);
	}
}

/* --- entries --- */

struct point_stage *point_file_add_stage(struct point_file *file)
{
	struct point_stage *stage;

	g_array_set_size(file->stages, file->stages->len + 1);
	stage = &g_array_index(file->stages, struct point_stage, file->stages->len - 1);
	point_match_init(&stage->start);
	point_match_init(&stage->end);
	return stage;
}

struct point_series *point_file_add_series(struct point_file *file)
{
	struct point_series *series;

	g_array_set_size(file->series, file->series->len + 1);
	series = &g_array_index(file->series, struct point_series, file->series->len - 1);
	point_match_init(&series->match);
	series->by = POINT_NO_VALUE;
	return series;
}

struct point_path *point_file_add_path(struct point_file *file)
{
	struct point_path *path;

	g_array_set_size(file->paths, file->paths->len + 1);
	path = &g_array_index(file->paths, struct point_path, file->paths->len - 1);
	path->scope = POINT_SCOPE_ALL;
	path->stages = g_ptr_array_new_with_free_func(g_free);
	return path;
}

/* --- events and fields --- */

/* The index of a text, which is added if it is new. */
static size_t index_of(GPtrArray *texts, const char *text)
{
	guint index;

	if (g_ptr_array_find_with_equal_func(texts, text, g_str_equal, &index)) {
		return index;
	}
	g_ptr_array_add(texts, g_strdup(text));
	return texts->len - 1;
}

size_t point_file_event(struct point_file *file, const char *name)
{
	size_t index = index_of(file->event_names, name);

	if (index == file->event_fields->len) {
		g_ptr_array_add(file->event_fields, g_ptr_array_new_with_free_func(g_free));
	}
	return index;
}

size_t point_file_value(struct point_file *file, size_t event, const char *field)
{
	return index_of(g_ptr_array_index(file->event_fields, event), field);
}

void point_file_list_events(struct point_file *file)
{
	for (guint i = 0; i < file->event_names->len; i++) {
		GPtrArray *fields = g_ptr_array_index(file->event_fields, i);
		struct point_event event = { .name = g_ptr_array_index(file->event_names, i) };

		event.field_count = fields->len;
		g_ptr_array_add(fields, NULL);
		event.fields = (const char *const *)fields->pdata;
		g_array_append_val(file->event_rows, event);
	}
	file->events.events = (const struct point_event *)(void *)file->event_rows->data;
	file->events.count = file->event_rows->len;
}
