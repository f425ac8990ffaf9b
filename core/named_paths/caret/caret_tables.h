/* SPDX-License-Identifier: MIT */
/*
 * The tables that named paths have only with `contexts=caret`, to compare with CARET point by point:
 *
 *   named_path_elements  a row for each element of a path that has records: how many, how many of them are complete,
 *                        their latency from the first to the last point, and the period of the first one
 *   named_path_records   every time of every record of an element, and of every flow, by CARET's name of the column
 *
 * and rows in `frequencies` for each element: how often its first point occurred in each second.
 *
 * Memory: a row for each element, in the arena of the results.
 */
#ifndef ROS2BT_CARET_TABLES_H
#define ROS2BT_CARET_TABLES_H

#include "core/named_paths/caret/caret_path.h"
#include "core/named_paths/named_results.h"
#include "core/tables/row_store.h"

struct caret_tables {
	const struct named_results *results; /* borrowed */
	struct row_store elements;	     /* struct caret_element_row, in the arena of the results */
};

extern const struct table_schema caret_element_schema, caret_record_schema;

void caret_tables_init(struct caret_tables *tables, const struct named_results *results);

/* Keeps the rows of the elements. Writes to the writers, each of which may be NULL, at once. */
void caret_tables_add(struct caret_tables *tables, uint32_t path_id, const struct caret_path *path,
		      const struct caret_node *nodes, struct table_writer *records, struct table_writer *frequencies);

/* Adds a diagnostic for each element whose publications CARET attributes to the wrong callback. */
void caret_tables_diagnose(const struct caret_tables *tables, struct diagnostics *findings);

void caret_tables_write_elements(const struct caret_tables *tables, struct table_writer *writer);

#endif
