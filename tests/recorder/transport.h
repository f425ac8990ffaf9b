/* SPDX-License-Identifier: MIT */
/*
 * The transport of messages between the processes, in the place of DDS: a mailbox in shared memory for each
 * process, with a queue for each subscription (keep-last: a full queue loses its oldest message), service
 * and client. A message is in the queue only after transport_send() was called, so nobody can take it earlier.
 */
#ifndef RECORDER_TRANSPORT_H
#define RECORDER_TRANSPORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan.h"

/* When something happened, in ns of CLOCK_MONOTONIC: between two readings of the clock. */
struct bracket {
	int64_t from_ns, to_ns;
};

struct message {
	uint64_t number; /* of the publication on its topic, from 1 */
	int64_t source_timestamp;
	struct bracket published; /* the first publish event */
	struct bracket origin;	  /* start of the timer callback at the head of the chain */
	int32_t publisher_vpid;
	uint32_t publisher;
	uint32_t client; /* of a request or response */
	uint32_t chain;
	uint16_t trail_length;
	uint16_t trail[HOPS_MAX]; /* publishers passed */
	unsigned int phase;	  /* of the process that sent it */
	bool is_recorded;	  /* everything on its way so far was recorded */
};

struct queue {
	uint32_t process;
	uint32_t depth, head, count;
	uint64_t pushed;
	struct message *messages;
};

struct mailbox {
	pthread_mutex_t mutex; /* robust: the process may be killed while it has it */
	pthread_cond_t has_work;
	_Atomic bool is_open; /* else nothing reaches the process: it is not there yet, or no more */
};

struct transport {
	const struct plan *plan;
	struct mailbox *mailboxes;			  /* by process */
	struct queue *subscriptions, *services, *clients; /* by index in the plan */
	struct {
		_Atomic uint64_t events;
		_Atomic uint32_t publications;
		_Atomic int64_t in_flight;   /* messages sent and not yet lost or served */
		_Atomic uint32_t ready;	     /* processes with all their objects */
		_Atomic uint32_t caret_done; /* processes under CARET that have gone through their states */
		_Atomic bool is_running;
		_Atomic bool has_killed; /* what is on its way to the process stays there */
		_Atomic bool is_stopping;
	} * state;
	_Atomic int32_t *chain_in_flight;  /* by chain */
	_Atomic uint32_t *chain_completed; /* by chain: messages recorded from its head to its end */
};

/* Call before the processes fork. */
struct transport *transport_create(const struct plan *plan);

/* A process opens its mailbox when it is ready; who kills it closes it before. */
void transport_open(struct transport *transport, uint32_t process);
void transport_close(struct transport *transport, uint32_t process);

void transport_lock(struct transport *transport, uint32_t process);
void transport_unlock(struct transport *transport, uint32_t process);
/* Waits for work with the process's mailbox locked, not longer than until deadline_ns (CLOCK_MONOTONIC). */
void transport_wait(struct transport *transport, uint32_t process, int64_t deadline_ns);
void transport_wake(struct transport *transport, uint32_t process);
/* Lets every thread of every process look at the state again. */
void transport_wake_all(struct transport *transport);

struct push_result {
	bool is_refused;     /* the mailbox is closed */
	uint32_t index;	     /* slot written, as rclcpp's ring buffer counts it */
	uint32_t size;	     /* messages in the queue before */
	bool is_overwritten; /* the oldest message was lost, which is put into *lost */
};

/* Locks the mailbox itself. on_push is called with the lock held, before any reader can see the message. */
struct push_result transport_push(struct transport *transport, struct queue *queue, const struct message *message,
				  struct message *lost, void (*on_push)(void *, const struct push_result *),
				  void *data);

/* With the lock held; false if the queue is empty. */
bool transport_pop(struct queue *queue, struct message *message, uint32_t *index);

int64_t monotonic_ns(void);
int64_t realtime_ns(void);

#endif
