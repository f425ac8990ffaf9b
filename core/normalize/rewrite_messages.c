/* SPDX-License-Identifier: MIT */
/* The rules for executions, publications and takes. */
#include "core/normalize/rewrite.h"

/* --- takes that are not recorded --- */

static void supply_take(struct rewrite *rewrite, enum normalized_how how, uint64_t rmw_subscription, uint64_t message,
			int64_t timestamp)
{
	struct event_record *rmw_take = rewrite_add(rewrite, how, EVENT_RMW_TAKE);
	struct event_record *rclcpp_take;

	record_set(rmw_take, RMW_TAKE__rmw_subscription_handle, rmw_subscription);
	record_set(rmw_take, RMW_TAKE__message, message);
	record_set(rmw_take, RMW_TAKE__source_timestamp, (uint64_t)timestamp);
	record_set(rmw_take, RMW_TAKE__taken, 1);
	rclcpp_take = rewrite_add(rewrite, how, EVENT_RCLCPP_TAKE);
	record_set(rclcpp_take, RCLCPP_TAKE__message, message);
}

/* The take of the message that a callback handles. */
static void supply_take_of(struct rewrite *rewrite, enum normalized_how how, uint64_t subscription, uint64_t message,
			   int64_t timestamp)
{
	uint64_t rmw_subscription = rewrite_related(rewrite, RMW_OF_SUBSCRIPTION, subscription);

	if (rmw_subscription != U64_MAP_NONE) {
		supply_take(rewrite, how, rmw_subscription, message, timestamp);
	}
}

static uint64_t subscription_of_callback(const struct rewrite *rewrite, uint64_t callback)
{
	return rewrite_related(rewrite, SUBSCRIPTION_OF_OBJECT, rewrite_related(rewrite, OBJECT_OF_CALLBACK, callback));
}

/* None of a message of /rosout whose publication is left out. */
static void supply_inferred_take(struct rewrite *rewrite, int64_t timestamp)
{
	uint64_t subscription = subscription_of_callback(rewrite, rewrite->input->word[CALLBACK_START__callback]);
	const struct normalizer *normalizer = rewrite->normalizer;

	if (!normalizer->options.drops_rosout ||
	    rewrite_related(rewrite, TOPIC_OF_SUBSCRIPTION, subscription) != pointer_word(normalizer->rosout)) {
		supply_take_of(rewrite,
			       timestamp == INFERRED_TAKE_OF_UNKNOWN ? NORMALIZED_SUPPLIED : NORMALIZED_INFERRED_TAKE,
			       subscription, 0, timestamp);
	}
}

/* --- executions --- */

/* The inter-process callback of the subscription that an intra-process callback belongs to; others: the callback. */
static uint64_t inter_process_callback(const struct rewrite *rewrite, uint64_t callback)
{
	uint64_t waitable = rewrite_related(rewrite, WAITABLE, rewrite_related(rewrite, OBJECT_OF_CALLBACK, callback));
	uint64_t subscription = rewrite_related(rewrite, SUBSCRIPTION_OF_OBJECT, waitable);
	uint64_t object = rewrite_related(rewrite, OBJECT_OF_SUBSCRIPTION, subscription);
	uint64_t inter_process = rewrite_related(rewrite, CALLBACK_OF_OBJECT, object);

	return inter_process == U64_MAP_NONE ? callback : inter_process;
}

static void pass_callback(struct rewrite *rewrite, unsigned int slot)
{
	uint64_t callback = rewrite->input->word[slot];
	uint64_t shown = rewrite_intra_as_inter(rewrite) ? inter_process_callback(rewrite, callback) : callback;

	if (shown == callback) {
		rewrite_pass(rewrite);
		return;
	}
	record_set(rewrite_pass_changed(rewrite), slot, shown);
}

/* Before tracetools 2.1 no timer link is recorded. CARET omits links of nodes that it is configured to ignore. */
static bool implies_timer_link(const struct rewrite_process *process)
{
	return process->node_count == 1 && !process->has_timer_link && !process->is_under_caret;
}

void rewrite_callback_start(struct rewrite *rewrite)
{
	struct inferred_start start = inferred_takes_next_start(rewrite->normalizer->ahead->takes);
	uint64_t timer = rewrite_related(rewrite, TIMER_OF_CALLBACK, rewrite->input->word[CALLBACK_START__callback]);

	if (timer != U64_MAP_NONE && implies_timer_link(rewrite->process)) {
		struct event_record *record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_TIMER_LINK_NODE);

		record_set(record, RCLCPP_TIMER_LINK_NODE__timer_handle, timer);
		record_set(record, RCLCPP_TIMER_LINK_NODE__node_handle, rewrite->process->node);
		rewrite_unrelate(rewrite, TIMER_OF_CALLBACK, rewrite->input->word[CALLBACK_START__callback]);
	}
	if (start.has_take) {
		supply_inferred_take(rewrite, start.timestamp);
	}
	pass_callback(rewrite, CALLBACK_START__callback);
}

void rewrite_callback_end(struct rewrite *rewrite)
{
	pass_callback(rewrite, CALLBACK_END__callback);
}

/* --- publications --- */

static bool drops_publisher(const struct rewrite *rewrite, enum rewrite_relation rosout, uint64_t publisher)
{
	return rewrite->normalizer->options.drops_rosout && rewrite_is_related(rewrite, rosout, publisher);
}

void rewrite_rclcpp_publish(struct rewrite *rewrite)
{
	rewrite->thread->has_rclcpp_publish = true;
	rewrite->thread->rclcpp_message = rewrite->input->word[RCLCPP_PUBLISH__message];
	rewrite_pass(rewrite);
}

/* rclpy, rclc and the parts of rclcpp that publish through rcl, such as action servers, record no rclcpp_publish. */
static void supply_rclcpp_publish(struct rewrite *rewrite, uint64_t publisher, uint64_t message)
{
	const struct rewrite_thread *thread = rewrite->thread;

	if (rewrite->normalizer->options.completes && !rewrite_is_related(rewrite, ROSOUT_PUBLISHER, publisher) &&
	    !(thread->has_rclcpp_publish && thread->rclcpp_message == message)) {
		record_set(rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_PUBLISH), RCLCPP_PUBLISH__message,
			   message);
	}
}

/* A serialized message is published without rcl_publish. */
static void supply_rcl_publish(struct rewrite *rewrite, uint64_t rmw_publisher, uint64_t message)
{
	const struct rewrite_thread *thread = rewrite->thread;
	uint64_t publisher = rewrite_related(rewrite, PUBLISHER_OF_RMW, rmw_publisher);
	struct event_record *record;

	if (!rewrite->normalizer->options.completes || publisher == U64_MAP_NONE ||
	    rewrite_is_related(rewrite, ROSOUT_PUBLISHER, publisher) ||
	    (thread->has_rcl_publish && thread->message == message)) {
		return;
	}
	supply_rclcpp_publish(rewrite, publisher, message);
	record = rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCL_PUBLISH);
	record_set(record, RCL_PUBLISH__publisher_handle, publisher);
	record_set(record, RCL_PUBLISH__message, message);
}

/* The write of the thread's rcl_publish, which releases before Humble do not record. */
static void supply_rmw_publish(struct rewrite *rewrite)
{
	const struct rewrite_thread *thread = rewrite->thread;
	uint64_t rmw_publisher = rewrite_related(rewrite, RMW_OF_PUBLISHER, thread->publisher);
	struct event_record *record = rewrite_add(
		rewrite, thread->write.is_taken ? NORMALIZED_INFERRED_TAKE : NORMALIZED_SUPPLIED, EVENT_RMW_PUBLISH);

	record_set(record, RMW_PUBLISH__rmw_publisher_handle, rmw_publisher == U64_MAP_NONE ? 0 : rmw_publisher);
	record_set(record, RMW_PUBLISH__message, thread->message);
	record_set(record, RMW_PUBLISH__timestamp,
		   (uint64_t)(thread->write.is_taken ? thread->write.timestamp : PUBLICATION_STAMP_UNKNOWN));
}

void rewrite_rcl_publish(struct rewrite *rewrite)
{
	struct rewrite_thread *thread = rewrite->thread;

	thread->has_rcl_publish = true;
	thread->publisher = rewrite->input->word[RCL_PUBLISH__publisher_handle];
	thread->message = rewrite->input->word[RCL_PUBLISH__message];
	thread->write = inferred_takes_next_write(rewrite->normalizer->ahead->takes);
	if (!drops_publisher(rewrite, ROSOUT_PUBLISHER, thread->publisher)) {
		supply_rclcpp_publish(rewrite, thread->publisher, thread->message);
		rewrite_pass(rewrite);
		if (thread->write.is_missing) {
			supply_rmw_publish(rewrite);
		}
	}
	thread->has_rclcpp_publish = false;
}

/* The rmw publisher of the message that the thread has just passed to rcl_publish; 0: unknown. */
static uint64_t publisher_of_write(const struct rewrite *rewrite, uint64_t message)
{
	uint64_t publisher = U64_MAP_NONE;

	if (rewrite->thread->has_rcl_publish && rewrite->thread->message == message) {
		publisher = rewrite_related(rewrite, RMW_OF_PUBLISHER, rewrite->thread->publisher);
	}
	return publisher == U64_MAP_NONE ? 0 : publisher;
}

/* The timestamp of a publication whose own events hold none. */
static enum normalized_how learned_timestamp(struct rewrite *rewrite, int64_t *timestamp)
{
	static const enum normalized_how how_stamped[] = {
		[PUBLICATION_STAMP_NONE] = NORMALIZED_UNSTAMPED,
		[PUBLICATION_STAMP_BOUND] = NORMALIZED_BOUND,
		[PUBLICATION_STAMP_INFERRED] = NORMALIZED_INFERRED,
	};
	struct publication_stamp stamp = publication_stamps_next(rewrite->normalizer->ahead->stamps);

	*timestamp = stamp.timestamp;
	return how_stamped[stamp.source];
}

/* The message that the thread publishes inter-process; a publisher that also publishes intra-process makes a copy. */
static void note_copy(struct rewrite *rewrite, int64_t timestamp)
{
	const struct rewrite_thread *thread = rewrite->thread;

	if (thread->intra.is_there && thread->intra_publisher == thread->publisher) {
		intra_copies_add(&rewrite->process->copies, timestamp,
				 rewrite_related(rewrite, TOPIC_OF_PUBLISHER, thread->publisher));
	}
}

/* Whether the thread has just passed the message to rcl_publish, and a take of it is inferred. */
static bool is_taken_write(const struct rewrite *rewrite, uint64_t message)
{
	const struct rewrite_thread *thread = rewrite->thread;

	return thread->has_rcl_publish && thread->message == message && thread->write.is_taken;
}

/* Adds a publication as rmw_publish, whichever event records it. */
static void pass_publication(struct rewrite *rewrite, uint64_t message, bool has_publisher, uint64_t publisher,
			     int64_t timestamp)
{
	enum normalized_how how = NORMALIZED_CHANGED;
	struct event_record *record;

	if (publication_stamps_has(rewrite->input)) {
		how = learned_timestamp(rewrite, &timestamp);
	}
	if (how == NORMALIZED_UNSTAMPED && is_taken_write(rewrite, message)) {
		how = NORMALIZED_INFERRED;
		timestamp = rewrite->thread->write.timestamp;
	}
	if (!has_publisher) {
		publisher = publisher_of_write(rewrite, message);
	}
	note_copy(rewrite, timestamp);
	rewrite->thread->has_rcl_publish = false;
	if (drops_publisher(rewrite, ROSOUT_RMW_PUBLISHER, publisher)) {
		return;
	}
	record = rewrite_add(rewrite, how, EVENT_RMW_PUBLISH);
	record_set(record, RMW_PUBLISH__rmw_publisher_handle, publisher);
	record_set(record, RMW_PUBLISH__message, message);
	record_set(record, RMW_PUBLISH__timestamp, (uint64_t)timestamp);
}

void rewrite_dds_write(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;

	pass_publication(rewrite, input->word[DDS_WRITE__message], record_has(input, DDS_WRITE__rmw_publisher_handle),
			 input->word[DDS_WRITE__rmw_publisher_handle], (int64_t)input->word[DDS_WRITE__timestamp]);
}

void rewrite_rmw_publish(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	uint64_t publisher = input->word[RMW_PUBLISH__rmw_publisher_handle];

	if (!record_has(input, RMW_PUBLISH__timestamp)) {
		pass_publication(rewrite, input->word[RMW_PUBLISH__message],
				 record_has(input, RMW_PUBLISH__rmw_publisher_handle), publisher, 0);
	} else if (!drops_publisher(rewrite, ROSOUT_RMW_PUBLISHER, publisher)) {
		note_copy(rewrite, (int64_t)input->word[RMW_PUBLISH__timestamp]);
		supply_rcl_publish(rewrite, publisher, input->word[RMW_PUBLISH__message]);
		rewrite->thread->has_rcl_publish = false;
		rewrite_pass(rewrite);
	}
}

/* A timestamp that no other made one equals. */
static int64_t make_timestamp(struct rewrite *rewrite)
{
	struct normalizer *normalizer = rewrite->normalizer;

	normalizer->last_made_timestamp = MAX(rewrite->input->time_ns, normalizer->last_made_timestamp + 1);
	return normalizer->last_made_timestamp;
}

/*
 * Publishing takes time: the first two steps are added at rclcpp_intra_publish, the last one at the thread's next
 * event, before any subscription can receive the message.
 */
static void begin_publication(struct rewrite *rewrite)
{
	struct rewrite_thread *thread = rewrite->thread;
	struct event_record *record = rewrite_add(rewrite, NORMALIZED_AS_INTER_PROCESS, EVENT_RCLCPP_PUBLISH);

	record_set(record, RCLCPP_PUBLISH__message, thread->intra.message);
	record = rewrite_add(rewrite, NORMALIZED_AS_INTER_PROCESS, EVENT_RCL_PUBLISH);
	record_set(record, RCL_PUBLISH__publisher_handle, thread->intra_publisher);
	record_set(record, RCL_PUBLISH__message, thread->intra.message);
	thread->is_publishing = true;
}

void rewrite_end_publication(struct rewrite *rewrite)
{
	struct rewrite_thread *thread = rewrite->thread;
	uint64_t rmw_publisher = rewrite_related(rewrite, RMW_OF_PUBLISHER, thread->intra_publisher);
	struct event_record *record = rewrite_add(rewrite, NORMALIZED_AS_INTER_PROCESS, EVENT_RMW_PUBLISH);

	record_set(record, RMW_PUBLISH__rmw_publisher_handle, rmw_publisher == U64_MAP_NONE ? 0 : rmw_publisher);
	record_set(record, RMW_PUBLISH__message, thread->intra.message);
	record_set(record, RMW_PUBLISH__timestamp, (uint64_t)thread->intra.timestamp);
	thread->is_publishing = false;
}

void rewrite_rclcpp_intra_publish(struct rewrite *rewrite)
{
	struct publication_stamp stamp = publication_stamps_next(rewrite->normalizer->ahead->stamps);

	rewrite_pass(rewrite);
	if (!rewrite_intra_as_inter(rewrite)) {
		return;
	}
	rewrite->thread->intra_publisher = rewrite->input->word[RCLCPP_INTRA_PUBLISH__publisher_handle];
	rewrite->thread->intra = (struct intra_message){
		.is_there = true,
		.message = rewrite->input->word[RCLCPP_INTRA_PUBLISH__message],
		.timestamp = stamp.has_inter_process_leg ? stamp.timestamp : make_timestamp(rewrite),
	};
	if (stamp.has_inter_process_leg) {
		/* its copy may be taken before its rmw_publish */
		intra_copies_add(&rewrite->process->copies, stamp.timestamp,
				 rewrite_related(rewrite, TOPIC_OF_PUBLISHER, rewrite->thread->intra_publisher));
	} else {
		begin_publication(rewrite);
	}
}

/* --- takes --- */

/* The message in a slot of a ring buffer; NULL: the slot is not followed. */
static struct intra_message *find_slot(struct rewrite_process *process, uint64_t buffer, uint64_t index)
{
	uint64_t slot = ring_slots_get(&process->slots, buffer, index);

	if (slot == U64_MAP_NONE) {
		slot = process->messages->len;
		if (!ring_slots_set(&process->slots, buffer, index, slot)) {
			return NULL;
		}
		g_array_set_size(process->messages, (guint)slot + 1);
	}
	return &g_array_index(process->messages, struct intra_message, slot);
}

void rewrite_rclcpp_ring_buffer_enqueue(struct rewrite *rewrite)
{
	rewrite_pass(rewrite);
	if (rewrite_intra_as_inter(rewrite)) {
		struct intra_message *slot =
			find_slot(rewrite->process, rewrite->input->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer],
				  rewrite->input->word[RCLCPP_RING_BUFFER_ENQUEUE__index]);

		if (slot) {
			*slot = rewrite->thread->intra;
		}
	}
}

void rewrite_rclcpp_ring_buffer_dequeue(struct rewrite *rewrite)
{
	uint64_t buffer = rewrite->input->word[RCLCPP_RING_BUFFER_DEQUEUE__buffer];
	uint64_t object = rewrite_related(rewrite, OBJECT_OF_IPB, rewrite_related(rewrite, IPB_OF_BUFFER, buffer));
	uint64_t rmw_subscription =
		rewrite_related(rewrite, RMW_OF_SUBSCRIPTION, rewrite_related(rewrite, SUBSCRIPTION_OF_OBJECT, object));
	struct intra_message *slot;

	rewrite_pass(rewrite);
	if (!rewrite_intra_as_inter(rewrite)) {
		return;
	}
	slot = find_slot(rewrite->process, buffer, rewrite->input->word[RCLCPP_RING_BUFFER_DEQUEUE__index]);
	if (slot && slot->is_there) {
		if (rmw_subscription != U64_MAP_NONE) {
			supply_take(rewrite, NORMALIZED_AS_INTER_PROCESS, rmw_subscription, slot->message,
				    slot->timestamp);
		}
		slot->is_there = false;
	}
}

/*
 * rclcpp discards the inter-process copy of a message that a publisher of its process also passes to the subscription
 * directly (rclcpp::Subscription::handle_message): no callback follows.
 */
static bool is_discarded_copy(const struct rewrite *rewrite, uint64_t subscription)
{
	return rewrite_intra_as_inter(rewrite) && rewrite_is_related(rewrite, INTRA_SUBSCRIPTION, subscription) &&
	       intra_copies_has(&rewrite->process->copies, (int64_t)rewrite->input->word[RMW_TAKE__source_timestamp],
				rewrite_related(rewrite, TOPIC_OF_SUBSCRIPTION, subscription));
}

void rewrite_rmw_take(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	struct rewrite_process *process = rewrite->process;
	struct rewrite_thread *thread = rewrite->thread;
	uint64_t subscription =
		rewrite_related(rewrite, SUBSCRIPTION_OF_RMW, input->word[RMW_TAKE__rmw_subscription_handle]);

	process->has_rmw_take = true;
	thread->drops_take = input->word[RMW_TAKE__taken] ? is_discarded_copy(rewrite, subscription)
							  : rewrite->normalizer->options.drops_empty_takes;
	thread->dropped_message = input->word[RMW_TAKE__message];
	if (thread->drops_take) {
		return;
	}
	rewrite_pass(rewrite);
	if (input->word[RMW_TAKE__taken] && process->is_under_caret && !process->has_rclcpp_take &&
	    rewrite_is_related(rewrite, OBJECT_OF_SUBSCRIPTION, subscription)) {
		record_set(rewrite_add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_TAKE), RCLCPP_TAKE__message,
			   input->word[RMW_TAKE__message]);
	}
}

/* The rcl and rclcpp steps of a take, which are recorded even if there was no message. */
static void pass_upper_take(struct rewrite *rewrite, unsigned int message_slot)
{
	if (!rewrite->thread->drops_take || rewrite->thread->dropped_message != rewrite->input->word[message_slot]) {
		rewrite_pass(rewrite);
	}
}

void rewrite_rcl_take(struct rewrite *rewrite)
{
	pass_upper_take(rewrite, RCL_TAKE__message);
}

void rewrite_rclcpp_take(struct rewrite *rewrite)
{
	rewrite->process->has_rclcpp_take = true;
	pass_upper_take(rewrite, RCLCPP_TAKE__message);
}

void rewrite_dispatch_subscription_callback(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;

	rewrite_pass(rewrite);
	if (!rewrite->process->has_rmw_take) {
		supply_take_of(rewrite, NORMALIZED_SUPPLIED,
			       subscription_of_callback(rewrite, word[DISPATCH_SUBSCRIPTION_CALLBACK__callback]),
			       word[DISPATCH_SUBSCRIPTION_CALLBACK__message],
			       (int64_t)word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp]);
	}
}
