/* SPDX-License-Identifier: MIT */
/*
 * Runs the threads of a process: each waits for work as rclcpp's executors do, takes messages, calls callbacks, and
 * publishes, with the events of rclcpp, rcl and rmw in their order.
 */
#ifndef RECORDER_EXECUTOR_H
#define RECORDER_EXECUTOR_H

#include "tracepoints.h"
#include "transport.h"

/* Returns when the run is over and no message is left on its way. */
void executor_run(struct transport *transport, const struct tracepoints *tracepoints, uint32_t process);

#endif
