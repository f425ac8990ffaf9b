/* SPDX-License-Identifier: MIT */
#include "core/bt/merge/message_order.h"

#include <glib.h>
#include <string.h>

#include "core/base/compare_numbers.h"

#define UUID_SIZE 16

const bt_stream *message_order_stream(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return bt_message_stream_beginning_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_STREAM_END:
		return bt_message_stream_end_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return bt_packet_borrow_stream_const(bt_message_packet_beginning_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_PACKET_END:
		return bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message));
	case BT_MESSAGE_TYPE_EVENT:
		return bt_event_borrow_stream_const(bt_message_event_borrow_event_const(message));
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return bt_message_discarded_events_borrow_stream_const(message);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return bt_message_discarded_packets_borrow_stream_const(message);
	default:
		return NULL;
	}
}

static int type_rank(const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return 0;
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return 1;
	case BT_MESSAGE_TYPE_EVENT:
		return 2;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return 3;
	case BT_MESSAGE_TYPE_PACKET_END:
		return 4;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return 5;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return 6;
	default:
		return 7;
	}
}

/* A message without one comes last; 0 if both have one. */
static int compare_presence(const void *one, const void *other)
{
	return (one == NULL) - (other == NULL);
}

static int compare_texts(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) : compare_presence(one, other);
}

static int compare_identities(const bt_trace *one, const bt_trace *other, uint64_t mip_version)
{
	if (mip_version == 0) {
		bt_uuid one_uuid = bt_trace_get_uuid(one), other_uuid = bt_trace_get_uuid(other);

		return one_uuid && other_uuid ? memcmp(one_uuid, other_uuid, UUID_SIZE)
					      : compare_presence(one_uuid, other_uuid);
	}
#ifdef HAVE_BT2_MIP1
	return compare_texts(bt_trace_get_uid(one), bt_trace_get_uid(other));
#else
	return 0;
#endif
}

static int compare_traces(const bt_trace *one, const bt_trace *other, uint64_t mip_version)
{
	int order;

	if (one == other) {
		return 0;
	}
	order = compare_identities(one, other, mip_version);
	return order != 0 ? order : compare_texts(bt_trace_get_name(one), bt_trace_get_name(other));
}

static int compare_streams(const bt_stream *one, const bt_stream *other, uint64_t mip_version)
{
	int order;

	if (one == other || !one || !other) {
		return compare_presence(one, other);
	}
	order = compare_traces(bt_stream_borrow_trace_const(one), bt_stream_borrow_trace_const(other), mip_version);
	if (order == 0) {
		order = compare_unsigned(bt_stream_class_get_id(bt_stream_borrow_class_const(one)),
					 bt_stream_class_get_id(bt_stream_borrow_class_const(other)));
	}
	return order != 0 ? order : compare_unsigned(bt_stream_get_id(one), bt_stream_get_id(other));
}

static uint64_t event_class_id(const bt_message *message)
{
	return bt_event_class_get_id(bt_event_borrow_class_const(bt_message_event_borrow_event_const(message)));
}

int message_order(const bt_message *one, const bt_message *other, uint64_t mip_version)
{
	int order = compare_streams(message_order_stream(one), message_order_stream(other), mip_version);

	if (order == 0) {
		order = type_rank(one) - type_rank(other);
	}
	if (order == 0 && bt_message_get_type(one) == BT_MESSAGE_TYPE_EVENT) {
		order = compare_unsigned(event_class_id(one), event_class_id(other));
	}
	return order;
}
