/* SPDX-License-Identifier: MIT */
/*
 * The objects of the ROS 2 systems in a recording: nodes, publishers, subscriptions, timers, services, clients,
 * callbacks, ring buffers, … of each process, built from INIT records.
 *
 * Identity is (process, kind of object, address, since): addresses are reused and collide between processes. A newer
 * definition (by record_since_ns()) replaces an older one for everything that happens later; copies of a
 * definition (CARET's, or those of a second recording session) change nothing, see definitions.h. Definitions may
 * come in any order, late, or never: a look-up of something undefined makes an object that knows its address only,
 * and a definition that comes later but does not begin after the object's last use completes it. So relations are
 * resolved when they are asked for, not when they are recorded: a reference in a definition means what its address
 * meant at the time of the definition, or what came next where the tracepoints are in the other order (/rosout's
 * publisher comes before its node, an intra-process callback before its subscription).
 *
 * Objects are never freed before the model; pointers stay valid. Look-ups by address: one hash of one word.
 */
#ifndef ROS2BT_OBJECT_MODEL_H
#define ROS2BT_OBJECT_MODEL_H

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

struct object_model;

enum callback_kind {
	CALLBACK_KIND_UNKNOWN,
	CALLBACK_KIND_SUBSCRIPTION,
	CALLBACK_KIND_TIMER,
	CALLBACK_KIND_SERVICE,
};

struct model_publisher {
	uint32_t index; /* dense, in order of creation */
	uint32_t process;
	uint64_t handle;     /* 0 if only the rmw handle is known */
	uint64_t rmw_handle; /* 0 if unknown */
	uint64_t node_handle;
	int64_t since_ns;
	bool is_defined;   /* rcl_publisher_init was seen */
	const char *topic; /* in the pool, NULL if unknown */
	uint64_t queue_depth;
};

struct model_subscription {
	uint32_t index;
	uint32_t process;
	uint64_t handle;
	uint64_t rmw_handle;
	uint64_t node_handle;
	int64_t since_ns;
	bool is_defined;   /* rcl_subscription_init was seen */
	const char *topic; /* in the pool, NULL if unknown */
	uint64_t queue_depth;
};

struct model_callback {
	uint32_t index;
	uint32_t process;
	uint64_t address;
	int64_t since_ns; /* of the definition, or of the first use */
};

struct model_service {
	uint32_t index;
	uint32_t process;
	uint64_t handle;
	uint64_t rmw_handle;
	uint64_t node_handle;
	int64_t since_ns;
	const char *name; /* in the pool, NULL if unknown */
};

struct model_client {
	uint32_t index;
	uint32_t process;
	uint64_t handle;
	uint64_t rmw_handle;
	uint64_t node_handle;
	int64_t since_ns;
	const char *service_name; /* in the pool, NULL if unknown */
	const char *gid;	  /* GID_SIZE bytes in the pool, NULL if unknown */
};

/* What is known of a callback, resolved now. Strings are in the pool. */
struct model_callback_info {
	enum callback_kind kind;
	struct model_subscription *subscription; /* of kind SUBSCRIPTION, else NULL */
	struct model_service *service;		 /* of kind SERVICE, else NULL */
	uint64_t timer_handle;			 /* of kind TIMER, else 0 */
	bool has_period;
	int64_t period_ns;
	bool is_intra_process; /* the callback of the subscription's intra-process part */
	const char *node;      /* full name, NULL if unknown */
	const char *symbol;    /* NULL if unknown */
};

/* Both are borrowed and must outlive the model. */
struct object_model *object_model_create(struct recording *recording);
void object_model_destroy(struct object_model *model);

/* Takes the INIT events, ignores all others. */
void object_model_feed(struct object_model *model, const struct event_record *record);

/* Counts up with each definition that changed something: what was resolved before may be resolved anew. */
uint64_t object_model_version(const struct object_model *model);

/* The one valid at time_ns (the time of the event at hand); made if there is none. */
struct model_callback *object_model_callback(struct object_model *model, uint32_t process, uint64_t address,
					     int64_t time_ns);
struct model_publisher *object_model_publisher(struct object_model *model, uint32_t process, uint64_t handle,
					       int64_t time_ns);
struct model_subscription *object_model_subscription_by_rmw(struct object_model *model, uint32_t process,
							    uint64_t rmw_handle, int64_t time_ns);

/* The one defined and valid at time_ns, or NULL. */
struct model_publisher *object_model_find_publisher_by_rmw(struct object_model *model, uint32_t process,
							   uint64_t rmw_handle, int64_t time_ns);
struct model_service *object_model_find_service_by_rmw(struct object_model *model, uint32_t process,
						       uint64_t rmw_handle, int64_t time_ns);
struct model_client *object_model_find_client_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						     int64_t time_ns);

/* The subscription behind a ring buffer of intra-process communication, as far as known now, or NULL. Cached. */
struct model_subscription *object_model_subscription_of_buffer(struct object_model *model, uint32_t process,
							       uint64_t buffer, int64_t time_ns);

/* What is known of a callback, as far as known now: valid until something is defined. Cached: O(1) until then. */
const struct model_callback_info *object_model_callback_info(struct object_model *model,
							     struct model_callback *callback);

/* The full name of a node ("/namespace/name") as seen by something defined at time_ns, NULL if unknown. */
const char *object_model_node_name(const struct object_model *model, uint32_t process, uint64_t node_handle,
				   int64_t time_ns);
const char *object_model_publisher_node(const struct object_model *model, const struct model_publisher *publisher);
const char *object_model_subscription_node(const struct object_model *model,
					   const struct model_subscription *subscription);

/* Whether any initialization event of the process was recorded. */
bool object_model_has_definitions(const struct object_model *model, uint32_t process);

/* All callbacks / publishers / subscriptions, in order of creation (index). */
size_t object_model_callback_count(const struct object_model *model);
struct model_callback *object_model_callback_at(const struct object_model *model, size_t index);
size_t object_model_publisher_count(const struct object_model *model);
size_t object_model_subscription_count(const struct object_model *model);
struct model_subscription *object_model_subscription_at(const struct object_model *model, size_t index);

#endif
