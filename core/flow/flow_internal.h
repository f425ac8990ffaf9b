/* SPDX-License-Identifier: MIT */
/*
 * The flow linker's own structures, shared by the flow_*.c files:
 *
 *   flow_linker.c   the linker: feeding, threads, executions, notes
 *   flow_publish.c  the publish events of a thread → publications, and their stamps
 *   flow_take.c     takes → publications, and their callbacks
 *   flow_intra.c    ring buffers and copied messages → publications of the same process
 *   flow_service.c  requests and responses
 *   flow_infer.c    publications without a stamp
 *   flow_cache.c    indirect links
 *   flow_settle.c   topics, publishers, and the life of publications and executions
 */
#ifndef ROS2BT_FLOW_INTERNAL_H
#define ROS2BT_FLOW_INTERNAL_H

#include <glib.h>

#include "ros2bt/flow_linker.h"
#include "core/base/object_pool.h"
#include "core/base/u64_map.h"

#define FLOW_LISTENERS_MAX 4
#define FLOW_PARENTS_MAX 64  /* executions that one publication comes from */
#define FLOW_LATCHED_MAX 16  /* settled publications kept for each publisher */
#define FLOW_LIVE_MAX 500000 /* publications in memory; the oldest are settled beyond that */
#define FLOW_COPIES_MAX 4096 /* message addresses followed in a process without ring buffer events */

struct slot;

struct delivery {
	struct flow_delivery public; /* first */
	struct delivery *next;
};

_Static_assert(sizeof(struct delivery) <= 64, "a delivery fits a cache line");

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
struct publication {
	struct flow_publication public; /* first */
	unsigned int references;
	unsigned int steps : 8; /* enum publish_step */
	bool is_open : 1;	/* more publish events may follow */
	bool is_settled : 1;
	bool is_forgotten : 1; /* settled, and no longer among the last ones of its publisher: no take finds it */
	bool is_indexed : 1;   /* by its stamp (or request key) */
	bool is_waiting_for_stamp : 1; /* CARET will tell it */
	bool is_in_stampless_list : 1;
	struct publication *next_with_key;
	struct flow_execution *only_parent; /* room for public.parents while there is no other */
	struct delivery *deliveries;	    /* owned; those of ring buffers are there before they are dequeued */
	struct flow_note *note;

	uint64_t message;
	int64_t inter_first_ns;	     /* its rclcpp_publish */
	uint64_t serialized_message; /* CARET: where it was serialized to, 0 if not told */
	uint64_t sequence;	     /* of its publisher, from 1 */
	struct publisher *queue;     /* the publisher in whose queue it is */
	struct publication *next_of_publisher;
	struct publication *older, *newer; /* all unsettled ones */

	const char *client_gid;		/* of a request or response */
	int64_t sequence_number;	/* of a request or response */
	unsigned int undelivered_slots; /* ring buffer slots that hold it */
	unsigned int expected; /* subscriptions that should get it between processes, known when it is closed */
	unsigned int received; /* of those */
	int64_t checked_ns;    /* when the others were last looked at */
	struct publication *next_stampless; /* of the topic, newer */
};

_Static_assert(offsetof(struct publication, public.source_timestamp) == 64, "the second line begins here");
_Static_assert(offsetof(struct publication, message) == 128, "and ends here");

struct execution_node {
	struct flow_execution public; /* first */
	unsigned int references;
	unsigned int unsettled_publications;
	unsigned int caches; /* indirect links that may still use it */
	bool is_resolved, is_ended, is_finished, is_continued;
	struct publication *cause;	   /* reference, until resolved */
	struct execution_node *dependents; /* references: executions that wait for this one to be resolved */
	struct execution_node *next_dependent;
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
	bool is_done;			  /* linked: the queue forgets it */
	struct execution_node *execution; /* reference, NULL if none (yet) */
	struct waiting_take *next;	  /* in time */
	struct waiting_take *next_with_key;
	struct thread *thread; /* that still may dispatch it, NULL */
	struct flow_note *note;
};

/* What a subscription has got of a publisher. */
struct channel {
	uint64_t passed; /* all publications before this sequence can not come any more */
	uint64_t newest; /* becomes `passed` when newest_since_ns is long enough ago */
	int64_t newest_since_ns;
};

struct publisher {
	struct model_publisher *model;
	struct topic *topic;			       /* NULL while unknown */
	uint64_t sequence;			       /* of the last publication */
	struct publication *first, *last;	       /* unsettled, references */
	struct publication *latched[FLOW_LATCHED_MAX]; /* settled, references; ring */
	unsigned int latched_first, latched_count;
	GPtrArray *receivers; /* struct model_subscription *: seen to get its messages while the topic was unknown */
	GArray *caches;	      /* struct cache_use, of flow_cache.c; NULL if none */
	uint64_t caches_version;
};

struct topic {
	const char *name;
	GPtrArray *subscriptions; /* struct model_subscription *, in an order of the trace (see flow_settle.c) */
	struct publication *stampless_first, *stampless_last; /* references, in time */
};

/* A take (or dequeue, or dispatch) on its way to the callback. */
struct pending {
	bool is_set;
	bool is_intra_process;
	struct model_subscription *subscription;
	struct model_service *service;
	struct model_client *client;
	int64_t take_ns;
	struct publication *publication; /* reference; NULL if unknown */
	struct delivery *slot;		 /* the delivery that is there already (intra-process) */
	struct slot *in_hand;		 /* the ring buffer's, to be given back with flow_intra_release_slot() */
	struct waiting_take *waiting;	 /* or NULL */
	struct flow_note *note;
};

struct thread {
	uint32_t index;
	uint32_t process_index;
	bool has_vtid;
	struct process *process;
	struct publication *open;    /* reference: publish events so far */
	struct publication *written; /* reference: CARET will tell its stamp */
	uint64_t written_message;    /* of the last write; 0 with no write of ours to bind to */
	struct pending pending;
};

struct process {
	bool has_run;
	int64_t first_runtime_ns;
	struct u64_map buffers; /* address → struct buffer *, owned */
	struct u64_map copies;	/* message address → struct publication *, references */
};

struct flow_linker {
	struct recording *recording;
	struct object_model *model;
	struct executions *executions;
	struct diagnostics *diagnostics;
	struct flow_listener listeners[FLOW_LISTENERS_MAX];
	size_t listener_count;

	struct object_pool publications, executions_pool, deliveries, waiting_takes, notes;
	GPtrArray *threads;		    /* struct thread *, owned, by index */
	GPtrArray *processes;		    /* struct process *, owned, by index */
	GPtrArray *publishers;		    /* struct publisher *, owned, by model index */
	struct u64_map topics;		    /* name → struct topic *, owned */
	struct u64_map channels;	    /* (publisher, subscription) → struct channel *, owned */
	GArray *marks;			    /* uint64_t by subscription: scratch of flow_settle.c */
	GPtrArray *undefined_subscriptions; /* of the model, to look at again */
	size_t subscriptions_seen;

	struct u64_map by_key; /* stamp or request key → newest publication, references */
	struct u64_map waiting_by_key;
	struct waiting_take *waiting_first, *waiting_last;
	struct publication *oldest, *newest; /* unsettled */

	GPtrArray *links;  /* of flow_cache.c, owned */
	GPtrArray *caches; /* of flow_cache.c, owned, by model index of subscription */
	uint64_t links_version;

	struct inference *inference;
	bool has_new_calibration, is_retrying_inference;

	int64_t now_ns; /* of the last runtime event or loss: filters drop and move definitions */
	uint64_t next_id, next_serial;
	struct flow_counts counts;
	struct u64_map topic_counts[DIAGNOSTIC_COUNT]; /* topic name → count, told at the end */
	bool is_finished;

	bool keeps_notes;
	struct flow_note *note; /* of the last record */
};

/* flow_linker.c */
struct thread *flow_add_thread(struct flow_linker *linker, uint32_t index);
struct process *flow_add_process(struct flow_linker *linker, uint32_t index);

static inline struct thread *flow_thread(struct flow_linker *linker, uint32_t index)
{
	struct thread *thread = index < linker->threads->len ? linker->threads->pdata[index] : NULL;

	return G_LIKELY(thread != NULL) ? thread : flow_add_thread(linker, index);
}

static inline struct process *flow_process(struct flow_linker *linker, uint32_t index)
{
	struct process *process = index < linker->processes->len ? linker->processes->pdata[index] : NULL;

	return G_LIKELY(process != NULL) ? process : flow_add_process(linker, index);
}

struct execution_node *flow_current_execution(struct flow_linker *linker, const struct thread *thread);
void flow_count_topic(struct flow_linker *linker, enum diagnostic what, const char *topic);
/*
 * Notes (only with linker->keeps_notes): a new one, linked if the publication is given; link it, or tell that there is
 * nothing to link it to; make it that of the record at hand (takes over the reference).
 */
struct flow_note *flow_note_create(struct flow_linker *linker, const struct publication *publication);
struct flow_note *flow_note_reference(struct flow_note *note);
void flow_note_set(struct flow_note *note, const struct publication *publication);
void flow_note_tell(struct flow_linker *linker, struct flow_note *note);

/* flow_publish.c */
void flow_publish_feed(struct flow_linker *linker, struct thread *thread, const struct event_record *record);
void flow_publish_close(struct flow_linker *linker, struct thread *thread);
void flow_publish_forget(struct flow_linker *linker, struct thread *thread);

/* flow_take.c */
void flow_take_feed(struct flow_linker *linker, struct thread *thread, const struct event_record *record);
/* The pending take goes to the execution that starts, or to none. */
void flow_take_dispatch(struct flow_linker *linker, struct thread *thread, struct execution_node *execution,
			const struct model_callback_info *info, bool is_intra_process);
void flow_take_drop(struct flow_linker *linker, struct thread *thread);
/* A publication has got its key: takes that wait for it are linked. */
void flow_take_key_is_known(struct flow_linker *linker, struct publication *publication, uint64_t key);
/* The one publication with the key (and topic, or request), NULL if there is none or *is_ambiguous. */
struct publication *flow_take_find(struct flow_linker *linker, const struct waiting_take *take, bool *is_ambiguous);
void flow_take_expire(struct flow_linker *linker);
void flow_take_retry_inference(struct flow_linker *linker);
void flow_take_finish(struct flow_linker *linker);
/* Starts to wait, or links at once. */
void flow_take_begin(struct flow_linker *linker, struct thread *thread, const struct waiting_take *take);
uint64_t flow_request_key(const char *client_gid, int64_t sequence_number, bool is_response);

/* flow_intra.c */
void flow_intra_feed(struct flow_linker *linker, struct thread *thread, const struct event_record *record);
void flow_intra_release_slot(struct flow_linker *linker, struct slot *slot);
void flow_intra_publish(struct flow_linker *linker, struct process *process, struct publication *publication);
void flow_intra_clear_process(struct flow_linker *linker, struct process *process);

/* flow_service.c */
void flow_service_feed(struct flow_linker *linker, struct thread *thread, const struct event_record *record);

/* flow_infer.c */
/* The publication of a release that records no stamps: a candidate. */
void flow_infer_add(struct flow_linker *linker, struct publication *publication);
struct inference *inference_create(void);
void inference_destroy(struct inference *inference);
/* The stampless publication of the topic that the stamp belongs to; NULL: none, *is_undecided: perhaps later,
 * *is_ambiguous: never. */
struct publication *flow_infer(struct flow_linker *linker, struct topic *topic, int64_t stamp, bool *is_undecided,
			       bool *is_ambiguous);

/* flow_cache.c */
void flow_cache_feed(struct flow_linker *linker, const struct event_record *record);
/* The publisher is known: adds the executions whose kept messages it uses. */
void flow_cache_use(struct flow_linker *linker, struct publication *publication);
/* An execution of a subscription's callback has ended. */
void flow_cache_keep(struct flow_linker *linker, struct execution_node *execution,
		     struct model_subscription *subscription);
void flow_cache_finish(struct flow_linker *linker);
void flow_cache_clear(struct flow_linker *linker);

/* flow_settle.c */
struct publication *publication_create(struct flow_linker *linker, struct thread *thread, int64_t time_ns);
struct publication *publication_reference(struct publication *publication);
void publication_release(struct flow_linker *linker, struct publication *publication);
void publication_add_parent(struct flow_linker *linker, struct publication *publication,
			    struct execution_node *execution);
/* No more publish events. */
void publication_close(struct flow_linker *linker, struct publication *publication);
void publication_set_publisher(struct flow_linker *linker, struct publication *publication,
			       struct model_publisher *model);
void publication_set_key(struct flow_linker *linker, struct publication *publication, uint64_t key);
struct delivery *publication_add_delivery(struct flow_linker *linker, struct publication *publication,
					  struct model_subscription *subscription, bool is_intra_process);
/* NULL if there is none. */
struct delivery *publication_delivery_to(const struct publication *publication,
					 const struct model_subscription *subscription);
/* A taker is on its way, and its callback starts: what settling the publication will touch is fetched into the cache.
 */
void publication_is_taken(const struct publication *publication);
void publication_is_dispatched(const struct publication *publication);
/* The delivery has happened: tells the listeners, links the execution. */
void publication_delivered(struct flow_linker *linker, struct publication *publication, struct delivery *delivery,
			   struct execution_node *execution);
void publication_settle_now(struct flow_linker *linker, struct publication *publication, bool is_end_of_trace);
struct publisher *flow_publisher(struct flow_linker *linker, struct model_publisher *model);
struct topic *flow_topic(struct flow_linker *linker, const char *name);
/* Lets its settled publications go. */
void flow_publisher_clear(struct flow_linker *linker, struct publisher *publisher);
void publisher_settle(struct flow_linker *linker, struct publisher *publisher);
/* Whether there is no more waiting for takers. */
static inline bool flow_is_aged(const struct flow_linker *linker, const struct publication *publication)
{
	return linker->now_ns - publication->public.first_ns >= FLOW_AGE_NS ||
	       linker->counts.live_publications > FLOW_LIVE_MAX;
}

void flow_settle_aged(struct flow_linker *linker);
void flow_settle_all(struct flow_linker *linker);
void flow_subscriptions_changed(struct flow_linker *linker);
/* An order of subscriptions that depends on the recorded system, not on when a definition was read. */
bool flow_subscription_comes_before(struct flow_linker *linker, const struct model_subscription *left,
				    const struct model_subscription *right);

struct execution_node *execution_reference(struct execution_node *execution);
void execution_release(struct flow_linker *linker, struct execution_node *execution);
/* The cause is known (NULL: there is none): resolves now or when the executions before it are resolved. */
void execution_set_cause(struct flow_linker *linker, struct execution_node *execution, struct publication *publication,
			 struct delivery *delivery);
void execution_check_finished(struct flow_linker *linker, struct execution_node *execution);

#endif
