/* SPDX-License-Identifier: MIT */
/*
 * Usage: compare_untaken DIRECTORY…: reads a recording twice, as it is and without what releases before Humble do not
 * record (takes, writes, stamps, messages within a process, executors), and compares the links that are inferred then
 * (core/untaken/untaken_matcher.h) with those that the takes give. Prints how many are right, wrong, and not made.
 * Exit 1: fewer than 99.9 % of those that were made are right, or none was made though the takes give some.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "ros2bt/ctf/record_reader.h"
#include "ros2bt/flow/pipeline.h"

/* The start of an execution, or the publish events of what it handles. */
struct place {
	uint32_t thread;
	int64_t time_ns, last_ns;
};

static guint place_hash(gconstpointer key)
{
	const struct place *of = key;

	return g_int64_hash(&of->time_ns) ^ of->thread;
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	const struct place *left = a, *right = b;

	return left->thread == right->thread && left->time_ns == right->time_ns;
}

/* Whether the part, which lacks the events that were hidden, is a part of the whole. */
static bool is_same_publication(const struct place *whole, const struct place *part)
{
	return whole->thread == part->thread && whole->time_ns <= part->time_ns && part->time_ns <= whole->last_ns;
}

static struct place *place(uint32_t thread, int64_t time_ns, int64_t last_ns)
{
	struct place *made = g_new0(struct place, 1);

	made->thread = thread;
	made->time_ns = time_ns;
	made->last_ns = last_ns;
	return made;
}

/* Between processes, to a callback whose start is recorded. */
static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;

	if (delivery->execution && delivery->has_start && delivery->subscription && !delivery->is_intra_process) {
		g_hash_table_insert(data, place(delivery->execution->thread, delivery->execution->start_ns, 0),
				    place(publication->thread, publication->first_ns, publication->last_ns));
	}
}

static bool is_recorded_by_galactic(const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RMW_TAKE:
	case EVENT_RCL_TAKE:
	case EVENT_RCLCPP_TAKE:
	case EVENT_RMW_PUBLISH:
	case EVENT_DDS_WRITE:
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
	case EVENT_DDS_BIND_ADDR_TO_ADDR:
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
	case EVENT_MESSAGE_CONSTRUCT:
	case EVENT_RCLCPP_INTRA_PUBLISH:
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
	case EVENT_RCLCPP_RING_BUFFER_CLEAR:
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
	case EVENT_RCLCPP_EXECUTOR_GET_NEXT_READY:
	case EVENT_RCLCPP_EXECUTOR_WAIT_FOR_WORK:
		return false;
	default:
		return true;
	}
}

/* The links of the recording: execution → publication. NULL: it cannot be read. */
static GHashTable *links_of(const char *const *directories, size_t count, bool is_galactic)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autofree char *reason = NULL;
	struct event_interest interest = { .joins_polls = false };
	GHashTable *links = g_hash_table_new_full(place_hash, place_equal, g_free, g_free);
	const struct event_record *records;
	struct record_reader *reader;
	struct pipeline *pipeline;
	size_t batch;

	pipeline_add_interest(&interest, PIPELINE_FLOWS);
	reader = record_reader_open(directories, count, recording, &interest, &reason);
	if (!reader) {
		fprintf(stderr, "refused: %s\n", reason);
		g_hash_table_destroy(links);
		return NULL;
	}
	pipeline = pipeline_create(recording, PIPELINE_FLOWS);
	flow_linker_add_listener(pipeline->flows, &(struct flow_listener){ .data = links, .delivered = on_delivered });
	while (record_reader_next(reader, &records, &batch) == RECORD_READER_OK) {
		for (size_t i = 0; i < batch; i++) {
			if (!is_galactic || is_recorded_by_galactic(&records[i])) {
				pipeline_feed(pipeline, &records[i]);
			}
		}
	}
	pipeline_finish(pipeline);
	pipeline_destroy(pipeline);
	record_reader_close(reader);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return links;
}

static bool compare(GHashTable *truth, GHashTable *inferred)
{
	guint right = 0, wrong = 0, unproven = 0;
	GHashTableIter iter;
	gpointer execution, publication;

	g_hash_table_iter_init(&iter, inferred);
	while (g_hash_table_iter_next(&iter, &execution, &publication)) {
		const struct place *expected = g_hash_table_lookup(truth, execution);

		right += expected && is_same_publication(expected, publication);
		wrong += expected && !is_same_publication(expected, publication);
		unproven += !expected;
		if (g_getenv("VERBOSE") && expected && !is_same_publication(expected, publication)) {
			printf("wrong: callback at %" PRId64 ", publication at %" PRId64 " instead of %" PRId64 "\n",
			       ((const struct place *)execution)->time_ns, ((const struct place *)publication)->time_ns,
			       expected->time_ns);
		}
	}
	printf("%u right, %u wrong, %u without a take, %u of %u not made\n", right, wrong, unproven,
	       g_hash_table_size(truth) - right - wrong, g_hash_table_size(truth));
	return (uint64_t)wrong * 1000 <= (uint64_t)right + wrong && (right > 0 || g_hash_table_size(truth) == 0);
}

int main(int argc, char **argv)
{
	const char *const *directories = (const char *const *)argv + 1;
	g_autoptr(GHashTable) truth = links_of(directories, (size_t)(argc - 1), false);
	g_autoptr(GHashTable) inferred = links_of(directories, (size_t)(argc - 1), true);

	if (!truth || !inferred) {
		return 2;
	}
	return compare(truth, inferred) ? 0 : 1;
}
