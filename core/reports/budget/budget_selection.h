/* SPDX-License-Identifier: MIT */
/*
 * Which rows of a table a budget applies to: those that all of its selectors match. A selector is a list of patterns of
 * names (name_filter.h) for one or more columns.
 *
 * In a column of durations, such as the period of a timer, a number matches as CSV writes it (67000000), as the text
 * report shows it (67.0 ms), or as any other text of the same duration (67 ms).
 *
 * Names that reports leave out by default are left out here, too, unless a selector names one.
 *
 * A pattern that matches nothing is probably misspelt, also beside others that do: a selection notes it.
 */
#ifndef ROS2BT_BUDGET_SELECTION_H
#define ROS2BT_BUDGET_SELECTION_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/tables/table.h"

struct budget_selector {
	GArray *columns;	    /* size_t, of the schema; one of them must match, and none may be excluded */
	struct name_filter *filter; /* notes what it matched in rows that the selectors before take */
	GStrv patterns;		    /* as they were given */
	GPtrArray *names, *made;    /* of the row that is looked at; owned of those that had to be made */
};

/* An empty array of struct budget_selector, which owns their members. */
GArray *budget_selection_create(void);

/* Adds a selector. `columns` is owned from now on. `patterns`: ended by NULL. */
void budget_selection_add(GArray *selection, GArray *columns, const char *const *patterns);

/* O(selectors × columns × patterns). */
bool budget_selection_takes(const GArray *selection, const struct table_schema *schema, const struct cell *cells);

/* Whether a row has a name that reports leave out by default. */
bool budget_selection_is_hidden(const struct table_schema *schema, const struct cell *cells);

/* The texts of all selectors, separated by commas; empty without any. To be freed. */
char *budget_selection_text(const GArray *selection);

/* The name in a cell, as the text report shows it; NULL: it has none. To be freed. */
char *budget_selection_name(const struct table_column *column, const struct cell *cell);

/* The different names in a column, sorted and borrowed. To be unreferenced. */
typedef GPtrArray *(*budget_names_of)(const void *data, size_t column);

/*
 * What no row so far has matched, for people: `nothing in the recording matches "/chater"; did you mean "/chatter"?`.
 * NULL: each pattern has matched a row. To be freed.
 */
char *budget_selection_unmatched(const GArray *selection, budget_names_of names_of, const void *data);

#endif
