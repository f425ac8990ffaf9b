/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/callback_text.h"

#include <glib.h>

#include "core/base/text/human_text.h"

const char *callback_kind_name(enum callback_kind kind)
{
	static const char *const names[] = {
		[CALLBACK_KIND_UNKNOWN] = "unknown",   [CALLBACK_KIND_SUBSCRIPTION] = "subscription",
		[CALLBACK_KIND_TIMER] = "timer",       [CALLBACK_KIND_SERVICE] = "service",
		[CALLBACK_KIND_INFERRED] = "inferred",
	};

	return names[kind];
}

const char *callback_source(const struct model_callback_info *info)
{
	if (info->subscription) {
		return info->subscription->topic;
	}
	return info->service ? info->service->name : NULL;
}

static char *source_text(const struct model_callback *callback, const struct model_callback_info *info)
{
	char buffer[HUMAN_TEXT_SIZE];
	const char *name = callback_source(info);

	if (info->has_period) {
		return g_strdup(human_text_duration(buffer, info->period_ns));
	}
	name = name ? name : info->symbol;
	return name ? g_strdup(name) : g_strdup_printf("0x%" G_GINT64_MODIFIER "x", callback->address);
}

char *callback_text(struct model_callback *callback, struct object_model *model)
{
	const struct model_callback_info *info = object_model_callback_info(model, callback);
	g_autofree char *source = source_text(callback, info);

	return info->node ? g_strdup_printf("%s %s", info->node, source) : g_steal_pointer(&source);
}
