/* SPDX-License-Identifier: MIT */
#include "core/model/execution_listeners.h"

#include <glib.h>

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

void execution_hearers_set(struct execution_hearers *hearers, const struct executions_listener *listeners, size_t count)
{
	size_t started = 0, ended = 0;

	execution_hearers_clear(hearers);
	hearers->started = g_malloc0((count + 1) * sizeof(*hearers->started));
	hearers->ended = g_malloc0((count + 1) * sizeof(*hearers->ended));
	for (size_t i = 0; i < count; i++) {
		if (listeners[i].started) {
			hearers->started[started].call = listeners[i].started;
			hearers->started[started++].data = listeners[i].data;
		}
		if (listeners[i].ended) {
			hearers->ended[ended].call = listeners[i].ended;
			hearers->ended[ended++].data = listeners[i].data;
		}
	}
}

void execution_hearers_clear(struct execution_hearers *hearers)
{
	g_clear_pointer(&hearers->started, g_free);
	g_clear_pointer(&hearers->ended, g_free);
}
