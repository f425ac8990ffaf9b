/* SPDX-License-Identifier: MIT */
#include "core/flow/outcome.h"

#include "core/base/arena.h"
#include "core/flow/breaks.h"
#include "core/flow/polled_takes.h"

/* The first publication that a subscription received after a missing one. */
struct received_later {
	uint64_t sequence;
	int64_t take_ns;
	int64_t polled_since_ns; /* flow_delivery.polled_since_ns of it; INT64_MAX: not taken by hand */
};

static int64_t taken_at(const struct flow_delivery *delivery)
{
	return delivery->has_take ? delivery->take_ns : delivery->callback_start_ns;
}

/*
 * The first later message that the subscription received: its delivery is kept, since the subscription has not received
 * the message before it. Later messages settle after this one. NULL: none.
 */
static const struct received_later *find_next(struct flow_linker *linker, const struct flow_channel *channel,
					      const struct linked_publication *publication)
{
	uint64_t key = (uintptr_t)channel;
	struct received_later *found = u64_map_get_pointer(&linker->received_later, key);

	if (channel->last <= publication->sequence) {
		return NULL;
	}
	if (found && found->sequence > publication->sequence) {
		return found;
	}
	for (const struct linked_publication *later = publication->next_of_publisher; later;
	     later = later->next_of_publisher) {
		const struct linked_delivery *delivery = linked_publication_delivery_to(later, channel->subscription);

		if (delivery && delivery->public.is_reported && !delivery->public.is_intra_process) {
			if (!found) {
				found = arena_take_packed(recording_arena(linker->recording), sizeof(*found));
				u64_map_set_pointer(&linker->received_later, key, found);
			}
			*found = (struct received_later){
				.sequence = later->sequence,
				.take_ns = taken_at(&delivery->public),
				.polled_since_ns =
					delivery->public.is_polled ? delivery->public.polled_since_ns : INT64_MAX,
			};
			return found;
		}
	}
	return NULL;
}

/* When the subscription took the message before this one; INT64_MIN: no longer known. */
static int64_t previous_take_ns(const struct linked_publication *publication, const struct flow_channel *channel)
{
	int64_t take_ns = INT64_MIN;

	for (const struct linked_publication *earlier = publication->queue->latched_first; earlier;
	     earlier = earlier->next_of_publisher) {
		const struct linked_delivery *delivery = linked_publication_delivery_to(earlier, channel->subscription);

		if (delivery && delivery->public.is_reported && !delivery->public.is_intra_process) {
			take_ns = taken_at(&delivery->public);
		}
	}
	return take_ns;
}

/* Whether takes do not find the publication: it may be mistaken for another one, or its write was not recorded. */
static bool is_hidden(const struct linked_publication *publication)
{
	return publication->is_ambiguous ||
	       (!publication->is_agnocast && !publication->public.has_stamp && !publication->stampless);
}

/*
 * Whether a take of the subscription without a publication may have taken this message, at begin_ns or later: it may
 * still wait, or have ended its wait before the stamp was inferred.
 */
static bool may_be_unlinked(const struct flow_linker *linker, const struct linked_publication *publication,
			    const struct flow_channel *channel, int64_t begin_ns)
{
	const struct flow_publication *public = &publication->public;

	return !publication->is_agnocast && (!public->has_stamp || public->is_stamp_inferred) &&
	       flow_subscription_unlinked_take_ns(linker, channel->subscription) >= begin_ns;
}

/* Without vpids, handles of several processes may be mistaken for one another. */
static bool is_of_known_processes(const struct flow_linker *linker, const struct linked_publication *publication,
				  const struct flow_channel *channel)
{
	return recording_process(linker->recording, publication->public.process)->has_vpid &&
	       recording_process(linker->recording, channel->subscription->process)->has_vpid;
}

/* Whether the next take is one by hand, of the only message that the subscription keeps (polled_takes.h). */
static bool may_be_overwritten(const struct flow_channel *channel, const struct received_later *later)
{
	return channel->subscription->queue_depth == 1 && later->polled_since_ns != INT64_MAX;
}

enum flow_outcome flow_outcome_of_missed(struct flow_linker *linker, const struct linked_publication *publication,
					 const struct flow_channel *channel, bool is_end_of_trace)
{
	const struct flow_process *process = flow_process(linker, channel->subscription->process);
	int64_t begin_ns = publication->public.first_ns;
	bool is_of_one_clock = recording_process(linker->recording, publication->public.process)->host ==
			       recording_process(linker->recording, channel->subscription->process)->host;
	const struct received_later *later;

	if (publication->sequence < channel->first || process->recorded.last_ns < begin_ns) {
		return FLOW_NOT_EXPECTED;
	}
	if (!is_end_of_trace && is_hidden(publication)) {
		return FLOW_UNKNOWN; /* whatever was received later: in a recording without takes, all are */
	}
	later = find_next(linker, channel, publication);
	if (!later) {
		return is_end_of_trace ? FLOW_IN_FLIGHT : FLOW_UNKNOWN;
	}
	if (!is_of_one_clock) {
		begin_ns = MIN(begin_ns, previous_take_ns(publication, channel));
	}
	if (is_hidden(publication) || !is_of_known_processes(linker, publication, channel) ||
	    may_be_unlinked(linker, publication, channel, begin_ns) ||
	    (linker->has_takes && !polled_takes_are_recorded(channel->subscription)) ||
	    flow_breaks_overlap(linker, process, begin_ns, later->take_ns + FLOW_OUT_OF_ORDER_NS)) {
		return FLOW_UNKNOWN;
	}
	if (publication->is_agnocast && later->polled_since_ns != INT64_MAX) {
		return FLOW_UNKNOWN; /* the record of the subscription has no room for its queue depth */
	}
	if (!may_be_overwritten(channel, later)) {
		return FLOW_LOST;
	}
	if (!is_of_one_clock) {
		return FLOW_UNKNOWN;
	}
	return publication->public.first_ns >= later->polled_since_ns ? FLOW_OVERWRITTEN : FLOW_LOST;
}

enum flow_outcome flow_outcome_of_dropped(struct flow_linker *linker, const struct flow_publication *publication,
					  bool was_free)
{
	const struct flow_process *process = flow_process(linker, publication->process);

	return was_free || flow_breaks_overlap(linker, process, publication->first_ns, linker->now_ns) ? FLOW_UNKNOWN
												       : FLOW_LOST;
}
