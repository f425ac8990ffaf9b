/* SPDX-License-Identifier: MIT */
#include "core/analyses/named_paths/named_flows.h"

#include "core/analyses/named_paths/architecture_differences.h"
#include "core/analyses/named_paths/architecture_links.h"
#include "core/analyses/named_paths/named_reasons.h"
#include "core/analyses/named_paths/named_steps.h"

#define NAMED_DEPTH_MAX 1000 /* nodes of one path whose points are written down */

struct named_flows {
	struct object_model *model; /* borrowed, like the next two */
	struct flow_linker *linker;
	struct named_results *results;
	GArray *links; /* struct link_rule, owned */
	struct named_ways ways;
	struct named_steps steps;
	/* Of the publication that is being settled: the ways on which it was received, or known not to be. */
	uint64_t settling_id;
	GPtrArray *settled_ways;    /* struct named_way * */
	struct named_point *points; /* scratch, owned */
	struct u64_map publishing;  /* index of publisher, of callback → publications */
};

/* --- flows that are known as a whole --- */

/* The points up to a step, from the first node on; room for one more is left. */
static size_t points_of(struct named_flows *flows, const struct named_step *last)
{
	size_t count = last ? last->way->depth + 1 : 0, index = count;
	bool is_kept = false;

	for (const struct named_step *step = last; step; step = step->before) {
		if (--index < NAMED_DEPTH_MAX) {
			flows->points[index] = (struct named_point){
				.publish_ns = step->publish_ns,
				.take_ns = step->take_ns,
				.start_ns = step->start_ns,
				.end_ns = named_step_end_ns(step),
				.is_kept = is_kept,
			};
		}
		is_kept = step->is_indirect;
	}
	return MIN(count, NAMED_DEPTH_MAX);
}

/* A flow that has come to the end of its path. */
static void complete(struct named_flows *flows, const struct named_way *way, const struct named_step *last,
		     int64_t end_ns)
{
	named_results_add_flow(flows->results, way->end,
			       &(struct named_flow){
				       .outcome = NAMED_COMPLETE,
				       .start_ns = last->origin_ns,
				       .end_ns = end_ns,
				       .points = flows->points,
				       .point_count = points_of(flows, last),
				       .last_publish_ns = way->node ? NAMED_NO_TIME : end_ns,
			       });
}

/* A flow that did not come to `way`, the next one after `last`; for all paths that lead on from there. `publish_ns`: of
 * the message that should have got there, or NAMED_NO_TIME. */
static void break_off(struct named_flows *flows, const struct named_way *way, const struct named_step *last,
		      enum named_outcome outcome, int64_t publish_ns)
{
	size_t count = points_of(flows, last);

	if (publish_ns != NAMED_NO_TIME && count < NAMED_DEPTH_MAX) {
		flows->points[count++] =
			(struct named_point){ publish_ns, NAMED_NO_TIME, NAMED_NO_TIME, NAMED_NO_TIME, false };
	}
	for (guint i = 0; i < way->paths->len; i++) {
		named_results_add_flow(flows->results, g_ptr_array_index(way->paths, i),
				       &(struct named_flow){
					       .outcome = outcome,
					       .start_ns = last->origin_ns,
					       .end_ns = NAMED_NO_TIME,
					       .points = flows->points,
					       .point_count = count,
					       .last_publish_ns = NAMED_NO_TIME,
				       });
	}
}

static void take_back(const struct named_way *way, enum named_outcome outcome)
{
	for (guint i = 0; i < way->paths->len; i++) {
		named_path_take_back(g_ptr_array_index(way->paths, i), outcome);
	}
}

/* --- beginnings --- */

/* Whether it is known when the flow of a publication begins; from then on it does. */
static bool has_origin(const struct named_way *way, const struct flow_publication *publication)
{
	return !way->has_first_callback || publication->has_direct_parent || !publication->has_lost_origin;
}

/* The first node of a way, whose callback has published. */
static void begin_by_publication(struct named_step *step, const struct flow_publication *publication)
{
	const struct flow_execution *callback = publication->has_direct_parent ? publication->parents[0] : NULL;

	step->origin_ns = publication->first_ns;
	step->start_ns = callback ? callback->start_ns : NAMED_NO_TIME;
	step->end_ns = callback && callback->is_complete ? callback->end_ns : NAMED_NO_TIME;
	if (callback && step->way->has_first_callback) {
		step->origin_ns = callback->start_ns;
	}
}

static struct named_step *first_step(struct named_flows *flows, struct named_way *way,
				     const struct flow_publication *publication)
{
	struct named_step *step = named_steps_create(&flows->steps, way, NULL, NULL);

	begin_by_publication(step, publication);
	return step;
}

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
		complete(flows, way, step, step->start_ns);
	}
	named_steps_add(&flows->steps, named_steps_carry(&flows->steps, execution), step);
}

static void begin_with_message(struct named_flows *flows, struct flow_execution *execution)
{
	const struct flow_publication *publication = execution->cause->publication;
	const GPtrArray *ways = named_ways_from_publisher(&flows->ways, publication->publisher);

	for (guint i = 0; i < ways->len; i++) {
		struct named_way *way = g_ptr_array_index(ways, i);

		if (has_origin(way, publication)) {
			struct named_step *first = first_step(flows, way, publication);

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

/* Of the first parents of a publication it is known at the end only whether one of them is its. */
static size_t certain_parents(const struct named_flows *flows, const struct flow_publication *publication)
{
	return flow_linker_candidate_count(flows->linker, publication->candidates);
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
	for (size_t i = certain_parents(flows, publication); i < publication->parent_count; i++) {
		const struct named_carry *carry = publication->parents[i]->named_data;

		for (unsigned int j = 0; carry && j < carry->step_count; j++) {
			go_on(flows, execution, carry->steps[j], i > 0 || !publication->has_direct_parent);
		}
	}
}

/* --- what becomes of messages --- */

/* The message of a flow that has just begun. */
static void settle_first(struct named_flows *flows, const struct flow_publication *publication, struct named_way *first,
			 struct named_way *way, const struct named_send *send)
{
	struct named_step *step;

	if (send->fate == NAMED_SENT_ON || !has_origin(first, publication)) {
		return;
	}
	step = first_step(flows, first, publication);
	if (send->fate != NAMED_SENT_TAKEN) {
		break_off(flows, way, step, send->fate == NAMED_SENT_LOST ? NAMED_LOST : NAMED_UNKNOWN,
			  send->publish_ns);
	} else {
		struct named_step *last = named_steps_create(&flows->steps, way, step, NULL);

		last->publish_ns = send->publish_ns;
		last->take_ns = send->take_ns;
		if (way->end) {
			complete(flows, way, last, send->take_ns);
		} else {
			break_off(flows, way, last, NAMED_UNKNOWN, NAMED_NO_TIME);
		}
		named_steps_release(&flows->steps, last);
	}
	named_steps_release(&flows->steps, step);
}

/* Whatever listeners hear of a publication before it is settled comes right before. */
static void settle_on(struct named_flows *flows, const struct flow_publication *publication, struct named_way *way)
{
	if (flows->settling_id != publication->id) {
		flows->settling_id = publication->id;
		g_ptr_array_set_size(flows->settled_ways, 0);
	}
	g_ptr_array_add(flows->settled_ways, way);
}

static void note_first(struct named_flows *flows, const struct flow_publication *publication,
		       const struct named_send *send)
{
	const GPtrArray *ways = named_ways_from_publisher(&flows->ways, publication->publisher);

	for (guint i = 0; i < ways->len; i++) {
		struct named_way *first = g_ptr_array_index(ways, i);
		struct named_way *way =
			named_ways_next(&flows->ways, first, publication->publisher, send->subscription);

		if (way) {
			settle_first(flows, publication, first, way, send);
			if (send->fate != NAMED_SENT_TAKEN) {
				settle_on(flows, publication, way);
			}
		}
	}
}

static void note_sends(struct named_flows *flows, const struct flow_publication *publication,
		       const struct named_send *send)
{
	for (size_t i = certain_parents(flows, publication); i < publication->parent_count; i++) {
		struct named_carry *carry = named_steps_carry(&flows->steps, publication->parents[i]);

		if (!carry->is_finished) {
			named_steps_add_send(&flows->steps, carry, send);
		}
	}
}

static void on_delivered(void *data, const struct flow_delivery *delivery)
{
	struct named_flows *flows = data;
	const struct flow_publication *publication = delivery->publication;

	if (delivery->execution || !delivery->subscription || !delivery->has_take || !publication->publisher ||
	    !named_ways_may_pass(&flows->ways, publication->publisher)) {
		return;
	}
	const struct named_send send = {
		.fate = NAMED_SENT_TAKEN,
		.publisher = publication->publisher,
		.subscription = delivery->subscription,
		.publish_ns = publication->first_ns,
		.take_ns = delivery->take_ns,
	};

	note_first(flows, publication, &send);
	note_sends(flows, publication, &send);
}

/* It was not received as far as was known, and now it was. */
static void come_late(struct named_flows *flows, const struct flow_publication *publication,
		      const struct model_subscription *subscription, enum named_outcome outcome)
{
	const GPtrArray *ways = named_ways_from_publisher(&flows->ways, publication->publisher);

	for (guint i = 0; i < ways->len; i++) {
		struct named_way *way =
			named_ways_next(&flows->ways, g_ptr_array_index(ways, i), publication->publisher, subscription);

		if (way && analysis_options_include(flows->results->options, publication->first_ns)) {
			take_back(way, outcome);
		}
	}
	for (size_t i = certain_parents(flows, publication); i < publication->parent_count; i++) {
		const struct named_carry *carry = publication->parents[i]->named_data;

		for (unsigned int j = 0; carry && carry->is_finished && j < carry->step_count; j++) {
			struct named_way *way = named_ways_next(&flows->ways, carry->steps[j]->way,
								publication->publisher, subscription);

			if (way && analysis_options_include(flows->results->options, carry->steps[j]->origin_ns)) {
				take_back(way, outcome);
			}
		}
	}
}

static enum named_fate fate_of(enum flow_outcome outcome)
{
	switch (outcome) {
	case FLOW_RECEIVED:
	case FLOW_CAME_LATE:
	case FLOW_CAME_LATE_UNKNOWN:
		return NAMED_SENT_ON;
	case FLOW_LOST:
		return NAMED_SENT_LOST;
	default:
		return NAMED_SENT_UNKNOWN;
	}
}

static void on_expected(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
			bool is_intra_process, enum flow_outcome outcome)
{
	struct named_flows *flows = data;

	if (!publication->publisher || !named_ways_may_pass(&flows->ways, publication->publisher)) {
		return;
	}
	if (outcome == FLOW_CAME_LATE || outcome == FLOW_CAME_LATE_UNKNOWN) {
		come_late(flows, publication, subscription, outcome == FLOW_CAME_LATE ? NAMED_LOST : NAMED_UNKNOWN);
	}
	const struct named_send send = {
		.fate = fate_of(outcome),
		.publisher = publication->publisher,
		.subscription = subscription,
		.publish_ns = publication->first_ns,
	};

	note_first(flows, publication, &send);
	note_sends(flows, publication, &send);
}

/* Flows of this way may be missing since its last one. */
static void note_break(struct named_flows *flows, const struct flow_publication *publication, struct named_way *first)
{
	if (first->last_origin_ns != NAMED_NO_TIME && first->last_origin_ns < publication->first_ns &&
	    flow_linker_may_miss(flows->linker, publication->process, first->last_origin_ns, publication->first_ns)) {
		for (guint i = 0; i < first->paths->len; i++) {
			named_path_add_break(g_ptr_array_index(first->paths, i), publication->first_ns);
		}
	}
	first->last_origin_ns = MAX(first->last_origin_ns, publication->first_ns);
}

/* What nobody has met the publisher for is unknown: the recording may not show that subscription, or not yet. */
static void settle_rest(struct named_flows *flows, const struct flow_publication *publication, struct named_way *first)
{
	bool is_settling = flows->settling_id == publication->id, leaves = false;

	for (guint i = 0; i < first->children->len; i++) {
		struct named_way *way = g_ptr_array_index(first->children, i);

		if (!named_ways_leaves_by(&flows->ways, way, publication->publisher)) {
			continue;
		}
		leaves = true;
		if (is_settling && g_ptr_array_find(flows->settled_ways, way, NULL)) {
			continue;
		}
		if (has_origin(first, publication)) {
			struct named_step *step = first_step(flows, first, publication);

			break_off(flows, way, step, NAMED_UNKNOWN, publication->first_ns);
			named_steps_release(&flows->steps, step);
		}
	}
	if (leaves) {
		first->arrivals++;
		note_break(flows, publication, first);
	}
}

/* From which callback it was published, to compare with the architecture. */
static void count_publishing(struct named_flows *flows, const struct flow_publication *publication)
{
	if (publication->has_direct_parent && flows->results->asked->architecture) {
		uint64_t key = (uint64_t)publication->publisher->index << 32 | publication->parents[0]->callback->index;
		uint64_t count = u64_map_get(&flows->publishing, key);

		u64_map_set(&flows->publishing, key, count == U64_MAP_NONE ? 1 : count + 1);
	}
}

static void on_settled(void *data, const struct flow_publication *publication)
{
	struct named_flows *flows = data;
	const GPtrArray *ways;

	if (!publication->publisher || !named_ways_may_pass(&flows->ways, publication->publisher)) {
		return;
	}
	count_publishing(flows, publication);
	ways = named_ways_from_publisher(&flows->ways, publication->publisher);
	for (guint i = 0; i < ways->len; i++) {
		settle_rest(flows, publication, g_ptr_array_index(ways, i));
	}
	note_sends(flows, publication,
		   &(struct named_send){
			   .fate = NAMED_SENT_OUT,
			   .publisher = publication->publisher,
			   .publish_ns = publication->first_ns,
		   });
}

/* --- executions that have finished --- */

/* What became of a message that goes from a step on the way to `child`. */
static void settle_send(struct named_flows *flows, struct named_step *step, struct named_way *child,
			const struct named_send *send)
{
	named_step_go(step, child);
	if (send->fate == NAMED_SENT_OUT) {
		complete(flows, child, step, send->publish_ns);
	} else if (send->fate == NAMED_SENT_TAKEN) {
		struct named_step *last = named_steps_create(&flows->steps, child, step, NULL);

		last->publish_ns = send->publish_ns;
		last->take_ns = send->take_ns;
		if (child->end) {
			complete(flows, child, last, send->take_ns);
		} else {
			break_off(flows, child, last, NAMED_UNKNOWN, NAMED_NO_TIME);
		}
		named_steps_release(&flows->steps, last);
	} else if (send->fate != NAMED_SENT_ON) {
		break_off(flows, child, step, send->fate == NAMED_SENT_LOST ? NAMED_LOST : NAMED_UNKNOWN,
			  send->publish_ns);
	}
}

/* Why nothing was published that would have gone on. */
static enum named_outcome outcome_of_rest(const struct named_flows *flows, const struct flow_execution *execution,
					  const struct named_way *child)
{
	if (!execution->is_complete && execution->kind != CALLBACK_KIND_INFERRED) {
		return NAMED_UNKNOWN;
	}
	/* a message that is still kept might have been used */
	return child->is_kept && flow_linker_has_ended(flows->linker) ? NAMED_UNKNOWN : NAMED_STOPPED;
}

static void finish_step(struct named_flows *flows, const struct flow_execution *execution,
			const struct named_carry *carry, struct named_step *step)
{
	struct named_way *way = step->way;

	if (way->end) {
		if (way->has_last_callback && execution->is_complete) {
			complete(flows, way, step, execution->end_ns);
		} else if (way->has_last_callback) {
			break_off(flows, way, step, NAMED_UNKNOWN, NAMED_NO_TIME);
		}
		return;
	}
	for (unsigned int i = 0; i < carry->send_count; i++) {
		const struct named_send *send = &carry->sends[i];
		struct named_way *child = named_ways_next(&flows->ways, way, send->publisher, send->subscription);

		if (child) {
			settle_send(flows, step, child, send);
		}
	}
	for (guint i = 0; i < way->children->len; i++) {
		struct named_way *child = g_ptr_array_index(way->children, i);

		if (!named_step_went(step, child)) {
			break_off(flows, child, step, outcome_of_rest(flows, execution, child), NAMED_NO_TIME);
		}
	}
}

static void on_finished(void *data, struct flow_execution *execution, bool is_continued)
{
	struct named_flows *flows = data;
	struct named_carry *carry = execution->named_data;

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
			named_path_set_reason(path, named_reason_of(&flows->ways, path));
		}
	}
	named_reasons_add_patterns(&flows->ways);
}

void named_flows_diagnose(const struct named_flows *flows, struct diagnostics *findings)
{
	architecture_differences_add(&flows->ways, &flows->publishing, findings);
}

/* --- life --- */

struct named_flows *named_flows_create(const struct analysis_context *context, struct named_results *results)
{
	struct named_flows *flows = g_new0(struct named_flows, 1);

	flows->model = context->model;
	flows->linker = context->flows;
	flows->results = results;
	flows->links = architecture_links_of(results->asked);
	flows->settled_ways = g_ptr_array_new();
	flows->points = g_new(struct named_point, NAMED_DEPTH_MAX);
	named_ways_init(&flows->ways, context, results, flows->links);
	named_steps_init(&flows->steps, context);
	flow_linker_add_rules(context->flows, (const struct link_rule *)(const void *)flows->links->data,
			      flows->links->len);
	flow_linker_add_listener(context->flows, &(struct flow_listener){
							 .data = flows,
							 .delivered = on_delivered,
							 .expected = on_expected,
							 .settled = on_settled,
							 .resolved = on_resolved,
							 .finished = on_finished,
							 .released = on_released,
						 });
	return flows;
}

void named_flows_destroy(struct named_flows *flows)
{
	named_steps_clear(&flows->steps);
	named_ways_clear(&flows->ways);
	u64_map_clear(&flows->publishing);
	g_array_unref(flows->links);
	g_ptr_array_unref(flows->settled_ways);
	g_free(flows->points);
	g_free(flows);
}
