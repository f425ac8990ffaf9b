/* SPDX-License-Identifier: MIT */
/*
 * Internals of the normalizer: its state for each process and thread, the record in progress, and the rules by event. A
 * rule reads rewrite->input, remembers what later records need, and adds the replacement to rewrite->events.
 */
#ifndef ROS2BT_REWRITE_H
#define ROS2BT_REWRITE_H

#include <glib.h>

#include "core/normalize/intra_copies.h"
#include "core/normalize/look_ahead.h"
#include "core/normalize/normalized_events.h"
#include "core/normalize/ring_slots.h"
#include "core/normalize/sent_calls.h"

/* What is known of the objects of a process, by address. A value of 0 only marks the key. */
enum rewrite_relation {
	WAITING_RMW_PUBLISHER,	  /* rmw publisher before its rcl_publisher_init → 0 */
	WAITING_RMW_SUBSCRIPTION, /* rmw subscription before its rcl_subscription_init → 0 */
	RMW_OF_PUBLISHER,	  /* rcl publisher → rmw publisher */
	PUBLISHER_OF_RMW,	  /* rmw publisher → rcl publisher */
	RMW_OF_SUBSCRIPTION,	  /* rcl subscription → rmw subscription */
	SUBSCRIPTION_OF_RMW,	  /* rmw subscription → rcl subscription */
	TOPIC_OF_PUBLISHER,	  /* rcl publisher → topic (interned) */
	TOPIC_OF_SUBSCRIPTION,	  /* rcl subscription → topic (interned) */
	ROSOUT_PUBLISHER,	  /* rcl publisher of /rosout → 0 */
	ROSOUT_RMW_PUBLISHER,	  /* its rmw publisher → 0 */
	SUBSCRIPTION_OF_OBJECT,	  /* rclcpp subscription → rcl subscription */
	OBJECT_OF_SUBSCRIPTION,	  /* rcl subscription → the rclcpp subscription of its inter-process messages */
	CALLBACK_OF_OBJECT,	  /* rclcpp subscription → callback */
	OBJECT_OF_CALLBACK,	  /* callback → rclcpp subscription */
	TIMER_OF_CALLBACK,	  /* callback → timer without a node so far */
	CALLBACK_OF_TIMER,	  /* timer → callback */
	WAITABLE,		  /* rclcpp subscription of intra-process messages → itself */
	INTRA_SUBSCRIPTION,	  /* rcl subscription that takes messages of its process intra-process → 0 */
	OBJECT_OF_IPB,		  /* intra-process buffer → rclcpp subscription */
	IPB_OF_BUFFER,		  /* ring buffer → intra-process buffer */
	NODE,			  /* rcl node → 0 */
	SERVICE_OF_RMW,		  /* rmw service → rcl service */
	NAME_OF_SERVICE,	  /* rcl service → its name (interned) */
	SERVICE_WITH_NODE,	  /* rcl service of a known node → 0 */
	SERVICE_WITH_CALLBACK,	  /* rcl service whose callback is defined → 0 */
	WAITING_RMW_CLIENT,	  /* rmw client before its rcl_client_init → gid (interned) */
	GID_OF_CLIENT,		  /* rmw client of a known node → gid (interned) */
	RELATION_COUNT,
};

/* A message in a slot of a ring buffer, or the last one published. */
struct intra_message {
	bool is_there;
	uint64_t message;
	int64_t timestamp;
};

struct rewrite_process {
	bool has_version; /* an rcl_init was passed on */
	bool is_under_caret;
	bool has_rmw_take, has_rclcpp_take, has_timer_link;
	uint64_t node_count, node;
	struct u64_map relations[RELATION_COUNT];
	struct ring_slots slots; /* → index in messages */
	GArray *messages;	 /* struct intra_message */
	struct intra_copies copies;
};

struct rewrite_thread {
	bool has_rcl_publish;
	uint64_t publisher, message; /* of the last rcl_publish */
	struct inferred_write write; /* of the same */
	bool has_rclcpp_publish;
	uint64_t rclcpp_message; /* of the last rclcpp_publish */
	bool drops_take;	 /* the rcl and rclcpp steps of the last rmw_take are left out with it */
	uint64_t dropped_message;
	struct intra_message intra; /* of the last rclcpp_intra_publish */
	bool is_publishing;	    /* `intra` still lacks its rmw_publish */
	uint64_t intra_publisher;
};

struct normalizer {
	struct recording *recording; /* borrowed */
	struct look_ahead *ahead;    /* borrowed */
	struct normalizer_options options;
	const char *rosout, *version; /* interned */
	const void *gid;	      /* interned; zeros */
	int64_t last_made_timestamp;
	struct sent_calls *calls;
	GPtrArray *processes; /* of struct rewrite_process *, by index */
	GArray *threads;      /* of struct rewrite_thread, by index */
};

/* A record in progress. */
struct rewrite {
	struct normalizer *normalizer;
	struct rewrite_process *process;
	struct rewrite_thread *thread;
	const struct event_record *input;
	struct normalized_events *events;
};

/* Relations of the process. U64_MAP_NONE means "none"; it is no address, so neither a key nor a value. */
void rewrite_relate(struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key, uint64_t value);
uint64_t rewrite_unrelate(struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key);
uint64_t rewrite_related(const struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key);
bool rewrite_is_related(const struct rewrite *rewrite, enum rewrite_relation relation, uint64_t key);

/* Adds an event without fields, with the time and thread of the input. */
struct event_record *rewrite_add(struct rewrite *rewrite, enum normalized_how how, enum event_kind kind);

/* Adds the input itself, under its name in ros2_tracing. */
struct event_record *rewrite_pass(struct rewrite *rewrite);

/* The same, marked as changed. */
struct event_record *rewrite_pass_changed(struct rewrite *rewrite);

/* Adds rcl_init with the current version. */
void rewrite_supply_version(struct rewrite *rewrite);

static inline void record_set(struct event_record *record, unsigned int slot, uint64_t word)
{
	record->word[slot] = word;
	record->present |= 1u << slot;
}

static inline uint64_t pointer_word(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static inline bool rewrite_is_from_caret(const struct rewrite *rewrite)
{
	return rewrite->input->flags & RECORD_FROM_CARET;
}

static inline bool rewrite_intra_as_inter(const struct rewrite *rewrite)
{
	return rewrite->normalizer->options.intra_as_inter;
}

/* Definitions (rewrite_definitions.c) */
void rewrite_rmw_publisher_init(struct rewrite *rewrite);
void rewrite_rmw_subscription_init(struct rewrite *rewrite);
void rewrite_rcl_init(struct rewrite *rewrite);
void rewrite_rcl_node_init(struct rewrite *rewrite);
void rewrite_rcl_publisher_init(struct rewrite *rewrite);
void rewrite_rcl_subscription_init(struct rewrite *rewrite);
void rewrite_rclcpp_subscription_init(struct rewrite *rewrite);
void rewrite_rclcpp_subscription_callback_added(struct rewrite *rewrite);
void rewrite_rclcpp_timer_callback_added(struct rewrite *rewrite);
void rewrite_rclcpp_timer_link_node(struct rewrite *rewrite);
void rewrite_rclcpp_callback_register(struct rewrite *rewrite);
void rewrite_rclcpp_ipb_to_subscription(struct rewrite *rewrite);
void rewrite_rclcpp_buffer_to_ipb(struct rewrite *rewrite);

/* Services and clients (rewrite_services.c) */
void rewrite_rcl_service_init(struct rewrite *rewrite);
void rewrite_rclcpp_service_callback_added(struct rewrite *rewrite);
void rewrite_rmw_client_init(struct rewrite *rewrite);
void rewrite_rcl_client_init(struct rewrite *rewrite);
void rewrite_rmw_send_request(struct rewrite *rewrite);
void rewrite_rmw_take_request(struct rewrite *rewrite);
void rewrite_rmw_send_response(struct rewrite *rewrite);
void rewrite_rmw_take_response(struct rewrite *rewrite);

/* Executions and messages (rewrite_messages.c) */
void rewrite_callback_end(struct rewrite *rewrite);
void rewrite_rcl_take(struct rewrite *rewrite);
void rewrite_rclcpp_take(struct rewrite *rewrite);
/* Adds the rmw_publish that the intra-process publication of the thread still lacks. */
void rewrite_end_publication(struct rewrite *rewrite);
void rewrite_callback_start(struct rewrite *rewrite);
void rewrite_rclcpp_publish(struct rewrite *rewrite);
void rewrite_rcl_publish(struct rewrite *rewrite);
void rewrite_rmw_publish(struct rewrite *rewrite);
void rewrite_dds_write(struct rewrite *rewrite);
void rewrite_rclcpp_intra_publish(struct rewrite *rewrite);
void rewrite_rclcpp_ring_buffer_enqueue(struct rewrite *rewrite);
void rewrite_rclcpp_ring_buffer_dequeue(struct rewrite *rewrite);
void rewrite_rmw_take(struct rewrite *rewrite);
void rewrite_dispatch_subscription_callback(struct rewrite *rewrite);

#endif
