/* SPDX-License-Identifier: MIT */
/*
 * Indirect links (links.h): the executions whose messages a node keeps, and the publications that use them.
 *
 * Both sides are looked up by object, once per object and set of links: a subscription knows whether any link keeps its
 * messages, a publisher knows the links it uses and, of each, the subscriptions. What is kept of a subscription is its
 * last ended execution.
 */
#include "core/flow/flow_internal.h"

#include <string.h>

/* A link of either origin. */
struct link {
	enum link_kind kind;
	const struct link_rule *rule; /* NULL: annotated */
	uint32_t process;	      /* annotated: whose handles these are */
	int64_t since_ns;
	const struct address_list *subscriptions, *publishers; /* in the pool */
	bool was_used;
};

/* What is kept of a subscription. */
struct subscription_cache {
	struct model_subscription *subscription;
	struct execution_node *last; /* reference and a count of `caches`, NULL if none yet */
	bool is_kept;		     /* by any link */
	uint64_t version;	     /* of the links when that was looked up, 0: not yet */
};

/* A link as a publisher uses it. */
struct cache_use {
	struct link *link;
	GPtrArray *subscriptions; /* struct model_subscription * */
	GArray *used;		  /* uint64_t: serial of the execution of each that was used last */
};

static void cache_use_clear(gpointer data)
{
	struct cache_use *use = data;

	g_ptr_array_free(use->subscriptions, TRUE);
	g_array_free(use->used, TRUE);
}

/* --- the links --- */

void flow_linker_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct link *link = g_new0(struct link, 1);

		link->kind = rules[i].kind;
		link->rule = &rules[i];
		g_ptr_array_add(linker->links, link);
	}
	linker->links_version++;
}

void flow_cache_feed(struct flow_linker *linker, const struct event_record *record)
{
	bool is_periodic = record->kind == EVENT_MESSAGE_LINK_PERIODIC_ASYNC;
	struct link link = {
		.kind = is_periodic ? LINK_PERIODIC_ASYNC : LINK_PARTIAL_SYNC,
		.process = recording_thread(linker->recording, record->thread)->process,
		.since_ns = record->time_ns,
		.subscriptions = (const struct address_list *)record_string(record, MESSAGE_LINK_PERIODIC_ASYNC__subs),
		.publishers = (const struct address_list *)record_string(record, MESSAGE_LINK_PERIODIC_ASYNC__pubs),
	};

	if (!link.subscriptions || !link.publishers) {
		return;
	}
	for (guint i = 0; i < linker->links->len; i++) {
		const struct link *other = g_ptr_array_index(linker->links, i);

		/* Recorded twice. Lists are interned: equal lists are one. */
		if (!other->rule && other->kind == link.kind && other->process == link.process &&
		    other->subscriptions == link.subscriptions && other->publishers == link.publishers) {
			return;
		}
	}
	g_ptr_array_add(linker->links, g_memdup2(&link, sizeof(link)));
	linker->links_version++;
}

static bool contains(const struct address_list *list, uint64_t address)
{
	for (uint64_t i = 0; i < list->count; i++) {
		if (list->address[i] == address) {
			return true;
		}
	}
	return false;
}

static bool is_name(const char *name, const char *wanted)
{
	return name && strcmp(name, wanted) == 0;
}

static bool link_keeps(struct flow_linker *linker, const struct link *link,
		       const struct model_subscription *subscription)
{
	if (link->rule) {
		return is_name(subscription->topic, link->rule->subscribed_topic) &&
		       is_name(object_model_subscription_node(linker->model, subscription), link->rule->node);
	}
	return subscription->process == link->process && contains(link->subscriptions, subscription->handle);
}

static bool link_is_used_by(struct flow_linker *linker, const struct link *link,
			    const struct model_publisher *publisher)
{
	if (link->rule) {
		return is_name(publisher->topic, link->rule->published_topic) &&
		       is_name(object_model_publisher_node(linker->model, publisher), link->rule->node);
	}
	return publisher->process == link->process && contains(link->publishers, publisher->handle);
}

/* --- keeping --- */

static struct subscription_cache *find_or_add_cache(struct flow_linker *linker, struct model_subscription *subscription)
{
	struct subscription_cache *cache;

	while (linker->caches->len <= subscription->index) {
		g_ptr_array_add(linker->caches, NULL);
	}
	cache = g_ptr_array_index(linker->caches, subscription->index);
	if (!cache) {
		cache = g_new0(struct subscription_cache, 1);
		cache->subscription = subscription;
		g_ptr_array_index(linker->caches, subscription->index) = cache;
	}
	return cache;
}

static void look_up_keeper(struct flow_linker *linker, struct subscription_cache *cache)
{
	uint64_t version = linker->links_version + object_model_version(linker->model);

	if (cache->version == version) {
		return;
	}
	cache->version = version;
	cache->is_kept = false;
	for (guint i = 0; i < linker->links->len && !cache->is_kept; i++) {
		cache->is_kept = link_keeps(linker, g_ptr_array_index(linker->links, i), cache->subscription);
	}
}

static void drop_last(struct flow_linker *linker, struct subscription_cache *cache)
{
	struct execution_node *last = cache->last;

	if (!last) {
		return;
	}
	cache->last = NULL;
	last->caches--;
	execution_check_finished(linker, last);
	execution_release(linker, last);
}

void flow_cache_keep(struct flow_linker *linker, struct execution_node *execution,
		     struct model_subscription *subscription)
{
	struct subscription_cache *cache;

	if (linker->links->len == 0) {
		return;
	}
	cache = find_or_add_cache(linker, subscription);
	look_up_keeper(linker, cache);
	if (!cache->is_kept) {
		return;
	}
	execution->caches++;
	execution_reference(execution);
	drop_last(linker, cache);
	cache->last = execution;
}

/* --- using --- */

static void insert_in_order(struct flow_linker *linker, GPtrArray *subscriptions,
			    struct model_subscription *subscription)
{
	guint place = subscriptions->len;

	while (place > 0 &&
	       flow_subscription_comes_before(linker, subscription, g_ptr_array_index(subscriptions, place - 1))) {
		place--;
	}
	g_ptr_array_insert(subscriptions, (gint)place, subscription);
}

static void add_use(struct flow_linker *linker, struct publisher *publisher, struct link *link)
{
	struct cache_use use = {
		.link = link,
		.subscriptions = g_ptr_array_new(),
		.used = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
	};
	size_t count = object_model_subscription_count(linker->model);

	for (size_t i = 0; i < count; i++) {
		struct model_subscription *subscription = object_model_subscription_at(linker->model, i);

		/* A rule is about one node: the publisher's own, if there are several of the name. */
		if (subscription->process == publisher->model->process && link_keeps(linker, link, subscription)) {
			insert_in_order(linker, use.subscriptions, subscription);
		}
	}
	g_array_set_size(use.used, use.subscriptions->len);
	g_array_append_val(publisher->caches, use);
	link->was_used = true;
}

/* Keeps what was used last when only other objects were defined meanwhile. */
static void look_up_uses(struct flow_linker *linker, struct publisher *publisher)
{
	uint64_t version = linker->links_version + object_model_version(linker->model);
	GArray *before = publisher->caches;

	if (publisher->caches_version == version) {
		return;
	}
	publisher->caches_version = version;
	publisher->caches = NULL;
	for (guint i = 0; i < linker->links->len; i++) {
		struct link *link = g_ptr_array_index(linker->links, i);

		if (link_is_used_by(linker, link, publisher->model)) {
			if (!publisher->caches) {
				publisher->caches = g_array_new(FALSE, FALSE, sizeof(struct cache_use));
				g_array_set_clear_func(publisher->caches, cache_use_clear);
			}
			add_use(linker, publisher, link);
		}
	}
	for (guint i = 0; before && publisher->caches && i < publisher->caches->len; i++) {
		struct cache_use *use = &g_array_index(publisher->caches, struct cache_use, i);

		for (guint j = 0; j < before->len; j++) {
			const struct cache_use *old = &g_array_index(before, struct cache_use, j);

			for (guint k = 0; old->link == use->link && k < old->subscriptions->len; k++) {
				guint place;

				if (g_ptr_array_find(use->subscriptions, g_ptr_array_index(old->subscriptions, k),
						     &place)) {
					g_array_index(use->used, uint64_t, place) =
						g_array_index(old->used, uint64_t, k);
				}
			}
		}
	}
	if (before) {
		g_array_free(before, TRUE);
	}
}

static void use_link(struct flow_linker *linker, struct publication *publication, struct cache_use *use)
{
	struct execution_node *enclosing =
		publication->public.has_direct_parent ? (struct execution_node *)publication->public.parents[0] : NULL;

	for (guint i = 0; i < use->subscriptions->len; i++) {
		struct model_subscription *subscription = g_ptr_array_index(use->subscriptions, i);
		struct execution_node *last = find_or_add_cache(linker, subscription)->last;

		if (!last) {
			continue;
		}
		if (use->link->kind == LINK_PARTIAL_SYNC) {
			/* The enclosing callback brings its own message, and each message is used once. */
			uint64_t *used = &g_array_index(use->used, uint64_t, i);

			if (*used == last->serial || (enclosing && enclosing->subscription == subscription)) {
				continue;
			}
			*used = last->serial;
		}
		publication_add_parent(linker, publication, last);
	}
}

void flow_cache_use(struct flow_linker *linker, struct publication *publication)
{
	struct publisher *publisher = publication->queue;

	if (linker->links->len == 0) {
		return;
	}
	look_up_uses(linker, publisher);
	for (guint i = 0; publisher->caches && i < publisher->caches->len; i++) {
		use_link(linker, publication, &g_array_index(publisher->caches, struct cache_use, i));
	}
}

static gint compare_by_serial(gconstpointer a, gconstpointer b)
{
	const struct subscription_cache *left = *(struct subscription_cache *const *)a;
	const struct subscription_cache *right = *(struct subscription_cache *const *)b;

	return left->last->serial < right->last->serial ? -1 : left->last->serial > right->last->serial;
}

void flow_cache_finish(struct flow_linker *linker)
{
	g_autoptr(GPtrArray) kept = g_ptr_array_new();

	for (guint i = 0; i < linker->caches->len; i++) {
		struct subscription_cache *cache = g_ptr_array_index(linker->caches, i);

		if (cache && cache->last) {
			g_ptr_array_add(kept, cache);
		}
	}
	g_ptr_array_sort(kept, compare_by_serial);
	for (guint i = 0; i < kept->len; i++) {
		drop_last(linker, g_ptr_array_index(kept, i));
	}
	for (guint i = 0; i < linker->links->len; i++) {
		const struct link *link = g_ptr_array_index(linker->links, i);

		if (link->rule && !link->was_used) {
			diagnostics_add(linker->diagnostics, DIAGNOSTIC_LINK_NOT_FOUND, link->rule->text, 1);
		}
	}
}

void flow_cache_clear(struct flow_linker *linker)
{
	for (guint i = 0; i < linker->publishers->len; i++) {
		struct publisher *publisher = g_ptr_array_index(linker->publishers, i);

		if (publisher && publisher->caches) {
			g_array_free(publisher->caches, TRUE);
		}
	}
}
