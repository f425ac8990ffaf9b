/* SPDX-License-Identifier: MIT */
#include "core/events/normalized_mark.h"

#include <string.h>

/* Either event records a publication; the filter shows both as rmw_publish. */
_Static_assert((int)DDS_WRITE__timestamp == (int)RMW_PUBLISH__timestamp &&
		       (int)DDS_WRITE__rmw_publisher_handle == (int)RMW_PUBLISH__rmw_publisher_handle,
	       "one slot for both");

static const char *const labels[NORMALIZED_HOW_COUNT] = {
	[NORMALIZED_CHANGED] = "changed",
	[NORMALIZED_SUPPLIED] = "supplied",
	[NORMALIZED_INFERRED] = "inferred",
	[NORMALIZED_UNSTAMPED] = "unstamped",
	[NORMALIZED_BOUND] = "bound",
	[NORMALIZED_COMPLETED] = "completed",
	[NORMALIZED_AS_INTER_PROCESS] = "as_inter_process",
	[NORMALIZED_INFERRED_TAKE] = "inferred_take",
};

const char *normalized_how_label(enum normalized_how how)
{
	return labels[how];
}

enum normalized_how normalized_how_of_label(const char *label)
{
	for (int how = NORMALIZED_CHANGED; label && how < NORMALIZED_HOW_COUNT; how++) {
		if (strcmp(labels[how], label) == 0) {
			return (enum normalized_how)how;
		}
	}
	return NORMALIZED_KEPT;
}

struct normalized_mark normalized_mark_of_labels(const char *how, const char *recorded_as)
{
	struct normalized_mark mark = { .how = normalized_how_of_label(how) };

	if (mark.how != NORMALIZED_KEPT) {
		mark.recorded_as = recorded_as;
	}
	return mark;
}

const char *normalized_mark_member(const struct normalized_mark *mark, enum event_kind kind,
				   const struct event_field *field)
{
	bool is_filled_in = false;

	switch (mark->how) {
	case NORMALIZED_INFERRED:
	case NORMALIZED_UNSTAMPED:
	case NORMALIZED_BOUND:
		is_filled_in =
			field->slot == RMW_PUBLISH__timestamp || field->slot == RMW_PUBLISH__rmw_publisher_handle;
		break;
	case NORMALIZED_COMPLETED:
		is_filled_in = field->slot == RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription;
		break;
	case NORMALIZED_CHANGED:
		if (kind == EVENT_RCL_INIT && field->slot == RCL_INIT__version) {
			return NORMALIZED_RECORDED_VERSION;
		}
		break;
	default:
		break;
	}
	return is_filled_in ? NULL : field->name;
}
