/* SPDX-License-Identifier: MIT */
#include "core/flow/intra.h"

#include "core/base/compare_numbers.h"
#include "core/flow/breaks.h"
#include "core/flow/notes.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/topic_counts.h"

#define COPIES_MAX 4096 /* message addresses followed in a process without ring buffer events */

/* The ring buffer of a subscription. */
struct buffer {
	struct u64_map slots;	/* index → struct ring_slot *, owned */
	struct u64_map earlier; /* index of a slot filled outside of a publication → 1 */
};

static struct buffer *find_or_add_buffer(struct flow_process *process, uint64_t address)
{
	struct buffer *buffer = u64_map_get_pointer(&process->buffers, address);

	if (!buffer) {
		buffer = g_new0(struct buffer, 1);
		u64_map_init(&buffer->slots);
		u64_map_init(&buffer->earlier);
		u64_map_set_pointer(&process->buffers, address, buffer);
	}
	return buffer;
}

static void forget_copy(struct flow_linker *linker, struct flow_process *process, uint64_t address)
{
	struct linked_publication *publication = u64_map_remove_pointer(&process->copies, address);

	if (publication) {
		linked_publication_release(linker, publication);
	}
}

static void enqueue(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct buffer *buffer = find_or_add_buffer(thread->process, record->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer]);
	uint64_t index = record->word[RCLCPP_RING_BUFFER_ENQUEUE__index];
	struct linked_publication *publication = thread->open;
	struct ring_slot *slot = u64_map_remove_pointer(&buffer->slots, index);

	if (slot) {
		/* Overwritten unread. */
		flow_settle_drop_slot(linker, slot,
				      record_has(record, RCLCPP_RING_BUFFER_ENQUEUE__overwritten) &&
					      !record->word[RCLCPP_RING_BUFFER_ENQUEUE__overwritten]);
	}
	if (!publication || !(publication->steps & STEP_INTRA)) {
		u64_map_set(&buffer->earlier, index, 1);
		return;
	}
	if (buffer->earlier.count > 0) {
		u64_map_remove(&buffer->earlier, index);
	}
	if (publication->is_settled) {
		return;
	}
	/* If ring buffers are recorded, addresses need not be followed. */
	forget_copy(linker, thread->process, publication->message);
	slot = g_slice_new(struct ring_slot);
	slot->publication = linked_publication_reference(publication);
	slot->delivery = linked_publication_add_delivery(
		linker, publication,
		&(struct flow_delivery){ .subscription = object_model_subscription_of_buffer(
						 linker->model, thread->process_index,
						 record->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer], record->time_ns),
					 .is_intra_process = true });
	slot->enqueued_ns = record->time_ns;
	publication->undelivered_slots++;
	publication->public.last_ns = record->time_ns;
	u64_map_set_pointer(&buffer->slots, index, slot);
	if (linker->keeps_notes) {
		flow_note_offer(linker, flow_note_create(linker, publication));
	}
}

static void add_note(struct flow_linker *linker, struct pending_take *pending)
{
	if (linker->keeps_notes) {
		pending->note = flow_note_create(linker, NULL);
		flow_note_set(pending->note, pending->publication);
		flow_note_offer(linker, flow_note_reference(pending->note));
	}
}

/* Takes out what is in the slot; NULL if another message may be in it, since events may be missing since it was filled.
 */
static struct ring_slot *take_slot(struct flow_linker *linker, const struct flow_process *process,
				   struct buffer *buffer, uint64_t index, int64_t now_ns)
{
	struct ring_slot *slot = u64_map_remove_pointer(&buffer->slots, index);

	if (slot && flow_breaks_overlap(linker, process, slot->enqueued_ns, now_ns)) {
		flow_settle_drop_slot(linker, slot, true);
		return NULL;
	}
	return slot;
}

static void dequeue(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t address = record->word[RCLCPP_RING_BUFFER_DEQUEUE__buffer];
	struct buffer *buffer = find_or_add_buffer(thread->process, address);
	uint64_t index = record->word[RCLCPP_RING_BUFFER_DEQUEUE__index];
	struct ring_slot *slot = take_slot(linker, thread->process, buffer, index, record->time_ns);
	bool is_earlier = buffer->earlier.count > 0 && u64_map_remove(&buffer->earlier, index) != U64_MAP_NONE;
	struct pending_take *pending = &thread->pending;
	struct flow_delivery *take;

	flow_settle_close_open(linker, thread);
	take = &flow_take_next(linker, thread)->delivery;
	take->take_ns = record->time_ns;
	pending->is_set = pending->is_intra_process = true;
	if (slot) {
		if (!slot->delivery->public.subscription) {
			linked_publication_set_subscription(
				slot->publication, slot->delivery,
				object_model_subscription_of_buffer(linker->model, thread->process_index, address,
								    record->time_ns));
		}
		take->subscription = slot->delivery->public.subscription;
		pending->publication = linked_publication_take_in_hand(slot->publication);
		pending->slot = slot->delivery;
		pending->in_hand = slot;
	} else {
		take->subscription = object_model_subscription_of_buffer(linker->model, thread->process_index, address,
									 record->time_ns);
		flow_topic_counts_add(
			linker, is_earlier ? DIAGNOSTIC_TAKE_OF_EARLIER : DIAGNOSTIC_TAKE_WITHOUT_PUBLICATION,
			take->subscription && take->subscription->topic ? take->subscription->topic : "", 1);
	}
	add_note(linker, pending);
}

static gint compare_indexes(gconstpointer a, gconstpointer b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return compare_unsigned(left, right);
}

/* `was_free` as in flow_settle_drop_slot(). */
static void drop_slots(struct flow_linker *linker, struct buffer *buffer, bool was_free)
{
	g_autoptr(GArray) indexes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	size_t position = 0;
	uint64_t index;
	uint64_t value;

	while (u64_map_next(&buffer->slots, &position, &index, &value)) {
		g_array_append_val(indexes, index);
	}
	g_array_sort(indexes, compare_indexes);
	for (guint i = 0; i < indexes->len; i++) {
		index = g_array_index(indexes, uint64_t, i);
		flow_settle_drop_slot(linker, u64_map_remove_pointer(&buffer->slots, index), was_free);
	}
}

static void clear(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct buffer *buffer = find_or_add_buffer(thread->process, record->word[RCLCPP_RING_BUFFER_CLEAR__buffer]);

	u64_map_clear(&buffer->earlier);
	drop_slots(linker, buffer, false);
}

/* --- the address of the message and of its copies, without ring buffer events (CARET's fork of rclcpp) --- */

static void forget_copies(struct flow_linker *linker, struct flow_process *process)
{
	size_t position = 0;
	uint64_t address;
	uint64_t value;

	while (u64_map_next(&process->copies, &position, &address, &value)) {
		linked_publication_release(linker, (struct linked_publication *)(uintptr_t)value);
	}
	u64_map_clear(&process->copies);
}

static void remember_copy(struct flow_linker *linker, struct flow_process *process, uint64_t address,
			  struct linked_publication *publication)
{
	struct linked_publication *before = u64_map_get_pointer(&process->copies, address);

	if (before == publication) {
		return;
	}
	if (before) {
		linked_publication_release(linker, before);
	} else if (process->copies.count >= COPIES_MAX) {
		forget_copies(linker, process);
	}
	u64_map_set_pointer(&process->copies, address, linked_publication_reference(publication));
}

void flow_intra_publish(struct flow_linker *linker, struct flow_process *process,
			struct linked_publication *publication)
{
	remember_copy(linker, process, publication->message, publication);
}

static void construct(struct flow_linker *linker, struct flow_process *process, const struct event_record *record)
{
	struct linked_publication *publication =
		u64_map_get_pointer(&process->copies, record->word[MESSAGE_CONSTRUCT__original_message]);

	if (publication) {
		remember_copy(linker, process, record->word[MESSAGE_CONSTRUCT__constructed_message], publication);
	}
}

static void dispatch(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct linked_publication *publication = u64_map_get_pointer(
		&thread->process->copies, record->word[DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK__message]);
	struct pending_take *pending = &thread->pending;
	struct flow_delivery *take;
	struct model_callback *callback;

	if (pending->is_set && pending->is_intra_process) {
		return;
	}
	flow_settle_close_open(linker, thread);
	take = &flow_take_next(linker, thread)->delivery;
	callback = object_model_callback(linker->model, thread->process_index,
					 record->word[DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK__callback],
					 record->time_ns);
	take->subscription = object_model_callback_info(linker->model, callback)->subscription;
	take->take_ns = record->time_ns;
	take->is_intra_process = true;
	pending->is_set = pending->is_intra_process = true;
	/* A subscription receives a message once: otherwise an unknown message has reused the address. */
	if (publication && take->subscription && !linked_publication_delivery_to(publication, take->subscription)) {
		pending->publication = linked_publication_take_in_hand(publication);
		pending->slot = linked_publication_add_delivery(linker, publication, take);
	}
	add_note(linker, pending);
}

void flow_intra_feed(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
		enqueue(linker, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
		dequeue(linker, thread, record);
		break;
	case EVENT_RCLCPP_RING_BUFFER_CLEAR:
		clear(linker, thread, record);
		break;
	case EVENT_MESSAGE_CONSTRUCT:
		construct(linker, thread->process, record);
		break;
	case EVENT_DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK:
		dispatch(linker, thread, record);
		break;
	default:
		break;
	}
}

void flow_intra_forget(struct flow_linker *linker, struct flow_process *process)
{
	size_t position = 0;
	uint64_t address;
	uint64_t value;

	forget_copies(linker, process);
	while (u64_map_next(&process->buffers, &position, &address, &value)) {
		struct buffer *buffer = (struct buffer *)(uintptr_t)value;

		u64_map_clear(&buffer->earlier);
		drop_slots(linker, buffer, true);
	}
}

void flow_intra_clear_process(struct flow_linker *linker, struct flow_process *process)
{
	size_t position = 0;
	uint64_t address;
	uint64_t value;

	forget_copies(linker, process);
	while (u64_map_next(&process->buffers, &position, &address, &value)) {
		struct buffer *buffer = (struct buffer *)(uintptr_t)value;
		size_t slot_position = 0;
		uint64_t index;
		uint64_t slot;

		while (u64_map_next(&buffer->slots, &slot_position, &index, &slot)) {
			linked_publication_release(linker, ((struct ring_slot *)(uintptr_t)slot)->publication);
			g_slice_free(struct ring_slot, (struct ring_slot *)(uintptr_t)slot);
		}
		u64_map_clear(&buffer->slots);
		u64_map_clear(&buffer->earlier);
		g_free(buffer);
	}
	u64_map_clear(&process->buffers);
}
