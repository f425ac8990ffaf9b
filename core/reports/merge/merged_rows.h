/* SPDX-License-Identifier: MIT */
/*
 * Merged rows as a table to be written: the table of the recordings (same name, ids from 1), with a column for each
 * attribute after the id, without the columns that a merge leaves out, and with `recordings` as the last one: how many
 * recordings have the row.
 */
#ifndef ROS2BT_MERGED_ROWS_H
#define ROS2BT_MERGED_ROWS_H

#include "core/reports/merge/derived_table.h"
#include "ros2bt/reports/merged_table.h"

struct merged_rows {
	struct derived_table table;
	const struct table_schema *source; /* borrowed */
	bool has_id;
	uint64_t row_count;
};

/* The source and the names of the attributes are borrowed. */
void merged_rows_init(struct merged_rows *rows, const struct table_schema *source, const char *const *attributes,
		      size_t attribute_count);
void merged_rows_clear(struct merged_rows *rows);

/* Whether somebody asked for it. */
bool merged_rows_open(struct merged_rows *rows, struct table_output *tables);

/* Writes all rows of a table of the source's schema. */
void merged_rows_write(struct merged_rows *rows, const struct merged_table *merged, const char *const *values,
		       size_t value_count);

#endif
