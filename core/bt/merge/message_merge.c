/* SPDX-License-Identifier: MIT */
#include "core/bt/merge/message_merge.h"

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>

#include "core/bt/clock_identity.h"
#include "core/bt/merge/message_order.h"
#include "ros2bt/bt/message_time.h"
#include "ros2bt/bt/component_log.h"

/* A port. */
struct input {
	bt_message_iterator *iterator;	 /* owned */
	bt_message_array_const messages; /* the iterator's; references from `next` on */
	uint64_t next, count;
	guint rank; /* order of the ports */
};

/* An input that has a message, and the time of that. */
struct head {
	int64_t time_ns;
	struct input *input;
};

struct message_merge {
	bt_self_component *component;
	uint64_t mip_version;
	GPtrArray *inputs;  /* struct input *, owned */
	GPtrArray *waiting; /* struct input *: have no message, and may get more */
	struct head *heads; /* a heap, the first message at 0 */
	guint head_count;
	bool is_first_given;		   /* heads[0] is still that of the last message */
	int64_t last_ns;		   /* time of the last message */
	const bt_clock_class *clock_class; /* a reference; the first one seen */
};

bt_self_component_add_port_status message_merge_add_port(bt_self_component_sink *self)
{
	const bt_component_sink *sink = bt_self_component_sink_as_component_sink(self);
	uint64_t count = bt_component_sink_get_input_port_count(sink);
	g_autofree char *name = count == 0 ? g_strdup("in") : g_strdup_printf("in%" PRIu64, count);

	return bt_self_component_sink_add_input_port(self, name, NULL, NULL);
}

static void drop_messages(struct input *input)
{
	for (; input->next < input->count; input->next++) {
		bt_message_put_ref(input->messages[input->next]);
	}
	input->next = input->count = 0;
}

static void input_destroy(gpointer data)
{
	struct input *input = data;

	drop_messages(input);
	bt_message_iterator_put_ref(input->iterator);
	g_free(input);
}

void message_merge_destroy(struct message_merge *merge)
{
	if (!merge) {
		return;
	}
	g_ptr_array_free(merge->waiting, TRUE);
	g_ptr_array_free(merge->inputs, TRUE);
	bt_clock_class_put_ref(merge->clock_class);
	g_free(merge->heads);
	g_free(merge);
}

static bool is_connected(bt_self_component_port_input *port)
{
	return bt_port_is_connected(
		bt_self_component_port_as_port(bt_self_component_port_input_as_self_component_port(port)));
}

static void add_input(struct message_merge *merge, bt_message_iterator *iterator)
{
	struct input *input = g_new0(struct input, 1);

	input->iterator = iterator;
	input->rank = merge->inputs->len;
	g_ptr_array_add(merge->inputs, input);
	g_ptr_array_add(merge->waiting, input);
}

static bt_message_iterator_create_from_sink_component_status add_inputs(struct message_merge *merge,
									bt_self_component_sink *self)
{
	const bt_component_sink *sink = bt_self_component_sink_as_component_sink(self);
	uint64_t count = bt_component_sink_get_input_port_count(sink);

	for (uint64_t i = 0; i < count; i++) {
		bt_self_component_port_input *port = bt_self_component_sink_borrow_input_port_by_index(self, i);
		bt_message_iterator_create_from_sink_component_status status;
		bt_message_iterator *iterator;

		if (!is_connected(port)) {
			continue;
		}
		status = bt_message_iterator_create_from_sink_component(self, port, &iterator);
		if (status != BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK) {
			return status;
		}
		add_input(merge, iterator);
	}
	if (merge->inputs->len == 0) {
		component_error(merge->component, "no input port is connected: connect at least `in`");
		return BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_ERROR;
	}
	return BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK;
}

bt_component_class_sink_graph_is_configured_method_status message_merge_create(bt_self_component_sink *self,
									       struct message_merge **merge)
{
	bt_self_component *component = bt_self_component_sink_as_self_component(self);
	struct message_merge *created = g_new0(struct message_merge, 1);
	bt_message_iterator_create_from_sink_component_status status;

	created->component = component;
	created->mip_version = bt_self_component_get_graph_mip_version(component);
	created->inputs = g_ptr_array_new_with_free_func(input_destroy);
	created->waiting = g_ptr_array_new();
	created->last_ns = INT64_MIN;
	status = add_inputs(created, self);
	created->heads = g_new(struct head, created->inputs->len);
	if (status == BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK) {
		*merge = created;
	} else {
		message_merge_destroy(created);
	}
	/* the status enumerations give one meaning one number (func-status.h) */
	return (int)status;
}

/* The heap */

static inline bool is_before(const struct message_merge *merge, const struct head *one, const struct head *other)
{
	const struct input *left = one->input, *right = other->input;
	int order;

	if (G_LIKELY(one->time_ns != other->time_ns)) {
		return one->time_ns < other->time_ns;
	}
	order = message_order(left->messages[left->next], right->messages[right->next], merge->mip_version);
	return order != 0 ? order < 0 : left->rank < right->rank;
}

/* Replaces the first head and restores the heap. */
static inline void replace_first(struct message_merge *merge, struct head moved)
{
	struct head *heads = merge->heads;
	guint at = 0;

	for (;;) {
		guint child = 2 * at + 1;

		if (child + 1 < merge->head_count && is_before(merge, &heads[child + 1], &heads[child])) {
			child++;
		}
		if (child >= merge->head_count || !is_before(merge, &heads[child], &moved)) {
			break;
		}
		heads[at] = heads[child];
		at = child;
	}
	heads[at] = moved;
}

static void remove_first(struct message_merge *merge)
{
	merge->head_count--;
	if (merge->head_count > 0) {
		replace_first(merge, merge->heads[merge->head_count]);
	}
}

static void insert(struct message_merge *merge, struct head added)
{
	struct head *heads = merge->heads;
	guint at = merge->head_count++;

	while (at > 0 && is_before(merge, &added, &heads[(at - 1) / 2])) {
		heads[at] = heads[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heads[at] = added;
}

/* The inputs */

/* Whether the clock of a stream, or of an inactivity message, can be compared with those before; NULL can. */
static bool check_clock(struct message_merge *merge, const bt_clock_class *clock_class)
{
	if (!clock_class || clock_class == merge->clock_class) {
		return true;
	}
	if (!merge->clock_class) {
		bt_clock_class_get_ref(clock_class);
		merge->clock_class = clock_class;
		return true;
	}
	if (clocks_have_same_origin(clock_class, merge->clock_class, merge->mip_version)) {
		return true;
	}
	component_error(merge->component,
			"the clocks of two streams have different origins: their times cannot be compared");
	return false;
}

static const bt_clock_class *clock_class_of_stream(const bt_message *message)
{
	return bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(bt_message_stream_beginning_borrow_stream_const(message)));
}

static bool is_clock_good(struct message_merge *merge, const bt_message *message)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return check_clock(merge, clock_class_of_stream(message));
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return check_clock(
			merge, bt_clock_snapshot_borrow_clock_class_const(
				       bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message)));
	default:
		return true;
	}
}

/* False, with a cause that names the stream: source.ctf.fs gives it the name of its first file. */
static bool refuse_backwards(const struct message_merge *merge, const bt_message *message, int64_t time_ns)
{
	const bt_stream *stream = message_order_stream(message);
	const char *name = stream ? bt_stream_get_name(stream) : NULL;

	component_error(merge->component, "the time of %s%s goes backwards from %" PRId64 " to %" PRId64 " ns",
			name ? "the stream " : "a stream", name ? name : "", merge->last_ns, time_ns);
	return false;
}

/* The next message of an input becomes its head. */
static inline bool find_head(struct message_merge *merge, struct input *input, struct head *head)
{
	const bt_message *message = input->messages[input->next];

	head->input = input;
	switch (message_time(message, &head->time_ns)) {
	case MESSAGE_TIME_NONE:
		head->time_ns = merge->last_ns;
		break;
	case MESSAGE_TIME_KNOWN:
		if (G_LIKELY(head->time_ns >= merge->last_ns)) {
			break;
		}
		return refuse_backwards(merge, message, head->time_ns);
	case MESSAGE_TIME_BEYOND:
		component_error(merge->component,
				"a message has a time beyond 64-bit nanoseconds (years 1677 to 2262)");
		return false;
	}
	return is_clock_good(merge, message);
}

/* Replaces the last message by the next one of its input. */
static inline bool go_on(struct message_merge *merge)
{
	struct input *input = merge->heads[0].input;
	struct head head;

	merge->is_first_given = false;
	if (G_UNLIKELY(input->next == input->count)) {
		remove_first(merge);
		g_ptr_array_add(merge->waiting, input);
		return true;
	}
	if (G_UNLIKELY(!find_head(merge, input, &head))) {
		return false;
	}
	replace_first(merge, head);
	return true;
}

static bt_message_iterator_next_status read_batch(struct message_merge *merge, struct input *input)
{
	bt_message_iterator_next_status status =
		bt_message_iterator_next(input->iterator, &input->messages, &input->count);
	struct head head;

	input->next = 0;
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
		input->count = 0;
		return status;
	}
	if (!find_head(merge, input, &head)) {
		return BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
	}
	insert(merge, head);
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}

/* Waits until each input that has not ended has a message. */
static bt_message_iterator_next_status read_batches(struct message_merge *merge)
{
	while (merge->waiting->len > 0) {
		guint last = merge->waiting->len - 1;
		bt_message_iterator_next_status status = read_batch(merge, g_ptr_array_index(merge->waiting, last));

		if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK && status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END) {
			return status;
		}
		g_ptr_array_set_size(merge->waiting, (gint)last);
	}
	return merge->head_count > 0 ? BT_MESSAGE_ITERATOR_NEXT_STATUS_OK : BT_MESSAGE_ITERATOR_NEXT_STATUS_END;
}

/* Nothing to merge: upstream messages pass unchanged, without a look at their times. */
static bt_message_iterator_next_status next_of_only(struct input *input, const bt_message **message)
{
	if (G_UNLIKELY(input->next == input->count)) {
		bt_message_iterator_next_status status =
			bt_message_iterator_next(input->iterator, &input->messages, &input->count);

		input->next = 0;
		if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
			input->count = 0;
			return status;
		}
	}
	*message = input->messages[input->next++];
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}

bt_message_iterator_next_status message_merge_next(struct message_merge *merge, const bt_message **message)
{
	if (merge->inputs->len == 1) {
		return next_of_only(merge->inputs->pdata[0], message);
	}
	if (G_LIKELY(merge->is_first_given) && G_UNLIKELY(!go_on(merge))) {
		return BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
	}
	if (G_UNLIKELY(merge->waiting->len > 0 || merge->head_count == 0)) {
		bt_message_iterator_next_status status = read_batches(merge);

		if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
			return status;
		}
	}
	*message = merge->heads[0].input->messages[merge->heads[0].input->next++];
	merge->last_ns = merge->heads[0].time_ns;
	merge->is_first_given = true;
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_OK;
}

/* --- from the beginning --- */

/* The status enumerations give one meaning one number (func-status.h). */
static bt_message_iterator_seek_beginning_status go_back(const struct message_merge *merge, struct input *input)
{
	bt_bool can_seek = BT_FALSE;
	bt_message_iterator_can_seek_beginning_status status =
		bt_message_iterator_can_seek_beginning(input->iterator, &can_seek);

	if (status != BT_MESSAGE_ITERATOR_CAN_SEEK_BEGINNING_STATUS_OK) {
		return (int)status;
	}
	if (!can_seek) {
		component_error(merge->component, "a component upstream cannot go back to its beginning");
		return BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_ERROR;
	}
	return bt_message_iterator_seek_beginning(input->iterator);
}

bt_message_iterator_seek_beginning_status message_merge_go_back(struct message_merge *merge)
{
	g_ptr_array_set_size(merge->waiting, 0);
	merge->head_count = 0;
	merge->is_first_given = false;
	merge->last_ns = INT64_MIN;
	for (guint i = 0; i < merge->inputs->len; i++) {
		struct input *input = g_ptr_array_index(merge->inputs, i);
		bt_message_iterator_seek_beginning_status status = go_back(merge, input);

		if (status != BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK) {
			return status;
		}
		drop_messages(input);
		g_ptr_array_add(merge->waiting, input);
	}
	return BT_MESSAGE_ITERATOR_SEEK_BEGINNING_STATUS_OK;
}
