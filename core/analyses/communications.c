/* SPDX-License-Identifier: MIT */
/*
 * The tables `communications` and `communication_instances`: what each subscription got of each publisher, and how long
 * it took. Listens to the flow linker. A message counts in the time range by its first publish event.
 *
 * published = received + lost: messages published while the subscription's process was recorded, and those that came
 * although they were published before. A message still under way at the end of the trace is lost as well; `in_flight`
 * tells how many may have been so. One that comes after it was given up as lost (flow_linker.h) counts as received; its
 * instance that tells the loss stays. Memory: the pairs.
 */
#include <glib.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/base/u64_map.h"
#include "ros2bt/duration_statistics.h"

struct communication {
	uint32_t id; /* from 1, in order of the trace */
	struct model_publisher *publisher;
	struct model_subscription *subscription;
	bool is_intra_process;
	uint64_t published, received, lost, inferred, in_flight;
	struct duration_statistics latency, transport, wait;
};

struct communications {
	struct recording *recording;
	struct object_model *model;
	struct diagnostics *diagnostics;
	const struct analysis_options *options;
	GPtrArray *all; /* struct communication *, in the arena, by id - 1 */
	struct u64_map by_pair;
	struct table_writer *instances; /* borrowed, NULL if nobody asked */
};

enum { TABLE_COMMUNICATIONS, TABLE_INSTANCES };

static const struct table_column instance_columns[] = {
	{ .name = "communication_id" },
	{ .name = "source_timestamp" },
	{ .name = "publish_ns", .format = COLUMN_TIME },
	{ .name = "take_ns", .format = COLUMN_TIME },
	{ .name = "callback_start_ns", .format = COLUMN_TIME },
	{ .name = "latency_ns", .format = COLUMN_DURATION },
	{ .name = "inferred" },
};

static const struct table_schema instance_schema = {
	.name = "communication_instances",
	.title = "Messages",
	.selection = "communications",
	.is_instances = true,
	.columns = instance_columns,
	.column_count = G_N_ELEMENTS(instance_columns),
};

#define HINT_BRIEF (&(const struct text_hints){ .is_brief = true })

static const struct table_column columns[] = {
	{ .name = "communication_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "topic", .format = COLUMN_NAME },
	{ .name = "publisher_node", .label = "publisher", .format = COLUMN_NAME },
	{ .name = "publisher_vpid", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "subscription_node", .label = "subscription", .format = COLUMN_NAME },
	{ .name = "subscription_vpid", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "kind", .role = COLUMN_ROLE_DETAIL },
	{ .name = "published" },
	{ .name = "received", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "lost" },
	{ .name = "inferred", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "transport", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "wait", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "in_flight", .role = COLUMN_ROLE_HIDDEN },
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

static struct communication *find_or_add(struct communications *communications, struct model_publisher *publisher,
					 struct model_subscription *subscription, bool is_intra_process)
{
	uint64_t key = (uint64_t)publisher->index << 32 | (uint64_t)subscription->index << 1 | is_intra_process;
	struct communication *communication = u64_map_get_pointer(&communications->by_pair, key);

	if (!communication) {
		struct arena *arena = recording_arena(communications->recording);

		communication = arena_take(arena, sizeof(*communication));
		communication->id = communications->all->len + 1;
		communication->publisher = publisher;
		communication->subscription = subscription;
		communication->is_intra_process = is_intra_process;
		duration_statistics_init(&communication->latency, arena);
		duration_statistics_init(&communication->transport, arena);
		duration_statistics_init(&communication->wait, arena);
		g_ptr_array_add(communications->all, communication);
		u64_map_set_pointer(&communications->by_pair, key, communication);
	}
	return communication;
}

static void write_instance(struct communications *communications, const struct communication *communication,
			   const struct flow_publication *publication, const struct flow_delivery *delivery)
{
	struct cell cells[G_N_ELEMENTS(instance_columns)] = {
		cell_unsigned(communication->id),
		publication->has_stamp && !communication->is_intra_process ? cell_integer(publication->source_timestamp)
									   : CELL_NONE,
		cell_integer(publication->first_ns),
	};

	if (!communications->instances) {
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
	table_row(communications->instances, cells);
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
	communication->inferred += delivery->is_inferred;
	if (delivery->has_take) {
		duration_statistics_add(&communication->transport, delivery->take_ns - publication->first_ns);
		if (delivery->take_ns < publication->first_ns) {
			diagnostics_add(communications->diagnostics, DIAGNOSTIC_NEGATIVE_LATENCY,
					delivery->subscription->topic ? delivery->subscription->topic : "", 1);
		}
	}
	if (delivery->has_start) {
		duration_statistics_add(&communication->latency, delivery->callback_start_ns - publication->first_ns);
		if (delivery->has_take) {
			duration_statistics_add(&communication->wait, delivery->callback_start_ns - delivery->take_ns);
		}
	}
	write_instance(communications, communication, publication, delivery);
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	struct communications *communications = data;
	struct communication *communication;

	if (!publication->publisher || !analysis_options_include(communications->options, publication->first_ns)) {
		return;
	}
	communication = find_or_add(communications, publication->publisher, subscription, is_intra_process);
	if (outcome == FLOW_CAME_LATE) {
		communication->lost--;
		return;
	}
	communication->published++;
	if (outcome != FLOW_RECEIVED) {
		communication->lost++;
		communication->in_flight += outcome == FLOW_IN_FLIGHT;
		write_instance(communications, communication, publication, NULL);
	}
}

static void *create(const struct analysis_context *context, struct table_writer *const *writers)
{
	struct communications *communications = g_new0(struct communications, 1);

	communications->recording = context->recording;
	communications->model = context->model;
	communications->diagnostics = context->diagnostics;
	communications->options = context->options;
	communications->instances = writers[TABLE_INSTANCES];
	communications->all = g_ptr_array_new();
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = communications,
							 .delivered = on_delivered,
							 .expected = on_expected,
						 });
	return communications;
}

static void destroy(void *analysis)
{
	struct communications *communications = analysis;

	g_ptr_array_free(communications->all, TRUE);
	u64_map_clear(&communications->by_pair);
	g_free(communications);
}

/* A row with its sort keys resolved once. */
struct row {
	const struct communication *communication;
	const char *topic, *publisher_node, *subscription_node;
	int64_t publisher_vpid, subscription_vpid;
};

static int compare_text(const char *left, const char *right)
{
	return strcmp(left ? left : "", right ? right : "");
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
	return order ? order : left->communication->id < right->communication->id ? -1 : 1;
}

static struct row make_row(const struct communications *communications, const struct communication *communication)
{
	const struct model_publisher *publisher = communication->publisher;
	const struct model_subscription *subscription = communication->subscription;

	return (struct row){
		.communication = communication,
		.topic = publisher->topic ? publisher->topic : subscription->topic,
		.publisher_node = object_model_publisher_node(communications->model, publisher),
		.subscription_node = object_model_subscription_node(communications->model, subscription),
		.publisher_vpid = recording_process(communications->recording, publisher->process)->vpid,
		.subscription_vpid = recording_process(communications->recording, subscription->process)->vpid,
	};
}

static struct cell vpid_cell(const struct communications *communications, uint32_t process)
{
	const struct recording_process *entry = recording_process(communications->recording, process);

	return entry->has_vpid ? cell_integer(entry->vpid) : CELL_NONE;
}

static void write_row(const struct communications *communications, struct table_writer *writer, const struct row *row)
{
	const struct communication *communication = row->communication;
	const struct cell cells[] = {
		[COLUMN_ID] = cell_unsigned(communication->id),
		[COLUMN_TOPIC] = cell_text(row->topic),
		[COLUMN_PUBLISHER_NODE] = cell_text(row->publisher_node),
		[COLUMN_PUBLISHER_VPID] = vpid_cell(communications, communication->publisher->process),
		[COLUMN_SUBSCRIPTION_NODE] = cell_text(row->subscription_node),
		[COLUMN_SUBSCRIPTION_VPID] = vpid_cell(communications, communication->subscription->process),
		[COLUMN_KIND] = cell_text(communication->is_intra_process ? "intra_process" : "inter_process"),
		[COLUMN_PUBLISHED] = cell_unsigned(communication->published),
		[COLUMN_RECEIVED] = cell_unsigned(communication->received),
		[COLUMN_LOST] = cell_unsigned(communication->lost),
		[COLUMN_INFERRED] = cell_unsigned(communication->inferred),
		[COLUMN_LATENCY] = cell_statistic(&communication->latency),
		[COLUMN_TRANSPORT] = cell_statistic(&communication->transport),
		[COLUMN_WAIT] = cell_statistic(&communication->wait),
		[COLUMN_IN_FLIGHT] = cell_unsigned(communication->in_flight),
	};

	table_row(writer, cells);
}

static void write_table(const void *analysis, struct table_writer *const *writers)
{
	const struct communications *communications = analysis;
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	if (!writers[TABLE_COMMUNICATIONS]) {
		return;
	}
	for (guint i = 0; i < communications->all->len; i++) {
		struct row row = make_row(communications, g_ptr_array_index(communications->all, i));

		g_array_append_val(rows, row);
	}
	g_array_sort(rows, compare_rows);
	for (guint i = 0; i < rows->len; i++) {
		write_row(communications, writers[TABLE_COMMUNICATIONS], &g_array_index(rows, struct row, i));
	}
}

const struct analysis_class communications_analysis = {
	.name = "communications",
	.tables =
		(const struct table_schema *const[]){
			[TABLE_COMMUNICATIONS] = &schema,
			[TABLE_INSTANCES] = &instance_schema,
			NULL,
		},
	.needs = ANALYSIS_NEEDS_FLOWS,
	.create = create,
	.write = write_table,
	.destroy = destroy,
};
