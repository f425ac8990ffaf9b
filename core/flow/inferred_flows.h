/* SPDX-License-Identifier: MIT */
/*
 * Flows through nodes without rclcpp: each inferred execution (inferred_executions.h) becomes an execution of kind
 * CALLBACK_KIND_INFERRED, whose cause is the message taken. Publications are not its own: it is a candidate for those
 * that its thread makes while it is open (provenance.h). Its end is unknown; in flows it ends where it begins, so that
 * no time is taken for its duration.
 */
#ifndef ROS2BT_FLOW_INFERRED_H
#define ROS2BT_FLOW_INFERRED_H

#include "core/flow/state.h"

/* Call once, before the first record. `inferred` must outlive the linker. */
void inferred_flows_listen(struct flow_linker *linker, struct inferred_executions *inferred);

#endif
