/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_queues.h"

#include "core/base/compare_numbers.h"
#include "core/base/slots.h"

/* After the rows of the process. */
#define QUEUE_RANK (1U << 25)

/* Of steps that wait to be written: 32 MiB. */
#define STEPS_MAX (1U << 21)

struct queue_step {
	int64_t time_ns;
	uint32_t subscription; /* index in the model */
	int32_t change;
};

struct queue {
	int64_t length; /* after the steps that were written */
	bool is_drawn;
};

void timeline_queues_clear(struct timeline_queues *queues)
{
	g_clear_pointer(&queues->steps, g_array_unref);
	g_clear_pointer(&queues->queues, g_array_unref);
}

/* By subscription, then by time; at the same time, what leaves comes first. */
static gint compare_steps(gconstpointer left, gconstpointer right)
{
	const struct queue_step *one = left, *other = right;
	int order = compare_unsigned(one->subscription, other->subscription);

	order = order ? order : compare_integers(one->time_ns, other->time_ns);
	return order ? order : compare_integers(one->change, other->change);
}

static const struct queue_step *step_at(const struct timeline_queues *queues, guint index)
{
	return &g_array_index(queues->steps, struct queue_step, index);
}

static struct queue *queue_of(struct timeline_queues *queues, uint32_t subscription)
{
	return array_at(queues->queues, struct queue, subscription);
}

/* The steps of one subscription, from `begin` to before `end`. */
static void write_queue(struct timeline_queues *queues, guint begin, guint end, struct table_writer *events)
{
	uint32_t subscription = step_at(queues, begin)->subscription;
	struct queue *queue = queue_of(queues, subscription);
	int64_t length = queue->length;

	for (guint i = begin; i < end; i++) {
		length += step_at(queues, i)->change;
		queue->is_drawn |= length >= 2;
	}
	for (guint i = begin; i < end; i++) {
		queue->length += step_at(queues, i)->change;
		if (queue->is_drawn &&
		    (i + 1 == end || step_at(queues, i + 1)->time_ns != step_at(queues, i)->time_ns)) {
			timeline_write_counter(events, timeline_id(TIMELINE_SPACE_QUEUE, subscription, 0),
					       step_at(queues, i)->time_ns, queue->length);
		}
	}
}

/* Those of one subscription up to a time. Returns how many others there are, which follow those that are kept already.
 */
static guint settle_queue(struct timeline_queues *queues, guint begin, guint end, guint kept, int64_t until_ns,
			  struct table_writer *events)
{
	guint settled = begin;

	while (settled < end && step_at(queues, settled)->time_ns <= until_ns) {
		settled++;
	}
	if (settled > begin) {
		write_queue(queues, begin, settled, events);
	}
	for (guint i = settled; i < end; i++, kept++) {
		g_array_index(queues->steps, struct queue_step, kept) = *step_at(queues, i);
	}
	return kept;
}

/* Writes the steps up to a time, and keeps the others. */
static void settle(struct timeline_queues *queues, int64_t until_ns, struct table_writer *events)
{
	guint begin = 0, kept = 0;

	g_array_sort(queues->steps, compare_steps);
	for (guint end = 1; end <= queues->steps->len; end++) {
		if (end == queues->steps->len ||
		    step_at(queues, end)->subscription != step_at(queues, begin)->subscription) {
			kept = settle_queue(queues, begin, end, kept, until_ns, events);
			begin = end;
		}
	}
	g_array_set_size(queues->steps, kept);
	queues->settled_ns = until_ns;
}

static int64_t last_time(const struct timeline_queues *queues)
{
	int64_t last_ns = INT64_MIN;

	for (guint i = 0; i < queues->steps->len; i++) {
		last_ns = MAX(last_ns, step_at(queues, i)->time_ns);
	}
	return last_ns;
}

/*
 * Messages arrive about in the order of their starts, so the first half of the steps is followed by few others of that
 * time. Where that is not so, all are written.
 */
static void make_room(struct timeline_queues *queues, struct table_writer *events)
{
	settle(queues, step_at(queues, STEPS_MAX / 2 - 1)->time_ns, events);
	if (queues->steps->len > STEPS_MAX / 4 * 3) {
		settle(queues, last_time(queues), events);
	}
}

void timeline_queues_add(struct timeline_queues *queues, const struct model_subscription *subscription,
			 int64_t publish_ns, int64_t start_ns, struct table_writer *events)
{
	struct queue_step steps[] = { { publish_ns, subscription->index, 1 }, { start_ns, subscription->index, -1 } };

	if (!queues->steps) {
		queues->steps = g_array_new(FALSE, FALSE, sizeof(struct queue_step));
		queues->queues = g_array_new(FALSE, TRUE, sizeof(struct queue));
		queues->settled_ns = INT64_MIN;
	}
	if (start_ns <= publish_ns || start_ns <= queues->settled_ns) {
		return;
	}
	steps[0].time_ns = MAX(publish_ns, queues->settled_ns);
	g_array_append_vals(queues->steps, steps, G_N_ELEMENTS(steps));
	if (queues->steps->len >= STEPS_MAX) {
		make_room(queues, events);
	}
}

void timeline_queues_finish(struct timeline_queues *queues, struct table_writer *events)
{
	if (queues->steps) {
		settle(queues, INT64_MAX, events);
	}
}

void timeline_queues_write_names(const struct timeline_queues *queues, const struct object_model *model,
				 struct table_writer *tracks)
{
	for (guint i = 0; queues->queues && i < queues->queues->len; i++) {
		const struct model_subscription *subscription = object_model_subscription_at(model, i);
		const char *node = object_model_subscription_node(model, subscription);
		g_autofree char *name = NULL;

		if (!g_array_index(queues->queues, struct queue, i).is_drawn) {
			continue;
		}
		name = g_strdup_printf("%s waiting%s%s", subscription->topic ? subscription->topic : "messages",
				       node ? " for " : "", node ? node : "");
		timeline_write_track(tracks,
				     &(struct timeline_track){
					     .id = timeline_id(TIMELINE_SPACE_QUEUE, i, 0),
					     .parent = timeline_id(TIMELINE_SPACE_PROCESS, subscription->process, 0),
					     .kind = "counter",
					     .name = name,
					     .rank = QUEUE_RANK + i,
				     });
	}
}
