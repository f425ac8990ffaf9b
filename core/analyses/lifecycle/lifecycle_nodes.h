/* SPDX-License-Identifier: MIT */
/* The state of the analysis lifecycle: states, publications and troubles of each lifecycle node (lifecycle.c). */
#ifndef ROS2BT_LIFECYCLE_NODES_H
#define ROS2BT_LIFECYCLE_NODES_H

#include <glib.h>

#include "core/analyses/lifecycle/lifecycle_states.h"
#include "core/analyses/shared/analysis.h"
#include "core/model/object_numbers.h"
#include "core/analyses/shared/row_process.h"

/* One of the states of a node. */
struct lifecycle_state {
	const char *label; /* in the pool; NULL: unknown, since transitions are missing */
	uint64_t entries, doubtful;
	uint64_t published;
	struct duration_statistics time; /* of the stays that have ended */
	struct lifecycle_state *next;
};

/* The publications of a publisher in one of the node's states. */
struct lifecycle_topic {
	const struct model_publisher *publisher;
	const char *state; /* as lifecycle_state.label */
	uint64_t count;
	int64_t first_ns;
	struct lifecycle_topic *next;
};

/* Transitions of one kind that did not succeed. */
struct lifecycle_trouble {
	const char *transition;
	enum lifecycle_result result;
	uint64_t count;
	int64_t first_ns;
	struct lifecycle_trouble *next;
};

struct lifecycle_node {
	uint32_t index; /* of the row */
	uint32_t process;
	struct lifecycle_node *before;	     /* the last one of the process that was added before it, or NULL */
	uint64_t address;		     /* of the state machine */
	struct model_state_machine *machine; /* NULL while it is not defined */
	bool has_ended;			     /* another state machine has the address since `end_ns` */
	int64_t end_ns;
	struct lifecycle_state *states; /* in order of the first stay */
	struct lifecycle_topic *topics; /* of the stays that have ended */
	struct lifecycle_topic *stay;	/* of the present one: `state` is not used */
	struct lifecycle_trouble *troubles;
	bool has_state;	   /* false: nothing is known before its first transition */
	const char *state; /* now; NULL: unknown */
	const char *from;  /* the state before, NULL: unknown */
	bool is_doubtful;  /* events may be missing before the one that led here */
	int64_t since_ns;
	int64_t event_ns; /* of the last event; with the labels, identifies its copies */
	const char *event_start, *event_goal;
	uint64_t breaks;
};

/* What a publisher of a lifecycle node publishes. */
struct lifecycle_publisher {
	uint64_t version;	       /* of the model at the last look-up, plus 1; 0: never */
	struct lifecycle_topic *topic; /* in lifecycle_node.stay; NULL: none */
};

/* The last publication of a thread within its process: the same one may go on between processes. */
struct lifecycle_thread {
	uint64_t publisher_handle, message;
};

struct lifecycle {
	struct analysis analysis; /* its rows are struct lifecycle_node; by key, the newest one of each address */
	GPtrArray *by_machine;	  /* likewise by index of the state machine; NULL: none yet */
	GPtrArray *by_process;	  /* the newest one of each process, or NULL */
	GArray *publishers;	  /* struct lifecycle_publisher, by index */
	GArray *threads;	  /* struct lifecycle_thread, by thread */
	uint64_t transitions;	  /* events of all nodes */
	GPtrArray *drawn_states;  /* const char *, labels in the timeline, in order of appearance; NULL: unknown */
};

enum {
	TABLE_LIFECYCLE,
	TABLE_LIFECYCLE_INSTANCES,
	TABLE_LIFECYCLE_STATE_INSTANCES,
	TABLE_LIFECYCLE_PUBLICATIONS,
	TABLE_LIFECYCLE_FINDINGS,
	TABLE_LIFECYCLE_TRACKS,
	TABLE_LIFECYCLE_LABELS,
	TABLE_LIFECYCLE_EVENTS,
};

static inline guint lifecycle_node_count(const struct lifecycle *lifecycle)
{
	return lifecycle->analysis.rows.rows->len;
}

/* By its index: in order of appearance. */
static inline struct lifecycle_node *lifecycle_node(const struct lifecycle *lifecycle, guint index)
{
	return lifecycle->analysis.rows.rows->pdata[index];
}

/* The node of a state machine; added if new. */
struct lifecycle_node *lifecycle_node_of(struct lifecycle *lifecycle, struct model_state_machine *machine);
/* The node to which an event refers; added if new. */
struct lifecycle_node *lifecycle_node_at(struct lifecycle *lifecycle, uint32_t process, uint64_t address,
					 int64_t time_ns);

/* Ends the stay in the present state, which turned out to be `label`. */
void lifecycle_node_end_stay(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *label,
			     int64_t end_ns);

/* In a list of the node: `stay`, whose `state` is NULL, or `topics`; added if new. O(publishers of the node). */
struct lifecycle_topic *lifecycle_topic_of(struct lifecycle *lifecycle, struct lifecycle_topic **list,
					   const struct model_publisher *publisher, const char *state);

static inline void lifecycle_topic_add(struct lifecycle_topic *topic, uint64_t count, int64_t first_ns)
{
	topic->first_ns = topic->count == 0 ? first_ns : topic->first_ns;
	topic->count += count;
}

/* The full name, NULL if unknown. */
const char *lifecycle_node_name(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

/*
 * Cuts a stay to the recording, which begins with its first runtime event, and to the options' range; false if nothing
 * is left. The definition of a node may be far older.
 */
bool lifecycle_clip(const struct lifecycle *lifecycle, int64_t *begin_ns, int64_t *end_ns);

/* The present state as reported; NULL: unknown. */
const char *lifecycle_node_present_state(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

/* A label as reported, even for an unknown state. */
const char *lifecycle_state_text(const char *label);

/* A node of the report. */
struct lifecycle_output {
	const struct lifecycle_node *node;
	const char *name;
	struct row_process process;
	struct cell which;
};

/* The publications of a node (struct lifecycle_topic), including the present stay. To be freed. */
GArray *lifecycle_topics_of(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

#endif
