/* SPDX-License-Identifier: MIT */
/*
 * The objects of the ROS 2 systems in a recording: nodes, publishers, subscriptions, services, clients, timers,
 * callbacks, executors, lifecycle state machines and actions of each process, built from INIT records.
 *
 * An object is identified by its process, kind, address and the time from which it exists (`since_ns`), because
 * addresses collide between processes and are reused within one. At any time the newest definition at or before it
 * holds; copies of a definition (CARET's twins, or a second recording session) change nothing. Definitions may arrive
 * in any order, late or never. Looking up an undefined address creates an object of which only the address is known; a
 * later definition completes it, unless that begins after the object's last use.
 *
 * Relations are therefore resolved on demand. A reference in a definition means the object that had the address at the
 * time of the definition, or the next one to get it: some objects are recorded after objects that refer to them (the
 * publisher of /rosout precedes its node, an intra-process callback its subscription).
 *
 * Objects live as long as the model, and pointers to them stay valid. Addresses and times are those of the trace (ns
 * since the Unix epoch); strings are in the recording's pool. A look-up by address hashes one word. Memory: the objects
 * and their definitions. See docs/internals/object_model.md.
 */
#ifndef ROS2BT_OBJECT_MODEL_H
#define ROS2BT_OBJECT_MODEL_H

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

struct object_model;

enum model_kind {
	MODEL_NODE,
	MODEL_PUBLISHER,
	MODEL_SUBSCRIPTION,
	MODEL_SERVICE,
	MODEL_CLIENT,
	MODEL_TIMER,
	MODEL_CALLBACK,
	MODEL_EXECUTOR, /* only CARET records them */
	MODEL_STATE_MACHINE,
	MODEL_ACTION, /* one side of an action: its server, or one of its clients */
	MODEL_KIND_COUNT,
};

enum callback_kind {
	CALLBACK_KIND_UNKNOWN,
	CALLBACK_KIND_SUBSCRIPTION,
	CALLBACK_KIND_TIMER,
	CALLBACK_KIND_SERVICE,
	CALLBACK_KIND_INFERRED, /* of a subscription or service without rclcpp, whose callbacks are not recorded */
};

/* When a service callback responds. */
enum service_response {
	SERVICE_RESPONSE_UNKNOWN,
	SERVICE_RESPONSE_RETURNED, /* on return: the response is one of its arguments */
	SERVICE_RESPONSE_DEFERRED, /* later: it receives the id of the request, but no response to fill in */
};

/*
 * The first members of every object. Each kind has them as members of its own, so that callers write publisher->index,
 * and as struct model_object for code that serves every kind.
 */
#define MODEL_OBJECT_MEMBERS(address)                                                                                  \
	uint32_t index; /* dense within each kind, in order of creation */                                             \
	uint32_t process;                                                                                              \
	uint64_t address; /* 0 if unknown */                                                                           \
	int64_t since_ns; /* time of the definition, or of the first use */                                            \
	bool is_defined	  /* its initialization event was recorded */

#define MODEL_ENDPOINT_MEMBERS(name)                                                                                   \
	MODEL_OBJECT_MEMBERS(handle);                                                                                  \
	bool has_rclcpp;     /* of subscriptions: the rclcpp part was recorded, and therefore callbacks are */         \
	uint64_t rmw_handle; /* 0 if unknown */                                                                        \
	uint64_t node_handle;                                                                                          \
	const char *name;    /* of the topic or service, NULL if unknown */                                            \
	uint64_t queue_depth /* of publishers and subscriptions */

struct model_object {
	MODEL_OBJECT_MEMBERS(handle);
};

/* A publisher, subscription, service or client. */
struct model_endpoint {
	MODEL_ENDPOINT_MEMBERS(name);
};

#define MODEL_OBJECT(address)                                                                                          \
	union {                                                                                                        \
		struct model_object object;                                                                            \
		struct {                                                                                               \
			MODEL_OBJECT_MEMBERS(address);                                                                 \
		};                                                                                                     \
	}

#define MODEL_ENDPOINT(name)                                                                                           \
	union {                                                                                                        \
		struct model_object object;                                                                            \
		struct model_endpoint endpoint;                                                                        \
		struct {                                                                                               \
			MODEL_ENDPOINT_MEMBERS(name);                                                                  \
		};                                                                                                     \
	}

struct model_node {
	MODEL_OBJECT(handle);
	const char *name; /* full: "/namespace/name" */
};

struct model_publisher {
	MODEL_ENDPOINT(topic);
	uint64_t of_flow[17]; /* room for what core/flow keeps of it (core/flow/endpoints.h); zeros at first */
};

struct model_subscription {
	MODEL_ENDPOINT(topic);
	uint64_t of_flow[8]; /* room for what core/flow keeps of it (core/flow/endpoints.h); zeros at first */
};

struct model_service {
	MODEL_ENDPOINT(name);
};

struct model_client {
	MODEL_ENDPOINT(service_name);
	const char *gid; /* GID_SIZE bytes, NULL if unknown */
};

struct model_timer {
	MODEL_OBJECT(handle);
	int64_t period_ns; /* see object_model_is_wait_period() */
};

struct model_callback {
	union {
		struct model_object object;
		struct {
			MODEL_OBJECT_MEMBERS(address);
			uint32_t ran_on; /* 1 + the thread on which core/model/executions.h started it last; 0: none */
		};
	};
	void *row; /* room for that of the analysis of callbacks; NULL at first */
};

struct model_executor {
	MODEL_OBJECT(handle); /* the address of the executor */
	const char *type;     /* as CARET names it: "single_threaded_executor", … */
};

struct model_state_machine {
	MODEL_OBJECT(handle); /* the address of the state machine */
	uint64_t node_handle;
};

struct model_action {
	MODEL_OBJECT(handle); /* of the service or client of NAME/_action/send_goal */
	uint64_t node_handle;
	const char *name; /* of the action, without "/_action/…" */
	bool is_server;
};

/* The services and topics that make up an action. */
enum action_part {
	ACTION_PART_NONE,
	ACTION_PART_SEND_GOAL,
	ACTION_PART_CANCEL_GOAL,
	ACTION_PART_GET_RESULT,
	ACTION_PART_FEEDBACK,
	ACTION_PART_STATUS,
};

/* A callback group, and the executor that it was added to. */
struct model_callback_group {
	uint64_t address;
	const char *type;		 /* as CARET names it, NULL if unknown */
	struct model_executor *executor; /* NULL if unknown */
};

/* What is known of a callback so far. */
struct model_callback_info {
	enum callback_kind kind;
	struct model_subscription *subscription; /* of kind SUBSCRIPTION or INFERRED, else NULL */
	struct model_service *service;		 /* of kind SERVICE or INFERRED, else NULL */
	struct model_timer *timer;		 /* of kind TIMER if rcl_timer_init was recorded, else NULL */
	uint64_t timer_handle;			 /* of kind TIMER, else 0 */
	bool has_period;
	int64_t period_ns;
	bool is_intra_process;		/* the callback of the subscription's intra-process part */
	const char *node;		/* full name, NULL if unknown */
	const char *symbol;		/* NULL if unknown */
	enum service_response response; /* of kind SERVICE; from the arguments in its symbol */
};

/* The recording is borrowed and must outlive the model. */
struct object_model *object_model_create(struct recording *recording);
void object_model_destroy(struct object_model *model);

/* Takes events of class INIT and ignores all others. Amortized O(1) if definitions arrive in order of time. */
void object_model_feed(struct object_model *model, const struct event_record *record);

/* Increases with each definition that changes something, after which any relation may resolve differently. */
uint64_t object_model_version(const struct object_model *model);

/* The objects of a kind, by index. */
size_t object_model_count(const struct object_model *model, enum model_kind kind);
struct model_object *object_model_at(const struct object_model *model, enum model_kind kind, size_t index);

/* The object of a kind whose definition holds at time_ns, or NULL. */
struct model_object *object_model_find(const struct object_model *model, enum model_kind kind, uint32_t process,
				       uint64_t handle, int64_t time_ns);

/*
 * The same three look-ups by kind, with its type:
 * object_model_KIND_count(), object_model_KIND_at() and object_model_find_KIND().
 */
#define MODEL_LOOK_UPS(KIND, name)                                                                                     \
	static inline size_t object_model_##name##_count(const struct object_model *model)                             \
	{                                                                                                              \
		return object_model_count(model, MODEL_##KIND);                                                        \
	}                                                                                                              \
	static inline struct model_##name *object_model_##name##_at(const struct object_model *model, size_t index)    \
	{                                                                                                              \
		return (struct model_##name *)object_model_at(model, MODEL_##KIND, index);                             \
	}                                                                                                              \
	static inline struct model_##name *object_model_find_##name(                                                   \
		const struct object_model *model, uint32_t process, uint64_t handle, int64_t time_ns)                  \
	{                                                                                                              \
		return (struct model_##name *)object_model_find(model, MODEL_##KIND, process, handle, time_ns);        \
	}

MODEL_LOOK_UPS(NODE, node)
MODEL_LOOK_UPS(PUBLISHER, publisher)
MODEL_LOOK_UPS(SUBSCRIPTION, subscription)
MODEL_LOOK_UPS(SERVICE, service)
MODEL_LOOK_UPS(CLIENT, client)
MODEL_LOOK_UPS(TIMER, timer)
MODEL_LOOK_UPS(CALLBACK, callback)
MODEL_LOOK_UPS(EXECUTOR, executor)
MODEL_LOOK_UPS(STATE_MACHINE, state_machine)
MODEL_LOOK_UPS(ACTION, action)

/* The object at an address at time_ns, the time of the event that uses it; created if there is none. */
struct model_callback *object_model_callback(struct object_model *model, uint32_t process, uint64_t address,
					     int64_t time_ns);
struct model_publisher *object_model_publisher(struct object_model *model, uint32_t process, uint64_t handle,
					       int64_t time_ns);
struct model_subscription *object_model_subscription_by_rmw(struct object_model *model, uint32_t process,
							    uint64_t rmw_handle, int64_t time_ns);
struct model_publisher *object_model_publisher_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						      int64_t time_ns);

/* As object_model_find(), by the middleware's handle. */
struct model_publisher *object_model_find_publisher_by_rmw(struct object_model *model, uint32_t process,
							   uint64_t rmw_handle, int64_t time_ns);
struct model_service *object_model_find_service_by_rmw(struct object_model *model, uint32_t process,
						       uint64_t rmw_handle, int64_t time_ns);
struct model_client *object_model_find_client_by_rmw(struct object_model *model, uint32_t process, uint64_t rmw_handle,
						     int64_t time_ns);

/* The subscription that reads a ring buffer of intra-process communication, NULL if unknown so far. Cached. */
struct model_subscription *object_model_subscription_of_buffer(struct object_model *model, uint32_t process,
							       uint64_t buffer, int64_t time_ns);

/* The address of the callback of a timer in use at time_ns, as far as known so far; 0: unknown. */
uint64_t object_model_timer_callback(const struct object_model *model, uint32_t process, uint64_t timer_handle,
				     int64_t time_ns);

/* What is known of a callback so far. Cached; valid until the next definition. */
const struct model_callback_info *object_model_callback_info(struct object_model *model,
							     struct model_callback *callback);

/* The callback group of a callback. False if the trace does not record it; only CARET does. */
bool object_model_callback_group(const struct object_model *model, const struct model_callback *callback,
				 struct model_callback_group *group);

/* The full name ("/namespace/name") of the node to which a definition at time_ns refers, NULL if unknown. */
const char *object_model_node_name(const struct object_model *model, uint32_t process, uint64_t node_handle,
				   int64_t time_ns);
/* That of an endpoint by its definition. Of publishers and subscriptions, which may be undefined: the next two. */
static inline const char *object_model_endpoint_node(const struct object_model *model,
						     const struct model_endpoint *endpoint)
{
	return object_model_node_name(model, endpoint->process, endpoint->node_handle, endpoint->since_ns);
}

const char *object_model_publisher_node(const struct object_model *model, const struct model_publisher *publisher);
const char *object_model_subscription_node(const struct object_model *model,
					   const struct model_subscription *subscription);

const char *object_model_timer_node(const struct object_model *model, const struct model_timer *timer);
const char *object_model_state_machine_node(const struct object_model *model,
					    const struct model_state_machine *machine);

/* The part of an action that a service or topic of this name is; *length is the length of the action's name in it. */
enum action_part action_part_of(const char *name, size_t *length);

/*
 * The action server or client to which an endpoint belongs, NULL if it belongs to none. No event defines an action: its
 * endpoints are those of one node with the action's name, from the endpoint of send_goal on. O(actions); not for use at
 * every event.
 */
struct model_action *object_model_action_of(const struct object_model *model, enum model_kind kind,
					    const struct model_endpoint *endpoint);

/*
 * Nodes without rclcpp (rclpy, rclc, …) record no executions of their callbacks. Instead, a take of a message or
 * request implies an execution (core/model/inferred_executions.h) of a callback of kind INFERRED, which has no address.
 * These functions give that callback, and NULL for objects of rclcpp.
 *
 * A subscription is without rclcpp if rcl recorded it and rclcpp did not; in a process with rclcpp, these are the
 * feedback and status of actions. A service is without rclcpp only if its whole process is, because the services of
 * rclcpp_action have no rclcpp part either. A process that CARET records has no such objects: CARET supports rclcpp
 * only, and records definitions late.
 */
struct model_callback *object_model_inferred_subscription(struct object_model *model,
							  struct model_subscription *subscription);
struct model_callback *object_model_inferred_service(struct object_model *model, struct model_service *service);

/*
 * The callback, of kind INFERRED too, that stands for what handles a message of the subscription that was taken by hand
 * (core/flow/polled_takes.h), of rclcpp or not. Made when first asked for.
 */
struct model_callback *object_model_polled_subscription(struct object_model *model,
							struct model_subscription *subscription);

/* The number of objects so far for which these two may give a callback. The pointer is valid as long as the model. */
const size_t *object_model_inferable_count(const struct object_model *model);

/*
 * Whether timers of this period only bound waits: rclpy's spin_once(timeout) creates a timer for each wait. They are
 * recognized in processes without rclcpp, by their number and by the few addresses that they share. O(1).
 */
bool object_model_is_wait_period(const struct object_model *model, uint32_t process, int64_t period_ns);

/* Whether any initialization event of the process was recorded. */
bool object_model_has_definitions(const struct object_model *model, uint32_t process);

/* Adds the versions of tracetools that processes recorded to those of the array, in no order; in the string pool. */
void object_model_add_versions(const struct object_model *model, GPtrArray *versions);

#endif
