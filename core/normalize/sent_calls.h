/* SPDX-License-Identifier: MIT */
/*
 * The requests and responses that the trace shows being sent, by client (gid) and sequence number: whether one that is
 * taken has an origin. Trace Compass matches by the same values (Ros2MessagesStateProvider): a request by gid and
 * sequence number, a response by its source timestamp as well.
 *
 * The gid is interned, so its address identifies the client. Cost: O(1), O(log ranges) for a request out of order.
 * Memory of a client: 16 bytes for each range of consecutive sequence numbers, at most SENT_RANGES_MAX (beyond that the
 * lowest range is forgotten), and 64 bytes for each response that its client has not taken yet.
 */
#ifndef ROS2BT_SENT_CALLS_H
#define ROS2BT_SENT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#define SENT_RANGES_MAX 4096

struct sent_calls;

struct sent_calls *sent_calls_create(void);
void sent_calls_destroy(struct sent_calls *calls);

/* The client sends a request. Responses to it are remembered from now on. */
void sent_calls_add_request(struct sent_calls *calls, const void *gid, int64_t sequence_number);
bool sent_calls_has_request(const struct sent_calls *calls, const void *gid, int64_t sequence_number);

/* A service responds. Ignored if the client has never sent a request: nothing will be taken that the trace shows. */
void sent_calls_add_response(struct sent_calls *calls, const void *gid, int64_t sequence_number, int64_t timestamp);
/* The client takes a response. False if none was sent that it may be; each is taken once. */
bool sent_calls_take_response(struct sent_calls *calls, const void *gid, int64_t sequence_number, int64_t timestamp);

#endif
