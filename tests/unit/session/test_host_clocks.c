/* SPDX-License-Identifier: MIT */
/* Which host is the reference, and over which other host each one refers to it. */
#include <criterion/criterion.h>

#include "core/session/host_clocks.h"
#include "core/session/host_messages.h"
#include "ros2bt/base/time_units.h"

#define START_NS INT64_C(1700000000000000000)

static struct string_pool *pool;
static struct recording *recording;
static GArray *messages;
static struct clock_alignment *alignment;

static void setup(void)
{
	pool = string_pool_create();
	recording = recording_create(pool);
	messages = g_array_new(FALSE, FALSE, sizeof(struct host_message));
}

static void teardown(void)
{
	clock_alignment_destroy(alignment);
	g_array_unref(messages);
	recording_destroy(recording);
	string_pool_destroy(pool);
}

TestSuite(host_clocks, .init = setup, .fini = teardown);

static uint32_t add_host(const char *hostname)
{
	uint32_t trace =
		recording_add_trace(recording, &(struct recording_trace_info){ .name = "trace", .hostname = hostname });

	return recording_trace(recording, trace)->host;
}

/* Ten messages from a host whose clock is ahead by sender_ns to one whose clock is ahead by receiver_ns. */
static void send(uint32_t sender, int64_t sender_ns, uint32_t receiver, int64_t receiver_ns, int64_t latency_ns)
{
	for (int64_t i = 0; i < 10; i++) {
		int64_t time_ns = START_NS + i * NS_PER_S;
		struct host_message message = { sender, receiver, time_ns + sender_ns,
						time_ns + latency_ns + receiver_ns };

		g_array_append_val(messages, message);
	}
}

static void exchange(uint32_t one, int64_t one_ns, uint32_t other, int64_t other_ns, int64_t latency_ns)
{
	send(one, one_ns, other, other_ns, latency_ns);
	send(other, other_ns, one, one_ns, latency_ns);
}

static void align(void)
{
	alignment = host_clocks_align(messages, recording);
}

static uint32_t parent_of(uint32_t host)
{
	return clock_alignment_host(alignment, host)->parent;
}

Test(host_clocks, the_host_with_most_neighbours_is_the_reference)
{
	uint32_t a = add_host("a"), b = add_host("b"), c = add_host("c");

	exchange(a, 0, b, 5 * NS_PER_MS, 100);
	exchange(c, -3 * NS_PER_MS, b, 5 * NS_PER_MS, 100);
	align();
	cr_assert_eq(parent_of(b), CLOCK_REFERENCE);
	cr_assert_eq(parent_of(a), b);
	cr_assert_eq(parent_of(c), b);
	cr_assert_leq(llabs(clock_alignment_offset(alignment, a, START_NS) + 5 * NS_PER_MS), 100);
	cr_assert_leq(llabs(clock_alignment_offset(alignment, c, START_NS) + 8 * NS_PER_MS), 100);
}

Test(host_clocks, of_two_alike_the_first_by_name_is_the_reference)
{
	uint32_t b = add_host("b"), a = add_host("a");

	exchange(b, 0, a, 0, 100);
	align();
	cr_assert_eq(parent_of(a), CLOCK_REFERENCE);
	cr_assert_eq(parent_of(b), a);
}

Test(host_clocks, a_host_refers_to_the_neighbour_over_which_the_uncertainty_is_least)
{
	uint32_t a = add_host("a"), b = add_host("b"), c = add_host("c");

	exchange(a, 0, b, 0, 1000);
	exchange(b, 0, c, 0, 1000);
	exchange(a, 0, c, 0, 9000);
	align();
	cr_assert_eq(parent_of(a), CLOCK_REFERENCE);
	cr_assert_eq(parent_of(b), a);
	cr_assert_eq(parent_of(c), b);
}

Test(host_clocks, whichever_of_two_hosts_was_recorded_first_offsets_add_up)
{
	uint32_t d = add_host("d"), c = add_host("c"), b = add_host("b"), a = add_host("a");

	exchange(c, 8 * NS_PER_MS, d, -2 * NS_PER_MS, 1000);
	exchange(b, 5 * NS_PER_MS, c, 8 * NS_PER_MS, 1000);
	exchange(a, 0, b, 5 * NS_PER_MS, 1000);
	exchange(a, 0, c, 8 * NS_PER_MS, 9000);
	align();
	cr_assert_eq(parent_of(c), CLOCK_REFERENCE, "most neighbours");
	cr_assert_eq(parent_of(b), c);
	cr_assert_eq(parent_of(a), b);
	cr_assert_eq(parent_of(d), c);
	cr_assert_leq(llabs(clock_alignment_offset(alignment, b, START_NS) + 3 * NS_PER_MS), 1000);
	cr_assert_leq(llabs(clock_alignment_offset(alignment, a, START_NS) + 8 * NS_PER_MS), 2000);
	cr_assert_leq(llabs(clock_alignment_offset(alignment, d, START_NS) + 10 * NS_PER_MS), 1000);
}

Test(host_clocks, messages_of_one_direction_count_only_if_nothing_better_connects)
{
	uint32_t a = add_host("a"), b = add_host("b"), c = add_host("c");

	exchange(a, 0, b, 0, 9000);
	exchange(b, 0, c, 0, 9000);
	send(a, 0, c, 0, 10);
	align();
	cr_assert_eq(parent_of(a), CLOCK_REFERENCE);
	cr_assert_eq(parent_of(c), b, "by way of b, though it is longer");
	clock_alignment_destroy(alignment);
	g_array_set_size(messages, 0);
	exchange(a, 0, b, 0, 9000);
	send(a, 0, c, 7 * NS_PER_MS, 10);
	align();
	cr_assert_eq(parent_of(c), a, "the only way");
	cr_assert_eq(clock_alignment_uncertainty(alignment, a, c), CLOCK_UNKNOWN_NS);
}

Test(host_clocks, hosts_without_messages_are_references_of_their_own)
{
	uint32_t a = add_host("a"), b = add_host("b"), c = add_host("c"), d = add_host("d");

	exchange(a, 0, b, 0, 100);
	exchange(c, 0, d, NS_PER_S, 100);
	align();
	cr_assert_eq(clock_alignment_reference(alignment, b), a);
	cr_assert_eq(clock_alignment_reference(alignment, d), c);
	cr_assert_eq(clock_alignment_uncertainty(alignment, a, c), CLOCK_UNKNOWN_NS);
}
