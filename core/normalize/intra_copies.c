/* SPDX-License-Identifier: MIT */
#include "core/normalize/intra_copies.h"

void intra_copies_init(struct intra_copies *copies)
{
	u64_map_init(&copies->topics);
	copies->timestamps = NULL;
	copies->next = 0;
}

void intra_copies_clear(struct intra_copies *copies)
{
	u64_map_clear(&copies->topics);
	if (copies->timestamps) {
		g_array_free(copies->timestamps, TRUE);
	}
	intra_copies_init(copies);
}

/* Remembers the order of the timestamps; forgets the oldest one if there is no room. */
static void enqueue(struct intra_copies *copies, int64_t timestamp)
{
	if (!copies->timestamps) {
		copies->timestamps = g_array_new(FALSE, FALSE, sizeof(int64_t));
	}
	if (copies->timestamps->len < INTRA_COPIES_MAX) {
		g_array_append_val(copies->timestamps, timestamp);
		return;
	}
	u64_map_remove(&copies->topics, (uint64_t)g_array_index(copies->timestamps, int64_t, copies->next));
	g_array_index(copies->timestamps, int64_t, copies->next) = timestamp;
	copies->next = (copies->next + 1) % INTRA_COPIES_MAX;
}

void intra_copies_add(struct intra_copies *copies, int64_t timestamp, uint64_t topic)
{
	if (topic == U64_MAP_NONE) {
		return;
	}
	if (u64_map_get(&copies->topics, (uint64_t)timestamp) == U64_MAP_NONE) {
		enqueue(copies, timestamp);
	}
	u64_map_set(&copies->topics, (uint64_t)timestamp, topic);
}

bool intra_copies_has(const struct intra_copies *copies, int64_t timestamp, uint64_t topic)
{
	return topic != U64_MAP_NONE && u64_map_get(&copies->topics, (uint64_t)timestamp) == topic;
}
