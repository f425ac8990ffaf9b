/* SPDX-License-Identifier: MIT */
/*
 * Several recordings of one system over time, analysed one after the other: a session for each writes to the tables of
 * this. Writes each table that can be merged (merged_table.h) with a column `recording` and the rows of every
 * recording, as they come, and its `…_trends` (trends.h).
 *
 * Memory: the series of the system, and a few words for each of them and recording.
 */
#ifndef ROS2BT_RECORDINGS_H
#define ROS2BT_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "ros2bt/table.h"

#define RECORDING_COLUMN "recording"

struct recordings;

/* `schemas`: of the sessions, ended by NULL. `has_rows`: also the rows of each, not only trends. All is borrowed. */
struct recordings *recordings_create(const struct table_schema *const *schemas, struct table_output *tables,
				     bool has_rows);
void recordings_destroy(struct recordings *recordings); /* NULL is allowed */

/* What the session of the next recording writes to. */
struct table_output *recordings_tables(struct recordings *recordings);

/* The sum of a column of the recording at hand, an empty cell where that is not known. */
struct cell recordings_sum(const struct recordings *recordings, const char *table, const char *column);

/* The session has written its tables. */
void recordings_end(struct recordings *recordings, const char *name, int64_t begin_ns);

/* After the last one. */
void recordings_write_trends(struct recordings *recordings);

#endif
