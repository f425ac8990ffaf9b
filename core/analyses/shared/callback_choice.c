/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/callback_choice.h"

#include "core/analyses/shared/callback_text.h"
#include "core/base/name_filter.h"

bool callback_is_chosen(const struct analysis_options *options, struct object_model *model,
			struct model_callback *callback)
{
	const struct model_callback_info *info;
	const char *source;

	if (!options->nodes && !options->topics) {
		return true;
	}
	info = object_model_callback_info(model, callback);
	source = callback_source(info);
	return name_filter_passes(options->nodes, &info->node, 1) && name_filter_passes(options->topics, &source, 1);
}
