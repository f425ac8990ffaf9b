/* SPDX-License-Identifier: MIT */
#include "core/flow/hearers.h"

#include <glib.h>

/* `data` is the list of the hearers. */
#define TELL_ALL(notice, parameters, ...)                                                                              \
	static void tell_all_##notice parameters                                                                       \
	{                                                                                                              \
		for (const struct hearer_of_##notice *hearer = data; hearer->call; hearer++) {                         \
			hearer->call(hearer->data, __VA_ARGS__);                                                       \
		}                                                                                                      \
	}
#define PUBLICATION const struct flow_publication *publication
#define SUBSCRIPTION struct model_subscription *subscription
TELL_ALL(delivered, (void *data, const struct flow_delivery *delivery), delivery)
TELL_ALL(continued, (void *data, PUBLICATION), publication)
TELL_ALL(received, (void *data, const struct flow_delivery *delivery, void **pair), delivery, pair)
TELL_ALL(stamped, (void *data, PUBLICATION, uint64_t stamp), publication, stamp)
TELL_ALL(sized, (void *data, PUBLICATION, uint64_t bytes), publication, bytes)
TELL_ALL(settled, (void *data, PUBLICATION), publication)
TELL_ALL(expected, (void *data, PUBLICATION, SUBSCRIPTION, enum flow_outcome of), publication, subscription, of)
TELL_ALL(missed, (void *data, PUBLICATION, SUBSCRIPTION, bool is_intra_process, enum flow_outcome of), publication,
	 subscription, is_intra_process, of)
TELL_ALL(concluded, (void *data, PUBLICATION), publication)
TELL_ALL(resolved, (void *data, struct flow_execution *execution), execution)
TELL_ALL(finished, (void *data, struct flow_execution *execution, bool is_continued), execution, is_continued)
TELL_ALL(released, (void *data, struct flow_execution *execution), execution)
#undef PUBLICATION
#undef SUBSCRIPTION
#undef TELL_ALL

void flow_hearers_set(struct flow_hearers *hearers, const struct flow_listener *listeners, size_t count)
{
	flow_hearers_clear(hearers);
#define SET(notice)                                                                                                    \
	hearers->all_##notice = g_malloc0((count + 1) * sizeof(*hearers->all_##notice));                               \
	for (size_t i = 0, place = 0; i < count; i++) {                                                                \
		if (listeners[i].notice) {                                                                             \
			struct hearer_of_##notice hearer = { listeners[i].notice, listeners[i].data };                 \
			struct hearer_of_##notice all = { tell_all_##notice, hearers->all_##notice };                  \
                                                                                                                       \
			hearers->all_##notice[place++] = hearer;                                                       \
			hearers->notice = place > 1 ? all : hearer;                                                    \
		}                                                                                                      \
	}
	FLOW_NOTICES(SET)
#undef SET
	for (size_t i = 0; i < count; i++) {
		hearers->hear_all_ends |=
			(listeners[i].finished || listeners[i].released) && !listeners[i].only_carriers;
	}
}

void flow_hearers_clear(struct flow_hearers *hearers)
{
#define CLEAR(notice) g_free(hearers->all_##notice);
	FLOW_NOTICES(CLEAR)
#undef CLEAR
	*hearers = (struct flow_hearers){ 0 };
}
