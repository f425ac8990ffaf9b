/* SPDX-License-Identifier: MIT */
#include "core/output/gzip_stream.h"

#include <glib.h>
#include <zlib.h>

#include "ros2bt/output/output_stream.h"

#define CHUNK_SIZE 4096
/* Of base64: 4 characters for 3 bytes, and those left over from the chunk before (glib/gbase64.h). */
#define TEXT_SIZE ((CHUNK_SIZE / 3 + 1) * 4 + 4)
/* Takes half the time of the default level, for a tenth more bytes. */
#define LEVEL 6
#define GZIP_WINDOW_BITS (15 + 16) /* with a header of gzip (zlib.h) */
#define MEMORY_LEVEL 8

struct gzip_stream {
	struct output_stream *target; /* borrowed */
	struct output_stream *input;  /* owned */
	z_stream deflater;
	int base64_state, base64_save;
};

/* Into base64. zlib reports no other errors here than misuse. */
static void compress_bytes(struct gzip_stream *gzip, const char *bytes, size_t size, int flush)
{
	char chunk[CHUNK_SIZE], text[TEXT_SIZE];

	gzip->deflater.next_in = (z_const Bytef *)bytes;
	gzip->deflater.avail_in = (uInt)size;
	do {
		size_t length;

		gzip->deflater.next_out = (Bytef *)chunk;
		gzip->deflater.avail_out = CHUNK_SIZE;
		(void)deflate(&gzip->deflater, flush);
		length = g_base64_encode_step((const guchar *)chunk, CHUNK_SIZE - gzip->deflater.avail_out, FALSE, text,
					      &gzip->base64_state, &gzip->base64_save);
		output_stream_bytes(gzip->target, text, length);
	} while (gzip->deflater.avail_out == 0);
}

static void take(const char *bytes, size_t size, void *data)
{
	compress_bytes(data, bytes, size, Z_NO_FLUSH);
}

struct gzip_stream *gzip_stream_create(struct output_stream *target)
{
	struct gzip_stream *gzip = g_new0(struct gzip_stream, 1);

	gzip->target = target;
	gzip->input = output_stream_create_into(take, gzip);
	if (deflateInit2(&gzip->deflater, LEVEL, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		g_error("no memory for zlib");
	}
	return gzip;
}

void gzip_stream_destroy(struct gzip_stream *gzip)
{
	if (!gzip) {
		return;
	}
	(void)deflateEnd(&gzip->deflater);
	output_stream_destroy(gzip->input);
	g_free(gzip);
}

struct output_stream *gzip_stream_input(struct gzip_stream *gzip)
{
	return gzip->input;
}

void gzip_stream_finish(struct gzip_stream *gzip)
{
	char rest[8];

	(void)output_stream_flush(gzip->input, NULL);
	compress_bytes(gzip, NULL, 0, Z_FINISH);
	output_stream_bytes(gzip->target, rest,
			    g_base64_encode_close(FALSE, rest, &gzip->base64_state, &gzip->base64_save));
}
