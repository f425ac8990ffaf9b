/* SPDX-License-Identifier: MIT */
#include "core/analyses/communications/communications_state.h"

#include "core/analyses/communications/communication_pairs.h"
#include "core/analyses/shared/columns.h"
#include "core/analyses/shared/latched_delivery.h"
#include "core/analyses/shared/final_silence.h"
#include "core/model/object_numbers.h"
#include "core/base/text/hidden_names.h"
#include "core/clocks/clock_alignment.h"
#include "core/tables/row_list.h"

struct instance {
	struct cell communication_id, source_timestamp, publish, take, callback_start, latency, inferred, outcome;
};

/* clang-format off */
#define ROW struct instance
static const struct table_column instance_columns[] = {
	{ .name = "communication_id", .id_of = "communications", CELL_OF(communication_id) },
	{ .name = "source_timestamp", CELL_OF(source_timestamp) },
	{ .name = "publish_ns", .format = COLUMN_TIME, CELL_OF(publish) },
	{ .name = "take_ns", .format = COLUMN_TIME, CELL_OF(take) },
	{ .name = "callback_start_ns", .format = COLUMN_TIME, CELL_OF(callback_start) },
	{ .name = "latency_ns", .format = COLUMN_DURATION, CELL_OF(latency) },
	{ .name = "inferred", .means = MEANS_INFERRED, CELL_OF(inferred) },
	{ .name = "outcome", .means = MEANS_STATE, CELL_OF(outcome) },
};

static const struct table_schema instance_schema = {
	TABLE_OF_CELLS("communication_instances", instance_columns), .title = "Messages", .selection = "communications",
	.kind = KIND_INSTANCES,
};
#undef ROW
/* clang-format on */

static struct cell rate_of(const void *row)
{
	return covered_rate_cell(&((const struct communication *)row)->received);
}

/* clang-format off */
#define HINT_WITHOUT_MESSAGE HINT_IDLE("without a message")

#define ROW struct communication
static const struct table_column columns[] = {
	{ .name = "communication_id", .id_of = "communications", .role = COLUMN_ROLE_HIDDEN, CELL_OF(id) },
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME,
	  .budget = "topic", .proposed = PROPOSED_ALWAYS, .hints = HINT(.may_be_hidden = true, .folds = "topic"), CELL_OF(topic) },
	{ .name = "publisher_node", .means = MEANS_NODE, .side = SIDE_SENDER, .merge = COLUMN_MERGE_KEY,
	  .label = "publisher", .format = COLUMN_NAME, .proposed = PROPOSED_ALWAYS,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_OF(publisher_text) },
	{ COLUMN_IS_PROCESS("publisher_vpid"), .side = SIDE_SENDER,
	  CELL_VIA(written, publisher_process.vpid) },
	{ .name = "subscription_node", .means = MEANS_NODE, .side = SIDE_RECEIVER, .merge = COLUMN_MERGE_KEY,
	  .label = "subscription", .format = COLUMN_NAME, .proposed = PROPOSED_ALWAYS,
	  .hints = HINT_MAY_BE_HIDDEN, CELL_OF(subscription_text) },
	{ COLUMN_IS_PROCESS("subscription_vpid"), .side = SIDE_RECEIVER,
	  CELL_VIA(written, subscription_process.vpid) },
	{ .name = "kind", .means = MEANS_KIND, .merge = COLUMN_MERGE_KEY, .role = COLUMN_ROLE_DETAIL,
	  .proposed = PROPOSED_IF_NEEDED,
	  .hints = HINT_TELLS_APART(WHICH), CELL_VIA(written, kind) },
	{ .name = "published", .means = MEANS_SENT, .merge = COLUMN_MERGE_SUM, CELL_VIA(written, published) },
	{ .name = "received", .means = MEANS_RECEIVED, .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN,
	  .hints = HINT_WITHOUT_MESSAGE, CELL_OF(received.count) },
	{ .name = "lost", .means = MEANS_LOST, .merge = COLUMN_MERGE_SUM, .hints = HINT_WITHOUT_MESSAGE,
	  CELL_OF(lost_cell) },
	{ .name = "inferred", .means = MEANS_INFERRED, .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN,
	  CELL_OF(inferred) },
	{ .name = "latency", .means = MEANS_DURATION, .format = COLUMN_STATISTIC, CELL_OF(latency) },
	{ .name = "transport", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, .counted_by = "received",
	  CELL_OF(transport) },
	{ .name = "wait", .format = COLUMN_STATISTIC, .hints = HINT_BRIEF, CELL_OF(wait) },
	{ .name = "in_flight", .merge = COLUMN_MERGE_SUM, .role = COLUMN_ROLE_HIDDEN, CELL_OF(in_flight) },
	{ .name = "unknown", .means = MEANS_UNKNOWN, .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY,
	  CELL_VIA(written, unknown) },
	{ .name = "longest_loss", .merge = COLUMN_MERGE_MAX, .role = COLUMN_ROLE_HIDDEN, CELL_OF(longest_loss) },
	{ .name = "rate_hz", .means = MEANS_RATE, .label = "rate", .format = COLUMN_RATE, .role = COLUMN_ROLE_DETAIL,
	  CELL_BY(rate_of) },
	{ .name = "held", .format = COLUMN_STATISTIC, .role = COLUMN_ROLE_DETAIL, .hints = HINT_BRIEF, CELL_OF(held) },
	{ .name = "held_by", .label = "held by", .format = COLUMN_NAME, .role = COLUMN_ROLE_DETAIL,
	  .hints = HINT_ONLY_IF_ANY, CELL_VIA(written, held_by) },
	{ .name = "clock_uncertainty_ns", .format = COLUMN_DURATION, .role = COLUMN_ROLE_HIDDEN,
	  .merge = COLUMN_MERGE_MAX, CELL_VIA(written, clock_uncertainty) },
	{ COLUMN_IS_HOST("publisher_hostname", "publisher on"), .side = SIDE_SENDER,
	  CELL_VIA(written, publisher_process.hostname) },
	{ COLUMN_IS_HOST("subscription_hostname", "subscription on"), .side = SIDE_RECEIVER,
	  CELL_VIA(written, subscription_process.hostname) },
	{ COLUMN_IS_WHICH("publisher_which", "which publisher"), CELL_VIA(written, publisher_which) },
	{ COLUMN_IS_WHICH("subscription_which", "which subscription"), CELL_VIA(written, subscription_which) },
	{ .name = "latched", .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY, CELL_OF(latched) },
	{ .name = "overwritten", .means = MEANS_OVERWRITTEN, .merge = COLUMN_MERGE_SUM, .hints = HINT_ONLY_IF_ANY,
	  CELL_OF(overwritten) },
	{ COLUMN_IS_RATE_TO_END, CELL_VIA(written, rate_to_end) },
};

static const struct table_column unwritten[] = {
	{ .name = "from", .means = MEANS_NODE, .side = SIDE_SENDER, CELL_OF(publisher_node) },
	{ .name = "to", .means = MEANS_NODE, .side = SIDE_RECEIVER, CELL_OF(subscription_node) },
	{ .name = "publisher_since", CELL_VIA(publisher, since_ns) },
	{ .name = "publisher_handle", CELL_VIA(publisher, handle) },
	{ .name = "subscription_since", CELL_VIA(subscription, since_ns) },
	{ .name = "subscription_handle", CELL_VIA(subscription, handle) },
	{ .name = "is_intra_process", CELL_OF(is_intra_process) },
};

static const struct table_schema schema = {
	TABLE("communications", columns), .title = "Communication latency: from publish to callback",
	.selection = "communications", .subject = SUBJECT_MESSAGES, .is_of_processes = true,
	.order = "topic publisher_node publisher_vpid subscription_node subscription_vpid publisher_hostname "
		 "subscription_hostname publisher_since publisher_handle subscription_since subscription_handle "
		 "is_intra_process",
	UNWRITTEN(unwritten),
};
#undef ROW

/* What was lost of a topic, over all its pairs. */
struct topic_losses {
	const char *topic;
	uint64_t lost, published, longest;
	const struct communication *worst; /* the pair that lost most */
	double percent;
	const char *worst_text;
};

#define ROW struct topic_losses
static const struct table_column lost_columns[] = {
	{ .name = "topic", .means = MEANS_TOPIC, .merge = COLUMN_MERGE_KEY, .format = COLUMN_NAME, CELL_OF(topic) },
	{ .name = "lost", .means = MEANS_LOST, CELL_OF(lost) },
	{ .name = "published", .label = "of", CELL_OF(published) },
	{ .name = "percent", .label = "share", .format = COLUMN_PERCENT, CELL_OF(percent) },
	{ .name = "longest_loss", .label = "in a row", CELL_OF(longest) },
	{ .name = "worst", .label = "most of them", .format = COLUMN_NAME, CELL_OF(worst_text) },
};

static const struct table_schema lost_schema = {
	TABLE("lost_messages", lost_columns), .title = "Messages lost", .selection = "communications", .kind = KIND_SUMMARY, .place = 2,
	.order = "-lost topic",
};
#undef ROW
/* clang-format on */

const struct table_schema *const communication_tables[] = {
	[TABLE_COMMUNICATIONS] = &schema,
	[TABLE_INSTANCES] = &instance_schema,
	[TABLE_LOST] = &lost_schema,
	NULL,
};

static void write_instance(const struct communications *communications, const struct communication *communication,
			   const struct flow_publication *publication, const struct flow_delivery *delivery,
			   const char *outcome)
{
	struct instance instance = {
		.communication_id = cell_unsigned(communication->id),
		.publish = cell_integer(publication->first_ns),
		.inferred = cell_unsigned(delivery && delivery->is_inferred),
		.outcome = cell_text(outcome),
	};

	if (publication->has_stamp && !communication->is_intra_process) {
		instance.source_timestamp = cell_integer(publication->source_timestamp);
	}
	if (delivery && delivery->has_take) {
		instance.take = cell_integer(delivery->take_ns);
	}
	if (delivery && delivery->has_start) {
		instance.callback_start = cell_integer(delivery->callback_start_ns);
		if (!delivery_is_latched(communications->analysis.context.recording, delivery)) {
			instance.latency = cell_integer(delivery->callback_start_ns - publication->first_ns);
		}
	}
	row_write(communications->analysis.writers[TABLE_INSTANCES], &instance_schema, &instance);
}

void communication_tables_write_instance(struct communications *communications,
					 const struct communication *communication,
					 const struct flow_publication *publication,
					 const struct flow_delivery *delivery, const char *outcome)
{
	if (communications->analysis.writers[TABLE_INSTANCES] &&
	    communication_is_chosen(communications, communication)) {
		write_instance(communications, communication, publication, delivery, outcome);
	}
}

/* --- rows --- */

/* By how much a latency may be wrong: between two hosts whose clocks were aligned. */
static struct cell clock_uncertainty(const struct analysis_options *options, const struct communication *row)
{
	uint32_t from = row->written->publisher_process.process->host;
	uint32_t to = row->written->subscription_process.process->host;
	int64_t uncertainty_ns;

	if (!options->clocks || from == to) {
		return CELL_NONE;
	}
	uncertainty_ns = clock_alignment_uncertainty(options->clocks, from, to);
	return uncertainty_ns == CLOCK_UNKNOWN_NS ? CELL_NONE : cell_integer(uncertainty_ns);
}

static struct cell rate_to_end(const struct communication *row, const struct final_silence *silence)
{
	double sender_ns = final_silence_of(silence, row->publisher->process, row->received.last_ns);
	double receiver_ns = final_silence_of(silence, row->subscription->process, row->received.last_ns);

	return covered_rate_to_end_cell(&row->received, MIN(sender_ns, receiver_ns));
}

static void note_messages(struct final_silence *silence, const GPtrArray *met)
{
	for (guint i = 0; i < met->len; i++) {
		const struct communication *row = met->pdata[i];

		final_silence_note(silence, row->publisher->process, row->received.last_ns);
		final_silence_note(silence, row->subscription->process, row->received.last_ns);
	}
}

/* An endpoint in the rows of all its pairs: its node, or else the process. */
struct end_name {
	const char *node, *text;
	bool is_hidden; /* the text */
};

/* By index of the endpoint, asked for once each; owned. */
struct end_names {
	struct end_name *publishers, *subscriptions;
};

static void name_end(const struct communications *communications, struct end_name *name, const struct model_object *end,
		     const char *node, struct row_list *rows)
{
	const struct recording *recording = communications->analysis.context.recording;

	name->node = node;
	name->text =
		node ? node : row_list_keep(rows, node_or_process(NULL, recording_process(recording, end->process)));
	name->is_hidden = name_is_hidden(name->text);
}

/* What chooses, orders or hides rows. */
static void name_row(const struct communications *communications, const struct end_names *names,
		     struct communication *row, struct row_list *rows)
{
	const struct object_model *model = communications->analysis.context.model;
	struct end_name *from = &names->publishers[row->publisher->index];
	struct end_name *to = &names->subscriptions[row->subscription->index];
	bool can_lose = row->is_intra_process || flow_linker_has_takes(communications->analysis.context.flows);

	if (!from->text) {
		name_end(communications, from, &row->publisher->object,
			 object_model_publisher_node(model, row->publisher), rows);
	}
	if (!to->text) {
		name_end(communications, to, &row->subscription->object,
			 object_model_subscription_node(model, row->subscription), rows);
	}
	row->topic = communication_topic(row);
	row->publisher_node = from->node;
	row->publisher_text = from->text;
	row->subscription_node = to->node;
	row->subscription_text = to->text;
	row->lost_cell = can_lose ? cell_unsigned(row->lost) : CELL_NONE;
	row->written = NULL;
}

static void add_rows(const struct communications *communications, const struct end_names *names, const GPtrArray *all,
		     struct row_list *rows)
{
	for (guint i = 0; i < all->len; i++) {
		name_row(communications, names, all->pdata[i], rows);
		row_list_add(rows, all->pdata[i]);
	}
}

static bool has_messages(const void *data G_GNUC_UNUSED, const void *of)
{
	const struct communication *row = of;

	return row->received.count > 0 || row->lost_cell.unsigned_integer > 0;
}

static bool has_plain_names(const void *data, const void *of)
{
	const struct end_names *names = data;
	const struct communication *row = of;

	return !names->publishers[row->publisher->index].is_hidden &&
	       !names->subscriptions[row->subscription->index].is_hidden && !(row->topic && name_is_hidden(row->topic));
}

/* Counts the rows that the writer only counts. */
static void sift_rows(const struct end_names *names, struct row_list *rows, struct table_writer *writer)
{
	if (writer->only_counts_hidden && writer->only_counts_idle) {
		writer->idle = row_list_sift(rows, has_messages, NULL);
		writer->hidden += row_list_sift(rows, has_plain_names, names);
		rows->is_sifted = true;
	}
}

static void fill_row(const struct communications *communications, struct communication *row,
		     const struct final_silence *silence, struct row_list *rows)
{
	const struct analysis_context *context = &communications->analysis.context;
	struct written_communication *written = row_list_keep(rows, g_new0(struct written_communication, 1));

	row->written = written;
	written->publisher_process = row_process_of(context->recording, row->publisher->process);
	written->subscription_process = row_process_of(context->recording, row->subscription->process);
	written->kind = row->is_intra_process ? "intra_process" : "inter_process";
	written->published = communication_published(communications, row);
	written->unknown = written->published - row->received.count - row->lost - row->overwritten;
	written->held_by =
		row_list_keep(rows, row->holders ? holders_longest_text(row->holders, context->model) : NULL);
	written->clock_uncertainty = clock_uncertainty(context->options, row);
	written->rate_to_end = rate_to_end(row, silence);
	written->publisher_which = object_numbers_cell(context->numbers, MODEL_PUBLISHER, &row->publisher->object);
	written->subscription_which =
		object_numbers_cell(context->numbers, MODEL_SUBSCRIPTION, &row->subscription->object);
}

static void fill_rows(const struct communications *communications, const struct final_silence *silence,
		      struct row_list *rows)
{
	for (guint i = 0; i < row_list_count(rows); i++) {
		struct communication *row = row_list_at(rows, i);

		if (!row->written) {
			fill_row(communications, row, silence, rows);
		}
	}
}

/* --- the summary --- */

/* Rows of a topic follow one another. */
static void add_losses(struct row_list *topics, const struct communication *row)
{
	guint count = row_list_count(topics);
	struct topic_losses *losses = count > 0 ? row_list_at(topics, count - 1) : NULL;

	if (!losses || g_strcmp0(losses->topic, row->topic) != 0) {
		losses = row_list_make(topics);
		losses->topic = row->topic;
		losses->worst = row;
	}
	losses->lost += row->lost;
	losses->published += row->written->published;
	losses->longest = MAX(losses->longest, row->longest_loss);
	if (row->lost > losses->worst->lost) {
		losses->worst = row;
	}
}

/* The rows of which messages were lost. */
static struct row_list *lossy_rows(const struct communications *communications, const struct row_list *rows)
{
	struct row_list *lossy = analysis_rows(&communications->analysis, &schema);

	for (guint i = 0; i < row_list_count(rows); i++) {
		const struct communication *row = row_list_at(rows, i);

		if (row->lost > 0 && !(row->topic && name_is_hidden(row->topic))) {
			row_list_add(lossy, row_list_at(rows, i));
		}
	}
	return lossy;
}

static void write_lost(struct row_list *lossy, struct table_writer *writer)
{
	g_autoptr(row_list) topics = row_list_create(&lost_schema);

	row_list_sort(lossy, schema.order);
	for (guint i = 0; i < row_list_count(lossy); i++) {
		add_losses(topics, row_list_at(lossy, i));
	}
	row_list_sort(topics, lost_schema.order);
	for (guint i = 0; i < MIN(row_list_count(topics), SUMMARY_ROWS); i++) {
		struct topic_losses *losses = row_list_at(topics, i);

		losses->percent = 100 * (double)losses->lost / (double)MAX(losses->published, 1);
		losses->worst_text = row_list_keep(topics, g_strdup_printf("%s > %s", losses->worst->publisher_text,
									   losses->worst->subscription_text));
		row_write(writer, &lost_schema, losses);
	}
}

void communication_tables_write(const void *data, struct table_writer *const *writers)
{
	const struct communications *communications = data;
	const GPtrArray *met = communications->analysis.rows.rows;
	g_autoptr(row_list) rows = analysis_rows(&communications->analysis, &schema), lossy = NULL;
	const struct object_model *model = communications->analysis.context.model;
	g_autoptr(GPtrArray) unmet = NULL;
	struct final_silence silence;
	struct end_names names;

	if (!writers[TABLE_COMMUNICATIONS]) {
		return;
	}
	names.publishers = g_new0(struct end_name, object_model_publisher_count(model));
	names.subscriptions = g_new0(struct end_name, object_model_subscription_count(model));
	final_silence_init(&silence, &communications->analysis.context, communications->coverage);
	note_messages(&silence, met);
	unmet = communications_unmet(communications);
	add_rows(communications, &names, unmet, rows);
	row_list_choose(rows);
	/* In this order, which asks for the processes of the rows, so that ids depend on the trace only. */
	fill_rows(communications, &silence, rows);
	row_list_sort(rows, schema.order);
	for (guint i = 0; i < row_list_count(rows); i++) {
		((struct communication *)row_list_at(rows, i))->id = met->len + communications->hidden_met + i + 1;
	}
	add_rows(communications, &names, met, rows);
	row_list_choose(rows);
	if (writers[TABLE_LOST]) {
		lossy = lossy_rows(communications, rows);
	}
	writers[TABLE_COMMUNICATIONS]->hidden = communications->hidden_chosen;
	sift_rows(&names, rows, writers[TABLE_COMMUNICATIONS]);
	row_list_leave_out(rows, writers[TABLE_COMMUNICATIONS]);
	fill_rows(communications, &silence, rows);
	row_list_write(rows, writers[TABLE_COMMUNICATIONS]);
	if (lossy) {
		fill_rows(communications, &silence, lossy);
		write_lost(lossy, writers[TABLE_LOST]);
	}
	final_silence_clear(&silence);
	g_free(names.publishers);
	g_free(names.subscriptions);
}
