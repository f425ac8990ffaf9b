/* SPDX-License-Identifier: MIT */
/*
 * The tables of a timeline: the interface between analyses with something to draw and outputs that draw a timeline
 * (`draws_timeline` of struct output_class). Tables with these columns are among those of the analysis; an output draws
 * those of all analyses together. Other outputs write them only if they were chosen by name.
 *
 *   tracks  where things are drawn: processes, their threads, rows of anything else, counters
 *   labels  what is drawn: a row for each property of a label, such as its name
 *   events  slices, instants, values of counters, states of threads: rows of instances, in any order
 *
 * Tracks and labels are written at the end, when all names are known; some may have no events. Ids are the same in the
 * tables of all analyses (timeline_id()), so one analysis can draw on the tracks of another. If a track is written
 * twice, the first row counts. Tracks of kind "thread" with the same pid and tid are of one thread.
 *
 * - Slices of a track nest or do not touch. Those that may overlap get lanes (core/analyses/timeline/timeline_lanes.h):
 *   tracks with the same name and parent, which are drawn as one track with several rows.
 * - Events of a track at the same nanosecond are in the order of their rows.
 * - An arrow joins the two events with its id, from the earlier to the later one. If only one event has it, none
 *   is drawn.
 */
#ifndef ROS2BT_TIMELINE_TABLES_H
#define ROS2BT_TIMELINE_TABLES_H

#include "core/tables/table.h"

/* What an id belongs to. */
enum timeline_space {
	TIMELINE_SPACE_HEADING,	  /* tracks that only contain other tracks; by TIMELINE_HEADING_… */
	TIMELINE_SPACE_PROCESS,	  /* tracks; by index in the recording */
	TIMELINE_SPACE_THREAD,	  /* tracks; by index in the recording, and lane */
	TIMELINE_SPACE_PATH,	  /* tracks by id of the path, and lane; labels by id */
	TIMELINE_SPACE_CALLBACK,  /* labels; by index in the model, and variant; arrows by serial number and kind */
	TIMELINE_SPACE_PUBLISHER, /* labels; by index in the model, as the next three */
	TIMELINE_SPACE_SUBSCRIPTION,
	TIMELINE_SPACE_CLIENT,
	TIMELINE_SPACE_SERVICE,
	TIMELINE_SPACE_PATH_NODE, /* labels; by index in the tree of paths, and part */
	TIMELINE_SPACE_LIFECYCLE, /* tracks by number of the node, labels by number of the state */
	TIMELINE_SPACE_GAPS,	  /* tracks by index of the process, and lane; labels by index of the publisher */
	TIMELINE_SPACE_SCHEDULED, /* tracks by number of the thread of a kernel; labels by system call, and state */
	TIMELINE_SPACE_QUEUE,	  /* tracks by index of the subscription */
	TIMELINE_SPACE_RATE,	  /* tracks by index of the process */
	TIMELINE_SPACE_MEMORY,	  /* likewise */
	TIMELINE_SPACE_PROGRAM,	  /* tracks by pid, and host: processes that only a kernel recorded */
};

#define TIMELINE_PART_BITS 16

/* `number` has 40 bits, `part` 16. Never 0. */
static inline uint64_t timeline_id(enum timeline_space space, uint64_t number, unsigned int part)
{
	return ((uint64_t)space + 1) << 56 | number << TIMELINE_PART_BITS | part;
}

#define TIMELINE_HEADING_PATHS timeline_id(TIMELINE_SPACE_HEADING, 1, 0)

enum timeline_track_column {
	TIMELINE_TRACK_ID,
	TIMELINE_TRACK_PARENT, /* empty: none */
	TIMELINE_TRACK_KIND,   /* "process", "thread", "row", "counter" */
	TIMELINE_TRACK_RANK,   /* order among the tracks of its parent */
	TIMELINE_TRACK_NAME,
	TIMELINE_TRACK_PID, /* of a process or thread; unique, even if processes of several hosts have the same pid */
	TIMELINE_TRACK_TID, /* of a thread; unique in its process */
	TIMELINE_TRACK_COLUMNS,
};

enum timeline_label_column {
	TIMELINE_LABEL_ID,
	TIMELINE_LABEL_KEY, /* "name"; "category"; "value": what the value of an event means; else a property to show */
	TIMELINE_LABEL_VALUE,
	TIMELINE_LABEL_COLUMNS,
};

enum timeline_event_column {
	TIMELINE_EVENT_KIND,  /* "slice"; "instant"; "counter"; "arrows": more arrows of the previous row; "thread":
				 a thread was in a state, that of the label */
	TIMELINE_EVENT_TRACK, /* empty in "arrows" */
	TIMELINE_EVENT_LABEL, /* empty in "arrows", and of counters */
	TIMELINE_EVENT_BEGIN, /* ns since the Unix epoch; empty in "arrows" */
	TIMELINE_EVENT_END,   /* of a slice, or a state */
	TIMELINE_EVENT_VALUE, /* of a counter; the CPU of a running thread; else what the label says; may be empty */
	TIMELINE_EVENT_ARROW, /* may be empty; of a state: the track of the thread that woke or preempted it */
	TIMELINE_EVENT_SECOND_ARROW,
	TIMELINE_EVENT_COLUMNS,
};

#define TIMELINE_SLICE "slice"
#define TIMELINE_INSTANT "instant"
#define TIMELINE_COUNTER "counter"
#define TIMELINE_ARROWS "arrows"
#define TIMELINE_THREAD "thread"

/* The states of threads, as labels have them under TIMELINE_KEY_STATE; their first letters differ. */
#define TIMELINE_KEY_STATE "thread_state"
#define TIMELINE_KEY_CALL "system_call" /* the one that it is blocked in */
#define TIMELINE_STATE_RUNNING "running"
#define TIMELINE_STATE_PREEMPTED "preempted"
#define TIMELINE_STATE_WOKEN "woken"
#define TIMELINE_STATE_WOKEN_IN_IRQ "interrupt woke it"
#define TIMELINE_STATE_BLOCKED "blocked"
#define TIMELINE_STATE_ENDED "ended" /* of no duration: the thread has ended */

extern const struct table_column timeline_track_columns[TIMELINE_TRACK_COLUMNS];
extern const struct table_column timeline_label_columns[TIMELINE_LABEL_COLUMNS];
extern const struct table_column timeline_event_columns[TIMELINE_EVENT_COLUMNS];

/* The members of the schema of such a table, except its name. */
/* clang-format off */
#define TIMELINE_SCHEMA_TRACKS \
	.selection = "timeline", .kind = KIND_TIMELINE_TRACKS, .columns = timeline_track_columns, .column_count = TIMELINE_TRACK_COLUMNS
#define TIMELINE_SCHEMA_LABELS \
	.selection = "timeline", .kind = KIND_TIMELINE_LABELS, .columns = timeline_label_columns, .column_count = TIMELINE_LABEL_COLUMNS
#define TIMELINE_SCHEMA_EVENTS \
	.selection = "timeline", .kind = KIND_TIMELINE_EVENTS, .columns = timeline_event_columns, .column_count = TIMELINE_EVENT_COLUMNS
/* clang-format on */

struct timeline_track {
	uint64_t id, parent; /* parent 0: none */
	const char *kind, *name;
	uint64_t rank;
	struct cell pid, tid; /* CELL_NONE: none */
};

void timeline_write_track(struct table_writer *writer, const struct timeline_track *track);

/* Writes a property of a label. Does nothing if the value is empty. */
void timeline_write_label(struct table_writer *writer, uint64_t id, const char *key, struct cell value);

static inline void timeline_write_slice(struct table_writer *writer, uint64_t track, uint64_t label, int64_t begin_ns,
					int64_t end_ns, struct cell value, struct cell arrow, struct cell second_arrow)
{
	TABLE_ROW(writer, timeline_event_columns,
		  (struct cell[]){ cell_text(TIMELINE_SLICE), cell_unsigned(track), cell_unsigned(label),
				   cell_integer(begin_ns), cell_integer(end_ns), value, arrow, second_arrow });
}

static inline void timeline_write_instant(struct table_writer *writer, uint64_t track, uint64_t label, int64_t at_ns,
					  struct cell value, struct cell arrow, struct cell second_arrow)
{
	TABLE_ROW(writer, timeline_event_columns,
		  (struct cell[]){ cell_text(TIMELINE_INSTANT), cell_unsigned(track), cell_unsigned(label),
				   cell_integer(at_ns), CELL_NONE, value, arrow, second_arrow });
}

static inline void timeline_write_arrows(struct table_writer *writer, struct cell arrow, struct cell second_arrow)
{
	TABLE_ROW(writer, timeline_event_columns,
		  (struct cell[]){ cell_text(TIMELINE_ARROWS), CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE,
				   arrow, second_arrow });
}

/* Of one thread: in order of time, and not overlapping. Where there is none, the state is not known. */
static inline void timeline_write_state(struct table_writer *writer, uint64_t track, uint64_t label, int64_t begin_ns,
					int64_t end_ns, struct cell cpu, struct cell by_track)
{
	TABLE_ROW(writer, timeline_event_columns,
		  (struct cell[]){ cell_text(TIMELINE_THREAD), cell_unsigned(track), cell_unsigned(label),
				   cell_integer(begin_ns), cell_integer(end_ns), cpu, by_track, CELL_NONE });
}

static inline void timeline_write_counter(struct table_writer *writer, uint64_t track, int64_t at_ns, int64_t value)
{
	TABLE_ROW(writer, timeline_event_columns,
		  (struct cell[]){ cell_text(TIMELINE_COUNTER), cell_unsigned(track), CELL_NONE, cell_integer(at_ns),
				   CELL_NONE, cell_integer(value), CELL_NONE, CELL_NONE });
}

#endif
