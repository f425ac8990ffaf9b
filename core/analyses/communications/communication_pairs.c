/* SPDX-License-Identifier: MIT */
#include "core/analyses/communications/communication_pairs.h"

#include "core/base/compare_numbers.h"
#include "core/base/slots.h"
#include "core/base/text/hidden_names.h"

static uint64_t pair_key(const struct model_publisher *publisher, const struct model_subscription *subscription)
{
	return (uint64_t)publisher->index << 32 | subscription->index;
}

static uint32_t host_of(const struct communications *communications, const struct model_object *object)
{
	return recording_process(communications->analysis.context.recording, object->process)->host;
}

/* Most pairs of hidden names are of one topic. */
static bool has_hidden_topic(const struct communications *communications, const struct model_publisher *publisher)
{
	const struct model_publisher *last = communications->only_counted.publisher;

	return publisher->topic && ((last && last->topic == publisher->topic) || name_is_hidden(publisher->topic));
}

/* Between hosts, pairs tell which hosts exchange messages. */
static bool is_only_counted(const struct communications *communications, const struct model_publisher *publisher,
			    const struct model_subscription *subscription)
{
	return communications->only_counts_hidden && has_hidden_topic(communications, publisher) &&
	       host_of(communications, &publisher->object) == host_of(communications, &subscription->object);
}

static struct communication *add_pair(struct communications *communications, struct model_publisher *publisher,
				      struct model_subscription *subscription, bool is_intra_process)
{
	bool is_counted = is_only_counted(communications, publisher, subscription);
	struct communication *communication =
		is_counted ? &communications->only_counted : row_store_add(&communications->analysis.rows);

	*array_at(communications->met, uint32_t, publisher->index) += 1;
	communication->publisher = publisher;
	communication->subscription = subscription;
	if (is_counted) {
		communications->hidden_met++;
		communications->hidden_chosen += communication_is_chosen(communications, communication);
		return communication;
	}
	communication->id = communications->analysis.rows.rows->len + communications->hidden_met;
	communication->is_intra_process = is_intra_process;
	if (!communications->analysis.rows.is_brief) {
		communication->holders = arena_take(analysis_arena(&communications->analysis), sizeof(struct holders));
	}
	communication->since_ns =
		flow_linker_process_life(communications->analysis.context.flows, subscription->process).first_ns;
	return communication;
}

struct communication *communication_add(struct communications *communications, struct model_publisher *publisher,
					struct model_subscription *subscription, void **pair)
{
	*pair = add_pair(communications, publisher, subscription, false);
	return *pair;
}

struct communication *communication_within_process(struct communications *communications,
						   struct model_publisher *publisher,
						   struct model_subscription *subscription)
{
	uint64_t key = pair_key(publisher, subscription);
	struct u64_map *by_key = &communications->analysis.rows.by_key;
	struct communication *communication = u64_map_get_pointer(by_key, key);

	if (G_UNLIKELY(!communication)) {
		communication = add_pair(communications, publisher, subscription, true);
		u64_map_set_pointer(by_key, key, communication);
	}
	return communication;
}

const char *communication_topic(const struct communication *communication)
{
	return communication->publisher->topic ? communication->publisher->topic : communication->subscription->topic;
}

static bool has_chosen_name(const struct communications *communications, const struct communication *communication)
{
	const struct object_model *model = communications->analysis.context.model;
	const struct communication row = {
		.topic = communication_topic(communication),
		.publisher_node = object_model_publisher_node(model, communication->publisher),
		.subscription_node = object_model_subscription_node(model, communication->subscription),
	};

	return analysis_is_about(&communications->analysis, &row);
}

bool communication_is_chosen(const struct communications *communications, const struct communication *communication)
{
	return analysis_is_about_all(&communications->analysis) || has_chosen_name(communications, communication);
}

uint64_t communication_published(const struct communications *communications, const struct communication *communication)
{
	uint64_t known = communication->received.count + communication->lost;
	const struct communication *intra;
	uint64_t published;

	if (communication->is_intra_process) {
		return known + communication->missed;
	}
	published = communication->outside + publication_counts_during(communications->published,
								       communication->publisher->index,
								       communication->subscription->process);
	intra = u64_map_get_pointer(&communications->analysis.rows.by_key,
				    pair_key(communication->publisher, communication->subscription));
	published -= intra ? MIN(published, intra->received.count + intra->lost + intra->missed) : 0;
	return MAX(published, known + communication->overwritten + communication->in_flight);
}

/* --- pairs that never met --- */

#define UNMET_PAIRS_MAX                                                                                                \
	64 /* publishers times subscriptions of a topic; above it, pairs that never met have no rows                   \
	    */

/* A topic with its endpoints that count, each a part of an array. */
struct topic {
	const char *name;
	struct model_publisher **publishers; /* that published in the time range */
	size_t publisher_count;
	struct model_subscription **subscriptions; /* whose processes were recorded */
	size_t subscription_count;
};

/*
 * Equal names are one pointer, so sorting by it puts the endpoints of a topic next to each other, without a look at the
 * names.
 */
static gint compare_topics(gconstpointer a, gconstpointer b)
{
	const struct model_endpoint *left = *(struct model_endpoint *const *)a;
	const struct model_endpoint *right = *(struct model_endpoint *const *)b;

	return compare_unsigned((uintptr_t)left->name, (uintptr_t)right->name);
}

static GPtrArray *publishers_by_topic(const struct communications *communications)
{
	GPtrArray *publishers = g_ptr_array_new();

	for (size_t i = 0; i < object_model_publisher_count(communications->analysis.context.model); i++) {
		struct model_publisher *publisher =
			object_model_publisher_at(communications->analysis.context.model, i);

		if (publisher->topic && publication_counts_total(communications->published, publisher->index) > 0) {
			g_ptr_array_add(publishers, publisher);
		}
	}
	g_ptr_array_sort(publishers, compare_topics);
	return publishers;
}

static GPtrArray *subscriptions_by_topic(const struct communications *communications)
{
	GPtrArray *subscriptions = g_ptr_array_new();

	for (size_t i = 0; i < object_model_subscription_count(communications->analysis.context.model); i++) {
		struct model_subscription *subscription =
			object_model_subscription_at(communications->analysis.context.model, i);

		if (subscription->topic &&
		    flow_linker_process_life(communications->analysis.context.flows, subscription->process).has_run) {
			g_ptr_array_add(subscriptions, subscription);
		}
	}
	g_ptr_array_sort(subscriptions, compare_topics);
	return subscriptions;
}

/* Calls it for each topic with a publisher and a subscription, in no order. */
static void foreach_topic(const struct communications *communications,
			  void (*call)(const struct communications *communications, const struct topic *topic,
				       void *data),
			  void *data)
{
	g_autoptr(GPtrArray) publishers = publishers_by_topic(communications);
	g_autoptr(GPtrArray) subscriptions = subscriptions_by_topic(communications);
	guint p = 0, s = 0;

	while (p < publishers->len && s < subscriptions->len) {
		struct topic topic = {
			.publishers = (struct model_publisher **)&publishers->pdata[p],
			.subscriptions = (struct model_subscription **)&subscriptions->pdata[s],
		};

		topic.name = MAX(topic.publishers[0]->topic, topic.subscriptions[0]->topic);
		for (; p < publishers->len && ((struct model_publisher *)publishers->pdata[p])->topic <= topic.name;
		     p++) {
			topic.publisher_count += ((struct model_publisher *)publishers->pdata[p])->topic == topic.name;
		}
		for (; s < subscriptions->len &&
		       ((struct model_subscription *)subscriptions->pdata[s])->topic <= topic.name;
		     s++) {
			topic.subscription_count +=
				((struct model_subscription *)subscriptions->pdata[s])->topic == topic.name;
		}
		topic.publishers = (struct model_publisher **)&publishers->pdata[p - topic.publisher_count];
		topic.subscriptions = (struct model_subscription **)&subscriptions->pdata[s - topic.subscription_count];
		if (topic.publisher_count > 0 && topic.subscription_count > 0) {
			call(communications, &topic, data);
		}
	}
}

static bool has_met(const struct communications *communications, const struct model_publisher *publisher,
		    const struct model_subscription *subscription)
{
	void **pair = flow_linker_pair(communications->analysis.context.flows, publisher, subscription);

	return (pair && *pair) ||
	       u64_map_get_pointer(&communications->analysis.rows.by_key, pair_key(publisher, subscription));
}

/* --- hosts that exchange messages --- */

static uint64_t hosts_key(uint32_t left, uint32_t right)
{
	return (uint64_t)MIN(left, right) << 32 | MAX(left, right);
}

/* The pairs of hosts between which any message was received, in either direction. */
static void find_talking_hosts(const struct communications *communications, struct u64_map *hosts)
{
	for (guint i = 0; i < communications->analysis.rows.rows->len; i++) {
		const struct communication *communication = communications->analysis.rows.rows->pdata[i];

		if (communication->received.count > 0) {
			u64_map_set(hosts,
				    hosts_key(host_of(communications, &communication->publisher->object),
					      host_of(communications, &communication->subscription->object)),
				    1);
		}
	}
}

/*
 * Whether messages can pass between the two, as far as the trace tells: they may be in different networks or domains,
 * such as two robots with the same software.
 */
static bool can_talk(const struct communications *communications, const struct u64_map *talking,
		     const struct communication *communication)
{
	uint32_t from = host_of(communications, &communication->publisher->object);
	uint32_t to = host_of(communications, &communication->subscription->object);

	return from == to || u64_map_get(talking, hosts_key(from, to)) != U64_MAP_NONE;
}

/* --- rows of pairs that never met --- */

static size_t pairs_of(const struct topic *topic)
{
	return topic->publisher_count * topic->subscription_count;
}

/* Adds the pairs of a topic that never met. */
static void add_unmet(const struct communications *communications, const struct topic *topic, void *data)
{
	GPtrArray *unmet = data;

	for (size_t i = 0; pairs_of(topic) <= UNMET_PAIRS_MAX && i < pairs_of(topic); i++) {
		struct model_publisher *publisher = topic->publishers[i / topic->subscription_count];
		struct model_subscription *subscription = topic->subscriptions[i % topic->subscription_count];

		if (!has_met(communications, publisher, subscription) &&
		    publication_counts_during(communications->published, publisher->index, subscription->process) > 0) {
			struct communication *communication = g_new0(struct communication, 1);

			communication->publisher = publisher;
			communication->subscription = subscription;
			g_ptr_array_add(unmet, communication);
		}
	}
}

static bool has_hosts(const struct communications *communications)
{
	return recording_host_count(communications->analysis.context.recording) > 1;
}

/* Removes the pairs that cannot talk; returns how many there were. */
static guint remove_separate(const struct communications *communications, GPtrArray *unmet)
{
	guint count = unmet->len;
	struct u64_map talking;

	if (!has_hosts(communications)) {
		return 0;
	}
	u64_map_init(&talking);
	find_talking_hosts(communications, &talking);
	for (guint i = unmet->len; i-- > 0;) {
		if (!can_talk(communications, &talking, unmet->pdata[i])) {
			g_ptr_array_remove_index(unmet, i);
		}
	}
	u64_map_clear(&talking);
	return count - unmet->len;
}

GPtrArray *communications_unmet(const struct communications *communications)
{
	GPtrArray *unmet = g_ptr_array_new_with_free_func(g_free);

	foreach_topic(communications, add_unmet, unmet);
	remove_separate(communications, unmet);
	return unmet;
}

static size_t met_pairs_of(const struct communications *communications, const char *topic)
{
	const struct object_model *model = communications->analysis.context.model;
	size_t count = 0;

	for (guint i = 0; i < communications->met->len; i++) {
		if (object_model_publisher_at(model, i)->topic == topic) {
			count += g_array_index(communications->met, uint32_t, i);
		}
	}
	return count;
}

static void diagnose_unmet(const struct communications *communications, const struct topic *topic, void *findings)
{
	size_t pairs = pairs_of(topic);

	if (pairs > UNMET_PAIRS_MAX) {
		size_t met = met_pairs_of(communications, topic->name);

		diagnostics_add(findings, DIAGNOSTIC_NEVER_MATCHED, topic->name, pairs > met ? pairs - met : 0);
	}
}

void communications_diagnose_unmet(const struct communications *communications, struct diagnostics *findings)
{
	g_autoptr(GPtrArray) unmet = g_ptr_array_new_with_free_func(g_free);
	guint separate;

	foreach_topic(communications, diagnose_unmet, findings);
	if (has_hosts(communications)) {
		foreach_topic(communications, add_unmet, unmet);
	}
	separate = remove_separate(communications, unmet);
	if (separate > 0) {
		diagnostics_add(findings, DIAGNOSTIC_NEVER_MATCHED, "hosts that exchanged no message", separate);
	}
}
