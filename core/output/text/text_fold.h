/* SPDX-License-Identifier: MIT */
/*
 * Which of many rows are listed: of those with the same name in the column that folds a table (text_hints.folds), only
 * the first few as long as there are others. Else what everybody receives (/tf) would leave nothing else to see.
 */
#ifndef ROS2BT_TEXT_FOLD_H
#define ROS2BT_TEXT_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT_FOLD_SHOWN 3

/* The name of a row, NULL: none. */
typedef const char *(*text_fold_name)(const void *data, size_t row);

/*
 * Puts those that are folded behind the others, otherwise in their order. Returns whether others than before are among
 * the first `limit`. O(count).
 */
bool text_fold(size_t *rows, size_t count, size_t limit, text_fold_name name_of, const void *data);

#endif
