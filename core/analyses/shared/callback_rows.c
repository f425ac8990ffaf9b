/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/callback_rows.h"

#include "core/analyses/shared/name_choice.h"
#include "core/analyses/shared/callback_text.h"

bool callback_row_is_chosen(const struct analysis *analysis, const struct row_callback *row)
{
	return callback_is_chosen(analysis->context.options, analysis->context.model, row->callback);
}

struct row_list *callback_rows(const struct analysis *analysis,
			       bool (*prepare)(const struct analysis *analysis, void *row))
{
	const struct analysis_context *context = &analysis->context;
	struct row_list *list = row_list_create(analysis->rows.schema);

	for (guint i = 0; i < analysis->rows.rows->len; i++) {
		struct row_callback *row = analysis->rows.rows->pdata[i];

		if (row && callback_row_is_chosen(analysis, row) && (!prepare || prepare(analysis, row))) {
			row->name = row_list_keep(list, callback_text(row->callback, context->model));
			row->process = row_process_of(context->recording, row->callback->process);
			row_list_add(list, row);
		}
	}
	return list;
}
