/* SPDX-License-Identifier: MIT */
/*
 * The kinds of objects, a row each: the size of an object, the definitions that define it, and how a definition
 * completes it. A new kind takes a row here, a struct and a MODEL_LOOK_UPS() in ros2bt/model/object_model.h, and the
 * rows of its events in init_events.c.
 */
#ifndef ROS2BT_OBJECT_KINDS_H
#define ROS2BT_OBJECT_KINDS_H

#include "core/base/memory_layout.h"
#include "core/model/callback_ends.h"
#include "core/model/definitions.h"
#include "ros2bt/model/object_model.h"

/* What owns a callback: first word of a DEFINITION_CALLBACK. The second word is the owner's address. */
enum callback_owner {
	OWNER_SUBSCRIPTION_OBJECT, /* the rclcpp object */
	OWNER_SUBSCRIPTION,	   /* the rcl handle (early Dashing, agnocast) */
	OWNER_TIMER,
	OWNER_SERVICE,
	OWNER_INFERRED_SUBSCRIPTION, /* a subscription without rclcpp; its object instead of an address */
	OWNER_INFERRED_SERVICE,	     /* a service without rclcpp, likewise */
};

/* Words of definitions. */
enum {
	NODE_NAME = 0,
	ENDPOINT_NODE = 0, /* publishers, subscriptions, services, clients */
	ENDPOINT_RMW = 1,
	ENDPOINT_NAME = 2,
	ENDPOINT_QUEUE_DEPTH = 3, /* not of services and clients */
	TIMER_PERIOD = 0,
	EXECUTOR_TYPE = 0,
	STATE_MACHINE_NODE = 0,
	ACTION_NODE = 0,
	ACTION_NAME = 1,
	ACTION_IS_SERVER = 2,
	MEMBER_KIND = 0, /* enum definition_kind */
	MEMBER_HANDLE = 1,
	GROUP_EXECUTOR = 0, /* or entities collector */
	GROUP_TYPE = 1,
	CALLBACK_OWNER = 0, /* enum callback_owner */
	CALLBACK_OWNER_ADDRESS = 1,
	REFERENCE = 0, /* the only word of all other kinds */
};

/* A callback, with the members that only the model uses. What each start and end asks for is in one cache line. */
struct callback_object {
	struct model_callback public;
	struct callback_ends ends; /* of its executions */
	struct model_callback_info info;
	const uint64_t *version; /* model_process_version(); NULL until asked for */
	uint64_t info_version;	 /* that of `info` */
	struct definition *definition;
	struct missing_ends missing_ends;
};

ASSERT_OFFSET(struct callback_object, info.service, CACHE_LINE);

struct kind_row {
	size_t size;
	enum definition_kind definition; /* by the address of the object */
	enum definition_kind by_rmw;	 /* by the middleware's handle; DEFINITION_KIND_COUNT: none */
	void (*complete)(struct model_object *object,
			 struct definition *definition); /* sets the members after MODEL_OBJECT_MEMBERS */
};

extern const struct kind_row model_kinds[MODEL_KIND_COUNT];

static inline const char *definition_text(const struct definition *definition, unsigned int word)
{
	return definition ? (const char *)(uintptr_t)definition->word[word] : NULL;
}

#endif
