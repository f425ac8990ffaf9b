/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/thread_uses.h"

#include <glib.h>

/* Adds a use to those of its callback. */
static size_t add_use(struct thread_use *sums, size_t count, const struct thread_use *use)
{
	size_t i = 0;

	while (i < count && sums[i].callback != use->callback) {
		i++;
	}
	if (i < count) {
		sums[i].used_ns += use->used_ns;
		return count;
	}
	sums[i] = *use;
	return count + 1;
}

struct thread_use thread_uses_most(const struct thread_uses *uses)
{
	struct thread_use sums[G_N_ELEMENTS(uses->list)];
	struct thread_use most = { NULL, 0 };
	size_t count = 0;

	for (size_t i = 0; i < uses->count; i++) {
		count = add_use(sums, count, &uses->list[i]);
	}
	for (size_t i = 0; i < count; i++) {
		most = sums[i].used_ns > most.used_ns ? sums[i] : most;
	}
	return most;
}
