/* SPDX-License-Identifier: MIT */
/*
 * Named paths along the messages as recorded: whatever the flow linker links, message by message, is followed along the
 * ways of the paths (named_ways.h). A publication therefore belongs to the callback that really made it, on its thread;
 * a message is lost only if the linker is certain; and nothing is charged across a pause of the recording.
 *
 * No event shows a message that a callback keeps for another one to publish. Where the architecture says so, it is an
 * indirect link for the linker (architecture_links.h).
 *
 * Cost: a look-up by index for each publication and execution; a step for each execution on a path, without allocation.
 * Memory: the steps of open flows (named_steps.h).
 */
#ifndef ROS2BT_NAMED_FLOWS_H
#define ROS2BT_NAMED_FLOWS_H

#include "core/named_paths/named_results.h"

struct named_flows;

/* Adds its listener and links to the context's flow linker. The results are borrowed. */
struct named_flows *named_flows_create(const struct analysis_context *context, struct named_results *results);

/* At the end of the recording: sets the reasons of paths without complete flows. */
void named_flows_finish(struct named_flows *flows);

/* Adds the differences between recording and architecture. */
void named_flows_diagnose(const struct named_flows *flows, struct diagnostics *findings);

#endif
