/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/path_holds.h"

#include "core/base/arena_parts.h"
#include "ros2bt/base/time_units.h"

#define ENTRIES_BEFORE 2 /* PATH_HOLD_NONE and PATH_HOLD_UNKNOWN */

void path_holds_init(struct path_holds *holds, const struct analysis_context *context, bool measures)
{
	*holds = (struct path_holds){ .entries = arena_array(recording_arena(context->recording),
							     sizeof(struct path_hold)) };
	g_array_set_size(holds->entries, ENTRIES_BEFORE);
	if (measures) {
		holds->threads = context->threads;
		thread_history_listen(holds->threads);
	}
}

static struct path_hold *entry(const struct path_holds *holds, uint32_t number)
{
	return &g_array_index(holds->entries, struct path_hold, number);
}

uint32_t path_holds_add(struct path_holds *holds, uint32_t number, struct path_hold hold)
{
	uint32_t added = holds->unused;

	if (number < ENTRIES_BEFORE) {
		return number;
	}
	if (added) {
		holds->unused = (uint32_t)entry(holds, added)->held_ns;
	} else {
		added = holds->entries->len;
		g_array_set_size(holds->entries, added + 1);
	}
	*entry(holds, added) = hold;
	return added;
}

uint32_t path_holds_measure(struct path_holds *holds, const struct flow_execution *execution)
{
	const struct flow_delivery *delivery = execution->cause;
	const struct thread_uses *uses;

	if (!holds->threads || !delivery->has_take || execution->kind == CALLBACK_KIND_INFERRED) {
		return PATH_HOLD_UNKNOWN;
	}
	uses = thread_history_find(holds->threads, execution->thread, delivery->publication->first_ns,
				   delivery->take_ns);
	if (!uses) {
		return PATH_HOLD_UNKNOWN;
	}
	return uses->total_ns <= 0
		       ? PATH_HOLD_NONE
		       : path_holds_add(holds, ENTRIES_BEFORE, (struct path_hold){ uses->longest, uses->total_ns });
}

void path_holds_give(struct path_holds *holds, uint32_t number)
{
	if (number >= ENTRIES_BEFORE) {
		*entry(holds, number) = (struct path_hold){ .held_ns = holds->unused };
		holds->unused = number;
	}
}

struct path_hold path_holds_get(const struct path_holds *holds, uint32_t number)
{
	return *entry(holds, number);
}

void hop_holds_add(struct hop_holds *sum, const struct path_holds *holds, uint32_t number)
{
	const struct path_hold *hold = entry(holds, number);

	if (number == PATH_HOLD_UNKNOWN) {
		sum->unknown++;
	} else if (number != PATH_HOLD_NONE) {
		sum->held_ns = add_saturated(sum->held_ns, hold->held_ns);
		holders_add(&sum->holders, hold->callback, hold->held_ns);
	}
}
