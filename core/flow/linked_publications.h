/* SPDX-License-Identifier: MIT */
/*
 * Publications as the linker keeps them, with their deliveries: the part that listeners see, their references, and the
 * two ways to find them: by key, and in the queue of their publisher.
 *
 * `public` is the first member, so a pointer to one is a pointer to the other. References are counted: whoever keeps a
 * pointer beyond a call holds one. A publication holds references to the executions that it comes from.
 *
 * Memory: a pool; a publication takes four cache lines and lives until it is settled and no longer latched (latched.h).
 * Cost: O(1) except where noted.
 */
#ifndef ROS2BT_FLOW_LINKED_PUBLICATIONS_H
#define ROS2BT_FLOW_LINKED_PUBLICATIONS_H

#include "core/base/memory_layout.h"
#include "core/flow/endpoints.h"

#define FLOW_PARENTS_MAX 64 /* executions that one publication comes from */

/* Publications in memory: a limit of memory (125 MB). Beyond it the oldest are settled. */
#define FLOW_LIVE_MAX 500000

#define FLOW_RECEIVED_BITS 64

struct linked_delivery {
	struct flow_delivery public; /* first */
	struct linked_delivery *next;
};

_Static_assert(sizeof(struct linked_delivery) <= 64, "a delivery fits a cache line");

/* The content of a slot of a ring buffer. */
struct ring_slot {
	struct linked_publication *publication; /* reference */
	struct linked_delivery *delivery;	/* of the publication */
	int64_t enqueued_ns;
};

enum publish_step {
	STEP_RCLCPP = 1,
	STEP_INTRA = 2,
	STEP_RCL = 4,
	STEP_RMW = 8,
};

/*
 * Each publication drives one of the many latched ones out (latched.h): the second cache line holds what that needs and
 * nothing else, together with the end of the public part.
 */
struct linked_publication {
	struct flow_publication public; /* first */
	unsigned int references;
	unsigned int steps : 8; /* enum publish_step */
	bool is_open : 1;	/* more publish events may follow */
	bool is_settled : 1;
	bool is_unconcluded : 1;       /* settled, and in linker->unconcluded */
	bool is_forgotten : 1;	       /* settled, and no longer latched: no take finds it */
	bool is_indexed : 1;	       /* by its key */
	bool is_waiting_for_stamp : 1; /* an event of CARET will record it */
	bool is_ambiguous : 1;	       /* another publication has its key */
	bool is_stampless : 1;	       /* it has `stampless`, which is in another cache line */
	bool is_doubtful : 1;	       /* it has `enclosing`, likewise */
	bool is_taken_on : 1;	       /* while it is doubtful: a callback has received it */
	bool has_marked_parents : 1;   /* of all parents, is_continued is set */
	bool is_agnocast : 1;	       /* through Agnocast: its key is that of sequence_number, the entry's id */
	bool has_told_stamp : 1;       /* listeners have heard of the stamp in its header */
	bool is_sized : 1;	       /* its size is known, and listeners have heard of it */
	bool has_kept_waiting : 1;     /* an execution that handles it could not be resolved at once */
	bool has_reached_all : 1;      /* see flow_channels_have_received() */
	bool has_early_deliveries : 1; /* from before its publisher was known */
	struct linked_publication *next_with_key;
	struct flow_execution *only_parent; /* room for public.parents while there is one at most */
	struct linked_delivery
		*deliveries; /* owned, in order made: those that may be asked for (flow_settle_delivered()) */
	uint64_t key; /* of linker->by_key while is_indexed: the stamp, request_key() of service.c, or of agnocast.c */

	uint64_t message;
	int64_t inter_first_ns;	      /* of its rclcpp_publish */
	uint64_t serialized_message;  /* CARET: address of the serialized copy; 0: not recorded */
	uint64_t sequence;	      /* among the publications of its publisher, from 1 */
	struct flow_publisher *queue; /* the publisher in whose queue it is; NULL: none */
	struct linked_publication *next_of_publisher;
	struct linked_publication *older, *newer; /* of all unsettled or unconcluded publications */

	union {
		const char *client_gid; /* of a request or response, which has no publisher */
		/*
		 * Bit n: between processes, by the channel at place n, of the first FLOW_RECEIVED_BITS channels. Most
		 * deliveries need not be kept for that.
		 */
		uint64_t received_by;
	};
	int64_t sequence_number;	/* of a request or response, or of an entry of Agnocast */
	unsigned int undelivered_slots; /* ring buffer slots that hold it */
	unsigned int in_hand;		/* pending takes that have it: taken, but not yet delivered */
	unsigned int missing;		/* deliveries between processes that had not arrived when it was settled */
	unsigned int received;		/* subscriptions that have received it */
	union {
		int64_t checked_ns; /* until it is settled: when the other subscriptions were last looked at */
		struct linked_delivery *first_missing; /* then, of `deliveries`, if any are missing */
	};
	struct stamp_interval *stampless;   /* if its stamp may be inferred, until it is forgotten; holds a reference */
	struct linked_execution *enclosing; /* it may come from it: see doubtful_origins.h; NULL: that is decided */
	struct linked_delivery *last_delivery; /* of `deliveries` */
};

ASSERT_OFFSET(struct linked_publication, public.source_timestamp, CACHE_LINE); /* the second line begins here */
ASSERT_OFFSET(struct linked_publication, message, 2 * CACHE_LINE);	       /* and ends here */
_Static_assert(sizeof(struct linked_publication) <= 256, "four cache lines");

/* One reference is for the caller, one is held until the publication is settled. */
struct linked_publication *linked_publication_create(struct flow_linker *linker, struct flow_thread *thread,
						     int64_t time_ns);

static inline struct linked_publication *linked_publication_reference(struct linked_publication *publication)
{
	publication->references++;
	return publication;
}

/* A reference for pending_take.publication, which is counted in `in_hand`. */
static inline struct linked_publication *linked_publication_take_in_hand(struct linked_publication *publication)
{
	publication->in_hand++;
	return linked_publication_reference(publication);
}

/* For linked_publication_release(): no reference is left. */
void linked_publication_free(struct flow_linker *linker, struct linked_publication *publication);

static inline void linked_publication_release(struct flow_linker *linker, struct linked_publication *publication)
{
	if (--publication->references == 0) {
		linked_publication_free(linker, publication);
	}
}

/* The message comes from the execution. No effect if that is known; beyond FLOW_PARENTS_MAX it is only counted. */
void linked_publication_add_parent(struct flow_linker *linker, struct linked_publication *publication,
				   struct linked_execution *execution);
/* The execution is the enclosing one: the first parent. */
void linked_publication_set_direct_parent(struct flow_linker *linker, struct linked_publication *publication,
					  struct linked_execution *execution);
/* O(1). */
void publication_list_append(struct publication_list *list, struct linked_publication *publication);
void publication_list_remove(struct publication_list *list, struct linked_publication *publication);
/* Puts the publication at the end of the publisher's queue. Call once. */
void linked_publication_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
				      struct model_publisher *model);
/*
 * Indexes the publication by its source timestamp, or a request or response by its key; false if it has a key already
 * or is forgotten. take_links.h, which calls these, links the takes that wait for the key.
 */
bool linked_publication_set_stamp(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp);
bool linked_publication_set_key(struct flow_linker *linker, struct linked_publication *publication, uint64_t key);
/* Of this content, whatever publication that has. It is kept with the publication. */
struct linked_delivery *linked_publication_add_delivery(struct flow_linker *linker,
							struct linked_publication *publication,
							const struct flow_delivery *content);
/* Whose delivery it is, if that was not known when it was added; NULL: it still is not. */
void linked_publication_set_subscription(const struct linked_publication *publication, struct linked_delivery *delivery,
					 struct model_subscription *subscription);
/* Of all deliveries, to be used again: there may be hundreds. Nobody has a pointer to one. */
void linked_publication_give_deliveries(struct flow_linker *linker, struct linked_publication *publication);
/* The delivery to the subscription; NULL: none, or not kept (flow_channels_have_received()). O(deliveries). */
struct linked_delivery *linked_publication_delivery_to(const struct linked_publication *publication,
						       const struct model_subscription *subscription);
/* The publication has a delivery to the subscription, kept or not. */
static inline void linked_publication_reach(const struct linked_publication *publication,
					    const struct model_subscription *subscription)
{
	uint64_t *newest = &flow_subscription(subscription)->newest_id;

	*newest = MAX(*newest, publication->public.id);
}

/* Not if the subscription has none of this publication and of later ones: messages come in order. */
static inline bool linked_publication_may_have_reached(const struct linked_publication *publication,
						       const struct model_subscription *subscription)
{
	return subscription && publication->public.id <= flow_subscription(subscription)->newest_id;
}

/* Appends it to one of the two lists of its publisher (endpoints.h). */
static inline void linked_publication_append(struct linked_publication **first, struct linked_publication **last,
					     struct linked_publication *publication)
{
	if (*first) {
		(*last)->next_of_publisher = publication;
	} else {
		*first = publication;
	}
	*last = publication;
}

/* Whether the channel at the place has received it between processes, as far as bits tell. */
static inline bool linked_publication_has_bit(const struct linked_publication *publication, guint place)
{
	return place < FLOW_RECEIVED_BITS && publication->received_by >> place & 1;
}

/* The first place from this one on of whose channel the bits do not tell that. */
static inline guint linked_publication_next_without_bit(const struct linked_publication *publication, guint place)
{
	uint64_t others = place < FLOW_RECEIVED_BITS ? ~publication->received_by >> place : 0;

	return others ? place + (guint)__builtin_ctzll(others) : MAX(place, FLOW_RECEIVED_BITS);
}

/* No take finds the publication any more. O(publications with the same key). */
void linked_publication_forget_key(struct flow_linker *linker, struct linked_publication *publication);

#endif
