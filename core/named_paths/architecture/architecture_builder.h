/* SPDX-License-Identifier: MIT */
/* The state of making an architecture from a recording (architecture_build.h), and its parts. */
#ifndef ROS2BT_ARCHITECTURE_BUILDER_H
#define ROS2BT_ARCHITECTURE_BUILDER_H

#include "core/named_paths/architecture/architecture.h"
#include "core/named_paths/architecture/publishing_callbacks.h"
#include "core/named_paths/architecture/recorded_objects.h"

/* Of a node with more pairs of a subscription and a publisher, only known contexts are in the file. */
#define ARCHITECTURE_CONTEXTS_MAX 10000

/* The parts of the architecture made from a recorded object; NULL: none. */
struct built {
	struct architecture_node *node;
	struct architecture_callback *callback;	 /* of a timer or subscription */
	struct architecture_endpoint *publisher; /* of a publisher */
};

struct architecture_builder {
	struct object_model *model;		       /* borrowed */
	const struct publishing_callbacks *publishing; /* borrowed */
	bool assumes_latest;			       /* as in struct architecture_build_options */
	struct architecture *architecture;
	struct recorded_objects *recorded;
	GArray *built; /* struct built, by index of recorded->objects */
};

static inline const struct recorded_object *recorded_at(const struct architecture_builder *builder, guint index)
{
	return &g_array_index(builder->recorded->objects, struct recorded_object, index);
}

static inline struct built *built_at(const struct architecture_builder *builder, guint index)
{
	return &g_array_index(builder->built, struct built, index);
}

/* Call both after all nodes have their callbacks, publishers and subscriptions; in any order. */
void architecture_build_groups(const struct architecture_builder *builder);
void architecture_build_contexts(const struct architecture_builder *builder);

#endif
