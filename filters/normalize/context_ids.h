/* SPDX-License-Identifier: MIT */
/*
 * Makes the vpid and vtid in the common contexts of events unique, where the contexts have pid_ns too. The members are
 * looked up once per stream class; an event costs one look-up of a word, and a few more with pid_ns.
 */
#ifndef ROS2BT_CONTEXT_IDS_H
#define ROS2BT_CONTEXT_IDS_H

#include <babeltrace2/babeltrace.h>

struct context_ids;

struct context_ids *context_ids_create(void);
void context_ids_destroy(struct context_ids *ids);

/* Changes the context of `event`, a copy of an event of the original stream class, which the caller keeps alive. */
void context_ids_make_unique(struct context_ids *ids, const bt_stream_class *original, bt_event *event);

#endif
