/* SPDX-License-Identifier: MIT */
#include "executor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "objects.h"
#include "tracing.h"
#include "truth.h"

#define ADDRESS(role, local) ((const void *)(uintptr_t)address_of(ROLE_##role, local))
#define WINDOW 4 /* messages of a chain on their way when it runs as fast as possible */
#define LONGEST_WAIT_NS INT64_C(1000000000)
#define DRAIN_NS INT64_C(60000000000)	   /* for what never arrives, which is a fault of this program */
#define DRAIN_KILLED_NS INT64_C(500000000) /* the same, where a process was killed */
#define MESSAGES_OF_THREAD 4		   /* addresses of messages are used again and again */

enum work_kind {
	WORK_TIMER,
	WORK_SUBSCRIPTION,
	WORK_SERVICE,
	WORK_CLIENT,
};

struct work {
	enum work_kind kind;
	uint32_t index; /* in the plan */
	uint32_t node;
	struct message message;
};

struct source {
	enum work_kind kind;
	uint32_t index, node;
};

static struct {
	struct transport *transport;
	const struct plan *plan;
	const struct tracepoints *tracepoints;
	uint32_t process;
	/* guarded by the process's mailbox */
	struct source *sources; /* everything of this process that can have work */
	uint32_t source_count, next_source;
	bool *is_busy;		   /* by node */
	int64_t *next_due_ns;	   /* by timer */
	_Atomic uint64_t *numbers; /* of publications, by publisher; of requests by client behind them */
	int64_t stop_ns;	   /* when the end was noticed */
} executor;

static _Thread_local uint32_t thread_number, message_number, random_state;

static bool happens(uint32_t percent)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint64_t)random_state * 100 >> 32 < percent;
}

static const void *message_address(void)
{
	return ADDRESS(MESSAGE, 1 + thread_number * MESSAGES_OF_THREAD + message_number++ % MESSAGES_OF_THREAD);
}

static bool is_stopping(void)
{
	return atomic_load(&executor.transport->state->is_stopping);
}

/* Messages on their way */

static void message_sent(uint32_t chain)
{
	atomic_fetch_add(&executor.transport->state->in_flight, 1);
	atomic_fetch_add(&executor.transport->chain_in_flight[chain], 1);
}

static void message_gone(uint32_t chain)
{
	const struct plan *plan = executor.plan;
	int32_t before = atomic_fetch_sub(&executor.transport->chain_in_flight[chain], 1);

	atomic_fetch_sub(&executor.transport->state->in_flight, 1);
	if (plan->options->rate <= 0 && before == WINDOW) {
		transport_wake(executor.transport, plan->nodes[plan->timers[chain].node].process);
	}
}

/* One that a full queue has lost for it, or that nobody is there for, is gone. */
static void send(struct queue *queue, const struct message *message,
		 void (*on_push)(void *, const struct push_result *), const struct subscription_plan *subscription)
{
	struct push_result result;
	struct message lost;

	message_sent(message->chain);
	result = transport_push(executor.transport, queue, message, &lost, on_push, (void *)subscription);
	if (result.is_refused) {
		message_gone(message->chain);
	} else if (result.is_overwritten) {
		message_gone(lost.chain);
	}
}

static void record_enqueue(void *data, const struct push_result *result)
{
	const struct subscription_plan *subscription = data;

	RECORD(rclcpp_ring_buffer_enqueue, .buffer = ADDRESS(RING_BUFFER, subscription->local), .index = result->index,
	       .size = result->size + 1, .overwritten = result->is_overwritten);
}

static void deliver(uint32_t subscription_index, const struct message *message)
{
	const struct subscription_plan *subscription = &executor.plan->subscriptions[subscription_index];

	if (!subscription->is_intra && happens(executor.plan->options->loss_percent)) {
		return;
	}
	send(&executor.transport->subscriptions[subscription_index], message,
	     subscription->is_intra ? record_enqueue : NULL, subscription);
}

static void deliver_all(const struct message *message, bool is_intra)
{
	const struct publisher_plan *publisher = &executor.plan->publishers[message->publisher];

	for (uint32_t i = 0; i < publisher->subscription_count; i++) {
		uint32_t subscription = publisher->first_subscription + i;

		if (executor.plan->subscriptions[subscription].is_intra == is_intra) {
			deliver(subscription, message);
		}
	}
}

/* Publishing */

/* rmw's part; the stamp is taken before the event from Jazzy on, and after it in older releases. */
static int64_t record_write(const struct publisher_plan *publisher, const void *address)
{
	bool has_timestamp = executor.tracepoints->release >= RELEASE_EARLY_JAZZY;
	const void *handle = ADDRESS(RMW_PUBLISHER, publisher->local);
	int64_t timestamp = has_timestamp ? realtime_ns() : 0;

	RECORD(rmw_publish, .publisher_handle = handle, .rmw_publisher_handle = handle, .message = address,
	       .timestamp = timestamp);
	RECORD(dds_write, .rmw_publisher_handle = handle, .message = address, .timestamp = timestamp);
	return has_timestamp ? timestamp : realtime_ns();
}

/*
 * Until the callback has ended, since the message is on its way before. It is recorded if all is that the execution has
 * recorded so far, since it was in this phase.
 */
static void hold_phase(struct message *message, unsigned int phase)
{
	tracing_hold_phase();
	message->phase = tracing_phase();
	if (phase == 0 || phase != message->phase) {
		message->is_recorded = false;
	}
}

static void publish_to_processes(const struct publisher_plan *publisher, struct message *message, const void *address,
				 unsigned int phase)
{
	bool is_fastdds = executor.plan->options->is_fastdds;

	RECORD(rclcpp_publish, .publisher_handle = ADDRESS(PUBLISHER, publisher->local), .message = address);
	message->published.to_ns = monotonic_ns();
	RECORD(rcl_publish, .publisher_handle = ADDRESS(PUBLISHER, publisher->local), .message = address);
	if (!tracing_has(EVENT_RCLCPP_PUBLISH)) {
		message->published.to_ns = monotonic_ns();
	}
	/* the message is on its way before its stamp is bound: whether both are recorded must be certain here */
	hold_phase(message, phase);
	message->source_timestamp = record_write(publisher, address);
	/* or the first event that is recorded is one of these */
	if (phase != message->phase) {
		message->published.to_ns = monotonic_ns();
	}
	truth_publication(message, false);
	deliver_all(message, false);
	RECORD(dds_bind_addr_to_stamp, .addr = is_fastdds ? NULL : address,
	       .source_stamp = (uint64_t)message->source_timestamp);
}

static void publish_in_process(const struct publisher_plan *publisher, struct message *message, const void *address,
			       unsigned int phase)
{
	RECORD(rclcpp_intra_publish, .publisher_handle = ADDRESS(PUBLISHER, publisher->local), .message = address);
	message->published.to_ns = monotonic_ns();
	message->source_timestamp = 0;
	hold_phase(message, phase);
	truth_publication(message, true);
	deliver_all(message, true);
}

/* `phase`: when the execution began. */
static void publish(uint32_t publisher_index, const struct message *basis, unsigned int phase)
{
	const struct publisher_plan *publisher = &executor.plan->publishers[publisher_index];
	const void *address = message_address();
	struct message message = *basis;

	message.publisher = publisher_index;
	message.publisher_vpid = getpid();
	message.number = atomic_fetch_add(&executor.numbers[publisher_index], 1) + 1;
	message.trail[message.trail_length++] = (uint16_t)publisher_index;
	atomic_fetch_add(&executor.transport->state->publications, 1);
	message.published.from_ns = monotonic_ns();
	if (publisher->has_intra) {
		publish_in_process(publisher, &message, address, phase);
	}
	if (publisher->has_inter) {
		publish_to_processes(publisher, &message, address, phase);
	}
}

static void send_request(uint32_t client_index, const struct message *basis, unsigned int phase)
{
	const struct client_plan *client = &executor.plan->clients[client_index];
	struct message request = *basis;

	hold_phase(&request, phase);
	request.client = client_index;
	request.number = atomic_fetch_add(&executor.numbers[executor.plan->publisher_count + client_index], 1) + 1;
	RECORD(rmw_send_request, .rmw_client_handle = ADDRESS(RMW_CLIENT, client->local), .request = message_address(),
	       .sequence_number = (int64_t)request.number);
	send(&executor.transport->services[client->service], &request, NULL, NULL);
}

/* Callbacks */

static void work_for(uint32_t duration_us)
{
	int64_t end_ns = monotonic_ns() + duration_us * INT64_C(1000);

	while (duration_us > 0 && monotonic_ns() < end_ns) {}
}

static void callback_begin(struct callback_truth *truth)
{
	truth->start.from_ns = monotonic_ns();
	truth->start_phase = tracing_phase();
	RECORD(callback_start, .callback = (const void *)(uintptr_t)truth->callback,
	       .is_intra_process = truth->is_intra_process);
	truth->start.to_ns = monotonic_ns();
	/* the state can change between the reading and the event: then neither is certain */
	if (truth->start_phase != tracing_phase()) {
		truth->start_phase = 0;
	}
	work_for(executor.plan->options->work_us);
}

static void callback_finish(struct callback_truth *truth)
{
	truth->end.from_ns = monotonic_ns();
	truth->end_phase = tracing_phase();
	RECORD(callback_end, .callback = (const void *)(uintptr_t)truth->callback);
	truth->end.to_ns = monotonic_ns();
	if (truth->end_phase != tracing_phase()) {
		truth->end_phase = 0;
	}
	tracing_release_phase();
	truth_callback(truth);
}

static void run_timer(const struct work *work)
{
	const struct timer_plan *timer = &executor.plan->timers[work->index];
	char source[24];
	struct callback_truth truth = {
		.kind = "timer",
		.source = source,
		.node = timer->node,
		.callback = address_of(ROLE_TIMER_CALLBACK, timer->local),
	};
	struct message message = { .chain = timer->chain };

	snprintf(source, sizeof(source), "%" PRId64, timer->period_ns);
	RECORD(rclcpp_executor_execute, .handle = ADDRESS(TIMER, timer->local));
	callback_begin(&truth);
	message.origin = truth.start;
	message.is_recorded = true;
	if (timer->publisher != NONE) {
		publish(timer->publisher, &message, truth.start_phase);
	}
	if (timer->client != NONE) {
		send_request(timer->client, &message, truth.start_phase);
	}
	callback_finish(&truth);
	message_gone(timer->chain);
}

static void record_take(const struct subscription_plan *subscription, const struct message *message,
			struct bracket *take)
{
	const void *address = message_address();

	take->from_ns = monotonic_ns();
	RECORD(rmw_take, .rmw_subscription_handle = ADDRESS(RMW_SUBSCRIPTION, subscription->local), .message = address,
	       .source_timestamp = message ? message->source_timestamp : 0, .taken = message != NULL);
	take->to_ns = monotonic_ns();
	RECORD(rcl_take, .message = address);
	RECORD(rclcpp_take, .message = address);
	if (message) {
		RECORD(dispatch_subscription_callback, .message = address,
		       .callback = ADDRESS(SUBSCRIPTION_CALLBACK, subscription->local),
		       .source_stamp = (uint64_t)message->source_timestamp);
	}
	if (!tracing_has(EVENT_RMW_TAKE)) {
		take->to_ns = monotonic_ns();
	}
}

static void take_inter_process(const struct subscription_plan *subscription, const struct message *message,
			       struct bracket *take)
{
	if (executor.plan->options->is_fastdds) {
		RECORD(on_data_available, .source_stamp = (uint64_t)message->source_timestamp);
	}
	if (happens(executor.plan->options->empty_take_percent)) {
		RECORD(rclcpp_executor_execute, .handle = ADDRESS(SUBSCRIPTION, subscription->local));
		record_take(subscription, NULL, take);
		RECORD(rclcpp_executor_get_next_ready);
	}
	RECORD(rclcpp_executor_execute, .handle = ADDRESS(SUBSCRIPTION, subscription->local));
	record_take(subscription, message, take);
}

static void take_intra_process(const struct subscription_plan *subscription, struct bracket *take)
{
	const void *address = message_address();

	/* the dequeue was recorded with the mailbox locked, as rclcpp's ring buffer does */
	take->from_ns = take->to_ns = 0;
	RECORD(message_construct, .original_message = address, .constructed_message = message_address());
	RECORD(dispatch_intra_process_subscription_callback, .message = address,
	       .callback = ADDRESS(INTRA_CALLBACK, subscription->local));
}

static void run_subscription(const struct work *work)
{
	const struct subscription_plan *subscription = &executor.plan->subscriptions[work->index];
	struct message received = work->message, *message = &received;
	struct callback_truth truth = {
		.kind = "subscription",
		.source = executor.plan->publishers[message->publisher].topic,
		.node = subscription->node,
		.callback = address_of(subscription->is_intra ? ROLE_INTRA_CALLBACK : ROLE_SUBSCRIPTION_CALLBACK,
				       subscription->local),
		.is_intra_process = subscription->is_intra,
	};
	struct bracket take;
	unsigned int phase = tracing_phase();
	bool is_recorded;

	if (subscription->is_intra) {
		/* what has no stamp may be any of those that nobody recorded in between */
		message->is_recorded &= message->phase == phase;
		take_intra_process(subscription, &take);
	} else {
		take_inter_process(subscription, message, &take);
	}
	callback_begin(&truth);
	if (subscription->next != NONE) {
		publish(subscription->next, message, phase);
	}
	callback_finish(&truth);
	is_recorded = message->is_recorded && phase > 0 && phase == tracing_phase();
	truth_reception(message, work->index, &take, &truth.start, is_recorded);
	if (subscription->next == NONE) {
		if (message->trail_length == executor.plan->options->hops) {
			atomic_fetch_add(&executor.transport->chain_completed[message->chain], is_recorded);
		}
		truth_path(message, subscription->node, &truth.end, is_recorded);
	}
	message_gone(message->chain);
}

static void run_service(const struct work *work)
{
	const struct plan *plan = executor.plan;
	const struct service_plan *service = &plan->services[work->index];
	const void *handle = ADDRESS(RMW_SERVICE, service->local);
	unsigned int phase = tracing_phase();
	struct message response = work->message;
	struct callback_truth truth = {
		.kind = "service",
		.source = service->name,
		.node = service->node,
		.callback = address_of(ROLE_SERVICE_CALLBACK, service->local),
	};

	RECORD(rmw_take_request, .rmw_service_handle = handle, .request = message_address(),
	       .client_gid = client_gid(response.client), .sequence_number = (int64_t)response.number, .taken = 1);
	callback_begin(&truth);
	callback_finish(&truth);
	if (tracing_has(EVENT_RMW_TAKE_REQUEST)) {
		truth_request_path(&work->message, &truth.end,
				   work->message.is_recorded && phase > 0 && phase == tracing_phase());
	}
	response.source_timestamp = realtime_ns();
	RECORD(rmw_send_response, .rmw_service_handle = handle, .response = message_address(),
	       .client_gid = client_gid(response.client), .sequence_number = (int64_t)response.number,
	       .timestamp = response.source_timestamp);
	send(&executor.transport->clients[response.client], &response, NULL, NULL);
	message_gone(work->message.chain);
}

static void run_client(const struct work *work)
{
	const struct client_plan *client = &executor.plan->clients[work->index];

	RECORD(rmw_take_response, .rmw_client_handle = ADDRESS(RMW_CLIENT, client->local),
	       .response = message_address(), .sequence_number = (int64_t)work->message.number,
	       .source_timestamp = work->message.source_timestamp, .taken = 1);
	message_gone(work->message.chain);
}

static void run(const struct work *work)
{
	static void (*const functions[])(const struct work *) = {
		[WORK_TIMER] = run_timer,
		[WORK_SUBSCRIPTION] = run_subscription,
		[WORK_SERVICE] = run_service,
		[WORK_CLIENT] = run_client,
	};

	functions[work->kind](work);
}

/* Waiting for work; all of it with the mailbox locked */

static bool timer_is_due(uint32_t index, int64_t now_ns)
{
	const struct timer_plan *timer = &executor.plan->timers[index];

	if (is_stopping()) {
		return false;
	}
	if (executor.plan->options->rate <= 0) {
		return atomic_load(&executor.transport->chain_in_flight[timer->chain]) < WINDOW;
	}
	return executor.next_due_ns[index] <= now_ns;
}

static bool take_timer(struct work *work, int64_t now_ns)
{
	int64_t *due_ns = &executor.next_due_ns[work->index];
	int64_t period_ns = executor.plan->timers[work->index].period_ns;

	if (!timer_is_due(work->index, now_ns)) {
		return false;
	}
	*due_ns += period_ns;
	if (*due_ns < now_ns) {
		*due_ns = now_ns + period_ns;
	}
	message_sent(executor.plan->timers[work->index].chain);
	return true;
}

static bool take_message(struct work *work)
{
	struct transport *transport = executor.transport;
	struct queue *queues[] = {
		[WORK_SUBSCRIPTION] = transport->subscriptions,
		[WORK_SERVICE] = transport->services,
		[WORK_CLIENT] = transport->clients,
	};
	struct queue *queue = &queues[work->kind][work->index];
	uint32_t index;

	if (!transport_pop(queue, &work->message, &index)) {
		return false;
	}
	if (work->kind == WORK_SUBSCRIPTION && executor.plan->subscriptions[work->index].is_intra) {
		RECORD(rclcpp_ring_buffer_dequeue,
		       .buffer = ADDRESS(RING_BUFFER, executor.plan->subscriptions[work->index].local), .index = index,
		       .size = queue->count);
	}
	return true;
}

/* Takes turns, so that no source starves. */
static bool find_work(struct work *work)
{
	int64_t now_ns = monotonic_ns();

	for (uint32_t i = 0; i < executor.source_count; i++) {
		const struct source *source = &executor.sources[executor.next_source];

		executor.next_source = (executor.next_source + 1) % executor.source_count;
		if (executor.is_busy[source->node]) {
			continue;
		}
		work->kind = source->kind;
		work->index = source->index;
		work->node = source->node;
		if (source->kind == WORK_TIMER ? take_timer(work, now_ns) : take_message(work)) {
			executor.is_busy[source->node] = !executor.plan->nodes[source->node].is_reentrant;
			return true;
		}
	}
	return false;
}

static int64_t wait_deadline(void)
{
	int64_t deadline_ns = monotonic_ns() + LONGEST_WAIT_NS;

	for (uint32_t i = 0; i < executor.source_count && executor.plan->options->rate > 0; i++) {
		const struct source *source = &executor.sources[i];

		if (source->kind == WORK_TIMER && executor.next_due_ns[source->index] < deadline_ns) {
			deadline_ns = executor.next_due_ns[source->index];
		}
	}
	return deadline_ns;
}

static bool is_over(void)
{
	int64_t now_ns = monotonic_ns();

	if (!is_stopping()) {
		return false;
	}
	if (executor.stop_ns == 0) {
		executor.stop_ns = now_ns;
	}
	return atomic_load(&executor.transport->state->in_flight) <= 0 ||
	       now_ns - executor.stop_ns > (executor.transport->state->has_killed ? DRAIN_KILLED_NS : DRAIN_NS);
}

static void record_polls(void)
{
	for (uint32_t i = 0; i < executor.plan->options->polls; i++) {
		RECORD(rclcpp_executor_wait_for_work, .timeout = -1);
		RECORD(rclcpp_executor_get_next_ready);
		RECORD(rclcpp_executor_get_next_ready);
	}
	RECORD(rclcpp_executor_wait_for_work, .timeout = -1);
}

/* False at the end of the run. */
static bool wait_for_work(struct work *work)
{
	bool has_work;

	transport_lock(executor.transport, executor.process);
	RECORD(rclcpp_executor_get_next_ready);
	while (!(has_work = find_work(work)) && !is_over()) {
		record_polls();
		transport_wait(executor.transport, executor.process, wait_deadline());
		RECORD(rclcpp_executor_get_next_ready);
	}
	transport_unlock(executor.transport, executor.process);
	return has_work;
}

static void free_node(uint32_t node)
{
	transport_lock(executor.transport, executor.process);
	executor.is_busy[node] = false;
	transport_unlock(executor.transport, executor.process);
	/* what was held back by the callback group may wait for a thread */
	if (executor.plan->options->threads > 1) {
		transport_wake(executor.transport, executor.process);
	}
}

static void count_events(void)
{
	uint64_t limit = executor.plan->options->events;
	uint32_t count = tracing_count();

	if (atomic_fetch_add(&executor.transport->state->events, count) + count >= limit && limit > 0) {
		atomic_store(&executor.transport->state->is_stopping, true);
	}
}

static void *thread_main(void *data)
{
	struct work work;

	thread_number = (uint32_t)(uintptr_t)data;
	random_state = executor.plan->options->seed * 7919 + executor.process * 101 + thread_number;
	while (wait_for_work(&work)) {
		run(&work);
		free_node(work.node);
		count_events();
	}
	count_events();
	return NULL;
}

static void add_source(enum work_kind kind, uint32_t index, uint32_t node)
{
	if (executor.plan->nodes[node].process == executor.process) {
		executor.sources[executor.source_count++] = (struct source){ kind, index, node };
	}
}

static void add_sources(const struct plan *plan)
{
	executor.sources =
		calloc(plan->timer_count + plan->subscription_count + plan->service_count + plan->client_count,
		       sizeof(*executor.sources));
	for (uint32_t i = 0; i < plan->timer_count; i++) {
		add_source(WORK_TIMER, i, plan->timers[i].node);
	}
	for (uint32_t i = 0; i < plan->subscription_count; i++) {
		add_source(WORK_SUBSCRIPTION, i, plan->subscriptions[i].node);
	}
	for (uint32_t i = 0; i < plan->service_count; i++) {
		add_source(WORK_SERVICE, i, plan->services[i].node);
	}
	for (uint32_t i = 0; i < plan->client_count; i++) {
		add_source(WORK_CLIENT, i, plan->clients[i].node);
	}
}

void executor_run(struct transport *transport, const struct tracepoints *tracepoints, uint32_t process)
{
	const struct plan *plan = transport->plan;
	pthread_t *threads = calloc(plan->options->threads, sizeof(*threads));
	int64_t now_ns = monotonic_ns();

	executor.transport = transport;
	executor.plan = plan;
	executor.tracepoints = tracepoints;
	executor.process = process;
	executor.is_busy = calloc(plan->node_count, sizeof(*executor.is_busy));
	executor.next_due_ns = calloc(plan->timer_count, sizeof(*executor.next_due_ns));
	executor.numbers = calloc(plan->publisher_count + plan->client_count, sizeof(*executor.numbers));
	for (uint32_t i = 0; i < plan->timer_count; i++) {
		executor.next_due_ns[i] = now_ns + plan->timers[i].period_ns;
	}
	add_sources(plan);
	for (uint32_t i = 1; i < plan->options->threads; i++) {
		pthread_create(&threads[i], NULL, thread_main, (void *)(uintptr_t)i);
	}
	thread_main(NULL);
	for (uint32_t i = 1; i < plan->options->threads; i++) {
		pthread_join(threads[i], NULL);
	}
	free(threads);
}
