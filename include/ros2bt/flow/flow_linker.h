/* SPDX-License-Identifier: MIT */
/*
 * Links messages into flows: publication → take → callback execution → the publications inside it, within a process,
 * between processes and between hosts, and through messages that a node keeps (indirect links). The linker serves the
 * analyses and filter.ros2.flow; docs/internals/flow.md explains how it works.
 *
 * The links, and where the rules come from (upstream event order: tracetools of ros2_tracing, rclcpp, rmw):
 *
 *  - publication: rclcpp_publish → rcl_publish → rmw_publish (or CARET's dds_write) of one thread with one message
 *    address, any prefix missing. rclcpp_intra_publish of the same message belongs to the same publication. An
 *    rmw_publish alone, of a publisher that no event defines, is the middleware's own and is ignored.
 *  - publication → take: equal source timestamp and topic, one to many. Two publications with the same key are
 *    ambiguous and are not linked. The stamp is in rmw_publish (Jazzy and newer) or dds_write, or is bound later by
 *    dds_bind_addr_to_stamp of the publishing thread, often only after the take; a take waits for it up to
 *    FLOW_BIND_WAIT_NS. Where no stamp is recorded (Humble, Iron) it is inferred (core/flow/inferred_stamps.h).
 *    Where no takes are recorded either (before Humble), the order of publications and callbacks decides
 *    (core/untaken/untaken_matcher.h).
 *  - within a process: the slot of the ring buffer, or (CARET's fork of rclcpp) the message address through its copies.
 *  - take → callback: the next callback_start of the thread, if the callback belongs to the subscription. A take within
 *    another callback reaches none (core/flow/polled_takes.h).
 *  - callback → publication: the innermost open execution of the thread at the first publish event.
 *  - request → service callback, response → client: client gid and sequence number.
 *  - indirect links: ros2bt/flow/link_rules.h.
 *
 * Lifetime: a publication is settled when every running subscription of its topic has taken it or can no longer take it
 * (the subscription took a later one of the same publisher, or more later ones were published than the queues hold), at
 * the latest at the age of FLOW_AGE_NS. The last publications of each publisher stay known (transient local). A settled
 * publication is concluded when it is certain which subscriptions have received it: nothing of it is on its way to a
 * callback, and all of them have received it or no take can find it any more (core/flow/conclusions.h).
 *
 * Invariant: what listeners hear, and in which order, depends on the runtime events only, not on when or how often
 * definitions were recorded, with two exceptions: flow_linker_start_late(), and whether a lost message counts as
 * overwritten, for which the queue depth of the subscription must be known when the publication settles.
 *
 * Times are in ns since the Unix epoch. Memory: publications that are not settled, and open executions; it does not
 * grow with the length of the recording.
 */
#ifndef ROS2BT_FLOW_LINKER_H
#define ROS2BT_FLOW_LINKER_H

#include "core/events/record_calls.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_record.h"
#include "core/model/executions.h"
#include "core/model/inferred_executions.h"
#include "ros2bt/model/object_model.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/base/time_units.h"

/* A publication that no subscription took within a minute is given up: a limit of memory, not a rule of ROS 2. */
#define FLOW_AGE_NS (60 * NS_PER_S)
/* CARET binds a stamp within the same write call. No recording shows a preemption near one second. */
#define FLOW_BIND_WAIT_NS NS_PER_S

struct link_rule; /* link_rules.h */
struct flow_linker;
struct flow_delivery;
struct flow_execution;

/* A published message on its way to any number of subscriptions; or a request or response of a service. */
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
	uint32_t number; /* among the publications of its publisher, from 1; wraps */
	int64_t source_timestamp;
	/* The executions it comes from: the enclosing one (if any) first, then those whose messages the node kept. */
	struct flow_execution **parents; /* owned array, NULL if none */
	uint16_t parent_count;
	bool has_direct_parent : 1;
	bool has_lost_origin : 1; /* no enclosing execution, but the start of one may have been lost */
	bool is_concluded : 1;	  /* from the call of flow_listener.concluded on */
	/*
	 * If not 0, the first flow_linker_candidate_count() parents are inferred executions, of which the publication
	 * comes from one at most (flow_linker_holds()). It has no direct parent then.
	 */
	uint32_t candidates;
};

/* How many listeners may keep something at each execution; a pointer more makes each of them larger. */
#define FLOW_DATA_MAX 2

/*
 * A callback execution in a flow. An execution of kind CALLBACK_KIND_INFERRED begins at most 0.1 ms after its take; its
 * end is unknown, and `end_ns` is its start. One of them also stands for a message that was taken by hand and that an
 * indirect link keeps (core/flow/polled_takes.h).
 */
struct flow_execution {
	struct model_callback *callback;
	uint32_t thread;
	enum callback_kind kind : 8; /* as known at its start */
	bool is_complete;	     /* its end is recorded */
	bool is_polled : 1;	     /* stands for a message that was taken by hand: it publishes nothing itself */
	bool is_resolved : 1;	     /* from the call of flow_listener.resolved on */
	bool is_over;		     /* known to have ended before it was resolved, and to have caused nothing */
	int64_t start_ns;
	int64_t end_ns;
	struct flow_delivery
		*cause;	  /* the message it handles, NULL if none or unknown; borrowed, valid until resolved */
	uint64_t flow_id; /* of the publication that it handles; 0: none */
	/* NULL at first. Each is of the listener that reserved it (flow_linker_reserve()), which frees it when
	 * released. */
	void *data[FLOW_DATA_MAX];
};

/* A message that reached a subscription, a request its service, or a response its client. */
struct flow_delivery {
	struct flow_publication *publication;
	struct model_subscription *subscription; /* NULL for a request or response, or if the ring buffer's owner is
						    unknown */
	union {					 /* NULL if there is a subscription */
		struct model_service *service;	 /* that took a request */
		struct model_client *client;	 /* that took a response of publication->service */
	};
	bool is_intra_process;
	bool is_inferred;
	bool has_take, has_start;
	bool is_polled;	  /* taken by hand, within another callback or on a thread that runs none
			     (core/flow/polled_takes.h) */
	bool is_reported; /* internal: the listeners have heard of it */
	bool is_kept;	  /* internal: with the publication, see flow_settle_delivered() */
	uint8_t outcome;  /* internal: enum flow_outcome, if it does not arrive before the publication is concluded */
	int64_t take_ns;
	union {
		int64_t callback_start_ns;
		int64_t polled_since_ns; /* internal, if is_polled: no take in vain followed what was published then */
	};
	struct flow_execution *execution; /* that handles it; NULL: none */
};

/*
 * What became of a message for a subscription that has received another message of the publisher. A message counts as
 * lost only if that is certain: the subscription received an earlier and a later message of the publisher, and its
 * process was recorded without a break from the publication to the take of the later one (core/flow/breaks.h).
 */
enum flow_outcome {
	FLOW_RECEIVED,
	FLOW_LOST,
	FLOW_OVERWRITTEN,  /* replaced before it was taken: the subscription keeps one message and takes it by hand */
	FLOW_UNKNOWN,	   /* not received as far as recorded, while the process was recorded */
	FLOW_IN_FLIGHT,	   /* the same, and no later message was received before the recording ended */
	FLOW_NOT_EXPECTED, /* published before the first received message, or after the process's last event */
};

/* What the linker fetches at the take: of flow_listener.received's `pair`, and of what flow_linker_way() leads to. */
#define FLOW_PAIR_FETCHED 320
#define FLOW_WAY_FETCHED 128

/* Members that are NULL are not called. */
struct flow_listener {
	void *data;
	/*
	 * Ended by EVENT_KIND_COUNT: it hears nothing if no trace declares events of these kinds
	 * (recording_lacks_all()). NULL: it hears in any case.
	 */
	const enum event_kind *only_with;
	/* `finished` and `released` matter to it only of executions that carry something then (flow_execution.data). */
	bool only_carriers;
	/* The message reached its callback, or was taken without one. The delivery is valid during the call only. */
	void (*delivered)(void *data, const struct flow_delivery *delivery);
	/* The same, right after, for a callback that received the message of a publication with candidates. */
	void (*continued)(void *data, const struct flow_publication *publication);
	/*
	 * The same, right after, for a message of a known publisher that reached a subscription. `pair` is what the one
	 * listener that hears of this keeps of the two, NULL at first; FLOW_PAIR_FETCHED bytes of it were fetched if
	 * the take is recorded.
	 */
	void (*received)(void *data, const struct flow_delivery *delivery, void **pair);
	/* The stamp in its header is recorded with the publication, of a known publisher. Once for a publication. */
	void (*stamped)(void *data, const struct flow_publication *publication, uint64_t header_stamp);
	/* Its size, serialized, is recorded with a take (rmw_payload). Once for a publication, settled or not. */
	void (*sized)(void *data, const struct flow_publication *publication, uint64_t bytes);
	/*
	 * The publication is settled. The publications of a publisher settle in their order, those of several
	 * publishers, of one topic too, in any order.
	 */
	void (*settled)(void *data, const struct flow_publication *publication);
	/*
	 * The publication is concluded, after it was settled: called once for each subscription that has met the
	 * publisher and whose process was recorded before the publication, with the outcome; all deliveries are
	 * reported first. The order of the subscriptions depends on the trace only. After that, the message can only
	 * reach subscriptions that had not met the publisher: FLOW_RECEIVED, once for each.
	 */
	void (*expected)(void *data, const struct flow_publication *publication,
			 struct model_subscription *subscription, enum flow_outcome outcome);
	/* The same where it is not FLOW_RECEIVED: hardly ever. */
	void (*missed)(void *data, const struct flow_publication *publication, struct model_subscription *subscription,
		       bool is_intra_process, enum flow_outcome outcome);
	/* Follows these calls. Messages that were not received are concluded later than others. */
	void (*concluded)(void *data, const struct flow_publication *publication);
	/*
	 * The cause of the execution is known, or known to be unknown, and so are the causes of all executions that
	 * its message comes from. Called once, before `finished`.
	 */
	void (*resolved)(void *data, struct flow_execution *execution);
	/*
	 * The execution has ended and is resolved, and all its publications are concluded. `is_continued`: one of them
	 * reached a callback; publications of which it is only a candidate do not count. Called once.
	 */
	void (*finished)(void *data, struct flow_execution *execution, bool is_continued);
	/* No reference to the execution is left. */
	void (*released)(void *data, struct flow_execution *execution);
};

struct flow_counts {
	uint64_t takes;	       /* messages taken by known subscriptions, without empty takes and the middleware's own */
	uint64_t linked_takes; /* linked to their publication */
	uint64_t inferred_takes;    /* linked without a stamp on the publishing side */
	uint64_t live_publications; /* in memory now */
	uint64_t live_executions;
};

/* The arguments are borrowed and must outlive the linker, which listens to `executions`. */
struct flow_linker *flow_linker_create(struct recording *recording, struct object_model *model,
				       struct executions *executions, struct diagnostics *diagnostics);
void flow_linker_destroy(struct flow_linker *linker);

/*
 * Makes flows through nodes without rclcpp; `inferred` must outlive the linker. Call before the first record. Without
 * this call no publication has candidates.
 */
void flow_linker_infer(struct flow_linker *linker, struct inferred_executions *inferred);

/*
 * Which inferred execution a publication comes from is decided at the end (core/flow/provenance.h). Until then it is a
 * condition, identified by a number: publication->candidates means that it comes from none of them, candidates + 1 + i
 * that it comes from parents[i]. Before flow_linker_finish() each publication comes from none. Condition 0 always
 * holds. O(1).
 */
size_t flow_linker_candidate_count(const struct flow_linker *linker, uint32_t candidates);
bool flow_linker_holds(const struct flow_linker *linker, uint32_t condition);

#define FLOW_ORIGIN_SOURCES 16

/* The decision about a publisher of a node without rclcpp, in a process that takes messages. */
struct flow_origin {
	struct model_publisher *publisher;
	const char *verdict; /* "one source", "several sources", "timer", "no take", "too few", "undecided"; NULL before
				the end */
	uint64_t publications;
	uint64_t linked;				     /* publications whose cause is known */
	struct model_callback *sources[FLOW_ORIGIN_SOURCES]; /* the callbacks that they come from, the first of them */
	size_t source_count;
};

/* These publishers, in the order of their first publications, by id - 1. The id is 0 for any other publisher. */
size_t flow_linker_origin_count(const struct flow_linker *linker);
struct flow_origin flow_linker_origin_at(const struct flow_linker *linker, size_t index);
uint32_t flow_linker_origin_id(const struct flow_linker *linker, const struct model_publisher *publisher);

/* To be called before the first record is fed, when the reader has told what the traces declare. */
void flow_linker_begin(struct flow_linker *linker);

/* Call these before the one above. The rules are borrowed. */
void flow_linker_add_listener(struct flow_linker *linker, const struct flow_listener *listener);

/*
 * The index of the member of flow_execution.data that is the caller's from now on. Call before the first record, and
 * not more than FLOW_DATA_MAX times.
 */
unsigned int flow_linker_reserve(struct flow_linker *linker);

/*
 * When flow_listener.resolved is called: where one listener keeps a pointer for each publisher and subscription, of
 * those of the message that was delivered last, NULL at first. Mostly, but not always, that message is the cause of the
 * execution: what is kept is a hint that no result may depend on. NULL: there is no such place.
 */
void **flow_linker_way(const struct flow_linker *linker);

/* Where the `pair` of flow_listener.received is; NULL if the two have not met. O(1). */
void **flow_linker_pair(const struct flow_linker *linker, const struct model_publisher *publisher,
			const struct model_subscription *subscription);

/* The callback that received the last message of the subscription; NULL: none so far. O(1). */
struct model_callback *flow_linker_last_callback(const struct model_subscription *subscription);

void flow_linker_add_rules(struct flow_linker *linker, const struct link_rule *rules, size_t count);

/*
 * What takes records of a kind, in order, with the linker as its data; NULL: nothing. For each record the order is:
 * object_model_feed(), executions_follow(), this, executions_feed(); the pipeline has it.
 */
record_taker flow_linker_taker(unsigned int kind);
/* Tracing was off since the last record: no thread continues what it had begun. */
void flow_linker_pause(struct flow_linker *linker);
/* The first runtime event: tracing was off between the definitions and it, when messages may have been published. */
void flow_linker_start_late(struct flow_linker *linker, int64_t time_ns);
void flow_linker_finish(struct flow_linker *linker);
/* Whether flow_linker_finish() was called: from then on listeners hear of flows that the end of the recording cut. */
bool flow_linker_has_ended(const struct flow_linker *linker);

/* When a process was recorded: from its first runtime event to the last one so far. */
struct flow_process_life {
	bool has_run;
	int64_t first_ns, last_ns;
};

struct flow_process_life flow_linker_process_life(const struct flow_linker *linker, uint32_t process);

/* Whether events of the process may be missing between two times (core/flow/breaks.h), as far as known now. */
bool flow_linker_may_miss(const struct flow_linker *linker, uint32_t process, int64_t begin_ns, int64_t end_ns);

/* Whether any take was recorded so far. Without takes, what a subscription did not receive is unknown. */
bool flow_linker_has_takes(const struct flow_linker *linker);

/* How many messages a publisher has published, by its index in the model. O(1). */
uint64_t flow_linker_publication_count(const struct flow_linker *linker, uint32_t publisher);

void flow_linker_counts(const struct flow_linker *linker, struct flow_counts *counts);

/*
 * For filter.ros2.flow: which flow the last record belongs to. A note is reference-counted and becomes final when the
 * link is known: a take may wait for the stamp of its publication, a publication for the message that the callback
 * around it handles. Release all notes before the linker is destroyed.
 */
struct flow_note {
	uint64_t flow_id;	 /* 0: none (yet) */
	uint64_t parent_flow_id; /* 0: none (yet) */
	int64_t first_publish_ns;
	bool is_linked; /* flow_id and first_publish_ns do not change any more */
	unsigned int references;
	struct flow_execution
		*awaited; /* a reference: its flow becomes parent_flow_id when it is resolved; NULL: no wait */
	struct flow_publication *doubtful; /* a reference, until its origin is decided; NULL: that is no question */
};

void flow_linker_keep_notes(struct flow_linker *linker); /* before the first record */
/* A reference to the note of the last record; NULL if that belongs to no flow. */
struct flow_note *flow_linker_take_note(struct flow_linker *linker);
/* Completes the note as far as possible; true if it can no longer change. */
bool flow_note_is_final(struct flow_linker *linker, struct flow_note *note);
void flow_note_release(struct flow_linker *linker, struct flow_note *note);

#endif
