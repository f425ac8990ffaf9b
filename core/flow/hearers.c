/* SPDX-License-Identifier: MIT */
#include "core/flow/hearers.h"

#include <glib.h>

void flow_hearers_set(struct flow_hearers *hearers, const struct flow_listener *listeners, size_t count)
{
	flow_hearers_clear(hearers);
#define SET(notice)                                                                                                    \
	hearers->notice = g_malloc0((count + 1) * sizeof(*hearers->notice));                                           \
	for (size_t i = 0, place = 0; i < count; i++) {                                                                \
		if (listeners[i].notice) {                                                                             \
			hearers->notice[place].call = listeners[i].notice;                                             \
			hearers->notice[place++].data = listeners[i].data;                                             \
		}                                                                                                      \
	}
	FLOW_NOTICES(SET)
#undef SET
}

void flow_hearers_clear(struct flow_hearers *hearers)
{
#define CLEAR(notice) g_clear_pointer(&hearers->notice, g_free);
	FLOW_NOTICES(CLEAR)
#undef CLEAR
}

void flow_hearers_only_release(struct flow_hearers *hearers)
{
	void (*first)(void *data, struct flow_execution *execution) = hearers->released[0].call;

#define END(notice) hearers->notice[0].call = NULL;
	FLOW_NOTICES(END)
#undef END
	hearers->released[0].call = first;
}
