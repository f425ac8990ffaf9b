/* SPDX-License-Identifier: MIT */
/*
 * A recording and its records as a few bytes, in a form that stays meaningful when bytes of it are changed, left out
 * or doubled: any bytes are a recording whose records keep to what a reader promises (event_record.h), with anything a
 * trace may record otherwise. Both ways, so that recordings become seeds.
 *
 * - header: count of threads - 1 (4 bits), whether it begins at the earliest time there is (a bit)
 * - per thread: a byte (trace: 2 bits, process: 4 bits, 15: no vpid), a byte of vtid (255: no vtid)
 * - per record: a byte of kind; a byte (thread: 4 bits, the trace's other stream, CARET, init time, missing words); the
 *   time since the record before, see read_time(); the byte of what is missing; the words
 * - word: a byte of value for the usual, or an escape, see read_word(); texts and gids are numbered
 */
#ifndef ROS2BT_TESTS_RECORD_SCRIPT_H
#define ROS2BT_TESTS_RECORD_SCRIPT_H

#include "fuzz_input.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

#define RECORD_SCRIPT_TRACES 4
#define RECORD_SCRIPT_THREADS 16

/* Adds to an empty recording; an array of struct event_record, owned by the caller. */
GArray *record_script_read(struct fuzz_input *input, struct recording *recording);

/* Appends; what the form cannot express is approximated. */
void record_script_write(GByteArray *script, const struct recording *recording, const struct event_record *records,
			 size_t count);

#endif
