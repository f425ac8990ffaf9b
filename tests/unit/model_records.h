/* SPDX-License-Identifier: MIT */
/*
 * A recording of one thread with an object model, for unit tests of the model. Include it in one file of a test only.
 */
#ifndef TESTS_UNIT_MODEL_RECORDS_H
#define TESTS_UNIT_MODEL_RECORDS_H

#include "records.h"
#include "ros2bt/model/object_model.h"

static struct object_model *model;
static uint32_t thread, process;

static inline void model_setup(void)
{
	recording_setup();
	thread = add_thread(add_trace("trace"), 7, 7);
	process = process_of(thread);
	model = object_model_create(recording);
}

static inline void model_teardown(void)
{
	object_model_destroy(model);
	recording_teardown();
}

#endif
