/* SPDX-License-Identifier: MIT */
/*
 * The clients and servers of services, as their events show them, and the pairs of them that met.
 *
 * A client is identified by its gid, which the requests that servers take hold as well; without a recorded
 * rmw_client_init by process and handle. If another client gets the gid later, events from then on belong to that one.
 * A server is identified by its definition, or by process and handle.
 *
 * Cost: a hash of one word for a look-up. Memory: clients, servers and pairs, in the arena of the recording.
 */
#ifndef ROS2BT_SERVICE_PEERS_H
#define ROS2BT_SERVICE_PEERS_H

#include <glib.h>

#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

#define SERVICE_REQUESTS_DONE 16

struct service_peers;
struct service_pair;

/* A request that was sent. */
struct service_request {
	int64_t sequence_number, send_ns;
	bool is_counted; /* as in struct service_call */
	bool is_there;	 /* false: an unused entry */
};

/* A client of a service. */
struct service_client {
	uint32_t index;
	uint32_t process;	     /* RECORDING_NONE: only its gid is known, from requests that a server took */
	const char *gid;	     /* NULL if unknown */
	struct model_client *client; /* NULL if unknown */
	struct service_pair *pairs;  /* the newest first */
	struct service_pair *last;   /* that of the last take; NULL: none */
	/* Open calls in order of their first event: those sent but not taken, and all others (service_calls.h). */
	GQueue untaken, others;
	struct service_request done[SERVICE_REQUESTS_DONE]; /* the last ones of complete calls, a ring */
	uint32_t done_next;
	int64_t sent_number, sent_ns; /* the last request; 0: none */
	int64_t shortest_ns;	      /* from one request to the next; 0: unknown */
};

struct service_server {
	uint32_t index;
	uint32_t process;
	uint64_t rmw_handle;
	int64_t last_ns;	       /* of its last event */
	struct model_service *service; /* NULL if unknown */
	struct service_pair *unknown;  /* the pair without a client; NULL: none */
};

/* A client, and a server that took one of its requests. */
struct service_pair {
	uint32_t index;		       /* dense, in order of creation */
	struct service_client *client; /* NULL: not recorded */
	struct service_server *server; /* NULL: for requests that no server took, of a client that met none */
	struct service_pair *next;     /* of the client */
	int64_t last_take_ns;	       /* of a request; 0: none yet */
};

/* In the recording's arena. */
struct service_peers *service_peers_create(struct recording *recording, struct object_model *model);

/* The client that has the gid now. */
struct service_client *service_peers_client_by_gid(struct service_peers *peers, const char *gid);
/* The client of an event in its own process. */
struct service_client *service_peers_client(struct service_peers *peers, const struct event_record *record,
					    uint64_t rmw_handle);
/* The server of an event in its own process. */
struct service_server *service_peers_server(struct service_peers *peers, const struct event_record *record,
					    uint64_t rmw_handle);

/* The pair of the two, added if there is none; `server` may be NULL. O(servers that the client has met). */
struct service_pair *service_peers_pair(struct service_peers *peers, struct service_client *client,
					struct service_server *server);
/* The pair of a service whose clients are not recorded. */
struct service_pair *service_peers_pair_without_client(struct service_peers *peers, struct model_service *service);

/* A call of the client is complete. */
void service_client_remember(struct service_client *client, int64_t sequence_number, int64_t send_ns, bool is_counted);
/* The request of one of its last complete calls; NULL: not among them. */
const struct service_request *service_client_find_done(const struct service_client *client, int64_t sequence_number);

/* The client sends a request. */
void service_client_note_request(struct service_client *client, int64_t sequence_number, int64_t time_ns);
/* Whether another one of its kind, made since since_ns, may have sent as many. */
bool service_client_may_be_another(const struct service_client *client, int64_t sequence_number, int64_t since_ns,
				   int64_t now_ns);

size_t service_peers_client_count(const struct service_peers *peers);
struct service_client *service_peers_client_at(const struct service_peers *peers, size_t index);
size_t service_peers_pair_count(const struct service_peers *peers);
const struct service_pair *service_peers_pair_at(const struct service_peers *peers, size_t index);

/* The number of events of clients without a known gid. */
uint64_t service_peers_without_gid(const struct service_peers *peers);

/* The name of the service, NULL if unknown. */
const char *service_pair_name(const struct service_pair *pair);
const char *service_pair_client_node(const struct object_model *model, const struct service_pair *pair);
const char *service_pair_server_node(const struct object_model *model, const struct service_pair *pair);

#endif
