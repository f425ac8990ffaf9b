/* SPDX-License-Identifier: MIT */
/*
 * The definitions seen so far, each with the time of its first appearance. A definition is a byte string that
 * identifies object and content, compared exactly. O(its size) per call; holds each distinct one once.
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
 * Adds a definition; false if it is a copy: seen before, not more than window_ns away from its first appearance.
 * Beyond that it counts as a new definition with equal content, and the window restarts here. INT64_MAX: a copy at any
 * time.
 */
bool definition_set_add(struct definition_set *set, const void *definition, size_t size, int64_t time_ns,
			int64_t window_ns);

#endif
