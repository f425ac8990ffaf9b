/* SPDX-License-Identifier: MIT */
/*
 * How many messages a publisher published while a process was recorded, for any publisher and process, known in the
 * end. A count for each pair would be quadratic in the processes of a system, and most pairs never meet.
 *
 * Each publisher keeps the times of its publications, but only as finely as the question needs: of those that no
 * process's first or last event (so far) separates, only the first. A process's last event only moves on, so what
 * was merged need not be parted again, and the counts are exact.
 *
 * Cost: amortized O(1) for a publication, with a sort of the processes' times every so often. Memory: for a publisher
 * as many entries as it has publications, or about twice as many as processes began or ended between two of them.
 */
#ifndef ROS2BT_PUBLICATION_COUNTS_H
#define ROS2BT_PUBLICATION_COUNTS_H

#include "ros2bt/flow_linker.h"

struct publication_counts;

/* Both are borrowed and must outlive it. */
struct publication_counts *publication_counts_create(const struct recording *recording,
						     const struct flow_linker *linker);
void publication_counts_destroy(struct publication_counts *counts);

/* A message between processes, of a publisher by its model index; for each publisher in order of time. */
void publication_counts_add(struct publication_counts *counts, uint32_t publisher, int64_t time_ns);

uint64_t publication_counts_total(const struct publication_counts *counts, uint32_t publisher);
/* Those from the first to the last event of the process. */
uint64_t publication_counts_during(const struct publication_counts *counts, uint32_t publisher, uint32_t process);

#endif
