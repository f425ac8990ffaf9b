/* SPDX-License-Identifier: MIT */
/*
 * The buckets of a histogram's durations as long as these are few: one number for each duration. A large system has
 * many such series. Counters for all buckets take 512 bytes an octave, and a series has a few octaves; so 896 durations
 * take less.
 *
 * The numbers are in parts that never move: what a series that grows gave back would stay unused, since all series of a
 * system grow at about the same time. A part has the size of an octave's counters, which take its place.
 */
#ifndef ROS2BT_FEW_BUCKETS_H
#define ROS2BT_FEW_BUCKETS_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

#define FEW_BUCKETS_FIRST 128 /* in the first part: most series have no more */
#define FEW_BUCKETS_PART 256  /* in each of the others */
#define FEW_BUCKETS_PARTS 4
#define FEW_BUCKETS_MAX (FEW_BUCKETS_FIRST + (FEW_BUCKETS_PARTS - 1) * FEW_BUCKETS_PART)

struct few_buckets {
	uint32_t count;
	uint32_t sorted;		   /* the first of them are in order */
	int16_t *parts[FEW_BUCKETS_PARTS]; /* any bucket fits (duration_histogram.c); NULL: none so far */
};

/* Where a bucket is, by its number from 0. */
static inline int16_t *few_buckets_at(const struct few_buckets *few, uint32_t number)
{
	uint32_t behind = number - FEW_BUCKETS_FIRST;

	return number < FEW_BUCKETS_FIRST ? &few->parts[0][number]
					  : &few->parts[1 + behind / FEW_BUCKETS_PART][behind % FEW_BUCKETS_PART];
}

/* The same, and how many have room in the part from there on. */
static inline int16_t *few_buckets_part_from(const struct few_buckets *few, uint32_t number, uint32_t *room)
{
	*room = number < FEW_BUCKETS_FIRST ? FEW_BUCKETS_FIRST - number
					   : FEW_BUCKETS_PART - (number - FEW_BUCKETS_FIRST) % FEW_BUCKETS_PART;
	return few_buckets_at(few, number);
}

/* Copies all of them, in the order in which they are kept. */
void few_buckets_take(const struct few_buckets *few, int16_t buckets[FEW_BUCKETS_MAX]);

/* Makes room in the arena for more of them; `few` may be NULL. NULL, with nothing changed: too many. */
struct few_buckets *few_buckets_make_room(struct few_buckets *few, size_t more, struct arena *arena);
struct few_buckets *few_buckets_copy(const struct few_buckets *other, struct arena *arena); /* NULL is allowed */
void few_buckets_destroy(struct few_buckets *few, struct arena *arena);			    /* NULL is allowed */

/* The smallest first. O(1) if nothing was added. */
void few_buckets_sort(struct few_buckets *few);

#endif
