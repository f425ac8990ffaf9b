/* SPDX-License-Identifier: MIT */
#include "core/flow/missing_events.h"

void flow_missing_events_report(struct flow_linker *linker)
{
	uint64_t callbacks = 0;

	for (guint i = 0; !linker->has_takes && i < object_model_callback_count(linker->model); i++) {
		struct model_callback *callback = object_model_callback_at(linker->model, i);

		callbacks += execution_ends_of(callback)->may_take &&
			     object_model_callback_info(linker->model, callback)->kind == CALLBACK_KIND_SUBSCRIPTION;
	}
	diagnostics_add(linker->diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take", callbacks);
	if (linker->has_takes && !linker->has_writes && linker->next_id > 0) {
		diagnostics_add(linker->diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_publish",
				linker->counts.takes);
	}
}
