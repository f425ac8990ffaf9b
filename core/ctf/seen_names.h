/* SPDX-License-Identifier: MIT */
/*
 * The names in a block of metadata so far, none of which may repeat: few, as a rule. Names are borrowed. Cost: O(1) for
 * a name, however many there are.
 */
#ifndef ROS2BT_SEEN_NAMES_H
#define ROS2BT_SEEN_NAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#define SEEN_NAMES_FEW 16

typedef struct seen_names {
	size_t count;
	const char *few[SEEN_NAMES_FEW];
	GHashTable *more; /* owned, NULL if there are none */
} seen_names;

void seen_names_clear(seen_names *seen);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(seen_names, seen_names_clear)

/* False: the block already has it. */
bool seen_names_add(seen_names *seen, const char *name);

#endif
