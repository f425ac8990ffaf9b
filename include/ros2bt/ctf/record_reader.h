/* SPDX-License-Identifier: MIT */
/*
 * Reads LTTng-UST traces (CTF 1.8) straight from their files into event records: all traces below the given
 * directories, merged in time. Gives the same records in the same order as ros2bt/bt/message_decoder.h behind
 * source.ctf.fs and filter.utils.muxer of babeltrace2 2.0.4, at a fraction of the cost, or refuses: traces that it does
 * not know exactly are left to babeltrace2.
 *
 * Order: by time; on equal times by UUID of the trace, then id of the stream class, then id of the stream. For traces
 * with UUIDs this is the order of the muxer of 2.0.4 (and of 2.1). Directories of one UUID (rotated chunks, snapshots)
 * are one trace, duplicate packets are read once.
 *
 * Everything except the events is checked when the files are opened. An event that cannot be read ends reading with an
 * error, as in babeltrace2; so does a truncated stream file, which babeltrace2 refuses, after everything before its end
 * was read. Files that shrink while they are read cause no crash, but invalidate everything read: see
 * record_reader_is_reliable(). Memory: the metadata, 64 bytes a packet, one batch, a window of 4 KiB to 1 MiB on each
 * stream (8 MiB for all up to 2,048 streams), and as much as the longest event needs. Cost: O(log streams) per event.
 */
#ifndef ROS2BT_RECORD_READER_H
#define ROS2BT_RECORD_READER_H

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct clock_alignment; /* core/clocks/clock_alignment.h */
struct record_reader;

enum record_reader_status {
	RECORD_READER_OK,
	RECORD_READER_END,
	RECORD_READER_ERROR, /* see record_reader_error() */
	RECORD_READER_WAIT,  /* of a directory that is followed: nothing more for now */
};

/*
 * Opens all traces below `paths`. The recording is borrowed; nothing is added to it if the reader refuses.
 * Kinds that the interest does not want (NULL: none) give no records.
 * NULL: refused, with the reason in *reason (to be freed).
 */
struct record_reader *record_reader_open(const char *const *paths, size_t path_count, struct recording *recording,
					 const struct event_interest *interest, char **reason);
/*
 * The same for a directory in which chunks of a session or snapshots appear (core/ctf/ctf_follower.h), and the memory
 * does not grow with them. What happened in the last two seconds of the newest one is given when the next one is there,
 * so that streams that LTTng flushes one after the other stay in order. Never NULL: there may be nothing yet. The
 * interest and the directory are borrowed.
 */
struct record_reader *record_reader_follow(const char *directory, struct recording *recording,
					   const struct event_interest *interest);
/* Looks for what is new. `is_last`: it is the last time, and the streams end there. */
void record_reader_look(struct record_reader *reader, bool is_last);
/* Everything up to this time was given, as soon as record_reader_next() waits; INT64_MIN: nothing was. */
int64_t record_reader_reached(const struct record_reader *reader);

/*
 * Converts times to the clock of the reference, and orders events by them. `clocks` is borrowed and must outlive the
 * reader. To be called before the first records. Doubles the time per event.
 */
void record_reader_align(struct record_reader *reader, const struct clock_alignment *clocks);

void record_reader_close(struct record_reader *reader);

/* The next records, borrowed until the next call; at least one with RECORD_READER_OK. */
enum record_reader_status record_reader_next(struct record_reader *reader, const struct event_record **records,
					     size_t *count);

/* What went wrong: "FILE, byte OFFSET: REASON"; valid until closed. */
const char *record_reader_error(const struct record_reader *reader);

/* Directories below the paths that cannot be read, a line (char *) each; valid until the next look or until closed. */
const GPtrArray *record_reader_left_out(const struct record_reader *reader);

/*
 * To be called when reading has ended, successfully or not. False: a file changed after it was opened, so records may
 * be wrong; record_reader_error() names the file.
 */
bool record_reader_is_reliable(struct record_reader *reader);

/* Bytes of the stream files, all and read so far. */
uint64_t record_reader_bytes_total(const struct record_reader *reader);
uint64_t record_reader_bytes_read(const struct record_reader *reader);

#endif
