/* SPDX-License-Identifier: MIT */
#include "core/analyses/lifecycle/lifecycle_nodes.h"

/* A unique key for each address of a process: addresses of user space have 47 bits. */
static uint64_t key_of(uint32_t process, uint64_t address)
{
	return address ^ (uint64_t)process << 48;
}

static struct lifecycle_node *add_node(struct lifecycle *lifecycle, uint32_t process, uint64_t address)
{
	struct row_store *nodes = &lifecycle->analysis.rows;
	struct lifecycle_node *node = row_store_add(nodes);
	gpointer *newest = slot_at(lifecycle->by_process, process);

	node->before = *newest;
	*newest = node;
	node->index = nodes->rows->len - 1;
	node->process = process;
	node->address = address;
	u64_map_set_pointer(&nodes->by_key, key_of(process, address), node);
	return node;
}

static void set_machine(struct lifecycle *lifecycle, struct lifecycle_node *node, struct model_state_machine *machine)
{
	node->machine = machine;
	*slot_at(lifecycle->by_machine, machine->index) = node;
}

struct lifecycle_node *lifecycle_node_of(struct lifecycle *lifecycle, struct model_state_machine *machine)
{
	struct lifecycle_node *node = slot_get(lifecycle->by_machine, machine->index);
	struct recording *recording = lifecycle->analysis.context.recording;

	if (node) {
		return node;
	}
	node = u64_map_get_pointer(&lifecycle->analysis.rows.by_key, key_of(machine->process, machine->handle));
	if (node && !node->machine) {
		/* defined late */
		set_machine(lifecycle, node, machine);
		return node;
	}
	if (node && !node->has_ended) {
		node->has_ended = true;
		node->end_ns = machine->since_ns;
	}
	node = add_node(lifecycle, machine->process, machine->handle);
	set_machine(lifecycle, node, machine);
	node->has_state = true;
	node->state = string_pool_intern(recording_pool(recording), LIFECYCLE_INITIAL_STATE);
	node->since_ns = machine->since_ns;
	return node;
}

struct lifecycle_node *lifecycle_node_at(struct lifecycle *lifecycle, uint32_t process, uint64_t address,
					 int64_t time_ns)
{
	struct model_state_machine *machine =
		object_model_find_state_machine(lifecycle->analysis.context.model, process, address, time_ns);
	struct lifecycle_node *node;

	if (machine) {
		return lifecycle_node_of(lifecycle, machine);
	}
	node = u64_map_get_pointer(&lifecycle->analysis.rows.by_key, key_of(process, address));
	return node ? node : add_node(lifecycle, process, address);
}

/* A state of the node; added if new. `label` as in struct lifecycle_state. */
static struct lifecycle_state *state_of(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *label)
{
	struct lifecycle_state **link = &node->states;

	while (*link && (*link)->label != label) {
		link = &(*link)->next;
	}
	if (!*link) {
		*link = arena_take(recording_arena(lifecycle->analysis.context.recording), sizeof(**link));
		(*link)->label = label;
		duration_statistics_init(&(*link)->time, recording_arena(lifecycle->analysis.context.recording));
	}
	return *link;
}

struct lifecycle_topic *lifecycle_topic_of(struct lifecycle *lifecycle, struct lifecycle_topic **list,
					   const struct model_publisher *publisher, const char *state)
{
	while (*list && ((*list)->publisher != publisher || (*list)->state != state)) {
		list = &(*list)->next;
	}
	if (!*list) {
		*list = arena_take(recording_arena(lifecycle->analysis.context.recording), sizeof(**list));
		(*list)->publisher = publisher;
		(*list)->state = state;
	}
	return *list;
}

void lifecycle_node_end_stay(struct lifecycle *lifecycle, struct lifecycle_node *node, const char *label,
			     int64_t end_ns)
{
	struct lifecycle_state *state = state_of(lifecycle, node, label);
	int64_t begin_ns = node->since_ns;

	state->entries += analysis_options_include(lifecycle->analysis.context.options, node->since_ns);
	if (lifecycle_clip(lifecycle, &begin_ns, &end_ns)) {
		duration_statistics_add(&state->time, end_ns - begin_ns, begin_ns);
		state->doubtful += node->is_doubtful;
	}
	for (struct lifecycle_topic *topic = node->stay; topic; topic = topic->next) {
		if (topic->count > 0) {
			state->published += topic->count;
			lifecycle_topic_add(lifecycle_topic_of(lifecycle, &node->topics, topic->publisher, label),
					    topic->count, topic->first_ns);
			topic->count = 0;
		}
	}
}

const char *lifecycle_node_name(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return node->machine ? object_model_state_machine_node(lifecycle->analysis.context.model, node->machine) : NULL;
}

bool lifecycle_clip(const struct lifecycle *lifecycle, int64_t *begin_ns, int64_t *end_ns)
{
	const struct time_range *range = &lifecycle->analysis.context.options->range;

	*begin_ns = MAX(*begin_ns, *lifecycle->analysis.context.begin_ns);
	if (range->has_begin) {
		*begin_ns = MAX(*begin_ns, range->begin_ns);
	}
	if (range->has_end) {
		*end_ns = MIN(*end_ns, range->end_ns);
	}
	return *begin_ns <= *end_ns;
}

const char *lifecycle_node_present_state(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	return lifecycle->transitions > 0 ? node->state : NULL;
}

const char *lifecycle_state_text(const char *label)
{
	return label ? label : "unknown";
}

GArray *lifecycle_topics_of(const struct lifecycle *lifecycle, const struct lifecycle_node *node)
{
	GArray *topics = g_array_new(FALSE, FALSE, sizeof(struct lifecycle_topic));

	for (const struct lifecycle_topic *topic = node->topics; topic; topic = topic->next) {
		g_array_append_val(topics, *topic);
	}
	for (const struct lifecycle_topic *topic = node->stay; topic; topic = topic->next) {
		struct lifecycle_topic present = *topic;
		guint i = 0;

		present.state = lifecycle_node_present_state(lifecycle, node);
		while (i < topics->len &&
		       (g_array_index(topics, struct lifecycle_topic, i).publisher != present.publisher ||
			g_array_index(topics, struct lifecycle_topic, i).state != present.state)) {
			i++;
		}
		if (i < topics->len) {
			g_array_index(topics, struct lifecycle_topic, i).count += present.count;
		} else if (present.count > 0) {
			g_array_append_val(topics, present);
		}
	}

	return topics;
}
