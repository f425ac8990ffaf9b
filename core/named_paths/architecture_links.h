/* SPDX-License-Identifier: MIT */
/*
 * The messages that nodes on named paths keep, by the architecture, as indirect links for the flow linker
 * (link_rules.h, LINK_USE_LATEST): as if the parameter `links` had named them.
 *
 *   use_latest_message   between its two topics
 *   callback_chain       through variables: from the topic of a callback that writes to a topic that a callback which
 *                        reads publishes. If a subscription's callback reads what another one writes, also the other
 *                        way around: so a file describes a node that joins messages, and such a node publishes from
 *                        the callback of whichever message arrives last.
 *
 * The linker makes no indirect link to publications of the callback that receives: these use the message in hand.
 */
#ifndef ROS2BT_ARCHITECTURE_LINKS_H
#define ROS2BT_ARCHITECTURE_LINKS_H

#include <glib.h>

#include "core/named_paths/architecture/named_path_options.h"

/* An array of struct link_rule, to be freed. O(nodes on paths × callbacks and variable passings of the node). */
GArray *architecture_links_of(const struct named_path_options *options);

#endif
