/* SPDX-License-Identifier: MIT */
/*
 * Rows of callbacks: what an analysis counts for each of them, with its names when the rows are written. The struct of
 * such a row begins with a struct row_callback. A row is written if the report is about its callback
 * (name_choice.h).
 */
#ifndef ROS2BT_CALLBACK_ROWS_H
#define ROS2BT_CALLBACK_ROWS_H

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/row_process.h"
#include "core/model/callback_ids.h"
#include "core/tables/row_list.h"

struct row_callback {
	struct model_callback *callback;
	uint64_t id; /* callback_ids.h */
	/* In a list of rows: */
	const char *name; /* callback_text.h */
	struct row_process process;
};

/* The row of a callback that runs, in the main table of an analysis that needs ANALYSIS_NEEDS_CALLBACK_IDS. */
static inline void *callback_row_of(struct analysis *analysis, struct model_callback *callback)
{
	struct row_callback *row = row_store_at(&analysis->rows, callback->index);

	if (G_UNLIKELY(!row->callback)) {
		row->callback = callback;
		row->id = callback_ids_of(analysis->context.callback_ids, callback);
	}
	return row;
}

/* Whether the report is about the callback of a row. */
bool callback_row_is_chosen(const struct analysis *analysis, const struct row_callback *row);

/*
 * The rows that the report is about and of which `prepare`, which sets what only the end shows, returns true; NULL:
 * all. To be destroyed.
 */
struct row_list *callback_rows(const struct analysis *analysis,
			       bool (*prepare)(const struct analysis *analysis, void *row));

#endif
