/* SPDX-License-Identifier: MIT */
#include "core/analyses/holders.h"

#include <glib.h>

#include "core/base/time_units.h"
#include "core/text/human_text.h"

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

/* What triggers the callback, as the table of callbacks has it; else its function or address. */
static char *source_text(const struct model_callback *callback, const struct model_callback_info *info)
{
	char buffer[HUMAN_TEXT_SIZE];
	const char *name = info->subscription ? info->subscription->topic : NULL;

	if (info->has_period) {
		return g_strdup(human_text_duration(buffer, info->period_ns));
	}
	name = info->service ? info->service->name : name;
	name = name ? name : info->symbol;
	return name ? g_strdup(name) : g_strdup_printf("0x%" G_GINT64_MODIFIER "x", callback->address);
}

char *holders_longest_text(const struct holders *holders, struct object_model *model)
{
	const struct holder *longest = &holders->list[0];
	const struct model_callback_info *info;
	g_autofree char *source = NULL;

	for (size_t i = 1; i < HOLDERS_MAX; i++) {
		longest = holders->list[i].held_ns > longest->held_ns ? &holders->list[i] : longest;
	}
	if (!longest->callback) {
		return NULL;
	}
	info = object_model_callback_info(model, longest->callback);
	source = source_text(longest->callback, info);
	return info->node ? g_strdup_printf("%s %s", info->node, source) : g_steal_pointer(&source);
}
