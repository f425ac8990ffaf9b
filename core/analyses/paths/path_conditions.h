/* SPDX-License-Identifier: MIT */
/*
 * Traversals that have ended on conditions (flow_linker_holds()). They wait in a spool until the conditions are
 * decided, at the end of the recording. What was counted at nodes with a condition is then added to the plain ones.
 *
 * Memory: that of a spool, with one entry per traversal.
 */
#ifndef ROS2BT_PATH_CONDITIONS_H
#define ROS2BT_PATH_CONDITIONS_H

#include "core/analyses/paths/path_tree.h"
#include "core/base/spool.h"

/* A traversal as it was: `last` and the steps before it, at plain nodes. */
struct waiting_traversal {
	struct step *steps; /* owned, by depth */
	const struct step *last;
	int64_t end_ns;
};

/* Whether it is known only at the end that the traversal ended there, and on that way. */
bool path_conditions_matter(const struct step *last, const struct traversals *traversals);

/* Flows continue from the candidates of a publication if it results from them, and end there only if it does not. */
void path_conditions_add_onward(struct path_tree *tree, const struct flow_publication *publication);

void path_conditions_keep(struct spool *spool, const struct step *last, const struct traversals *traversals,
			  int64_t end_ns, const struct path_holds *holds);

/*
 * At the end: the next traversal whose conditions hold, in the order in which they ended; false if there is none. Zero
 * `traversal` before the first call, and g_free(traversal->steps) after the last one.
 */
bool path_conditions_next(struct spool *spool, struct path_tree *tree, struct waiting_traversal *traversal);

/* At the end, once: adds what was lost or unknown on conditions that hold. */
void path_conditions_add_losses(const struct path_tree *tree);

#endif
