/* SPDX-License-Identifier: MIT */
/*
 * Inferred executions in flows: a take that stands for a callback makes an execution of kind CALLBACK_KIND_INFERRED,
 * whose cause is the message taken. It has no publications of its own: it is a candidate of those that its thread makes
 * (provenance.h). Its end is not known; in flows it ends where it begins, so that nothing of it is taken for a
 * duration.
 */
#ifndef ROS2BT_FLOW_INFERRED_H
#define ROS2BT_FLOW_INFERRED_H

#include "core/flow/state.h"

void inferred_flows_listen(struct flow_linker *linker, struct inferred_executions *inferred);

#endif
