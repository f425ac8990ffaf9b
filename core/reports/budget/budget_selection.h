/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a table a budget applies to: those that all of its selectors match. A selector is a list of patterns of
 * names (name_filter.h) for one or more columns.
 *
 * In a column of durations, such as the period of a timer, a number matches as CSV writes it (67000000), as the text
 * report shows it (67.0 ms), or as any other text of the same duration (67 ms).
 *
 * Names that reports leave out by default are left out here, too, unless a selector names one.
 */
#ifndef ROS2BT_BUDGET_SELECTION_H
#define ROS2BT_BUDGET_SELECTION_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/tables/table.h"

struct budget_selector {
	GArray *columns; /* size_t, of the schema; one of them must match */
	struct name_filter *filter;
	char *text; /* the patterns as they were given */
};

/* An empty array of struct budget_selector, which owns their members. */
GArray *budget_selection_create(void);

/* Adds a selector. `columns` is owned from now on. `patterns`: ended by NULL. */
void budget_selection_add(GArray *selection, const struct table_schema *schema, GArray *columns,
			  const char *const *patterns);

/* O(selectors × columns × patterns). */
bool budget_selection_takes(const GArray *selection, const struct table_schema *schema, const struct cell *cells);

/* Whether a row has a name that reports leave out by default. */
bool budget_selection_is_hidden(const struct table_schema *schema, const struct cell *cells);

/* The texts of all selectors, separated by commas; empty without any. To be freed. */
char *budget_selection_text(const GArray *selection);

#endif
