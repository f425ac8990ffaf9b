/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/record_batch.h"

bt_message_iterator_next_status record_batch_fill(struct record_batch *batch, struct message_merge *merge,
						  struct message_decoder *decoder)
{
	const bt_message *message;

	batch->count = 0;
	message_decoder_begin_batch(decoder);
	for (size_t i = 0;
	     i < RECORD_BATCH_SIZE && batch->count < RECORD_BATCH_SIZE && !message_decoder_is_full(decoder); i++) {
		bt_message_iterator_next_status status = message_merge_next(merge, &message);

		if (G_UNLIKELY(status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)) {
			return status;
		}
		batch->count += message_decoder_decode(decoder, message, &batch->records[batch->count]);
		bt_message_put_ref(message);
	}
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}
