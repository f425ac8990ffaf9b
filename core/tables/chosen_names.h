/* SPDX-License-Identifier: MIT */
/*
 * Which rows a report has: those about the names that were asked for (parameters `nodes`, `topics` and `paths`). The
 * schema says what a row is about: its columns that mean nodes, topics or paths; or, if one that is not written means
 * the same (table_schema.unwritten), that one, because what is written may say more than the name, or less. One of
 * several names is enough. An empty cell is a name that is not known, which is none of those that were asked for. A
 * table without a column of a meaning has all its rows, whatever names of that kind were asked for.
 */
#ifndef ROS2BT_CHOSEN_NAMES_H
#define ROS2BT_CHOSEN_NAMES_H

#include "core/base/name_filter.h"
#include "core/tables/row.h"

/* Borrowed; NULL: all names. */
struct chosen_names {
	const struct name_filter *nodes, *topics, *paths;
};

/* Whether all rows are chosen, by nodes and topics and by paths: then nobody has to know names. */
static inline bool chosen_names_are_all(const struct chosen_names *chosen)
{
	return !chosen->nodes && !chosen->topics && !chosen->paths;
}

/* Whether the report has a row. The row needs no other members than the names. */
bool row_is_chosen(const struct chosen_names *chosen, const struct table_schema *schema, const void *row);

#endif
