/* SPDX-License-Identifier: MIT */
/*
 * The content of a file of points: which events of any provider start and end a stage of an application, which of their
 * fields are series, and through which stages a key goes. point_file_reader.h reads it; docs/points.md describes it for
 * users.
 *
 *   stages:
 *   - name: capture                # or name_field: a field with the name
 *     start: my_app:capture_start  # or {event: …, key: …, name_field: …, when: {FIELD: VALUE or [VALUE, …]}}
 *     end: my_app:capture_end
 *     key: frame                   # or [FIELD, …]; may be left out
 *     scope: process               # of the key: thread, process, host or all
 *   series:
 *   - event: my_app:queue
 *     field: depth                 # or fields: [FIELD, …]
 *     by: name                     # optional: a row for each value of this field
 *   paths:
 *   - name: image
 *     stages: [capture, plan]      # first and last, and those between
 *     scope: all
 */
#ifndef ROS2BT_POINT_FILE_H
#define ROS2BT_POINT_FILE_H

#include <glib.h>

#include "core/events/points/point_match.h"

/* Where a key is unique: events with the same key elsewhere are unrelated. */
enum point_scope {
	POINT_SCOPE_THREAD,
	POINT_SCOPE_PROCESS,
	POINT_SCOPE_HOST,
	POINT_SCOPE_ALL,
};

struct point_stage {
	char *name; /* NULL: a field has it, see start.name and end.name */
	enum point_scope scope;
	struct point_match start, end;
};

struct point_series {
	char *name;
	struct point_match match; /* without keys */
	size_t value;
	size_t by; /* POINT_NO_VALUE: one row */
};

struct point_path {
	char *name;
	enum point_scope scope;
	GPtrArray *stages; /* char *: at least one */
};

struct point_file {
	char *path;
	struct point_events events; /* for readers, see point_file_list_events() */
	GArray *stages;		    /* struct point_stage */
	GArray *series;		    /* struct point_series */
	GArray *paths;		    /* struct point_path */
	GArray *event_rows;	    /* of `events`: struct point_event */
	GPtrArray *event_names;	    /* char * */
	GPtrArray *event_fields;    /* of each event: GPtrArray of char *, ended by NULL in `events` */
};

struct point_file *point_file_create(const char *path);
void point_file_destroy(struct point_file *file); /* NULL is allowed */

/* An entry with its defaults, to be filled in; valid until the next one of its kind is added. */
struct point_stage *point_file_add_stage(struct point_file *file);
struct point_series *point_file_add_series(struct point_file *file);
struct point_path *point_file_add_path(struct point_file *file);

/* The index of an event, and of a value of an event; added if it is new. */
size_t point_file_event(struct point_file *file, const char *name);
size_t point_file_value(struct point_file *file, size_t event, const char *field);

/* Sets `events`, once all entries are complete. Nothing may be added afterwards. */
void point_file_list_events(struct point_file *file);

const char *point_scope_name(enum point_scope scope);
bool point_scope_parse(const char *text, enum point_scope *scope); /* false: no scope; NULL is none */

static inline const struct point_stage *point_file_stage(const struct point_file *file, guint index)
{
	return &g_array_index(file->stages, struct point_stage, index);
}

static inline const struct point_series *point_file_series(const struct point_file *file, guint index)
{
	return &g_array_index(file->series, struct point_series, index);
}

static inline const struct point_path *point_file_path(const struct point_file *file, guint index)
{
	return &g_array_index(file->paths, struct point_path, index);
}

#endif
