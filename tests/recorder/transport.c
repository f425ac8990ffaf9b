/* SPDX-License-Identifier: MIT */
#include "transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static void *shared_memory(size_t size)
{
	void *memory = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("recorder: shared memory");
		exit(1);
	}
	return memory;
}

static int64_t nanoseconds(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int64_t monotonic_ns(void)
{
	return nanoseconds(CLOCK_MONOTONIC);
}

int64_t realtime_ns(void)
{
	return nanoseconds(CLOCK_REALTIME);
}

static void mailbox_init(struct mailbox *mailbox)
{
	pthread_mutexattr_t mutex_attributes;
	pthread_condattr_t attributes;

	pthread_mutexattr_init(&mutex_attributes);
	pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&mutex_attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mailbox->mutex, &mutex_attributes);
	pthread_condattr_init(&attributes);
	pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&mailbox->has_work, &attributes);
}

static void queue_init(struct queue *queue, const struct plan *plan, uint32_t node)
{
	queue->process = plan->nodes[node].process;
	queue->depth = plan->options->queue_depth;
	queue->messages = shared_memory(queue->depth * sizeof(*queue->messages));
}

struct transport *transport_create(const struct plan *plan)
{
	struct transport *transport = calloc(1, sizeof(*transport));

	transport->plan = plan;
	transport->state = shared_memory(sizeof(*transport->state));
	transport->chain_in_flight = shared_memory(plan->timer_count * sizeof(*transport->chain_in_flight));
	transport->chain_completed = shared_memory(plan->timer_count * sizeof(*transport->chain_completed));
	transport->mailboxes = shared_memory(plan->options->processes * sizeof(*transport->mailboxes));
	transport->subscriptions = shared_memory(plan->subscription_count * sizeof(*transport->subscriptions));
	transport->services = shared_memory(plan->service_count * sizeof(*transport->services));
	transport->clients = shared_memory(plan->client_count * sizeof(*transport->clients));
	for (uint32_t i = 0; i < plan->options->processes; i++) {
		mailbox_init(&transport->mailboxes[i]);
	}
	for (uint32_t i = 0; i < plan->subscription_count; i++) {
		queue_init(&transport->subscriptions[i], plan, plan->subscriptions[i].node);
	}
	for (uint32_t i = 0; i < plan->service_count; i++) {
		queue_init(&transport->services[i], plan, plan->services[i].node);
	}
	for (uint32_t i = 0; i < plan->client_count; i++) {
		queue_init(&transport->clients[i], plan, plan->clients[i].node);
	}
	return transport;
}

void transport_lock(struct transport *transport, uint32_t process)
{
	pthread_mutex_t *mutex = &transport->mailboxes[process].mutex;

	if (pthread_mutex_lock(mutex) == EOWNERDEAD) {
		pthread_mutex_consistent(mutex);
	}
}

void transport_open(struct transport *transport, uint32_t process)
{
	atomic_store(&transport->mailboxes[process].is_open, true);
}

/* With the lock held nobody is about to signal a condition whose waiters will not answer any more. */
void transport_close(struct transport *transport, uint32_t process)
{
	transport_lock(transport, process);
	atomic_store(&transport->mailboxes[process].is_open, false);
	transport_unlock(transport, process);
}

void transport_unlock(struct transport *transport, uint32_t process)
{
	pthread_mutex_unlock(&transport->mailboxes[process].mutex);
}

void transport_wait(struct transport *transport, uint32_t process, int64_t deadline_ns)
{
	struct mailbox *mailbox = &transport->mailboxes[process];
	struct timespec deadline = { deadline_ns / 1000000000, deadline_ns % 1000000000 };

	pthread_cond_timedwait(&mailbox->has_work, &mailbox->mutex, &deadline);
}

void transport_wake(struct transport *transport, uint32_t process)
{
	transport_lock(transport, process);
	if (transport->mailboxes[process].is_open) {
		pthread_cond_signal(&transport->mailboxes[process].has_work);
	}
	transport_unlock(transport, process);
}

void transport_wake_all(struct transport *transport)
{
	for (uint32_t i = 0; i < transport->plan->options->processes; i++) {
		transport_lock(transport, i);
		if (transport->mailboxes[i].is_open) {
			pthread_cond_broadcast(&transport->mailboxes[i].has_work);
		}
		transport_unlock(transport, i);
	}
}

struct push_result transport_push(struct transport *transport, struct queue *queue, const struct message *message,
				  struct message *lost, void (*on_push)(void *, const struct push_result *), void *data)
{
	struct push_result result;

	transport_lock(transport, queue->process);
	if (!transport->mailboxes[queue->process].is_open) {
		transport_unlock(transport, queue->process);
		return (struct push_result){ .is_refused = true };
	}
	result = (struct push_result){
		.index = (uint32_t)(queue->pushed % queue->depth),
		.size = queue->count,
		.is_overwritten = queue->count == queue->depth,
	};
	if (result.is_overwritten) {
		*lost = queue->messages[queue->head];
		queue->head = (queue->head + 1) % queue->depth;
		queue->count--;
	}
	queue->messages[result.index] = *message;
	queue->count++;
	queue->pushed++;
	if (on_push) {
		on_push(data, &result);
	}
	pthread_cond_signal(&transport->mailboxes[queue->process].has_work);
	transport_unlock(transport, queue->process);
	return result;
}

bool transport_pop(struct queue *queue, struct message *message, uint32_t *index)
{
	if (queue->count == 0) {
		return false;
	}
	*index = queue->head;
	*message = queue->messages[queue->head];
	queue->head = (queue->head + 1) % queue->depth;
	queue->count--;
	return true;
}
