/* SPDX-License-Identifier: MIT */
#include "core/normalize/queued_writes.h"

#include "core/base/slots.h"

struct sending_thread {
	bool has_rclcpp_publish;
	uint64_t rclcpp_message; /* of the last rclcpp_publish */
	int64_t rclcpp_ns;
	bool has_write;
	bool is_publishing;	 /* no event since the last rcl_publish */
	uint64_t write, message; /* the last rcl_publish */
};

void queued_writes_init(struct queued_writes *writes, bool are_kept)
{
	*writes = (struct queued_writes){ .last_timestamp = INT64_MIN };
	visit_queue_init(&writes->queue, sizeof(struct queued_write), are_kept);
	writes->threads = g_array_new(FALSE, TRUE, sizeof(struct sending_thread));
}

void queued_writes_clear(struct queued_writes *writes)
{
	visit_queue_clear(&writes->queue);
	g_array_free(writes->threads, TRUE);
}

static struct sending_thread *find_thread(struct queued_writes *writes, uint32_t index)
{
	return array_at(writes->threads, struct sending_thread, index);
}

/* The thread goes on without the write of its last rcl_publish. */
static void end_publication(struct queued_writes *writes, struct sending_thread *thread)
{
	struct queued_write *write;

	if (!thread->is_publishing) {
		return;
	}
	thread->is_publishing = false;
	write = visit_queue_unvisited(&writes->queue, thread->write);
	if (write && !writes->has_writes) {
		write->is_missing = true;
	}
}

uint64_t queued_writes_publish(struct queued_writes *writes, const struct event_record *record, int64_t *first_ns)
{
	struct sending_thread *thread = find_thread(writes, record->thread);
	uint64_t message = record->word[RCL_PUBLISH__message];
	uint64_t number = visit_queue_append(&writes->queue);
	struct queued_write *write = visit_queue_unvisited(&writes->queue, number);

	end_publication(writes, thread);
	writes->last_timestamp = MAX(record->time_ns, writes->last_timestamp + 1);
	write->timestamp = writes->last_timestamp;
	*first_ns =
		thread->has_rclcpp_publish && thread->rclcpp_message == message ? thread->rclcpp_ns : record->time_ns;
	*thread = (struct sending_thread){
		.has_write = true,
		.is_publishing = true,
		.write = number,
		.message = message,
	};
	return number;
}

static void learn_rclcpp_publish(struct queued_writes *writes, const struct event_record *record)
{
	struct sending_thread *thread = find_thread(writes, record->thread);

	end_publication(writes, thread);
	*thread = (struct sending_thread){
		.has_rclcpp_publish = true,
		.rclcpp_message = record->word[RCLCPP_PUBLISH__message],
		.rclcpp_ns = record->time_ns,
	};
}

/* The write of the thread's last rcl_publish; NULL: another one's, or it was visited. */
static struct queued_write *write_of(struct queued_writes *writes, const struct event_record *record, uint64_t message,
				     bool is_any)
{
	const struct sending_thread *thread = find_thread(writes, record->thread);

	return thread->has_write && (is_any || thread->message == message)
		       ? visit_queue_unvisited(&writes->queue, thread->write)
		       : NULL;
}

static void learn_write(struct queued_writes *writes, const struct event_record *record, uint64_t message,
			unsigned int timestamp_slot)
{
	struct queued_write *write = write_of(writes, record, message, false);

	writes->has_writes = true;
	find_thread(writes, record->thread)->is_publishing = false;
	if (!write) {
		return;
	}
	if (record_has(record, timestamp_slot)) {
		write->timestamp = (int64_t)record->word[timestamp_slot];
	} else {
		write->is_bound_later = record->kind == EVENT_DDS_WRITE;
	}
}

/* Fast DDS records address 0. */
static void learn_bind(struct queued_writes *writes, const struct event_record *record)
{
	uint64_t address = record->word[DDS_BIND_ADDR_TO_STAMP__addr];
	struct queued_write *write = write_of(writes, record, address, address == 0);

	if (write && write->is_bound_later) {
		write->is_bound_later = false;
		write->timestamp = (int64_t)record->word[DDS_BIND_ADDR_TO_STAMP__source_stamp];
	}
}

void queued_writes_learn(struct queued_writes *writes, const struct event_record *record)
{
	switch (record->kind) {
	case EVENT_RCLCPP_PUBLISH:
		learn_rclcpp_publish(writes, record);
		break;
	case EVENT_RMW_PUBLISH:
		learn_write(writes, record, record->word[RMW_PUBLISH__message], RMW_PUBLISH__timestamp);
		break;
	case EVENT_DDS_WRITE:
		learn_write(writes, record, record->word[DDS_WRITE__message], DDS_WRITE__timestamp);
		break;
	case EVENT_DDS_BIND_ADDR_TO_STAMP:
		learn_bind(writes, record);
		break;
	default:
		end_publication(writes, find_thread(writes, record->thread));
		break;
	}
}

void queued_writes_forget_thread(struct queued_writes *writes, uint32_t thread)
{
	*find_thread(writes, thread) = (struct sending_thread){ 0 };
}

void queued_writes_forget_threads(struct queued_writes *writes)
{
	g_array_set_size(writes->threads, 0);
}

void queued_writes_take(struct queued_writes *writes, uint64_t number, int64_t *timestamp)
{
	struct queued_write *write = visit_queue_unvisited(&writes->queue, number);

	if (write && !write->is_bound_later) {
		write->is_taken = true;
		*timestamp = write->timestamp;
	}
}
