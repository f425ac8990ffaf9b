/* SPDX-License-Identifier: MIT */
#include "core/normalize/publication_stamps.h"

#include <glib.h>

#include "core/base/slots.h"
#include "core/stamps/stamp_matcher.h"
#include "ros2bt/base/u64_map.h"
#include "core/model/coverage.h"
#include "core/normalize/publication_handles.h"
#include "ros2bt/events/event_schema.h"

/* Visited publications are forgotten in chunks of at least this many, so that moving the rest costs O(1) for each. */
#define FORGET_CHUNK 4096
#define SILENCE_NS (NS_PER_S / 10) /* stopping and starting LTTng takes longer */

/* A publication is identified by its number: how many came before it. */
struct stamped_publication {
	int64_t timestamp;
	struct stamp_interval *interval; /* NULL: its timestamp cannot be inferred */
	enum publication_stamp_source source;
	bool has_inter_process_leg;
	bool is_taken_early; /* from a ring buffer, before its inter-process leg has a timestamp */
};

struct publishing_thread {
	bool has_rcl_publish;
	uint64_t publisher, message; /* of the last rcl_publish */
	int64_t rcl_publish_ns;
	bool has_write;
	uint64_t write, write_message; /* the last dds_write without a timestamp */
	bool has_intra;
	uint64_t intra, intra_publisher; /* the last rclcpp_intra_publish */
	unsigned int callbacks;		 /* that are open now */
	bool has_run;			 /* a callback, or looked for one */
};

struct publication_stamps {
	const struct recording *recording; /* borrowed */
	bool are_kept;
	GArray *publications;  /* of struct stamped_publication */
	uint64_t first;	       /* number of publications[0] */
	uint64_t position;     /* number of the next to be visited */
	struct u64_map topics; /* interned name → struct stamp_topic * */
	struct stamp_matcher *matcher;
	struct coverage *coverage;
	int64_t defined_ns, runtime_ns; /* of the first definition, the last runtime event; INT64_MAX: none */
	int64_t late_ns;		/* where the recording of runtime events began late; INT64_MIN: it did not */
	GPtrArray *processes;		/* of struct publication_handles *, by index */
	GArray *threads;		/* of struct publishing_thread, by index */
};

static size_t count_hosts(void *data)
{
	return recording_host_count(((const struct publication_stamps *)data)->recording);
}

static bool may_miss(void *data, uint32_t host, int64_t from_ns, int64_t to_ns)
{
	const struct publication_stamps *stamps = data;

	return from_ns < stamps->late_ns || !coverage_host_misses_nothing(stamps->coverage, host, from_ns, to_ns);
}

static bool may_miss_in_stream(void *data, uint16_t stream, int64_t from_ns, int64_t to_ns)
{
	struct coverage *coverage = ((const struct publication_stamps *)data)->coverage;

	return coverage_has_any(coverage) && !coverage_stream_misses_nothing(coverage, stream, from_ns, to_ns);
}

struct publication_stamps *publication_stamps_create(const struct recording *recording, bool are_kept)
{
	struct publication_stamps *stamps = g_new0(struct publication_stamps, 1);

	stamps->recording = recording;
	stamps->are_kept = are_kept;
	stamps->publications = g_array_new(FALSE, FALSE, sizeof(struct stamped_publication));
	u64_map_init(&stamps->topics);
	stamps->coverage = coverage_create(recording);
	stamps->defined_ns = stamps->runtime_ns = INT64_MAX;
	stamps->late_ns = INT64_MIN;
	stamps->matcher = stamp_matcher_create();
	stamp_matcher_set_losses(stamps->matcher,
				 &(struct stamp_loss_source){ stamps, count_hosts, may_miss, may_miss_in_stream });
	stamps->processes = g_ptr_array_new();
	stamps->threads = g_array_new(FALSE, TRUE, sizeof(struct publishing_thread));
	return stamps;
}

void publication_stamps_destroy(struct publication_stamps *stamps)
{
	if (!stamps) {
		return;
	}
	u64_map_clear(&stamps->topics);
	for (guint i = 0; i < stamps->processes->len; i++) {
		publication_handles_destroy(g_ptr_array_index(stamps->processes, i));
	}
	g_ptr_array_free(stamps->processes, TRUE);
	g_array_free(stamps->threads, TRUE);
	g_array_free(stamps->publications, TRUE);
	stamp_matcher_destroy(stamps->matcher);
	coverage_destroy(stamps->coverage);
	g_free(stamps);
}

static struct publication_handles *find_process(struct publication_stamps *stamps, uint32_t thread)
{
	uint32_t index = recording_thread(stamps->recording, thread)->process;

	while (stamps->processes->len <= index) {
		g_ptr_array_add(stamps->processes, publication_handles_create());
	}
	return g_ptr_array_index(stamps->processes, index);
}

static struct publishing_thread *find_thread(struct publication_stamps *stamps, uint32_t index)
{
	return array_at(stamps->threads, struct publishing_thread, index);
}

static struct stamp_topic *find_topic(struct publication_stamps *stamps, const struct event_record *record,
				      unsigned int slot)
{
	uint64_t name = record->word[slot];
	struct stamp_topic *topic = u64_map_get_pointer(&stamps->topics, name);

	if (!topic) {
		topic = stamp_matcher_add_topic(stamps->matcher);
		u64_map_set_pointer(&stamps->topics, name, topic);
	}
	return topic;
}

/* NULL: visited and forgotten. */
static struct stamped_publication *find_publication(struct publication_stamps *stamps, uint64_t number)
{
	return number < stamps->first
		       ? NULL
		       : &g_array_index(stamps->publications, struct stamped_publication, number - stamps->first);
}

static uint64_t add_publication(struct publication_stamps *stamps)
{
	struct stamped_publication publication = { .timestamp = PUBLICATION_STAMP_UNKNOWN,
						   .source = PUBLICATION_STAMP_NONE };

	g_array_append_val(stamps->publications, publication);
	return stamps->first + stamps->publications->len - 1;
}

static void bind(struct publication_stamps *stamps, uint64_t number, int64_t timestamp)
{
	struct stamped_publication *publication = find_publication(stamps, number);

	if (publication) {
		publication->timestamp = timestamp;
		publication->source = PUBLICATION_STAMP_BOUND;
		if (publication->interval) {
			stamp_matcher_set_stamp(publication->interval, timestamp);
		}
	}
}

/* Sets the timestamps that the matcher has found. */
static void fetch_inferred(struct publication_stamps *stamps)
{
	struct stamp_match match;

	while (stamp_matcher_next(stamps->matcher, &match)) {
		struct stamped_publication *publication = find_publication(stamps, match.owner);

		if (publication && publication->source != PUBLICATION_STAMP_BOUND) {
			publication->timestamp = match.stamp;
			publication->source = PUBLICATION_STAMP_INFERRED;
		}
	}
}

static void infer(struct publication_stamps *stamps, struct stamp_topic *topic, uint64_t timestamp,
		  const struct event_record *record)
{
	const struct recording_thread *of = recording_thread(stamps->recording, record->thread);

	stamp_matcher_take(stamps->matcher, topic,
			   &(struct stamp_take){
				   .stamp = (int64_t)timestamp,
				   .taken_ns = record->time_ns,
				   .host = recording_process(stamps->recording, of->process)->host,
			   });
	fetch_inferred(stamps);
}

/* Forgets the visited publications if there are many. */
static void forget(struct publication_stamps *stamps)
{
	guint count = (guint)MIN(stamps->position - stamps->first, stamps->publications->len);

	if (stamps->are_kept || count < FORGET_CHUNK || count < stamps->publications->len / 2) {
		return;
	}
	for (guint i = 0; i < count; i++) {
		struct stamp_interval *interval =
			g_array_index(stamps->publications, struct stamped_publication, i).interval;

		if (interval) {
			stamp_matcher_forget(stamps->matcher, interval);
		}
	}
	g_array_remove_range(stamps->publications, 0, count);
	stamps->first += count;
}

/* Whether rcl_publish, which names the publisher of a write, may have been lost. */
static bool may_be_cut(const struct publication_stamps *stamps, uint32_t trace, int64_t now_ns)
{
	return !coverage_trace_is_whole(stamps->coverage, trace, now_ns - LOSSES_PREEMPTED_NS, now_ns);
}

/* The timestamp of the thread's write may be inferred from a take of the topic, or of any if that is not known. */
static void add_interval(struct publication_stamps *stamps, const struct event_record *record,
			 const struct publishing_thread *thread, struct stamp_topic *topic, int64_t from_ns)
{
	const struct recording_thread *of = recording_thread(stamps->recording, record->thread);
	struct stamp_publication publication = {
		.owner = thread->write,
		.host = recording_process(stamps->recording, of->process)->host,
		.thread = record->thread,
		.stream = record->stream,
		.is_loose = thread->callbacks == 0,
		.from_ns = from_ns,
		.written_ns = record->time_ns,
	};

	if (topic) {
		find_publication(stamps, thread->write)->interval =
			stamp_matcher_publish(stamps->matcher, topic, &publication);
	} else if (thread->has_run || may_be_cut(stamps, of->trace, record->time_ns)) {
		stamp_matcher_add_stranger(stamps->matcher, &publication);
	}
	if (!of->has_vtid) {
		/* The next event may be another thread's. */
		stamp_matcher_end_write(stamps->matcher, record->thread, record->time_ns + MATCHER_THREADLESS_NS);
	}
}

static void learn_rcl_publish(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publishing_thread *thread = find_thread(stamps, record->thread);

	thread->has_rcl_publish = true;
	thread->publisher = record->word[RCL_PUBLISH__publisher_handle];
	thread->message = record->word[RCL_PUBLISH__message];
	thread->rcl_publish_ns = record->time_ns;
	if (thread->has_intra && thread->intra_publisher == thread->publisher) {
		struct stamped_publication *intra = find_publication(stamps, thread->intra);

		if (intra) {
			intra->has_inter_process_leg = true;
		}
	}
}

/* The third step of a publication, with or without its timestamp. */
static void learn_write(struct publication_stamps *stamps, const struct event_record *record, uint64_t message,
			unsigned int timestamp_slot)
{
	struct publishing_thread *thread = find_thread(stamps, record->thread);
	bool has_publisher = thread->has_rcl_publish && thread->message == message;
	uint64_t publisher = thread->publisher;
	struct stamp_topic *topic;

	thread->has_rcl_publish = false;
	if (record_has(record, timestamp_slot)) {
		if (has_publisher && thread->has_intra && thread->intra_publisher == publisher) {
			bind(stamps, thread->intra, (int64_t)record->word[timestamp_slot]);
			thread->has_intra = false;
		}
		return;
	}
	thread->has_write = record->kind == EVENT_DDS_WRITE;
	thread->write = add_publication(stamps);
	thread->write_message = message;
	topic = has_publisher ? u64_map_get_pointer(&find_process(stamps, record->thread)->publisher_topics, publisher)
			      : NULL;
	if (topic || record->kind == EVENT_RMW_PUBLISH) {
		add_interval(stamps, record, thread, topic, has_publisher ? thread->rcl_publish_ns : record->time_ns);
	}
}

static void learn_bind(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publishing_thread *thread = find_thread(stamps, record->thread);
	uint64_t message = record->word[DDS_BIND_ADDR_TO_STAMP__addr];

	if (thread->has_write && (message == 0 || message == thread->write_message)) {
		bind(stamps, thread->write, (int64_t)record->word[DDS_BIND_ADDR_TO_STAMP__source_stamp]);
		thread->has_write = false;
	}
}

static void learn_intra_publish(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publishing_thread *thread = find_thread(stamps, record->thread);

	thread->has_intra = true;
	thread->intra = add_publication(stamps);
	thread->intra_publisher = record->word[RCLCPP_INTRA_PUBLISH__publisher_handle];
}

static void learn_enqueue(struct publication_stamps *stamps, const struct event_record *record)
{
	const struct publishing_thread *thread = find_thread(stamps, record->thread);
	struct ring_slots *slots = &find_process(stamps, record->thread)->slots;
	uint64_t buffer = record->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer];
	uint64_t index = record->word[RCLCPP_RING_BUFFER_ENQUEUE__index];

	if (thread->has_intra) {
		ring_slots_set(slots, buffer, index, thread->intra);
	} else {
		ring_slots_remove(slots, buffer, index);
	}
}

static void learn_dequeue(struct publication_stamps *stamps, const struct event_record *record)
{
	uint64_t number = ring_slots_remove(&find_process(stamps, record->thread)->slots,
					    record->word[RCLCPP_RING_BUFFER_DEQUEUE__buffer],
					    record->word[RCLCPP_RING_BUFFER_DEQUEUE__index]);
	struct stamped_publication *publication = number == U64_MAP_NONE ? NULL : find_publication(stamps, number);

	if (publication && publication->source != PUBLICATION_STAMP_BOUND) {
		publication->is_taken_early = true;
	}
}

static void learn_take(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publication_handles *process = find_process(stamps, record->thread);
	struct stamp_topic *topic =
		u64_map_get_pointer(&process->subscription_topics, record->word[RMW_TAKE__rmw_subscription_handle]);

	if (topic && record->word[RMW_TAKE__taken] && record->word[RMW_TAKE__source_timestamp]) {
		infer(stamps, topic, record->word[RMW_TAKE__source_timestamp], record);
	}
}

static void learn_dispatch(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publication_handles *process = find_process(stamps, record->thread);
	struct stamp_topic *topic =
		publication_handles_topic_of_callback(process, record->word[DISPATCH_SUBSCRIPTION_CALLBACK__callback]);

	if (topic && record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp]) {
		infer(stamps, topic, record->word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp], record);
	}
}

static void learn_definition(struct publication_stamps *stamps, const struct event_record *record)
{
	struct stamp_topic *topic = NULL;

	if (record->kind == EVENT_RCL_PUBLISHER_INIT) {
		topic = find_topic(stamps, record, RCL_PUBLISHER_INIT__topic_name);
	} else if (record->kind == EVENT_RCL_SUBSCRIPTION_INIT) {
		topic = find_topic(stamps, record, RCL_SUBSCRIPTION_INIT__topic_name);
	}
	publication_handles_learn(find_process(stamps, record->thread), record, topic);
}

static void learn_gap(struct publication_stamps *stamps)
{
	for (guint i = 0; i < stamps->threads->len; i++) {
		struct publishing_thread *thread = &g_array_index(stamps->threads, struct publishing_thread, i);

		stamp_matcher_loosen_write(stamps->matcher, i);
		/* The rest of what the thread has begun may be lost. */
		*thread = (struct publishing_thread){ .has_run = thread->has_run };
	}
}

/* Ends the thread's write at a runtime event; decides waiting timestamps that are due. */
static void learn_time(struct publication_stamps *stamps, const struct event_record *record)
{
	if (stamps->runtime_ns == INT64_MAX) {
		if (stamps->defined_ns < record->time_ns &&
		    recording_was_off(stamps->recording, stamps->defined_ns, record->time_ns)) {
			stamps->late_ns = record->time_ns;
		}
	} else if (record->time_ns - SILENCE_NS > stamps->runtime_ns &&
		   recording_was_off(stamps->recording, stamps->runtime_ns, record->time_ns)) {
		coverage_add_pause(stamps->coverage, stamps->runtime_ns, record->time_ns);
		learn_gap(stamps);
	}
	stamps->runtime_ns = record->time_ns;
	if (record->kind != EVENT_DDS_BIND_ADDR_TO_STAMP && record->kind != EVENT_DDS_BIND_ADDR_TO_ADDR) {
		stamp_matcher_end_write(stamps->matcher, record->thread, record->time_ns);
	}
	if (record->time_ns >= stamp_matcher_due_ns(stamps->matcher)) {
		stamp_matcher_advance(stamps->matcher, record->time_ns);
		fetch_inferred(stamps);
	}
}

static void learn_run(struct publication_stamps *stamps, const struct event_record *record)
{
	struct publishing_thread *thread = find_thread(stamps, record->thread);

	thread->has_run = true;
	if (record->kind == EVENT_CALLBACK_START) {
		thread->callbacks++;
	} else if (record->kind == EVENT_CALLBACK_END && thread->callbacks > 0) {
		thread->callbacks--;
	}
}

void publication_stamps_learn(struct publication_stamps *stamps, const struct event_record *record)
{
	enum event_class class = record->kind < EVENT_KIND_COUNT ? event_class_of(record->kind) : EVENT_CLASS_SYSTEM;

	coverage_see_late_streams(stamps->coverage);
	coverage_follow(stamps->coverage, record);
	if (class == EVENT_CLASS_RUNTIME) {
		learn_time(stamps, record);
	} else if (class == EVENT_CLASS_POLL) {
		find_thread(stamps, record->thread)->has_run = true;
	} else if (class == EVENT_CLASS_INIT) {
		stamps->defined_ns = MIN(stamps->defined_ns, record->time_ns);
		learn_definition(stamps, record);
	}
	switch (record->kind) {
	case EVENT_RCLCPP_INTRA_PUBLISH:
		learn_intra_publish(stamps, record);
		break;
	case EVENT_RCL_PUBLISH:
		learn_rcl_publish(stamps, record);
		break;
	case EVENT_RMW_PUBLISH:
		learn_write(stamps, record, record->word[RMW_PUBLISH__message], RMW_PUBLISH__timestamp);
		break;
	case EVENT_DDS_WRITE:
		learn_write(stamps, record, record->word[DDS_WRITE__message], DDS_WRITE__timestamp);
		break;
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
		learn_bind(stamps, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
		learn_enqueue(stamps, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
		learn_dequeue(stamps, record);
		break;
	case EVENT_RMW_TAKE:
		learn_take(stamps, record);
		break;
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		learn_dispatch(stamps, record);
		break;
	case RECORD_GAP:
		learn_gap(stamps);
		G_GNUC_FALLTHROUGH;
	case RECORD_DISCARDED_EVENTS:
	case RECORD_DISCARDED_PACKETS:
	case RECORD_STREAM_END:
		coverage_feed(stamps->coverage, record);
		break;
	case EVENT_RCLCPP_EXECUTOR_EXECUTE:
	case EVENT_CALLBACK_START:
	case EVENT_CALLBACK_END:
		learn_run(stamps, record);
		break;
	}
}

void publication_stamps_finish(struct publication_stamps *stamps)
{
	stamp_matcher_finish(stamps->matcher);
	fetch_inferred(stamps);
}

struct publication_stamp publication_stamps_next(struct publication_stamps *stamps)
{
	const struct stamped_publication *publication = NULL;

	forget(stamps);
	if (stamps->position < stamps->first + stamps->publications->len) {
		publication = find_publication(stamps, stamps->position);
		stamps->position++;
	}
	return publication ? (struct publication_stamp){ publication->timestamp, publication->source,
							 publication->has_inter_process_leg &&
								 !publication->is_taken_early }
			   : (struct publication_stamp){ PUBLICATION_STAMP_UNKNOWN, PUBLICATION_STAMP_NONE, false };
}

void publication_stamps_rewind(struct publication_stamps *stamps)
{
	stamps->position = stamps->first;
}
