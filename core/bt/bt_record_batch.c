/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt_record_batch.h"

bt_message_iterator_next_status bt_record_batch_fill(struct bt_record_batch *batch, struct bt_message_merge *merge,
						     struct bt_decoder *decoder)
{
	const bt_message *message;

	batch->count = 0;
	for (size_t i = 0; i < BT_RECORD_BATCH_SIZE; i++) {
		bt_message_iterator_next_status status = bt_message_merge_next(merge, &message);

		if (G_UNLIKELY(status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)) {
			return status;
		}
		batch->count += bt_decoder_decode_at(decoder, message, bt_message_merge_time(merge),
						     &batch->records[batch->count]);
		bt_message_put_ref(message);
	}
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}
