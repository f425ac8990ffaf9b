/* SPDX-License-Identifier: MIT */
/*
 * A position in a packet, in bits from its beginning; every read is checked against the end of the packet's content.
 * Part of the decoder.
 */
#ifndef ROS2BT_CTF_CURSOR_H
#define ROS2BT_CTF_CURSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/ctf/ctf_type.h"

struct ctf_cursor {
	const uint8_t *packet;
	uint64_t at, end; /* bits; at <= end */
	uint64_t *values; /* trace_class->value_count, see struct ctf_field */
};

static inline uint16_t ctf_load16(const uint8_t *bytes, bool is_big_endian)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian ? GUINT16_FROM_BE(value) : GUINT16_FROM_LE(value);
}

static inline uint32_t ctf_load32(const uint8_t *bytes, bool is_big_endian)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian ? GUINT32_FROM_BE(value) : GUINT32_FROM_LE(value);
}

static inline uint64_t ctf_load64(const uint8_t *bytes, bool is_big_endian)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return is_big_endian ? GUINT64_FROM_BE(value) : GUINT64_FROM_LE(value);
}

/* The next multiple of an alignment, a power of two, or `bits` itself. */
static inline uint64_t ctf_align_up(uint64_t bits, uint64_t alignment)
{
	return (bits + alignment - 1) & ~(alignment - 1);
}

static inline bool ctf_cursor_align(struct ctf_cursor *cursor, uint32_t alignment)
{
	uint64_t aligned = ctf_align_up(cursor->at, alignment);

	if (aligned > cursor->end) {
		return false;
	}
	cursor->at = aligned;
	return true;
}

static inline bool ctf_cursor_skip(struct ctf_cursor *cursor, uint64_t bits)
{
	if (bits > cursor->end - cursor->at) {
		return false;
	}
	cursor->at += bits;
	return true;
}

/* The integer of the type at `at` bits of the packet, as if it was unsigned. */
uint64_t ctf_read_unsigned(const uint8_t *packet, uint64_t at, const struct ctf_type *type);

/* The next integer of the type; signed ones are extended to 64 bits. False: beyond the end. */
bool ctf_cursor_read_integer(struct ctf_cursor *cursor, const struct ctf_type *type, uint64_t *value);

/* The next floating-point number. False: beyond the end. */
bool ctf_cursor_read_real(struct ctf_cursor *cursor, const struct ctf_type *type, double *value);

/* Skips a field of any type. False: beyond the end, or a variant without the option that its tag selects. */
bool ctf_cursor_skip_type(struct ctf_cursor *cursor, const struct ctf_type *type);

/* Skips a member, storing its value if a variant or sequence depends on it. */
bool ctf_cursor_skip_field(struct ctf_cursor *cursor, const struct ctf_field *field);

/* The option of a variant that a tag selects, NULL if there is none. */
const struct ctf_field *ctf_variant_option(const struct ctf_type *variant, uint64_t tag);

/* The next string or text: borrowed, without NUL. */
bool ctf_cursor_read_text(struct ctf_cursor *cursor, const struct ctf_type *type, const char **text, size_t *length);

/* Returns the number of elements of the array or sequence that begins here, and moves to the first one. */
bool ctf_cursor_enter_array(struct ctf_cursor *cursor, const struct ctf_type *type, uint64_t *count);

#endif
