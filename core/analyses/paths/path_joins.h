/* SPDX-License-Identifier: MIT */
/*
 * Where paths end at a node that begins others by itself: in a timer, or outside callbacks. Nodes of control and
 * planning often store what they receive and publish at their own rate. No event tells whether a publication uses what
 * the node has stored, so flows end there unless an indirect link is given (ros2bt/flow/link_rules.h). Which links
 * would join paths is proposed here; whether they are true, the user knows.
 *
 * With the links `proposed` (analysis_options.proposes_links) a first pass over the recording finds them, and the paths
 * follow them (core/session/proposed_links.h).
 *
 * Proposed is one link a node, of the longest path that ends there, by a message, and the longest one that begins
 * there, of at least JOIN_TRAVERSALS_MIN flows each, that have no other node in common: what is joined never runs in
 * circles. A topic on which the node published before it had received anything of the other is not joined to it
 * (path_firsts.h). Nodes of which a link is given or recorded are left out, as are /clock, /tf and /tf_static (which
 * end everywhere), the /diagnostics that every node begins, hidden names, and names that a shell or the grammar would
 * take for something else. The first ones are those that join the most: by messages before × messages after.
 *
 * Cost: O(messages of all paths) for each report, and for each path that begins at a node those of that path for each
 * topic by which longer ones end there, at most; nothing while the trace is read. The order of the paths does not
 * matter.
 */
#ifndef ROS2BT_PATH_JOINS_H
#define ROS2BT_PATH_JOINS_H

#include "core/analyses/paths/path_tree.h"

#define JOIN_TRAVERSALS_MIN 10
#define JOINS_PROPOSED 2 /* in the text */

/* The links that join these paths, in the grammar of link_rules.h, those that join the most first. To be freed. */
char **path_joins_find(const struct path_tree *tree, const struct path *const *paths, size_t count);

/*
 * Appends a sentence and, on lines of their own, the options that join paths; nothing if there is nothing to join. If
 * proposed links were followed, a sentence says that instead.
 */
void path_joins_describe(const struct path_tree *tree, const struct path *const *paths, size_t count, GString *text);

#endif
