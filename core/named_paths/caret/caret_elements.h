/* SPDX-License-Identifier: MIT */
/*
 * The elements of a named path as CARET evaluates it (caret_analyze, infra/lttng/records_provider_lttng.py): its nodes
 * and the communications between them. Each has a record for everything that happened there:
 *
 *   communication      every publication of the publisher, with the callback_start that received it, by source
 *                      timestamp; by the ring buffer, if anything was delivered within a process
 *   node, by the latest message    every callback_start of the subscription, with each publication until the next one,
 *                      on any thread; if no callback ever ran, its takes
 *   node, by a chain of callbacks  every execution of the first one; from its end the starts of the next one, until the
 *                      first ends again, and so on; and the first publication after the last start and before the next
 *   first node         the callback that started last on a publication's thread, and the publication
 *   last node          every execution of its callback
 *
 * O(n log n) in the records that are kept of objects (caret_objects.h).
 */
#ifndef ROS2BT_CARET_ELEMENTS_H
#define ROS2BT_CARET_ELEMENTS_H

#include "core/named_paths/caret/caret_objects.h"

enum caret_context {
	CARET_CONTEXT_NONE, /* unknown, or at an end of the path */
	CARET_CONTEXT_USE_LATEST,
	CARET_CONTEXT_CALLBACK_CHAIN,
};

/* A callback of the architecture, and its objects in the recording. */
struct caret_callback {
	const char *name;     /* borrowed */
	GPtrArray *callbacks; /* struct model_callback *, borrowed */
};

/* A node on the path. Lists are borrowed, and may be empty. */
struct caret_node {
	const char *name;				/* borrowed, like the topics */
	const char *subscribed_topic, *published_topic; /* NULL at the ends */
	GPtrArray *publishers;				/* struct model_publisher * */
	GPtrArray *subscriptions;			/* struct model_subscription * */
	struct caret_callback subscription;		/* the callback of the subscription */
	bool takes_by_hand; /* no executor calls that callback: its callback group is in none */
	enum caret_context context;
	GArray *chain; /* struct caret_callback, of a chain of callbacks */
};

/* A point in time of a record or flow. */
enum caret_point {
	CARET_POINT_CALLBACK_START,
	CARET_POINT_CALLBACK_END,
	CARET_POINT_PUBLISH,
	CARET_POINT_RCL_PUBLISH,
	CARET_POINT_WRITE,
	CARET_POINT_STAMP, /* not a time of its own: it identifies the message */
	CARET_POINT_TAKE,
	CARET_POINT_COUNT,
};

struct caret_column {
	enum caret_point point;
	const char *object; /* topic, callback or, of a take, node; NULL: any callback of the node */
	uint32_t node;	    /* index on the path */
	uint32_t use;	    /* in flows: number of columns of the same name before it */
};

struct caret_element {
	bool is_intra_process;	     /* a communication of which only deliveries within a process count */
	GArray *columns;	     /* struct caret_column; empty: the element is unknown */
	struct caret_table *records; /* sorted by all columns; NULL without columns */
	/* Of a chain: its publications that other callbacks made; CARET does not check that. */
	uint64_t by_others;
};

/* `nodes` is the path, `index` the node; for a communication, the node that receives. Clear the result. */
struct caret_element caret_element_of_communication(const struct caret_objects *objects, const struct caret_node *nodes,
						    uint32_t index);
/* The communication to a node that takes by hand, up to its take. */
struct caret_element caret_element_of_takes(const struct caret_objects *objects, const struct caret_node *nodes,
					    uint32_t index);
struct caret_element caret_element_of_node(const struct caret_objects *objects, const struct caret_node *nodes,
					   uint32_t index);
struct caret_element caret_element_of_first_callback(const struct caret_objects *objects,
						     const struct caret_node *nodes);
struct caret_element caret_element_of_last_callback(const struct caret_objects *objects, const struct caret_node *nodes,
						    uint32_t index);
void caret_element_clear(struct caret_element *element);

static inline const struct caret_column *caret_column_at(const GArray *columns, size_t index)
{
	return &g_array_index(columns, struct caret_column, index);
}

bool caret_column_is_same(const struct caret_column *a, const struct caret_column *b);

/* CARET's name, to be freed: "/topic/rclcpp_publish_timestamp"; in flows with "/0" behind it, for the use. */
char *caret_column_name(const struct caret_column *column, const struct caret_node *nodes, bool is_of_flows);

#endif
