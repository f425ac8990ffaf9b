/* SPDX-License-Identifier: MIT */
/* Random durations of executions, relative to the usual one, for tests of what chance does. */
#ifndef ROS2BT_TESTS_RANDOM_DURATIONS_H
#define ROS2BT_TESTS_RANDOM_DURATIONS_H

#include <glib.h>
#include <math.h>

/* Of the standard normal distribution, by the method of Box and Muller. */
static inline double random_normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * M_PI * g_rand_double(random));
}

/* The next of standard normal numbers in a row, of which each depends on the one before. */
static inline double random_step(GRand *random, double *level, double correlation)
{
	return *level = correlation * *level + sqrt(1 - correlation * correlation) * random_normal(random);
}

/* One of 100 takes eight times as long. */
static inline double random_rarely_slow(GRand *random)
{
	return (g_rand_double(random) < 0.01 ? 8 : 1) * (1 + 0.02 * random_normal(random));
}

#endif
