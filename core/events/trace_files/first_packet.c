/* SPDX-License-Identifier: MIT */
#include "core/events/trace_files/first_packet.h"

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

/* Whether another packet begins behind one of `size` bytes, or the file ends there. */
static bool is_followed(FILE *file, uint64_t size, uint32_t magic)
{
	uint32_t next;
	size_t count;

	if (size > G_MAXOFFSET || fseeko(file, (off_t)size - 1, SEEK_SET) != 0 || fgetc(file) == EOF) {
		return false;
	}
	count = fread(&next, 1, sizeof(next), file);
	return count == 0 || (count == sizeof(next) && next == magic);
}

static bool read_packet(FILE *file, struct first_packet *packet)
{
	uint8_t head[HEAD_SIZE];
	uint64_t content, size;
	uint32_t magic;
	bool is_swapped;

	if (fread(head, HEAD_SIZE, 1, file) != 1) {
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
	       packet->begin <= word_at(head, AT_END, is_swapped) && is_followed(file, size / 8, magic);
}

bool first_packet_read(const char *path, struct first_packet *packet)
{
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rbe") : NULL;
	bool is_read = file && read_packet(file, packet);

	if (file) {
		(void)fclose(file);
	}
	return is_read;
}
