/* SPDX-License-Identifier: MIT */
#include "core/model/execution_ends.h"

#include "core/base/slots.h"

void execution_ends_init(struct execution_ends *ends)
{
	ends->processes = g_array_new(FALSE, TRUE, sizeof(struct process_ends));
}

void execution_ends_clear(struct execution_ends *ends)
{
	g_array_free(ends->processes, TRUE);
}

struct process_ends *execution_ends_of_process(struct execution_ends *ends, uint32_t process)
{
	return array_at(ends->processes, struct process_ends, process);
}

bool execution_ends_are_deferred(struct model_callback *callback, const struct model_callback_info *info)
{
	const struct callback_ends *ends = execution_ends_of(callback);

	return info->kind == CALLBACK_KIND_SERVICE && !ends->has_end &&
	       ((info->response == SERVICE_RESPONSE_DEFERRED && !ends->was_kept) ||
		(info->response != SERVICE_RESPONSE_RETURNED && ends->was_left));
}

enum execution_fate execution_ends_fate(struct model_callback *callback, const struct model_callback_info *info)
{
	const struct callback_ends *ends = execution_ends_of(callback);

	if (execution_ends_are_deferred(callback, info)) {
		return EXECUTION_IS_OVER;
	}
	if (ends->goes_on) {
		return ends->is_over ? EXECUTION_IN_DOUBT : EXECUTION_GOES_ON;
	}
	return ends->is_over ? EXECUTION_IS_OVER : EXECUTION_IN_DOUBT;
}

static void diagnose_callback(const struct recording *recording, struct object_model *model,
			      struct model_callback *callback, struct diagnostics *diagnostics)
{
	const struct missing_ends *ends = execution_ends_missing(callback);
	g_autofree char *name = NULL;

	if (ends->missing == 0 && ends->cut == 0) {
		return;
	}
	name = recording_process_text(recording, callback->process);
	if (execution_ends_are_deferred(callback, object_model_callback_info(model, callback))) {
		diagnostics_add(diagnostics, DIAGNOSTIC_DEFERRED_RESPONSE, name, ends->missing + ends->cut);
	} else {
		diagnostics_add(diagnostics, DIAGNOSTIC_START_WITHOUT_END, name, ends->missing);
		diagnostics_add(diagnostics, DIAGNOSTIC_CUT_BY_GAP, name, ends->cut);
	}
}

void execution_ends_diagnose(const struct execution_ends *ends, const struct recording *recording,
			     struct object_model *model, struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < object_model_callback_count(model); i++) {
		diagnose_callback(recording, model, object_model_callback_at(model, i), diagnostics);
	}
	for (guint i = 0; i < ends->processes->len; i++) {
		const struct process_ends *process = &g_array_index(ends->processes, struct process_ends, i);
		g_autofree char *name = recording_process_text(recording, i);

		diagnostics_add(diagnostics, DIAGNOSTIC_END_WITHOUT_START, name, process->without_start);
		diagnostics_add(diagnostics, DIAGNOSTIC_DOUBTFUL_EXECUTION, name, process->doubtful);
		diagnostics_add(diagnostics, DIAGNOSTIC_STACK_TOO_DEEP, name, process->too_deep);
	}
}
