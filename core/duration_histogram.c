/* SPDX-License-Identifier: MIT */
#include "ros2bt/duration_histogram.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define OCTAVE_BITS 9 /* 512 buckets an octave */
#define OCTAVE_BUCKETS (1 << OCTAVE_BITS)
#define PAGE_BITS 7
#define PAGE_BUCKETS (1 << PAGE_BITS)
#define LISTED_MAX 8

/* Most pages of a long tail have few hits: those are listed in place of a pointer to counters. */
struct histogram_page {
	uint8_t width;	/* bytes a counter: 1, 2, 4 or 8; 0: hits are listed */
	uint32_t total; /* hits; UINT32_MAX: so many or more */
	union {
		void *counts;		   /* owned; PAGE_BUCKETS counters */
		uint8_t slots[LISTED_MAX]; /* a slot is there as often as it was hit */
	};
};

struct duration_histogram {
	uint16_t page_count;
	int16_t first_page;	      /* bucket / PAGE_BUCKETS, rounded down */
	struct histogram_page *pages; /* owned; all from the first that was hit to the last */
};

/* The bucket of a magnitude: 0 … 1023 as they are, then 512 for each doubling. */
static int32_t bucket_of_magnitude(uint64_t magnitude)
{
	unsigned int shift;

	if (magnitude < UINT64_C(2) * OCTAVE_BUCKETS) {
		return (int32_t)magnitude;
	}
	shift = 63 - (unsigned int)__builtin_clzll(magnitude) - OCTAVE_BITS;
	return (int32_t)((uint64_t)shift * OCTAVE_BUCKETS + (magnitude >> shift));
}

static int32_t bucket_of_duration(int64_t duration_ns)
{
	return duration_ns < 0 ? -bucket_of_magnitude(-(uint64_t)duration_ns)
			       : bucket_of_magnitude((uint64_t)duration_ns);
}

/* The value in the middle of a bucket. */
static __int128 bucket_value(int32_t bucket)
{
	uint32_t magnitude_bucket = (uint32_t)(bucket < 0 ? -bucket : bucket);
	unsigned int shift;
	__int128 magnitude;

	if (magnitude_bucket < 2 * OCTAVE_BUCKETS) {
		return bucket;
	}
	shift = magnitude_bucket / OCTAVE_BUCKETS - 1;
	magnitude = ((__int128)(magnitude_bucket - shift * OCTAVE_BUCKETS) << shift) + (((__int128)1 << shift) >> 1);
	return bucket < 0 ? -magnitude : magnitude;
}

static uint64_t page_listed_count(const struct histogram_page *page, unsigned int slot)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < page->total; i++) {
		count += page->slots[i] == slot;
	}
	return count;
}

static uint64_t page_count_at(const struct histogram_page *page, unsigned int slot)
{
	switch (page->width) {
	case 0:
		return page_listed_count(page, slot);
	case 1:
		return ((const uint8_t *)page->counts)[slot];
	case 2:
		return ((const uint16_t *)page->counts)[slot];
	case 4:
		return ((const uint32_t *)page->counts)[slot];
	default:
		return ((const uint64_t *)page->counts)[slot];
	}
}

static void page_set_count(struct histogram_page *page, unsigned int slot, uint64_t count)
{
	switch (page->width) {
	case 1:
		((uint8_t *)page->counts)[slot] = (uint8_t)count;
		break;
	case 2:
		((uint16_t *)page->counts)[slot] = (uint16_t)count;
		break;
	case 4:
		((uint32_t *)page->counts)[slot] = (uint32_t)count;
		break;
	default:
		((uint64_t *)page->counts)[slot] = count;
		break;
	}
}

static void page_clear(struct histogram_page *page)
{
	if (page->width) {
		g_free(page->counts);
	}
}

static void page_widen(struct histogram_page *page)
{
	struct histogram_page wide = {
		.width = page->width ? (uint8_t)(2 * page->width) : 1,
		.total = page->total,
	};

	wide.counts = g_malloc0((size_t)wide.width * PAGE_BUCKETS);
	for (uint32_t i = 0; page->width == 0 && i < page->total; i++) {
		((uint8_t *)wide.counts)[page->slots[i]]++;
	}
	for (unsigned int slot = 0; page->width && slot < PAGE_BUCKETS; slot++) {
		page_set_count(&wide, slot, page_count_at(page, slot));
	}
	page_clear(page);
	*page = wide;
}

#define PAGE_INCREMENT(type)                                                                                           \
	do {                                                                                                           \
		type *counter = &((type *)page->counts)[slot];                                                         \
		if (G_LIKELY(*counter < (type)-1)) {                                                                   \
			(*counter)++;                                                                                  \
			page->total += page->total < UINT32_MAX;                                                       \
			return;                                                                                        \
		}                                                                                                      \
	} while (0)

static void page_count_up(struct histogram_page *page, unsigned int slot)
{
	switch (page->width) {
	case 0:
		if (page->total < LISTED_MAX) {
			page->slots[page->total++] = (uint8_t)slot;
			return;
		}
		break;
	case 1:
		PAGE_INCREMENT(uint8_t);
		break;
	case 2:
		PAGE_INCREMENT(uint16_t);
		break;
	case 4:
		PAGE_INCREMENT(uint32_t);
		break;
	default:
		((uint64_t *)page->counts)[slot]++;
		page->total += page->total < UINT32_MAX;
		return;
	}
	page_widen(page);
	page_count_up(page, slot);
}

#undef PAGE_INCREMENT

/* Makes the pages `first` … `last` be there. */
static void histogram_reach(struct duration_histogram *histogram, int16_t first, int16_t last)
{
	struct histogram_page *pages;
	uint16_t page_count;

	if (histogram->page_count > 0) {
		first = MIN(first, histogram->first_page);
		last = MAX(last, (int16_t)(histogram->first_page + histogram->page_count - 1));
	}
	page_count = (uint16_t)(last - first + 1);
	if (page_count == histogram->page_count) {
		return;
	}
	pages = g_new0(struct histogram_page, page_count);
	if (histogram->page_count > 0) {
		memcpy(&pages[histogram->first_page - first], histogram->pages, histogram->page_count * sizeof(*pages));
	}
	g_free(histogram->pages);
	histogram->pages = pages;
	histogram->page_count = page_count;
	histogram->first_page = first;
}

static struct histogram_page *histogram_page_of(const struct duration_histogram *histogram, int32_t bucket)
{
	return &histogram->pages[(bucket >> PAGE_BITS) - histogram->first_page];
}

struct duration_histogram *duration_histogram_create(void)
{
	return g_new0(struct duration_histogram, 1);
}

void duration_histogram_destroy(struct duration_histogram *histogram)
{
	if (!histogram) {
		return;
	}
	for (uint16_t i = 0; i < histogram->page_count; i++) {
		page_clear(&histogram->pages[i]);
	}
	g_free(histogram->pages);
	g_free(histogram);
}

/*
 * The counters of many durations lie far apart: they are fetched into the cache side by side instead of one after the
 * other.
 */
void duration_histogram_add(struct duration_histogram *histogram, const int64_t *durations_ns, size_t count)
{
	int32_t buckets[DURATION_HISTOGRAM_BATCH];
	int32_t first = INT32_MAX, last = INT32_MIN;

	if (count == 0) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		buckets[i] = bucket_of_duration(durations_ns[i]);
		first = MIN(first, buckets[i]);
		last = MAX(last, buckets[i]);
	}
	histogram_reach(histogram, (int16_t)(first >> PAGE_BITS), (int16_t)(last >> PAGE_BITS));
	for (size_t i = 0; i < count; i++) {
		const struct histogram_page *page = histogram_page_of(histogram, buckets[i]);

		if (page->width) {
			__builtin_prefetch((const uint8_t *)page->counts +
						   (size_t)page->width * ((unsigned int)buckets[i] % PAGE_BUCKETS),
					   1);
		}
	}
	for (size_t i = 0; i < count; i++) {
		page_count_up(histogram_page_of(histogram, buckets[i]), (unsigned int)buckets[i] % PAGE_BUCKETS);
	}
}

/* Hits of all buckets of a page; the sum is needed only where there are too many for `total`. */
static uint64_t page_total(const struct histogram_page *page)
{
	uint64_t sum = 0;

	if (page->total < UINT32_MAX) {
		return page->total;
	}
	for (unsigned int slot = 0; slot < PAGE_BUCKETS; slot++) {
		sum += page_count_at(page, slot);
	}
	return sum;
}

#define PAGE_FIND(type)                                                                                                \
	for (slot = 0; slot < PAGE_BUCKETS - 1 && ((const type *)page->counts)[slot] < rank; slot++) {                 \
		rank -= ((const type *)page->counts)[slot];                                                            \
	}

/* The slot of the hit number `rank` of a page that lists its hits: so many are not greater, and not so many less. */
static unsigned int page_listed_slot_at(const struct histogram_page *page, uint64_t rank)
{
	for (uint32_t i = 0; i < page->total; i++) {
		uint8_t less = 0, not_greater = 0;

		for (uint32_t j = 0; j < page->total; j++) {
			less += page->slots[j] < page->slots[i];
			not_greater += page->slots[j] <= page->slots[i];
		}
		if (less < rank && rank <= not_greater) {
			return page->slots[i];
		}
	}
	return PAGE_BUCKETS - 1;
}

/* The slot of the hit number `rank` of a page. */
static unsigned int page_slot_at(const struct histogram_page *page, uint64_t rank)
{
	unsigned int slot;

	switch (page->width) {
	case 0:
		return page_listed_slot_at(page, rank);
	case 1:
		PAGE_FIND(uint8_t)
		break;
	case 2:
		PAGE_FIND(uint16_t)
		break;
	case 4:
		PAGE_FIND(uint32_t)
		break;
	default:
		PAGE_FIND(uint64_t)
		break;
	}
	return slot;
}

#undef PAGE_FIND

static __int128 histogram_slot_value(const struct duration_histogram *histogram, uint32_t page, unsigned int slot)
{
	return bucket_value((histogram->first_page + (int32_t)page) * PAGE_BUCKETS + (int32_t)slot);
}

__int128 duration_histogram_value_at(const struct duration_histogram *histogram, uint64_t rank)
{
	uint16_t i = 0;

	for (; i < histogram->page_count - 1; i++) {
		uint64_t total = page_total(&histogram->pages[i]);

		if (total >= rank) {
			break;
		}
		rank -= total;
	}
	return histogram_slot_value(histogram, i, page_slot_at(&histogram->pages[i], rank));
}

/* The buckets in use in rising order: start with *position = 0; false at the end. */
static bool histogram_next_bucket(const struct duration_histogram *histogram, uint32_t *position, __int128 *value_ns,
				  uint64_t *count)
{
	while (*position < (uint32_t)histogram->page_count * PAGE_BUCKETS) {
		uint32_t page = *position / PAGE_BUCKETS;
		unsigned int slot = (*position)++ % PAGE_BUCKETS;

		*count = page_count_at(&histogram->pages[page], slot);
		if (*count) {
			*value_ns = histogram_slot_value(histogram, page, slot);
			return true;
		}
	}
	return false;
}

double duration_histogram_squared_distances(const struct duration_histogram *histogram, double center_ns)
{
	double sum = 0;
	__int128 value_ns;
	uint32_t position = 0;
	uint64_t count;

	while (histogram_next_bucket(histogram, &position, &value_ns, &count)) {
		double distance_ns = (double)value_ns - center_ns;

		sum += (double)count * distance_ns * distance_ns;
	}
	return sum;
}
