/* SPDX-License-Identifier: MIT */
/* What the analysis lifecycle keeps of each lifecycle node (see lifecycle.c). */
#ifndef ROS2BT_LIFECYCLE_NODES_H
#define ROS2BT_LIFECYCLE_NODES_H

#include <glib.h>

#include "core/analyses/lifecycle/lifecycle_states.h"
#include "core/base/u64_map.h"
#include "ros2bt/analysis.h"
#include "ros2bt/duration_statistics.h"

/* A node in one of its states. */
struct lifecycle_state {
	const char *label; /* in the pool; NULL: unknown, since transitions are missing */
	uint64_t entries, doubtful;
	uint64_t published;
	struct duration_statistics time; /* of the stays that have ended */
	struct lifecycle_state *next;
};

/* What a publisher of the node published in one of its states. */
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
	uint32_t index; /* in `nodes` */
	uint32_t process;
	uint64_t address;		     /* of the state machine */
	struct model_state_machine *machine; /* NULL while it is not defined */
	bool has_ended;			     /* another one has its address since `end_ns` */
	int64_t end_ns;
	struct lifecycle_state *states; /* in order of the first stay */
	struct lifecycle_topic *topics; /* of the stays that have ended */
	struct lifecycle_topic *stay;	/* of the present one: `state` is not used */
	struct lifecycle_trouble *troubles;
	bool has_state;	   /* else nothing is known before its first transition */
	const char *state; /* now; NULL: unknown */
	const char *from;  /* the state before, NULL: unknown */
	bool is_doubtful;  /* the event that led here may not follow the one before it */
	int64_t since_ns;
	int64_t event_ns; /* of the last event, and its labels: a copy has the same */
	const char *event_start, *event_goal;
	uint64_t breaks;
};

/* Of which node a publisher is. */
struct lifecycle_publisher {
	uint64_t version;	     /* of the model when it was looked for; 0: never */
	struct lifecycle_node *node; /* NULL: none */
};

/* What a thread has published last within its process: the same publication may go on between processes. */
struct lifecycle_thread {
	uint64_t publisher_handle, message;
};

struct lifecycle {
	struct recording *recording; /* borrowed, like all up to here */
	struct object_model *model;
	struct executions *executions;
	const struct analysis_options *options;
	const struct analysis_span *span;
	/* NULL if nobody asked */
	struct table_writer *transition_writer, *state_writer, *drawing_writer;
	GPtrArray *nodes;	   /* struct lifecycle_node, in the arena, in order of appearance */
	GPtrArray *by_machine;	   /* the same by index of the state machine; NULL: none yet */
	struct u64_map by_address; /* the newest of each */
	GArray *publishers;	   /* struct lifecycle_publisher, by index */
	GArray *threads;	   /* struct lifecycle_thread, by thread */
	uint64_t transitions;	   /* events in all */
	GPtrArray *drawn_states;   /* const char *, labels in the timeline, in order of appearance; NULL: unknown */
};

/* The node of a state machine, made if there is none. */
struct lifecycle_node *lifecycle_node_of(struct lifecycle *lifecycle, struct model_state_machine *machine);
/* The one that an event refers to. */
struct lifecycle_node *lifecycle_node_at(struct lifecycle *lifecycle, uint32_t process, uint64_t address,
					 int64_t time_ns);

/* Its part of a state, made if there is none. `label` as in struct lifecycle_state. */
struct lifecycle_state *lifecycle_node_state(struct lifecycle *lifecycle, struct lifecycle_node *node,
					     const char *label);

/* The stay in the present state ends; it was one in `label`, as far as is known now. */
void lifecycle_node_end_stay(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *label,
			     int64_t end_ns);

/* Counts a publication in the present stay. O(publishers of the node). */
void lifecycle_node_add_publication(struct lifecycle *lifecycle, struct lifecycle_node *node,
				    const struct model_publisher *publisher, int64_t time_ns);

/* The full name, NULL if unknown. */
const char *lifecycle_node_name(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

/* Cuts a stay to the options' range; false if nothing is left. */
bool lifecycle_clip(const struct lifecycle *lifecycle, int64_t *begin_ns, int64_t *end_ns);

/* The state in which the node is now, as it is reported; NULL: unknown. */
const char *lifecycle_node_present_state(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

/* A label as it is reported, also of an unknown state. */
const char *lifecycle_state_text(const char *label);

/* A node of the report, with its sort keys resolved once. */
struct lifecycle_output {
	const struct lifecycle_node *node;
	const char *name;
	int32_t vpid;
};

/* What a node published (struct lifecycle_topic) by state and publisher, the present stay included, sorted. Free it. */
GArray *lifecycle_topics_of(const struct lifecycle *lifecycle, const struct lifecycle_node *node);

#endif
