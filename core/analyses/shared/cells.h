/* SPDX-License-Identifier: MIT */
/* Cells that tables of several analyses have: ids, which are empty where the trace does not record them, ratios and
 * means. */
#ifndef ROS2BT_CELLS_H
#define ROS2BT_CELLS_H

#include "core/base/int128.h"
#include "core/model/object_numbers.h"
#include "core/tables/table.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/events/recording.h"

static inline struct cell vpid_cell(const struct recording_process *process)
{
	return process->has_vpid ? cell_integer(process->vpid) : CELL_NONE;
}

static inline struct cell vtid_cell(const struct recording_thread *thread)
{
	return thread->has_vtid ? cell_integer(thread->vtid) : CELL_NONE;
}

/* The CPU that recorded a stream. */
static inline struct cell cpu_cell(const struct recording *recording, uint16_t stream)
{
	uint32_t cpu = recording_stream_cpu(recording, stream);

	return cpu == RECORDING_NONE ? CELL_NONE : cell_unsigned(cpu);
}

/* In percent; empty of nothing. */
static inline struct cell share_cell(double part, double whole)
{
	return whole > 0 ? cell_real(100 * part / whole) : CELL_NONE;
}

/* Of `count` of something, at least one. */
static inline struct cell mean_cell(int128 sum, uint64_t count)
{
	return cell_real(int128_to_double(sum) / (double)count);
}

/* How often something happens, in Hz: `count` times, from the first to the last in time_ns. Empty for less than two. */
static inline struct cell rate_cell(uint64_t count, double time_ns)
{
	return count > 1 && time_ns > 0 ? cell_real((double)(count - 1) * (double)NS_PER_S / time_ns) : CELL_NONE;
}

/*
 * The same with the time that follows the last one, in which nothing happened: as often as if it were about to happen
 * again. What has stopped was less frequent than its periods say; what has not, no less.
 */
static inline struct cell rate_to_end_cell(uint64_t count, double time_ns, double silent_ns)
{
	struct cell rate = rate_cell(count, time_ns);

	if (rate.type == CELL_REAL && silent_ns > 0) {
		rate.real = MIN(rate.real, (double)count * (double)NS_PER_S / (time_ns + silent_ns));
	}
	return rate;
}

/* Which of several objects that have the same names; empty: the only one, or NULL. */
static inline struct cell object_numbers_cell(struct object_numbers *numbers, enum model_kind kind,
					      const struct model_object *object)
{
	uint32_t number = object_numbers_of(numbers, kind, object);

	return number > 0 ? cell_unsigned(number) : CELL_NONE;
}

#endif
