/* SPDX-License-Identifier: MIT */
#include "core/analyses/communications/communication_tables.h"

#include "core/analyses/communications/communication_pairs.h"
#include "core/analyses/shared/cells.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/latched_delivery.h"
#include "core/analyses/shared/node_or_process.h"
#include "core/analyses/shared/row_process.h"
#include "core/base/clock_alignment.h"
#include "core/base/compare_numbers.h"
#include "core/text/hidden_names.h"

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

#define HINT_WITHOUT_MESSAGE HINT_IDLE("without a message")

static const struct table_column columns[] = {
	{ .name = "communication_id", .role = COLUMN_ROLE_HIDDEN },
	{ .name = "topic", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "publisher_node",
	  .merge = COLUMN_MERGE_KEY,
	  .label = "publisher",
	  .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "publisher_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "subscription_node",
	  .merge = COLUMN_MERGE_KEY,
	  .label = "subscription",
	  .format = COLUMN_NAME,
	  .hints = HINT_MAY_BE_HIDDEN },
	{ .name = "subscription_vpid", .label = "pid", .role = COLUMN_ROLE_HIDDEN, .hints = HINT_TELLS_APART(PROCESS) },
	{ .name = "kind", .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL, .hints = HINT_TELLS_APART(WHICH) },
	{ .name = "published", .merge = COLUMN_MERGE_SUM },
	{ .name = "received", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, .hints = HINT_WITHOUT_MESSAGE },
	{ .name = "lost", .merge = COLUMN_MERGE_SUM, .hints = HINT_WITHOUT_MESSAGE },
	{ .name = "inferred", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "latency", .format = COLUMN_STATISTIC },
	{ .name = "transport", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, .counted_by = "received" },
	{ .name = "wait", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF },
	{ .name = "in_flight", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "unknown", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
	{ .name = "longest_loss", .merge = COLUMN_MERGE_MAX, .role = COLUMN_ROLE_HIDDEN },
	{ .name = "rate_hz", .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL },
	{ .name = "held", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF },
	{ .name = "held_by",
	  .label = "held by",
	  .format = COLUMN_NAME,
	  .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY },
	{ .name = "clock_uncertainty_ns", .role = COLUMN_ROLE_HIDDEN, .merge = COLUMN_MERGE_MAX },
	COLUMN_HOST("publisher_hostname", "publisher on"),
	COLUMN_HOST("subscription_hostname", "subscription on"),
	COLUMN_WHICH("publisher_which", "which publisher"),
	COLUMN_WHICH("subscription_which", "which subscription"),
	{ .name = "latched", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY },
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
	COLUMN_CLOCK_UNCERTAINTY,
	COLUMN_PUBLISHER_HOSTNAME,
	COLUMN_SUBSCRIPTION_HOSTNAME,
	COLUMN_PUBLISHER_WHICH,
	COLUMN_SUBSCRIPTION_WHICH,
	COLUMN_LATCHED,
	COLUMNS,
};

_Static_assert(G_N_ELEMENTS(columns) == COLUMNS, "one enumerator a column");

static const struct table_schema schema = {
	.name = "communications",
	.title = "Communication latency: from publish to callback",
	.selection = "communications",
	.is_of_processes = true,
	.columns = columns,
	.column_count = G_N_ELEMENTS(columns),
};

static const struct table_column lost_columns[] = {
	{ .name = "topic", .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME },
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

const struct table_schema *const communication_tables[] = {
	[TABLE_COMMUNICATIONS] = &schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_LOST] = &lost_schema,
	NULL,
};

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

	if (delivery && delivery->has_take) {
		cells[3] = cell_integer(delivery->take_ns);
	}
	if (delivery && delivery->has_start) {
		cells[4] = cell_integer(delivery->callback_start_ns);
		if (!delivery_is_latched(communications->recording, delivery)) {
			cells[5] = cell_integer(delivery->callback_start_ns - publication->first_ns);
		}
	}
	cells[6] = cell_unsigned(delivery && delivery->is_inferred);
	cells[7] = cell_text(outcome);
	TABLE_ROW(communications->instances, instance_columns, cells);
}

void communication_tables_write_instance(struct communications *communications,
					 const struct communication *communication,
					 const struct flow_publication *publication,
					 const struct flow_delivery *delivery, const char *outcome)
{
	if (communications->instances && communication_is_chosen(communications, communication)) {
		write_instance(communications, communication, publication, delivery, outcome);
	}
}

/* --- rows --- */

/* A row as it is sorted and written. */
struct row {
	const struct communication *communication;
	const char *topic, *publisher_node, *subscription_node;
	const char *publisher_hostname, *subscription_hostname;
	char *publisher_process; /* owned; replaces a node that is not known */
	int64_t publisher_vpid, subscription_vpid;
};

static int compare_objects(const struct model_object *left, const struct model_object *right)
{
	int order = compare_integers(left->since_ns, right->since_ns);

	return order ? order : compare_unsigned(left->handle, right->handle);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const struct row *left = a;
	const struct row *right = b;
	int order = g_strcmp0(left->topic, right->topic);

	order = order ? order : g_strcmp0(left->publisher_node, right->publisher_node);
	order = order ? order : compare_integers(left->publisher_vpid, right->publisher_vpid);
	order = order ? order : g_strcmp0(left->subscription_node, right->subscription_node);
	order = order ? order : compare_integers(left->subscription_vpid, right->subscription_vpid);
	order = order ? order : strcmp(left->publisher_hostname, right->publisher_hostname);
	order = order ? order : strcmp(left->subscription_hostname, right->subscription_hostname);
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
		.publisher_hostname = row_process_of(communications->recording, publisher->process).hostname,
		.subscription_hostname = row_process_of(communications->recording, subscription->process).hostname,
		.publisher_vpid = recording_process(communications->recording, publisher->process)->vpid,
		.subscription_vpid = recording_process(communications->recording, subscription->process)->vpid,
	};

	if (!row.publisher_node) {
		row.publisher_node = row.publisher_process =
			node_or_process(NULL, recording_process(communications->recording, publisher->process));
	}
	return row;
}

static void add_row(const struct communications *communications, GArray *rows,
		    const struct communication *communication)
{
	if (communication_is_chosen(communications, communication)) {
		struct row row = make_row(communications, communication);

		g_array_append_val(rows, row);
	}
}

static struct cell process_cell(const struct communications *communications, uint32_t process)
{
	return vpid_cell(recording_process(communications->recording, process));
}

/* By how much a latency may be wrong: between two hosts whose clocks were aligned. */
static struct cell clock_uncertainty(const struct communications *communications,
				     const struct communication *communication)
{
	uint32_t from = recording_process(communications->recording, communication->publisher->process)->host;
	uint32_t to = recording_process(communications->recording, communication->subscription->process)->host;
	int64_t uncertainty_ns;

	if (!communications->options->clocks || from == to) {
		return CELL_NONE;
	}
	uncertainty_ns = clock_alignment_uncertainty(communications->options->clocks, from, to);
	return uncertainty_ns == CLOCK_UNKNOWN_NS ? CELL_NONE : cell_integer(uncertainty_ns);
}

static void write_row(const struct communications *communications, struct table_writer *writer, const struct row *row)
{
	const struct communication *communication = row->communication;
	uint64_t published = communication_published(communications, communication);
	uint64_t unknown = published - communication->received - communication->lost;
	g_autofree char *held_by = holders_longest_text(&communication->holders, communications->model);
	bool can_lose = communication->is_intra_process || flow_linker_has_takes(communications->flows);
	const struct cell cells[] = {
		[COLUMN_ID] = cell_unsigned(communication->id),
		[COLUMN_TOPIC] = cell_text(row->topic),
		[COLUMN_PUBLISHER_NODE] = cell_text(row->publisher_node),
		[COLUMN_PUBLISHER_VPID] = process_cell(communications, communication->publisher->process),
		[COLUMN_SUBSCRIPTION_NODE] = cell_text(row->subscription_node),
		[COLUMN_SUBSCRIPTION_VPID] = process_cell(communications, communication->subscription->process),
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
		[COLUMN_RATE_HZ] = covered_rate_cell(&communication->rate),
		[COLUMN_HELD] = cell_statistic(&communication->held),
		[COLUMN_HELD_BY] = cell_text(held_by),
		[COLUMN_CLOCK_UNCERTAINTY] = clock_uncertainty(communications, communication),
		[COLUMN_PUBLISHER_HOSTNAME] = cell_text(row->publisher_hostname),
		[COLUMN_SUBSCRIPTION_HOSTNAME] = cell_text(row->subscription_hostname),
		[COLUMN_PUBLISHER_WHICH] = object_numbers_cell(communications->numbers, MODEL_PUBLISHER,
							       &communication->publisher->object),
		[COLUMN_SUBSCRIPTION_WHICH] = object_numbers_cell(communications->numbers, MODEL_SUBSCRIPTION,
								  &communication->subscription->object),
		[COLUMN_LATCHED] = cell_unsigned(communication->latched),
	};

	TABLE_ROW(writer, columns, cells);
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
	int order = compare_unsigned(right->lost, left->lost);

	return order ? order : g_strcmp0(left->topic, right->topic);
}

/* Rows of a topic follow one another. */
static void add_losses(const struct communications *communications, GArray *topics, const struct row *row)
{
	struct topic_losses *last = topics->len ? &g_array_index(topics, struct topic_losses, topics->len - 1) : NULL;
	uint64_t lost = row->communication->lost;

	if (!last || g_strcmp0(last->topic, row->topic) != 0) {
		struct topic_losses losses = { .topic = row->topic, .worst = row };

		g_array_append_val(topics, losses);
		last = &g_array_index(topics, struct topic_losses, topics->len - 1);
	}
	last->lost += lost;
	last->published += communication_published(communications, row->communication);
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

	TABLE_ROW(writer, lost_columns,
		  (struct cell[]){
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

void communication_tables_write(const struct communications *communications, struct table_writer *const *writers)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_autoptr(GPtrArray) unmet = NULL;

	if (!writers[TABLE_COMMUNICATIONS]) {
		return;
	}
	g_array_set_clear_func(rows, row_clear);
	unmet = communications_unmet(communications);
	for (guint i = 0; i < unmet->len; i++) {
		add_row(communications, rows, g_ptr_array_index(unmet, i));
	}
	/* In this order, so that ids depend on the trace only. */
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
