/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>

struct random_numbers {
	uint32_t state;
};

static uint32_t random_below(struct random_numbers *random, uint32_t limit)
{
	random->state = random->state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random->state * limit >> 32);
}

static void add_nodes(struct plan *plan)
{
	const struct options *options = plan->options;

	for (uint32_t process = 0; process < options->processes; process++) {
		for (uint32_t local = 0; local < options->nodes; local++) {
			struct node_plan *node = &plan->nodes[plan->node_count++];

			snprintf(node->name, sizeof(node->name), "node_%u", local);
			snprintf(node->full_name, sizeof(node->full_name), "/process_%u/node_%u", process, local);
			node->process = process;
			node->local = local;
			node->is_reentrant = options->is_reentrant && plan->node_count % 2 == 0;
		}
	}
}

static uint32_t add_publisher(struct plan *plan, uint32_t node, const char *prefix, uint32_t number, uint32_t hop)
{
	struct publisher_plan *publisher = &plan->publishers[plan->publisher_count];

	snprintf(publisher->topic, sizeof(publisher->topic), "/%s_%u/hop_%u", prefix, number, hop);
	publisher->node = node;
	publisher->first_subscription = plan->subscription_count;
	return plan->publisher_count++;
}

/* Adds a subscription to the publisher added last. */
static uint32_t add_subscription(struct plan *plan, uint32_t publisher_index, uint32_t node, bool is_intra)
{
	struct publisher_plan *publisher = &plan->publishers[publisher_index];
	struct subscription_plan *subscription = &plan->subscriptions[plan->subscription_count];

	subscription->node = node;
	subscription->publisher = publisher_index;
	subscription->next = NONE;
	subscription->is_intra = is_intra;
	publisher->has_intra |= is_intra;
	publisher->has_inter |= !is_intra;
	publisher->subscription_count++;
	return plan->subscription_count++;
}

static struct timer_plan *add_timer(struct plan *plan, uint32_t node)
{
	struct timer_plan *timer = &plan->timers[plan->timer_count++];

	timer->node = node;
	timer->publisher = timer->client = NONE;
	timer->chain = plan->timer_count - 1;
	timer->period_ns = plan->options->rate > 0 ? (int64_t)(1e9 / plan->options->rate) : 1000000;
	return timer;
}

/* Another node; of the same process when the hop is to be intra-process. */
static uint32_t next_node(const struct plan *plan, struct random_numbers *random, uint32_t node, bool is_intra)
{
	const struct options *options = plan->options;

	if (is_intra) {
		uint32_t first = plan->nodes[node].process * options->nodes;

		return first + (node - first + 1) % options->nodes;
	}
	return (node + 1 + random_below(random, plan->node_count - 1)) % plan->node_count;
}

static void add_chain(struct plan *plan, struct random_numbers *random, uint32_t chain)
{
	const struct options *options = plan->options;
	uint32_t node = chain * options->nodes % plan->node_count;
	struct timer_plan *timer = add_timer(plan, node);
	uint32_t publisher = add_publisher(plan, node, "chain", chain, 0);

	timer->publisher = publisher;
	for (uint32_t hop = 0; hop < options->hops; hop++) {
		bool is_intra = options->nodes > 1 && random_below(random, 100) < options->intra_percent;
		uint32_t subscription;

		node = next_node(plan, random, node, is_intra);
		subscription = add_subscription(plan, publisher, node, is_intra);
		if (hop == 0 && options->has_branches) {
			add_subscription(plan, publisher, next_node(plan, random, node, false), false);
		}
		if (hop + 1 < options->hops) {
			publisher = add_publisher(plan, node, "chain", chain, hop + 1);
			plan->subscriptions[subscription].next = publisher;
		}
	}
}

/* One service in each process, called by a timer of the process before it. */
static void add_services(struct plan *plan)
{
	const struct options *options = plan->options;

	for (uint32_t process = 0; process < options->processes; process++) {
		struct service_plan *service = &plan->services[plan->service_count];
		uint32_t caller = (process + options->processes - 1) % options->processes;
		struct client_plan *client = &plan->clients[plan->client_count];

		snprintf(service->name, sizeof(service->name), "/process_%u/serve", process);
		service->node = process * options->nodes;
		client->node = caller * options->nodes + options->nodes - 1;
		client->service = plan->service_count++;
		add_timer(plan, client->node)->client = plan->client_count++;
	}
}

/* A node whose timer publishes what its subscription has received last: the indirect link of a periodic task. */
static void add_link(struct plan *plan)
{
	uint32_t source = add_publisher(plan, 0, "link", 0, 0);
	struct timer_plan *timer;
	uint32_t target;

	add_timer(plan, 0)->publisher = source;
	plan->link_subscription = add_subscription(plan, source, plan->node_count - 1, false);
	target = add_publisher(plan, plan->node_count - 1, "link", 0, 1);
	plan->link_publisher = target;
	timer = add_timer(plan, plan->node_count - 1);
	timer->publisher = target;
	timer->period_ns *= 3;
	add_subscription(plan, target, 0, false);
}

/* Objects are numbered within their process, so that addresses collide between processes as without ASLR. */
static void number_objects(struct plan *plan)
{
	uint32_t *next = calloc(plan->options->processes, sizeof(*next));

#define NUMBER(object, count)                                                                                          \
	for (uint32_t i = 0; i < plan->count; i++) {                                                                   \
		plan->object[i].local = next[plan->nodes[plan->object[i].node].process]++;                             \
	}
	NUMBER(publishers, publisher_count)
	NUMBER(subscriptions, subscription_count)
	NUMBER(timers, timer_count)
	NUMBER(services, service_count)
	NUMBER(clients, client_count)
#undef NUMBER
	free(next);
}

const struct plan *plan_create(const struct options *options)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	struct random_numbers random = { options->seed };
	uint32_t topics = options->chains * options->hops + 2;

	plan->options = options;
	plan->nodes = calloc(options->processes * options->nodes, sizeof(*plan->nodes));
	plan->publishers = calloc(topics, sizeof(*plan->publishers));
	plan->subscriptions = calloc(topics + options->chains, sizeof(*plan->subscriptions));
	plan->timers = calloc(options->chains + options->processes + 2, sizeof(*plan->timers));
	plan->services = calloc(options->processes, sizeof(*plan->services));
	plan->clients = calloc(options->processes, sizeof(*plan->clients));
	plan->link_subscription = plan->link_publisher = NONE;
	add_nodes(plan);
	for (uint32_t chain = 0; chain < options->chains; chain++) {
		add_chain(plan, &random, chain);
	}
	if (options->has_services) {
		add_services(plan);
	}
	if (options->has_links) {
		add_link(plan);
	}
	number_objects(plan);
	return plan;
}
