/* SPDX-License-Identifier: MIT */
/*
 * What all files of core/flow share: the linker, and the threads and processes that it has seen. The lowest layer: it
 * links nothing and knows no rule. docs/internals/flow.md lists the layers; a file includes headers of lower layers
 * only.
 *
 * Times are in ns since the Unix epoch. Memory: an entry for each thread and process.
 */
#ifndef ROS2BT_FLOW_STATE_H
#define ROS2BT_FLOW_STATE_H

#include <glib.h>

#include "core/base/memory_layout.h"
#include "core/base/object_pool.h"
#include "core/flow/hearers.h"
#include "core/model/recorded_process.h"
#include "core/stamps/stamp_matcher.h"
#include "core/untaken/untaken_user.h"
#include "ros2bt/base/u64_map.h"
#include "ros2bt/flow/flow_linker.h"

struct doubtful_origin;
struct flow_channel;
struct linked_execution;
struct linked_publication;
struct linked_delivery;
struct ring_slot;
struct untaken_matcher;
struct waiting_take;

#define FLOW_LEAVING 8

/* Publications that are linked by `older` and `newer`. Each entry is a reference. */
struct publication_list {
	struct linked_publication *oldest, *newest;
};

/* A take, and what its publication is found by (take_links.h). */
struct flow_take {
	uint64_t key;		/* stamp, request key or key of an entry of Agnocast */
	const char *client_gid; /* of a request or response; FLOW_AGNOCAST if sequence_number is that of an entry */
	int64_t sequence_number;
	uint64_t message; /* its address, of an rmw_take; 0: none, or its size is known */
	bool is_response; /* delivery.client took it, otherwise delivery.service or a subscription */
	/*
	 * As it will be reported: copied, with `publication`, once that is known. Until it is known whether the take is
	 * one by hand, it has polled_since_ns.
	 */
	struct flow_delivery delivery;
};

/* A take (or dequeue, or dispatch) on its way to the callback. */
struct pending_take {
	bool is_set;
	bool is_intra_process;
	bool has_no_callback; /* the executor has not announced it, though it announces subscriptions */
	bool is_announced;    /* the event of the start that follows names it (Agnocast) */
	struct linked_publication *publication; /* reference, counted in `in_hand`; NULL if unknown */
	struct linked_delivery *slot;		/* the delivery, if it exists already (intra-process) */
	struct ring_slot *in_hand;		/* of the ring buffer; free with flow_settle_free_slot() */
	struct waiting_take *waiting;		/* NULL: none */
	struct flow_note *note;
	/* Of its publisher and subscription, which stay the same; lives as long as the recording. NULL: none yet. */
	struct flow_channel *channel;
	struct flow_take take; /* only if is_set */
};

/* What each start and end of a callback asks comes first, up to `pending.is_set`, in one cache line. */
struct flow_thread {
	struct untaken_thread untaken; /* while linker->follows_untaken */
	struct flow_process *process;
	struct linked_publication *open; /* reference: more publish events may follow */
	uint32_t callback_phase;	 /* of the process, when a callback last started or ended here; 0: never */
	bool has_vtid : 1;
	bool is_writing : 1;   /* no event since a write without a stamp */
	bool has_executed : 1; /* its executor records what it executes */
	bool is_cut;	   /* events of it may be missing since its last take, and last start or end of a callback */
	bool is_executing; /* it has announced a timer or subscription, and no callback has started or ended since */
	struct pending_take pending;
	uint32_t index;
	uint32_t process_index;
	struct linked_publication *written; /* reference: an event of CARET will record its stamp */
	uint64_t written_message;	    /* of the last write; 0: no write to bind to */
};

ASSERT_OFFSET(struct flow_thread, pending.publication, CACHE_LINE);

struct flow_process {
	uint32_t index;
	bool has_rcl;		/* events of rcl are recorded, which define its publishers */
	bool ran_before;	/* its threads may have been in callbacks when its recording began */
	uint32_t phase;		/* incremented each time its recording begins anew */
	int64_t phase_begin_ns; /* its first runtime event of the phase */
	int64_t first_runtime_ns;
	struct recorded_process recorded;
	struct u64_map buffers; /* address → struct buffer *, owned */
	struct u64_map copies;	/* message address → struct linked_publication *, references */
};

struct flow_linker {
	struct recording *recording;
	struct object_model *model;
	struct executions *executions;
	struct inferred_executions *inferred; /* NULL, like provenance, without flow_linker_infer() */
	struct provenance *provenance;	      /* owned */
	struct diagnostics *diagnostics;
	struct flow_listener *listeners; /* owned */
	size_t listener_count;
	struct flow_hearers hearers; /* of them */
	unsigned int data_count;     /* of flow_execution.data that are reserved */

	struct object_pool publications, executions_pool, deliveries, waiting_takes, notes;
	struct linked_delivery *spare_deliveries; /* of `deliveries`, for use before others; by `next` */
	GPtrArray *threads;			  /* struct flow_thread *, in the arena, by index */
	GPtrArray *processes;			  /* struct flow_process *, in the arena, by index */
	GPtrArray *publishers;			  /* struct flow_publisher *, in the model, by its index */
	struct u64_map topics;			  /* name → struct flow_topic *, owned */
	GPtrArray *undefined_subscriptions;	  /* of the model, to be looked at again */
	GArray *unlinked_takes;			  /* int64_t by subscription: its last take without a publication */
	size_t subscriptions_seen;
	void **way;		       /* of flow_linker_way() */
	struct u64_map received_later; /* channel → struct received_later * of outcome.c, in the arena */
	struct u64_map servers; /* of servers.c: name of a service → GPtrArray * of struct model_service *, owned */
	size_t servers_seen;

	struct u64_map by_key; /* stamp or request key → newest publication, references */
	struct u64_map waiting_by_key;
	struct waiting_take *waiting_first, *waiting_last;
	struct waiting_take *waiting_unnoted; /* the first that may still be linked soon */
	struct publication_list unsettled;    /* in order of the first publish events */
	struct publication_list unconcluded;  /* in the order in which they were settled */
	/* Of doubtful_origins.h, owned: the newest first; in the order of the decisions; to be used again. */
	struct doubtful_origin *doubtful, *decided, *spare_origins;

	GPtrArray *links; /* of kept_messages.c, owned */
	GPtrArray *kept;  /* of kept_messages.c, owned, by model index of subscription */
	uint64_t links_version;

	int64_t late_ns; /* where the recording began late, see flow_linker_start_late(); INT64_MIN: it did not */
	struct stamp_matcher *stamps;
	struct untaken_matcher *untaken;		  /* owned */
	struct linked_publication *leaving[FLOW_LEAVING]; /* of untaken_messages.c: a ring of references */
	guint next_leaving;
	int64_t calm_until_ns; /* see flow_linker_wake() */
	int64_t infer_due_ns;  /* take_links_infer_due() has nothing to decide before that */
	int64_t aged_due_ns;   /* flow_settle_aged() and doubtful_origins_expire() have nothing to do before that */

	int64_t now_ns; /* of the last runtime event or loss, not of definitions: filters drop and move those */
	uint64_t next_id, next_serial;
	struct flow_counts counts;
	struct u64_map topic_counts[DIAGNOSTIC_COUNT]; /* of topic_counts.c: topic name → count */
	bool is_finished;
	bool has_stopped;	    /* CARET has begun to record a process anew that had run */
	bool has_takes, has_writes; /* rmw_take or rmw_publish is recorded, or CARET's events */
	bool follows_untaken;	    /* `untaken` hears of callbacks and publications: untaken_messages.h */
	bool has_followed_late;	    /* not from the beginning: threads may be in callbacks when first seen */
	GArray *guessed_takes;	    /* of guessed_takes.c, by callback */

	bool keeps_notes;
	struct flow_note *note; /* of the last record, NULL: none */
};

/*
 * Something waits for a time, or (INT64_MIN) for the next event: until then, runtime events need nothing but what their
 * kind is about. It is the least of infer_due_ns and aged_due_ns, and INT64_MIN while takes wait or a note is kept, and
 * where other events of the thread of the next one may be missing before it.
 */
static inline void flow_linker_wake(struct flow_linker *linker, int64_t due_ns)
{
	linker->calm_until_ns = MIN(linker->calm_until_ns, due_ns);
}

/* The same for what end_waits() of linker_feed.c looks at. Nearly always something is due before. */
static inline void flow_linker_wake_aged(struct flow_linker *linker, int64_t due_ns)
{
	if (G_UNLIKELY(due_ns < linker->aged_due_ns)) {
		linker->aged_due_ns = due_ns;
		flow_linker_wake(linker, due_ns);
	}
}

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

/*
 * The execution that the thread may be in (executions_enclosing()), whose `flow` is a struct linked_execution; NULL if
 * there is none or the trace records no vtid.
 */
const struct execution *flow_enclosing_execution(struct flow_linker *linker, const struct flow_thread *thread,
						 bool *is_certain);

#endif
