/* SPDX-License-Identifier: MIT */
/*
 * What the flow linker keeps, and the lifetimes of it: publications, executions, notes, threads, processes, topics. The
 * lowest layer of core/flow: it links nothing and knows no rule, so all other files use it and it uses none of them.
 *
 *   linker.c         gives each record to its layer                          uses all below
 *   service.c        requests and responses                                  take
 *   publish.c        the publish events of a thread → publications           take, intra, kept_messages, provenance,
 * infer inferred.c       takes of nodes without rclcpp → executions              take, kept_messages, provenance,
 * resolve intra.c          ring buffers and copied messages of a process           take take.c           takes →
 * publications → callbacks                        waiting_takes, infer, settle, resolve kept_messages.c  indirect links
 * subscriptions, resolve provenance.c     from which of these executions a publication comes      state settle.c
 * deliveries, and when nothing more becomes of a message  outcome, infer, subscriptions, resolve outcome.c        lost,
 * unknown or in flight                              subscriptions, breaks waiting_takes.c  the queue of the takes that
 * wait for their publication  state infer.c          publications without a recorded stamp                   state
 *   subscriptions.c  who has met whom, and who can no longer get a message   state
 *   breaks.c         when events of a process may be missing                 state
 *   resolve.c        when all causes of an execution are known               state
 *   state.c          this                                                    the contract: ros2bt/flow_linker.h
 *
 * A file includes only what stands below it in this list; scripts/check-layers proves that there is no circle.
 *
 * Structures with a member `public` extend the one of the contract by what is the linker's own; `public` comes first,
 * so that a pointer to one is a pointer to the other. Publications and executions are counted references: who keeps a
 * pointer beyond a call holds one, at the last release the listeners hear `released`. Times in ns since the Unix epoch.
 *
 * Memory: pools; a publication takes 256 bytes (four cache lines), and lives until it is settled and has left the
 * last ones of its publisher.
 */
#ifndef ROS2BT_FLOW_STATE_H
#define ROS2BT_FLOW_STATE_H

#include <glib.h>

#include "ros2bt/flow_linker.h"
#include "core/base/object_pool.h"
#include "core/stamps/stamp_matcher.h"
#include "core/base/u64_map.h"

#define FLOW_PARENTS_MAX 64  /* executions that one publication comes from */
#define FLOW_LATCHED_MAX 16  /* settled publications kept for each publisher */
#define FLOW_LIVE_MAX 500000 /* publications in memory; the oldest are settled beyond that */
#define FLOW_COPIES_MAX 4096 /* message addresses followed in a process without ring buffer events */

struct linked_delivery {
	struct flow_delivery public; /* first */
	struct linked_delivery *next;
};

_Static_assert(sizeof(struct linked_delivery) <= 64, "a delivery fits a cache line");

/* What a slot of a ring buffer holds. */
struct slot {
	struct linked_publication *publication; /* reference */
	struct linked_delivery *delivery;	/* of the publication */
};

enum publish_step {
	STEP_RCLCPP = 1,
	STEP_INTRA = 2,
	STEP_RCL = 4,
	STEP_RMW = 8,
};

/*
 * Of the many that wait for late takers, one is let go at each publication: what that needs, and nothing else, is in
 * the second cache line, with the end of the public part.
 */
struct linked_publication {
	struct flow_publication public; /* first */
	unsigned int references;
	unsigned int steps : 8; /* enum publish_step */
	bool is_open : 1;	/* more publish events may follow */
	bool is_settled : 1;
	bool is_forgotten : 1; /* settled, and no longer among the last ones of its publisher: no take finds it */
	bool is_indexed : 1;   /* by its key */
	bool is_waiting_for_stamp : 1; /* an event of CARET will bring it */
	bool is_ambiguous : 1;	       /* another one has its key */
	struct linked_publication *next_with_key;
	struct flow_execution *only_parent; /* room for public.parents while there is no other */
	struct linked_delivery *deliveries; /* owned; those of ring buffers are there before they are dequeued */
	uint64_t key; /* of linker->by_key, while is_indexed: the stamp, or request_key() of service.c */

	uint64_t message;
	int64_t inter_first_ns;	      /* its rclcpp_publish */
	uint64_t serialized_message;  /* CARET: where it was serialized to, 0 if not recorded */
	uint64_t sequence;	      /* of its publisher, from 1 */
	struct flow_publisher *queue; /* the publisher in whose queue it is */
	struct linked_publication *next_of_publisher;
	struct linked_publication *older, *newer; /* all unsettled ones */

	struct flow_note *note;
	const char *client_gid;		  /* of a request or response */
	int64_t sequence_number;	  /* of a request or response */
	unsigned int undelivered_slots;	  /* ring buffer slots that hold it */
	unsigned int received;		  /* subscriptions that have got it */
	int64_t checked_ns;		  /* when the others were last looked at */
	struct stamp_interval *stampless; /* where its stamp may be inferred, until it is forgotten; a reference */
};

_Static_assert(offsetof(struct linked_publication, public.source_timestamp) == 64, "the second line begins here");
_Static_assert(offsetof(struct linked_publication, message) == 128, "and ends here");

struct linked_execution {
	struct flow_execution public; /* first */
	unsigned int references;
	unsigned int unsettled_publications;
	unsigned int keepers; /* subscriptions that keep it for indirect links */
	bool is_resolved, is_ended, is_finished, is_continued;
	struct linked_publication *cause;    /* reference, until resolved */
	struct linked_execution *dependents; /* references: executions that wait for this one to be resolved */
	struct linked_execution *next_dependent;
	uint64_t serial;			 /* 1, 2, … in order of start */
	struct model_subscription *subscription; /* whose callback it is, NULL if none or unknown */
	struct flow_note *note;
};

/* A take whose publication is not known yet. */
struct waiting_take {
	uint64_t key; /* stamp or request key */
	struct model_subscription *subscription;
	struct model_service *service; /* of a request */
	struct model_client *client;   /* of a response */
	const char *client_gid;
	int64_t sequence_number;
	int64_t take_ns;
	int64_t deadline_ns;
	int64_t callback_start_ns;
	bool has_start, is_response;
	bool is_done;			    /* linked: the queue forgets it */
	struct linked_execution *execution; /* reference, NULL if none (yet) */
	struct waiting_take *next;	    /* in time */
	struct waiting_take *next_with_key;
	struct flow_thread *thread; /* that still may dispatch it, NULL */
	struct flow_note *note;
};

/* A subscription that has got a message of a publisher: only then is it known that the middleware matched them. */
struct channel {
	struct model_subscription *subscription;
	bool has_inter; /* between processes; else through a ring buffer only */
	/* The publication after a missing one that it got first, and when. */
	uint64_t next;
	int64_t next_take_ns;
	uint64_t first, last; /* least and greatest sequence of a publication that it got */
	uint64_t passed;      /* all publications before this sequence can not come any more */
	uint64_t newest;      /* becomes `passed` when newest_since_ns is long enough ago */
	int64_t newest_since_ns;
};

struct flow_publisher {
	struct model_publisher *model;
	struct flow_topic *topic;			      /* NULL while unknown */
	uint64_t sequence;				      /* of the last publication */
	struct linked_publication *first, *last;	      /* unsettled, references */
	struct linked_publication *latched[FLOW_LATCHED_MAX]; /* settled, references; ring */
	unsigned int latched_first, latched_count;
	GPtrArray *channels; /* struct channel *, borrowed: the subscriptions that it has met, in that order */
	GArray *kept_uses;   /* struct kept_use, of kept_messages.c; NULL if none */
	uint64_t kept_uses_version;
};

struct flow_topic {
	const char *name;
	guint subscription_count;   /* defined ones */
	uint64_t queue_depth;	    /* the greatest of them, UINT64_MAX if one is unknown or without a limit */
	struct stamp_topic *stamps; /* of infer.c, NULL before the first publication without stamp */
};

/* A take (or dequeue, or dispatch) on its way to the callback. */
struct pending {
	bool is_set;
	bool is_intra_process;
	struct model_subscription *subscription;
	struct model_service *service;
	struct model_client *client;
	int64_t take_ns;
	struct linked_publication *publication; /* reference; NULL if unknown */
	struct linked_delivery *slot;		/* the delivery that is there already (intra-process) */
	struct slot *in_hand;			/* the ring buffer's, to be given back with flow_slot_free() */
	struct waiting_take *waiting;		/* or NULL */
	struct flow_note *note;
};

struct flow_thread {
	uint32_t index;
	uint32_t process_index;
	bool has_vtid;
	bool is_writing;	 /* since a write without a stamp there was no event */
	uint32_t callback_phase; /* of the process, when a callback last started or ended here; 0: never */
	struct flow_process *process;
	struct linked_publication *open;    /* reference: publish events so far */
	struct linked_publication *written; /* reference: an event of CARET will bring its stamp */
	uint64_t written_message;	    /* of the last write; 0 with no write of ours to bind to */
	struct pending pending;
};

#define BREAKS_MAX 64

struct flow_break {
	int64_t begin_ns, end_ns;
};

/* The last breaks, in time: see breaks.h. */
struct break_list {
	struct flow_break breaks[BREAKS_MAX]; /* ring */
	unsigned int first, count;
	bool has_forgotten;
	int64_t forgotten_until_ns;
};

struct flow_process {
	bool has_run;
	bool has_rcl;		/* events of rcl are recorded: they name its publishers */
	bool is_recorded;	/* it has run, in this phase */
	bool ran_before;	/* when its recording began: its threads may have been within callbacks */
	uint32_t phase;		/* one more each time its recording begins anew */
	int64_t phase_begin_ns; /* its first runtime event of the phase */
	int64_t first_runtime_ns, last_runtime_ns;
	GArray *traces;		   /* uint32_t: in which it has threads */
	struct break_list *breaks; /* its own, NULL if none */
	struct u64_map buffers;	   /* address → struct buffer *, owned */
	struct u64_map copies;	   /* message address → struct linked_publication *, references */
};

struct flow_linker {
	struct recording *recording;
	struct object_model *model;
	struct executions *executions;
	struct inferred_executions *inferred; /* NULL unless flow_linker_infer() was called, as the next */
	struct provenance *provenance;	      /* of provenance.c, owned */
	struct diagnostics *diagnostics;
	struct flow_listener *listeners; /* owned */
	size_t listener_count;

	struct object_pool publications, executions_pool, deliveries, waiting_takes, notes;
	GPtrArray *threads;		    /* struct flow_thread *, owned, by index */
	GPtrArray *processes;		    /* struct flow_process *, owned, by index */
	GPtrArray *publishers;		    /* struct flow_publisher *, owned, by model index */
	struct u64_map topics;		    /* name → struct flow_topic *, owned */
	struct u64_map channels;	    /* (publisher, subscription) → struct channel *, owned */
	GArray *marks;			    /* uint64_t by subscription: scratch of settle.c */
	GPtrArray *undefined_subscriptions; /* of the model, to look at again */
	GArray *unlinked_takes;		    /* int64_t by subscription: time of the last one without a publication */
	GPtrArray *trace_breaks;	    /* struct break_list *, owned, by trace; NULL if it has none */
	size_t subscriptions_seen;

	struct u64_map by_key; /* stamp or request key → newest publication, references */
	struct u64_map waiting_by_key;
	struct waiting_take *waiting_first, *waiting_last;
	struct waiting_take *waiting_unnoted;	    /* the first that may still be linked soon, NULL */
	struct linked_publication *oldest, *newest; /* unsettled */

	GPtrArray *links; /* of kept_messages.c, owned */
	GPtrArray *kept;  /* of kept_messages.c, owned, by model index of subscription */
	uint64_t links_version;

	struct stamp_matcher *stamps;
	int64_t infer_due_ns; /* when stamps wait for a decision */
	int64_t aged_due_ns;  /* before that flow_settle_aged() would settle nothing */

	int64_t now_ns; /* of the last runtime event or loss: filters drop and move definitions */
	uint64_t next_id, next_serial;
	struct flow_counts counts;
	struct u64_map topic_counts[DIAGNOSTIC_COUNT]; /* topic name → count, reported at the end */
	bool is_finished;
	bool has_takes, has_writes; /* what they are seen by is recorded: rmw_take, rmw_publish or CARET's events */
	GArray *ran_before_takes;   /* uint8_t by callback: it ran while no take was seen */

	bool keeps_notes;
	struct flow_note *note; /* of the last record */
};

/* --- threads and processes, by index; made when first seen --- */

struct flow_thread *flow_add_thread(struct flow_linker *linker, uint32_t index);
struct flow_process *flow_add_process(struct flow_linker *linker, uint32_t index);

static inline struct flow_thread *flow_thread(struct flow_linker *linker, uint32_t index)
{
	struct flow_thread *thread = index < linker->threads->len ? linker->threads->pdata[index] : NULL;

	return G_LIKELY(thread != NULL) ? thread : flow_add_thread(linker, index);
}

static inline struct flow_process *flow_process(struct flow_linker *linker, uint32_t index)
{
	struct flow_process *process = index < linker->processes->len ? linker->processes->pdata[index] : NULL;

	return G_LIKELY(process != NULL) ? process : flow_add_process(linker, index);
}

/* The innermost open execution of the thread; NULL if there is none or the trace records no vtid. */
struct linked_execution *flow_current_execution(struct flow_linker *linker, const struct flow_thread *thread);
/* A take of the subscription has no publication, so far. The time of the last one; INT64_MIN if there is none. */
void flow_note_unlinked_take(struct flow_linker *linker, const struct model_subscription *subscription,
			     int64_t take_ns);
int64_t flow_last_unlinked_take_ns(const struct flow_linker *linker, const struct model_subscription *subscription);
/* Counts a fault of the topic for the diagnostics, which get one row a topic at the end. */
void flow_count_topic(struct flow_linker *linker, enum diagnostic what, const char *topic);
/* --- notes, only with linker->keeps_notes --- */

/* A new note, with a reference; with a publication it is set at once. */
struct flow_note *flow_note_create(struct flow_linker *linker, const struct linked_publication *publication);
struct flow_note *flow_note_reference(struct flow_note *note);
/* The note belongs to the publication, or (NULL) to no flow. */
void flow_note_set(struct flow_note *note, const struct linked_publication *publication);
/* Makes it the note of the record at hand, and takes over the reference. */
void flow_note_offer(struct flow_linker *linker, struct flow_note *note);

/* --- executions --- */

/* Started, with one reference. */
struct linked_execution *execution_create(struct flow_linker *linker, struct model_callback *callback,
					  const struct model_callback_info *info, uint32_t thread, int64_t start_ns);
struct linked_execution *execution_reference(struct linked_execution *execution);
void execution_release(struct flow_linker *linker, struct linked_execution *execution);

/* --- publications --- */

/* With one reference for the caller, and one until it is settled. */
struct linked_publication *publication_create(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns);
struct linked_publication *publication_reference(struct linked_publication *publication);
void publication_release(struct flow_linker *linker, struct linked_publication *publication);
/* The message comes from the execution. No effect if that is known; at most FLOW_PARENTS_MAX, more are counted. */
void publication_add_parent(struct flow_linker *linker, struct linked_publication *publication,
			    struct linked_execution *execution);
/* Puts the publication at the end of the publisher's queue. Once. */
void publication_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
			       struct model_publisher *model);
/*
 * Makes the publication known by its source timestamp, or a request or response by its key; false if it has a key or
 * can no longer be found. Takes that wait for the key are linked by take.h, which calls these.
 */
bool publication_set_stamp(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp);
bool publication_set_key(struct flow_linker *linker, struct linked_publication *publication, uint64_t key);
struct linked_delivery *publication_add_delivery(struct flow_linker *linker, struct linked_publication *publication,
						 struct model_subscription *subscription, bool is_intra_process);
/* NULL if there is none. O(deliveries). */
struct linked_delivery *publication_delivery_to(const struct linked_publication *publication,
						const struct model_subscription *subscription);

/* --- publishers and topics; made when first asked for --- */

struct flow_publisher *flow_publisher(struct flow_linker *linker, struct model_publisher *model);
struct flow_topic *flow_topic(struct flow_linker *linker, const char *name);

#endif
