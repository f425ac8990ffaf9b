/* SPDX-License-Identifier: MIT */
/*
 * Calls of services, one by one: rmw_send_request → rmw_take_request → rmw_send_response → rmw_take_response, by
 * (gid of the client, sequence number), which rmw makes unique (rmw_request_id_t). Recorded since tracetools 8.5.
 *
 *  - The steps of a call may come in any order, since clocks of hosts differ, and any of them may be missing.
 *  - A request that several servers take is a call for each of them. The response that the client takes is the one
 * whose rmw_send_response has the time that rmw_take_response.source_timestamp names, else the first that is left.
 *  - A second event of the same step is that of another call: the older one ends. At the same time it is a copy.
 *  - A client whose rmw_client_init was not recorded has no gid: its calls have no server.
 *  - Empty takes (`taken` = 0) are none: each client sees the responses to all.
 *
 * A call ends with its last step, when CALLS_OPEN_MAX later ones of its client are open, or with the recording.
 *
 * Servers take the requests of a client in their order. So a request is lost if the same server took an earlier one and
 * takes a later one (LOST); unless it takes it after that, because a thread was preempted between take and event.
 *
 * Cost: a few hashes of one word for each event. Memory: clients, servers, and their pairs that met, in the arena of
 * the recording; open calls, at most CALLS_OPEN_MAX of each client twice.
 */
#ifndef ROS2BT_SERVICE_CALLS_H
#define ROS2BT_SERVICE_CALLS_H

#include <glib.h>

#include "core/analyses/services/service_peers.h"

#define CALLS_OPEN_MAX 1024

struct service_calls;

enum call_step {
	CALL_SENT,
	CALL_TAKEN,
	CALL_ANSWERED,
	CALL_RECEIVED,
	CALL_STEPS,
};

struct service_call {
	struct service_client *client;
	struct service_pair *pair; /* who took it; else the one whose server is to take it, by what it took before */
	int64_t sequence_number;
	int64_t time_ns[CALL_STEPS];
	uint32_t known;	      /* bit i: step i was recorded */
	bool is_taken;	      /* a server is known, who took or answered it */
	bool is_passed;	      /* a server took a later one of the client */
	bool is_lost;	      /* see above */
	bool is_counted;      /* its first event lies within the options' range */
	int64_t answer_stamp; /* rmw_send_response.timestamp */
	void *owner;	      /* the listener's */
	struct service_call *next_with_key;
	GList link; /* of the client's queue */
};

/* The pair a call counts for: an untaken one for the server that took one of the client before, else the first later.
 */
struct service_pair *service_call_pair(const struct service_call *call);

static inline bool call_has(const struct service_call *call, enum call_step step)
{
	return call->known >> step & 1;
}

/* Sent, and the client has taken no response so far. */
static inline bool service_call_is_unanswered(const struct service_call *call)
{
	return call_has(call, CALL_SENT) && !call_has(call, CALL_RECEIVED);
}

/* All members are required. */
struct service_calls_listener {
	void *data;
	/* A step was added; the record is its event. */
	void (*step)(void *data, struct service_call *call, enum call_step step, const struct event_record *record);
	/* Nothing more becomes of it; it is gone afterwards. */
	void (*ended)(void *data, struct service_call *call);
};

/* What is to be fed, ended by EVENT_KIND_COUNT. */
extern const enum event_kind service_call_kinds[];

/* Context and listener are borrowed during the call only; what the context points to must outlive the calls. */
struct service_calls *service_calls_create(const struct analysis_context *context,
					   const struct service_calls_listener *listener);
void service_calls_destroy(struct service_calls *calls);

void service_calls_feed(struct service_calls *calls, const struct event_record *record);
/* Ends all that is open, client by client. */
void service_calls_finish(struct service_calls *calls);

/* Calls back for each open call, client by client. */
void service_calls_foreach(const struct service_calls *calls,
			   void (*visit)(void *data, const struct service_call *call), void *data);

/* Who calls whom so far. */
struct service_peers *service_calls_peers(struct service_calls *calls);

/* Whether requests, takes or responses were recorded. */
bool service_calls_has_events(const struct service_calls *calls);

/* Which events are missing that would explain others; `executions` of callbacks of services. */
void service_calls_diagnose(const struct service_calls *calls, uint64_t executions, struct diagnostics *findings);

#endif
