/* SPDX-License-Identifier: MIT */
#include "core/stamps/stamp_interval.h"

#include "core/base/slots.h"

void stamp_intervals_init(struct stamp_intervals *intervals)
{
	object_pool_init(&intervals->pool, sizeof(struct stamp_interval));
	intervals->topics = g_ptr_array_new();
	intervals->writing = g_ptr_array_new();
}

void stamp_intervals_clear(struct stamp_intervals *intervals)
{
	for (guint i = 0; i < intervals->topics->len; i++) {
		struct stamp_topic *topic = g_ptr_array_index(intervals->topics, i);

		g_ptr_array_free(topic->longs, TRUE);
		g_array_free(topic->hosts, TRUE);
		g_array_free(topic->writers, TRUE);
		g_free(topic);
	}
	g_ptr_array_free(intervals->topics, TRUE);
	g_ptr_array_free(intervals->writing, TRUE);
	object_pool_clear(&intervals->pool);
}

struct stamp_topic *stamp_intervals_add_topic(struct stamp_intervals *intervals)
{
	struct stamp_topic *topic = g_new0(struct stamp_topic, 1);

	topic->early_left_max = INT64_MIN;
	topic->longs = g_ptr_array_new();
	topic->hosts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	topic->writers = g_array_new(FALSE, FALSE, sizeof(struct stamp_writer));
	g_ptr_array_add(intervals->topics, topic);
	return topic;
}

bool stamp_topic_has_early(const struct stamp_topic *topic, int64_t stamp)
{
	for (guint i = 0; i < MIN(topic->early_count, TOPIC_EARLY_MAX); i++) {
		if (topic->early[i] == stamp) {
			return true;
		}
	}
	return stamp <= topic->early_left_max;
}

void stamp_topic_add_early(struct stamp_topic *topic, int64_t stamp)
{
	if (topic->early_count >= TOPIC_EARLY_MAX) {
		topic->early_left_max = MAX(topic->early_left_max, topic->early[topic->early_count % TOPIC_EARLY_MAX]);
	}
	topic->early[topic->early_count % TOPIC_EARLY_MAX] = stamp;
	topic->early_count++;
}

static void add_host(struct stamp_topic *topic, uint32_t host)
{
	for (guint i = 0; i < topic->hosts->len; i++) {
		if (g_array_index(topic->hosts, uint32_t, i) == host) {
			return;
		}
	}
	g_array_append_val(topic->hosts, host);
}

static bool is_same_writer(const struct stamp_writer *a, const struct stamp_writer *b)
{
	return a->host == b->host && a->thread == b->thread && a->stream == b->stream;
}

static void add_writer(struct stamp_topic *topic, const struct stamp_interval *interval)
{
	struct stamp_writer writer = { interval->host, interval->thread, interval->stream };
	struct stamp_writer *all = (struct stamp_writer *)(void *)topic->writers->data;

	for (guint i = 0; i < topic->writers->len; i++) {
		if (is_same_writer(&all[i], &writer)) {
			all[i] = all[0];
			all[0] = writer;
			return;
		}
	}
	if (topic->writers->len == TOPIC_WRITERS_MAX) {
		topic->has_lost_writers = true;
		g_array_set_size(topic->writers, TOPIC_WRITERS_MAX - 1);
	}
	g_array_prepend_val(topic->writers, writer);
}

static void remove_long(struct stamp_interval *interval)
{
	GPtrArray *longs = interval->topic->longs;

	/* From the end, since mostly new ones leave. */
	for (guint i = interval->is_long ? longs->len : 0; i-- > 0;) {
		if (g_ptr_array_index(longs, i) == interval) {
			g_ptr_array_remove_index(longs, i);
			break;
		}
	}
	interval->is_long = false;
}

static void add_long(struct stamp_interval *interval)
{
	GPtrArray *longs = interval->topic->longs;

	if (longs->len == INTERVAL_LONGS_MAX) {
		struct stamp_interval *leaving = g_ptr_array_index(longs, 0);

		for (guint i = 0; i < longs->len; i++) {
			struct stamp_interval *other = g_ptr_array_index(longs, i);

			if (other->is_stamped) {
				leaving = other;
				break;
			}
		}
		remove_long(leaving);
	}
	interval->is_long = true;
	g_ptr_array_add(longs, interval);
}

struct stamp_interval *stamp_intervals_open_of(const struct stamp_intervals *intervals, uint32_t thread)
{
	return slot_get(intervals->writing, thread);
}

/* In the order of beginnings, almost always as the newest. */
static void insert(struct stamp_topic *topic, struct stamp_interval *interval)
{
	struct stamp_interval *newer = NULL, *older = topic->newest;

	while (older && older->from_ns > interval->from_ns) {
		newer = older;
		older = older->older;
	}
	interval->older = older;
	interval->newer = newer;
	if (older) {
		older->newer = interval;
	}
	if (newer) {
		newer->older = interval;
	} else {
		topic->newest = interval;
	}
}

struct stamp_interval *stamp_intervals_open(struct stamp_intervals *intervals, const struct stamp_interval *publication)
{
	struct stamp_interval *interval = object_pool_take(&intervals->pool);

	*interval = *publication;
	interval->until_ns = INT64_MAX;
	insert(interval->topic, interval);
	add_host(interval->topic, interval->host);
	add_writer(interval->topic, interval);
	add_long(interval);
	stamp_intervals_close(intervals, interval->thread, interval->from_ns);
	*slot_at(intervals->writing, interval->thread) = interval;
	return interval;
}

void stamp_intervals_close(struct stamp_intervals *intervals, uint32_t thread, int64_t time_ns)
{
	struct stamp_interval *interval = stamp_intervals_open_of(intervals, thread);

	if (!interval) {
		return;
	}
	g_ptr_array_index(intervals->writing, thread) = NULL;
	interval->until_ns = time_ns;
	if (time_ns - interval->from_ns <= INTERVAL_LONG_NS) {
		remove_long(interval);
	}
}

void stamp_intervals_forget(struct stamp_intervals *intervals, struct stamp_interval *interval, int64_t now_ns)
{
	interval->is_forgotten = true;
	interval->forgotten_ns = now_ns;
	if (intervals->last_to_leave) {
		intervals->last_to_leave->next_to_leave = interval;
	} else {
		intervals->first_to_leave = interval;
	}
	intervals->last_to_leave = interval;
	intervals->staying++;
}

struct stamp_interval *stamp_intervals_leaving(const struct stamp_intervals *intervals, int64_t now_ns)
{
	struct stamp_interval *first = intervals->first_to_leave;

	return first && (intervals->staying > INTERVAL_STAYING_MAX || now_ns - first->forgotten_ns > INTERVAL_STAY_NS)
		       ? first
		       : NULL;
}

static void remove_first_to_leave(struct stamp_intervals *intervals)
{
	intervals->first_to_leave = intervals->first_to_leave->next_to_leave;
	if (!intervals->first_to_leave) {
		intervals->last_to_leave = NULL;
	}
	intervals->staying--;
}

void stamp_intervals_remove(struct stamp_intervals *intervals, struct stamp_interval *interval)
{
	if (interval->is_forgotten) {
		remove_first_to_leave(intervals);
	}
	if (stamp_intervals_open_of(intervals, interval->thread) == interval) {
		g_ptr_array_index(intervals->writing, interval->thread) = NULL;
	}
	remove_long(interval);
	if (interval->newer) {
		interval->newer->older = interval->older;
	} else {
		interval->topic->newest = interval->older;
	}
	if (interval->older) {
		interval->older->newer = interval->newer;
	}
	object_pool_give(&intervals->pool, interval);
}
