/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_endings.h"

#define NAMED_DEPTH_MAX 1000 /* nodes of one path whose points are written down */

void named_endings_init(struct named_endings *endings, struct named_results *results, struct named_steps *steps)
{
	endings->results = results;
	endings->steps = steps;
	endings->points = arena_take(results->arena, NAMED_DEPTH_MAX * sizeof(struct named_point));
}

/* The points up to a step, from the first node on; room for one more is left. */
static size_t points_of(struct named_endings *endings, const struct named_step *last)
{
	size_t count = last ? last->way->depth + 1 : 0, index = count;
	bool is_kept = false;

	for (const struct named_step *step = last; step; step = step->before) {
		if (--index < NAMED_DEPTH_MAX) {
			endings->points[index] = (struct named_point){
				.publish_ns = step->publish_ns,
				.take_ns = step->take_ns,
				.start_ns = step->start_ns,
				.end_ns = named_step_end_ns(step),
				.is_kept = is_kept,
			};
		}
		is_kept = step->is_indirect;
	}
	return MIN(count, NAMED_DEPTH_MAX);
}

void named_endings_complete(struct named_endings *endings, const struct named_way *way, const struct named_step *last,
			    int64_t end_ns)
{
	named_results_add_flow(endings->results, way->end,
			       &(struct named_flow){
				       .outcome = NAMED_COMPLETE,
				       .start_ns = last->origin_ns,
				       .stamp_ns = last->stamp_ns,
				       .end_ns = end_ns,
				       .points = endings->points,
				       .point_count = points_of(endings, last),
				       .last_publish_ns = way->node ? NAMED_NO_TIME : end_ns,
			       });
}

void named_endings_break_off(struct named_endings *endings, const struct named_way *way, const struct named_step *last,
			     enum named_outcome outcome, int64_t publish_ns)
{
	size_t count = points_of(endings, last);

	if (publish_ns != NAMED_NO_TIME && count < NAMED_DEPTH_MAX) {
		endings->points[count++] =
			(struct named_point){ publish_ns, NAMED_NO_TIME, NAMED_NO_TIME, NAMED_NO_TIME, false };
	}
	for (guint i = 0; i < way->paths->len; i++) {
		named_results_add_flow(endings->results, g_ptr_array_index(way->paths, i),
				       &(struct named_flow){
					       .outcome = outcome,
					       .start_ns = last->origin_ns,
					       .stamp_ns = last->stamp_ns,
					       .end_ns = NAMED_NO_TIME,
					       .points = endings->points,
					       .point_count = count,
					       .last_publish_ns = NAMED_NO_TIME,
				       });
	}
}

/* A message that was taken without a callback: a flow may end there, and cannot be followed any further. */
static void end_by_take(struct named_endings *endings, struct named_step *step, struct named_way *way,
			const struct named_send *send)
{
	struct named_step *last = named_steps_create(endings->steps, way, step, NULL);

	last->publish_ns = send->publish_ns;
	last->take_ns = send->take_ns;
	if (way->end) {
		named_endings_complete(endings, way, last, send->take_ns);
	} else {
		named_endings_break_off(endings, way, last, NAMED_UNKNOWN, NAMED_NO_TIME);
	}
	named_steps_release(endings->steps, last);
}

void named_endings_by_send(struct named_endings *endings, struct named_step *step, struct named_way *way,
			   const struct named_send *send)
{
	switch (send->fate) {
	case NAMED_SENT_ON:
		break;
	case NAMED_SENT_OUT:
		named_endings_complete(endings, way, step, send->publish_ns);
		break;
	case NAMED_SENT_TAKEN:
		end_by_take(endings, step, way, send);
		break;
	case NAMED_SENT_LOST:
		named_endings_break_off(endings, way, step, NAMED_LOST, send->publish_ns);
		break;
	case NAMED_SENT_OVERWRITTEN:
		named_endings_break_off(endings, way, step, NAMED_STOPPED, send->publish_ns);
		break;
	case NAMED_SENT_UNKNOWN:
		named_endings_break_off(endings, way, step, NAMED_UNKNOWN, send->publish_ns);
		break;
	}
}
