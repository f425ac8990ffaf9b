/* SPDX-License-Identifier: MIT */
#include "core/flow/publish.h"

#include "core/flow/breaks.h"
#include "core/flow/channels.h"
#include "core/flow/doubtful_origins.h"
#include "core/flow/inferred_stamps.h"
#include "core/flow/intra.h"
#include "core/flow/kept_messages.h"
#include "core/flow/latched.h"
#include "core/flow/linked_executions.h"
#include "core/flow/notes.h"
#include "core/flow/provenance.h"
#include "core/flow/settle.h"
#include "core/flow/take.h"
#include "core/flow/take_links.h"
#include "core/flow/untaken_messages.h"

static void forget_written(struct flow_linker *linker, struct flow_thread *thread)
{
	if (thread->written) {
		linked_publication_release(linker, thread->written);
		thread->written = NULL;
	}
	thread->written_message = 0;
}

void flow_publish_forget(struct flow_linker *linker, struct flow_thread *thread)
{
	flow_settle_close_open(linker, thread);
	inferred_stamps_loosen_write(linker, thread);
	forget_written(linker, thread);
}

struct linked_publication *flow_publish_begin(struct flow_linker *linker, struct flow_thread *thread, int64_t time_ns)
{
	const struct execution *execution;
	struct linked_publication *publication;
	bool is_certain = true;

	flow_settle_close_open(linker, thread);
	execution = flow_enclosing_execution(linker, thread, &is_certain);
	publication = linked_publication_create(linker, thread, time_ns);
	if (execution && is_certain) {
		publication->public.has_direct_parent = true;
		linked_publication_add_parent(linker, publication, execution->flow);
	} else if (execution) {
		doubtful_origins_add(linker, publication, execution);
	} else {
		publication->public.has_lost_origin = flow_breaks_may_hide_start(linker, thread);
	}
	return publication;
}

static struct linked_publication *begin(struct flow_linker *linker, struct flow_thread *thread, uint64_t message,
					int64_t time_ns)
{
	thread->open = flow_publish_begin(linker, thread, time_ns);
	thread->open->message = message;
	return thread->open;
}

/*
 * The publication that an event of this step may continue: the thread's open one with the same message, if neither the
 * step nor a later one is recorded, and the publication is not settled. NULL: none.
 */
static inline struct linked_publication *open_at(const struct flow_thread *thread, enum publish_step step,
						 uint64_t message)
{
	static const unsigned int excluded[] = {
		[STEP_RCLCPP] = STEP_RCLCPP | STEP_RCL | STEP_RMW,
		[STEP_INTRA] = STEP_INTRA | STEP_RMW,
		[STEP_RCL] = STEP_RCL | STEP_RMW,
		[STEP_RMW] = STEP_RMW,
	};
	struct linked_publication *open = thread->open;

	return open && open->message == message && !(open->steps & excluded[step]) && !open->is_settled ? open : NULL;
}

/* The same, of open_at(), if the publisher can be the same. */
static inline struct linked_publication *continued(struct linked_publication *open,
						   const struct model_publisher *publisher)
{
	return open && publisher && open->public.publisher && open->public.publisher != publisher ? NULL : open;
}

/* The publisher with the handle that an event holds; no lookup if the step before (open_at()) held the same. */
static inline struct model_publisher *publisher_of(struct flow_linker *linker, const struct flow_thread *thread,
						   const struct linked_publication *open, uint64_t handle)
{
	if (open && open->public.publisher && open->public.publisher->handle == handle && handle != 0) {
		return open->public.publisher;
	}
	return object_model_publisher(linker->model, thread->process_index, handle, linker->now_ns);
}

static inline bool has_rmw_handle(const struct linked_publication *open, uint64_t rmw_handle)
{
	return open && open->public.publisher && open->public.publisher->rmw_handle == rmw_handle && rmw_handle != 0;
}

static struct model_publisher *publisher_of_rmw(struct flow_linker *linker, const struct flow_thread *thread,
						const struct linked_publication *open, uint64_t rmw_handle)
{
	if (has_rmw_handle(open, rmw_handle)) {
		return open->public.publisher;
	}
	if (rmw_handle == 0) {
		return NULL;
	}
	/* With events of rmw only, nothing else is known of a publisher. */
	return thread->process->has_rcl ? object_model_find_publisher_by_rmw(linker->model, thread->process_index,
									     rmw_handle, linker->now_ns)
					: object_model_publisher_by_rmw(linker->model, thread->process_index,
									rmw_handle, linker->now_ns);
}

void flow_publish_set_publisher(struct flow_linker *linker, struct linked_publication *publication,
				struct model_publisher *publisher)
{
	if (!publisher || publication->public.publisher) {
		return;
	}
	linked_publication_set_publisher(linker, publication, publisher);
	flow_channels_prefetch_places(publication->queue);
	latched_prefetch(publication);
	if (G_UNLIKELY(linker->links->len > 0)) {
		flow_take_end_polls(linker, flow_thread(linker, publication->public.thread));
		kept_messages_use(linker, publication);
	}
	if (G_UNLIKELY(linker->follows_untaken) && !publication->is_agnocast) {
		untaken_messages_published(linker, publication);
	}
	if (linker->provenance && publication->public.parent_count == 0 && !publication->is_doubtful) {
		provenance_add_candidates(linker, publication);
	}
}

static inline void add_step_unnoted(struct flow_linker *linker, struct linked_publication *publication,
				    enum publish_step step)
{
	publication->steps |= step;
	publication->public.last_ns = linker->now_ns;
	if (step == STEP_INTRA) {
		publication->public.has_intra_leg = true;
	} else {
		publication->public.has_inter_leg = true;
	}
}

static void add_step(struct flow_linker *linker, struct linked_publication *publication, enum publish_step step)
{
	add_step_unnoted(linker, publication, step);
	if (linker->keeps_notes) {
		flow_note_offer(linker, flow_note_create(linker, publication));
	}
}

/* The steps of `first` but the one within the process turned out to be of another publisher: another publication. */
static struct linked_publication *split(struct flow_linker *linker, struct flow_thread *thread,
					struct linked_publication *first)
{
	int64_t first_ns = first->steps & STEP_RCLCPP ? first->inter_first_ns : first->public.last_ns;
	unsigned int steps = first->steps & (STEP_RCLCPP | STEP_RCL);
	struct linked_publication *second;

	first->steps &= ~steps;
	first->public.has_inter_leg = false;
	second = begin(linker, thread, first->message, first_ns);
	second->steps = steps;
	second->inter_first_ns = first_ns;
	return second;
}

/* CARET's fork of rclcpp: the stamp in the header of the message. Listeners hear of it once. */
static void tell_header_stamp(struct flow_linker *linker, struct linked_publication *publication, uint64_t stamp)
{
	if (stamp == 0 || publication->has_told_stamp || !publication->public.publisher) {
		return;
	}
	publication->has_told_stamp = true;
	FLOW_TELL(&linker->hearers, stamped, &publication->public, stamp);
}

void flow_publish_rclcpp(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t message = record->word[RCLCPP_PUBLISH__message];
	struct linked_publication *open = open_at(thread, STEP_RCLCPP, message), *publication;
	struct model_publisher *publisher = NULL;

	thread->process->has_rcl = true;
	if (record_has(record, RCLCPP_PUBLISH__publisher_handle) &&
	    record->word[RCLCPP_PUBLISH__publisher_handle] != 0) {
		publisher = publisher_of(linker, thread, open, record->word[RCLCPP_PUBLISH__publisher_handle]);
	}
	publication = continued(open, publisher);
	if (!publication) {
		publication = begin(linker, thread, message, record->time_ns);
	}
	publication->inter_first_ns = record->time_ns;
	flow_publish_set_publisher(linker, publication, publisher);
	add_step(linker, publication, STEP_RCLCPP);
	if (G_UNLIKELY(record_has(record, RCLCPP_PUBLISH__message_timestamp))) {
		tell_header_stamp(linker, publication, record->word[RCLCPP_PUBLISH__message_timestamp]);
	}
}

void flow_publish_rcl(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t message = record->word[RCL_PUBLISH__message];
	struct linked_publication *open = open_at(thread, STEP_RCL, message);
	struct model_publisher *publisher =
		publisher_of(linker, thread, open, record->word[RCL_PUBLISH__publisher_handle]);
	struct linked_publication *publication = continued(open, publisher);

	thread->process->has_rcl = true;
	if (!publication && thread->open && thread->open->message == message &&
	    thread->open->steps == (STEP_INTRA | STEP_RCLCPP)) {
		publication = split(linker, thread, thread->open);
	}
	if (!publication) {
		publication = begin(linker, thread, message, record->time_ns);
	}
	flow_publish_set_publisher(linker, publication, publisher);
	flow_channels_prefetch(publication->queue);
	add_step(linker, publication, STEP_RCL);
}

/*
 * Whether rcl_publish of this message was the thread's last step: the write that follows is its own, even if the
 * handles are of different publishers. rcl_publisher_init records another handle than rcl_publish where the publisher
 * is copied (rcl's /rosout, never published within the process), and a definition is of an earlier process with this id
 * if that was replaced while nothing was recorded.
 */
static bool is_written_next(const struct linked_publication *open, uint64_t message)
{
	return open && open->message == message && (open->steps & STEP_RCL) && !(open->steps & STEP_RMW) &&
	       !open->is_settled;
}

/* The write into the middleware: rmw_publish or CARET's dds_write. NULL if it is the middleware's own. */
static struct linked_publication *write_step(struct flow_linker *linker, struct flow_thread *thread, uint64_t message,
					     uint64_t rmw_handle)
{
	struct linked_publication *open = open_at(thread, STEP_RMW, message);
	struct model_publisher *publisher = publisher_of_rmw(linker, thread, open, rmw_handle);
	struct linked_publication *publication = continued(open, publisher);

	linker->has_writes = true;
	if (!publication && is_written_next(thread->open, message)) {
		publication = thread->open->steps & STEP_INTRA ? thread->open : split(linker, thread, thread->open);
	}
	if (!publication) {
		/* Either rcl_publish is not recorded, or this is the middleware's own traffic. */
		if (!publisher) {
			return NULL;
		}
		publication = begin(linker, thread, message, linker->now_ns);
	}
	flow_publish_set_publisher(linker, publication, publisher);
	flow_channels_prefetch_subscriptions(publication->queue);
	latched_prefetch(publication);
	add_step(linker, publication, STEP_RMW);
	return publication;
}

/* Any rmw_publish. */
static G_GNUC_NO_INLINE void publish_any_rmw(struct flow_linker *linker, struct flow_thread *thread,
					     const struct event_record *record, uint64_t rmw_handle)
{
	int64_t before_ns = thread->open ? thread->open->public.last_ns : 0;
	struct linked_publication *publication =
		write_step(linker, thread, record->word[RMW_PUBLISH__message], rmw_handle);

	if (!record_has(record, RMW_PUBLISH__timestamp)) {
		inferred_stamps_add(linker, thread, publication, record->stream,
				    publication && publication->steps != STEP_RMW ? before_ns : record->time_ns);
	} else if (publication) {
		take_links_stamp_is_known(linker, publication, record->word[RMW_PUBLISH__timestamp]);
	}
}

/* Nearly all follow the rcl_publish of the same publisher, as the general case would find, at less cost. */
void flow_publish_rmw(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	struct linked_publication *open = open_at(thread, STEP_RMW, record->word[RMW_PUBLISH__message]);
	uint64_t rmw_handle = record_has(record, RMW_PUBLISH__rmw_publisher_handle)
				      ? record->word[RMW_PUBLISH__rmw_publisher_handle]
				      : 0;

	if (linker->keeps_notes || !has_rmw_handle(open, rmw_handle) || !record_has(record, RMW_PUBLISH__timestamp)) {
		publish_any_rmw(linker, thread, record, rmw_handle);
		return;
	}
	linker->has_writes = true;
	flow_channels_prefetch_subscriptions(open->queue);
	latched_prefetch(open);
	add_step_unnoted(linker, open, STEP_RMW);
	take_links_stamp_is_known(linker, open, record->word[RMW_PUBLISH__timestamp]);
}

void flow_publish_dds_write(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t rmw_handle =
		record_has(record, DDS_WRITE__rmw_publisher_handle) ? record->word[DDS_WRITE__rmw_publisher_handle] : 0;
	uint64_t message = record->word[DDS_WRITE__message];
	struct linked_publication *publication = write_step(linker, thread, message, rmw_handle);

	forget_written(linker, thread);
	if (!publication) {
		return;
	}
	if (record_has(record, DDS_WRITE__timestamp)) {
		take_links_stamp_is_known(linker, publication, record->word[DDS_WRITE__timestamp]);
		return;
	}
	publication->is_waiting_for_stamp = true;
	thread->written = linked_publication_reference(publication);
	thread->written_message = message;
}

/* The stamp of the thread's last write. Fast DDS records address 0. */
void flow_publish_bind_stamp(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t address = record->word[DDS_BIND_ADDR_TO_STAMP__addr];
	struct linked_publication *publication = thread->written;

	if (!publication ||
	    (address != 0 && address != thread->written_message && address != publication->serialized_message)) {
		return;
	}
	take_links_stamp_is_known(linker, publication, record->word[DDS_BIND_ADDR_TO_STAMP__source_stamp]);
	forget_written(linker, thread);
	if (publication->queue) {
		flow_settle_publisher(linker, publication->queue);
	}
}

void flow_publish_bind_address(struct flow_linker *linker G_GNUC_UNUSED, struct flow_thread *thread,
			       const struct event_record *record)
{
	if (thread->written && thread->written_message == record->word[DDS_BIND_ADDR_TO_ADDR__addr_from]) {
		thread->written->serialized_message = record->word[DDS_BIND_ADDR_TO_ADDR__addr_to];
	}
}

void flow_publish_intra(struct flow_linker *linker, struct flow_thread *thread, const struct event_record *record)
{
	uint64_t message = record->word[RCLCPP_INTRA_PUBLISH__message];
	struct linked_publication *open = open_at(thread, STEP_INTRA, message), *publication;
	struct model_publisher *publisher = NULL;

	if (record_has(record, RCLCPP_INTRA_PUBLISH__publisher_handle) &&
	    record->word[RCLCPP_INTRA_PUBLISH__publisher_handle] != 0) {
		publisher = publisher_of(linker, thread, open, record->word[RCLCPP_INTRA_PUBLISH__publisher_handle]);
	}
	publication = continued(open, publisher);
	if (!publication) {
		publication = begin(linker, thread, message, record->time_ns);
	}
	flow_publish_set_publisher(linker, publication, publisher);
	add_step(linker, publication, STEP_INTRA);
	if (G_UNLIKELY(record_has(record, RCLCPP_INTRA_PUBLISH__message_timestamp))) {
		tell_header_stamp(linker, publication, record->word[RCLCPP_INTRA_PUBLISH__message_timestamp]);
	}
	flow_intra_publish(linker, thread->process, publication);
}
