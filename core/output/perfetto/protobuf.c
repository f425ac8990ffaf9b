/* SPDX-License-Identifier: MIT */
#include "core/output/perfetto/protobuf.h"

#include "core/base/text/utf8.h"

#define CAPACITY_MIN 256

void protobuf_grow(struct protobuf *message, size_t size)
{
	message->capacity = MAX(MAX(message->capacity * 2, message->size + size), CAPACITY_MIN);
	message->bytes = g_realloc(message->bytes, message->capacity);
}

void protobuf_text(struct protobuf *message, unsigned int field, const char *text)
{
	g_autoptr(GString) valid = g_string_new(NULL);
	const char *piece;
	size_t length;

	while ((length = utf8_next_piece(&text, &piece))) {
		g_string_append_len(valid, piece, (gssize)length);
	}
	protobuf_bytes(message, field, valid->str, valid->len);
}
