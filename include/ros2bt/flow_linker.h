/* SPDX-License-Identifier: MIT */
/*
 * Links messages: publication → take → callback execution → publications inside it, in one process or between
 * processes and hosts, and through caches (indirect links). One linker serves the latency tables and filter.ros2.flow.
 *
 * The links, and where the rules come from (upstream event order: ros2_tracing's tracetools, rclcpp, rmw):
 *
 *  - publication: rclcpp_publish → rcl_publish → rmw_publish (or CARET's dds_write) of one thread with one message
 * address, any prefix missing; rclcpp_intra_publish beside it is the same publication. A publication by the middleware
 * itself (rmw_publish alone, of a publisher that nobody defined) is none of ours.
 *  - publication → take: equal (source timestamp, topic), one to many. Two publications with the same key are
 * ambiguous: no link. The stamp is in rmw_publish (Jazzy and newer) or dds_write, or is bound later by
 * dds_bind_addr_to_stamp of the publishing thread, often only after the take; takes wait for it up to
 * FLOW_BIND_WAIT_NS. Where no stamp is recorded (Humble, Iron) the link is inferred, see core/flow/inferred_stamps.h.
 *  - intra-process: ring buffer slot, or (CARET's fork of rclcpp) the message address through its copies.
 *  - take → callback: the next callback_start of the thread, if the callback is one of the subscription.
 *  - callback → publication: the innermost open execution of the thread at the first publish event.
 *  - request → service callback: (client gid, sequence number).
 *  - indirect links: link_rules.h.
 *
 * Lifetime: a publication is settled when every subscription of its topic that runs has taken it or can no longer take
 * it (it has taken a later one of the same publisher, or more later ones were published than the queues hold), at the
 * latest at the age of FLOW_AGE_NS. The last ones of each publisher stay known (transient local). Memory: publications
 * not settled and open executions; independent of the length of the trace. Everything a listener hears, and its
 * order, depends on the runtime events only, not on when or how often definitions were recorded.
 */
#ifndef ROS2BT_FLOW_LINKER_H
#define ROS2BT_FLOW_LINKER_H

#include "ros2bt/diagnostics.h"
#include "ros2bt/event_record.h"
#include "ros2bt/executions.h"
#include "ros2bt/inferred_executions.h"
#include "ros2bt/object_model.h"
#include "ros2bt/recording.h"
#include "core/base/time_units.h"

/* A publication that nobody took within a minute is given up: a limit of memory, not a rule of ROS 2. */
#define FLOW_AGE_NS (60 * NS_PER_S)
/* CARET binds a stamp within the same write call; a second is far beyond any preemption seen in recordings. */
#define FLOW_BIND_WAIT_NS NS_PER_S

struct link_rule; /* link_rules.h */
struct flow_linker;
struct flow_delivery;
struct flow_execution;

/* A message published, on its way to any number of subscriptions; or a request to a service. */
struct flow_publication {
	uint64_t id;	  /* 1, 2, … in order of the first publish events */
	int64_t first_ns; /* first publish event */
	int64_t last_ns;  /* last publish event so far */
	uint32_t process;
	uint32_t thread;
	struct model_publisher *publisher; /* NULL while unknown, and for requests */
	struct model_client *client;	   /* of a request, else NULL */
	struct model_service *service;	   /* of a response, else NULL */
	bool has_stamp;
	bool is_stamp_inferred; /* found at a take */
	bool has_intra_leg, has_inter_leg;
	uint32_t number; /* among those of its publisher, from 1; wraps */
	int64_t source_timestamp;
	/* The executions it comes from: the enclosing one (if any) first, then those whose messages were kept. */
	struct flow_execution **parents; /* owned array, NULL if none */
	uint16_t parent_count;
	bool has_direct_parent;
	bool has_lost_origin; /* no enclosing execution, but the start of one may have been lost */
	/*
	 * Not 0: the first parents are inferred executions, flow_linker_candidate_count() of them, and the publication
	 * comes from one of them at most: see flow_linker_holds(). It has no direct parent then.
	 */
	uint32_t candidates;
};

/*
 * A callback execution in the flow. One of kind CALLBACK_KIND_INFERRED begins with its take, within 0.1 ms, and its end
 * is not known: `end_ns` is its start.
 */
struct flow_execution {
	struct model_callback *callback;
	uint32_t thread;
	enum callback_kind kind : 8; /* as known at its start */
	bool is_complete;	     /* its end is recorded */
	int64_t start_ns;
	int64_t end_ns;
	struct flow_delivery
		*cause;	  /* the message it handles, NULL if none or unknown; borrowed, valid until it is resolved */
	uint64_t flow_id; /* of the publication that it handles, 0: none */
	void *path_data;  /* the paths analysis', freed by its `released` */
	void *named_data; /* likewise of named paths */
};

/* A message that reached a subscription (or a request its service). */
struct flow_delivery {
	struct flow_publication *publication;
	struct model_subscription *subscription; /* NULL for a request or response, or where it is not known whose
						    ring buffer it was */
	union {					 /* NULL where there is a subscription */
		struct model_service *service;	 /* that took a request */
		struct model_client *client;	 /* that took a response: one that publication->service sent */
	};
	bool is_intra_process;
	bool is_inferred;
	bool has_take, has_start;
	bool is_reported; /* the linker's: the listeners know */
	uint8_t outcome;  /* the linker's: enum flow_outcome, as reported when it had not arrived */
	int64_t take_ns;
	int64_t callback_start_ns;
	struct flow_execution *execution; /* that handles it, NULL if none */
};

/*
 * What became of a message for a subscription that has got another one of the publisher. Lost only where that is
 * certain: the subscription got an earlier and a later message of the publisher, and its process was recorded without
 * a break from the publication to the take of the later one (core/flow/breaks.h).
 */
enum flow_outcome {
	FLOW_RECEIVED,
	FLOW_LOST,
	FLOW_UNKNOWN,	   /* not received as far as recorded, while the process was recorded */
	FLOW_IN_FLIGHT,	   /* the same, and no later one was received until the trace ended */
	FLOW_NOT_EXPECTED, /* published before its first one of the publisher, or after its process's last event */
	/* Received after it was reported as FLOW_LOST, or as FLOW_UNKNOWN or FLOW_IN_FLIGHT. */
	FLOW_CAME_LATE,
	FLOW_CAME_LATE_UNKNOWN,
};

/* A member that is NULL is not called. */
struct flow_listener {
	void *data;
	/* The message reached its callback (or was taken without one). */
	void (*delivered)(void *data, const struct flow_delivery *delivery);
	/*
	 * Settled: called once for each subscription that has met the publisher and whose process was recorded before,
	 * with what became of it; before any of them the publication's deliveries are reported. Subscriptions in an
	 * order that depends on the trace only. A message that arrives after that is reported once more.
	 */
	void (*expected)(void *data, const struct flow_publication *publication,
			 struct model_subscription *subscription, bool is_intra_process, enum flow_outcome outcome);
	/* After these; called for each publication of a publisher, in their order for a publisher. */
	void (*settled)(void *data, const struct flow_publication *publication);
	/*
	 * An execution's cause is known now (or known to be unknown), and so are those of all executions that its
	 * message comes from. Called once, before `finished`.
	 */
	void (*resolved)(void *data, struct flow_execution *execution);
	/*
	 * Ended, and all that it published is settled: `is_continued`: a callback followed. Once; not
	 * before resolved. Publications of which it is a candidate are settled, too, but continue nothing so far.
	 */
	void (*finished)(void *data, struct flow_execution *execution, bool is_continued);
	/* Nothing refers to it any more. */
	void (*released)(void *data, struct flow_execution *execution);
};

struct flow_counts {
	uint64_t takes; /* messages taken by known subscriptions, empty takes and the middleware's own excluded */
	uint64_t linked_takes;	    /* of those, with their publication */
	uint64_t inferred_takes;    /* of the linked, without a stamp on the publishing side */
	uint64_t live_publications; /* in memory now */
	uint64_t live_executions;
};

/* All are borrowed and must outlive the linker. The linker listens to `executions`. */
struct flow_linker *flow_linker_create(struct recording *recording, struct object_model *model,
				       struct executions *executions, struct diagnostics *diagnostics);
void flow_linker_destroy(struct flow_linker *linker);

/*
 * Makes flows through nodes without rclcpp (inferred_executions.h), which must outlive the linker. Before the first
 * record; without, no publication has candidates.
 */
void flow_linker_infer(struct flow_linker *linker, struct inferred_executions *inferred);

/*
 * From which inferred execution a publication comes is known at the end (core/flow/provenance.h): until then, a
 * condition. That of publication->candidates itself: it comes from none of them; candidates + 1 + i: from parents[i].
 * O(1). Whether it holds: before flow_linker_finish() each publication comes from none. Condition 0 always holds.
 */
size_t flow_linker_candidate_count(const struct flow_linker *linker, uint32_t candidates);
bool flow_linker_holds(const struct flow_linker *linker, uint32_t condition);

#define FLOW_ORIGIN_SOURCES 16

/* What was decided of a publisher of a node without rclcpp, in a process that takes messages. */
struct flow_origin {
	struct model_publisher *publisher;
	const char *verdict; /* "one source", "several sources", "timer", "no take", "too few", "undecided"; NULL before
				the end */
	uint64_t publications;
	uint64_t linked;				     /* those of them whose message is known */
	struct model_callback *sources[FLOW_ORIGIN_SOURCES]; /* the callbacks that they come from; not more */
	size_t source_count;
};

/* These publishers, by id - 1: in the order of their first publications. The id of one, 0 if it is none. */
size_t flow_linker_origin_count(const struct flow_linker *linker);
struct flow_origin flow_linker_origin_at(const struct flow_linker *linker, size_t index);
uint32_t flow_linker_origin_id(const struct flow_linker *linker, const struct model_publisher *publisher);

/* Before the first record. */
void flow_linker_add_listener(struct flow_linker *linker, const struct flow_listener *listener);
void flow_linker_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count);

/*
 * Takes records in order. Feed each record in this order: object_model_feed(), executions_follow(), flow_linker_feed(),
 * executions_feed(); pipeline_feed() does.
 */
void flow_linker_feed(struct flow_linker *linker, const struct event_record *record);
/* Tracing was off since the last record. */
void flow_linker_pause(struct flow_linker *linker);
void flow_linker_finish(struct flow_linker *linker);
/* Whether that was called: what listeners hear from then on is of flows that the end of the recording cut. */
bool flow_linker_has_ended(const struct flow_linker *linker);

/* When a process was recorded: from its first runtime event to the last one so far. */
struct flow_process_life {
	bool has_run;
	int64_t first_ns, last_ns;
};

struct flow_process_life flow_linker_process_life(const struct flow_linker *linker, uint32_t process);

/* Whether events of a process may be missing between two times, so far, or it was not recorded there
 * (core/flow/breaks.h).
 */
bool flow_linker_may_miss(const struct flow_linker *linker, uint32_t process, int64_t begin_ns, int64_t end_ns);

/* Whether takes are recorded, so far: without them it is not known what a subscription gets between processes. */
bool flow_linker_has_takes(const struct flow_linker *linker);

void flow_linker_counts(const struct flow_linker *linker, struct flow_counts *counts);

/*
 * For filter.ros2.flow: what the record fed last has to do with a flow. A reference-counted note that becomes final
 * when the link is known: a take may wait for its publication's stamp, and a publication for what the callback around
 * it handles. NULL if the event belongs to no flow. Release all notes before the linker is destroyed.
 */
struct flow_note {
	uint64_t flow_id;	 /* 0: none (yet) */
	uint64_t parent_flow_id; /* 0: none (yet) */
	int64_t first_publish_ns;
	bool is_linked; /* flow_id and first_publish_ns do not change any more */
	unsigned int references;
	struct flow_execution *awaited; /* a reference: gives parent_flow_id when resolved; NULL if that is known */
};

void flow_linker_keep_notes(struct flow_linker *linker); /* before the first record */
/* A reference, or NULL. */
struct flow_note *flow_linker_take_note(struct flow_linker *linker);
/* Completes the note as far as possible; true if nothing of it changes any more. */
bool flow_note_is_final(struct flow_linker *linker, struct flow_note *note);
void flow_note_release(struct flow_linker *linker, struct flow_note *note);

#endif
