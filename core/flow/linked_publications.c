/* SPDX-License-Identifier: MIT */
#include "core/flow/linked_publications.h"

#include "core/base/memory_layout.h"
#include "core/flow/endpoints.h"
#include "core/flow/linked_executions.h"

void publication_list_append(struct publication_list *list, struct linked_publication *publication)
{
	publication->older = list->newest;
	if (list->newest) {
		list->newest->newer = publication;
	} else {
		list->oldest = publication;
	}
	list->newest = publication;
}

void publication_list_remove(struct publication_list *list, struct linked_publication *publication)
{
	if (publication->older) {
		publication->older->newer = publication->newer;
	} else {
		list->oldest = publication->newer;
	}
	if (publication->newer) {
		publication->newer->older = publication->older;
	} else {
		list->newest = publication->older;
	}
	publication->older = NULL;
	publication->newer = NULL;
}

struct linked_publication *linked_publication_create(struct flow_linker *linker, struct flow_thread *thread,
						     int64_t time_ns)
{
	struct linked_publication *publication = OBJECT_POOL_TAKE(&linker->publications, struct linked_publication);

	publication->references = 1;
	publication->is_open = true;
	publication->public.id = ++linker->next_id;
	publication->public.first_ns = time_ns;
	publication->public.last_ns = time_ns;
	publication->public.thread = thread->index;
	publication->public.process = thread->process_index;
	publication_list_append(&linker->unsettled, linked_publication_reference(publication));
	flow_linker_wake_aged(linker,
			      ++linker->counts.live_publications > FLOW_LIVE_MAX ? INT64_MIN : time_ns + FLOW_AGE_NS);
	return publication;
}

void linked_publication_give_deliveries(struct flow_linker *linker, struct linked_publication *publication)
{
	if (publication->deliveries) {
		publication->last_delivery->next = linker->spare_deliveries;
		linker->spare_deliveries = publication->deliveries;
		publication->deliveries = publication->last_delivery = NULL;
	}
}

void linked_publication_free(struct flow_linker *linker, struct linked_publication *publication)
{
	for (size_t i = 0; i < publication->public.parent_count; i++) {
		linked_execution_release(linker, (struct linked_execution *)publication->public.parents[i]);
	}
	if (publication->public.parents != &publication->only_parent) {
		g_free(publication->public.parents);
	}
	linked_publication_give_deliveries(linker, publication);
	linker->counts.live_publications--;
	object_pool_give(&linker->publications, publication);
}

/* The array doubles. Most publications have one parent at most, which needs no array. */
static void make_room_for_parent(struct linked_publication *publication)
{
	struct flow_publication *public = &publication->public;

	if (public->parent_count == 0) {
		public->parents = &publication->only_parent;
	} else if (public->parent_count == 1) {
		public->parents = g_new(struct flow_execution *, 2);
		public->parents[0] = publication->only_parent;
	} else if ((public->parent_count & (public->parent_count - 1)) == 0) {
		public->parents = g_renew(struct flow_execution *, public->parents, (gsize)2 * public->parent_count);
	}
}

void linked_publication_add_parent(struct flow_linker *linker, struct linked_publication *publication,
				   struct linked_execution *execution)
{
	struct flow_publication *public = &publication->public;

	for (size_t i = 0; i < public->parent_count; i++) {
		if (public->parents[i] == &execution->public) {
			return;
		}
	}
	if (public->parent_count == FLOW_PARENTS_MAX) {
		diagnostics_add(linker->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "origins of one publication", 1);
		return;
	}
	make_room_for_parent(publication);
	public->parents[public->parent_count++] = &linked_execution_reference(execution)->public;
	publication->has_marked_parents = false;
	if (!public->is_concluded) {
		execution->awaited++;
	}
}

void linked_publication_set_direct_parent(struct flow_linker *linker, struct linked_publication *publication,
					  struct linked_execution *execution)
{
	struct flow_publication *public = &publication->public;
	size_t place = 0;

	linked_publication_add_parent(linker, publication, execution);
	while (place < public->parent_count && public->parents[place] != &execution->public) {
		place++;
	}
	if (place == public->parent_count) {
		return;
	}
	for (; place > 0; place--) {
		public->parents[place] = public->parents[place - 1];
	}
	public->parents[0] = &execution->public;
	public->has_direct_parent = true;
}

void linked_publication_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
				      struct model_publisher *model)
{
	struct flow_publisher *publisher = flow_publisher(linker, model);

	publication->public.publisher = model;
	publication->sequence = ++publisher->sequence;
	publication->public.number = (uint32_t)publisher->sequence;
	publication->queue = publisher;
	publication->has_early_deliveries = publication->deliveries != NULL;
	linked_publication_append(&publisher->first, &publisher->last, linked_publication_reference(publication));
}

bool linked_publication_set_key(struct flow_linker *linker, struct linked_publication *publication, uint64_t key)
{
	if (publication->is_indexed || publication->is_forgotten) {
		return false;
	}
	publication->key = key;
	publication->is_indexed = true;
	publication->next_with_key =
		u64_map_set_pointer(&linker->by_key, key, linked_publication_reference(publication));
	return true;
}

bool linked_publication_set_stamp(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp)
{
	if (!linked_publication_set_key(linker, publication, stamp)) {
		return false;
	}
	publication->public.has_stamp = true;
	publication->public.source_timestamp = (int64_t)stamp;
	publication->is_waiting_for_stamp = false;
	return true;
}

void linked_publication_set_subscription(const struct linked_publication *publication, struct linked_delivery *delivery,
					 struct model_subscription *subscription)
{
	delivery->public.subscription = subscription;
	if (subscription) {
		linked_publication_reach(publication, subscription);
	}
}

/* With any content. */
static struct linked_delivery *take_delivery(struct flow_linker *linker)
{
	struct linked_delivery *delivery = linker->spare_deliveries;

	if (!delivery) {
		return object_pool_take_unset(&linker->deliveries);
	}
	linker->spare_deliveries = delivery->next;
	prefetch(delivery->next, sizeof(*delivery));
	return delivery;
}

struct linked_delivery *linked_publication_add_delivery(struct flow_linker *linker,
							struct linked_publication *publication,
							const struct flow_delivery *content)
{
	struct linked_delivery *delivery = take_delivery(linker);

	delivery->public = *content;
	delivery->public.publication = &publication->public;
	delivery->public.is_kept = true;
	delivery->next = NULL;
	if (publication->deliveries) {
		publication->last_delivery->next = delivery;
	} else {
		publication->deliveries = delivery;
	}
	publication->last_delivery = delivery;
	linked_publication_set_subscription(publication, delivery, content->subscription);
	return delivery;
}

/* Keeps those with its key but itself, of which `head` is the first. */
static G_GNUC_NO_INLINE void find_others(struct flow_linker *linker, const struct linked_publication *publication,
					 struct linked_publication *head)
{
	struct linked_publication **link = &head;

	g_assert(head);
	while (*link != publication) {
		link = &(*link)->next_with_key;
	}
	*link = publication->next_with_key;
	u64_map_set_pointer(&linker->by_key, publication->key, head);
}

void linked_publication_forget_key(struct flow_linker *linker, struct linked_publication *publication)
{
	struct linked_publication *head;

	if (!publication->is_indexed) {
		return;
	}
	head = u64_map_remove_pointer(&linker->by_key, publication->key); /* nearly always the only one */
	if (G_UNLIKELY(head != publication || publication->next_with_key)) {
		find_others(linker, publication, head);
	}
	publication->is_indexed = false;
	linked_publication_release(linker, publication);
}

struct linked_delivery *linked_publication_delivery_to(const struct linked_publication *publication,
						       const struct model_subscription *subscription)
{
	for (struct linked_delivery *delivery = publication->deliveries; delivery; delivery = delivery->next) {
		if (delivery->public.subscription == subscription) {
			return delivery;
		}
	}
	return NULL;
}
