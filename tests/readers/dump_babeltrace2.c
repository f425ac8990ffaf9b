/* SPDX-License-Identifier: MIT */
/* Usage: dump_babeltrace2 DIRECTORY…: all records of the reader behind babeltrace2 as text. Exit 1: error. */
#include "tools/record_dump.h"
#include "ros2bt/bt/trace_graph.h"

static bool take(const struct event_record *records, size_t count, void *data)
{
	for (size_t i = 0; i < count; i++) {
		record_dump_write(data, &records[i]);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	GPtrArray *left_out = g_ptr_array_new_with_free_func(g_free);
	char *reason = NULL;
	struct event_interest interest = { .joins_polls = false };
	bool is_read;

	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		interest.wants[kind] = true;
		interest.wants_counters[kind] = event_class_of(kind) != EVENT_CLASS_POLL;
	}
	is_read = trace_graph_run((const char *const *)argv + 1, (size_t)(argc - 1), recording, &interest, take, stdout,
				  left_out, &reason);
	if (!is_read) {
		fprintf(stderr, "error: %s\n", reason);
	}
	is_read = is_read && left_out->len == 0;
	g_ptr_array_unref(left_out);
	recording_dump_write(stdout, recording);
	recording_destroy(recording);
	string_pool_destroy(pool);
	g_free(reason);
	return !is_read;
}
