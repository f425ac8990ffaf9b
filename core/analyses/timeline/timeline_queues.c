/* SPDX-License-Identifier: MIT */
#include "core/analyses/timeline/timeline_queues.h"

#include "core/base/compare_numbers.h"

/* After the rows of the process. */
#define QUEUE_RANK (1U << 25)

struct queue_step {
	int64_t time_ns;
	uint32_t subscription; /* index in the model */
	int32_t change;
};

void timeline_queues_clear(struct timeline_queues *queues)
{
	g_clear_pointer(&queues->steps, g_array_unref);
	g_clear_pointer(&queues->drawn, g_array_unref);
}

void timeline_queues_add(struct timeline_queues *queues, const struct model_subscription *subscription,
			 int64_t publish_ns, int64_t start_ns)
{
	struct queue_step steps[] = { { publish_ns, subscription->index, 1 }, { start_ns, subscription->index, -1 } };

	if (!queues->steps) {
		queues->steps = g_array_new(FALSE, FALSE, sizeof(struct queue_step));
	}
	if (start_ns > publish_ns) {
		g_array_append_vals(queues->steps, steps, G_N_ELEMENTS(steps));
	}
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

/* The steps of one subscription, from `begin` to before `end`. */
static void write_queue(struct timeline_queues *queues, guint begin, guint end, struct table_writer *events)
{
	uint32_t subscription = step_at(queues, begin)->subscription;
	int64_t length = 0, peak = 0;

	for (guint i = begin; i < end; i++) {
		length += step_at(queues, i)->change;
		peak = MAX(peak, length);
	}
	if (peak < 2) {
		return;
	}
	if (queues->drawn->len <= subscription) {
		g_array_set_size(queues->drawn, subscription + 1);
	}
	g_array_index(queues->drawn, bool, subscription) = true;
	for (guint i = begin; i < end; i++) {
		length += step_at(queues, i)->change;
		if (i + 1 == end || step_at(queues, i + 1)->time_ns != step_at(queues, i)->time_ns) {
			timeline_write_counter(events, timeline_id(TIMELINE_SPACE_QUEUE, subscription, 0),
					       step_at(queues, i)->time_ns, length);
		}
	}
}

void timeline_queues_finish(struct timeline_queues *queues, struct table_writer *events)
{
	guint begin = 0;

	if (!queues->steps) {
		return;
	}
	queues->drawn = g_array_new(FALSE, TRUE, sizeof(bool));
	g_array_sort(queues->steps, compare_steps);
	for (guint end = 1; end <= queues->steps->len; end++) {
		if (end == queues->steps->len ||
		    step_at(queues, end)->subscription != step_at(queues, begin)->subscription) {
			write_queue(queues, begin, end, events);
			begin = end;
		}
	}
}

void timeline_queues_write_names(const struct timeline_queues *queues, const struct object_model *model,
				 struct table_writer *tracks)
{
	for (guint i = 0; queues->drawn && i < queues->drawn->len; i++) {
		const struct model_subscription *subscription = object_model_subscription_at(model, i);
		const char *node = object_model_subscription_node(model, subscription);
		g_autofree char *name = NULL;

		if (!g_array_index(queues->drawn, bool, i)) {
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
