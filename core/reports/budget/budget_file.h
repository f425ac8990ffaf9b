/* SPDX-License-Identifier: MIT */
/*
 * A file of budgets: which rows of which tables must keep which limits. docs/budgets.md describes it for users.
 *
 *   lost_events: ignore            # else a recording that lost events decides nothing that it seems to keep
 *   budgets:
 *   - name: lidar to cmd           # optional
 *     path: "/lidar > * > /cmd"    # a selector: which rows
 *     latency: {p99: 20 ms, max: 50 ms}
 *     lost: 0
 *
 * Selectors and limits are columns of the tables (table.h), so the schemas define what may be limited. Errors are
 * G_MARKUP_ERRORs, "PATH:LINE: what", or G_FILE_ERRORs.
 */
#ifndef ROS2BT_BUDGET_FILE_H
#define ROS2BT_BUDGET_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/reports/budget/budget_limits.h"
#include "core/reports/budget/budget_selection.h"
#include "core/tables/table.h"

struct budget {
	char *name; /* as given, else made of the selectors */
	size_t line;
	const struct table_schema *schema;
	GArray *selectors; /* struct budget_selector */
	GArray *limits;	   /* struct budget_limit */
};

struct budget_file {
	char *path;
	bool ignores_lost_events;
	GPtrArray *budgets; /* struct budget */
};

/* `schemas`: all tables, ended by NULL; borrowed. NULL with an error. */
struct budget_file *budget_file_read(const char *path, const struct table_schema *const *schemas, GError **error);
void budget_file_destroy(struct budget_file *file); /* NULL is allowed */

/* The columns (size_t) that a key of a budget of this table is matched against: those that declare it
 * (table_column.budget), else the one of this name. */
GArray *budget_key_columns(const struct table_schema *schema, const char *key);

#endif
