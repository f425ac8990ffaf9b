/* SPDX-License-Identifier: MIT */
/*
 * Usage: dump_records [--count|--join-polls] TRACE…: prints what the analyses receive from traces: each record of the
 * fast reader as a line of text (or only their number), with or without polls and system calls joined, then hosts,
 * traces, streams, processes, threads, and events that could not be decoded. Exit status 2: the fast reader refuses the
 * trace, 1: error.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/record_dump.h"
#include "ros2bt/ctf/file_views.h"
#include "ros2bt/ctf/record_reader.h"

int main(int argc, char **argv)
{
	bool is_count = argc > 1 && strcmp(argv[1], "--count") == 0;
	bool joins_polls = argc > 1 && strcmp(argv[1], "--join-polls") == 0;
	int first = is_count || joins_polls ? 2 : 1;
	struct event_interest interest = { .joins_polls = joins_polls, .joins_calls = joins_polls };
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autofree char *reason = NULL;
	struct record_reader *reader;
	enum record_reader_status status = RECORD_READER_ERROR;
	const struct event_record *records;
	uint64_t total = 0;
	size_t count;

	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest.wants[kind] = true;
		interest.wants_counters[kind] = event_class_of(kind) != EVENT_CLASS_POLL;
	}
	file_views_allow();
	reader = record_reader_open((const char *const *)argv + first, (size_t)(argc - first), recording, &interest,
				    &reason);
	if (!reader) {
		fprintf(stderr, "refused: %s\n", reason);
	} else {
		while ((status = record_reader_next(reader, &records, &count)) == RECORD_READER_OK) {
			total += count;
			for (size_t i = 0; !is_count && i < count; i++) {
				record_dump_write(stdout, &records[i]);
			}
		}
		if (status == RECORD_READER_ERROR) {
			fprintf(stderr, "error: %s\n", record_reader_error(reader));
		}
		if (is_count) {
			printf("%" PRIu64 "\n", total);
		} else {
			recording_dump_write(stdout, recording);
		}
	}
	record_reader_close(reader);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return !reason ? status == RECORD_READER_ERROR : 2;
}
