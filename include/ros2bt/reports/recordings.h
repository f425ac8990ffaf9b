/* SPDX-License-Identifier: MIT */
/*
 * Several recordings of one system over time, analysed one after the other by a session each, which writes to these
 * tables. They write each table that can be merged (merged_table.h) with a column `recording` and the rows of every
 * recording, as they arrive, and its `…_trends` (trends.h).
 *
 * Memory: the series of the system, and a few words for each series and recording.
 */
#ifndef ROS2BT_RECORDINGS_H
#define ROS2BT_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/tables/table.h"

#define RECORDING_COLUMN "recording"

struct recordings;

/*
 * `schemas`: of the sessions, ended by NULL. `has_rows`: write the rows of each recording, not only trends. All is
 * borrowed.
 */
struct recordings *recordings_create(const struct table_schema *const *schemas, struct table_output *tables,
				     bool has_rows);
void recordings_destroy(struct recordings *recordings); /* NULL is allowed */

/* The tables for the session of the next recording. */
struct table_output *recordings_tables(struct recordings *recordings);

/* The sum of a column of the table about something, of the current recording; an empty cell if it is not known. */
struct cell recordings_sum(const struct recordings *recordings, enum table_subject subject, enum column_meaning means);

/* The session of a recording has written its tables. */
void recordings_end(struct recordings *recordings, const char *name, int64_t begin_ns);

/* Writes the trends, after the last recording. False if they were asked for, and there are none. */
bool recordings_write_trends(struct recordings *recordings);

#endif
