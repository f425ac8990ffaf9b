/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_keys.h"

#include <string.h>

#include "core/base/arena_parts.h"

/* The encoding of a key: for each value one of these tags, and the value. */
enum {
	KEY_SIGNED = 'i',   /* 8 bytes */
	KEY_UNSIGNED = 'u', /* 8 bytes: beyond INT64_MAX */
	KEY_REAL = 'r',	    /* 8 bytes */
	KEY_TEXT = 't',	    /* ended by a NUL */
};

void point_keys_init(struct point_keys *keys, struct arena *arena)
{
	*keys = (struct point_keys){ .arena = arena };
	arena_map(arena, &keys->by_hash);
	arena_pool(arena, &keys->pool, sizeof(struct open_point));
}

/* --- keys --- */

static void append(GByteArray *bytes, uint8_t tag, const void *value, size_t size)
{
	g_byte_array_append(bytes, &tag, 1);
	g_byte_array_append(bytes, value, (guint)size);
}

bool point_key_read(const struct point_match *match, const struct point_values *values, GByteArray *bytes)
{
	g_byte_array_set_size(bytes, 0);
	for (size_t i = 0; i < match->key_count; i++) {
		const struct point_value *value = &values->at[match->keys[i]];
		const char *text;
		bool is_large;

		switch (value->type) {
		case POINT_VALUE_UNSIGNED:
		case POINT_VALUE_SIGNED:
			is_large = value->type == POINT_VALUE_UNSIGNED && value->number > INT64_MAX;
			append(bytes, is_large ? KEY_UNSIGNED : KEY_SIGNED, &value->number, sizeof(value->number));
			break;
		case POINT_VALUE_REAL:
			append(bytes, KEY_REAL, &value->real, sizeof(value->real));
			break;
		case POINT_VALUE_TEXT:
			text = point_value_text(values, value);
			append(bytes, KEY_TEXT, text, strlen(text) + 1);
			break;
		default:
			return false;
		}
	}
	return true;
}

bool point_key_integer(const GByteArray *bytes, int128 *integer)
{
	uint64_t number;

	if (bytes->len != 1 + sizeof(number) || (bytes->data[0] != KEY_SIGNED && bytes->data[0] != KEY_UNSIGNED)) {
		return false;
	}
	memcpy(&number, bytes->data + 1, sizeof(number));
	*integer = bytes->data[0] == KEY_SIGNED ? (int128)(int64_t)number : (int128)number;
	return true;
}

void point_key_append_text(const uint8_t *bytes, size_t size, GString *text)
{
	char real_text[G_ASCII_DTOSTR_BUF_SIZE];
	uint64_t number;
	double real;

	for (size_t at = 0; at < size;) {
		uint8_t tag = bytes[at++];

		if (at > 1) {
			g_string_append(text, ", ");
		}
		if (tag == KEY_TEXT) {
			g_string_append(text, (const char *)bytes + at);
			at += strlen((const char *)bytes + at) + 1;
			continue;
		}
		memcpy(&number, bytes + at, sizeof(number));
		memcpy(&real, bytes + at, sizeof(real));
		at += sizeof(number);
		if (tag == KEY_REAL) {
			g_string_append(text, g_ascii_dtostr(real_text, sizeof(real_text), real));
		} else if (tag == KEY_SIGNED) {
			g_string_append_printf(text, "%" G_GINT64_FORMAT, (gint64)number);
		} else {
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, number);
		}
	}
}

/* --- open stages and paths --- */

/* FNV-1a, over the owner and the key. */
static uint64_t hash_of(const struct point_owner *owner, const GByteArray *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ owner->place;

	hash = (hash * UINT64_C(0x100000001b3)) ^ owner->row;
	for (guint i = 0; i < key->len; i++) {
		hash = (hash * UINT64_C(0x100000001b3)) ^ key->data[i];
	}
	return hash * UINT64_C(0x100000001b3);
}

static bool is_same(const struct open_point *open, const struct point_owner *owner, const GByteArray *key)
{
	return open->owner.row == owner->row && open->owner.place == owner->place && open->key_size == key->len &&
	       (key->len == 0 || memcmp(open_point_key(open), key->data, key->len) == 0);
}

struct open_point *point_keys_find(const struct point_keys *keys, const struct point_owner *owner,
				   const GByteArray *key)
{
	struct open_point *open = u64_map_get_pointer(&keys->by_hash, hash_of(owner, key));

	while (open && !is_same(open, owner, key)) {
		open = open->next;
	}
	return open;
}

static void set_key(const struct point_keys *keys, struct open_point *open, const GByteArray *key)
{
	open->key_size = key->len;
	if (key->len > POINT_KEY_SHORT) {
		open->long_key = arena_copy(keys->arena, key->data, key->len);
	} else if (key->len > 0) {
		memcpy(open->short_key, key->data, key->len);
	}
}

struct open_point *point_keys_add(struct point_keys *keys, const struct point_owner *owner, const GByteArray *key,
				  int64_t start_ns)
{
	struct open_point *open = object_pool_take(&keys->pool);

	open->owner = *owner;
	open->hash = hash_of(owner, key);
	open->start_ns = start_ns;
	set_key(keys, open, key);
	open->next = u64_map_get_pointer(&keys->by_hash, open->hash);
	u64_map_set_pointer(&keys->by_hash, open->hash, open);
	open->older = keys->newest;
	if (keys->newest) {
		keys->newest->newer = open;
	} else {
		keys->oldest = open;
	}
	keys->newest = open;
	keys->count++;
	return open;
}

static void remove_from_hash(struct point_keys *keys, const struct open_point *open)
{
	struct open_point *first = u64_map_get_pointer(&keys->by_hash, open->hash);

	if (first != open) {
		while (first->next != open) {
			first = first->next;
		}
		first->next = open->next;
	} else if (open->next) {
		u64_map_set_pointer(&keys->by_hash, open->hash, open->next);
	} else {
		(void)u64_map_remove(&keys->by_hash, open->hash);
	}
}

void point_keys_remove(struct point_keys *keys, struct open_point *open)
{
	remove_from_hash(keys, open);
	if (open->older) {
		open->older->newer = open->newer;
	} else {
		keys->oldest = open->newer;
	}
	if (open->newer) {
		open->newer->older = open->older;
	} else {
		keys->newest = open->older;
	}
	keys->count--;
	arena_give(keys->arena, open->long_key, open->key_size);
	object_pool_give(&keys->pool, open);
}
