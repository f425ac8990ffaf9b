/* SPDX-License-Identifier: MIT */
/* The tables of the analysis inferred: their columns, and how rows are written (see inferred.c). */
#ifndef ROS2BT_INFERRED_TABLES_H
#define ROS2BT_INFERRED_TABLES_H

#include "core/analyses/inferred/inferred_counts.h"
#include "ros2bt/table.h"

enum { TABLE_EXECUTIONS, TABLE_INSTANCES, TABLE_ORIGINS, TABLE_ORIGIN_INSTANCES };

extern const struct table_schema *const inferred_tables[]; /* by the enumerators; ended by NULL */

/* A row of inferred_instances, if somebody asked for the table and the report is about the callback. */
void inferred_tables_write_instance(const struct inferred *inferred, const struct inferred_row *row,
				    const struct inferred_execution *execution, int64_t end_min_ns);

/* The take that a publication results from. */
struct inferred_origin {
	uint64_t inferred_id;
	int64_t take_ns;
};

/*
 * A row of origin_instances, if the report is about the publisher. `origin`: its number, from 1; `take`: NULL if the
 * publication results from none.
 */
void inferred_tables_write_origin(const struct inferred *inferred, uint32_t origin, uint32_t thread, int64_t publish_ns,
				  const struct inferred_origin *take);

/* Writes all tables except those of instances. */
void inferred_tables_write(const struct inferred *inferred, struct table_writer *const *writers);

#endif
