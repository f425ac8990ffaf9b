/* SPDX-License-Identifier: MIT */
#include "core/analyses/communications/publication_counts.h"

#include <glib.h>

#include "core/base/arena_parts.h"
#include "core/base/slots.h"

#define ROOM_MIN 64

struct entry {
	int64_t time_ns;
	uint64_t before; /* publications before it */
};

struct of_publisher {
	struct entry *entries; /* in the arena, in order */
	uint32_t count, room;
	uint64_t total;
	int64_t last_ns; /* of the last entry, which is no longer in the cache when the next one is added */
};

struct publication_counts {
	struct recording *recording;
	const struct flow_linker *linker;
	GArray *publishers; /* struct of_publisher by index */
};

struct publication_counts *publication_counts_create(struct recording *recording, const struct flow_linker *linker)
{
	struct arena *arena = recording_arena(recording);
	struct publication_counts *counts = arena_take(arena, sizeof(*counts));

	counts->recording = recording;
	counts->linker = linker;
	counts->publishers = arena_array(arena, sizeof(struct of_publisher));
	return counts;
}

/* The first entry that is not before a time. */
static uint32_t entry_from(const struct of_publisher *publisher, int64_t time_ns)
{
	uint32_t low = 0, high = publisher->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (publisher->entries[middle].time_ns < time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Keeps the first entry of those that lie between the same two boundaries: the one from each boundary on. */
static void merge(const struct publication_counts *counts, struct of_publisher *publisher)
{
	g_autofree bool *is_first = g_new0(bool, publisher->count);
	size_t processes = recording_process_count(counts->recording);
	int64_t first_ns = publisher->entries[0].time_ns, last_ns = publisher->last_ns;
	uint32_t kept = 1;

	for (size_t i = 0; i < processes; i++) {
		struct flow_process_life life = flow_linker_process_life(counts->linker, (uint32_t)i);

		/* Most separate no entries: they began before these, and have gone on since. */
		if (life.has_run && life.first_ns > first_ns && life.first_ns <= last_ns) {
			is_first[entry_from(publisher, life.first_ns)] = true;
		}
		if (life.has_run && life.last_ns >= first_ns && life.last_ns < last_ns) {
			is_first[entry_from(publisher, life.last_ns + 1)] = true;
		}
	}
	for (uint32_t i = 1; i < publisher->count; i++) {
		if (is_first[i]) {
			publisher->entries[kept++] = publisher->entries[i];
		}
	}
	publisher->count = kept;
	publisher->last_ns = publisher->entries[kept - 1].time_ns;
}

static G_GNUC_NO_INLINE void make_room(struct publication_counts *counts, struct of_publisher *publisher)
{
	if (publisher->room >= ROOM_MIN) {
		merge(counts, publisher);
	}
	/* Half of it stays free, so that the next merge is far enough away to pay for itself. */
	if (publisher->count * 2 >= publisher->room) {
		uint32_t room = MAX(publisher->room * 2, 4);

		publisher->entries = arena_grow(recording_arena(counts->recording), publisher->entries,
						publisher->room * sizeof(struct entry), room * sizeof(struct entry));
		publisher->room = room;
	}
}

void publication_counts_add(struct publication_counts *counts, uint32_t publisher, int64_t time_ns)
{
	struct of_publisher *of;

	of = array_at(counts->publishers, struct of_publisher, publisher);
	if (G_UNLIKELY(of->count == of->room)) {
		make_room(counts, of);
	}
	/* Threads may publish out of order by a hair. */
	of->last_ns = of->count > 0 ? MAX(time_ns, of->last_ns) : time_ns;
	of->entries[of->count++] = (struct entry){ of->last_ns, of->total++ };
}

/* Those before a boundary. */
static uint64_t count_before(const struct of_publisher *publisher, int64_t time_ns)
{
	uint32_t entry = entry_from(publisher, time_ns);

	return entry < publisher->count ? publisher->entries[entry].before : publisher->total;
}

uint64_t publication_counts_during(const struct publication_counts *counts, uint32_t publisher, uint32_t process)
{
	struct flow_process_life life = flow_linker_process_life(counts->linker, process);
	const struct of_publisher *of;

	if (publisher >= counts->publishers->len || !life.has_run) {
		return 0;
	}
	of = &g_array_index(counts->publishers, struct of_publisher, publisher);
	return count_before(of, life.last_ns + 1) - count_before(of, life.first_ns);
}

uint64_t publication_counts_total(const struct publication_counts *counts, uint32_t publisher)
{
	return publisher < counts->publishers->len
		       ? g_array_index(counts->publishers, struct of_publisher, publisher).total
		       : 0;
}
