/* SPDX-License-Identifier: MIT */
/*
 * Data that waits for the end of the recording: written piece by piece, then read in the same order, any number of
 * times. Up to SPOOL_MEMORY bytes stay in memory, the rest goes to a temporary file without a name.
 *
 * Where there is no room for that, pieces are left out, and spool_has_failed() from then on.
 */
#ifndef ROS2BT_SPOOL_H
#define ROS2BT_SPOOL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SPOOL_MEMORY (1 << 20)

/* Embedded: init and clear. */
struct spool {
	GByteArray *bytes; /* what was written last, not in the file yet */
	FILE *file;	   /* NULL: none so far */
	size_t read_bytes; /* of `bytes` */
	bool has_failed;
};

void spool_init(struct spool *spool);
void spool_clear(struct spool *spool);

/* Writing all parts of a piece is one call each; after the first spool_rewind() nothing may be written. */
void spool_write(struct spool *spool, const void *data, size_t size);

void spool_rewind(struct spool *spool);
/* False at the end. */
bool spool_read(struct spool *spool, void *data, size_t size);

static inline bool spool_has_failed(const struct spool *spool)
{
	return spool->has_failed;
}

#endif
