/* SPDX-License-Identifier: MIT */
#include "core/model/execution_listeners.h"

/* Whether it may hear anything that it needs. */
static bool is_of_use(const struct executions_listener *listener, const struct recording *recording)
{
	const enum event_kind *kind = listener->only_with;

	while (kind && *kind != EVENT_KIND_COUNT && recording_lacks(recording, *kind)) {
		kind++;
	}
	return !kind || *kind != EVENT_KIND_COUNT;
}

size_t execution_listeners_choose(struct executions_listener *listeners, size_t count,
				  const struct recording *recording)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_of_use(&listeners[i], recording)) {
			listeners[left++] = listeners[i];
		}
	}
	return left;
}
