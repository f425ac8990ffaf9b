/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/callback_choice.h"

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/name_choice.h"

bool callback_is_chosen(const struct analysis_options *options, struct object_model *model,
			struct model_callback *callback)
{
	const struct model_callback_info *info;

	if (chosen_names_are_all(&options->names)) {
		return true;
	}
	info = object_model_callback_info(model, callback);
	return names_are_chosen(options, info->node, callback_source(info));
}
