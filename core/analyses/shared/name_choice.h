/* SPDX-License-Identifier: MIT */
/*
 * Whether a report is about names, for what is chosen before there is a row of it (all others:
 * core/tables/chosen_names.h):
 *
 * - Instances and events of a timeline are written while the trace is read, perhaps millions of them. They have the
 *   number of a row instead of its names, and most reports are about all names: then nobody looks any up.
 * - Paths and executors have any number of names. A path is chosen when its first flow ends, and its flows from then
 * on.
 * - What `memory` and `usage` count of callbacks is added up to rows of nodes. Rows of processes and hosts are in every
 *   report, as are the callbacks of all nodes in them.
 */
#ifndef ROS2BT_NAME_CHOICE_H
#define ROS2BT_NAME_CHOICE_H

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/callback_text.h"

/* Of what has several nodes: one of them is enough. */
static inline bool any_node_is_chosen(const struct analysis_options *options, const char *const *nodes, size_t count)
{
	return name_filter_passes(options->names.nodes, nodes, count);
}

static inline bool node_is_chosen(const struct analysis_options *options, const char *node)
{
	return any_node_is_chosen(options, &node, 1);
}

/* Of what has several topics or services: one of them is enough. */
static inline bool any_topic_is_chosen(const struct analysis_options *options, const char *const *topics, size_t count)
{
	return name_filter_passes(options->names.topics, topics, count);
}

/* By node and topic or service. */
static inline bool names_are_chosen(const struct analysis_options *options, const char *node, const char *topic)
{
	return node_is_chosen(options, node) && any_topic_is_chosen(options, &topic, 1);
}

/* By the node and the topic or service of a callback, as far as they are known. */
static inline bool callback_is_chosen(const struct analysis_options *options, struct object_model *model,
				      struct model_callback *callback)
{
	const struct model_callback_info *info;

	if (chosen_names_are_all(&options->names)) {
		return true;
	}
	info = object_model_callback_info(model, callback);
	return names_are_chosen(options, info->node, callback_source(info));
}

#endif
