/* SPDX-License-Identifier: MIT */
/*
 * The servers of each service: the middleware gives a request to all that there are. A request therefore waits for
 * further takes while one of them may still record one.
 *
 * Servers are found by the name of the service, which is interned. Those whose name is not recorded, or not before the
 * request is taken, are not waited for.
 *
 * Cost: O(servers of the name) for a take of a request. Memory: a pointer for each server.
 */
#ifndef ROS2BT_FLOW_SERVERS_H
#define ROS2BT_FLOW_SERVERS_H

#include "core/flow/linked_publications.h"

/* Whether a server that runs has not taken the request so far. */
bool flow_servers_await(struct flow_linker *linker, const struct linked_publication *request);

void flow_servers_clear(struct flow_linker *linker);

#endif
