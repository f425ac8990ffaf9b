/* SPDX-License-Identifier: MIT */
#include "core/flow/missing_events.h"

void flow_missing_events_report(struct flow_linker *linker)
{
	uint64_t callbacks = 0;

	for (guint i = 0; !linker->has_takes && i < linker->ran_before_takes->len; i++) {
		callbacks +=
			g_array_index(linker->ran_before_takes, uint8_t, i) &&
			object_model_callback_info(linker->model, object_model_callback_at(linker->model, i))->kind ==
				CALLBACK_KIND_SUBSCRIPTION;
	}
	diagnostics_add(linker->diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_take", callbacks);
	if (linker->has_takes && !linker->has_writes && linker->next_id > 0) {
		diagnostics_add(linker->diagnostics, DIAGNOSTIC_MISSING_EVENTS, "ros2:rmw_publish",
				linker->counts.takes);
	}
}
