/* SPDX-License-Identifier: MIT */
/* The recording as a whole, as the key `trace` and an object. */
#ifndef ROS2BT_JSON_TRACE_H
#define ROS2BT_JSON_TRACE_H

struct json_writer;
struct report_trace;

void json_trace(struct json_writer *json, const struct report_trace *trace);

#endif
