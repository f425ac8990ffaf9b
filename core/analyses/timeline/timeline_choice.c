/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline.h"

#include "core/analyses/shared/callback_text.h"
#include "core/analyses/shared/name_choice.h"
#include "core/base/slots.h"
#include "core/base/text/hidden_names.h"

/* --- hidden names, which are compared once they are known: before most events --- */

static enum is_hidden known_at(const GArray *known, uint64_t index)
{
	return index < known->len ? g_array_index(known, uint8_t, index) : HIDDEN_UNKNOWN;
}

/* NULL: not known so far. */
static bool note_hidden(GArray *known, uint64_t index, const char *one, const char *other)
{
	bool is_hidden = (one && name_is_hidden(one)) || (other && name_is_hidden(other));

	if (is_hidden || (one && other)) {
		*array_at(known, uint8_t, (uint32_t)index) = is_hidden ? HIDDEN : HIDDEN_NOT;
	}
	return is_hidden;
}

static bool callback_is_hidden(const struct timeline *timeline, struct model_callback *callback)
{
	const struct model_callback_info *info;

	if (!timeline->events->only_counts_hidden) {
		return false;
	}
	if (G_LIKELY(known_at(timeline->hidden_callbacks, callback->index) != HIDDEN_UNKNOWN)) {
		return known_at(timeline->hidden_callbacks, callback->index) == HIDDEN;
	}
	info = object_model_callback_info(timeline->analysis.context.model, callback);
	return note_hidden(timeline->hidden_callbacks, callback->index, info->node,
			   info->kind == CALLBACK_KIND_TIMER ? "" : callback_source(info));
}

static bool publisher_is_hidden(const struct timeline *timeline, const struct model_publisher *publisher)
{
	if (!timeline->events->only_counts_hidden) {
		return false;
	}
	if (G_LIKELY(known_at(timeline->hidden_publishers, publisher->index) != HIDDEN_UNKNOWN)) {
		return known_at(timeline->hidden_publishers, publisher->index) == HIDDEN;
	}
	return note_hidden(timeline->hidden_publishers, publisher->index,
			   object_model_publisher_node(timeline->analysis.context.model, publisher), publisher->topic);
}

/* --- what the report covers --- */

bool timeline_draws_callback(const struct timeline *timeline, const struct model_callback *callback)
{
	return !callback_is_hidden(timeline, (struct model_callback *)callback) &&
	       callback_is_chosen(timeline->analysis.context.options, timeline->analysis.context.model,
				  (struct model_callback *)callback);
}

bool timeline_draws_publication(const struct timeline *timeline, const struct flow_publication *publication)
{
	const struct analysis_options *options = timeline->analysis.context.options;
	const char *node = NULL, *topic = NULL;

	if (!analysis_options_include(options, publication->first_ns) ||
	    (publication->publisher && publisher_is_hidden(timeline, publication->publisher))) {
		return false;
	}
	if (publication->publisher && chosen_names_are_all(&options->names)) {
		return true;
	}
	if (publication->publisher) {
		node = object_model_publisher_node(timeline->analysis.context.model, publication->publisher);
		topic = publication->publisher->topic;
	} else if (publication->client) {
		node = object_model_endpoint_node(timeline->analysis.context.model, &publication->client->endpoint);
		topic = publication->client->service_name;
	} else if (publication->service) {
		node = object_model_endpoint_node(timeline->analysis.context.model, &publication->service->endpoint);
		topic = publication->service->name;
	}
	if (!publication->publisher && timeline->events->only_counts_hidden &&
	    ((node && name_is_hidden(node)) || (topic && name_is_hidden(topic)))) {
		return false;
	}
	return chosen_names_are_all(&options->names) || names_are_chosen(options, node, topic);
}
