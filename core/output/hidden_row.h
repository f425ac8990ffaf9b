/* SPDX-License-Identifier: MIT */
/* Whether a row is only counted because of a hidden name (text_hints.may_be_hidden). */
#ifndef ROS2BT_HIDDEN_ROW_H
#define ROS2BT_HIDDEN_ROW_H

#include "core/base/text/hidden_names.h"
#include "core/tables/table.h"

/* `shown`: what an output shows in the column of the row `cells`. */
static inline bool column_hides_row(const struct table_column *column, const struct cell *shown,
				    const struct cell *cells)
{
	const struct text_hints *hints = column->hints;

	return hints && hints->may_be_hidden && shown->type == CELL_TEXT &&
	       (!hints->is_name || hints->is_name(cells)) && name_is_hidden(shown->text);
}

#endif
