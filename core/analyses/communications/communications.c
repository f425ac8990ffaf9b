/* SPDX-License-Identifier: MIT */
/*
 * The tables `communications` (a row per publisher and subscription) and `communication_instances` (a row per message),
 * and the summary `lost_messages`: which messages each subscription received of each publisher, and how long they took.
 * Listens to the flow linker. A message counts in the time range by its first publish event.
 *
 * published = received + lost + overwritten + unknown. It covers the messages published from the first to the last
 * event of the subscription's process, and those that it received although they were published before. Lost: see enum
 * flow_outcome. All others that were not received are unknown: before the first match of the two, around breaks of the
 * recording, and after the last message received; of these, `in_flight` could still arrive when the trace ended.
 * Instances of messages that were not received are written when the publication is concluded, so they are not in order
 * of time.
 *
 * A node without rclcpp (inferred_executions.h) takes messages without a callback_start: they have a transport, but no
 * latency, wait or held.
 *
 * held: how long, from the publication to the take, the thread that took the message executed callbacks and so could
 * not take it earlier. Where that is not known for the whole time (thread_history.h), the message is no sample. Each of
 * its samples is beside one of latency, so that a brief table (table_writer.is_brief) never shows which callbacks held
 * messages, a detail behind it.
 *
 * A latched message was published before its subscription existed, which received it when it joined (transient local):
 * it counts as received, but the time since its publication says nothing about transport, and is no sample of latency,
 * transport and held.
 *
 * Pairs that never met have no counts of their own (flow_linker.h). They have a row if their topic has few pairs,
 * unless no message passed between their hosts; otherwise they are counted in the diagnostics.
 *
 * Where no table lists pairs of hidden names (table_writer.only_counts_hidden), they are only counted.
 *
 * Cost: O(1) per message and subscription. Memory: the pairs that met, publication_counts.h and thread_history.h.
 */
#include "core/analyses/communications/communication_pairs.h"
#include "core/analyses/communications/communications_state.h"
#include "core/analyses/shared/latched_delivery.h"
#include "core/analyses/shared/thread_uses.h"
#include "core/base/arena_parts.h"
#include "core/model/coverage.h"

static void hold_decided(const struct thread_question *question, const struct thread_uses *uses)
{
	struct communication *communication = question->about;

	thread_uses_add(uses, question->from_ns, &communication->held, communication->holders);
}

/* A message that was taken for an execution: which callbacks its thread executed until then. */
static void measure_hold(struct communications *communications, struct communication *communication,
			 const struct flow_delivery *delivery)
{
	struct thread_history *threads = communications->analysis.context.threads;
	uint32_t thread = delivery->execution->thread;
	int64_t from_ns = delivery->publication->first_ns, to_ns = delivery->take_ns;
	const struct thread_uses *uses = thread_history_find(threads, thread, from_ns, to_ns);

	if (G_LIKELY(uses)) {
		thread_uses_add(uses, from_ns, &communication->held, communication->holders);
	} else {
		thread_history_keep(threads, &(struct thread_question){ thread, from_ns, to_ns, hold_decided, NULL,
									communication });
	}
}

/* Of which communication it is asked whether both sides were recorded. */
struct both_sides {
	struct coverage *coverage;
	const struct communication *communication;
};

static bool is_whole(const void *data, int64_t from_ns, int64_t to_ns)
{
	const struct both_sides *sides = data;

	return coverage_process_is_whole(sides->coverage, sides->communication->publisher->process, from_ns, to_ns) &&
	       coverage_process_is_whole(sides->coverage, sides->communication->subscription->process, from_ns, to_ns);
}

/* The row of what the publisher sends to the subscription; that of messages between processes is kept at `pair`. */
static struct communication *row_of(struct communications *communications, struct model_publisher *publisher,
				    struct model_subscription *subscription, bool is_intra_process, void **pair)
{
	if (is_intra_process) {
		return communication_within_process(communications, publisher, subscription);
	}
	return *pair ? *pair : communication_add(communications, publisher, subscription, pair);
}

/* What is received in any way. */
static G_GNUC_NO_INLINE void receive(struct communications *communications, const struct flow_delivery *delivery,
				     void **pair)
{
	const struct flow_publication *publication = delivery->publication;
	struct communication *communication;
	bool is_latched;

	if (!analysis_options_include(communications->analysis.context.options, publication->first_ns)) {
		return;
	}
	communication = row_of(communications, publication->publisher, delivery->subscription,
			       delivery->is_intra_process, pair);
	is_latched = delivery_is_latched(communications->analysis.context.recording, delivery);
	if (delivery->has_take && !is_latched && delivery->take_ns < publication->first_ns) {
		diagnostics_add(communications->analysis.context.diagnostics, DIAGNOSTIC_NEGATIVE_LATENCY,
				delivery->subscription->topic ? delivery->subscription->topic : "", 1);
	}
	if (communication == &communications->only_counted) {
		return;
	}
	covered_rate_add(&communication->received, publication->first_ns,
			 coverage_has_any(communications->coverage) ? is_whole : NULL,
			 &(struct both_sides){ communications->coverage, communication });
	if (delivery->is_inferred) {
		communication->inferred++;
	}
	if (G_UNLIKELY(is_latched || publication->first_ns < communication->since_ns)) {
		communication->latched += is_latched;
		communication->outside += publication->first_ns < communication->since_ns;
	}
	/* Before the rest, which may be brief beside a latency (duration_statistics.h). */
	if (delivery->has_start) {
		if (!is_latched) {
			duration_statistics_add(&communication->latency,
						delivery->callback_start_ns - publication->first_ns,
						publication->first_ns);
		}
		if (delivery->has_take) {
			duration_statistics_add_briefly(&communication->wait,
							delivery->callback_start_ns - delivery->take_ns,
							delivery->take_ns);
		}
	}
	if (delivery->has_take && !is_latched) {
		duration_statistics_add_briefly(&communication->transport, delivery->take_ns - publication->first_ns,
						publication->first_ns);
		if (delivery->has_start && delivery->execution &&
		    communications->analysis.writers[TABLE_COMMUNICATIONS]) {
			measure_hold(communications, communication, delivery);
		}
	}
	if (communications->analysis.writers[TABLE_INSTANCES]) {
		communication_tables_write_instance(communications, communication, publication, delivery, "received");
	}
}

/* Whether receive() would only count the message and its latency, as it does where no takes are recorded. */
static inline bool is_usual(const struct communications *communications, const struct flow_delivery *delivery,
			    const struct communication *communication)
{
	return !delivery->has_take && delivery->has_start && !delivery->is_intra_process && communication &&
	       communication != &communications->only_counted &&
	       delivery->publication->first_ns >= communication->since_ns && !communications->notes_more &&
	       !coverage_has_any(communications->coverage) &&
	       !delivery_is_latched(communications->analysis.context.recording, delivery);
}

/* Nothing is called for a usual message. */
static void on_received(void *data, const struct flow_delivery *delivery, void **pair)
{
	struct communications *communications = data;
	struct communication *communication = *pair;
	int64_t published_ns = delivery->publication->first_ns;

	if (G_LIKELY(is_usual(communications, delivery, communication))) {
		covered_rate_add(&communication->received, published_ns, NULL, NULL);
		communication->inferred += delivery->is_inferred;
		duration_statistics_add(&communication->latency, delivery->callback_start_ns - published_ns,
					published_ns);
	} else {
		receive(communications, delivery, pair);
	}
}

static void on_missed(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
		      bool is_intra_process, enum flow_outcome outcome)
{
	struct communications *communications = data;
	struct communication *communication;

	if (outcome == FLOW_NOT_EXPECTED || !publication->publisher ||
	    !analysis_options_include(communications->analysis.context.options, publication->first_ns)) {
		return;
	}
	communication =
		row_of(communications, publication->publisher, subscription, is_intra_process,
		       flow_linker_pair(communications->analysis.context.flows, publication->publisher, subscription));
	switch (outcome) {
	case FLOW_LOST:
		communication->lost++;
		communication->loss = publication->number == communication->last_loss + 1 ? communication->loss + 1 : 1;
		communication->last_loss = publication->number;
		communication->longest_loss = MAX(communication->longest_loss, communication->loss);
		communication_tables_write_instance(communications, communication, publication, NULL, "lost");
		break;
	case FLOW_OVERWRITTEN:
		communication->overwritten++;
		communication_tables_write_instance(communications, communication, publication, NULL, "overwritten");
		break;
	case FLOW_UNKNOWN:
	case FLOW_IN_FLIGHT:
		communication->missed++;
		communication->in_flight += outcome == FLOW_IN_FLIGHT;
		communication_tables_write_instance(communications, communication, publication, NULL, "unknown");
		break;
	default:
		break;
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct communications *communications = data;

	if (publication->publisher && publication->has_inter_leg &&
	    analysis_options_include(communications->analysis.context.options, publication->first_ns)) {
		publication_counts_add(communications->published, publication->publisher->index, publication->first_ns);
	}
}

/* --- the analysis --- */

static void begin(void *data)
{
	struct communications *communications = data;
	const struct analysis_context *context = &communications->analysis.context;
	struct table_writer *const *writers = communications->analysis.writers;

	communications->coverage = executions_coverage(context->executions);
	communications->notes_more =
		writers[TABLE_INSTANCES] || context->options->range.has_begin || context->options->range.has_end;
	communications->published = publication_counts_create(context->recording, context->flows);
	communications->met = arena_array(recording_arena(context->recording), sizeof(uint32_t));
	if (writers[TABLE_COMMUNICATIONS]) {
		thread_history_listen(context->threads);
	}
	communications->only_counts_hidden = writers[TABLE_COMMUNICATIONS] &&
					     writers[TABLE_COMMUNICATIONS]->only_counts_hidden &&
					     !writers[TABLE_INSTANCES];
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	communications_diagnose_unmet(analysis, findings);
}

const struct analysis_class communications_analysis = {
	.name = "communications",
	.tables = communication_tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.flows = { .received = on_received, .missed = on_missed, .settled = on_settled },
	.size = sizeof(struct communications),
	.begin = begin,
	.diagnose = diagnose,
	.write = communication_tables_write,
};
