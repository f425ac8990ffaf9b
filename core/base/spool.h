/* SPDX-License-Identifier: MIT */
/*
 * Data that is kept until the end of the recording: written piece by piece, then read in the same order, any number of
 * times. Embedded: init and clear. Memory: SPOOL_MEMORY bytes; the rest goes to a temporary file without a name.
 *
 * If the file cannot be written, all further pieces are dropped, and spool_has_failed() is true from then on.
 */
#ifndef ROS2BT_SPOOL_H
#define ROS2BT_SPOOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SPOOL_MEMORY (1 << 20)

struct spool {
	GByteArray *bytes; /* the end of the data, not in the file yet */
	FILE *file;	   /* NULL: none so far */
	size_t read_bytes; /* of `bytes` */
	bool has_failed;
};

void spool_init(struct spool *spool);
void spool_clear(struct spool *spool);

/* Writes a part of a piece. Nothing may be written after the first spool_rewind(). */
void spool_write(struct spool *spool, const void *data, size_t size);

void spool_rewind(struct spool *spool);
/* Reads the next bytes. False at the end. */
bool spool_read(struct spool *spool, void *data, size_t size);

static inline bool spool_has_failed(const struct spool *spool)
{
	return spool->has_failed;
}

#endif
