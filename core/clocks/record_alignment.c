/* SPDX-License-Identifier: MIT */
#include "ros2bt/clocks/record_alignment.h"

#define BATCH_SIZE 512

/* The waiting records of a host, in order, from `first` on. */
struct lane {
	GArray *records; /* struct event_record */
	guint first;
	int64_t last_ns; /* of the last record added */
};

struct record_alignment {
	const struct recording *recording;
	const struct clock_alignment *clocks;
	record_alignment_take take;
	void *data;
	GArray *lanes; /* struct lane, by host */
	struct event_record batch[BATCH_SIZE];
	size_t batch_count;
	bool is_wanted;
};

/* Frees the values of a waiting record, which are a copy. */
static void release_values(const struct event_record *record)
{
	if (record->kind == RECORD_POINT) {
		g_free((gpointer)record_point_values(record));
	}
}

static void lane_clear(gpointer data)
{
	const struct lane *lane = data;

	for (guint i = lane->first; i < lane->records->len; i++) {
		release_values(&g_array_index(lane->records, struct event_record, i));
	}
	g_array_unref(lane->records);
}

struct record_alignment *record_alignment_create(const struct recording *recording,
						 const struct clock_alignment *clocks, record_alignment_take take,
						 void *data)
{
	struct record_alignment *alignment = g_new0(struct record_alignment, 1);

	alignment->recording = recording;
	alignment->clocks = clocks;
	alignment->take = take;
	alignment->data = data;
	alignment->lanes = g_array_new(FALSE, FALSE, sizeof(struct lane));
	g_array_set_clear_func(alignment->lanes, lane_clear);
	alignment->is_wanted = true;
	return alignment;
}

void record_alignment_destroy(struct record_alignment *alignment)
{
	if (alignment) {
		g_array_unref(alignment->lanes);
		g_free(alignment);
	}
}

void record_align_words(const struct clock_alignment *clocks, uint32_t host, struct event_record *record)
{
	bool is_event = record->kind < EVENT_KIND_COUNT;
	unsigned int slot = is_event ? EVENT_SLOT_INIT_TIME : RECORD__end_ns;

	if (record->kind == RECORD_POINT) {
		return;
	}
	if (is_event ? record->flags & RECORD_HAS_INIT_TIME : record_has(record, RECORD__end_ns)) {
		record->word[slot] = (uint64_t)clock_alignment_to_reference(clocks, host, (int64_t)record->word[slot]);
	}
}

/* --- lanes --- */

static struct lane *lane_at(const struct record_alignment *alignment, guint host)
{
	return &g_array_index(alignment->lanes, struct lane, host);
}

static struct lane *lane_of(struct record_alignment *alignment, uint32_t host)
{
	while (alignment->lanes->len <= host) {
		struct lane lane = { g_array_new(FALSE, FALSE, sizeof(struct event_record)), 0, INT64_MIN };

		g_array_append_val(alignment->lanes, lane);
	}
	return lane_at(alignment, host);
}

static bool lane_is_empty(const struct lane *lane)
{
	return lane->first == lane->records->len;
}

static const struct event_record *lane_head(const struct lane *lane)
{
	return &g_array_index(lane->records, struct event_record, lane->first);
}

static void lane_drop_head(struct lane *lane)
{
	lane->first++;
	if (lane->first >= BATCH_SIZE && lane->first >= lane->records->len / 2) {
		g_array_remove_range(lane->records, 0, lane->first);
		lane->first = 0;
	}
}

static void keep(struct record_alignment *alignment, uint32_t host, const struct event_record *record)
{
	struct lane *lane = lane_of(alignment, host);
	struct event_record aligned = *record;

	aligned.time_ns = MAX(clock_alignment_to_reference(alignment->clocks, host, record->time_ns), lane->last_ns);
	record_align_words(alignment->clocks, host, &aligned);
	if (record->kind == RECORD_POINT) {
		aligned.word[RECORD__values] = (uintptr_t)point_values_copy(record_point_values(record));
	}
	lane->last_ns = aligned.time_ns;
	g_array_append_val(lane->records, aligned);
}

/* --- output --- */

static void flush(struct record_alignment *alignment)
{
	if (alignment->batch_count > 0 && alignment->is_wanted) {
		alignment->is_wanted = alignment->take(alignment->batch, alignment->batch_count, alignment->data);
	}
	for (size_t i = 0; i < alignment->batch_count; i++) {
		release_values(&alignment->batch[i]);
	}
	alignment->batch_count = 0;
}

static void give(struct record_alignment *alignment, const struct event_record *record)
{
	alignment->batch[alignment->batch_count++] = *record;
	if (alignment->batch_count == BATCH_SIZE) {
		flush(alignment);
	}
}

/* NULL: no record waits. */
static struct lane *earliest_lane(const struct record_alignment *alignment)
{
	struct lane *earliest = NULL;

	for (guint i = 0; i < alignment->lanes->len; i++) {
		struct lane *lane = lane_at(alignment, i);

		if (!lane_is_empty(lane) && (!earliest || lane_head(lane)->time_ns < lane_head(earliest)->time_ns)) {
			earliest = lane;
		}
	}
	return earliest;
}

static void give_up_to(struct record_alignment *alignment, int64_t limit_ns)
{
	struct lane *lane;

	while ((lane = earliest_lane(alignment)) != NULL && lane_head(lane)->time_ns <= limit_ns) {
		give(alignment, lane_head(lane));
		lane_drop_head(lane);
	}
}

/* The time before which no host has a record any more, if all later records are at time_ns or after on their clocks. */
static int64_t certain_ns(const struct record_alignment *alignment, int64_t time_ns)
{
	int64_t least_ns = INT64_MAX;

	for (uint32_t host = 0; host < recording_host_count(alignment->recording); host++) {
		least_ns = MIN(least_ns, clock_alignment_to_reference(alignment->clocks, host, time_ns));
	}
	return least_ns;
}

bool record_alignment_feed(struct record_alignment *alignment, const struct event_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t trace = recording_stream_trace(alignment->recording, records[i].stream);

		keep(alignment, recording_trace(alignment->recording, trace)->host, &records[i]);
	}
	if (count > 0) {
		give_up_to(alignment, certain_ns(alignment, records[count - 1].time_ns) - 1);
	}
	flush(alignment);
	return alignment->is_wanted;
}

bool record_alignment_finish(struct record_alignment *alignment)
{
	give_up_to(alignment, INT64_MAX);
	flush(alignment);
	return alignment->is_wanted;
}
