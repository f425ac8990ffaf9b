/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>
#include <zlib.h>

#include "core/output/gzip_stream.h"
#include "ros2bt/output/output_stream.h"

#define GZIP_WINDOW_BITS (15 + 16)

static void keep(const char *bytes, size_t size, void *data)
{
	g_byte_array_append(data, (const guint8 *)bytes, (guint)size);
}

static GByteArray *inflated(const GByteArray *text, size_t size)
{
	g_autofree char *base64 = g_strndup((const char *)text->data, text->len);
	gsize compressed_size;
	g_autofree guchar *compressed = g_base64_decode(base64, &compressed_size);
	GByteArray *bytes = g_byte_array_new();
	z_stream inflater = { .next_in = compressed, .avail_in = (uInt)compressed_size };

	cr_assert_eq(text->len, (compressed_size + 2) / 3 * 4, "nothing but base64");
	g_byte_array_set_size(bytes, (guint)size + 1);
	inflater.next_out = bytes->data;
	inflater.avail_out = (uInt)size + 1;
	cr_assert_eq(inflateInit2(&inflater, GZIP_WINDOW_BITS), Z_OK);
	cr_assert_eq(inflate(&inflater, Z_FINISH), Z_STREAM_END);
	g_byte_array_set_size(bytes, (guint)inflater.total_out);
	inflateEnd(&inflater);
	return bytes;
}

static void check_round_trip(const char *bytes, size_t size)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	struct output_stream *target = output_stream_create_into(keep, text);
	struct gzip_stream *gzip = gzip_stream_create(target);
	g_autoptr(GByteArray) back = NULL;

	output_stream_bytes(gzip_stream_input(gzip), bytes, size);
	gzip_stream_finish(gzip);
	gzip_stream_destroy(gzip);
	cr_assert(output_stream_flush(target, NULL));
	output_stream_destroy(target);
	back = inflated(text, size);
	cr_assert_eq(back->len, size);
	cr_assert_eq(memcmp(back->data, bytes, size), 0);
}

Test(gzip_stream, gives_back_what_was_written)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	const size_t sizes[] = { 0, 1, 2, 3, 4095, 4096, 4097, 16384, 300001 };
	g_autofree char *bytes = g_malloc(300001);

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		for (size_t j = 0; j < sizes[i]; j++) {
			bytes[j] = (char)g_rand_int(random); /* does not shrink */
		}
		check_round_trip(bytes, sizes[i]);
		memset(bytes, 'a', sizes[i]);
		check_round_trip(bytes, sizes[i]);
	}
}
