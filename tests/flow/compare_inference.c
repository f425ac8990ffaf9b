/* SPDX-License-Identifier: MIT */
/*
 * Usage: compare_inference DIRECTORY…: whether the flow linker and the normalizer, which give the same records to the
 * same rule for the stamps of publications (core/stamps/stamp_matcher.h), agree on a recording. Prints how many
 * publications both know, and how many one of them alone. Exit 1: they differ about one, or one of them knows what the
 * other does not.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/normalize/publication_stamps.h"
#include "ros2bt/ctf/record_reader.h"
#include "ros2bt/flow/pipeline.h"

/* What both say of the publication that a write event made. */
struct verdict {
	bool is_linked, is_inferred; /* the linker's: delivered, with a stamp */
	int64_t linked_stamp;
};

struct place {
	uint32_t thread;
	int64_t time_ns;
};

static guint place_hash(gconstpointer key)
{
	const struct place *place = key;

	return g_int64_hash(&place->time_ns) ^ place->thread;
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	const struct place *left = a, *right = b;

	return left->thread == right->thread && left->time_ns == right->time_ns;
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;
	struct verdict *verdict = g_hash_table_lookup(
		data, &(struct place){ .thread = publication->thread, .time_ns = publication->last_ns });

	if (verdict && publication->has_stamp) {
		verdict->is_linked = true;
		verdict->is_inferred = publication->is_stamp_inferred;
		verdict->linked_stamp = publication->source_timestamp;
	}
}

static bool is_write(const struct event_record *record)
{
	return record->kind == EVENT_RMW_PUBLISH || record->kind == EVENT_DDS_WRITE;
}

/* The normalizer's queue in order, NULL for what is no write. */
static GPtrArray *feed(struct record_reader *reader, struct pipeline *pipeline, struct publication_stamps *stamps,
		       GHashTable *verdicts)
{
	GPtrArray *queue = g_ptr_array_new();
	const struct event_record *records;
	size_t count;

	while (record_reader_next(reader, &records, &count) == RECORD_READER_OK) {
		for (size_t i = 0; i < count; i++) {
			publication_stamps_learn(stamps, &records[i]);
			if (publication_stamps_has(&records[i])) {
				struct verdict *verdict = NULL;

				if (is_write(&records[i])) {
					const struct place place = { records[i].thread, records[i].time_ns };

					verdict = g_new0(struct verdict, 1);
					g_hash_table_insert(verdicts, g_memdup2(&place, sizeof(place)), verdict);
				}
				g_ptr_array_add(queue, verdict);
			}
			pipeline_feed(pipeline, &records[i]);
		}
	}
	pipeline_finish(pipeline);
	publication_stamps_finish(stamps);
	return queue;
}

static bool compare(struct publication_stamps *stamps, const GPtrArray *queue)
{
	uint64_t agreed = 0, inferred = 0, only_linker = 0, only_normalizer = 0, different = 0;

	for (guint i = 0; i < queue->len; i++) {
		struct publication_stamp stamp = publication_stamps_next(stamps);
		const struct verdict *verdict = queue->pdata[i];

		if (!verdict) {
			continue;
		}
		if (verdict->is_linked && stamp.source != PUBLICATION_STAMP_NONE) {
			agreed += verdict->linked_stamp == stamp.timestamp;
			different += verdict->linked_stamp != stamp.timestamp;
			inferred += verdict->is_inferred;
		} else {
			only_linker += verdict->is_linked;
			only_normalizer += stamp.source == PUBLICATION_STAMP_INFERRED;
		}
	}
	printf("%" PRIu64 " agreed (%" PRIu64 " inferred), %" PRIu64 " different, %" PRIu64
	       " by the linker alone, %" PRIu64 " by the normalizer alone\n",
	       agreed, inferred, different, only_linker, only_normalizer);
	return agreed > 0 && different + only_linker + only_normalizer == 0;
}

int main(int argc, char **argv)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autofree char *reason = NULL;
	struct event_interest interest = { .joins_polls = false };
	struct record_reader *reader;
	g_autoptr(GHashTable) verdicts = g_hash_table_new_full(place_hash, place_equal, g_free, g_free);
	struct pipeline *pipeline;
	struct publication_stamps *stamps;
	g_autoptr(GPtrArray) queue = NULL;
	bool is_equal;

	pipeline_add_interest(&interest, PIPELINE_FLOWS);
	reader = record_reader_open((const char *const *)argv + 1, (size_t)(argc - 1), recording, &interest, &reason);
	if (!reader) {
		fprintf(stderr, "refused: %s\n", reason);
		return 2;
	}
	pipeline = pipeline_create(recording, PIPELINE_FLOWS);
	flow_linker_add_listener(pipeline->flows,
				 &(struct flow_listener){ .data = verdicts, .delivered = on_delivered });
	stamps = publication_stamps_create(recording, true);
	queue = feed(reader, pipeline, stamps, verdicts);
	is_equal = compare(stamps, queue);
	publication_stamps_destroy(stamps);
	pipeline_destroy(pipeline);
	record_reader_close(reader);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return is_equal ? 0 : 1;
}
