/* SPDX-License-Identifier: MIT */
/*
 * A stream whose bytes go to another stream compressed (gzip, RFC 1952) and as text (base64, RFC 4648), so that a page
 * can hold them and a browser can read them with atob() and DecompressionStream. The same bytes give the same text.
 * zlib compresses.
 */
#ifndef ROS2BT_GZIP_STREAM_H
#define ROS2BT_GZIP_STREAM_H

struct gzip_stream;
struct output_stream;

/* The target is borrowed. */
struct gzip_stream *gzip_stream_create(struct output_stream *target);
void gzip_stream_destroy(struct gzip_stream *gzip); /* NULL is allowed */

/* The stream to write to; owned by the gzip stream. */
struct output_stream *gzip_stream_input(struct gzip_stream *gzip);

/* Writes the rest. Called once. */
void gzip_stream_finish(struct gzip_stream *gzip);

#endif
