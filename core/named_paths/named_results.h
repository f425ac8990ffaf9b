/* SPDX-License-Identifier: MIT */
/*
 * Named paths and the flows found along them: filled in by either way of evaluation (named_flows.h, caret_flows.h), and
 * read by named_tables.h. Rows of instances are written as flows are added.
 *
 * A flow begins with a message that enters the path. If a message goes on in several ways, there are several flows with
 * one start.
 *
 * Memory: 24 bytes a flow, since response times need all of them; the rest is bounded by the paths.
 */
#ifndef ROS2BT_NAMED_RESULTS_H
#define ROS2BT_NAMED_RESULTS_H

#include <glib.h>

#include "core/analyses/shared/analysis.h"
#include "core/base/int128.h"
#include "core/named_paths/architecture/named_path_options.h"
#include "core/statistics/duration_statistics.h"

#define NAMED_NO_TIME INT64_MIN

enum named_outcome {
	NAMED_COMPLETE,
	NAMED_LOST,    /* one of its messages was lost */
	NAMED_STOPPED, /* a callback on the way published nothing further, or its message was replaced unused */
	NAMED_UNKNOWN, /* the recording does not show how it ended */
};

/* A flow at a node; NAMED_NO_TIME for moments that did not happen, or that the trace lacks. */
struct named_point {
	int64_t publish_ns, take_ns; /* of the message that led here; not at the first node */
	int64_t start_ns, end_ns;    /* of the callback */
	bool is_kept;		     /* the callback kept the message, and another one published */
};

struct named_flow {
	enum named_outcome outcome;
	int64_t start_ns, end_ns;	  /* end_ns: only if complete */
	int64_t stamp_ns;		  /* in the header of the first message; 0: unknown */
	const struct named_point *points; /* borrowed */
	size_t point_count;		  /* up to the last node that it reached */
	int64_t last_publish_ns;	  /* if the path ends with a publication; else NAMED_NO_TIME */
};

/* Sums over complete flows, of one node. */
struct named_hop {
	int128 transport_ns, wait_ns, callback_ns, kept_ns;
};

struct named_row {
	int64_t start_ns, end_ns; /* end_ns: NAMED_NO_TIME unless complete */
	enum named_outcome outcome;
};

struct named_path {
	uint32_t id; /* from 1 */
	const struct path_pattern *pattern;
	const char *text; /* "/lidar > /scan > /filter": the way; the pattern if there is none */
	size_t node_count;
	const char **nodes;  /* names in the pool, by node */
	const char **topics; /* that lead to each node, and from the last one on; NULL at ends without */
	uint64_t counts[4];  /* flows by enum named_outcome */
	struct duration_statistics latency, stamp_latency;
	struct named_hop *hops; /* owned, by node */
	GArray *rows;		/* struct named_row */
	GArray *breaks;		/* int64_t: starts of flows before which others may be missing */
	char *reason;		/* why it cannot be evaluated, or not as asked; or NULL */
	bool is_impossible;	/* the recording lacks a name of it */
};

struct named_results {
	const struct analysis_options *options;
	const struct named_path_options *asked;
	struct arena *arena;
	GPtrArray *paths;				/* struct named_path *, owned, by id - 1 */
	struct table_writer *instances, *hop_instances; /* borrowed; NULL: not wanted */
};

/* Of the tables of instances, whose rows are written here. */
extern const struct table_schema named_instance_schema, named_hop_instance_schema;

void named_results_init(struct named_results *results, const struct analysis_context *context);

/* A path of `node_count` nodes, and node_count + 1 topics. */
struct named_path *named_results_add(struct named_results *results, const struct path_pattern *pattern,
				     size_t node_count, const char *const *nodes, const char *const *topics);

/* Counts a flow whose start is in the range, and writes its instances. */
void named_results_add_flow(struct named_results *results, struct named_path *path, const struct named_flow *flow);

/* Flows just before this start may be missing: response times and periods do not cross it. */
void named_path_add_break(struct named_path *path, int64_t start_ns);

/* The first reason stays. Takes over the text; NULL: none. */
void named_path_set_reason(const struct named_results *results, struct named_path *path, char *reason);

#endif
