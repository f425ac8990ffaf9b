/* SPDX-License-Identifier: MIT */
#include "core/model/thread_account.h"

#include <glib.h>

#include "ros2bt/base/time_units.h"

struct thread_account thread_account_since(const struct thread_account *account, const struct thread_account *before)
{
	struct thread_account since = *account;

	for (int state = 0; state < THREAD_STATES; state++) {
		since.time_ns[state] -= before->time_ns[state];
	}
	since.irq_ns -= before->irq_ns;
	since.preemptions -= before->preemptions;
	since.blocks -= before->blocks;
	return since;
}

void thread_account_add(struct thread_account *account, const struct thread_account *more)
{
	for (int state = 0; state < THREAD_STATES; state++) {
		account->time_ns[state] = add_saturated(account->time_ns[state], more->time_ns[state]);
	}
	account->irq_ns = add_saturated(account->irq_ns, more->irq_ns);
	account->preemptions += more->preemptions;
	account->blocks += more->blocks;
}

static bool is_same(const struct thread_cause *one, const struct thread_cause *other)
{
	return one->tid == other->tid && (one->tid != 0 || one->name == other->name);
}

static struct thread_cause *find_or_replace(struct thread_causes *causes, const struct thread_cause *cause)
{
	struct thread_cause *least = &causes->list[0];

	for (size_t i = 0; i < THREAD_CAUSES_MAX; i++) {
		struct thread_cause *known = &causes->list[i];

		if (!known->name || is_same(known, cause)) {
			return known;
		}
		least = known->rank_ns < least->rank_ns ? known : least;
	}
	causes->has_others = true;
	*least = (struct thread_cause){ .rank_ns = least->rank_ns };
	return least;
}

void thread_causes_add(struct thread_causes *causes, const struct thread_cause *cause)
{
	struct thread_cause *known = find_or_replace(causes, cause);

	known->name = cause->name;
	known->tid = cause->tid;
	known->count += cause->count;
	known->time_ns = add_saturated(known->time_ns, cause->time_ns);
	known->rank_ns = add_saturated(known->rank_ns, cause->time_ns);
	known->longest_ns = MAX(known->longest_ns, cause->longest_ns);
}

void thread_causes_add_all(struct thread_causes *causes, const struct thread_causes *more)
{
	for (size_t i = 0; i < THREAD_CAUSES_MAX && more->list[i].name; i++) {
		thread_causes_add(causes, &more->list[i]);
	}
	causes->has_others |= more->has_others;
}

const struct thread_cause *thread_causes_longest(const struct thread_causes *causes)
{
	const struct thread_cause *longest = NULL;

	for (size_t i = 0; i < THREAD_CAUSES_MAX && causes->list[i].name; i++) {
		if (!longest || causes->list[i].time_ns > longest->time_ns) {
			longest = &causes->list[i];
		}
	}
	return longest;
}
