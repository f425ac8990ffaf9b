/* SPDX-License-Identifier: MIT */
#include "core/trace_files/first_packet.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#define MAGIC UINT32_C(0xC1FC1FC1)

/* Bytes from the begin of the packet. */
enum {
	AT_MAGIC = 0,
	AT_BEGIN = 32,
	AT_END = 40,
	AT_CONTENT_SIZE = 48,
	AT_PACKET_SIZE = 56,
	AT_SEQUENCE_NUMBER = 64,
	HEAD_SIZE = 72,
};

static uint64_t word_at(const uint8_t *head, size_t at, bool is_swapped)
{
	uint64_t word;

	memcpy(&word, head + at, sizeof(word));
	return is_swapped ? GUINT64_SWAP_LE_BE(word) : word;
}

static bool read_head(const char *path, uint8_t head[HEAD_SIZE])
{
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rbe") : NULL;
	bool is_read = file && fread(head, HEAD_SIZE, 1, file) == 1;

	if (file) {
		(void)fclose(file);
	}
	return is_read;
}

bool first_packet_read(const char *path, struct first_packet *packet)
{
	uint8_t head[HEAD_SIZE];
	uint64_t content, size;
	uint32_t magic;
	bool is_swapped;

	if (!read_head(path, head)) {
		return false;
	}
	memcpy(&magic, head + AT_MAGIC, sizeof(magic));
	is_swapped = magic == GUINT32_SWAP_LE_BE(MAGIC);
	if (!is_swapped && magic != MAGIC) {
		return false;
	}
	content = word_at(head, AT_CONTENT_SIZE, is_swapped);
	size = word_at(head, AT_PACKET_SIZE, is_swapped);
	packet->begin = word_at(head, AT_BEGIN, is_swapped);
	packet->sequence_number = word_at(head, AT_SEQUENCE_NUMBER, is_swapped);
	return content >= (uint64_t)8 * HEAD_SIZE && content <= size && size % 8 == 0 &&
	       packet->begin <= word_at(head, AT_END, is_swapped);
}
