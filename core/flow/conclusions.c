/* SPDX-License-Identifier: MIT */
#include "core/flow/conclusions.h"

#include "core/flow/channels.h"
#include "core/flow/linked_executions.h"
#include "core/flow/resolve.h"

/* --- reports to the listeners --- */

static void report_expected(struct flow_linker *linker, const struct linked_publication *publication,
			    const struct flow_delivery *delivery, enum flow_outcome outcome)
{
	FLOW_TELL(&linker->hearers, expected, &publication->public, delivery->subscription, outcome);
	if (outcome != FLOW_RECEIVED) {
		FLOW_TELL(&linker->hearers, missed, &publication->public, delivery->subscription,
			  delivery->is_intra_process, outcome);
	}
}

static enum flow_outcome outcome_of(const struct linked_delivery *delivery, bool is_end_of_trace)
{
	if (delivery->public.is_reported) {
		return FLOW_RECEIVED;
	}
	if (delivery->public.outcome == FLOW_RECEIVED) {
		/* Still in its ring buffer. */
		return is_end_of_trace ? FLOW_IN_FLIGHT : FLOW_UNKNOWN;
	}
	return delivery->public.outcome;
}

/*
 * The first delivery with an outcome that listeners hear of; NULL: there is none. Those between processes are made when
 * they are reported, but for the missing ones, which follow those from before the publication was settled: most need
 * not be touched again.
 */
static const struct linked_delivery *first_told(const struct flow_linker *linker,
						const struct linked_publication *publication)
{
	if (linker->hearers.expected.call || publication->public.has_intra_leg) {
		return publication->deliveries;
	}
	return publication->missing > 0 ? publication->first_missing : NULL;
}

/*
 * What is latched hardly needs its deliveries. Only between hosts does anyone ask for their times (outcome.c): an
 * execution that handles the message has been resolved, and so no longer refers to its delivery, unless it waited.
 */
static inline void forget_deliveries(struct flow_linker *linker, struct linked_publication *publication)
{
	if (publication->queue && publication->received == publication->queue->channel_count &&
	    !publication->public.has_intra_leg && !publication->has_kept_waiting &&
	    recording_host_count(linker->recording) <= 1) {
		publication->has_reached_all = true;
		linked_publication_give_deliveries(linker, publication);
	}
}

static G_GNUC_NO_INLINE void report_outcomes(struct flow_linker *linker, const struct linked_publication *publication,
					     const struct linked_delivery *first, bool is_end_of_trace)
{
	for (const struct linked_delivery *delivery = first; delivery; delivery = delivery->next) {
		if (delivery->public.subscription) {
			report_expected(linker, publication, &delivery->public, outcome_of(delivery, is_end_of_trace));
		}
	}
}

/* In line, since nearly all publications are concluded when they are settled. */
static inline __attribute__((always_inline)) void conclude(struct flow_linker *linker,
							   struct linked_publication *publication, bool is_end_of_trace)
{
	const struct linked_delivery *first = first_told(linker, publication);

	publication->public.is_concluded = true;
	if (first) {
		report_outcomes(linker, publication, first, is_end_of_trace);
	}
	if (publication->queue) {
		FLOW_TELL(&linker->hearers, concluded, &publication->public);
	}
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		flow_resolve_await_less(linker, (struct linked_execution *)publication->public.parents[i]);
	}
	if (!is_end_of_trace) {
		forget_deliveries(linker, publication);
	}
}

/* --- when --- */

static bool is_certain(const struct linked_publication *publication)
{
	return publication->in_hand == 0 && publication->undelivered_slots == 0 &&
	       (publication->missing == 0 || publication->is_forgotten);
}

void flow_conclude(struct flow_linker *linker, struct linked_publication *publication, bool is_end_of_trace)
{
	if (is_end_of_trace || is_certain(publication)) {
		conclude(linker, publication, is_end_of_trace);
		return;
	}
	publication->is_unconcluded = true;
	publication_list_append(&linker->unconcluded, linked_publication_reference(publication));
}

/* Of a publication in the list of the unconcluded ones. */
static G_GNUC_NO_INLINE void end_wait(struct flow_linker *linker, struct linked_publication *publication,
				      bool is_end_of_trace)
{
	publication->is_unconcluded = false;
	publication_list_remove(&linker->unconcluded, publication);
	conclude(linker, publication, is_end_of_trace);
	linked_publication_release(linker, publication);
}

void flow_conclude_if_certain(struct flow_linker *linker, struct linked_publication *publication)
{
	if (is_certain(publication)) {
		end_wait(linker, publication, false);
	}
}

void flow_conclude_arrived(struct flow_linker *linker, struct linked_publication *publication,
			   struct flow_delivery *delivery)
{
	if (publication->public.is_concluded) {
		/* To a subscription that the publisher had not met. */
		if (delivery->subscription) {
			report_expected(linker, publication, delivery, FLOW_RECEIVED);
		}
		return;
	}
	if (delivery->outcome != FLOW_RECEIVED && !delivery->is_intra_process) {
		publication->missing--;
	}
	delivery->outcome = FLOW_RECEIVED;
	flow_conclude_check(linker, publication);
}

void flow_conclude_all(struct flow_linker *linker)
{
	while (linker->unconcluded.oldest) {
		end_wait(linker, linker->unconcluded.oldest, true);
	}
}
