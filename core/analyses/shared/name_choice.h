/* SPDX-License-Identifier: MIT */
/* Whether a report is about something that has a node and a topic or service. */
#ifndef ROS2BT_NAME_CHOICE_H
#define ROS2BT_NAME_CHOICE_H

#include "core/analyses/shared/analysis.h"
#include "core/base/name_filter.h"

/* By the parameter `nodes`; a name that is not known (NULL) is none of those that were asked for. */
static inline bool node_is_chosen(const struct analysis_options *options, const char *node)
{
	return name_filter_passes(options->nodes, &node, 1);
}

/* By the parameters `nodes` and `topics`. */
static inline bool names_are_chosen(const struct analysis_options *options, const char *node, const char *topic)
{
	return node_is_chosen(options, node) && name_filter_passes(options->topics, &topic, 1);
}

/* The same of what has a node on each side: one of them is enough. */
static inline bool either_is_chosen(const struct analysis_options *options, const char *from, const char *to,
				    const char *topic)
{
	const char *const nodes[] = { from, to };

	return name_filter_passes(options->topics, &topic, 1) &&
	       name_filter_passes(options->nodes, nodes, G_N_ELEMENTS(nodes));
}

#endif
