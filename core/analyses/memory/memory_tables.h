/* SPDX-License-Identifier: MIT */
/* The tables of the analysis memory: their columns, and how rows are written (see memory.c). */
#ifndef ROS2BT_MEMORY_TABLES_H
#define ROS2BT_MEMORY_TABLES_H

#include "core/analyses/memory/memory_counts.h"

enum memory_table {
	TABLE_MEMORY,
	TABLE_ALLOCATING_CALLBACKS,
};

extern const struct table_schema *const memory_tables[]; /* by enum memory_table, ended by NULL */

void memory_tables_write(const struct memory *memory, struct table_writer *const *writers);
void memory_tables_diagnose(const struct memory *memory, struct diagnostics *findings);

#endif
