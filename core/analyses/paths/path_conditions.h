/* SPDX-License-Identifier: MIT */
/*
 * Traversals that have ended on conditions (flow_linker_holds()): they wait in a spool until these are decided, at the
 * end of the recording. What was counted at nodes with a condition is then added to the plain ones.
 *
 * Memory: that of a spool; a piece for each traversal.
 */
#ifndef ROS2BT_PATH_CONDITIONS_H
#define ROS2BT_PATH_CONDITIONS_H

#include "core/analyses/paths/path_tree.h"
#include "core/base/spool.h"

/* A traversal as it was: `last` and the steps before it, of plain nodes. */
struct waiting_traversal {
	struct step *steps; /* owned, by depth */
	const struct step *last;
	int64_t end_ns;
};

/* Whether the traversal has ended there, and on that way, is only known at the end. */
bool path_conditions_matter(const struct step *last, const struct traversals *traversals);

void path_conditions_keep(struct spool *spool, const struct step *last, const struct traversals *traversals,
			  int64_t end_ns, const struct path_holds *holds);

/*
 * After the end: the next of the traversals whose conditions hold, in the order in which they ended; false if there is
 * none. `traversal` is zeroed before the first call; after the last, g_free(traversal->steps).
 */
bool path_conditions_next(struct spool *spool, struct path_tree *tree, struct waiting_traversal *traversal);

/* After the end, once: adds what was lost, or unknown, on conditions that hold. */
void path_conditions_add_losses(const struct path_tree *tree);

#endif
