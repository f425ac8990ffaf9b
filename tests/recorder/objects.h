/* SPDX-License-Identifier: MIT */
/*
 * The objects of a process: their addresses and the events that define them, in the order of rcl and rclcpp.
 */
#ifndef RECORDER_OBJECTS_H
#define RECORDER_OBJECTS_H

#include "plan.h"
#include "tracepoints.h"

enum role {
	ROLE_CONTEXT = 1,
	ROLE_NODE,
	ROLE_RMW_NODE,
	ROLE_PUBLISHER,
	ROLE_RMW_PUBLISHER,
	ROLE_SUBSCRIPTION,
	ROLE_RMW_SUBSCRIPTION,
	ROLE_RCLCPP_SUBSCRIPTION,
	ROLE_SUBSCRIPTION_CALLBACK,
	ROLE_INTRA_SUBSCRIPTION,
	ROLE_INTRA_CALLBACK,
	ROLE_INTRA_BUFFER,
	ROLE_RING_BUFFER,
	ROLE_TIMER,
	ROLE_TIMER_CALLBACK,
	ROLE_SERVICE,
	ROLE_RMW_SERVICE,
	ROLE_SERVICE_CALLBACK,
	ROLE_CLIENT,
	ROLE_RMW_CLIENT,
	ROLE_EXECUTOR,
	ROLE_COLLECTOR,
	ROLE_GROUP,
	ROLE_STATE_MACHINE,
	ROLE_MESSAGE,
	ROLE_INTERNAL, /* of the middleware: no event defines it */
};

/* The address of an object, the same in every process: as real ones without address space randomization. */
static inline uint64_t address_of(enum role role, uint32_t local)
{
	return UINT64_C(0x550000000000) + ((uint64_t)role << 32) + local * UINT64_C(0x1a8);
}

/* The gid of a client; valid until the next call of the thread. */
const uint8_t *client_gid(uint32_t client);

/* Records the definitions of all objects of the process. */
void objects_define(const struct plan *plan, const struct tracepoints *tracepoints, uint32_t process);

/* Records what happens to objects at the end. */
void objects_finish(const struct plan *plan, uint32_t process);

#endif
