/* SPDX-License-Identifier: MIT */
/*
 * Usage: compare_untaken DIRECTORY…: reads a recording twice, as it is and without what releases before Humble do not
 * record (takes, writes, stamps, messages within a process, executors), and compares the links that are inferred then
 * (core/untaken/untaken_matcher.h) with those that the takes give: those of the linker and those of the normalizer.
 * Prints how many are right, wrong, and not made. Exit 1: fewer than 99.9 % of those that were made are right, none was
 * made though the takes give some, or the normalizer made one that the linker did not make or one less.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/normalize/inferred_takes.h"
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

/* What the normalizer visits. */
struct visit {
	struct place place;
	bool is_start;
};

/* The links that the normalizer would show, by their timestamps. */
static GHashTable *links_of_takes(struct inferred_takes *takes, const GArray *visits)
{
	GHashTable *links = g_hash_table_new_full(place_hash, place_equal, g_free, g_free);
	g_autoptr(GHashTable) publications = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_autofree int64_t *timestamps = g_new(int64_t, visits->len);

	for (guint i = 0; i < visits->len; i++) {
		const struct visit *visit = &g_array_index(visits, struct visit, i);
		struct inferred_write write;

		if (!visit->is_start) {
			write = inferred_takes_next_write(takes);
			timestamps[i] = write.timestamp;
			if (write.is_taken && write.is_missing) {
				g_hash_table_insert(publications, &timestamps[i], (gpointer)&visit->place);
			}
		}
	}
	for (guint i = 0; i < visits->len; i++) {
		const struct visit *visit = &g_array_index(visits, struct visit, i);
		struct inferred_start start = { 0 };
		const struct place *from;
		bool is_linked;

		if (visit->is_start) {
			start = inferred_takes_next_start(takes);
		}
		is_linked = start.has_take && start.timestamp != INFERRED_TAKE_OF_UNKNOWN;
		from = is_linked ? g_hash_table_lookup(publications, &start.timestamp) : NULL;
		if (is_linked) {
			g_hash_table_insert(links, place(visit->place.thread, visit->place.time_ns, 0),
					    from ? place(from->thread, from->time_ns, 0) : place(UINT32_MAX, 0, 0));
		}
	}
	return links;
}

/* The same for the whole recording. NULL: it cannot be read. */
static GHashTable *normalized_links(const char *const *directories, size_t count)
{
	struct string_pool *pool = string_pool_create();
	struct recording *recording = recording_create(pool);
	g_autofree char *reason = NULL;
	struct event_interest interest = { .joins_polls = false };
	g_autoptr(GArray) visits = g_array_new(FALSE, FALSE, sizeof(struct visit));
	const struct event_record *records;
	struct inferred_takes *takes;
	struct record_reader *reader;
	GHashTable *links;
	size_t batch;

	pipeline_add_interest(&interest, PIPELINE_FLOWS);
	reader = record_reader_open(directories, count, recording, &interest, &reason);
	if (!reader) {
		return NULL;
	}
	takes = inferred_takes_create(recording, true);
	while (record_reader_next(reader, &records, &batch) == RECORD_READER_OK) {
		for (size_t i = 0; i < batch; i++) {
			const struct visit visit = { { records[i].thread, records[i].time_ns, 0 },
						     records[i].kind == EVENT_CALLBACK_START };

			if (is_recorded_by_galactic(&records[i])) {
				inferred_takes_learn(takes, &records[i]);
				if (visit.is_start || records[i].kind == EVENT_RCL_PUBLISH) {
					g_array_append_val(visits, visit);
				}
			}
		}
	}
	inferred_takes_finish(takes);
	links = links_of_takes(takes, visits);
	inferred_takes_destroy(takes);
	record_reader_close(reader);
	recording_destroy(recording);
	string_pool_destroy(pool);
	return links;
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

static guint count_lacking(GHashTable *those, GHashTable *these)
{
	guint lacking = 0;
	GHashTableIter iter;
	gpointer execution;

	g_hash_table_iter_init(&iter, those);
	while (g_hash_table_iter_next(&iter, &execution, NULL)) {
		lacking += !g_hash_table_contains(these, execution);
	}
	return lacking;
}

int main(int argc, char **argv)
{
	const char *const *directories = (const char *const *)argv + 1;
	g_autoptr(GHashTable) truth = links_of(directories, (size_t)(argc - 1), false);
	g_autoptr(GHashTable) inferred = links_of(directories, (size_t)(argc - 1), true);
	g_autoptr(GHashTable) normalized = normalized_links(directories, (size_t)(argc - 1));
	guint linker_alone, normalizer_alone;

	if (!truth || !inferred || !normalized) {
		return 2;
	}
	linker_alone = count_lacking(inferred, normalized);
	normalizer_alone = count_lacking(normalized, inferred);
	printf("by the linker alone: %u, by the normalizer alone: %u\n", linker_alone, normalizer_alone);
	return compare(truth, inferred) && compare(truth, normalized) && linker_alone + normalizer_alone == 0 ? 0 : 1;
}
