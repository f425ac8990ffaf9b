/* SPDX-License-Identifier: MIT */
/*
 * The tables `communications` and `communication_instances`: what each subscription got of each publisher, and how long
 * it took. Listens to the flow linker. A message counts in the time range by its first publish event.
 *
 * published = received + lost + unknown: messages published from the first to the last event of the subscription's
 * process, and those that it received although they were published before. Lost: see enum flow_outcome. All others not
 * received are unknown: before the first match of the two, around breaks of the recording, after the last message
 * received; `in_flight` are those of the latter that were still waited for at the end of the trace. A message that
 * comes after it was given up counts as received; the instance written for it before stays.
 *
 * held: how long, from the publication to the take, the thread that took the message executed callbacks, so that it
 * could not take it earlier. Where that is not known for all of the time (thread_history.h) the message is no sample.
 *
 * Pairs that never met have no counts of their own (flow_linker.h). They get a row if their topic has few pairs, else
 * the topic has one in the diagnostics.
 *
 * Memory: the pairs that met, publication_counts.h, and thread_history.h.
 */
#include <glib.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/holders.h"
#include "core/analyses/publication_counts.h"
#include "core/analyses/thread_history.h"
#include "core/base/name_filter.h"
#include "core/base/time_units.h"
#include "core/base/u64_map.h"
#include "ros2bt/duration_statistics.h"

struct communication {
	uint32_t id; /* from 1, in order of the trace */
	struct model_publisher *publisher;
	struct model_subscription *subscription;
	bool is_intra_process;
	uint64_t received, lost, inferred, in_flight;
	uint64_t outside;	     /* received, but published before the first event of the process */
	uint64_t missed;	     /* not received, of a pair within a process */
	uint64_t loss, longest_loss; /* consecutive losses: the last ones, most */
	uint32_t last_loss;	     /* flow_publication.number */
	int64_t first_ns, last_ns;   /* publications of the received; first_ns is the later one without */
	struct duration_statistics latency, transport, wait, held;
	struct holders holders;
};

struct communications {
	struct recording *recording;
	struct object_model *model;
	struct flow_linker *flows;
	struct publication_counts *published;
	struct thread_history *threads; /* NULL if nobody asked for the table */
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	GPtrArray *all; /* struct communication *, in the arena, by id - 1 */
	struct u64_map by_pair;
	struct table_writer *instances; /* borrowed, NULL if nobody asked */
};

enum { TABLE_COMMUNICATIONS, TABLE_INSTANCES, TABLE_LOST };

static const struct table_column instance_columns[] = {
	{ .name = "communication_id" },
	{ .name = "source_timestamp" },
	{ .name = "publish_ns", .format = COLUMN_TIME },
	{ .name = "take_ns", .format = COLUMN_TIME },
	{ .name = "callback_start_ns", .format = COLUMN_TIME },
	{ .name = "latency_ns", .format = COLUMN_DURATION },
	{ .name = "inferred" },
	{ .name = "outcome" },
};

static const struct table_schema instance_schema = {
	.name = "communication_instances",
	.title = "Messages",
	.selection = "communications",
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

#define HINT_MAY_BE_HIDDEN (&(const struct text_hints){ .may_be_hidden = true })
#define HINT_TELLS_APART (&(const struct text_hints){ .tells_apart = true })
#define HINT_IDLE (&(const struct text_hints){ .idle = "without a message" })
#define HINT_BRIEF (&(const struct text_hints){ .is_brief = true })

static const struct table_column columns[] = {
	{ .name = "communication_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "topic", .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "publisher_node", .label = "publisher", .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "publisher_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART },
	{ .name = "subscription_node", .label = "subscription", .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "subscription_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART },
	{ .name = "kind", .role = COLUMN_ROLE_DETAIL },
	{ .name = "published" },
	{ .name = "received", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_IDLE },
	{ .name = "lost", .hints = HINT_IDLE },
	{ .name = "inferred", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "transport", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "wait", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "in_flight", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "unknown", .role = COLUMN_ROLE_DETAIL },
	{ .name = "longest_loss", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "held", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF },
	{ .name = "held_by", .format = COLUMN_NAME, .role = COLUMN_ROLE_HIDDEN },
};

enum {
	COLUMN_ID,
	COLUMN_TOPIC,
	COLUMN_PUBLISHER_NODE,
	COLUMN_PUBLISHER_VPID,
	COLUMN_SUBSCRIPTION_NODE,
	COLUMN_SUBSCRIPTION_VPID,
	COLUMN_KIND,
	COLUMN_PUBLISHED,
	COLUMN_RECEIVED,
	COLUMN_LOST,
	COLUMN_INFERRED,
	COLUMN_LATENCY,
	COLUMN_TRANSPORT,
	COLUMN_WAIT,
	COLUMN_IN_FLIGHT,
	COLUMN_UNKNOWN,
	COLUMN_LONGEST_LOSS,
	COLUMN_RATE_HZ,
	COLUMN_HELD,
	COLUMN_HELD_BY,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "communications",
	.title = "Communication latency: from publish to callback",
	.selection = "communications",
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static uint64_t pair_key(const struct model_publisher *publisher, const struct model_subscription *subscription,
			 bool is_intra_process)
{
	return (uint64_t)publisher->index << 32 | (uint64_t)subscription->index << 1 | is_intra_process;
}

static const struct table_column lost_columns[] = {
	{ .name = "topic", .format = COLUMN_NAME },
	{ .name = "lost" },
	{ .name = "published", .label = "of" },
	{ .name = "percent", .label = "share", .format = COLUMN_PERCENT },
	{ .name = "longest_loss", .label = "in a row" },
	{ .name = "worst", .label = "most of them", .format = COLUMN_NAME },
};

static const struct table_schema lost_schema = {
	.name = "lost_messages",
	.title = "Messages lost",
	.selection = "communications",
	.summary = 2,
	.columns = lost_columns,
	.column_count = G_N_ELEMENTS(lost_columns),
};

static struct communication *find_or_add(struct communications *communications, struct model_publisher *publisher,
					 struct model_subscription *subscription, bool is_intra_process)
{
	uint64_t key = pair_key(publisher, subscription, is_intra_process);
	struct communication *communication = u64_map_get_pointer(&communications->by_pair, key);

	if (!communication) {
		struct arena *arena = recording_arena(communications->recording);

		communication = arena_take(arena, sizeof(*communication));
		communication->id = communications->all->len + 1;
		communication->publisher = publisher;
		communication->subscription = subscription;
		communication->is_intra_process = is_intra_process;
		communication->first_ns = INT64_MAX;
		communication->last_ns = INT64_MIN;
		duration_statistics_init(&communication->latency, arena);
		duration_statistics_init(&communication->transport, arena);
		duration_statistics_init(&communication->wait, arena);
		duration_statistics_init(&communication->held, arena);
		g_ptr_array_add(communications->all, communication);
		u64_map_set_pointer(&communications->by_pair, key, communication);
	}
	return communication;
}

/* Whether the report is about it, by the names that are known. */
static bool is_chosen(const struct communications *communications, const struct communication *communication)
{
	const struct analysis_options *options = communications->options;
	const char *topic =
		communication->publisher->topic ? communication->publisher->topic : communication->subscription->topic;
	const char *nodes[2];

	if (!options->nodes && !options->topics) {
		return true;
	}
	nodes[0] = object_model_publisher_node(communications->model, communication->publisher);
	nodes[1] = object_model_subscription_node(communications->model, communication->subscription);
	return name_filter_passes(options->nodes, nodes, G_N_ELEMENTS(nodes)) &&
	       name_filter_passes(options->topics, &topic, 1);
}

static void write_instance(struct communications *communications, const struct communication *communication,
			   const struct flow_publication *publication, const struct flow_delivery *delivery,
			   const char *outcome)
{
	struct cell cells[G_N_ELEMENTS(instance_columns)] = {
		cell_unsigned(communication->id),
		publication->has_stamp && !communication->is_intra_process ? cell_integer(publication->source_timestamp)
									   : CELL_NONE,
		cell_integer(publication->first_ns),
	};

	if (!communications->instances || !is_chosen(communications, communication)) {
		return;
	}
	if (delivery && delivery->has_take) {
		cells[3] = cell_integer(delivery->take_ns);
	}
	if (delivery && delivery->has_start) {
		cells[4] = cell_integer(delivery->callback_start_ns);
		cells[5] = cell_integer(delivery->callback_start_ns - publication->first_ns);
	}
	cells[6] = cell_unsigned(delivery && delivery->is_inferred);
	cells[7] = cell_text(outcome);
	table_row(communications->instances, cells);
}

/* A message that was taken for an execution: what else its thread executed until then. */
static void measure_hold(const struct communications *communications, struct communication *communication,
			 const struct flow_delivery *delivery)
{
	int64_t published_ns = delivery->publication->first_ns;
	struct thread_uses uses;

	if (!communications->threads || !thread_history_find(communications->threads, delivery->execution->thread,
							     published_ns, delivery->take_ns, &uses)) {
		return;
	}
	duration_statistics_add(&communication->held, uses.total_ns, published_ns);
	for (size_t i = 0; i < uses.count; i++) {
		holders_add(&communication->holders, uses.list[i].callback, uses.list[i].used_ns);
	}
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct communications *communications = data;
	const struct flow_publication *publication = delivery->publication;
	struct communication *communication;

	if (!publication->publisher || !delivery->subscription ||
	    !analysis_options_include(communications->options, publication->first_ns)) {
		return;
	}
	communication =
		find_or_add(communications, publication->publisher, delivery->subscription, delivery->is_intra_process);
	communication->received++;
	communication->first_ns = MIN(communication->first_ns, publication->first_ns);
	communication->last_ns = MAX(communication->last_ns, publication->first_ns);
	communication->outside +=
		publication->first_ns <
		flow_linker_process_life(communications->flows, delivery->subscription->process).first_ns;
	communication->inferred += delivery->is_inferred;
	if (delivery->has_take) {
		duration_statistics_add(&communication->transport, delivery->take_ns - publication->first_ns,
					publication->first_ns);
		if (delivery->execution) {
			measure_hold(communications, communication, delivery);
		}
		if (delivery->take_ns < publication->first_ns) {
			diagnostics_add(communications->diagnostics, DIAGNOSTIC_NEGATIVE_LATENCY,
					delivery->subscription->topic ? delivery->subscription->topic : "", 1);
		}
	}
	if (delivery->has_start) {
		duration_statistics_add(&communication->latency, delivery->callback_start_ns - publication->first_ns,
					publication->first_ns);
		if (delivery->has_take) {
			duration_statistics_add(&communication->wait, delivery->callback_start_ns - delivery->take_ns,
						delivery->take_ns);
		}
	}
	write_instance(communications, communication, publication, delivery, "received");
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	struct communications *communications = data;
	struct communication *communication;

	if (outcome == FLOW_RECEIVED || outcome == FLOW_NOT_EXPECTED || !publication->publisher ||
	    !analysis_options_include(communications->options, publication->first_ns)) {
		return;
	}
	communication = find_or_add(communications, publication->publisher, subscription, is_intra_process);
	switch (outcome) {
	case FLOW_LOST:
		communication->lost++;
		communication->loss = publication->number == communication->last_loss + 1 ? communication->loss + 1 : 1;
		communication->last_loss = publication->number;
		communication->longest_loss = MAX(communication->longest_loss, communication->loss);
		write_instance(communications, communication, publication, NULL, "lost");
		break;
	case FLOW_CAME_LATE:
		communication->lost--;
		break;
	case FLOW_UNKNOWN:
	case FLOW_IN_FLIGHT:
		communication->missed++;
		communication->in_flight += outcome == FLOW_IN_FLIGHT;
		write_instance(communications, communication, publication, NULL, "unknown");
		break;
	case FLOW_CAME_LATE_UNKNOWN:
		communication->missed--;
		break;
	default:
		break;
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct communications *communications = data;

	if (publication->publisher && publication->has_inter_leg &&
	    analysis_options_include(communications->options, publication->first_ns)) {
		publication_counts_add(communications->published, publication->publisher->index, publication->first_ns);
	}
}

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct communications *communications = g_new0(struct communications, 1);

	communications->recording = context->recording;
	communications->model = context->model;
	communications->flows = context->flows;
	communications->published = publication_counts_create(context->recording, context->flows);
	if (writers[TABLE_COMMUNICATIONS]) {
		communications->threads = thread_history_create(context->recording, context->executions);
	}
	communications->diagnostics = context->diagnostics;
	communications->options = context->options;
	communications->instances = writers[TABLE_INSTANCES];
	communications->all = g_ptr_array_new();
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = communications,
							 .delivered = on_delivered,
							 .expected = on_expected,
							 .settled = on_settled,
						 });
	return communications;
}

static void destroy(void *analysis)
{
	struct communications *communications = analysis;

	g_ptr_array_free(communications->all, TRUE);
	u64_map_clear(&communications->by_pair);
	publication_counts_destroy(communications->published);
	thread_history_destroy(communications->threads);
	g_free(communications);
}

/* --- pairs that never met --- */

#define UNMET_PAIRS_MAX 64 /* of a topic, publishers times subscriptions, for each to have a row */

/* Its endpoints that count, each a part of an array. */
struct topic {
	const char *name;
	struct model_publisher **publishers; /* that published in the time range */
	size_t publisher_count;
	struct model_subscription **subscriptions; /* whose processes were recorded */
	size_t subscription_count;
};

static gint compare_publishers(gconstpointer a, gconstpointer b)
{
	const struct model_publisher *left = *(struct model_publisher *const *)a;
	const struct model_publisher *right = *(struct model_publisher *const *)b;

	return (left->topic > right->topic) - (left->topic < right->topic);
}

static gint compare_subscriptions(gconstpointer a, gconstpointer b)
{
	const struct model_subscription *left = *(struct model_subscription *const *)a;
	const struct model_subscription *right = *(struct model_subscription *const *)b;

	return (left->topic > right->topic) - (left->topic < right->topic);
}

/* Equal names are one pointer: sorted by it, the endpoints of a topic lie side by side. */
static GPtrArray *publishers_by_topic(const struct communications *communications)
{
	GPtrArray *publishers = g_ptr_array_new();

	for (size_t i = 0; i < object_model_publisher_count(communications->model); i++) {
		struct model_publisher *publisher = object_model_publisher_at(communications->model, i);

		if (publisher->topic && publication_counts_total(communications->published, publisher->index) > 0) {
			g_ptr_array_add(publishers, publisher);
		}
	}
	g_ptr_array_sort(publishers, compare_publishers);
	return publishers;
}

static GPtrArray *subscriptions_by_topic(const struct communications *communications)
{
	GPtrArray *subscriptions = g_ptr_array_new();

	for (size_t i = 0; i < object_model_subscription_count(communications->model); i++) {
		struct model_subscription *subscription = object_model_subscription_at(communications->model, i);

		if (subscription->topic &&
		    flow_linker_process_life(communications->flows, subscription->process).has_run) {
			g_ptr_array_add(subscriptions, subscription);
		}
	}
	g_ptr_array_sort(subscriptions, compare_subscriptions);
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
	uint64_t key = pair_key(publisher, subscription, false);

	return u64_map_get_pointer(&communications->by_pair, key) ||
	       u64_map_get_pointer(&communications->by_pair, key | 1);
}

static size_t pairs_of(const struct topic *topic)
{
	return topic->publisher_count * topic->subscription_count;
}

/* Adds what the subscriptions of a topic should have got of publishers that they never met. */
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

/* struct communication * */
static GPtrArray *unmet_of(const struct communications *communications)
{
	GPtrArray *unmet = g_ptr_array_new_with_free_func(g_free);

	foreach_topic(communications, add_unmet, unmet);
	return unmet;
}

static size_t met_pairs_of(const struct communications *communications, const char *topic)
{
	size_t count = 0;

	for (guint i = 0; i < communications->all->len; i++) {
		const struct communication *communication = g_ptr_array_index(communications->all, i);

		count += communication->publisher->topic == topic;
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

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	foreach_topic(analysis, diagnose_unmet, findings);
}

/* --- rows --- */

/* A row with its sort keys resolved once. */
struct row {
	const struct communication *communication;
	const char *topic, *publisher_node, *subscription_node;
	char *publisher_process; /* owned; in brackets, instead of the node where that is unknown */
	int64_t publisher_vpid, subscription_vpid;
};

static int compare_text(const char *left, const char *right)
{
	return strcmp(left ? left : "", right ? right : "");
}

static int compare_objects(const struct model_object *left, const struct model_object *right)
{
	if (left->since_ns != right->since_ns) {
		return left->since_ns < right->since_ns ? -1 : 1;
	}
	return (left->handle > right->handle) - (left->handle < right->handle);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct row *left = a;
	const struct row *right = b;
	int order = compare_text(left->topic, right->topic);

	order = order ? order : compare_text(left->publisher_node, right->publisher_node);
	order = order ? order
		      : (left->publisher_vpid > right->publisher_vpid) - (left->publisher_vpid < right->publisher_vpid);
	order = order ? order : compare_text(left->subscription_node, right->subscription_node);
	order = order ? order
		      : (left->subscription_vpid > right->subscription_vpid) -
				(left->subscription_vpid < right->subscription_vpid);
	order = order ? order
		      : compare_objects(&left->communication->publisher->object,
					&right->communication->publisher->object);
	order = order ? order
		      : compare_objects(&left->communication->subscription->object,
					&right->communication->subscription->object);
	return order ? order : left->communication->is_intra_process - right->communication->is_intra_process;
}

static void row_clear(gpointer data)
{
	g_free(((struct row *)data)->publisher_process);
}

static struct row make_row(const struct communications *communications, const struct communication *communication)
{
	const struct model_publisher *publisher = communication->publisher;
	const struct model_subscription *subscription = communication->subscription;

	struct row row = {
		.communication = communication,
		.topic = publisher->topic ? publisher->topic : subscription->topic,
		.publisher_node = object_model_publisher_node(communications->model, publisher),
		.subscription_node = object_model_subscription_node(communications->model, subscription),
		.publisher_vpid = recording_process(communications->recording, publisher->process)->vpid,
		.subscription_vpid = recording_process(communications->recording, subscription->process)->vpid,
	};

	if (!row.publisher_node) {
		const char *name = recording_process(communications->recording, publisher->process)->procname;

		row.publisher_node = row.publisher_process = g_strdup_printf("[%s]", name[0] != '\0' ? name : "?");
	}
	return row;
}

static void add_row(const struct communications *communications, GArray *rows,
		    const struct communication *communication)
{
	if (is_chosen(communications, communication)) {
		struct row row = make_row(communications, communication);

		g_array_append_val(rows, row);
	}
}

static struct cell vpid_cell(const struct communications *communications, uint32_t process)
{
	const struct recording_process *entry = recording_process(communications->recording, process);

	return entry->has_vpid ? cell_integer(entry->vpid) : CELL_NONE;
}

/* All that the subscription should have got: see above. What it got within the process came between processes, too. */
static uint64_t published_of(const struct communications *communications, const struct communication *communication)
{
	uint64_t known = communication->received + communication->lost;
	const struct communication *intra;
	uint64_t published;

	if (communication->is_intra_process) {
		return known + communication->missed;
	}
	published = communication->outside + publication_counts_during(communications->published,
								       communication->publisher->index,
								       communication->subscription->process);
	intra = u64_map_get_pointer(&communications->by_pair,
				    pair_key(communication->publisher, communication->subscription, true));
	published -= intra ? MIN(published, intra->received + intra->lost + intra->missed) : 0;
	return MAX(published, known + communication->in_flight);
}

/* How often it receives a message. */
static struct cell rate_cell(const struct communication *communication)
{
	double time_ns = (double)communication->last_ns - (double)communication->first_ns;

	return communication->received > 1 && time_ns > 0
		       ? cell_real((double)(communication->received - 1) * (double)NS_PER_S / time_ns)
		       : CELL_NONE;
}

static void write_row(const struct communications *communications, struct table_writer *writer, const struct row *row)
{
	const struct communication *communication = row->communication;
	uint64_t published = published_of(communications, communication);
	uint64_t unknown = published - communication->received - communication->lost;
	g_autofree char *held_by = holders_longest_text(&communication->holders, communications->model);
	bool can_lose = communication->is_intra_process || flow_linker_has_takes(communications->flows);
	const struct cell cells[] = {
		[COLUMN_ID] = cell_unsigned(communication->id),
		[COLUMN_TOPIC] = cell_text(row->topic),
		[COLUMN_PUBLISHER_NODE] = cell_text(row->publisher_node),
		[COLUMN_PUBLISHER_VPID] = vpid_cell(communications, communication->publisher->process),
		[COLUMN_SUBSCRIPTION_NODE] = cell_text(row->subscription_node),
		[COLUMN_SUBSCRIPTION_VPID] = vpid_cell(communications, communication->subscription->process),
		[COLUMN_KIND] = cell_text(communication->is_intra_process ? "intra_process" : "inter_process"),
		[COLUMN_PUBLISHED] = cell_unsigned(published),
		[COLUMN_RECEIVED] = cell_unsigned(communication->received),
		[COLUMN_LOST] = can_lose ? cell_unsigned(communication->lost) : CELL_NONE,
		[COLUMN_INFERRED] = cell_unsigned(communication->inferred),
		[COLUMN_LATENCY] = cell_statistic(&communication->latency),
		[COLUMN_TRANSPORT] = cell_statistic(&communication->transport),
		[COLUMN_WAIT] = cell_statistic(&communication->wait),
		[COLUMN_IN_FLIGHT] = cell_unsigned(communication->in_flight),
		[COLUMN_UNKNOWN] = cell_unsigned(unknown),
		[COLUMN_LONGEST_LOSS] = cell_unsigned(communication->longest_loss),
		[COLUMN_RATE_HZ] = rate_cell(communication),
		[COLUMN_HELD] = cell_statistic(&communication->held),
		[COLUMN_HELD_BY] = cell_text(held_by),
	};

	table_row(writer, cells);
}

/* --- the summary --- */

/* What was lost of a topic, over all its pairs. */
struct topic_losses {
	const char *topic;
	uint64_t lost, published, longest;
	const struct row *worst; /* the pair that lost most */
};

static gint compare_losses(gconstpointer a, gconstpointer b)
{
	const struct topic_losses *left = a;
	const struct topic_losses *right = b;
	int order = (left->lost < right->lost) - (left->lost > right->lost);

	return order ? order : compare_text(left->topic, right->topic);
}

/* Rows of a topic stand together. */
static void add_losses(const struct communications *communications, GArray *topics, const struct row *row)
{
	struct topic_losses *last = topics->len ? &g_array_index(topics, struct topic_losses, topics->len - 1) : NULL;
	uint64_t lost = row->communication->lost;

	if (!last || compare_text(last->topic, row->topic) != 0) {
		struct topic_losses losses = { .topic = row->topic, .worst = row };

		g_array_append_val(topics, losses);
		last = &g_array_index(topics, struct topic_losses, topics->len - 1);
	}
	last->lost += lost;
	last->published += published_of(communications, row->communication);
	last->longest = MAX(last->longest, row->communication->longest_loss);
	if (lost > last->worst->communication->lost) {
		last->worst = row;
	}
}

static void write_topic(struct table_writer *writer, const struct topic_losses *losses)
{
	const struct row *worst = losses->worst;
	g_autofree char *pair = g_strdup_printf("%s > %s", worst->publisher_node,
						worst->subscription_node ? worst->subscription_node : "?");

	table_row(writer, (struct cell[]){
				  cell_text(losses->topic),
				  cell_unsigned(losses->lost),
				  cell_unsigned(losses->published),
				  cell_real(100 * (double)losses->lost / (double)MAX(losses->published, 1)),
				  cell_unsigned(losses->longest),
				  cell_text(pair),
			  });
}

static void write_lost(const struct communications *communications, const GArray *rows, struct table_writer *writer)
{
	g_autoptr(GArray) topics = g_array_new(FALSE, FALSE, sizeof(struct topic_losses));

	for (guint i = 0; i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);

		if (row->communication->lost > 0 && !(row->topic && name_is_hidden(row->topic))) {
			add_losses(communications, topics, row);
		}
	}
	g_array_sort(topics, compare_losses);
	for (guint i = 0; i < MIN(topics->len, SUMMARY_ROWS); i++) {
		write_topic(writer, &g_array_index(topics, struct topic_losses, i));
	}
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct communications *communications = analysis;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_autoptr(GPtrArray) unmet = NULL;

	if (!writers[TABLE_COMMUNICATIONS]) {
		return;
	}
	g_array_set_clear_func(rows, row_clear);
	unmet = unmet_of(communications);
	for (guint i = 0; i < unmet->len; i++) {
		add_row(communications, rows, g_ptr_array_index(unmet, i));
	}
	/* Ids that depend on the trace only. */
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		((struct communication *)g_array_index(rows, struct row, i).communication)->id =
			communications->all->len + i + 1;
	}
	for (guint i = 0; i < communications->all->len; i++) {
		add_row(communications, rows, g_ptr_array_index(communications->all, i));
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		write_row(communications, writers[TABLE_COMMUNICATIONS], &g_array_index(rows, struct row, i));
	}
	if (writers[TABLE_LOST]) {
		write_lost(communications, rows, writers[TABLE_LOST]);
	}
}

const struct analysis_class communications_analysis = {
	.name = "communications",
	.tables =
		(const struct table_schema *const[]){
			[TABLE_COMMUNICATIONS] = &schema,
			[TABLE_INSTANCES] = &instance_schema,
			[TABLE_LOST] = &lost_schema,
			NULL,
		},
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.diagnose = diagnose,
	.write = write_table,
	.destroy = destroy,
};
