/* SPDX-License-Identifier: MIT */
#include "core/clocks/host_clocks.h"

#include <string.h>

#include "core/clocks/host_messages.h"

/* The cost of a step over a pair with messages in one direction only, in ns: more than all other steps together. */
#define ONE_WAY_COST 1e18

struct host {
	bool is_reached;
	uint32_t parent; /* CLOCK_REFERENCE: a search began with this host */
	double cost;
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

/* NULL: no message connects them. */
static struct clock_relation *relate(const GArray *messages, uint32_t reference, uint32_t other)
{
	g_autoptr(GArray) bounds = bounds_between(messages, reference, other);

	return bounds->len > 0 ? clock_relation_create((struct clock_bound *)(void *)bounds->data, bounds->len) : NULL;
}

/* --- which pairs --- */

/* By pair of hosts: whether there is a message from the first to the second. */
static bool *find_pairs(const GArray *messages, size_t host_count)
{
	bool *has_messages = g_new0(bool, host_count *host_count);

	for (guint i = 0; i < messages->len; i++) {
		const struct host_message *message = &g_array_index(messages, struct host_message, i);

		has_messages[message->sender * host_count + message->receiver] = true;
	}
	return has_messages;
}

/* By pair of hosts: how much the step adds to the uncertainty, in ns; negative: no message connects them. */
static double *find_costs(const GArray *messages, size_t host_count)
{
	g_autofree bool *has_messages = find_pairs(messages, host_count);
	double *costs = g_new0(double, host_count *host_count);

	for (size_t i = 0; i < host_count * host_count; i++) {
		costs[i] = -1;
	}
	for (uint32_t one = 0; one < host_count; one++) {
		for (uint32_t other = one + 1; other < host_count; other++) {
			bool there = has_messages[one * host_count + other],
			     back = has_messages[other * host_count + one];
			struct clock_relation *relation = there || back ? relate(messages, one, other) : NULL;

			if (relation) {
				int64_t uncertainty_ns = clock_relation_uncertainty(relation);

				costs[one * host_count + other] = costs[other * host_count + one] =
					uncertainty_ns == CLOCK_UNKNOWN_NS ? ONE_WAY_COST : (double)uncertainty_ns;
				clock_relation_destroy(relation);
			}
		}
	}
	return costs;
}

static bool comes_before(const struct recording *recording, uint32_t one, uint32_t other)
{
	return strcmp(recording_host(recording, one)->hostname, recording_host(recording, other)->hostname) < 0;
}

/* Chooses among the hosts that no reference reaches yet. */
static uint32_t choose_reference(const struct host *hosts, const double *costs, const struct recording *recording,
				 size_t host_count)
{
	uint32_t best = CLOCK_REFERENCE;
	size_t most = 0;

	for (uint32_t host = 0; host < host_count; host++) {
		size_t neighbours = 0;

		for (uint32_t other = 0; other < host_count; other++) {
			neighbours += costs[host * host_count + other] >= 0;
		}
		if (!hosts[host].is_reached && (best == CLOCK_REFERENCE || neighbours > most ||
						(neighbours == most && comes_before(recording, host, best)))) {
			best = host;
			most = neighbours;
		}
	}
	return best;
}

/* The unreached host that a reached one reaches at the least total cost; false: none. */
static bool find_next(const struct host *hosts, const double *costs, size_t host_count, uint32_t *next,
		      uint32_t *parent)
{
	double least = -1;

	for (uint32_t from = 0; from < host_count; from++) {
		for (uint32_t to = 0; hosts[from].is_reached && to < host_count; to++) {
			double step = costs[from * host_count + to];

			if (!hosts[to].is_reached && step >= 0 && (least < 0 || hosts[from].cost + step < least)) {
				least = hosts[from].cost + step;
				*next = to;
				*parent = from;
			}
		}
	}
	return least >= 0;
}

static void reach_all(struct host *hosts, const double *costs, const struct recording *recording, size_t host_count)
{
	uint32_t next = 0, parent = 0;

	while ((next = choose_reference(hosts, costs, recording, host_count)) != CLOCK_REFERENCE) {
		hosts[next] = (struct host){ .is_reached = true, .parent = CLOCK_REFERENCE };
		while (find_next(hosts, costs, host_count, &next, &parent)) {
			hosts[next] = (struct host){
				.is_reached = true,
				.parent = parent,
				.cost = hosts[parent].cost + costs[parent * host_count + next],
			};
		}
	}
}

struct clock_alignment *host_clocks_align(const GArray *messages, const struct recording *recording)
{
	const size_t host_count = recording_host_count(recording);
	struct clock_alignment *alignment = clock_alignment_create(host_count);
	g_autofree struct host *hosts = g_new0(struct host, host_count);
	g_autofree double *costs = find_costs(messages, host_count);

	reach_all(hosts, costs, recording, host_count);
	for (uint32_t host = 0; host < host_count; host++) {
		if (hosts[host].parent != CLOCK_REFERENCE) {
			clock_alignment_refer(alignment, host, hosts[host].parent,
					      relate(messages, hosts[host].parent, host));
		}
	}
	return alignment;
}
