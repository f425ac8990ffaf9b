/* SPDX-License-Identifier: MIT */
/*
 * The definitions seen so far, each with the time of its first appearance. A definition is a byte string that
 * identifies an object and its content; definitions are compared exactly. Cost: O(size of the definition) per call.
 * Memory: each distinct definition once.
 */
#ifndef ROS2BT_DEFINITION_SET_H
#define ROS2BT_DEFINITION_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct definition_set;

struct definition_set *definition_set_create(void);
void definition_set_destroy(struct definition_set *set);

/*
 * Adds a definition. False if it is a copy: seen before, at most window_ns away from its first appearance. Further away
 * it is a new definition with equal content, and its time is the first appearance from then on. With a window of
 * INT64_MAX, all repetitions are copies.
 */
bool definition_set_add(struct definition_set *set, const void *definition, size_t size, int64_t time_ns,
			int64_t window_ns);

#endif
