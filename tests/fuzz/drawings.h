/* SPDX-License-Identifier: MIT */
/*
 * Outputs that draw, on arbitrary names and numbers: a timeline must be whole packets with all events, a graph must
 * keep to the grammar of DOT, whatever is in the names.
 */
#ifndef ROS2BT_TESTS_FUZZ_DRAWINGS_H
#define ROS2BT_TESTS_FUZZ_DRAWINGS_H

#include "fuzz_input.h"

/* Writes into the directory, and removes what it has written. */
void fuzz_timeline(struct fuzz_input *input, const char *directory);
void fuzz_graph(struct fuzz_input *input, const char *directory);

#endif
