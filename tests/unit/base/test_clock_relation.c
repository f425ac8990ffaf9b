/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <math.h>

#include "core/base/clock_relation.h"
#include "core/base/time_units.h"

#define START_NS INT64_C(1700000000000000000)

/* Two hosts that send each other messages; the truth is known. */
struct world {
	GRand *random;
	GArray *bounds;		/* struct clock_bound */
	int64_t least_round_ns; /* the fastest message there and the fastest one back */
	int64_t fastest[2];
	double offset, drift; /* ns, and as a number */
	int64_t step_at_ns, step_ns;
};

static struct world world_create(guint32 seed, int64_t offset_ns, double drift)
{
	return (struct world){
		.random = g_rand_new_with_seed(seed),
		.bounds = g_array_new(FALSE, FALSE, sizeof(struct clock_bound)),
		.fastest = { INT64_MAX, INT64_MAX },
		.offset = (double)offset_ns,
		.drift = drift,
		.step_at_ns = INT64_MAX,
	};
}

static void world_clear(struct world *world)
{
	g_rand_free(world->random);
	g_array_unref(world->bounds);
}

static int64_t true_offset(const struct world *world, int64_t reference_ns)
{
	int64_t offset_ns = (int64_t)llround(world->offset + world->drift * (double)(reference_ns - START_NS));

	return reference_ns >= world->step_at_ns ? offset_ns + world->step_ns : offset_ns;
}

static int64_t latency_of(struct world *world)
{
	return 60000 + (int64_t)(-log(1 - g_rand_double(world->random)) * 80000);
}

static void send_there(struct world *world, int64_t sent_ns)
{
	int64_t latency = latency_of(world), taken_ns = sent_ns + latency;
	struct clock_bound bound = { sent_ns, taken_ns + true_offset(world, taken_ns) - sent_ns, true };

	world->fastest[0] = MIN(world->fastest[0], latency);
	g_array_append_val(world->bounds, bound);
}

static void send_back(struct world *world, int64_t sent_ns)
{
	int64_t latency = latency_of(world), taken_ns = sent_ns + latency;
	struct clock_bound bound = { taken_ns, sent_ns + true_offset(world, sent_ns) - taken_ns, false };

	world->fastest[1] = MIN(world->fastest[1], latency);
	g_array_append_val(world->bounds, bound);
}

static struct clock_relation *relate(const struct world *world)
{
	return clock_relation_create((struct clock_bound *)(void *)world->bounds->data, world->bounds->len);
}

static void talk(struct world *world, int64_t for_ns, int64_t every_ns)
{
	for (int64_t t = START_NS; t < START_NS + for_ns; t += every_ns) {
		send_there(world, t);
		send_back(world, t + every_ns / 3);
	}
}

TestSuite(clock_relation);

Test(clock_relation, offset_and_drift_are_found_within_the_uncertainty)
{
	static const int64_t offsets[] = { 0, 1000, -10 * NS_PER_S, 10 * NS_PER_S, 3600 * NS_PER_S };
	static const double drifts[] = { 0, 1e-6, -50e-6, 200e-6 };

	for (guint32 seed = 0; seed < 200; seed++) {
		struct world world = world_create(seed, offsets[seed % G_N_ELEMENTS(offsets)],
						  drifts[seed / 5 % G_N_ELEMENTS(drifts)]);
		struct clock_relation *relation;
		int64_t half_round_ns;

		talk(&world, 20 * NS_PER_S, 40 * NS_PER_MS);
		relation = relate(&world);
		half_round_ns = (world.fastest[0] + world.fastest[1]) / 2;
		cr_assert_eq(relation->pieces->len, 1);
		cr_assert_eq(relation->contradiction_count, 0);
		cr_assert_leq(clock_relation_piece(relation, 0)->uncertainty_ns, half_round_ns * 11 / 10, "seed %u",
			      seed);
		for (int64_t t = START_NS; t <= START_NS + 20 * NS_PER_S; t += NS_PER_S) {
			int64_t error = clock_relation_offset(relation, t) - true_offset(&world, t);

			cr_assert_leq(llabs(error), clock_relation_piece(relation, 0)->uncertainty_ns, "seed %u", seed);
			cr_assert_leq(llabs(error), clock_relation_piece(relation, 0)->error_ns);
		}
		clock_relation_destroy(relation);
		world_clear(&world);
	}
}

Test(clock_relation, no_message_arrives_before_it_was_sent)
{
	struct world world = world_create(1, -5 * NS_PER_MS, 20e-6);
	struct clock_relation *relation;

	talk(&world, 10 * NS_PER_S, 20 * NS_PER_MS);
	relation = relate(&world);
	for (guint i = 0; i < world.bounds->len; i++) {
		const struct clock_bound *bound = &g_array_index(world.bounds, struct clock_bound, i);
		int64_t beyond = bound->offset_ns - clock_relation_offset(relation, bound->at_ns);

		cr_assert_geq(bound->is_upper ? beyond : -beyond, -1);
	}
	clock_relation_destroy(relation);
	world_clear(&world);
}

Test(clock_relation, times_go_to_the_reference_and_back)
{
	struct world world = world_create(2, 7 * NS_PER_S, -80e-6);
	struct clock_relation *relation;

	talk(&world, 10 * NS_PER_S, 20 * NS_PER_MS);
	relation = relate(&world);
	for (int64_t t = START_NS - NS_PER_S; t < START_NS + 20 * NS_PER_S; t += NS_PER_S / 7) {
		int64_t other_ns = t + clock_relation_offset(relation, t);

		cr_assert_leq(llabs(clock_relation_to_reference(relation, other_ns) - t), 1);
	}
	clock_relation_destroy(relation);
	world_clear(&world);
}

Test(clock_relation, a_clock_that_was_set_gives_two_pieces)
{
	static const int64_t steps[] = { 5 * NS_PER_MS, -5 * NS_PER_MS, 2 * NS_PER_S, -2 * NS_PER_S };

	for (guint32 seed = 0; seed < 40; seed++) {
		struct world world = world_create(seed, 10 * NS_PER_S, 50e-6);
		struct clock_relation *relation;
		int64_t step_ns = steps[seed % G_N_ELEMENTS(steps)];

		world.step_at_ns = START_NS + 8 * NS_PER_S + 11 * NS_PER_MS;
		world.step_ns = step_ns;
		talk(&world, 20 * NS_PER_S, 40 * NS_PER_MS);
		relation = relate(&world);
		cr_assert_eq(relation->pieces->len, 2, "seed %u: %u pieces", seed, relation->pieces->len);
		cr_assert_leq(llabs(clock_relation_step(relation, 1) - step_ns), 300000);
		cr_assert_leq(llabs(clock_relation_piece(relation, 1)->from_ns - world.step_at_ns), 40 * NS_PER_MS);
		for (int64_t t = START_NS; t <= START_NS + 20 * NS_PER_S; t += NS_PER_S) {
			int64_t error = clock_relation_offset(relation, t) - true_offset(&world, t);

			cr_assert_leq(llabs(error), clock_relation_uncertainty(relation), "seed %u at %g s", seed,
				      (double)(t - START_NS) / NS_PER_S);
		}
		clock_relation_destroy(relation);
		world_clear(&world);
	}
}

Test(clock_relation, one_direction_gives_the_least_latencies_and_no_uncertainty)
{
	for (int back = 0; back < 2; back++) {
		struct world world = world_create(3, 4 * NS_PER_S, 30e-6);
		struct clock_relation *relation;
		int64_t least = INT64_MAX;

		for (int64_t t = START_NS; t < START_NS + 20 * NS_PER_S; t += 20 * NS_PER_MS) {
			(back ? send_back : send_there)(&world, t);
		}
		relation = relate(&world);
		cr_assert_eq(relation->pieces->len, 1);
		cr_assert_eq(clock_relation_piece(relation, 0)->uncertainty_ns, CLOCK_UNKNOWN_NS);
		for (guint i = 0; i < world.bounds->len; i++) {
			const struct clock_bound *bound = &g_array_index(world.bounds, struct clock_bound, i);
			int64_t beyond = bound->offset_ns - clock_relation_offset(relation, bound->at_ns);

			beyond = bound->is_upper ? beyond : -beyond;
			cr_assert_geq(beyond, -1);
			least = MIN(least, beyond);
		}
		cr_assert_leq(least, 1);
		cr_assert_float_eq(clock_relation_piece(relation, 0)->drift, 30e-6, 5e-6);
		clock_relation_destroy(relation);
		world_clear(&world);
	}
}

Test(clock_relation, one_wrong_bound_is_counted_and_left_out)
{
	struct world world = world_create(4, NS_PER_S, 0);
	struct clock_bound wrong = { START_NS + 5 * NS_PER_S, -3 * NS_PER_S, true };
	struct clock_relation *relation;

	talk(&world, 10 * NS_PER_S, 20 * NS_PER_MS);
	g_array_append_val(world.bounds, wrong);
	relation = relate(&world);
	cr_assert_eq(relation->pieces->len, 1);
	cr_assert_eq(relation->contradiction_count, 1);
	clock_relation_destroy(relation);
	world_clear(&world);
}

Test(clock_relation, a_single_bound_and_hostile_ones_do_no_harm)
{
	struct clock_bound single = { 5, 7, true };
	struct clock_relation *relation = clock_relation_create(&single, 1);
	GRand *random = g_rand_new_with_seed(5);
	struct clock_bound bounds[500];

	cr_assert_eq(clock_relation_offset(relation, 5), 7);
	clock_relation_destroy(relation);
	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < G_N_ELEMENTS(bounds); i++) {
			bounds[i] = (struct clock_bound){
				.at_ns = (int64_t)g_rand_int(random) << (round % 30),
				.offset_ns = ((int64_t)g_rand_int(random) - G_MAXINT32) * (INT64_C(1) << (round % 28)),
				.is_upper = g_rand_boolean(random),
			};
		}
		relation = clock_relation_create(bounds, G_N_ELEMENTS(bounds));
		cr_assert_geq(relation->pieces->len, 1);
		clock_relation_to_reference(relation, START_NS);
		clock_relation_destroy(relation);
	}
	g_rand_free(random);
}
