/* SPDX-License-Identifier: MIT */
/*
 * The objects of a recording that the names of an architecture mean. A publisher or subscription is bound by node,
 * topic and order; a callback by node, kind, period or topic, symbol and order. If no callback has the symbol, as after
 * a build with another compiler, it is bound without: `without_symbol` is then set.
 *
 * An order counts within one life of a node: nodes of one name in several processes, or restarted, are all bound. A
 * callback may be several objects: its subscription may have an intra-process part.
 *
 * Definitions may be recorded late: bind at the end of the recording, or again. O(objects of the model) per call; for
 * publishers and subscriptions O(candidates × objects).
 */
#ifndef ROS2BT_ARCHITECTURE_BINDING_H
#define ROS2BT_ARCHITECTURE_BINDING_H

#include <glib.h>

#include "core/named_paths/architecture/architecture.h"
#include "ros2bt/model/object_model.h"

/* The rank of a publisher or subscription (`kind`) among those of its node with the same topic, from 0. */
uint32_t architecture_order_of(const struct object_model *model, enum model_kind kind,
			       const struct model_endpoint *endpoint);

/* Arrays to be freed: struct model_publisher *, struct model_subscription *, struct model_callback *, by index. */
GPtrArray *architecture_bind_publishers(const struct object_model *model, const char *node, const char *topic,
					uint32_t order);
GPtrArray *architecture_bind_subscriptions(const struct object_model *model, const char *node, const char *topic,
					   uint32_t order);
GPtrArray *architecture_bind_callbacks(struct object_model *model, const char *node,
				       const struct architecture_callback *callback, bool *without_symbol);

#endif
