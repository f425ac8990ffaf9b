/* SPDX-License-Identifier: MIT */
#include "ros2bt/normalizer.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "ros2bt/u64_map.h"

#define ROSOUT "/rosout"
/* Since this major version of tracetools rmw_publish tells its publisher and its timestamp. */
#define MAJOR_WITH_TIMESTAMP 8
/* Slots of a ring buffer beyond this are not followed. */
#define RING_SLOTS_MAX (UINT64_C(1) << 20)

/* What is known of the objects of a process, by address. */
enum relation {
	WAITING_RMW_PUBLISHER,	  /* rmw publisher whose rcl_publisher_init is to come → 0 */
	WAITING_RMW_SUBSCRIPTION, /* rmw subscription whose rcl_subscription_init is to come → 0 */
	RMW_OF_PUBLISHER,	  /* rcl publisher → rmw publisher */
	RMW_OF_SUBSCRIPTION,	  /* rcl subscription → rmw subscription */
	SUBSCRIPTION_OF_RMW,	  /* rmw subscription → rcl subscription */
	ROSOUT_PUBLISHER,	  /* rcl publisher of /rosout → 0 */
	ROSOUT_RMW_PUBLISHER,	  /* its rmw publisher → 0 */
	SUBSCRIPTION_OF_OBJECT,	  /* rclcpp subscription → rcl subscription */
	OBJECT_OF_SUBSCRIPTION,	  /* rcl subscription → the rclcpp subscription of its inter-process messages */
	CALLBACK_OF_OBJECT,	  /* rclcpp subscription → callback */
	OBJECT_OF_CALLBACK,	  /* callback → rclcpp subscription */
	TIMER_OF_CALLBACK,	  /* callback → timer that belongs to no node so far */
	CALLBACK_OF_TIMER,	  /* timer → callback */
	WAITABLE,		  /* rclcpp subscription of intra-process messages → itself */
	OBJECT_OF_IPB,		  /* intra-process buffer → rclcpp subscription */
	IPB_OF_BUFFER,		  /* ring buffer → intra-process buffer */
	RELATION_COUNT,
};

/* A message, in a slot of a ring buffer or just published. */
struct intra_message {
	bool is_there;
	uint64_t message;
	int64_t timestamp;
};

struct process {
	bool has_version; /* an rcl_init was passed on */
	bool is_under_caret;
	bool has_rmw_take, has_rclcpp_take, has_timer_link;
	uint64_t node_count, node;
	struct u64_map relations[RELATION_COUNT];
	struct u64_map rings; /* ring buffer → GArray of struct intra_message, by index */
};

struct thread {
	bool has_rcl_publish;
	uint64_t publisher, message; /* of the last rcl_publish */
	bool has_empty_take;
	uint64_t empty_message;
	struct intra_message intra; /* of the last rclcpp_intra_publish */
	bool is_publishing;	    /* it, with its rmw_publish to come */
	uint64_t intra_publisher;
};

struct normalizer {
	struct recording *recording;	   /* borrowed */
	struct publication_stamps *stamps; /* borrowed */
	struct normalizer_options options;
	const char *rosout, *version; /* interned */
	const void *gid;	      /* interned; zeros */
	int64_t last_made_timestamp;
	GPtrArray *processes; /* of struct process *, by index */
	GArray *threads;      /* of struct thread, by index */
};

/* A record at work. */
struct rewrite {
	struct normalizer *normalizer;
	struct process *process;
	struct thread *thread;
	const struct event_record *input;
	struct normalized_events *events;
};

struct normalizer *normalizer_create(struct recording *recording, struct publication_stamps *stamps,
				     const struct normalizer_options *options)
{
	static const uint8_t no_gid[GID_SIZE];
	struct normalizer *normalizer = g_new0(struct normalizer, 1);
	struct string_pool *pool = recording_pool(recording);

	normalizer->recording = recording;
	normalizer->stamps = stamps;
	normalizer->options = *options;
	normalizer->rosout = string_pool_intern(pool, ROSOUT);
	normalizer->version = string_pool_intern(pool, NORMALIZER_VERSION);
	normalizer->gid = string_pool_intern_bytes(pool, no_gid, sizeof(no_gid));
	normalizer->processes = g_ptr_array_new();
	normalizer->threads = g_array_new(FALSE, TRUE, sizeof(struct thread));
	return normalizer;
}

static struct process *process_create(void)
{
	struct process *process = g_new0(struct process, 1);

	for (size_t i = 0; i < RELATION_COUNT; i++) {
		u64_map_init(&process->relations[i]);
	}
	u64_map_init(&process->rings);
	return process;
}

static void process_destroy(struct process *process)
{
	uint64_t key, value;

	for (size_t i = 0; i < RELATION_COUNT; i++) {
		u64_map_clear(&process->relations[i]);
	}
	for (size_t position = 0; u64_map_next(&process->rings, &position, &key, &value);) {
		g_array_free((GArray *)(uintptr_t)value, TRUE);
	}
	u64_map_clear(&process->rings);
	g_free(process);
}

void normalizer_destroy(struct normalizer *normalizer)
{
	if (!normalizer) {
		return;
	}
	for (guint i = 0; i < normalizer->processes->len; i++) {
		process_destroy(g_ptr_array_index(normalizer->processes, i));
	}
	g_ptr_array_free(normalizer->processes, TRUE);
	g_array_free(normalizer->threads, TRUE);
	g_free(normalizer);
}

static struct process *find_process(struct normalizer *normalizer, uint32_t thread)
{
	uint32_t index = recording_thread(normalizer->recording, thread)->process;

	while (normalizer->processes->len <= index) {
		g_ptr_array_add(normalizer->processes, process_create());
	}
	return g_ptr_array_index(normalizer->processes, index);
}

static struct thread *find_thread(struct normalizer *normalizer, uint32_t index)
{
	if (normalizer->threads->len <= index) {
		g_array_set_size(normalizer->threads, index + 1);
	}
	return &g_array_index(normalizer->threads, struct thread, index);
}

/* U64_MAP_NONE, "not there", is no address of anything. */
static void relate(struct rewrite *rewrite, enum relation relation, uint64_t key, uint64_t value)
{
	if (value != U64_MAP_NONE) {
		u64_map_set(&rewrite->process->relations[relation], key, value);
	}
}

static uint64_t related(const struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return key == U64_MAP_NONE ? U64_MAP_NONE : u64_map_get(&rewrite->process->relations[relation], key);
}

static bool is_related(const struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return related(rewrite, relation, key) != U64_MAP_NONE;
}

static uint64_t unrelate(struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return u64_map_remove(&rewrite->process->relations[relation], key);
}

/* What is put out */

static struct event_record *add(struct rewrite *rewrite, enum normalized_how how, enum event_kind kind)
{
	struct normalized_event *event = &rewrite->events->event[rewrite->events->count++];

	g_assert(rewrite->events->count <= NORMALIZED_EVENTS_MAX);
	event->how = how;
	event->record = (struct event_record){
		.time_ns = rewrite->input->time_ns,
		.thread = rewrite->input->thread,
		.stream = rewrite->input->stream,
		.kind = (uint8_t)kind,
	};
	return &event->record;
}

static void set(struct event_record *record, unsigned int slot, uint64_t word)
{
	record->word[slot] = word;
	record->present |= 1u << slot;
}

static uint64_t pointer_word(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static bool is_from_caret(const struct rewrite *rewrite)
{
	return rewrite->input->flags & RECORD_FROM_CARET;
}

/* The event itself, under the name it has in ros2_tracing. */
static struct event_record *pass(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	bool is_renamed = is_from_caret(rewrite) && event_schema_of(input->kind)->providers == EVENT_PROVIDER_BOTH;
	struct event_record *record = add(rewrite, is_renamed ? NORMALIZED_CHANGED : NORMALIZED_KEPT, input->kind);

	*record = *input;
	if (is_renamed) {
		record->flags = 0;
		if (input->flags & RECORD_HAS_INIT_TIME) {
			record->present &= ~(1u << EVENT_SLOT_INIT_TIME) & 0x3f;
		}
	}
	return record;
}

static void supply_version(struct rewrite *rewrite)
{
	struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCL_INIT);

	set(record, RCL_INIT__context_handle, 0);
	set(record, RCL_INIT__version, pointer_word(rewrite->normalizer->version));
	rewrite->process->has_version = true;
}

static void supply_take(struct rewrite *rewrite, uint64_t rmw_subscription, uint64_t message, int64_t timestamp)
{
	struct event_record *rmw_take = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_TAKE);
	struct event_record *rclcpp_take;

	set(rmw_take, RMW_TAKE__rmw_subscription_handle, rmw_subscription);
	set(rmw_take, RMW_TAKE__message, message);
	set(rmw_take, RMW_TAKE__source_timestamp, (uint64_t)timestamp);
	set(rmw_take, RMW_TAKE__taken, 1);
	rclcpp_take = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_TAKE);
	set(rclcpp_take, RCLCPP_TAKE__message, message);
}

/* Definitions */

static bool has_timestamps(const char *version)
{
	char *end;
	unsigned long major = version && g_ascii_isdigit(version[0]) ? strtoul(version, &end, 10) : 0;
	int dots = 0;

	if (major < MAJOR_WITH_TIMESTAMP) {
		return false;
	}
	for (; *end; end++) {
		if (*end == '.' && g_ascii_isdigit(end[1]) && dots < 2) {
			dots++;
		} else if (!g_ascii_isdigit(*end)) {
			return false;
		}
	}
	return true;
}

static void rewrite_rcl_init(struct rewrite *rewrite)
{
	struct event_record *record = pass(rewrite);

	rewrite->process->has_version = true;
	if (!has_timestamps(record_string(record, RCL_INIT__version))) {
		rewrite->events->event[rewrite->events->count - 1].how = NORMALIZED_CHANGED;
		record->flags = 0;
		set(record, RCL_INIT__version, pointer_word(rewrite->normalizer->version));
	}
}

static void rewrite_rcl_node_init(struct rewrite *rewrite)
{
	uint64_t node = rewrite->input->word[RCL_NODE_INIT__node_handle];

	if (rewrite->process->node_count == 0 || rewrite->process->node != node) {
		rewrite->process->node_count++;
		rewrite->process->node = node;
	}
	pass(rewrite);
}

static void rewrite_rcl_publisher_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t publisher = word[RCL_PUBLISHER_INIT__publisher_handle];
	uint64_t rmw_publisher = word[RCL_PUBLISHER_INIT__rmw_publisher_handle];
	bool is_rosout = record_string(rewrite->input, RCL_PUBLISHER_INIT__topic_name) == rewrite->normalizer->rosout;
	bool has_rmw_init = unrelate(rewrite, WAITING_RMW_PUBLISHER, rmw_publisher) != U64_MAP_NONE;

	relate(rewrite, RMW_OF_PUBLISHER, publisher, rmw_publisher);
	unrelate(rewrite, ROSOUT_PUBLISHER, publisher);
	unrelate(rewrite, ROSOUT_RMW_PUBLISHER, rmw_publisher);
	if (is_rosout) {
		relate(rewrite, ROSOUT_PUBLISHER, publisher, 0);
		relate(rewrite, ROSOUT_RMW_PUBLISHER, rmw_publisher, 0);
		if (rewrite->normalizer->options.drops_rosout) {
			return;
		}
	}
	if (!has_rmw_init) {
		struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_PUBLISHER_INIT);

		set(record, RMW_PUBLISHER_INIT__rmw_publisher_handle, rmw_publisher);
		set(record, RMW_PUBLISHER_INIT__gid, pointer_word(rewrite->normalizer->gid));
	}
	pass(rewrite);
}

static void rewrite_rcl_subscription_init(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t subscription = word[RCL_SUBSCRIPTION_INIT__subscription_handle];
	uint64_t rmw_subscription = word[RCL_SUBSCRIPTION_INIT__rmw_subscription_handle];

	relate(rewrite, RMW_OF_SUBSCRIPTION, subscription, rmw_subscription);
	relate(rewrite, SUBSCRIPTION_OF_RMW, rmw_subscription, subscription);
	unrelate(rewrite, OBJECT_OF_SUBSCRIPTION, subscription);
	if (unrelate(rewrite, WAITING_RMW_SUBSCRIPTION, rmw_subscription) == U64_MAP_NONE) {
		struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_SUBSCRIPTION_INIT);

		set(record, RMW_SUBSCRIPTION_INIT__rmw_subscription_handle, rmw_subscription);
		set(record, RMW_SUBSCRIPTION_INIT__gid, pointer_word(rewrite->normalizer->gid));
	}
	pass(rewrite);
}

static bool dresses_intra_process(const struct rewrite *rewrite)
{
	return rewrite->normalizer->options.dresses_intra_process;
}

static void rewrite_rclcpp_subscription_init(struct rewrite *rewrite)
{
	uint64_t object = rewrite->input->word[RCLCPP_SUBSCRIPTION_INIT__subscription];
	uint64_t subscription = rewrite->input->word[RCLCPP_SUBSCRIPTION_INIT__subscription_handle];

	relate(rewrite, SUBSCRIPTION_OF_OBJECT, object, subscription);
	if (!is_related(rewrite, WAITABLE, object)) {
		relate(rewrite, OBJECT_OF_SUBSCRIPTION, subscription, object);
		pass(rewrite);
	} else if (!dresses_intra_process(rewrite)) {
		pass(rewrite);
	}
}

/* Before tracetools 0.2.10 there is no rclcpp subscription: the rcl one stands for it. */
static void rewrite_old_callback_added(struct rewrite *rewrite)
{
	uint64_t subscription = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription_handle];
	uint64_t callback = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback];
	struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_SUBSCRIPTION_INIT);

	set(record, RCLCPP_SUBSCRIPTION_INIT__subscription_handle, subscription);
	set(record, RCLCPP_SUBSCRIPTION_INIT__subscription, subscription);
	record = add(rewrite, NORMALIZED_CHANGED, EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED);
	set(record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription, subscription);
	set(record, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback, callback);
}

static void rewrite_rclcpp_subscription_callback_added(struct rewrite *rewrite)
{
	uint64_t object = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription];
	uint64_t callback = rewrite->input->word[RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__callback];

	unrelate(rewrite, TIMER_OF_CALLBACK, callback);
	if (!record_has(rewrite->input, RCLCPP_SUBSCRIPTION_CALLBACK_ADDED__subscription)) {
		rewrite_old_callback_added(rewrite);
		return;
	}
	relate(rewrite, CALLBACK_OF_OBJECT, object, callback);
	relate(rewrite, OBJECT_OF_CALLBACK, callback, object);
	if (!dresses_intra_process(rewrite) || !is_related(rewrite, WAITABLE, object)) {
		pass(rewrite);
	}
}

static void rewrite_rclcpp_timer_callback_added(struct rewrite *rewrite)
{
	uint64_t timer = rewrite->input->word[RCLCPP_TIMER_CALLBACK_ADDED__timer_handle];
	uint64_t callback = rewrite->input->word[RCLCPP_TIMER_CALLBACK_ADDED__callback];

	relate(rewrite, TIMER_OF_CALLBACK, callback, timer);
	relate(rewrite, CALLBACK_OF_TIMER, timer, callback);
	unrelate(rewrite, OBJECT_OF_CALLBACK, callback);
	pass(rewrite);
}

static void rewrite_rclcpp_timer_link_node(struct rewrite *rewrite)
{
	uint64_t timer = rewrite->input->word[RCLCPP_TIMER_LINK_NODE__timer_handle];
	uint64_t callback = related(rewrite, CALLBACK_OF_TIMER, timer);

	rewrite->process->has_timer_link = true;
	if (callback != U64_MAP_NONE) {
		unrelate(rewrite, TIMER_OF_CALLBACK, callback);
	}
	pass(rewrite);
}

/* The callback by which the subscription of an intra-process callback gets inter-process messages; itself for others.
 */
static uint64_t inter_process_callback(const struct rewrite *rewrite, uint64_t callback)
{
	uint64_t waitable = related(rewrite, WAITABLE, related(rewrite, OBJECT_OF_CALLBACK, callback));
	uint64_t subscription = related(rewrite, SUBSCRIPTION_OF_OBJECT, waitable);
	uint64_t object = related(rewrite, OBJECT_OF_SUBSCRIPTION, subscription);
	uint64_t inter_process = related(rewrite, CALLBACK_OF_OBJECT, object);

	return inter_process == U64_MAP_NONE ? callback : inter_process;
}

static void rewrite_rclcpp_callback_register(struct rewrite *rewrite)
{
	uint64_t callback = rewrite->input->word[RCLCPP_CALLBACK_REGISTER__callback];

	if (!dresses_intra_process(rewrite) ||
	    !is_related(rewrite, WAITABLE, related(rewrite, OBJECT_OF_CALLBACK, callback))) {
		pass(rewrite);
	}
}

static void rewrite_rclcpp_ipb_to_subscription(struct rewrite *rewrite)
{
	uint64_t ipb = rewrite->input->word[RCLCPP_IPB_TO_SUBSCRIPTION__ipb];
	uint64_t object = rewrite->input->word[RCLCPP_IPB_TO_SUBSCRIPTION__subscription];

	relate(rewrite, OBJECT_OF_IPB, ipb, object);
	relate(rewrite, WAITABLE, object, object);
	pass(rewrite);
}

static void rewrite_rclcpp_buffer_to_ipb(struct rewrite *rewrite)
{
	relate(rewrite, IPB_OF_BUFFER, rewrite->input->word[RCLCPP_BUFFER_TO_IPB__buffer],
	       rewrite->input->word[RCLCPP_BUFFER_TO_IPB__ipb]);
	pass(rewrite);
}

/* Executions */

static void pass_callback(struct rewrite *rewrite, unsigned int slot)
{
	uint64_t callback = rewrite->input->word[slot];
	uint64_t shown = dresses_intra_process(rewrite) ? inter_process_callback(rewrite, callback) : callback;
	struct event_record *record = pass(rewrite);

	if (shown != callback) {
		rewrite->events->event[rewrite->events->count - 1].how = NORMALIZED_CHANGED;
		set(record, slot, shown);
	}
}

/* Before tracetools 2.1 no timer is linked. CARET leaves the links of nodes out that it was told to ignore. */
static bool implies_timer_link(const struct process *process)
{
	return process->node_count == 1 && !process->has_timer_link && !process->is_under_caret;
}

static void rewrite_callback_start(struct rewrite *rewrite)
{
	uint64_t timer = related(rewrite, TIMER_OF_CALLBACK, rewrite->input->word[CALLBACK_START__callback]);

	if (timer != U64_MAP_NONE && implies_timer_link(rewrite->process)) {
		struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_TIMER_LINK_NODE);

		set(record, RCLCPP_TIMER_LINK_NODE__timer_handle, timer);
		set(record, RCLCPP_TIMER_LINK_NODE__node_handle, rewrite->process->node);
		unrelate(rewrite, TIMER_OF_CALLBACK, rewrite->input->word[CALLBACK_START__callback]);
	}
	pass_callback(rewrite, CALLBACK_START__callback);
}

/* Publications */

static bool drops_publisher(const struct rewrite *rewrite, enum relation rosout, uint64_t publisher)
{
	return rewrite->normalizer->options.drops_rosout && is_related(rewrite, rosout, publisher);
}

static void rewrite_rcl_publish(struct rewrite *rewrite)
{
	struct thread *thread = rewrite->thread;

	thread->has_rcl_publish = true;
	thread->publisher = rewrite->input->word[RCL_PUBLISH__publisher_handle];
	thread->message = rewrite->input->word[RCL_PUBLISH__message];
	if (!drops_publisher(rewrite, ROSOUT_PUBLISHER, thread->publisher)) {
		pass(rewrite);
	}
}

/* The rmw publisher of the message that the thread has just given to rcl_publish; 0 if nothing tells. */
static uint64_t publisher_of_write(const struct rewrite *rewrite, uint64_t message)
{
	uint64_t publisher = U64_MAP_NONE;

	if (rewrite->thread->has_rcl_publish && rewrite->thread->message == message) {
		publisher = related(rewrite, RMW_OF_PUBLISHER, rewrite->thread->publisher);
	}
	return publisher == U64_MAP_NONE ? 0 : publisher;
}

static void rewrite_publication(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	bool is_dds_write = input->kind == EVENT_DDS_WRITE;
	uint64_t message = input->word[is_dds_write ? DDS_WRITE__message : RMW_PUBLISH__message];
	unsigned int publisher_slot =
		is_dds_write ? DDS_WRITE__rmw_publisher_handle : RMW_PUBLISH__rmw_publisher_handle;
	uint64_t publisher =
		record_has(input, publisher_slot) ? input->word[publisher_slot] : publisher_of_write(rewrite, message);
	static const enum normalized_how how_stamped[] = {
		[PUBLICATION_STAMP_NONE] = NORMALIZED_UNSTAMPED,
		[PUBLICATION_STAMP_BOUND] = NORMALIZED_CHANGED,
		[PUBLICATION_STAMP_INFERRED] = NORMALIZED_INFERRED,
	};
	enum normalized_how how = NORMALIZED_CHANGED;
	struct event_record *record;
	int64_t timestamp;

	if (publication_stamps_has(input)) {
		struct publication_stamp stamp = publication_stamps_next(rewrite->normalizer->stamps);

		timestamp = stamp.timestamp;
		how = how_stamped[stamp.source];
	} else {
		timestamp = (int64_t)input->word[is_dds_write ? DDS_WRITE__timestamp : RMW_PUBLISH__timestamp];
	}
	rewrite->thread->has_rcl_publish = false;
	if (drops_publisher(rewrite, ROSOUT_RMW_PUBLISHER, publisher)) {
		return;
	}
	if (!is_dds_write && record_has(input, RMW_PUBLISH__timestamp)) {
		pass(rewrite);
		return;
	}
	record = add(rewrite, how, EVENT_RMW_PUBLISH);
	set(record, RMW_PUBLISH__rmw_publisher_handle, publisher);
	set(record, RMW_PUBLISH__message, message);
	set(record, RMW_PUBLISH__timestamp, (uint64_t)timestamp);
}

/* A timestamp that no other publication has. */
static int64_t make_timestamp(struct rewrite *rewrite)
{
	struct normalizer *normalizer = rewrite->normalizer;

	normalizer->last_made_timestamp = MAX(rewrite->input->time_ns, normalizer->last_made_timestamp + 1);
	return normalizer->last_made_timestamp;
}

/*
 * Publishing takes time: the first two steps are supplied where rclcpp_intra_publish is, the last one where the
 * thread's next event is, before any subscription can have the message.
 */
static void begin_publication(struct rewrite *rewrite)
{
	struct thread *thread = rewrite->thread;
	struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_PUBLISH);

	set(record, RCLCPP_PUBLISH__message, thread->intra.message);
	record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCL_PUBLISH);
	set(record, RCL_PUBLISH__publisher_handle, thread->intra_publisher);
	set(record, RCL_PUBLISH__message, thread->intra.message);
	thread->is_publishing = true;
}

static void end_publication(struct rewrite *rewrite)
{
	struct thread *thread = rewrite->thread;
	uint64_t rmw_publisher = related(rewrite, RMW_OF_PUBLISHER, thread->intra_publisher);
	struct event_record *record = add(rewrite, NORMALIZED_SUPPLIED, EVENT_RMW_PUBLISH);

	set(record, RMW_PUBLISH__rmw_publisher_handle, rmw_publisher == U64_MAP_NONE ? 0 : rmw_publisher);
	set(record, RMW_PUBLISH__message, thread->intra.message);
	set(record, RMW_PUBLISH__timestamp, (uint64_t)thread->intra.timestamp);
	thread->is_publishing = false;
}

static void rewrite_rclcpp_intra_publish(struct rewrite *rewrite)
{
	struct publication_stamp stamp = publication_stamps_next(rewrite->normalizer->stamps);

	pass(rewrite);
	if (!dresses_intra_process(rewrite)) {
		return;
	}
	rewrite->thread->intra_publisher = rewrite->input->word[RCLCPP_INTRA_PUBLISH__publisher_handle];
	rewrite->thread->intra = (struct intra_message){
		.is_there = true,
		.message = rewrite->input->word[RCLCPP_INTRA_PUBLISH__message],
		.timestamp = stamp.has_inter_process_leg ? stamp.timestamp : make_timestamp(rewrite),
	};
	if (!stamp.has_inter_process_leg) {
		begin_publication(rewrite);
	}
}

/* The slot of a ring buffer, NULL if it is not followed. */
static struct intra_message *find_slot(struct rewrite *rewrite, uint64_t buffer, uint64_t index)
{
	GArray *ring = u64_map_get_pointer(&rewrite->process->rings, buffer);

	if (index >= RING_SLOTS_MAX) {
		return NULL;
	}
	if (!ring) {
		ring = g_array_new(FALSE, TRUE, sizeof(struct intra_message));
		u64_map_set_pointer(&rewrite->process->rings, buffer, ring);
	}
	if (ring->len <= index) {
		g_array_set_size(ring, (guint)index + 1);
	}
	return &g_array_index(ring, struct intra_message, index);
}

static void rewrite_rclcpp_ring_buffer_enqueue(struct rewrite *rewrite)
{
	pass(rewrite);
	if (dresses_intra_process(rewrite)) {
		struct intra_message *slot =
			find_slot(rewrite, rewrite->input->word[RCLCPP_RING_BUFFER_ENQUEUE__buffer],
				  rewrite->input->word[RCLCPP_RING_BUFFER_ENQUEUE__index]);

		if (slot) {
			*slot = rewrite->thread->intra;
		}
	}
}

static void rewrite_rclcpp_ring_buffer_dequeue(struct rewrite *rewrite)
{
	uint64_t buffer = rewrite->input->word[RCLCPP_RING_BUFFER_DEQUEUE__buffer];
	uint64_t object = related(rewrite, OBJECT_OF_IPB, related(rewrite, IPB_OF_BUFFER, buffer));
	uint64_t rmw_subscription =
		related(rewrite, RMW_OF_SUBSCRIPTION, related(rewrite, SUBSCRIPTION_OF_OBJECT, object));
	struct intra_message *slot;

	pass(rewrite);
	if (!dresses_intra_process(rewrite)) {
		return;
	}
	slot = find_slot(rewrite, buffer, rewrite->input->word[RCLCPP_RING_BUFFER_DEQUEUE__index]);
	if (slot && slot->is_there) {
		if (rmw_subscription != U64_MAP_NONE) {
			supply_take(rewrite, rmw_subscription, slot->message, slot->timestamp);
		}
		slot->is_there = false;
	}
}

/* Takes */

static void rewrite_rmw_take(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	struct process *process = rewrite->process;
	uint64_t subscription = related(rewrite, SUBSCRIPTION_OF_RMW, input->word[RMW_TAKE__rmw_subscription_handle]);

	process->has_rmw_take = true;
	rewrite->thread->has_empty_take =
		!input->word[RMW_TAKE__taken] && rewrite->normalizer->options.drops_empty_takes;
	rewrite->thread->empty_message = input->word[RMW_TAKE__message];
	if (rewrite->thread->has_empty_take) {
		return;
	}
	pass(rewrite);
	if (input->word[RMW_TAKE__taken] && process->is_under_caret && !process->has_rclcpp_take &&
	    is_related(rewrite, OBJECT_OF_SUBSCRIPTION, subscription)) {
		set(add(rewrite, NORMALIZED_SUPPLIED, EVENT_RCLCPP_TAKE), RCLCPP_TAKE__message,
		    input->word[RMW_TAKE__message]);
	}
}

/* The upper steps of a take, which come without a message too. */
static void rewrite_upper_take(struct rewrite *rewrite, unsigned int message_slot)
{
	rewrite->process->has_rclcpp_take |= rewrite->input->kind == EVENT_RCLCPP_TAKE;
	if (!rewrite->thread->has_empty_take || rewrite->thread->empty_message != rewrite->input->word[message_slot]) {
		pass(rewrite);
	}
}

static void rewrite_dispatch_subscription_callback(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;
	uint64_t object = related(rewrite, OBJECT_OF_CALLBACK, word[DISPATCH_SUBSCRIPTION_CALLBACK__callback]);
	uint64_t rmw_subscription =
		related(rewrite, RMW_OF_SUBSCRIPTION, related(rewrite, SUBSCRIPTION_OF_OBJECT, object));

	pass(rewrite);
	if (!rewrite->process->has_rmw_take && rmw_subscription != U64_MAP_NONE) {
		supply_take(rewrite, rmw_subscription, word[DISPATCH_SUBSCRIPTION_CALLBACK__message],
			    (int64_t)word[DISPATCH_SUBSCRIPTION_CALLBACK__source_stamp]);
	}
}

static void rewrite_event(struct rewrite *rewrite)
{
	const uint64_t *word = rewrite->input->word;

	switch (rewrite->input->kind) {
	case EVENT_RCL_INIT:
		rewrite_rcl_init(rewrite);
		break;
	case EVENT_RCL_NODE_INIT:
		rewrite_rcl_node_init(rewrite);
		break;
	case EVENT_RMW_PUBLISHER_INIT:
		relate(rewrite, WAITING_RMW_PUBLISHER, word[RMW_PUBLISHER_INIT__rmw_publisher_handle], 0);
		pass(rewrite);
		break;
	case EVENT_RMW_SUBSCRIPTION_INIT:
		relate(rewrite, WAITING_RMW_SUBSCRIPTION, word[RMW_SUBSCRIPTION_INIT__rmw_subscription_handle], 0);
		pass(rewrite);
		break;
	case EVENT_RCL_PUBLISHER_INIT:
		rewrite_rcl_publisher_init(rewrite);
		break;
	case EVENT_RCL_SUBSCRIPTION_INIT:
		rewrite_rcl_subscription_init(rewrite);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_INIT:
		rewrite_rclcpp_subscription_init(rewrite);
		break;
	case EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED:
		rewrite_rclcpp_subscription_callback_added(rewrite);
		break;
	case EVENT_RCLCPP_TIMER_CALLBACK_ADDED:
		rewrite_rclcpp_timer_callback_added(rewrite);
		break;
	case EVENT_RCLCPP_TIMER_LINK_NODE:
		rewrite_rclcpp_timer_link_node(rewrite);
		break;
	case EVENT_RCLCPP_CALLBACK_REGISTER:
		rewrite_rclcpp_callback_register(rewrite);
		break;
	case EVENT_RCLCPP_IPB_TO_SUBSCRIPTION:
		rewrite_rclcpp_ipb_to_subscription(rewrite);
		break;
	case EVENT_RCLCPP_BUFFER_TO_IPB:
		rewrite_rclcpp_buffer_to_ipb(rewrite);
		break;
	case EVENT_CALLBACK_START:
		rewrite_callback_start(rewrite);
		break;
	case EVENT_CALLBACK_END:
		pass_callback(rewrite, CALLBACK_END__callback);
		break;
	case EVENT_RCL_PUBLISH:
		rewrite_rcl_publish(rewrite);
		break;
	case EVENT_RMW_PUBLISH:
	case EVENT_DDS_WRITE:
		rewrite_publication(rewrite);
		break;
	case EVENT_RCLCPP_INTRA_PUBLISH:
		rewrite_rclcpp_intra_publish(rewrite);
		break;
	case EVENT_RCLCPP_RING_BUFFER_ENQUEUE:
		rewrite_rclcpp_ring_buffer_enqueue(rewrite);
		break;
	case EVENT_RCLCPP_RING_BUFFER_DEQUEUE:
		rewrite_rclcpp_ring_buffer_dequeue(rewrite);
		break;
	case EVENT_RMW_TAKE:
		rewrite_rmw_take(rewrite);
		break;
	case EVENT_RCL_TAKE:
		rewrite_upper_take(rewrite, RCL_TAKE__message);
		break;
	case EVENT_RCLCPP_TAKE:
		rewrite_upper_take(rewrite, RCLCPP_TAKE__message);
		break;
	case EVENT_DISPATCH_SUBSCRIPTION_CALLBACK:
		rewrite_dispatch_subscription_callback(rewrite);
		break;
	default:
		pass(rewrite);
		break;
	}
}

/* Events of CARET alone say nothing of a process to those who read ros2 events only. */
static bool needs_version(const struct event_record *record)
{
	return !(record->flags & RECORD_FROM_CARET) ||
	       event_schema_of(record->kind)->providers == EVENT_PROVIDER_BOTH || record->kind == EVENT_DDS_WRITE;
}

void normalizer_rewrite(struct normalizer *normalizer, const struct event_record *record,
			struct normalized_events *events)
{
	struct rewrite rewrite = {
		.normalizer = normalizer,
		.input = record,
		.events = events,
	};

	events->count = 0;
	if (record->kind >= EVENT_KIND_COUNT) {
		if (record->kind == RECORD_GAP) {
			/* what a thread has begun may be lost */
			g_array_set_size(normalizer->threads, 0);
		}
		return;
	}
	rewrite.process = find_process(normalizer, record->thread);
	rewrite.thread = find_thread(normalizer, record->thread);
	rewrite.process->is_under_caret |= is_from_caret(&rewrite);
	if (!rewrite.process->has_version && record->kind != EVENT_RCL_INIT && needs_version(record)) {
		supply_version(&rewrite);
	}
	if (rewrite.thread->is_publishing) {
		end_publication(&rewrite);
	}
	rewrite_event(&rewrite);
}
