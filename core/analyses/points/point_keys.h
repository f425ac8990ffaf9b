/* SPDX-License-Identifier: MIT */
/*
 * Open stages and paths, by their keys: those that have started and not ended. A key is the values of some fields;
 * integers are equal if their numbers are, whatever their size and signedness.
 *
 * Memory: at most POINT_KEYS_OPEN_MAX of them. O(1), without allocation for keys of up to POINT_KEY_SHORT bytes (three
 * numbers).
 */
#ifndef ROS2BT_POINT_KEYS_H
#define ROS2BT_POINT_KEYS_H

#include <glib.h>

#include "core/base/int128.h"
#include "core/base/object_pool.h"
#include "core/events/points/point_file.h"
#include "ros2bt/base/u64_map.h"

#define POINT_KEYS_OPEN_MAX 65536
#define POINT_KEY_SHORT 32

/* The owner of a key. */
struct point_owner {
	uint64_t place; /* thread, process, host or 0, see enum point_scope */
	uint32_t row;	/* the stage or the path */
};

struct open_point {
	struct open_point *next;	  /* of the same hash */
	struct open_point *older, *newer; /* by start */
	uint64_t hash;
	struct point_owner owner;
	uint32_t thread; /* of the start */
	int64_t start_ns;
	const struct model_callback *callback; /* around the start; NULL: none, or not wanted */
	uint32_t key_size;
	uint8_t *long_key; /* in the arena; NULL: short_key */
	uint8_t short_key[POINT_KEY_SHORT];
};

struct point_keys {
	struct arena *arena;
	struct u64_map by_hash; /* → struct open_point *, the first of its hash */
	struct object_pool pool;
	struct open_point *oldest, *newest;
	size_t count;
};

void point_keys_init(struct point_keys *keys, struct arena *arena);

/* Sets `bytes` to the key of an event; false if one of its fields is neither a number nor a text. */
bool point_key_read(const struct point_match *match, const struct point_values *values, GByteArray *bytes);
/* The value of a key that is one integer; false: it is not. */
bool point_key_integer(const GByteArray *bytes, int128 *integer);
/* Appends the values of a key to `text`, separated by ", ". */
void point_key_append_text(const uint8_t *bytes, size_t size, GString *text);

/* NULL: not open. */
struct open_point *point_keys_find(const struct point_keys *keys, const struct point_owner *owner,
				   const GByteArray *key);
/* Adds the newest. Its key must not be open, and there must be room (point_keys_is_full()). */
struct open_point *point_keys_add(struct point_keys *keys, const struct point_owner *owner, const GByteArray *key,
				  int64_t start_ns);
void point_keys_remove(struct point_keys *keys, struct open_point *open);

static inline bool point_keys_is_full(const struct point_keys *keys)
{
	return keys->count >= POINT_KEYS_OPEN_MAX;
}

static inline const uint8_t *open_point_key(const struct open_point *open)
{
	return open->long_key ? open->long_key : open->short_key;
}

#endif
