/* SPDX-License-Identifier: MIT */
/* The tables of points: their columns and their rows (see points.c). */
#ifndef ROS2BT_POINT_TABLES_H
#define ROS2BT_POINT_TABLES_H

#include "core/analyses/points/point_counts.h"

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
