/* SPDX-License-Identifier: MIT */
/*
 * The state of the analysis memory (memory.c), its counts for each callback, node and process, and its tables. Sizes in
 * bytes.
 */
#ifndef ROS2BT_MEMORY_STATE_H
#define ROS2BT_MEMORY_STATE_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/analyses/shared/piece_counter.h"
#include "core/model/object_numbers.h"

/* Calls within a callback, or within all of a node or a process. */
struct memory_counts {
	uint64_t executions; /* with a recorded start and end */
	uint64_t allocating; /* of these: with an allocation */
	uint64_t allocations, allocated_bytes;
	uint64_t largest_bytes; /* of one allocation */
	uint64_t frees, freed_bytes;
	uint64_t unknown_frees;	  /* of `frees`: their allocation was not recorded */
	uint64_t freed_by_others; /* blocks that were allocated within it, and freed outside of it */
	uint64_t failed;	  /* allocations that gave no memory */
	uint64_t replaced;	  /* blocks whose free was not recorded: another block has their address */
};

/* Who allocates and frees, and the live blocks that it has allocated. */
struct memory_owner {
	struct memory_owner *within; /* borrowed; its counts include those of this one; NULL: none */
	struct memory_counts counts;
	uint64_t live_blocks, live_bytes; /* wraps, and wraps back, where sizes are absurd */
	uint64_t peak_bytes;
};

enum memory_scope {
	MEMORY_PROCESS,
	MEMORY_NODE,
	MEMORY_CALLBACK,
	MEMORY_OUTSIDE, /* of all callbacks of the process */
	MEMORY_UNKNOWN, /* in a callback or outside: events may be missing */
};

struct memory_blocks;

struct memory_process {
	struct memory_owner all, outside, unknown;
	struct memory_blocks *blocks; /* in the arena; NULL: none of its calls was recorded */
	struct piece_counter live;    /* bytes, for the timeline */
};

struct memory_node {
	uint32_t process;
	const char *name; /* in the recording's pool */
	struct memory_owner owner;
};

struct memory_callback {
	struct memory_owner owner; /* within its process until its node is known */
	bool has_node;
	uint64_t model_version; /* when the node was last looked up */
};

struct memory {
	struct analysis analysis;
	GPtrArray *processes; /* struct memory_process * by index, in the arena; NULL: none yet */
	GPtrArray *callbacks; /* struct memory_callback * by index of the model, in the arena; NULL: never ran */
	GPtrArray *nodes;     /* struct memory_node *, in the arena */
	GPtrArray *threads;   /* struct memory_thread * by index, in the arena; NULL: none yet */
};

/* A sum of sizes, which stops at UINT64_MAX: traces are hostile. */
static inline uint64_t add_bytes(uint64_t left, uint64_t right)
{
	uint64_t sum;

	return __builtin_add_overflow(left, right, &sum) ? UINT64_MAX : sum;
}

/* Before live_bytes decreases, or after it has increased. */
static inline void memory_owner_note_peak(struct memory_owner *owner, bool is_counted)
{
	if (is_counted) {
		owner->peak_bytes = MAX(owner->peak_bytes, owner->live_bytes);
	}
}

/* --- tables --- */

enum { TABLE_MEMORY, TABLE_MEMORY_SUMMARY, TABLE_MEMORY_TRACKS, TABLE_MEMORY_EVENTS };

extern const struct table_schema memory_track_schema, memory_event_schema;

/* What processes have allocated over time, if a timeline is drawn. */
void memory_timeline_write(const struct memory *memory, struct table_writer *const *writers);

extern const struct table_schema *const memory_tables[]; /* ended by NULL */

/* For analysis_class. */
void memory_tables_write(const void *data, struct table_writer *const *writers);
void memory_tables_diagnose(const void *data, struct diagnostics *findings);

#endif
