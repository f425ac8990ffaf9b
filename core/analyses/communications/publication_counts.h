/* SPDX-License-Identifier: MIT */
/*
 * How many messages a publisher published while a process was recorded, for any publisher and process, complete at the
 * end. A count per pair would be quadratic in the processes of a system, and most pairs never meet.
 *
 * Each publisher keeps the times of its publications, but only as finely as the question needs: of those that no
 * process's first or last event so far separates, only the first. The last event of a process only moves on, so what
 * was merged never has to be separated again, and the counts are exact.
 *
 * Cost: amortized O(1) per publication, with an occasional look at the times of all processes. Memory: a publisher has
 * as many entries as publications, or about twice as many as processes that began or ended between two of them.
 */
#ifndef ROS2BT_PUBLICATION_COUNTS_H
#define ROS2BT_PUBLICATION_COUNTS_H

#include "ros2bt/flow/flow_linker.h"

struct publication_counts;

/* In the recording's arena. The linker is borrowed. */
struct publication_counts *publication_counts_create(struct recording *recording, const struct flow_linker *linker);

/* Adds a message between processes. `publisher`: its index in the model. In order of time for each publisher. */
void publication_counts_add(struct publication_counts *counts, uint32_t publisher, int64_t time_ns);

uint64_t publication_counts_total(const struct publication_counts *counts, uint32_t publisher);
/* Those published from the first to the last event of the process. */
uint64_t publication_counts_during(const struct publication_counts *counts, uint32_t publisher, uint32_t process);

#endif
