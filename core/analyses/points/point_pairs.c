/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_pairs.h"

#include "core/analyses/points/point_losses.h"
#include "core/analyses/points/points_state.h"
#include "core/base/int128.h"

#define OUTSIDE UINT32_MAX

/* --- places --- */

/* Set in places of threads and processes that a kernel recorded, to keep them apart from those of programs. */
#define OF_KERNEL_THREAD (UINT64_C(1) << 63)
#define OF_KERNEL_PROCESS (UINT64_C(1) << 62)

/* An event of a kernel has the ids of its thread only if they are recorded as contexts; else its trace is the place. */
static uint64_t place_in_kernel(const struct points *points, enum point_scope scope, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(points->analysis.context.recording, record->stream);
	bool has_ids = record_has(record, RECORD__ids);

	switch (scope) {
	case POINT_SCOPE_THREAD:
		return has_ids ? OF_KERNEL_THREAD | (uint64_t)trace << 32 | record->word[RECORD__ids]
			       : OF_KERNEL_THREAD | (uint64_t)trace << 32 | UINT32_MAX;
	case POINT_SCOPE_PROCESS:
		return OF_KERNEL_PROCESS | (uint64_t)trace << 32 |
		       (has_ids ? (uint32_t)recording_ids(points->analysis.context.recording,
							  (uint32_t)record->word[RECORD__ids])
					  ->vpid
				: UINT32_MAX);
	case POINT_SCOPE_HOST:
		return recording_trace(points->analysis.context.recording, trace)->host;
	default:
		return 0;
	}
}

static uint64_t place_of(const struct points *points, enum point_scope scope, const struct event_record *record)
{
	const struct recording_thread *thread;

	if (record->thread == RECORDING_NONE) {
		return place_in_kernel(points, scope, record);
	}
	thread = recording_thread(points->analysis.context.recording, record->thread);
	switch (scope) {
	case POINT_SCOPE_THREAD:
		return (uint64_t)thread->process << 32 | (uint32_t)thread->vtid;
	case POINT_SCOPE_PROCESS:
		return thread->process;
	case POINT_SCOPE_HOST:
		return recording_process(points->analysis.context.recording, thread->process)->host;
	default:
		return 0;
	}
}

static struct point_place *find_place(const struct points *points, struct point_row *row, uint64_t place)
{
	struct point_place *found = u64_map_get_pointer(&row->places, place);

	if (!found) {
		found = arena_take(recording_arena(points->analysis.context.recording), sizeof(*found));
		found->latest_start_ns = INT64_MIN;
		u64_map_set_pointer(&row->places, place, found);
	}
	return found;
}

/* --- pairs --- */

/* Gives up waiting for the end. */
static void lose_end(struct points *points, struct open_point *open, bool is_unknown)
{
	struct point_row *row = points_row_at(points, open->owner.row);

	if (analysis_options_include(points->analysis.context.options, open->start_ns)) {
		row->without_end++;
		row->unknown += is_unknown;
		point_tables_write_instance(points, row, open, NULL);
	}
	point_keys_remove(&points->keys, open);
}

static void make_room(struct points *points, int64_t now_ns)
{
	struct open_point *oldest = points->keys.oldest;

	if (G_UNLIKELY(point_keys_is_full(&points->keys))) {
		points->given_up++;
		lose_end(points, oldest,
			 point_losses_may_have_end(points, points_row_at(points, oldest->owner.row), oldest, now_ns));
	}
}

static void note_key(struct point_place *place, const GByteArray *key)
{
	int128 integer;
	bool is_integer = point_key_integer(key, &integer);

	place->keys_rise = is_integer && (!place->has_key || (place->keys_rise && integer > place->last_key));
	place->has_key = true;
	place->last_key = is_integer ? integer : 0;
}

struct open_point *point_pairs_begin(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = points_row_at(points, index);
	struct point_owner owner = { place_of(points, row->scope, record), index };
	struct open_point *open = point_keys_find(&points->keys, &owner, points->key);

	if (open) {
		lose_end(points, open, point_losses_lie_between(points, open->thread, open->start_ns, record->time_ns));
	}
	make_room(points, record->time_ns);
	note_key(find_place(points, row, owner.place), points->key);
	open = point_keys_add(&points->keys, &owner, points->key, record->time_ns);
	open->thread = record->thread;
	return open;
}

static bool is_doubtful(const struct points *points, const struct point_place *place, const struct open_point *open,
			const struct event_record *record)
{
	return !place->keys_rise && (point_losses_lie_between(points, open->thread, open->start_ns, record->time_ns) ||
				     point_losses_lie_between(points, record->thread, open->start_ns, record->time_ns));
}

static struct point_callback *callback_row(struct points *points, const struct open_point *open)
{
	uint64_t key = (uint64_t)open->owner.row << 32 | (open->callback ? open->callback->index : OUTSIDE);
	struct point_callback *row = row_store_of(&points->callbacks, key);

	if (row->count == 0) {
		row->row = open->owner.row;
		row->callback = open->callback;
		duration_statistics_init(&row->duration, points->callbacks.arena);
	}
	return row;
}

static void count_pair(struct points *points, struct point_row *row, const struct open_point *open,
		       const struct event_record *record)
{
	struct point_place *place = find_place(points, row, open->owner.place);
	int64_t duration_ns = record->time_ns - open->start_ns;
	bool doubtful = is_doubtful(points, place, open, record);

	row->count++;
	row->doubtful += doubtful;
	row->out_of_order += open->start_ns < place->latest_start_ns;
	place->latest_start_ns = MAX(place->latest_start_ns, open->start_ns);
	if (!doubtful) {
		duration_statistics_add(&row->duration, duration_ns, open->start_ns);
	}
	if (!row->path) {
		struct point_callback *within = callback_row(points, open);

		within->count++;
		if (!doubtful) {
			duration_statistics_add(&within->duration, duration_ns, open->start_ns);
		}
	}
	point_tables_write_instance(points, row, open, record);
}

bool point_pairs_end(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = points_row_at(points, index);
	struct point_owner owner = { place_of(points, row->scope, record), index };
	struct open_point *open = point_keys_find(&points->keys, &owner, points->key);

	if (!open) {
		return false;
	}
	if (analysis_options_include(points->analysis.context.options, open->start_ns)) {
		count_pair(points, row, open, record);
	}
	point_keys_remove(&points->keys, open);
	return true;
}

void point_pairs_count_end(struct points *points, guint index, const struct event_record *record)
{
	struct point_row *row = points_row_at(points, index);

	if (analysis_options_include(points->analysis.context.options, record->time_ns)) {
		row->without_start++;
		row->unknown += point_losses_may_have_start(points, row, record->thread, record->time_ns);
		point_tables_write_end(points, row, record);
	}
}
