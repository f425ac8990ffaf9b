/* SPDX-License-Identifier: MIT */
/*
 * Numbers of objects that have the same names: the publishers of one topic in a node, say, or the lives of a component
 * that was loaded several times. Objects are numbered from 1 in the order in which they began to exist, among those of
 * the same host, process id, node and kind with the same topic, service, period or action; an object that is the only
 * one has no number. Periods are the same if they read the same (human_text.h). An object whose definition was lost may
 * be of any node and have any name, and rows take its topic from the other side (communications): all of a process
 * without a node count as one if any of them has no name. A callback has the number of its subscription, timer or
 * service, and one that has none of these (unknown ones) its own. If several are of one subscription, as the definition
 * of a later one was lost, each has a number of its own as well: "1.2".
 *
 * One numbering serves all tables (analysis_context.numbers), so that a number means the same in each. Cost: nothing
 * until it is asked for, then O(objects of the kind), and a sort of those with equal names, whenever definitions were
 * added since.
 */
#ifndef ROS2BT_OBJECT_NUMBERS_H
#define ROS2BT_OBJECT_NUMBERS_H

#include "ros2bt/events/recording.h"
#include "ros2bt/model/object_model.h"

struct object_numbers;

/* In the recording's arena. The model is borrowed. */
struct object_numbers *object_numbers_create(struct recording *recording, struct object_model *model);

/* Of an object of any kind but MODEL_CALLBACK; 0: the only one, or NULL. */
uint32_t object_numbers_of(struct object_numbers *numbers, enum model_kind kind, const struct model_object *object);

/*
 * Which of several callbacks of the same names: "2", "intra" for that of the intra-process part of a subscription,
 * "2 intra", "2.1", or NULL if it is the only one. To be freed.
 */
char *object_numbers_callback(struct object_numbers *numbers, struct model_callback *callback);

#endif
