/* SPDX-License-Identifier: MIT */
#include "core/flow/topic_counts.h"

void flow_topic_counts_add(struct flow_linker *linker, enum diagnostic what, const char *topic, uint64_t count)
{
	u64_map_count(&linker->topic_counts[what], (uint64_t)(uintptr_t)topic, count);
}

void flow_topic_counts_report(struct flow_linker *linker)
{
	for (int what = 0; what < DIAGNOSTIC_COUNT; what++) {
		size_t position = 0;
		uint64_t topic;
		uint64_t count;

		while (u64_map_next(&linker->topic_counts[what], &position, &topic, &count)) {
			diagnostics_add(linker->diagnostics, what, (const char *)(uintptr_t)topic, count);
		}
	}
}

void flow_topic_counts_clear(struct flow_linker *linker)
{
	for (int what = 0; what < DIAGNOSTIC_COUNT; what++) {
		u64_map_clear(&linker->topic_counts[what]);
	}
}
