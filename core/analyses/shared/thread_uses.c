/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/thread_uses.h"

#include <glib.h>

struct thread_use thread_uses_most(const struct thread_uses *uses)
{
	struct thread_use sums[THREAD_HISTORY_LENGTH + 1]; /* by callback */
	struct thread_use most = { NULL, 0 };
	size_t count = 0, i;

	for (const struct thread_period *after = uses->after; after > uses->oldest; after--) {
		for (i = 0; i < count && sums[i].callback != after[-1].callback; i++) {}
		if (i == count) {
			sums[count++] = (struct thread_use){ after[-1].callback, 0 };
		}
		sums[i].used_ns += thread_uses_ns(uses, &after[-1]);
	}
	for (i = 0; i < count; i++) {
		most = sums[i].used_ns > most.used_ns ? sums[i] : most;
	}
	return most;
}
