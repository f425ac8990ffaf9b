/* SPDX-License-Identifier: MIT */
/*
 * Whether a report is about something, by the parameters `nodes`, `topics` and `paths`: the only place that reads them.
 * Each analysis says which names a row has, which are not always those that its columns show. A name that is not known
 * (NULL) is none of those that were asked for.
 */
#ifndef ROS2BT_NAME_CHOICE_H
#define ROS2BT_NAME_CHOICE_H

#include "core/analyses/shared/analysis.h"
#include "core/base/name_filter.h"

/* Of what has several nodes: one of them is enough. */
static inline bool any_node_is_chosen(const struct analysis_options *options, const char *const *nodes, size_t count)
{
	return name_filter_passes(options->nodes, nodes, count);
}

static inline bool node_is_chosen(const struct analysis_options *options, const char *node)
{
	return any_node_is_chosen(options, &node, 1);
}

/* Of what has several topics or services: one of them is enough. */
static inline bool any_topic_is_chosen(const struct analysis_options *options, const char *const *topics, size_t count)
{
	return name_filter_passes(options->topics, topics, count);
}

/* By node and topic or service. */
static inline bool names_are_chosen(const struct analysis_options *options, const char *node, const char *topic)
{
	return node_is_chosen(options, node) && any_topic_is_chosen(options, &topic, 1);
}

/* The same of what has a node on each side: one of them is enough. */
static inline bool either_is_chosen(const struct analysis_options *options, const char *from, const char *to,
				    const char *topic)
{
	const char *const nodes[] = { from, to };

	return any_topic_is_chosen(options, &topic, 1) && any_node_is_chosen(options, nodes, G_N_ELEMENTS(nodes));
}

static inline bool path_text_is_chosen(const struct analysis_options *options, const char *text)
{
	return name_filter_passes(options->paths, &text, 1);
}

#endif
