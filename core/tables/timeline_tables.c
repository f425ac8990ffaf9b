/* SPDX-License-Identifier: MIT */
#include "core/tables/timeline_tables.h"

const struct table_column timeline_track_columns[TIMELINE_TRACK_COLUMNS] = {
	[TIMELINE_TRACK_ID] = { .name = "track" },
	[TIMELINE_TRACK_PARENT] = { .name = "parent" },
	[TIMELINE_TRACK_KIND] = { .name = "kind" },
	[TIMELINE_TRACK_RANK] = { .name = "rank" },
	[TIMELINE_TRACK_NAME] = { .name = "name", .format = COLUMN_NAME },
	[TIMELINE_TRACK_PID] = { .name = "pid" },
	[TIMELINE_TRACK_TID] = { .name = "tid" },
};

const struct table_column timeline_label_columns[TIMELINE_LABEL_COLUMNS] = {
	[TIMELINE_LABEL_ID] = { .name = "label" },
	[TIMELINE_LABEL_KEY] = { .name = "key" },
	[TIMELINE_LABEL_VALUE] = { .name = "value", .format = COLUMN_NAME },
};

const struct table_column timeline_event_columns[TIMELINE_EVENT_COLUMNS] = {
	[TIMELINE_EVENT_KIND] = { .name = "kind" },
	[TIMELINE_EVENT_TRACK] = { .name = "track" },
	[TIMELINE_EVENT_LABEL] = { .name = "label" },
	[TIMELINE_EVENT_BEGIN] = { .name = "begin_ns", .format = COLUMN_TIME },
	[TIMELINE_EVENT_END] = { .name = "end_ns", .format = COLUMN_TIME },
	[TIMELINE_EVENT_VALUE] = { .name = "value" },
	[TIMELINE_EVENT_ARROW] = { .name = "arrow" },
	[TIMELINE_EVENT_SECOND_ARROW] = { .name = "second_arrow" },
};

void timeline_write_track(struct table_writer *writer, const struct timeline_track *track)
{
	TABLE_ROW(writer, timeline_track_columns,
		  (struct cell[]){
			  [TIMELINE_TRACK_ID] = cell_unsigned(track->id),
			  [TIMELINE_TRACK_PARENT] = track->parent ? cell_unsigned(track->parent) : CELL_NONE,
			  [TIMELINE_TRACK_KIND] = cell_text(track->kind),
			  [TIMELINE_TRACK_RANK] = cell_unsigned(track->rank),
			  [TIMELINE_TRACK_NAME] = cell_text(track->name),
			  [TIMELINE_TRACK_PID] = track->pid,
			  [TIMELINE_TRACK_TID] = track->tid,
		  });
}

void timeline_write_label(struct table_writer *writer, uint64_t id, const char *key, struct cell value)
{
	if (value.type != CELL_EMPTY) {
		TABLE_ROW(writer, timeline_label_columns, (struct cell[]){ cell_unsigned(id), cell_text(key), value });
	}
}
