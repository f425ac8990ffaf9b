/* SPDX-License-Identifier: MIT */
/*
 * Requests and responses: rmw_send_request → rmw_take_request → service callback → rmw_send_response →
 * rmw_take_response, linked by gid of the client, sequence number and direction, which rmw makes unique
 * (rmw_request_id_t). A request or response is a publication without a publisher: public.client or public.service is
 * the sender. No callback of a client is recorded, so a flow ends where the response is taken.
 *
 * Cost: one lookup for an event.
 */
#ifndef ROS2BT_FLOW_SERVICE_H
#define ROS2BT_FLOW_SERVICE_H

#include "core/flow/state.h"

/* Takes the four events. */
void flow_service_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record);

#endif
