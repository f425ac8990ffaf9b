/* SPDX-License-Identifier: MIT */
/*
 * Checks of the outputs that draw, with arbitrary names and numbers: a timeline must consist of whole packets with all
 * events, and a graph must keep to the grammar of DOT whatever the names contain.
 */
#ifndef ROS2BT_TESTS_FUZZ_DRAWINGS_H
#define ROS2BT_TESTS_FUZZ_DRAWINGS_H

#include "fuzz_input.h"

/* Writes into the directory, and removes what it has written. */
void fuzz_timeline(struct fuzz_input *input, const char *directory);
void fuzz_graph(struct fuzz_input *input, const char *directory);

#endif
