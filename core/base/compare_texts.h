/* SPDX-License-Identifier: MIT */
/* The order of texts in an array, for g_ptr_array_sort(): byte by byte. */
#ifndef ROS2BT_COMPARE_TEXTS_H
#define ROS2BT_COMPARE_TEXTS_H

#include <glib.h>
#include <string.h>

static inline gint compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#endif
