/* SPDX-License-Identifier: MIT */
#include "core/flow/kept_messages.h"

#include "core/base/compare_numbers.h"
#include "ros2bt/flow/link_rules.h"
#include "core/flow/resolve.h"
#include "core/flow/endpoints.h"

#include <string.h>

/* A link of either origin. */
struct link {
	enum link_kind kind;
	const struct link_rule *rule; /* NULL: declared by the trace */
	uint32_t process;	      /* of a declared link: whose handles these are */
	int64_t since_ns;
	const struct address_list *subscriptions, *publishers; /* in the string pool */
	bool was_found; /* there is a publisher with a subscription in its process */
	bool was_used;	/* a publication used a message */
};

/* What is kept of a subscription. */
struct kept_message {
	struct model_subscription *subscription;
	struct linked_execution *last; /* reference, counted in `awaited`; NULL: none yet */
	bool is_kept;		       /* by any link */
	uint64_t version;	       /* of the links at the last look-up; 0: none yet */
};

/* A link as a publisher uses it. */
struct kept_use {
	struct link *link;
	GPtrArray *subscriptions; /* struct model_subscription * */
	GArray *used;		  /* uint64_t: serial of the execution of each that was used last */
};

static void kept_use_clear(gpointer data)
{
	struct kept_use *use = data;

	g_ptr_array_free(use->subscriptions, TRUE);
	g_array_free(use->used, TRUE);
}

/* --- the links --- */

void kept_messages_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct link *link = g_new0(struct link, 1);

		link->kind = rules[i].kind;
		link->rule = &rules[i];
		g_ptr_array_add(linker->links, link);
	}
	linker->links_version++;
}

void kept_messages_feed(struct flow_linker *linker, const struct event_record *record)
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

		/* Recorded twice. Lists are interned: equal lists have one address. */
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

static struct kept_message *find_or_add_kept(struct flow_linker *linker, struct model_subscription *subscription)
{
	struct kept_message *kept;

	while (linker->kept->len <= subscription->index) {
		g_ptr_array_add(linker->kept, NULL);
	}
	kept = g_ptr_array_index(linker->kept, subscription->index);
	if (!kept) {
		kept = g_new0(struct kept_message, 1);
		kept->subscription = subscription;
		g_ptr_array_index(linker->kept, subscription->index) = kept;
	}
	return kept;
}

static void look_up_keeper(struct flow_linker *linker, struct kept_message *kept)
{
	uint64_t version = linker->links_version + object_model_version(linker->model);

	if (kept->version == version) {
		return;
	}
	kept->version = version;
	kept->is_kept = false;
	for (guint i = 0; i < linker->links->len && !kept->is_kept; i++) {
		kept->is_kept = link_keeps(linker, g_ptr_array_index(linker->links, i), kept->subscription);
	}
}

static void drop_last(struct flow_linker *linker, struct kept_message *kept)
{
	struct linked_execution *last = kept->last;

	if (!last) {
		return;
	}
	kept->last = NULL;
	flow_resolve_await_less(linker, last);
	linked_execution_release(linker, last);
}

bool kept_messages_keeps(struct flow_linker *linker, struct model_subscription *subscription)
{
	struct kept_message *kept;

	if (linker->links->len == 0) {
		return false;
	}
	kept = find_or_add_kept(linker, subscription);
	look_up_keeper(linker, kept);
	return kept->is_kept;
}

void kept_messages_keep(struct flow_linker *linker, struct linked_execution *execution,
			struct model_subscription *subscription)
{
	struct kept_message *kept;

	if (!kept_messages_keeps(linker, subscription)) {
		return;
	}
	kept = find_or_add_kept(linker, subscription);
	execution->awaited++;
	linked_execution_reference(execution);
	drop_last(linker, kept);
	kept->last = execution;
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

static void add_use(struct flow_linker *linker, struct flow_publisher *publisher, struct link *link)
{
	struct kept_use use = {
		.link = link,
		.subscriptions = g_ptr_array_new(),
		.used = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
	};
	size_t count = object_model_subscription_count(linker->model);

	for (size_t i = 0; i < count; i++) {
		struct model_subscription *subscription = object_model_subscription_at(linker->model, i);

		/* If several nodes have the name, the rule means the publisher's own. */
		if (subscription->process == publisher->model->process && link_keeps(linker, link, subscription)) {
			insert_in_order(linker, use.subscriptions, subscription);
		}
	}
	g_array_set_size(use.used, use.subscriptions->len);
	g_array_append_val(publisher->kept_uses, use);
	link->was_found |= use.subscriptions->len > 0;
}

/* Remembers what was used last if only other objects were defined meanwhile. */
static void look_up_uses(struct flow_linker *linker, struct flow_publisher *publisher)
{
	uint64_t version = linker->links_version + object_model_version(linker->model);
	GArray *before = publisher->kept_uses;

	if (publisher->kept_uses_version == version) {
		return;
	}
	publisher->kept_uses_version = version;
	publisher->kept_uses = NULL;
	for (guint i = 0; i < linker->links->len; i++) {
		struct link *link = g_ptr_array_index(linker->links, i);

		if (link_is_used_by(linker, link, publisher->model)) {
			if (!publisher->kept_uses) {
				publisher->kept_uses = g_array_new(FALSE, FALSE, sizeof(struct kept_use));
				g_array_set_clear_func(publisher->kept_uses, kept_use_clear);
			}
			add_use(linker, publisher, link);
		}
	}
	for (guint i = 0; before && publisher->kept_uses && i < publisher->kept_uses->len; i++) {
		struct kept_use *use = &g_array_index(publisher->kept_uses, struct kept_use, i);

		for (guint j = 0; j < before->len; j++) {
			const struct kept_use *old = &g_array_index(before, struct kept_use, j);

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

static void use_link(struct flow_linker *linker, struct linked_publication *publication, struct kept_use *use)
{
	struct linked_execution *enclosing = publication->public.has_direct_parent
						     ? (struct linked_execution *)publication->public.parents[0]
						     : publication->enclosing;

	for (guint i = 0; i < use->subscriptions->len; i++) {
		struct model_subscription *subscription = g_ptr_array_index(use->subscriptions, i);
		struct linked_execution *last = find_or_add_kept(linker, subscription)->last;

		if (use->link->kind != LINK_PERIODIC_ASYNC && enclosing && enclosing->subscription == subscription) {
			/* The enclosing callback uses its own message. */
			g_array_index(use->used, uint64_t, i) = enclosing->serial;
			use->link->was_used = true;
			continue;
		}
		if (!last) {
			continue;
		}
		if (use->link->kind == LINK_PARTIAL_SYNC) {
			uint64_t *used = &g_array_index(use->used, uint64_t, i);

			if (*used == last->serial) {
				continue;
			}
			*used = last->serial;
		}
		linked_publication_add_parent(linker, publication, last);
		use->link->was_used = true;
	}
}

G_GNUC_NO_INLINE void kept_messages_use(struct flow_linker *linker, struct linked_publication *publication)
{
	struct flow_publisher *publisher = publication->queue;

	look_up_uses(linker, publisher);
	for (guint i = 0; publisher->kept_uses && i < publisher->kept_uses->len; i++) {
		use_link(linker, publication, &g_array_index(publisher->kept_uses, struct kept_use, i));
	}
}

static gint compare_by_serial(gconstpointer a, gconstpointer b)
{
	const struct kept_message *left = *(struct kept_message *const *)a;
	const struct kept_message *right = *(struct kept_message *const *)b;

	return compare_unsigned(left->last->serial, right->last->serial);
}

void kept_messages_finish(struct flow_linker *linker)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < linker->kept->len; i++) {
		struct kept_message *kept = g_ptr_array_index(linker->kept, i);

		if (kept && kept->last) {
			g_ptr_array_add(all, kept);
		}
	}
	g_ptr_array_sort(all, compare_by_serial);
	for (guint i = 0; i < all->len; i++) {
		drop_last(linker, g_ptr_array_index(all, i));
	}
	for (guint i = 0; i < linker->links->len; i++) {
		const struct link *link = g_ptr_array_index(linker->links, i);

		if (link->rule && link->rule->is_proposed) {
			if (link->was_used) {
				diagnostics_add(linker->diagnostics, DIAGNOSTIC_LINK_PROPOSED, link->rule->text, 1);
			}
		} else if (link->rule && !link->was_used) {
			diagnostics_add(linker->diagnostics,
					link->was_found ? DIAGNOSTIC_LINK_NOT_USED : DIAGNOSTIC_LINK_NOT_FOUND,
					link->rule->text, 1);
		}
	}
}

void kept_messages_clear(struct flow_linker *linker)
{
	for (guint i = 0; i < linker->publishers->len; i++) {
		struct flow_publisher *publisher = g_ptr_array_index(linker->publishers, i);

		if (publisher && publisher->kept_uses) {
			g_array_free(publisher->kept_uses, TRUE);
		}
	}
}
