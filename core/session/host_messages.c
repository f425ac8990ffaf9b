/* SPDX-License-Identifier: MIT */
#include "core/session/host_messages.h"

#include <stdlib.h>

#include "core/base/compare_numbers.h"

/* A publication or a take. */
struct sighting {
	uint64_t stamp;
	int64_t time_ns;
	const void *endpoint; /* struct model_publisher or model_subscription; its topic may become known later */
	uint32_t host;
};

struct host_messages {
	struct pipeline *pipeline;    /* borrowed */
	GArray *publications, *takes; /* struct sighting */
	unsigned int sampled_bits;    /* only stamps are kept whose hash begins with this many zeros */
	struct flow_listener listener;
};

static struct sighting *sighting_at(const GArray *sightings, guint index)
{
	return &g_array_index(sightings, struct sighting, index);
}

static const char *publication_topic(const struct sighting *publication)
{
	return ((const struct model_publisher *)publication->endpoint)->topic;
}

static const char *take_topic(const struct sighting *take)
{
	return ((const struct model_subscription *)take->endpoint)->topic;
}

/* --- sampling --- */

static bool is_sampled(const struct host_messages *messages, uint64_t stamp)
{
	uint64_t hash = stamp * UINT64_C(0x9E3779B97F4A7C15);

	return messages->sampled_bits == 0 || hash >> (64 - messages->sampled_bits) == 0;
}

typedef const char *(*topic_function)(const struct sighting *sighting);

#define SEVERAL_HOSTS GUINT_TO_POINTER(1)
#define ONE_HOST(host) GUINT_TO_POINTER(2 + (host))

static void note_hosts(GHashTable *hosts_of_topics, const GArray *sightings, topic_function topic_of)
{
	for (guint i = 0; i < sightings->len; i++) {
		const struct sighting *sighting = sighting_at(sightings, i);
		const char *topic = topic_of(sighting);
		gpointer known = topic ? g_hash_table_lookup(hosts_of_topics, topic) : NULL;

		if (topic && known != ONE_HOST(sighting->host)) {
			g_hash_table_insert(hosts_of_topics, (gpointer)topic,
					    known ? SEVERAL_HOSTS : ONE_HOST(sighting->host));
		}
	}
}

/* Keeps what is sampled, of topics that several hosts use; hosts_of_topics NULL: of all topics. */
static void thin_out(const struct host_messages *messages, GArray *sightings, topic_function topic_of,
		     GHashTable *hosts_of_topics)
{
	guint kept = 0;

	for (guint i = 0; i < sightings->len; i++) {
		const struct sighting sighting = *sighting_at(sightings, i);
		const char *topic = topic_of(&sighting);
		bool is_local =
			hosts_of_topics && topic && g_hash_table_lookup(hosts_of_topics, topic) != SEVERAL_HOSTS;

		if (!is_local && is_sampled(messages, sighting.stamp)) {
			*sighting_at(sightings, kept++) = sighting;
		}
	}
	g_array_set_size(sightings, kept);
}

static void make_room(struct host_messages *messages)
{
	g_autoptr(GHashTable) hosts_of_topics = g_hash_table_new(g_direct_hash, g_direct_equal);

	note_hosts(hosts_of_topics, messages->publications, publication_topic);
	note_hosts(hosts_of_topics, messages->takes, take_topic);
	thin_out(messages, messages->publications, publication_topic, hosts_of_topics);
	thin_out(messages, messages->takes, take_topic, hosts_of_topics);
	while (MAX(messages->publications->len, messages->takes->len) > HOST_MESSAGES_MAX / 2 &&
	       messages->sampled_bits < 63) {
		messages->sampled_bits++;
		thin_out(messages, messages->publications, publication_topic, NULL);
		thin_out(messages, messages->takes, take_topic, NULL);
	}
}

static void keep(struct host_messages *messages, GArray *sightings, const struct sighting *sighting)
{
	if (!is_sampled(messages, sighting->stamp)) {
		return;
	}
	g_array_append_vals(sightings, sighting, 1);
	if (sightings->len >= HOST_MESSAGES_MAX) {
		make_room(messages);
	}
}

/* --- publications and takes --- */

static uint32_t host_of(const struct host_messages *messages, uint32_t process)
{
	return recording_process(messages->pipeline->recording, process)->host;
}

static void publication_settled(void *data, const struct flow_publication *publication)
{
	struct host_messages *messages = data;

	if (publication->has_stamp && publication->publisher) {
		keep(messages, messages->publications,
		     &(struct sighting){ (uint64_t)publication->source_timestamp, publication->first_ns,
					 publication->publisher, host_of(messages, publication->process) });
	}
}

struct host_messages *host_messages_create(struct pipeline *pipeline)
{
	struct host_messages *messages = g_new0(struct host_messages, 1);

	messages->pipeline = pipeline;
	messages->publications = g_array_new(FALSE, FALSE, sizeof(struct sighting));
	messages->takes = g_array_new(FALSE, FALSE, sizeof(struct sighting));
	messages->listener = (struct flow_listener){ .data = messages, .settled = publication_settled };
	flow_linker_add_listener(pipeline->flows, &messages->listener);
	return messages;
}

void host_messages_destroy(struct host_messages *messages)
{
	if (messages) {
		g_array_unref(messages->publications);
		g_array_unref(messages->takes);
		g_free(messages);
	}
}

void host_messages_feed(struct host_messages *messages, const struct event_record *record)
{
	const struct recording *recording = messages->pipeline->recording;
	uint32_t process;

	if (record->kind != EVENT_RMW_TAKE || !record->word[RMW_TAKE__taken] ||
	    !record_has(record, RMW_TAKE__source_timestamp) || record->word[RMW_TAKE__source_timestamp] == 0) {
		return;
	}
	process = recording_thread(recording, record->thread)->process;
	keep(messages, messages->takes,
	     &(struct sighting){ record->word[RMW_TAKE__source_timestamp], record->time_ns,
				 object_model_subscription_by_rmw(messages->pipeline->model, process,
								  record->word[RMW_TAKE__rmw_subscription_handle],
								  record->time_ns),
				 recording_process(recording, process)->host });
}

/* --- messages --- */

static int compare_sightings(const void *a, const void *b)
{
	const struct sighting *left = a, *right = b;

	if (left->stamp != right->stamp) {
		return left->stamp < right->stamp ? -1 : 1;
	}
	return compare_integers(left->time_ns, right->time_ns);
}

static void sort(GArray *sightings)
{
	if (sightings->len > 0) {
		qsort(sightings->data, sightings->len, sizeof(struct sighting), compare_sightings);
	}
}

/* The only publication with stamp and topic of the take; NULL: none or several. `first`: the first with the stamp. */
static const struct sighting *find_publication(const GArray *publications, guint first, const struct sighting *take)
{
	const struct sighting *found = NULL;
	const char *topic = take_topic(take);

	for (guint i = first; i < publications->len && sighting_at(publications, i)->stamp == take->stamp; i++) {
		const struct sighting *publication = sighting_at(publications, i);

		if (topic && publication_topic(publication) == topic) {
			if (found) {
				return NULL;
			}
			found = publication;
		}
	}
	return found;
}

GArray *host_messages_match(struct host_messages *messages)
{
	GArray *matched = g_array_new(FALSE, FALSE, sizeof(struct host_message));
	guint first = 0;

	sort(messages->publications);
	sort(messages->takes);
	for (guint i = 0; i < messages->takes->len; i++) {
		const struct sighting *take = sighting_at(messages->takes, i), *publication;

		while (first < messages->publications->len &&
		       sighting_at(messages->publications, first)->stamp < take->stamp) {
			first++;
		}
		publication = find_publication(messages->publications, first, take);
		if (publication && publication->host != take->host) {
			struct host_message message = { publication->host, take->host, publication->time_ns,
							take->time_ns };

			g_array_append_val(matched, message);
		}
	}
	return matched;
}
