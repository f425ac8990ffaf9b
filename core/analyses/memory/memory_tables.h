/* SPDX-License-Identifier: MIT */
/* The tables of the analysis memory: their columns, and how rows are written (see memory.c). */
#ifndef ROS2BT_MEMORY_TABLES_H
#define ROS2BT_MEMORY_TABLES_H

#include "core/analyses/memory/memory_counts.h"

extern const struct table_schema *const memory_tables[]; /* ended by NULL */

/* For analysis_class. */
void memory_tables_write(const void *data, struct table_writer *const *writers);
void memory_tables_diagnose(const void *data, struct diagnostics *findings);

#endif
