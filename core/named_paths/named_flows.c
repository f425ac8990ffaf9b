/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_flows.h"

#include "core/named_paths/architecture_differences.h"
#include "core/named_paths/architecture_links.h"
#include "core/named_paths/named_messages.h"
#include "core/named_paths/named_reasons.h"

struct named_flows {
	struct object_model *model; /* borrowed, like the next two */
	struct flow_linker *linker;
	struct named_results *results;
	GArray *links; /* struct link_rule, owned */
	struct named_ways ways;
	struct named_steps steps;
	struct named_endings endings;
	struct named_messages messages;
};

/* --- going on --- */

static void go_on(struct named_flows *flows, struct flow_execution *execution, struct named_step *before,
		  bool is_indirect)
{
	const struct flow_delivery *delivery = execution->cause;
	struct named_way *way =
		named_ways_next(&flows->ways, before->way, delivery->publication->publisher, delivery->subscription);
	struct named_step *step;

	if (!way) {
		return;
	}
	named_step_go(before, way);
	way->arrivals++;
	step = named_steps_create(&flows->steps, way, before, execution);
	step->is_indirect = is_indirect;
	step->publish_ns = delivery->publication->first_ns;
	step->take_ns = delivery->take_ns;
	if (way->end && !way->has_last_callback) {
		named_endings_complete(&flows->endings, way, step, step->start_ns);
	}
	named_steps_add(&flows->steps, named_steps_carry(&flows->steps, execution), step);
}

static void begin_with_message(struct named_flows *flows, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause->publication;
	const GPtrArray *ways = named_ways_from_publisher(&flows->ways, publication->publisher);

	for (guint i = 0; i < ways->len; i++) {
		struct named_way *way = g_ptr_array_index(ways, i);
		struct named_step *first = named_steps_begin(&flows->steps, way, publication);

		if (first) {
			go_on(flows, execution, first, false);
			named_steps_release(&flows->steps, first);
		}
	}
}

static void begin_with_callback(struct named_flows *flows, struct flow_execution *execution,
				const struct model_subscription *subscription)
{
	const GPtrArray *ways = named_ways_from_subscription(&flows->ways, subscription);

	for (guint i = 0; i < ways->len; i++) {
		struct named_step *step =
			named_steps_create(&flows->steps, g_ptr_array_index(ways, i), NULL, execution);

		step->origin_ns = execution->start_ns;
		step->way->arrivals++;
		named_steps_add(&flows->steps, named_steps_carry(&flows->steps, execution), step);
	}
}

static const struct model_subscription *subscription_of(struct named_flows *flows,
							const struct flow_execution *execution)
{
	if (execution->cause) {
		return execution->cause->subscription;
	}
	return execution->kind == CALLBACK_KIND_SUBSCRIPTION
		       ? object_model_callback_info(flows->model, execution->callback)->subscription
		       : NULL;
}

static void on_resolved(void *data, struct flow_execution *execution)
{
	struct named_flows *flows = data;
	const struct model_subscription *subscription = subscription_of(flows, execution);
	const struct flow_publication *publication = execution->cause ? execution->cause->publication : NULL;

	if (!subscription) {
		return;
	}
	begin_with_callback(flows, execution, subscription);
	if (!publication || !publication->publisher) {
		return;
	}
	begin_with_message(flows, execution);
	/* the first parents are candidates until the end of the recording */
	for (size_t i = flow_linker_candidate_count(flows->linker, publication->candidates);
	     i < publication->parent_count; i++) {
		const struct named_carry *carry = publication->parents[i]->data[flows->steps.data_index];

		for (unsigned int j = 0; carry && j < carry->step_count; j++) {
			go_on(flows, execution, carry->steps[j], i > 0 || !publication->has_direct_parent);
		}
	}
}

/* --- messages --- */

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct named_flows *flows = data;

	named_messages_delivered(&flows->messages, delivery);
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			enum flow_outcome outcome)
{
	struct named_flows *flows = data;

	named_messages_expected(&flows->messages, publication, subscription, outcome);
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct named_flows *flows = data;

	named_messages_settled(&flows->messages, publication);
}

static void on_concluded(void *data, const struct flow_publication *publication)
{
	struct named_flows *flows = data;

	named_messages_concluded(&flows->messages, publication);
}

static void on_stamped(void *data, const struct flow_publication *publication, uint64_t header_stamp)
{
	struct named_flows *flows = data;

	/* of every publication: whether a path begins with it, definitions may tell later */
	named_stamps_note(&flows->steps.stamps, publication, header_stamp);
}

/* --- executions that have finished --- */

/*
 * The outcome of a flow whose callback published nothing to the child. An inferred execution may have: of which message
 * a publication of its thread comes is not recorded.
 */
static enum named_outcome outcome_of_rest(const struct named_flows *flows, const struct flow_execution *execution,
					  const struct named_way *child)
{
	if (!execution->is_complete || (execution->kind == CALLBACK_KIND_INFERRED && !execution->is_polled)) {
		return NAMED_UNKNOWN;
	}
	/* a message that is still kept might have been used later */
	return child->is_kept && flow_linker_has_ended(flows->linker) ? NAMED_UNKNOWN : NAMED_STOPPED;
}

static void finish_step(struct named_flows *flows, const struct flow_execution *execution,
			const struct named_carry *carry, struct named_step *step)
{
	struct named_way *way = step->way;

	if (way->end) {
		if (way->has_last_callback && execution->is_complete) {
			named_endings_complete(&flows->endings, way, step, execution->end_ns);
		} else if (way->has_last_callback) {
			named_endings_break_off(&flows->endings, way, step, NAMED_UNKNOWN, NAMED_NO_TIME);
		}
		return;
	}
	for (unsigned int i = 0; i < carry->send_count; i++) {
		const struct named_send *send = &carry->sends[i];
		struct named_way *child = named_ways_next(&flows->ways, way, send->publisher, send->subscription);

		if (child) {
			named_step_go(step, child);
			named_endings_by_send(&flows->endings, step, child, send);
		}
	}
	for (guint i = 0; i < way->children->len; i++) {
		struct named_way *child = g_ptr_array_index(way->children, i);

		if (!named_step_went(step, child)) {
			named_endings_break_off(&flows->endings, child, step, outcome_of_rest(flows, execution, child),
						NAMED_NO_TIME);
		}
	}
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct named_flows *flows = data;
	struct named_carry *carry = execution->data[flows->steps.data_index];

	if (!carry) {
		return;
	}
	carry->is_finished = true;
	for (unsigned int i = 0; i < carry->step_count; i++) {
		finish_step(flows, execution, carry, carry->steps[i]);
	}
}

static void on_released(void *data, struct flow_execution *execution)
{
	struct named_flows *flows = data;

	named_steps_forget(&flows->steps, execution);
}

/* --- the end --- */

void named_flows_finish(struct named_flows *flows)
{
	for (guint i = 0; i < flows->results->paths->len; i++) {
		struct named_path *path = g_ptr_array_index(flows->results->paths, i);

		if (path->counts[NAMED_COMPLETE] == 0) {
			named_path_set_reason(flows->results, path, named_reason_of(&flows->ways, path));
		}
	}
	named_reasons_add_patterns(&flows->ways);
}

void named_flows_diagnose(const struct named_flows *flows, struct diagnostics *findings)
{
	architecture_differences_add(&flows->ways, &flows->messages.publishing, findings);
}

/* --- life --- */

struct named_flows *named_flows_create(const struct analysis_context *context, struct named_results *results)
{
	struct arena *arena = recording_arena(context->recording);
	struct named_flows *flows = arena_take(arena, sizeof(*flows));

	flows->model = context->model;
	flows->linker = context->flows;
	flows->results = results;
	flows->links = arena_own(arena, architecture_links_of(results->asked), (GDestroyNotify)g_array_unref);
	named_ways_init(&flows->ways, context, results, flows->links);
	named_steps_init(&flows->steps, context);
	named_endings_init(&flows->endings, results, &flows->steps);
	named_messages_init(&flows->messages, context, &flows->ways, &flows->steps, &flows->endings);
	flow_linker_add_rules(context->flows, (const struct link_rule *)(const void *)flows->links->data,
			      flows->links->len);
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = flows,
							 .only_carriers = true,
							 .delivered = on_delivered,
							 .stamped = on_stamped,
							 .expected = on_expected,
							 .settled = on_settled,
							 .concluded = on_concluded,
							 .resolved = on_resolved,
							 .finished = on_finished,
							 .released = on_released,
						 });
	return flows;
}
