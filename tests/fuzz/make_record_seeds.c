/* SPDX-License-Identifier: MIT */
/* Usage: make_record_seeds OUTPUT NAME TRACE: the records of a trace as inputs for fuzz_records and fuzz_messages, in
 * files OUTPUT/NAME-NUMBER: the definitions and the beginning of what happens, then shorter ones. */
#include "record_script.h"
#include "ros2bt/ctf/record_reader.h"
#include "ros2bt/flow/pipeline.h"

static GArray *read_records(const char *trace, struct recording *recording)
{
	struct event_interest interest = { .joins_polls = false };
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct event_record));
	g_autofree char *reason = NULL;
	const struct event_record *records;
	struct record_reader *reader;
	size_t count;

	pipeline_add_interest(&interest, PIPELINE_FLOWS);
	reader = record_reader_open(&trace, 1, recording, &interest, &reason);
	if (!reader) {
		fprintf(stderr, "%s: %s\n", trace, reason);
		exit(1);
	}
	while (record_reader_next(reader, &records, &count) == RECORD_READER_OK) {
		g_array_append_vals(all, records, (guint)count);
	}
	record_reader_close(reader);
	return all;
}

int main(int argc, char **argv)
{
	static const size_t counts[] = { 60, 200, 600, 1500 };
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autoptr(GArray) records = argc == 4 ? read_records(argv[3], recording) : NULL;

	for (size_t i = 0; records && i < G_N_ELEMENTS(counts); i++) {
		g_autoptr(GByteArray) script = g_byte_array_new();
		g_autofree char *path = g_strdup_printf("%s/%s-%zu", argv[1], argv[2], counts[i]);

		/* options of the targets, see there */
		g_byte_array_append(script, (const guint8 *)"\0\0\0\0\0\0\0\0", 8);
		record_script_write(script, recording, (const struct event_record *)(const void *)records->data,
				    MIN(counts[i], records->len));
		if (!g_file_set_contents(path, (const char *)script->data, script->len, NULL)) {
			return 1;
		}
	}
	recording_destroy(recording);
	string_pool_destroy(pool);
	return records ? 0 : 2;
}
