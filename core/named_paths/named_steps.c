/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_steps.h"

#include "core/base/arena_parts.h"

static const size_t step_size = sizeof(struct named_step *);

void named_steps_init(struct named_steps *steps, const struct analysis_context *context)
{
	steps->arena = recording_arena(context->recording);
	steps->diagnostics = context->diagnostics;
	steps->data_index = flow_linker_reserve(context->flows);
	arena_pool(steps->arena, &steps->steps, sizeof(struct named_step));
	arena_pool(steps->arena, &steps->carries, sizeof(struct named_carry));
	named_stamps_init(&steps->stamps, steps->arena);
}

struct named_carry *named_steps_carry(struct named_steps *steps, struct flow_execution *execution)
{
	void **data = &execution->data[steps->data_index];

	if (!*data) {
		*data = object_pool_take(&steps->carries);
	}
	return *data;
}

struct named_step *named_steps_create(struct named_steps *steps, struct named_way *way, struct named_step *before,
				      const struct flow_execution *execution)
{
	struct named_step *step = object_pool_take(&steps->steps);

	step->way = way;
	step->before = before;
	step->references = 1;
	step->publish_ns = step->take_ns = step->start_ns = NAMED_NO_TIME;
	step->is_released = !execution;
	if (execution) {
		step->execution = execution;
		step->start_ns = execution->start_ns;
	} else {
		step->end_ns = NAMED_NO_TIME;
	}
	if (before) {
		before->references++;
		step->origin_ns = before->origin_ns;
		step->stamp_ns = before->stamp_ns;
	}
	return step;
}

/* Whether the trace shows when the flow of a publication begins: with its callback, if the path includes that. */
static bool has_origin(const struct named_way *way, const struct flow_publication *publication)
{
	return !way->has_first_callback || publication->has_direct_parent || !publication->has_lost_origin;
}

struct named_step *named_steps_begin(struct named_steps *steps, struct named_way *first,
				     const struct flow_publication *publication)
{
	const struct flow_execution *callback = publication->has_direct_parent ? publication->parents[0] : NULL;
	struct named_step *step;

	if (!has_origin(first, publication)) {
		return NULL;
	}
	step = named_steps_create(steps, first, NULL, NULL);
	step->origin_ns = publication->first_ns;
	step->stamp_ns = named_stamps_of(&steps->stamps, publication);
	step->start_ns = callback ? callback->start_ns : NAMED_NO_TIME;
	step->end_ns = callback && callback->is_complete ? callback->end_ns : NAMED_NO_TIME;
	if (callback && first->has_first_callback) {
		step->origin_ns = callback->start_ns;
	}
	return step;
}

/* Iterative: a chain may be long. */
void named_steps_release(struct named_steps *steps, struct named_step *step)
{
	while (step && --step->references == 0) {
		struct named_step *before = step->before;

		object_pool_give(&steps->steps, step);
		step = before;
	}
}

/* The array with room for one more, possibly moved; NULL at the limit. */
static void *with_room(const struct named_steps *steps, void *array, uint16_t count, uint16_t *room, size_t size,
		       uint16_t limit)
{
	uint16_t more = *room ? (uint16_t)MIN(2 * *room, limit) : 4;

	if (count < *room) {
		return array;
	}
	if (count == limit) {
		return NULL;
	}
	array = arena_grow(steps->arena, array, *room * size, more * size);
	*room = more;
	return array;
}

void named_steps_add(struct named_steps *steps, struct named_carry *carry, struct named_step *step)
{
	struct named_step **array =
		with_room(steps, carry->steps, carry->step_count, &carry->step_room, step_size, NAMED_STEPS_MAX);

	if (!array) {
		diagnostics_add(steps->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "ways to one callback execution", 1);
		named_steps_release(steps, step);
		return;
	}
	carry->steps = array;
	carry->steps[carry->step_count++] = step;
}

void named_steps_add_send(struct named_steps *steps, struct named_carry *carry, const struct named_send *send)
{
	struct named_send *array = with_room(steps, carry->sends, carry->send_count, &carry->send_room,
					     sizeof(*carry->sends), NAMED_SENDS_MAX);

	if (!array) {
		diagnostics_add(steps->diagnostics, DIAGNOSTIC_PATHS_CAPPED, "messages of one callback execution", 1);
		return;
	}
	carry->sends = array;
	carry->sends[carry->send_count++] = *send;
}

void named_steps_forget(struct named_steps *steps, struct flow_execution *execution)
{
	struct named_carry *carry = execution->data[steps->data_index];

	if (!carry) {
		return;
	}
	for (unsigned int i = 0; i < carry->step_count; i++) {
		struct named_step *step = carry->steps[i];

		step->end_ns = named_step_end_ns(step);
		step->is_released = true;
		named_steps_release(steps, step);
	}
	arena_give(steps->arena, carry->steps, carry->step_room * step_size);
	arena_give(steps->arena, carry->sends, carry->send_room * sizeof(*carry->sends));
	object_pool_give(&steps->carries, carry);
	execution->data[steps->data_index] = NULL;
}
