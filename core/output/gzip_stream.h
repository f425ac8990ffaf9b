/* SPDX-License-Identifier: MIT */
/*
 * A stream whose bytes arrive in another one compressed (gzip, RFC 1952) and as text (base64, RFC 4648), so that a page
 * can hold them and a browser can read them: atob() and DecompressionStream. The same bytes give the same text.
 * Compression by zlib.
 */
#ifndef ROS2BT_GZIP_STREAM_H
#define ROS2BT_GZIP_STREAM_H

struct gzip_stream;
struct output_stream;

/* The target is borrowed. */
struct gzip_stream *gzip_stream_create(struct output_stream *target);
void gzip_stream_destroy(struct gzip_stream *gzip); /* NULL is allowed */

/* Where to write. Owned by the gzip stream. */
struct output_stream *gzip_stream_input(struct gzip_stream *gzip);

/* Writes what is left. Called once. */
void gzip_stream_finish(struct gzip_stream *gzip);

#endif
