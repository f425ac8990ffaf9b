/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_messages.h"

#include "core/base/arena_parts.h"

void named_messages_init(struct named_messages *messages, const struct analysis_context *context,
			 struct named_ways *ways, struct named_steps *steps, struct named_endings *endings)
{
	struct arena *arena = recording_arena(context->recording);

	*messages = (struct named_messages){
		.linker = context->flows,
		.ways = ways,
		.steps = steps,
		.endings = endings,
		.reported_ways = arena_pointers(arena),
	};
	arena_map(arena, &messages->publishing);
}

/* The first parents of a publication are candidates until the end of the recording; the others are certain. */
static size_t certain_parents(const struct named_messages *messages, const struct flow_publication *publication)
{
	return flow_linker_candidate_count(messages->linker, publication->candidates);
}

/* Ends the flow that begins with a publication, if its message did not carry it on. */
static void end_first(struct named_messages *messages, const struct flow_publication *publication,
		      struct named_way *first, struct named_way *way, const struct named_send *send)
{
	struct named_step *step =
		send->fate == NAMED_SENT_ON ? NULL : named_steps_begin(messages->steps, first, publication);

	if (step) {
		named_endings_by_send(messages->endings, step, way, send);
		named_steps_release(messages->steps, step);
	}
}

/* Notes that the publication was reported on a way. All reports of a publication arrive one after the other. */
static void note_report(struct named_messages *messages, const struct flow_publication *publication,
			struct named_way *way)
{
	if (messages->reported_id != publication->id) {
		messages->reported_id = publication->id;
		g_ptr_array_set_size(messages->reported_ways, 0);
	}
	g_ptr_array_add(messages->reported_ways, way);
}

static void report_first(struct named_messages *messages, const struct flow_publication *publication,
			 const struct named_send *send)
{
	const GPtrArray *ways = named_ways_from_publisher(messages->ways, publication->publisher);

	for (guint i = 0; i < ways->len; i++) {
		struct named_way *first = g_ptr_array_index(ways, i);
		struct named_way *way =
			named_ways_next(messages->ways, first, publication->publisher, send->subscription);

		if (way) {
			end_first(messages, publication, first, way, send);
			if (send->fate != NAMED_SENT_TAKEN) {
				note_report(messages, publication, way);
			}
		}
	}
}

static void add_sends(struct named_messages *messages, const struct flow_publication *publication,
		      const struct named_send *send)
{
	for (size_t i = certain_parents(messages, publication); i < publication->parent_count; i++) {
		struct named_carry *carry = named_steps_carry(messages->steps, publication->parents[i]);

		if (!carry->is_finished) {
			named_steps_add_send(messages->steps, carry, send);
		}
	}
}

void named_messages_delivered(struct named_messages *messages, const struct flow_delivery *delivery)
{
	const struct flow_publication *publication = delivery->publication;

	if (delivery->execution || !delivery->subscription || !delivery->has_take || !publication->publisher ||
	    !named_ways_may_pass(messages->ways, publication->publisher)) {
		return;
	}
	const struct named_send send = {
		.fate = NAMED_SENT_TAKEN,
		.publisher = publication->publisher,
		.subscription = delivery->subscription,
		.publish_ns = publication->first_ns,
		.take_ns = delivery->take_ns,
	};

	report_first(messages, publication, &send);
	add_sends(messages, publication, &send);
}

static enum named_fate fate_of(enum flow_outcome outcome)
{
	switch (outcome) {
	case FLOW_RECEIVED:
		return NAMED_SENT_ON;
	case FLOW_LOST:
		return NAMED_SENT_LOST;
	case FLOW_OVERWRITTEN:
		return NAMED_SENT_OVERWRITTEN;
	default:
		return NAMED_SENT_UNKNOWN;
	}
}

void named_messages_expected(struct named_messages *messages, const struct flow_publication *publication,
			     const struct model_subscription *subscription, enum flow_outcome outcome)
{
	if (!publication->publisher || !named_ways_may_pass(messages->ways, publication->publisher)) {
		return;
	}
	const struct named_send send = {
		.fate = fate_of(outcome),
		.publisher = publication->publisher,
		.subscription = subscription,
		.publish_ns = publication->first_ns,
	};

	report_first(messages, publication, &send);
	add_sends(messages, publication, &send);
}

/* Adds a break if flows may be missing since the last one. */
static void add_break(struct named_messages *messages, const struct flow_publication *publication,
		      struct named_way *first)
{
	if (first->last_origin_ns != NAMED_NO_TIME && first->last_origin_ns < publication->first_ns &&
	    flow_linker_may_miss(messages->linker, publication->process, first->last_origin_ns,
				 publication->first_ns)) {
		for (guint i = 0; i < first->paths->len; i++) {
			named_path_add_break(g_ptr_array_index(first->paths, i), publication->first_ns);
		}
	}
	first->last_origin_ns = MAX(first->last_origin_ns, publication->first_ns);
}

/* Whether its messages may carry the flow on. */
static bool may_go_on(struct named_messages *messages, const struct flow_publication *publication,
		      const struct named_way *first)
{
	for (guint i = 0; i < first->children->len; i++) {
		if (named_ways_leaves_by(messages->ways, g_ptr_array_index(first->children, i),
					 publication->publisher)) {
			return true;
		}
	}
	return false;
}

/* Subscriptions without a report are unknown: the recording may not show them, or not yet. */
static void end_rest(struct named_messages *messages, const struct flow_publication *publication,
		     struct named_way *first)
{
	bool is_reported = messages->reported_id == publication->id;

	for (guint i = 0; i < first->children->len; i++) {
		struct named_way *way = g_ptr_array_index(first->children, i);

		if (named_ways_leaves_by(messages->ways, way, publication->publisher) &&
		    !(is_reported && g_ptr_array_find(messages->reported_ways, way, NULL))) {
			end_first(messages, publication, first, way,
				  &(struct named_send){ .fate = NAMED_SENT_UNKNOWN,
							.publish_ns = publication->first_ns });
		}
	}
}

/* Counts the callback that published, to compare with the architecture. */
static void count_publishing(struct named_messages *messages, const struct flow_publication *publication)
{
	if (publication->has_direct_parent && messages->ways->results->asked->architecture) {
		u64_map_count(&messages->publishing,
			      (uint64_t)publication->publisher->index << 32 | publication->parents[0]->callback->index,
			      1);
	}
}

void named_messages_settled(struct named_messages *messages, const struct flow_publication *publication)
{
	const GPtrArray *ways;

	if (!publication->publisher || !named_ways_may_pass(messages->ways, publication->publisher)) {
		return;
	}
	count_publishing(messages, publication);
	ways = named_ways_from_publisher(messages->ways, publication->publisher);
	for (guint i = 0; i < ways->len; i++) {
		struct named_way *first = g_ptr_array_index(ways, i);

		if (may_go_on(messages, publication, first)) {
			first->arrivals++;
			add_break(messages, publication, first);
		}
	}
}

void named_messages_concluded(struct named_messages *messages, const struct flow_publication *publication)
{
	const GPtrArray *ways;

	if (!publication->publisher || !named_ways_may_pass(messages->ways, publication->publisher)) {
		return;
	}
	ways = named_ways_from_publisher(messages->ways, publication->publisher);
	for (guint i = 0; i < ways->len; i++) {
		end_rest(messages, publication, g_ptr_array_index(ways, i));
	}
	add_sends(messages, publication,
		  &(struct named_send){
			  .fate = NAMED_SENT_OUT,
			  .publisher = publication->publisher,
			  .publish_ns = publication->first_ns,
		  });
}
