/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/reorder.h"

#include <glib.h>

struct kept {
	int64_t time_ns;
	const void *content;
};

struct moved {
	int64_t time_ns;
	uint64_t order; /* of arrival */
	const void *content;
};

struct reorder {
	struct kept *kept; /* owned; a ring */
	size_t capacity;   /* power of two, or 0 */
	size_t first, count;
	GArray *moved; /* struct moved: a binary heap with the next one first */
	uint64_t moved_count;
	int64_t now_ns;
	int64_t taken_ns; /* time of the last item taken */
};

struct reorder *reorder_create(void)
{
	struct reorder *reorder = g_new0(struct reorder, 1);

	reorder->moved = g_array_new(FALSE, FALSE, sizeof(struct moved));
	reorder->now_ns = INT64_MIN;
	reorder->taken_ns = INT64_MIN;
	return reorder;
}

void reorder_destroy(struct reorder *reorder)
{
	if (reorder) {
		g_free(reorder->kept);
		g_array_free(reorder->moved, TRUE);
		g_free(reorder);
	}
}

static struct kept *kept_at(const struct reorder *reorder, size_t index)
{
	return &reorder->kept[(reorder->first + index) & (reorder->capacity - 1)];
}

static void grow(struct reorder *reorder)
{
	size_t capacity = reorder->capacity ? 2 * reorder->capacity : 64;
	struct kept *kept = g_new(struct kept, capacity);

	for (size_t i = 0; i < reorder->count; i++) {
		kept[i] = *kept_at(reorder, i);
	}
	g_free(reorder->kept);
	reorder->kept = kept;
	reorder->capacity = capacity;
	reorder->first = 0;
}

void reorder_keep_timeless(struct reorder *reorder, const void *content)
{
	if (reorder->count == reorder->capacity) {
		grow(reorder);
	}
	*kept_at(reorder, reorder->count++) = (struct kept){ reorder->now_ns, content };
}

void reorder_keep(struct reorder *reorder, int64_t time_ns, const void *content)
{
	reorder->now_ns = MAX(reorder->now_ns, time_ns);
	reorder_keep_timeless(reorder, content);
}

static bool comes_before(const struct moved *a, const struct moved *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->order < b->order;
}

static struct moved *moved_at(const struct reorder *reorder, guint index)
{
	return &g_array_index(reorder->moved, struct moved, index);
}

static void swap(struct moved *a, struct moved *b)
{
	struct moved other = *a;

	*a = *b;
	*b = other;
}

uint64_t reorder_move(struct reorder *reorder, int64_t time_ns, const void *content)
{
	struct moved moved = { MAX(time_ns, reorder->taken_ns), reorder->moved_count++, content };
	guint index = reorder->moved->len;

	g_array_append_val(reorder->moved, moved);
	for (; index > 0 && comes_before(moved_at(reorder, index), moved_at(reorder, (index - 1) / 2));
	     index = (index - 1) / 2) {
		swap(moved_at(reorder, index), moved_at(reorder, (index - 1) / 2));
	}
	return (uint64_t)moved.time_ns - (uint64_t)time_ns;
}

static void remove_first_moved(struct reorder *reorder)
{
	guint index = 0;

	swap(moved_at(reorder, 0), moved_at(reorder, reorder->moved->len - 1));
	g_array_set_size(reorder->moved, reorder->moved->len - 1);
	for (guint child = 1; child < reorder->moved->len; child = 2 * index + 1) {
		if (child + 1 < reorder->moved->len &&
		    comes_before(moved_at(reorder, child + 1), moved_at(reorder, child))) {
			child++;
		}
		if (!comes_before(moved_at(reorder, child), moved_at(reorder, index))) {
			break;
		}
		swap(moved_at(reorder, child), moved_at(reorder, index));
		index = child;
	}
}

/* Takes a moved item that precedes all kept ones. */
static bool take_moved(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item)
{
	const struct moved *next = reorder->moved->len > 0 ? moved_at(reorder, 0) : NULL;

	if (!next || next->time_ns > limit_ns || (reorder->count > 0 && next->time_ns > kept_at(reorder, 0)->time_ns)) {
		return false;
	}
	*item = (struct reorder_item){ next->time_ns, true, next->content };
	remove_first_moved(reorder);
	return true;
}

static bool take_kept(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item)
{
	const struct kept *next = reorder->count > 0 ? kept_at(reorder, 0) : NULL;

	if (!next || next->time_ns > limit_ns) {
		return false;
	}
	*item = (struct reorder_item){ next->time_ns, false, next->content };
	reorder->first = (reorder->first + 1) & (reorder->capacity - 1);
	reorder->count--;
	return true;
}

bool reorder_take(struct reorder *reorder, int64_t limit_ns, struct reorder_item *item)
{
	if (take_moved(reorder, limit_ns, item) || take_kept(reorder, limit_ns, item)) {
		reorder->taken_ns = item->time_ns;
		return true;
	}
	return false;
}

int64_t reorder_now(const struct reorder *reorder)
{
	return reorder->now_ns;
}

size_t reorder_kept_count(const struct reorder *reorder)
{
	return reorder->count;
}
