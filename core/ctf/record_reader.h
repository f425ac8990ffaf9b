/* SPDX-License-Identifier: MIT */
/*
 * Reads LTTng-UST traces (CTF 1.8) straight from their files into event records: all traces below the given
 * directories, merged in time. Gives the same records in the same order as core/bt/message_decoder.h behind
 * source.ctf.fs and filter.utils.muxer of babeltrace2 2.0.4, at a fraction of the cost, or refuses: what it does not
 * know exactly is left to babeltrace2.
 *
 * Order: by time; on equal times by UUID of the trace, then id of the stream class, then id of the stream. This is what
 * the muxer of 2.0.4 comes down to for traces with UUIDs. (2.1 compares in the same order.) Directories of one UUID
 * (rotated chunks, snapshots) are one trace, packets that are there twice are read once.
 *
 * Everything about the files is checked when they are opened but for the events themselves; an event that cannot be
 * read ends the reading with an error, as in babeltrace2. So does a stream file that is cut, which babeltrace2 refuses:
 * what lies before the cut is read. Files that shrink while they are read crash nothing, but make all that was read
 * worthless: see record_reader_is_reliable().
 * Memory: the metadata, 64 bytes a packet, one batch, a window of 4 to 32 KiB on each stream (2 MiB for all up to 512
 * streams), and as much as the longest event needs. Cost: O(log streams) per event.
 */
#ifndef ROS2BT_RECORD_READER_H
#define ROS2BT_RECORD_READER_H

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct record_reader;

/* Which kinds give records, see latency_analysis_wants(). */
typedef bool (*record_reader_wants)(enum event_kind kind);

enum record_reader_status {
	RECORD_READER_OK,
	RECORD_READER_END,
	RECORD_READER_ERROR, /* see record_reader_error() */
};

/*
 * Opens all traces below `paths`. The recording is borrowed; nothing is added to it if the reader refuses.
 * NULL: refused, and in *reason why (to be freed).
 */
struct record_reader *record_reader_open(const char *const *paths, size_t path_count, struct recording *recording,
					 record_reader_wants wants, char **reason);
void record_reader_close(struct record_reader *reader);

/* The next records, borrowed until the next call; at least one with RECORD_READER_OK. */
enum record_reader_status record_reader_next(struct record_reader *reader, const struct event_record **records,
					     size_t *count);

/* What went wrong; valid until closed. */
const char *record_reader_error(const struct record_reader *reader);

/*
 * To be asked when reading has ended, however it did. False: a file was not what it had been when it was opened, so
 * records may be wrong, and record_reader_error() tells which.
 */
bool record_reader_is_reliable(struct record_reader *reader);

/* Bytes of the stream files, all and read so far. */
uint64_t record_reader_bytes_total(const struct record_reader *reader);
uint64_t record_reader_bytes_read(const struct record_reader *reader);

#endif
