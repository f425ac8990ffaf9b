/* SPDX-License-Identifier: MIT */
#include "core/base/clock_doubt.h"

#include <math.h>

#include "core/base/clock_bound.h"

/* How much the rate of a clock may differ from its piece's by itself; 0.2 ppm. */
#define WANDER_MIN 0.2e-6
/* A clock that swings by `missing room` during a piece runs at most so many times that per piece off its rate. */
#define WANDER_PER_MISSING_ROOM 16
/* Of the shortest round trip: what a clock that seems to wander may do unseen. */
#define UNSEEN_SHARE 0.05
/* The fastest of some messages is slower than possible by their scatter, divided by their count and times this. */
#define FEW_MESSAGES 2
/* Between two pieces: slower messages than by so many times their usual scatter are not expected. */
#define PLAUSIBLE_SCATTERS 3
/* Room is missing by chance by the scatter, divided by a sixteenth of the messages, or eight. */
#define SAMPLE 16

/* How much less than the shortest round trip the line leaves between the bounds, beyond what is chance: it wandered. */
static double missing_room(const struct clock_fit *fit, double round_ns)
{
	double chance_ns = (fit->scatter_ns[0] + fit->scatter_ns[1]) /
			   (double)MAX(MIN(fit->upper_count, fit->lower_count) / SAMPLE, 8);
	double missing_ns = round_ns - fit->room_ns;

	return missing_ns > chance_ns ? missing_ns : 0;
}

double clock_doubt_piece(const struct clock_bounds *bounds, size_t begin, size_t end, const struct clock_fit *fit,
			 double round_ns)
{
	double missing_ns = missing_room(fit, round_ns);
	double length_ns = (double)(bounds->at[end - 1].at_ns - bounds->at[begin].at_ns) + 1;
	double wander = WANDER_MIN + WANDER_PER_MISSING_ROOM * missing_ns / length_ns;
	double most_ns = fmax(fmax(fit->room_ns, round_ns) / 2, round_ns - fit->room_ns / 2);

	most_ns = fmax(most_ns, fit->extent_ns);
	most_ns = fmax(most_ns, clock_fit_corridor(bounds, begin, end, fit, wander));
	most_ns = fmax(most_ns, clock_fit_slow_run(bounds, begin, end, fit));
	most_ns += FEW_MESSAGES *
		   (fit->scatter_ns[0] / (double)fit->lower_count + fit->scatter_ns[1] / (double)fit->upper_count);
	return missing_ns > 0 ? most_ns + UNSEEN_SHARE * round_ns : most_ns;
}

double clock_doubt_boundary(const struct clock_bounds *bounds, size_t begin, size_t at, size_t end,
			    const struct clock_fit *own, const struct clock_fit *other)
{
	bool is_before = own->origin < other->origin;
	double worse = 0, most = 0, seen = 0;

	while (is_before ? at > begin : at < end) {
		const struct clock_bound *bound = &bounds->at[is_before ? at - 1 : at];
		double by_own = clock_fit_latency(own, bound), by_other = clock_fit_latency(other, bound);

		at += is_before ? -1 : 1;
		if (by_other < bounds->margin_ns / 8) {
			break;
		}
		worse += (by_other - by_own) / other->scatter_ns[bound->is_upper];
		seen = fmax(seen, fabs(by_other - by_own));
		if (worse <= PLAUSIBLE_SCATTERS) {
			most = seen;
		}
	}
	return most;
}
