/* SPDX-License-Identifier: MIT */
/*
 * The next messages of a merge as event records, about a thousand at a time, as the readers of core/ctf give them.
 */
#ifndef ROS2BT_BT_RECORD_BATCH_H
#define ROS2BT_BT_RECORD_BATCH_H

#include <babeltrace2/babeltrace.h>

#include "ros2bt/bt_decoder.h"
#include "ros2bt/bt_message_merge.h"

/* Messages, and so records at most, of a batch. */
#define BT_RECORD_BATCH_SIZE 1024

struct bt_record_batch {
	size_t count;
	struct event_record records[BT_RECORD_BATCH_SIZE];
};

/*
 * Fills the batch anew. With any status it holds the records of what was read until then, maybe none; OK: more may
 * follow, otherwise why not.
 */
bt_message_iterator_next_status bt_record_batch_fill(struct bt_record_batch *batch, struct bt_message_merge *merge,
						     struct bt_decoder *decoder);

#endif
