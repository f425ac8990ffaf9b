/* SPDX-License-Identifier: MIT */
/* Which windows there are: those of the longest instances. */
#include <string.h>

#include "core/output/page/page_flows.h"
#include "core/output/page/page_threads.h"
#include "core/output/page/page_threads_parts.h"

void page_threads_want(struct page_threads *threads, const struct page_worst *worst,
		       const struct page_traversal *traversal)
{
	const struct wanted_window wanted = { .worst = *worst, .traversal = traversal };

	g_array_append_val(threads->wanted, wanted);
}

static gint compare_numbers(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

/* By table, then the longest of each row, then the second longest, and so on; the longest of these first. */
static gint compare_wanted(gconstpointer a, gconstpointer b)
{
	const struct page_worst *one = &((const struct wanted_window *)a)->worst;
	const struct page_worst *other = &((const struct wanted_window *)b)->worst;
	gint order = compare_numbers((uintptr_t)one->instances, (uintptr_t)other->instances);

	order = order ? order : compare_numbers(one->rank, other->rank);
	if (order == 0 && one->duration_ns != other->duration_ns) {
		order = one->duration_ns > other->duration_ns ? -1 : 1;
	}
	order = order ? order : compare_numbers((uint64_t)one->at_ns, (uint64_t)other->at_ns);
	return order ? order : compare_numbers(one->id, other->id);
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct wanted_window *one = a, *other = b;
	gint order = compare_numbers(one->worst.rank, other->worst.rank);

	order = order ? order : compare_numbers(one->place, other->place);
	return order ? order : strcmp(one->worst.instances->name, other->worst.instances->name);
}

/* Each table in turn, so that the long times of one do not leave the others without windows. */
static void sort_wanted(GArray *wanted)
{
	g_array_sort(wanted, compare_wanted);
	for (guint i = 1; i < wanted->len; i++) {
		struct wanted_window *one = &g_array_index(wanted, struct wanted_window, i);
		const struct wanted_window *before = &g_array_index(wanted, struct wanted_window, i - 1);
		bool is_same = one->worst.instances == before->worst.instances && one->worst.rank == before->worst.rank;

		one->place = is_same ? before->place + 1 : 0;
	}
	g_array_sort(wanted, compare_places);
}

/* Links the window to a moment. */
static void link_moment(struct u64_map *moments, GArray *links, int64_t at_ns, uint32_t window)
{
	uint64_t first = at_ns == PAGE_NO_MOMENT ? U64_MAP_NONE : u64_map_get(moments, (uint64_t)at_ns);
	const struct window_link link = { window, first == U64_MAP_NONE ? 0 : (uint32_t)first };

	if (at_ns != PAGE_NO_MOMENT) {
		g_array_append_val(links, link);
		u64_map_set(moments, (uint64_t)at_ns, links->len);
	}
}

static void link_moments(struct u64_map *moments, GArray *links, const struct wanted_window *wanted, uint32_t window)
{
	const struct page_traversal *traversal = wanted->traversal;

	link_moment(moments, links, wanted->worst.at_ns, window);
	link_moment(moments, links, wanted->worst.at_ns + wanted->worst.duration_ns, window);
	for (size_t i = 0; traversal && i < traversal->count * PAGE_FLOW_MOMENTS; i++) {
		link_moment(moments, links, traversal->moments[i], window);
	}
}

void page_threads_choose(struct page_threads *threads, struct u64_map *moments, GArray *links)
{
	struct u64_map windows;

	u64_map_init(&windows);
	sort_wanted(threads->wanted);
	for (guint i = 0; i < threads->wanted->len; i++) {
		const struct wanted_window *wanted = &g_array_index(threads->wanted, struct wanted_window, i);
		const char *main = wanted->worst.instances->columns[0].id_of;
		uint64_t key = (uint64_t)wanted->worst.at_ns ^ (uint64_t)g_str_hash(main) << 32;
		uint64_t index = u64_map_get(&windows, key);
		struct thread_window window = {
			.at_ns = wanted->worst.at_ns,
			.end_ns = wanted->worst.at_ns + wanted->worst.duration_ns,
			.main = main,
			.is_of_hops = wanted->traversal != NULL,
		};

		if (index != U64_MAP_NONE) {
			struct thread_window *same = &g_array_index(threads->windows, struct thread_window, index);

			if (same->at_ns == window.at_ns && g_str_equal(same->main, main)) {
				same->end_ns = MAX(same->end_ns, window.end_ns);
				*wanted->worst.window = (uint32_t)index + 1;
			}
			continue;
		}
		if (wanted->worst.duration_ns < 0 || threads->windows->len == PAGE_WINDOWS) {
			continue;
		}
		link_moments(moments, links, wanted, threads->windows->len);
		u64_map_set(&windows, key, threads->windows->len);
		g_array_append_val(threads->windows, window);
		g_array_index(threads->windows, struct thread_window, threads->windows->len - 1).parts =
			g_array_new(FALSE, FALSE, sizeof(struct thread_part));
		*wanted->worst.window = threads->windows->len;
	}
	u64_map_clear(&windows);
}
