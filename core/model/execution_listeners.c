/* SPDX-License-Identifier: MIT */
#include "core/model/execution_listeners.h"

#include <glib.h>

size_t execution_listeners_choose(struct executions_listener *listeners, size_t count,
				  const struct recording *recording)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (!recording_lacks_all(recording, listeners[i].only_with)) {
			listeners[left++] = listeners[i];
		}
	}
	return left;
}

/* Whether it hears of callbacks that were of any of these kinds. */
static bool hears(const struct executions_listener *listener, unsigned int kinds)
{
	bool is_of_kind = !listener->callback_kinds || (listener->callback_kinds | 1U << CALLBACK_KIND_UNKNOWN) & kinds;

	return is_of_kind && (!listener->only_unusual || kinds & EXECUTION_UNUSUAL);
}

static void set_lists(struct execution_hearers *hearers, unsigned int kinds,
		      const struct executions_listener *listeners, size_t count)
{
	struct started_hearer *started = g_new0(struct started_hearer, count + 1);
	struct ended_hearer *ended = g_new0(struct ended_hearer, count + 1);

	hearers->started[kinds] = started;
	hearers->ended[kinds] = ended;
	for (size_t i = 0; i < count; i++) {
		if (listeners[i].started && hears(&listeners[i], kinds)) {
			*started++ = (struct started_hearer){ listeners[i].started, listeners[i].data };
		}
		if (listeners[i].ended && hears(&listeners[i], kinds)) {
			*ended++ = (struct ended_hearer){ listeners[i].ended, listeners[i].data };
		}
	}
}

void execution_hearers_set(struct execution_hearers *hearers, const struct executions_listener *listeners, size_t count)
{
	execution_hearers_clear(hearers);
	for (unsigned int kinds = 0; kinds < EXECUTION_HEARER_LISTS; kinds++) {
		set_lists(hearers, kinds, listeners, count);
	}
}

void execution_hearers_clear(struct execution_hearers *hearers)
{
	for (unsigned int kinds = 0; kinds < EXECUTION_HEARER_LISTS; kinds++) {
		g_clear_pointer(&hearers->started[kinds], g_free);
		g_clear_pointer(&hearers->ended[kinds], g_free);
	}
}

void execution_listeners_tell_began(const struct executions_listener *listeners, size_t count,
				    struct model_callback *callback)
{
	for (size_t i = 0; i < count; i++) {
		if (listeners[i].began) {
			listeners[i].began(listeners[i].data, callback);
		}
	}
}

void execution_listeners_tell_may_be_new(const struct executions_listener *listeners, size_t count, uint32_t process,
					 int64_t time_ns)
{
	for (size_t i = 0; i < count; i++) {
		if (listeners[i].may_be_new) {
			listeners[i].may_be_new(listeners[i].data, process, time_ns);
		}
	}
}
