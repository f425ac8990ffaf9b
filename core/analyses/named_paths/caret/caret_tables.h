/* SPDX-License-Identifier: MIT */
/*
 * The tables that named paths have with `contexts=caret` only, to compare with CARET point by point:
 *
 *   named_path_elements  a row for each element of a path that has records: how many, how many of them are complete,
 *                        their latency from the first to the last point, and the period of the first one
 *   named_path_records   every time of every record of an element, and of every flow, by CARET's name of the column
 *
 * and rows in `frequencies` for each element: how often its first point was in each second.
 */
#ifndef ROS2BT_CARET_TABLES_H
#define ROS2BT_CARET_TABLES_H

#include "core/analyses/named_paths/caret/caret_path.h"
#include "core/analyses/named_paths/named_results.h"

struct caret_tables {
	const struct named_results *results; /* borrowed */
	GPtrArray *elements;		     /* struct caret_element_row *, in the results' arena */
};

extern const struct table_schema caret_element_schema, caret_record_schema;

void caret_tables_init(struct caret_tables *tables, const struct named_results *results);
void caret_tables_clear(struct caret_tables *tables);

/* Keeps what the rows of the elements say. The writers, of which each may be NULL, get their rows at once. */
void caret_tables_add(struct caret_tables *tables, uint32_t path_id, const struct caret_path *path,
		      const struct caret_node *nodes, struct table_writer *records, struct table_writer *frequencies);

/* Where CARET is wrong. */
void caret_tables_diagnose(const struct caret_tables *tables, struct diagnostics *findings);

void caret_tables_write_elements(const struct caret_tables *tables, struct table_writer *writer);

#endif
