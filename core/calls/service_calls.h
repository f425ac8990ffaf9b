/* SPDX-License-Identifier: MIT */
/*
 * Calls of services, one by one: rmw_send_request → rmw_take_request → rmw_send_response → rmw_take_response, by
 * (gid of the client, sequence number), which rmw makes unique (rmw_request_id_t). Recorded since tracetools 8.5.
 *
 *  - The steps of a call may be recorded in any order, since clocks of hosts differ, and any of them may be missing.
 *  - A request that several servers take is a call for each of them. The client takes the response whose
 *    rmw_send_response has the time in rmw_take_response.source_timestamp, else the first one left; none, if events of
 *    the client's process may be missing since then, and another client that got its address, and counts from 1 again,
 *    has had time for as many requests.
 *  - A second event of the same step belongs to another call, and ends the older one. At the same time it is a copy.
 *  - A client whose rmw_client_init was not recorded has no gid: its calls have no server.
 *  - Empty takes (`taken` = 0) are ignored: each client sees the responses to all clients.
 *
 * A call ends with its last step, or with the recording. It is given up when CALLS_OPEN_MAX later ones of its client
 * are open, or CALLS_OLD_MAX if it is as old as a message that is (FLOW_AGE_NS).
 *
 * A server takes the requests of a client in order. So a request is skipped (is_skipped) if the same server took an
 * earlier one and takes a later one, unless it takes the request after that: a thread may be preempted between the take
 * and its event. A skipped request is lost if the event of its take cannot be missing from the recording
 * (core/model/coverage.h), nor would come after its end; otherwise it is not known what became of it.
 *
 * Cost: a few hashes of one word for each event. Memory: clients, servers, and the pairs of them that met, in the arena
 * of the recording; open calls, at most twice CALLS_OPEN_MAX of each client.
 */
#ifndef ROS2BT_SERVICE_CALLS_H
#define ROS2BT_SERVICE_CALLS_H

#include <glib.h>

#include "core/base/time_range.h"
#include "core/calls/service_peers.h"
#include "ros2bt/flow/pipeline.h"

#define CALLS_OPEN_MAX 8192 /* a call that takes a minute, of a client that calls a hundred times a second */
#define CALLS_OLD_MAX 1024
/* How long after a take another thread may record an earlier one: FLOW_OUT_OF_ORDER_NS of messages. */
#define CALLS_OUT_OF_ORDER_NS (100 * NS_PER_MS)

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
	struct service_pair *pair; /* with the server that took it; else the one expected to, by earlier requests */
	int64_t sequence_number;
	int64_t time_ns[CALL_STEPS];
	int64_t first_ns;      /* of these, as recorded */
	uint32_t known;	       /* bit i: step i was recorded */
	bool is_taken;	       /* a known server took or answered it */
	bool is_passed;	       /* a server took a later request of the client */
	bool is_skipped;       /* see above */
	int64_t skipped_ns[2]; /* the server took it between these times, if at all */
	bool is_counted;       /* its first event lies within the range */
	int64_t answer_stamp;  /* rmw_send_response.timestamp */
	void *owner;	       /* for the listener */
	struct service_call *next_with_key;
	GList link; /* of the client's queue */
};

/* The pair for which a call counts: if not taken, that of the server that took the client's request before, else the
 * first one later. */
struct service_pair *service_call_pair(const struct service_call *call);

static inline bool call_has(const struct service_call *call, enum call_step step)
{
	return call->known >> step & 1;
}

/* Whether a skipped request certainly never was taken: see above. O(silences of the server since then). */
bool service_call_is_lost(const struct service_calls *calls, const struct service_call *call);

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
	/* The call is final, and is freed afterwards. */
	void (*ended)(void *data, struct service_call *call);
};

/* The kinds of events to feed, ended by EVENT_KIND_COUNT. */
extern const enum event_kind service_call_kinds[];

/* In the recording's arena. The pipeline and the range are borrowed, the listener during the call only. */
struct service_calls *service_calls_create(const struct pipeline *pipeline, const struct time_range *range,
					   const struct service_calls_listener *listener);

void service_calls_feed(struct service_calls *calls, const struct event_record *record);
/* Ends all open calls, client by client. */
void service_calls_finish(struct service_calls *calls);

/* Visits each open call, client by client. */
void service_calls_foreach(const struct service_calls *calls,
			   void (*visit)(void *data, const struct service_call *call), void *data);

/* The clients and servers so far. */
struct service_peers *service_calls_peers(struct service_calls *calls);

/* Whether requests, takes or responses were recorded. */
bool service_calls_has_events(const struct service_calls *calls);

/* Adds events that must be missing, by the others; `executions`: how often callbacks of services were executed. */
void service_calls_diagnose(const struct service_calls *calls, uint64_t executions, struct diagnostics *findings);

#endif
