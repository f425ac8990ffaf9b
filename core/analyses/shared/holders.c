/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/holders.h"

#include <glib.h>

#include "core/analyses/shared/callback_text.h"
#include "core/base/time_units.h"

static struct holder *find_or_replace(struct holders *holders, struct model_callback *callback)
{
	struct holder *least = &holders->list[0];

	for (size_t i = 0; i < HOLDERS_MAX; i++) {
		struct holder *holder = &holders->list[i];

		if (holder->callback == callback) {
			return holder;
		}
		least = holder->rank_ns < least->rank_ns ? holder : least;
	}
	least->callback = callback;
	least->held_ns = 0;
	return least;
}

void holders_add(struct holders *holders, struct model_callback *callback, int64_t held_ns)
{
	struct holder *holder = find_or_replace(holders, callback);

	holder->held_ns = add_saturated(holder->held_ns, held_ns);
	holder->rank_ns = add_saturated(holder->rank_ns, held_ns);
}

struct model_callback *holders_longest(const struct holders *holders)
{
	const struct holder *longest = &holders->list[0];

	for (size_t i = 1; i < HOLDERS_MAX; i++) {
		longest = holders->list[i].held_ns > longest->held_ns ? &holders->list[i] : longest;
	}
	return longest->callback;
}

char *holders_longest_text(const struct holders *holders, struct object_model *model)
{
	struct model_callback *longest = holders_longest(holders);

	return longest ? callback_text(longest, model) : NULL;
}
