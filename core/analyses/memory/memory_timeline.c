/* SPDX-License-Identifier: MIT */
#include "core/analyses/memory/memory_state.h"

#define MEMORY_RANK ((1U << 24) + 1) /* below the rows of the process and its rate */

const struct table_schema memory_track_schema = { .name = "timeline_memory_tracks",
						  .title = "Timeline: memory of processes",
						  TIMELINE_SCHEMA_TRACKS };
const struct table_schema memory_event_schema = { .name = "timeline_memory_events",
						  .title = "Timeline: live bytes",
						  TIMELINE_SCHEMA_EVENTS };

static void write_process(struct table_writer *tracks, struct table_writer *events,
			  const struct memory_process *process, uint32_t index)
{
	uint64_t track = timeline_id(TIMELINE_SPACE_MEMORY, index, 0);

	timeline_write_track(tracks, &(struct timeline_track){
					     .id = track,
					     .parent = timeline_id(TIMELINE_SPACE_PROCESS, index, 0),
					     .kind = "counter",
					     .name = "allocated bytes",
					     .rank = MEMORY_RANK,
				     });
	if (events) {
		piece_counter_write_values(&process->live, events, track);
	}
}

void memory_timeline_write(const struct memory *memory, struct table_writer *const *writers)
{
	for (guint i = 0; writers[TABLE_MEMORY_TRACKS] && i < memory->processes->len; i++) {
		const struct memory_process *process = memory->processes->pdata[i];

		if (process && piece_counter_has_any(&process->live)) {
			write_process(writers[TABLE_MEMORY_TRACKS], writers[TABLE_MEMORY_EVENTS], process, i);
		}
	}
}
