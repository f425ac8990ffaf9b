/* SPDX-License-Identifier: MIT */
#include "core/session/host_clocks.h"

#include <string.h>

#include "core/session/host_messages.h"

/* The cost of a step over a pair with messages in one direction only, in ns: more than all other steps together. */
#define ONE_WAY_COST 1e18

struct host {
	bool is_reached;
	uint32_t parent; /* CLOCK_REFERENCE: a search began with this host */
	double cost;
};

/* All hosts while ways between them are sought. By pair of hosts, at one * count + other: */
struct search {
	const GArray *messages;
	const struct recording *recording;
	size_t count;
	struct host *hosts;
	bool *has_messages;		   /* between them, in either direction */
	struct clock_relation **relations; /* of the other to the one, which was reached first; NULL: not found */
};

/* The messages of two hosts as bounds of the offset between their clocks: other - reference. */
static GArray *bounds_between(const GArray *messages, uint32_t reference, uint32_t other)
{
	GArray *bounds = g_array_new(FALSE, FALSE, sizeof(struct clock_bound));

	for (guint i = 0; i < messages->len; i++) {
		const struct host_message *message = &g_array_index(messages, struct host_message, i);
		struct clock_bound bound = { .is_upper = message->sender == reference };

		if (message->sender == reference && message->receiver == other) {
			bound.at_ns = message->published_ns;
			bound.offset_ns = message->taken_ns - message->published_ns;
			g_array_append_val(bounds, bound);
		} else if (message->sender == other && message->receiver == reference) {
			bound.at_ns = message->taken_ns;
			bound.offset_ns = message->published_ns - message->taken_ns;
			g_array_append_val(bounds, bound);
		}
	}
	return bounds;
}

static struct clock_relation *relate(const GArray *messages, uint32_t reference, uint32_t other)
{
	g_autoptr(GArray) bounds = bounds_between(messages, reference, other);

	return clock_relation_create((struct clock_bound *)(void *)bounds->data, bounds->len);
}

/* --- which pairs --- */

static void find_pairs(struct search *search)
{
	for (guint i = 0; i < search->messages->len; i++) {
		const struct host_message *message = &g_array_index(search->messages, struct host_message, i);

		search->has_messages[message->sender * search->count + message->receiver] = true;
		search->has_messages[message->receiver * search->count + message->sender] = true;
	}
}

static bool comes_before(const struct recording *recording, uint32_t one, uint32_t other)
{
	return strcmp(recording_host(recording, one)->hostname, recording_host(recording, other)->hostname) < 0;
}

/* Chooses among the hosts that no reference reaches yet. */
static uint32_t choose_reference(const struct search *search)
{
	uint32_t best = CLOCK_REFERENCE;
	size_t most = 0;

	for (uint32_t host = 0; host < search->count; host++) {
		size_t neighbours = 0;

		for (uint32_t other = 0; other < search->count; other++) {
			neighbours += search->has_messages[host * search->count + other];
		}
		if (!search->hosts[host].is_reached &&
		    (best == CLOCK_REFERENCE || neighbours > most ||
		     (neighbours == most && comes_before(search->recording, host, best)))) {
			best = host;
			most = neighbours;
		}
	}
	return best;
}

/* How much the step from a host to its neighbour adds to the uncertainty, in ns. */
static double cost_of(const struct clock_relation *relation)
{
	int64_t uncertainty_ns = clock_relation_uncertainty(relation);

	return uncertainty_ns == CLOCK_UNKNOWN_NS ? ONE_WAY_COST : (double)uncertainty_ns;
}

/* One host of each pair is reached first, so that its relation is found once, to the clock that it may refer to. */
static void relate_neighbours(struct search *search, uint32_t host)
{
	for (uint32_t other = 0; other < search->count; other++) {
		size_t pair = host * search->count + other;

		if (!search->hosts[other].is_reached && search->has_messages[pair]) {
			search->relations[pair] = relate(search->messages, host, other);
		}
	}
}

static void reach(struct search *search, uint32_t host, uint32_t parent, double cost)
{
	search->hosts[host] = (struct host){ .is_reached = true, .parent = parent, .cost = cost };
	relate_neighbours(search, host);
}

/* Reaches the host that a reached one reaches at the least total cost; false: none. */
static bool reach_next(struct search *search)
{
	uint32_t next = 0, parent = 0;
	double least = -1;

	for (uint32_t from = 0; from < search->count; from++) {
		for (uint32_t to = 0; search->hosts[from].is_reached && to < search->count; to++) {
			const struct clock_relation *relation = search->relations[from * search->count + to];
			double cost = relation ? search->hosts[from].cost + cost_of(relation) : 0;

			if (relation && !search->hosts[to].is_reached && (least < 0 || cost < least)) {
				least = cost;
				next = to;
				parent = from;
			}
		}
	}
	if (least >= 0) {
		reach(search, next, parent, least);
	}
	return least >= 0;
}

/* Begins with another host; false: all are reached. */
static bool reach_reference(struct search *search)
{
	uint32_t reference = choose_reference(search);

	if (reference != CLOCK_REFERENCE) {
		reach(search, reference, CLOCK_REFERENCE, 0);
	}
	return reference != CLOCK_REFERENCE;
}

static void refer_all(struct search *search, struct clock_alignment *alignment)
{
	for (uint32_t host = 0; host < search->count; host++) {
		uint32_t parent = search->hosts[host].parent;

		if (parent != CLOCK_REFERENCE) {
			clock_alignment_refer(alignment, host, parent,
					      g_steal_pointer(&search->relations[parent * search->count + host]));
		}
	}
}

struct clock_alignment *host_clocks_align(const GArray *messages, const struct recording *recording)
{
	const size_t count = recording_host_count(recording);
	struct clock_alignment *alignment = clock_alignment_create(count);
	g_autofree struct host *hosts = g_new0(struct host, count);
	g_autofree bool *has_messages = g_new0(bool, count *count);
	g_autofree struct clock_relation **relations = g_new0(struct clock_relation *, count * count);
	struct search search = {
		.messages = messages,
		.recording = recording,
		.count = count,
		.hosts = hosts,
		.has_messages = has_messages,
		.relations = relations,
	};

	find_pairs(&search);
	for (bool is_more = true; is_more;) {
		is_more = reach_next(&search) || reach_reference(&search);
	}
	refer_all(&search, alignment);
	for (size_t pair = 0; pair < count * count; pair++) {
		clock_relation_destroy(relations[pair]);
	}
	return alignment;
}
