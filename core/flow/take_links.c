/* SPDX-License-Identifier: MIT */
#include "core/flow/take_links.h"

#include "core/flow/breaks.h"
#include "core/flow/channels.h"
#include "core/flow/conclusions.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/notes.h"
#include "core/flow/resolve.h"
#include "core/flow/settle.h"
#include "core/flow/topic_counts.h"
#include "ros2bt/base/time_units.h"

/* --- which publication --- */

/* Whether the process of the publication has run since the subscription began, which keeps the topic alive. */
static bool agnocast_counts_on(struct flow_linker *linker, const struct linked_publication *publication,
			       const struct flow_take *take)
{
	return publication->public.first_ns >= take->delivery.subscription->since_ns ||
	       flow_process(linker, publication->public.process)->recorded.last_ns >=
		       take->delivery.subscription->since_ns;
}

/* Agnocast counts the messages of a topic on each machine. */
static bool agnocast_fits(struct flow_linker *linker, const struct linked_publication *publication,
			  const struct flow_take *take)
{
	return publication->is_agnocast && publication->sequence_number == take->sequence_number &&
	       publication->queue && publication->queue->topic &&
	       publication->queue->topic->name == take->delivery.subscription->topic &&
	       recording_process(linker->recording, publication->public.process)->host ==
		       recording_process(linker->recording, take->delivery.subscription->process)->host &&
	       agnocast_counts_on(linker, publication, take);
}

/*
 * Whether the client is the one that the key names. If its definition is lost, it seems to be an earlier one at its
 * address, which counted alike: then a request may seem to be taken long before it is sent, or a response is that of
 * another one if events of the process may be missing since.
 */
static bool is_of_same_client(struct flow_linker *linker, const struct linked_publication *publication,
			      const struct flow_take *take)
{
	const struct flow_publication *public = &publication->public;

	if (take->is_response) {
		return !flow_breaks_overlap(linker, flow_process(linker, take->delivery.client->process),
					    public->first_ns, take->delivery.take_ns);
	}
	return public->first_ns <= add_saturated(take->delivery.take_ns, FLOW_OUT_OF_ORDER_NS) ||
	       !take->delivery.service ||
	       recording_process(linker->recording, public->process)->host !=
		       recording_process(linker->recording, take->delivery.service->process)->host;
}

/* Of a service, or of Agnocast. */
static G_GNUC_NO_INLINE bool call_fits(struct flow_linker *linker, const struct linked_publication *publication,
				       const struct flow_take *take)
{
	const struct flow_publication *public = &publication->public;
	bool is_response = public->service != NULL;

	if (take->delivery.subscription) {
		return agnocast_fits(linker, publication, take);
	}
	return publication->client_gid == take->client_gid && publication->sequence_number == take->sequence_number &&
	       is_response == take->is_response && (public->client || public->service) &&
	       is_of_same_client(linker, publication, take);
}

static inline bool fits(struct flow_linker *linker, const struct linked_publication *publication,
			const struct flow_take *take)
{
	const struct flow_publication *public = &publication->public;

	if (take->client_gid) {
		return call_fits(linker, publication, take);
	}
	if (public->client || public->service || !publication->queue) {
		return false;
	}
	return (!take->delivery.subscription->topic || !publication->queue->topic ||
		publication->queue->topic->name == take->delivery.subscription->topic) &&
	       !publication->is_agnocast;
}

static struct linked_publication *find(struct flow_linker *linker, const struct flow_take *take, bool *is_ambiguous)
{
	struct linked_publication *found = NULL;

	*is_ambiguous = false;
	for (struct linked_publication *p = u64_map_get_pointer(&linker->by_key, take->key); p; p = p->next_with_key) {
		if (!fits(linker, p, take)) {
			continue;
		}
		if (found) {
			*is_ambiguous = true;
			found->is_ambiguous = true;
			p->is_ambiguous = true;
			return NULL;
		}
		found = p;
	}
	return found;
}

static const char *name_of(const struct flow_take *take)
{
	const struct flow_delivery *taken = &take->delivery;
	bool is_request = !take->is_response && taken->service;
	const char *name = taken->subscription ? taken->subscription->topic : is_request ? taken->service->name : NULL;

	return name ? name : "";
}

static void mark_unlinked(struct flow_linker *linker, const struct flow_take *take)
{
	if (take->delivery.subscription) {
		flow_subscription_set_unlinked_take(linker, take->delivery.subscription, take->delivery.take_ns);
	}
}

/* The take is decided; NULL: not linked. */
static void count(struct flow_linker *linker, const struct flow_take *take,
		  const struct linked_publication *publication)
{
	if (take->delivery.subscription && take->delivery.subscription->is_defined) {
		linker->counts.takes++;
		linker->counts.linked_takes += publication != NULL;
		linker->counts.inferred_takes += publication && publication->public.is_stamp_inferred;
	}
}

/* --- deliveries --- */

/* Its subscription has the message, or will receive it through a ring buffer: rclcpp discards this copy (take.h). */
static G_GNUC_NO_INLINE void discard(struct flow_linker *linker, struct linked_publication *publication,
				     struct linked_execution *execution)
{
	flow_conclude_check(linker, publication);
	if (execution) {
		flow_resolve_now(linker, execution);
	}
}

void take_links_deliver(struct flow_linker *linker, struct linked_publication *publication, struct flow_delivery *take,
			struct flow_channel *channel)
{
	struct linked_delivery *delivery = flow_channels_find_delivery(publication, take->subscription, channel);

	if (delivery ? delivery->public.outcome == FLOW_RECEIVED || delivery->public.is_intra_process
		     : flow_channels_have_received(publication, take->subscription)) {
		discard(linker, publication, (struct linked_execution *)take->execution);
		return;
	}
	take->is_inferred = publication->public.is_stamp_inferred;
	take->publication = &publication->public;
	if (delivery) {
		take->outcome = delivery->public.outcome;
		take->is_kept = true;
		delivery->public = *take;
	}
	flow_settle_delivered(linker, delivery ? &delivery->public : take, channel);
}

void take_links_size_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t bytes)
{
	if (!publication->is_sized) {
		FLOW_TELL(&linker->hearers, sized, &publication->public, bytes);
	}
	publication->is_sized = true;
}

/* --- takes that wait --- */

/* Ends the wait, with a publication or without. The entry stays in the queue until it is the first. */
static void end_wait(struct flow_linker *linker, struct waiting_take *take, struct linked_publication *publication,
		     bool is_ambiguous)
{
	struct linked_execution *execution = (struct linked_execution *)take->take.delivery.execution;

	waiting_take_end(linker, take);
	if (take->note) {
		flow_note_set(take->note, publication);
		flow_note_release(linker, take->note);
		take->note = NULL;
	}
	count(linker, &take->take, publication);
	if (publication && take->bytes > 0) {
		take_links_size_is_known(linker, publication, take->bytes);
	}
	if (!publication) {
		mark_unlinked(linker, &take->take);
		flow_topic_counts_add(linker,
				      is_ambiguous ? DIAGNOSTIC_AMBIGUOUS_LINK : DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION,
				      name_of(&take->take), 1);
	}
	if (take->thread) {
		/* Its callback has not started yet. */
		take->thread->pending.waiting = NULL;
		take->thread->pending.publication = publication ? linked_publication_take_in_hand(publication) : NULL;
		take->thread = NULL;
		return;
	}
	if (publication) {
		take_links_deliver(linker, publication, &take->take.delivery, NULL);
	} else if (execution) {
		flow_resolve_now(linker, execution);
	}
	if (execution) {
		take->take.delivery.execution = NULL;
		linked_execution_release(linker, execution);
	}
}

/* The publication has its key now. */
static G_GNUC_NO_INLINE void link_waiting(struct flow_linker *linker, struct linked_publication *publication,
					  uint64_t key)
{
	struct waiting_take *next;

	for (struct waiting_take *take = u64_map_get_pointer(&linker->waiting_by_key, key); take; take = next) {
		bool is_ambiguous;
		struct linked_publication *found;

		next = take->next_with_key;
		if (!fits(linker, publication, &take->take)) {
			continue;
		}
		found = find(linker, &take->take, &is_ambiguous);
		if (found || is_ambiguous) {
			end_wait(linker, take, found, is_ambiguous);
		}
	}
}

void take_links_stamp_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp)
{
	if (linked_publication_set_stamp(linker, publication, stamp) && G_UNLIKELY(linker->waiting_first)) {
		link_waiting(linker, publication, stamp);
	}
}

void take_links_key_is_known(struct flow_linker *linker, struct linked_publication *publication, uint64_t key)
{
	if (linked_publication_set_key(linker, publication, key)) {
		link_waiting(linker, publication, key);
	}
}

/* --- stamps that are not recorded --- */

static bool is_inferable(const struct flow_take *take)
{
	return take->delivery.subscription && take->delivery.subscription->topic && !take->client_gid;
}

/* Whether a message with this stamp was taken before the publication, as the clock of their host proves. */
static bool is_taken_before(struct flow_linker *linker, const struct linked_publication *publication, uint64_t stamp)
{
	const struct flow_publication *public = &publication->public;
	uint32_t host = recording_process(linker->recording, public->process)->host;
	const struct waiting_take *take = u64_map_get_pointer(&linker->waiting_by_key, stamp);

	while (take &&
	       !(take->take.delivery.take_ns < public->first_ns && fits(linker, publication, &take->take) &&
		 recording_process(linker->recording, take->take.delivery.subscription->process)->host == host)) {
		take = take->next_with_key;
	}
	return take != NULL;
}

/* Links the publications whose stamps were found. */
static void link_inferred(struct flow_linker *linker)
{
	struct linked_publication *publication;
	uint64_t stamp;

	while ((publication = inferred_stamps_next(linker, &stamp)) != NULL) {
		if (!is_taken_before(linker, publication, stamp)) {
			publication->public.is_stamp_inferred = true;
			take_links_stamp_is_known(linker, publication, stamp);
		}
	}
}

void take_links_infer_due(struct flow_linker *linker)
{
	inferred_stamps_advance(linker);
	link_inferred(linker);
}

/* Finds the publication by stamp, of which there is one most often, or by inference where no stamps are recorded. */
static struct linked_publication *look_up(struct flow_linker *linker, const struct flow_take *take, bool *is_ambiguous)
{
	struct linked_publication *publication = u64_map_get_pointer(&linker->by_key, take->key);

	*is_ambiguous = false;
	if (G_LIKELY(publication && !publication->next_with_key && fits(linker, publication, take))) {
		return publication;
	}
	publication = find(linker, take, is_ambiguous);
	if (publication || *is_ambiguous || !is_inferable(take)) {
		return publication;
	}
	inferred_stamps_take(linker, take);
	link_inferred(linker);
	return find(linker, take, is_ambiguous);
}

struct waiting_take *take_links_begin(struct flow_linker *linker, const struct flow_take *take,
				      struct linked_publication **publication)
{
	bool is_ambiguous;

	*publication = look_up(linker, take, &is_ambiguous);
	if (!*publication && !is_ambiguous) {
		return waiting_take_add(linker, take);
	}
	count(linker, take, *publication);
	if (is_ambiguous) {
		mark_unlinked(linker, take);
		flow_topic_counts_add(linker, DIAGNOSTIC_AMBIGUOUS_LINK, name_of(take), 1);
	}
	return NULL;
}

/* --- the end of a wait --- */

static void pop_waiting(struct flow_linker *linker)
{
	struct waiting_take *take = linker->waiting_first;

	if (!take->is_done) {
		bool is_ambiguous;
		struct linked_publication *publication = find(linker, &take->take, &is_ambiguous);

		if (!publication && !is_ambiguous && is_inferable(&take->take)) {
			is_ambiguous = inferred_stamps_is_ambiguous(linker, &take->take);
		}
		end_wait(linker, take, publication, is_ambiguous);
	}
	waiting_take_remove_first(linker);
}

/* A take that has waited for longer than an inference needs may be of any publication, until it is linked. */
static void mark_waiting(struct flow_linker *linker)
{
	struct waiting_take *take;

	while ((take = linker->waiting_unnoted) != NULL &&
	       take->take.delivery.take_ns + MATCHER_SETTLE_NS < linker->now_ns) {
		if (!take->is_done) {
			mark_unlinked(linker, &take->take);
		}
		linker->waiting_unnoted = take->next;
	}
}

void take_links_expire(struct flow_linker *linker)
{
	mark_waiting(linker);
	while (linker->waiting_first &&
	       (linker->waiting_first->is_done || linker->waiting_first->deadline_ns <= linker->now_ns)) {
		pop_waiting(linker);
	}
}

void take_links_finish(struct flow_linker *linker)
{
	inferred_stamps_finish(linker);
	link_inferred(linker);
	inferred_stamps_diagnose(linker);
	while (linker->waiting_first) {
		pop_waiting(linker);
	}
}
