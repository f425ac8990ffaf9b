/* SPDX-License-Identifier: MIT */
/* What a recording may lack of a stage or a path (point_pairs.h). O(1) if nothing was lost, else O(streams). */
#ifndef ROS2BT_POINT_LOSSES_H
#define ROS2BT_POINT_LOSSES_H

#include "core/analyses/points/points_state.h"

/* Whether events of a thread may be missing between two times. */
bool point_losses_lie_between(const struct points *points, uint32_t thread, int64_t from_ns, int64_t to_ns);

/* Whether the start of a stage that ends now may lie before the recording, or may be lost. */
bool point_losses_may_have_start(const struct points *points, const struct point_row *row, uint32_t thread,
				 int64_t end_ns);
/* Whether the end of an open stage may still follow, even after the recording, or may be lost. */
bool point_losses_may_have_end(const struct points *points, const struct point_row *row, const struct open_point *open,
			       int64_t now_ns);

#endif
