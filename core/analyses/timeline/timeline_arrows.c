/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline.h"

void timeline_add_arrow(struct timeline *timeline, struct timeline_arrow **arrows, uint64_t id)
{
	struct timeline_arrow *arrow = object_pool_take(&timeline->arrows);

	arrow->id = id;
	arrow->next = *arrows;
	*arrows = arrow;
}

void timeline_free_arrows(struct timeline *timeline, struct timeline_arrow **arrows)
{
	while (*arrows) {
		struct timeline_arrow *arrow = *arrows;

		*arrows = arrow->next;
		object_pool_give(&timeline->arrows, arrow);
	}
}

struct cell timeline_first_arrow(const struct timeline_arrow *arrows)
{
	return arrows ? cell_unsigned(arrows->id) : CELL_NONE;
}

void timeline_write_more_arrows(const struct timeline *timeline, const struct timeline_arrow *arrows)
{
	while (arrows && (arrows = arrows->next)) {
		timeline_write_arrows(timeline->events, cell_unsigned(arrows->id), cell_none());
	}
}
