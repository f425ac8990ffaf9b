/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline.h"

#include "core/analyses/shared/callback_choice.h"
#include "core/analyses/shared/name_choice.h"

bool timeline_draws_callback(const struct timeline *timeline, const struct model_callback *callback)
{
	return callback_is_chosen(timeline->analysis.context.options, timeline->analysis.context.model,
				  (struct model_callback *)callback);
}

bool timeline_draws_publication(const struct timeline *timeline, const struct flow_publication *publication)
{
	const struct analysis_options *options = timeline->analysis.context.options;
	const char *node = NULL, *topic = NULL;

	if (!analysis_options_include(options, publication->first_ns)) {
		return false;
	}
	if (chosen_names_are_all(&options->names)) {
		return true;
	}
	if (publication->publisher) {
		node = object_model_publisher_node(timeline->analysis.context.model, publication->publisher);
		topic = publication->publisher->topic;
	} else if (publication->client) {
		node = object_model_node_name(timeline->analysis.context.model, publication->process,
					      publication->client->node_handle, publication->client->since_ns);
		topic = publication->client->service_name;
	} else if (publication->service) {
		node = object_model_node_name(timeline->analysis.context.model, publication->process,
					      publication->service->node_handle, publication->service->since_ns);
		topic = publication->service->name;
	}
	return names_are_chosen(options, node, topic);
}
