/* SPDX-License-Identifier: MIT */
/*
 * Named paths by the flow of messages as it was recorded: what the flow linker links, message by message, is followed
 * along the ways of the paths (named_ways.h). So a publication belongs to the callback that really published it, on its
 * thread, and a message is lost only where the linker is certain of that; a pause is charged to nobody.
 *
 * What a callback keeps for others to publish is no event. Where the architecture says so, it is an indirect link for
 * the linker (link_rules.h, LINK_USE_LATEST), as if the parameter `links` had named it:
 *
 *   use_latest_message   between its two topics
 *   callback_chain       through variables: between the topic of a callback that writes and the one that a callback
 *                        publishes which reads. Where a subscription's callback reads what another one writes, also
 *                        the other way around: that is how a file says of a node that it joins messages, and the node
 *                        publishes from the callback of whichever message comes last.
 *
 * but not for publications of the callback that receives: those use the message in hand.
 *
 * Cost: per publication and execution a look-up by index; a step for each execution on a path, no allocation. Memory:
 * the steps of flows under way.
 */
#ifndef ROS2BT_NAMED_FLOWS_H
#define ROS2BT_NAMED_FLOWS_H

#include "core/analyses/named_paths/named_results.h"

struct named_flows;

/* Adds its listener and links to the context's flow linker. The results are borrowed. */
struct named_flows *named_flows_create(const struct analysis_context *context, struct named_results *results);
void named_flows_destroy(struct named_flows *flows); /* after the flow linker */

/* The end of the recording: paths get their reasons. */
void named_flows_finish(struct named_flows *flows);

/* Adds what the recording does otherwise than the architecture says. */
void named_flows_diagnose(const struct named_flows *flows, struct diagnostics *findings);

#endif
