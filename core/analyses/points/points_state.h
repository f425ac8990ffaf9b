/* SPDX-License-Identifier: MIT */
/* The state of the analysis points (points.c): stages, paths and series, what they counted, and its tables. */
#ifndef ROS2BT_POINTS_STATE_H
#define ROS2BT_POINTS_STATE_H

#include <glib.h>

#include "core/model/callback_ids.h"
#include "core/analyses/points/point_keys.h"
#include "core/analyses/points/point_names.h"
#include "ros2bt/base/u64_map.h"
#include "core/events/points/point_file.h"
#include "core/analyses/shared/analysis.h"
#include "core/base/int128.h"
#include "core/statistics/duration_statistics.h"

/* Starts and ends of one row in one place (enum point_scope). */
struct point_place {
	int64_t latest_start_ns; /* of those that have ended */
	bool has_key;		 /* something has started here */
	bool keys_rise;		 /* each key is an integer above the previous one: none occurs twice */
	int128 last_key;
};

/* A stage or a path; paths come first. */
struct point_row {
	const char *name;	       /* in the pool or the file's */
	const struct point_path *path; /* NULL: a stage */
	enum point_scope scope;
	uint64_t count, doubtful, without_start, without_end, unknown, out_of_order;
	struct duration_statistics duration;
	struct u64_map places;	    /* → struct point_place *, in the arena */
	GArray *beginning, *ending; /* of a stage: guint, rows of the paths that begin and end with it */
};

/* A stage within a callback. */
struct point_callback {
	uint32_t row;
	const struct model_callback *callback; /* NULL: outside of callbacks */
	struct duration_statistics duration;
	uint64_t count;
};

/* An entry of the file under `stages`. */
struct point_stage_state {
	const struct point_stage *stage;
	struct point_names names; /* of a name_field */
	GArray *rows;		  /* guint: rows of `points` by index of the name; with a constant name, one */
};

enum point_number {
	POINT_NUMBER_NONE, /* a label or a text */
	POINT_NUMBER_INTEGER,
	POINT_NUMBER_REAL,
};

/* A row of a series: the numbers of a field, or how often it had a value. */
struct point_series_row {
	const char *label; /* in the pool; NULL: there is one row */
	bool is_length;	   /* of a list */
	enum point_number number;
	uint64_t count, not_finite;
	int128 min, max, sum; /* of integers */
	double real_min, real_max;
	long double real_sum;
};

/* An entry of the file under `series`. */
struct point_series_state {
	const struct point_series *series;
	struct point_names labels;
	GPtrArray *rows;     /* struct point_series_row *, in the arena, in order of appearance */
	GPtrArray *by_label; /* struct point_series_row * by index of the label */
	struct point_series_row *numbers, *elements, *lengths; /* the last two for lists; NULL: none occurred */
};

/* A meaning of an event. */
struct point_use {
	enum {
		POINT_USE_END, /* the first: an event may end one stage and start the next */
		POINT_USE_START,
		POINT_USE_SERIES,
	} kind;
	guint index; /* of the stage or the series */
};

/* An event of the file. */
struct point_event_state {
	uint64_t count;
	GArray *uses;	 /* struct point_use, by kind */
	GArray *missing; /* uint64_t by index of the field: how often it had no value */
};

enum {
	TABLE_POINTS,
	TABLE_POINT_INSTANCES,
	TABLE_POINT_CALLBACKS,
	TABLE_POINT_PATHS,
	TABLE_POINT_PATH_INSTANCES,
	TABLE_POINT_SERIES,
	TABLE_SLOWEST_POINTS,
};

struct points {
	struct analysis analysis;      /* its rows are struct point_row */
	const struct point_file *file; /* borrowed; NULL: nothing to measure */
	GArray *stages;		       /* struct point_stage_state */
	GArray *series;		       /* struct point_series_state */
	GArray *events;		       /* struct point_event_state, by index of the file's events */
	struct point_keys keys;
	GByteArray *key;	    /* of the event at hand */
	struct row_store callbacks; /* struct point_callback, by row and callback */
	int64_t begin_ns, end_ns;   /* of all points; begin_ns > end_ns if there are none */
	uint64_t given_up;	    /* starts, for want of room */
};

static inline struct point_row *points_row_at(const struct points *points, guint index)
{
	return points->analysis.rows.rows->pdata[index];
}

/* --- tables --- */

extern const struct table_schema *const point_tables[]; /* by the enumerators TABLE_POINTS, …; ended by NULL */

/* The instance of an open stage or path, ended by the record; NULL: without end. Does nothing if not wanted, like the
 * next. */
void point_tables_write_instance(const struct points *points, const struct point_row *row,
				 const struct open_point *open, const struct event_record *end);
/* The instance of an end without start; its key is points->key. */
void point_tables_write_end(const struct points *points, const struct point_row *row, const struct event_record *end);

/* For analysis_class. */
void point_tables_write(const void *data, struct table_writer *const *writers);

#endif
