/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/holders.h"

#include <glib.h>

#include "core/analyses/shared/callback_text.h"

static const struct holder *find_longest(const struct holders *holders)
{
	const struct holder *longest = &holders->list[0];

	for (size_t i = 1; i < HOLDERS_MAX; i++) {
		longest = holders->list[i].held_ns > longest->held_ns ? &holders->list[i] : longest;
	}
	return longest;
}

struct model_callback *holders_longest(const struct holders *holders)
{
	return find_longest(holders)->callback;
}

int64_t holders_longest_ns(const struct holders *holders)
{
	return find_longest(holders)->held_ns;
}

char *holders_longest_text(const struct holders *holders, struct object_model *model)
{
	struct model_callback *longest = holders_longest(holders);

	return longest ? callback_text(longest, model) : NULL;
}
