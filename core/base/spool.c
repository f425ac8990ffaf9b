/* SPDX-License-Identifier: MIT */
#include "core/base/spool.h"

#include <string.h>

void spool_init(struct spool *spool)
{
	*spool = (struct spool){ .bytes = g_byte_array_new() };
}

void spool_clear(struct spool *spool)
{
	g_byte_array_unref(spool->bytes);
	if (spool->file) {
		fclose(spool->file);
	}
	*spool = (struct spool){ 0 };
}

static void move_to_file(struct spool *spool)
{
	if (!spool->file) {
		spool->file = tmpfile();
	}
	spool->has_failed = !spool->file || fwrite(spool->bytes->data, spool->bytes->len, 1, spool->file) != 1 ||
			    fflush(spool->file) != 0;
	g_byte_array_set_size(spool->bytes, 0);
}

void spool_write(struct spool *spool, const void *data, size_t size)
{
	if (spool->has_failed) {
		return;
	}
	g_byte_array_append(spool->bytes, data, (guint)size);
	if (spool->bytes->len >= SPOOL_MEMORY) {
		move_to_file(spool);
	}
}

void spool_rewind(struct spool *spool)
{
	spool->read_bytes = 0;
	if (spool->file) {
		rewind(spool->file);
	}
}

static size_t read_from_file(struct spool *spool, char *data, size_t size)
{
	return spool->file ? fread(data, 1, size, spool->file) : 0;
}

bool spool_read(struct spool *spool, void *data, size_t size)
{
	size_t done = read_from_file(spool, data, size);
	size_t rest = size - done;

	/* the end, or a piece that could not be written */
	if (rest > spool->bytes->len - spool->read_bytes) {
		return false;
	}
	if (rest > 0) {
		memcpy((char *)data + done, spool->bytes->data + spool->read_bytes, rest);
		spool->read_bytes += rest;
	}
	return true;
}
