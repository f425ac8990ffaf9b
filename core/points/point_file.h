/* SPDX-License-Identifier: MIT */
/*
 * A file of points: which events of any provider start and end a stage of an application, which of their fields are
 * numbers to follow, and which stages a key goes through. docs/points.md describes it for users.
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
 *
 * Errors are G_MARKUP_ERRORs, "PATH:LINE: what", or G_FILE_ERRORs.
 */
#ifndef ROS2BT_POINT_FILE_H
#define ROS2BT_POINT_FILE_H

#include <glib.h>

#include "ros2bt/point_events.h"

#define POINT_KEYS_MAX 4
#define POINT_NO_VALUE SIZE_MAX

/* Where a key is unique: what has the same key elsewhere is something else. */
enum point_scope {
	POINT_SCOPE_THREAD,
	POINT_SCOPE_PROCESS,
	POINT_SCOPE_HOST,
	POINT_SCOPE_ALL,
};

/* A field has one of these values: its number, its label or its text. */
struct point_condition {
	size_t value;
	GPtrArray *allowed; /* char * */
};

/* The events that mean something, and which of their values (point_events.h) say what. */
struct point_match {
	size_t event;
	size_t keys[POINT_KEYS_MAX];
	size_t key_count;
	size_t name;	    /* of the stage; POINT_NO_VALUE: it has a constant one */
	GArray *conditions; /* struct point_condition; all have to hold */
};

struct point_stage {
	char *name; /* NULL: start.name and end.name hold it */
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
	struct point_events events; /* that readers have to give */
	GArray *stages;		    /* struct point_stage */
	GArray *series;		    /* struct point_series */
	GArray *paths;		    /* struct point_path */
	GArray *event_rows;	    /* of events: struct point_event, filled in when all is read */
	GPtrArray *event_names;	    /* char * */
	GPtrArray *event_fields;    /* of each event: GPtrArray of char *, ended by NULL when all is read */
};

/* NULL with an error. */
struct point_file *point_file_read(const char *path, GError **error);
void point_file_destroy(struct point_file *file); /* NULL is allowed */

const char *point_scope_name(enum point_scope scope);

/* Whether all conditions hold. A field that is not there equals nothing. */
bool point_match_holds(const struct point_match *match, const struct point_values *values);

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
