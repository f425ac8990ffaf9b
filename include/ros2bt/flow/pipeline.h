/* SPDX-License-Identifier: MIT */
/*
 * From records to what analyses listen to: the object model, executions and flows of a recording, made, fed, finished
 * and destroyed together. Where records of a kind go is a list of calls (core/events/record_calls.h), made here and
 * nowhere else, in this order:
 *
 *   1. object_model_feed()        so that all parts below know the objects that the record defines
 *   2. recording_defects_count()  counts the event, where that tells something
 *   3. executions_follow()        after a loss: executions that are open now may be doubtful from this record on; feeds
 *                                 the coverage (core/model/coverage.h), which all others ask
 *   4. inferred_executions_feed() if there are objects without rclcpp; before the linker, which links what they take
 *   5. flow_linker_taker()        sees the executions as they were before the record: a publish event belongs to the
 *                                 callback that is open now, and a take waits for the callback that is about to start
 *   6. executions_taker()         starts and ends executions; the schedules hear of them first, then the linker
 *   7. pipeline_add_taker()       analyses that take records themselves
 *
 * Polls go to executions_look() and their takers only, events of the kernel to executions_follow(),
 * execution_schedules_feed() and their takers only. Losses go to the schedules and to all other parts.
 *
 * The first event that is not a definition is the start of the recording, to which the limits of the statistics may be
 * relative (pipeline_set_range()). The limits are set before the parts see that event. A first pass may know the start
 * earlier and set it by pipeline_start_range().
 *
 * Where the recording has no event for a while and tracing may have been off, all parts forget what was open.
 *
 * Cost: a call for each part and analysis that takes records of the kind. Whatever else a record may need (2 and 3, its
 * time) is a comparison of times (pipeline.calm_until_ns).
 */
#ifndef ROS2BT_PIPELINE_H
#define ROS2BT_PIPELINE_H

#include <glib.h>

#include "core/base/time_range.h"
#include "core/model/inferred_executions.h"
#include "core/model/recording_defects.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/events/poll.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/flow/flow_linker.h"

struct execution_schedules; /* core/model/execution_schedules.h */
struct poll_queue;	    /* core/flow/poll_queue.h */

/* The parts; object model and diagnostics are always made. */
enum pipeline_parts {
	PIPELINE_DEFECTS = 1,			       /* defects of the recording, see pipeline_diagnose() */
	PIPELINE_EXECUTIONS = 2,		       /* executions of callbacks */
	PIPELINE_FLOWS = 4 | PIPELINE_EXECUTIONS,      /* messages, linked to the executions */
	PIPELINE_INFERRED = 8,			       /* executions of nodes without rclcpp */
	PIPELINE_SCHEDULES = 16 | PIPELINE_EXECUTIONS, /* how executions spend their time, from events of the kernel */
	PIPELINE_ALL = PIPELINE_DEFECTS | PIPELINE_FLOWS | PIPELINE_INFERRED,
};

/* Where records of a kind go. */
struct record_route {
	const struct record_call *first; /* of the calls: with that by which executions are inferred, or without it */
	struct record_call *calls;	 /* owned: that one, those of the parts, those of other takers */
	size_t count;
	bool is_runtime; /* their time is that of events that are not definitions; only if is_in_turn */
	bool is_in_turn; /* after the polls of their thread that wait; not counters, which are of the next record */
};

/* Read-only for others. */
struct pipeline {
	struct recording *recording; /* borrowed */
	struct object_model *model;
	struct diagnostics *diagnostics;
	struct recording_defects *defects; /* NULL if not asked for, like executions, inferred, flows and schedules */
	struct executions *executions;
	struct inferred_executions *inferred;
	const size_t *inferable_count; /* of the model: objects without rclcpp */
	struct flow_linker *flows;
	struct execution_schedules *schedules;
	struct thread_history *threads;	   /* with executions; follows them from the first thread_history_listen() on */
	struct callback_ids *callback_ids; /* likewise: callback_ids_listen() */
	struct time_range *range;	   /* borrowed; NULL: all counts */
	bool is_range_started;
	bool is_in_range;
	bool has_begun; /* a record was fed */
	struct record_route routes[RECORD_KIND_COUNT];
	struct poll_queue *polls; /* owned; empty before pipeline_queue_polls() */
	int64_t calm_until_ns;	  /* runtime events from end_ns until then need nothing but the calls of their kinds */
	unsigned int infers;	  /* what executions are inferred from so far */
	bool is_watched;	  /* events count, or follow a loss */
	unsigned int pauses;	  /* of the recording, so far */
	bool has_losses;	  /* events may be missing, and there are executions, which follow all */
	bool has_begun_late;	  /* tracing was off between the first definition and begin_ns */
	int64_t begin_ns, end_ns; /* of the events that are not definitions; begin_ns > end_ns if there are none */
	int64_t announced_ns;	  /* of the next such event, while polls before it are taken */
	int64_t defined_ns;	  /* of the first definition; INT64_MAX: none */
};

/*
 * The recording is borrowed and must outlive the pipeline. `parts` is a union of enum pipeline_parts. Listeners are
 * added to the parts (executions_add_listener(), flow_linker_add_listener()) before the first record and must outlive
 * the pipeline: destroying it releases what is under way.
 */
struct pipeline *pipeline_create(struct recording *recording, unsigned int parts);
void pipeline_destroy(struct pipeline *pipeline); /* NULL is allowed */

/*
 * Sets the limits of the statistics (borrowed). Limits that do not depend on the start of the recording are resolved at
 * once, others at the first event that is not a definition. Call before the first record. Without limits all events
 * count.
 */
void pipeline_set_range(struct pipeline *pipeline, struct time_range *range);

/* The start of the recording is known: resolves the limits, if there are any. Call before the first record. */
void pipeline_start_range(struct pipeline *pipeline, int64_t start_ns);

/*
 * Who else takes records: before the first one. The pipeline itself takes no events of kinds that are not in the given
 * interest; the taker of a kind is called after the parts. From pipeline_queue_polls() on polls wait for their place
 * among the records of their thread (core/flow/poll_queue.h), and then go to the executions and to those added since.
 */
void pipeline_set_interest(struct pipeline *pipeline, const struct event_interest *interest);
void pipeline_add_taker(struct pipeline *pipeline, unsigned int kind, record_taker take, void *data);
void pipeline_queue_polls(struct pipeline *pipeline);

/* Takes records of the recording, in order. */
void pipeline_feed_all(struct pipeline *pipeline, const struct event_record *records, size_t count);

static inline void pipeline_feed(struct pipeline *pipeline, const struct event_record *record)
{
	pipeline_feed_all(pipeline, record, 1);
}

/* Until when the recording goes on, as far as known. */
static inline int64_t pipeline_known_end_ns(const struct pipeline *pipeline)
{
	return MAX(pipeline->end_ns, pipeline->announced_ns);
}

/*
 * Adds the kinds of events that a pipeline of these parts needs; a reader may skip all others that no analysis asks
 * for. Except for kernel events they do not depend on the parts, since any runtime event ends a gap (executions.h) and
 * belongs to the span of the recording.
 */
void pipeline_add_interest(struct event_interest *interest, unsigned int parts);

/* Adds the events of class POLL, by which a pipeline with executions knows when they are over. */
void pipeline_add_polls(struct event_interest *interest);

/* The end of the recording: ends what is open and completes the diagnostics of executions and flows. Call once. */
void pipeline_finish(struct pipeline *pipeline);

/* Adds the defects of the recording, as known now, to the findings. */
void pipeline_diagnose(const struct pipeline *pipeline, struct diagnostics *findings);

/* Whether there was an event that is not a definition, so that begin_ns and end_ns are valid. */
static inline bool pipeline_has_runtime(const struct pipeline *pipeline)
{
	return pipeline->begin_ns <= pipeline->end_ns;
}

/* Whether such an event lies within the limits of the statistics. */
static inline bool pipeline_has_runtime_in_range(const struct pipeline *pipeline)
{
	return pipeline->range ? pipeline->is_in_range : pipeline_has_runtime(pipeline);
}

#endif
