/* SPDX-License-Identifier: MIT */
#include "core/clocks/clock_alignment.h"

static void host_clear(gpointer data)
{
	clock_relation_destroy(((struct aligned_host *)data)->relation);
}

struct clock_alignment *clock_alignment_create(size_t host_count)
{
	struct clock_alignment *alignment = g_new0(struct clock_alignment, 1);

	alignment->hosts = g_array_new(FALSE, FALSE, sizeof(struct aligned_host));
	g_array_set_clear_func(alignment->hosts, host_clear);
	for (size_t i = 0; i < host_count; i++) {
		struct aligned_host host = { .parent = CLOCK_REFERENCE };

		g_array_append_val(alignment->hosts, host);
	}
	return alignment;
}

void clock_alignment_destroy(struct clock_alignment *alignment)
{
	if (alignment) {
		g_array_unref(alignment->hosts);
		g_free(alignment);
	}
}

void clock_alignment_refer(struct clock_alignment *alignment, uint32_t host, uint32_t parent,
			   struct clock_relation *relation)
{
	struct aligned_host *aligned = &g_array_index(alignment->hosts, struct aligned_host, host);

	clock_relation_destroy(aligned->relation);
	aligned->parent = parent;
	aligned->relation = relation;
}

const struct aligned_host *clock_alignment_host(const struct clock_alignment *alignment, uint32_t host)
{
	static const struct aligned_host reference = { .parent = CLOCK_REFERENCE };

	return host < alignment->hosts->len ? &g_array_index(alignment->hosts, struct aligned_host, host) : &reference;
}

uint32_t clock_alignment_reference(const struct clock_alignment *alignment, uint32_t host)
{
	while (clock_alignment_host(alignment, host)->parent != CLOCK_REFERENCE) {
		host = clock_alignment_host(alignment, host)->parent;
	}
	return host;
}

int64_t clock_alignment_to_reference(const struct clock_alignment *alignment, uint32_t host, int64_t time_ns)
{
	const struct aligned_host *aligned = clock_alignment_host(alignment, host);

	while (aligned->relation) {
		time_ns = clock_relation_to_reference(aligned->relation, time_ns);
		aligned = clock_alignment_host(alignment, aligned->parent);
	}
	return time_ns;
}

int64_t clock_alignment_offset(const struct clock_alignment *alignment, uint32_t host, int64_t reference_ns)
{
	const struct aligned_host *aligned = clock_alignment_host(alignment, host);
	int64_t parents_ns;

	if (!aligned->relation) {
		return 0;
	}
	parents_ns = clock_alignment_offset(alignment, aligned->parent, reference_ns);
	return parents_ns + clock_relation_offset(aligned->relation, reference_ns + parents_ns);
}

static size_t depth_of(const struct clock_alignment *alignment, uint32_t host)
{
	size_t depth = 0;

	while (clock_alignment_host(alignment, host)->parent != CLOCK_REFERENCE) {
		host = clock_alignment_host(alignment, host)->parent;
		depth++;
	}
	return depth;
}

static int64_t add(int64_t sum_ns, int64_t uncertainty_ns)
{
	bool is_known = sum_ns != CLOCK_UNKNOWN_NS && uncertainty_ns != CLOCK_UNKNOWN_NS;

	return is_known ? sum_ns + uncertainty_ns : CLOCK_UNKNOWN_NS;
}

int64_t clock_alignment_uncertainty(const struct clock_alignment *alignment, uint32_t one, uint32_t other)
{
	size_t depth_one = depth_of(alignment, one), depth_other = depth_of(alignment, other);
	int64_t sum_ns = 0;

	while (one != other && (depth_one > 0 || depth_other > 0)) {
		uint32_t *deeper = depth_one >= depth_other ? &one : &other;
		const struct aligned_host *host = clock_alignment_host(alignment, *deeper);

		sum_ns = add(sum_ns, clock_relation_uncertainty(host->relation));
		*deeper = host->parent;
		depth_one -= deeper == &one;
		depth_other -= deeper == &other;
	}
	return one == other ? sum_ns : CLOCK_UNKNOWN_NS;
}
