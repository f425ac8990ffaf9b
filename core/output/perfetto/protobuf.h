/* SPDX-License-Identifier: MIT */
/*
 * A message in the encoding of Protocol Buffers (protobuf.dev, "Encoding"), field by field. A field is its number and
 * type, then a varint, 8 bytes, or a length and bytes. A message within a message is bytes, so the inner one is made
 * first.
 *
 * Own code: a library would add a dependency and an allocation per message, for something append-only and this small.
 * The memory of a message is reused for the next one.
 */
#ifndef ROS2BT_PROTOBUF_H
#define ROS2BT_PROTOBUF_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROTOBUF_VARINT_MAX 10 /* bytes */

enum protobuf_type {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2,
};

/* Embedded: zeros first, protobuf_free() last. */
struct protobuf {
	uint8_t *bytes; /* owned */
	size_t size, capacity;
};

/* Reserves room. */
void protobuf_grow(struct protobuf *message, size_t size);

static inline void protobuf_free(struct protobuf *message)
{
	g_free(message->bytes);
	*message = (struct protobuf){ 0 };
}

static inline void protobuf_clear(struct protobuf *message)
{
	message->size = 0;
}

static inline void protobuf_reserve(struct protobuf *message, size_t size)
{
	if (G_UNLIKELY(message->capacity - message->size < size)) {
		protobuf_grow(message, size);
	}
}

/* Into reserved room, as the next two. */
static inline void protobuf_put_varint(struct protobuf *message, uint64_t value)
{
	while (value >= 0x80) {
		message->bytes[message->size++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	message->bytes[message->size++] = (uint8_t)value;
}

static inline void protobuf_put_tag(struct protobuf *message, unsigned int field, enum protobuf_type type)
{
	protobuf_put_varint(message, (uint64_t)field << 3 | type);
}

static inline void protobuf_put_bytes(struct protobuf *message, const void *bytes, size_t size)
{
	/* memcpy() must not be given NULL, not even for 0 bytes */
	if (size > 0) {
		memcpy(message->bytes + message->size, bytes, size);
		message->size += size;
	}
}

/* Negative numbers of the types int32 and int64 are given as the 64-bit word of two's complement. */
static inline void protobuf_varint(struct protobuf *message, unsigned int field, uint64_t value)
{
	protobuf_reserve(message, (size_t)2 * PROTOBUF_VARINT_MAX);
	protobuf_put_tag(message, field, PROTOBUF_VARINT);
	protobuf_put_varint(message, value);
}

static inline void protobuf_fixed64(struct protobuf *message, unsigned int field, uint64_t value)
{
	uint64_t little_endian = GUINT64_TO_LE(value);

	protobuf_reserve(message, PROTOBUF_VARINT_MAX + sizeof(little_endian));
	protobuf_put_tag(message, field, PROTOBUF_FIXED64);
	protobuf_put_bytes(message, &little_endian, sizeof(little_endian));
}

/* Bytes, text that is UTF-8, or a whole message. */
static inline void protobuf_bytes(struct protobuf *message, unsigned int field, const void *bytes, size_t size)
{
	protobuf_reserve(message, (size_t)2 * PROTOBUF_VARINT_MAX + size);
	protobuf_put_tag(message, field, PROTOBUF_BYTES);
	protobuf_put_varint(message, size);
	if (size > 0) {
		protobuf_put_bytes(message, bytes, size);
	}
}

static inline void protobuf_message(struct protobuf *message, unsigned int field, const struct protobuf *inner)
{
	protobuf_bytes(message, field, inner->bytes, inner->size);
}

/* Any bytes, made valid UTF-8 (core/base/text/utf8.h). */
void protobuf_text(struct protobuf *message, unsigned int field, const char *text);

#endif
