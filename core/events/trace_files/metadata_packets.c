/* SPDX-License-Identifier: MIT */
#include "core/events/trace_files/metadata_packets.h"

#include <glib/gstdio.h>
#include <stdint.h>
#include <stdio.h>

#define MAGIC 0x75D11D57
#define HEADER_SIZE 37
#define PACKET_SIZE_AT 28 /* in bits, padding included */

static uint32_t load(const uint8_t *bytes, bool is_big_endian)
{
	uint32_t value = 0;

	for (size_t i = 0; i < sizeof(value); i++) {
		value |= (uint32_t)bytes[i] << 8 * (is_big_endian ? sizeof(value) - 1 - i : i);
	}
	return value;
}

static bool is_file_cut(FILE *file, uint64_t left)
{
	uint8_t header[HEADER_SIZE] = { 0 };
	bool is_first = true, is_big_endian = false;

	while (left > 0) {
		size_t size = fread(header, 1, sizeof(header), file);
		uint64_t packet_size;

		if (is_first) {
			is_big_endian = load(header, true) == MAGIC;
		}
		if (load(header, is_big_endian) != MAGIC) {
			return false;
		}
		packet_size = load(&header[PACKET_SIZE_AT], is_big_endian) / 8;
		if (size < sizeof(header) || packet_size > left) {
			return true;
		}
		if (packet_size < sizeof(header) ||
		    fseeko(file, (off_t)packet_size - (off_t)sizeof(header), SEEK_CUR) != 0) {
			return false;
		}
		left -= packet_size;
		is_first = false;
	}
	return false;
}

bool metadata_is_cut(const char *path)
{
	GStatBuf status;
	FILE *file;
	bool is_cut;

	/* opening a FIFO would wait for a writer */
	if (g_stat(path, &status) != 0 || !S_ISREG(status.st_mode) || !(file = g_fopen(path, "rbe"))) {
		return false;
	}
	is_cut = is_file_cut(file, (uint64_t)status.st_size);
	(void)fclose(file);
	return is_cut;
}
