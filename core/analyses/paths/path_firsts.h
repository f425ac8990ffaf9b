/* SPDX-License-Identifier: MIT */
/*
 * When nodes first received messages of a topic, and when the first message that a node published by itself (in a
 * timer, or outside callbacks) was received. A node that has published on one topic before it received anything of
 * another can do without: this speaks against an indirect link between the two (path_joins.h). Unless it may have
 * received something that was not recorded.
 *
 * From the tree of paths, so it knows what was received and nothing else. Times in ns. Cost: O(nodes of the tree) to
 * make, O(1) to ask.
 */
#ifndef ROS2BT_PATH_FIRSTS_H
#define ROS2BT_PATH_FIRSTS_H

#include "core/analyses/paths/path_tree.h"

struct path_firsts;
struct path_first;

struct path_firsts *path_firsts_create(const struct path_tree *tree);
void path_firsts_destroy(struct path_firsts *firsts); /* NULL is allowed */

/*
 * The first message of a topic that a node of a process received, or published by itself; NULL: not known. Names are
 * interned, and the topic not hidden.
 */
const struct path_first *path_firsts_find(const struct path_firsts *firsts, uint32_t process, const char *node,
					  const char *topic, bool is_published);

/*
 * Whether a node published on a topic (by itself) before it received anything of another, which it did at some time:
 * the first messages of both, or NULL.
 */
bool path_firsts_can_do_without(const struct path_firsts *firsts, const struct path_first *received,
				const struct path_first *published);

/* Whether flows begin at the root by themselves: in a timer, or outside callbacks. */
bool path_node_begins_by_itself(const struct path_tree *tree, const struct path_node *root);

#endif
