/* SPDX-License-Identifier: MIT */
/*
 * The table of events, with a row for each event and for each field of its payload: all tracepoints of ros2_tracing
 * (`ros2:*`) and CARET (`ros2_caret:*`) of all releases, those of other providers that an analysis reads, and those of the
 * Linux kernel that show where threads run. Kinds, record slots, decode plans, the distinction between initialization and
 * runtime, docs/events.md, `babeltrace2 query` and the test recorder derive from it.
 *
 * This file is included several times. The includer defines the macros; all are undefined at the end of the file.
 *
 *   EVENT(KIND, name, PROVIDERS, CLASS, FIRST, LAST, text)
 *     PROVIDERS  ROS2 (`ros2:name`), CARET (`ros2_caret:name`) or BOTH; both providers' twins share one kind. R2R
 *                (`r2r:name`). AGNOCAST (`agnocast:name`) or AGNOCAST_OR_CARET, twins as well. LIBC
 *                (`lttng_ust_libc:name`). KERNEL: the name as it is, without a provider (LTTng-modules).
 *     CLASS      INIT: defines an object. MARK: neither a definition nor a runtime event (caret_init). RUNTIME: happens
 *                while the system runs. POLL: a RUNTIME event of the executor's idle loop. SYSTEM: an event of the
 *                kernel on a CPU; see recording_stream_cpu(), and struct event_record for its thread.
 *     FIRST, LAST  releases that have it, see enum release; for events of the kernel, releases of LTTng-modules.
 *     A name that ends in `_` matches all names that begin with it.
 *   ALSO(KIND, name)
 *     The name of the event in older releases. Defining this macro is optional.
 *   FIELD(KIND, name, slot, TYPE, FIRST, LAST)
 *     slot  index of the field's word in struct event_record, or SKIP when no analysis needs it. Fields that
 *           were renamed share a slot. A field is required only in its releases; an event class is matched by the fields
 *           that it has (see event_schema_match()), never by a version number.
 *     TYPE  ADDRESS, U64, I64, I32, STRING (also an array of characters), GID (array of bytes), ADDRESSES (sequence).
 *           NAME is not a field of the payload but a STRING from the event's name, after the final `_` of the row's name.
 *           The type defines what the word means; readers take size and signedness from the trace.
 *
 * Since CARET v0.4, every CARET event of class INIT has a last field `init_timestamp` (I64, ticks of the trace's clock),
 * which the rows omit. tests/unit/events/test_event_schema.c checks the table.
 *
 * Sources: ros2_tracing tracetools/include/tracetools/tp_call.h of 0.1.0 to 8.5; caret_trace
 * include/caret_trace/tp.h v0.7.3; the CARET fork of rclcpp (galactic, humble). agnocastlib
 * include/agnocast/agnocast_tracepoint_wrapper.h, agnocast_tracepoint.h up to 2.2. r2r: its feature `tracing` (pull request
 * 117, not released), whose other events are those of ros2_tracing; its callbacks are numbered from 1 in each process.
 * lttng-ust src/lib/lttng-ust-libc-wrapper/ust_libc.h of 2.0 to 2.13 (`ust_libc:*` at first).
 * LTTng-modules include/instrumentation/events/{sched,irq,kmem,lttng-statedump}.h and its generator of system calls, 2.0
 * to 2.14.
 */

#ifndef ALSO
#define ALSO(...)
#endif

/* rcl: contexts, nodes and their communication objects */
EVENT(RCL_INIT, rcl_init, BOTH, INIT, DASHING, NEWEST, "a context is initialized; version is that of tracetools")
FIELD(RCL_INIT, context_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_INIT, version, 1, STRING, DASHING, NEWEST)

EVENT(RCL_NODE_INIT, rcl_node_init, BOTH, INIT, DASHING, NEWEST, "a node is created")
FIELD(RCL_NODE_INIT, node_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_NODE_INIT, rmw_handle, 1, ADDRESS, DASHING, NEWEST)
FIELD(RCL_NODE_INIT, node_name, 2, STRING, DASHING, NEWEST)
FIELD(RCL_NODE_INIT, namespace, 3, STRING, DASHING, NEWEST)

EVENT(RMW_PUBLISHER_INIT, rmw_publisher_init, ROS2, INIT, HUMBLE, NEWEST, "the middleware's part of a publisher is created")
FIELD(RMW_PUBLISHER_INIT, rmw_publisher_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(RMW_PUBLISHER_INIT, gid, 1, GID, HUMBLE, NEWEST)

EVENT(RCL_PUBLISHER_INIT, rcl_publisher_init, BOTH, INIT, DASHING, NEWEST, "a publisher is created; the topic name is complete")
FIELD(RCL_PUBLISHER_INIT, publisher_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_PUBLISHER_INIT, node_handle, 1, ADDRESS, DASHING, NEWEST)
FIELD(RCL_PUBLISHER_INIT, rmw_publisher_handle, 2, ADDRESS, DASHING, NEWEST)
FIELD(RCL_PUBLISHER_INIT, topic_name, 3, STRING, DASHING, NEWEST)
FIELD(RCL_PUBLISHER_INIT, queue_depth, 4, U64, DASHING, NEWEST)

EVENT(RMW_SUBSCRIPTION_INIT, rmw_subscription_init, ROS2, INIT, HUMBLE, NEWEST, "the middleware's part of a subscription is created")
FIELD(RMW_SUBSCRIPTION_INIT, rmw_subscription_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(RMW_SUBSCRIPTION_INIT, gid, 1, GID, HUMBLE, NEWEST)

EVENT(RCL_SUBSCRIPTION_INIT, rcl_subscription_init, BOTH, INIT, DASHING, NEWEST, "a subscription is created; the topic name is complete")
FIELD(RCL_SUBSCRIPTION_INIT, subscription_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SUBSCRIPTION_INIT, node_handle, 1, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SUBSCRIPTION_INIT, rmw_subscription_handle, 2, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SUBSCRIPTION_INIT, topic_name, 3, STRING, DASHING, NEWEST)
FIELD(RCL_SUBSCRIPTION_INIT, queue_depth, 4, U64, DASHING, NEWEST)

EVENT(RCLCPP_SUBSCRIPTION_INIT, rclcpp_subscription_init, BOTH, INIT, ELOQUENT, NEWEST, "a subscription gets its rclcpp object; twice with intra-process communication")
FIELD(RCLCPP_SUBSCRIPTION_INIT, subscription_handle, 0, ADDRESS, ELOQUENT, NEWEST)
FIELD(RCLCPP_SUBSCRIPTION_INIT, subscription, 1, ADDRESS, ELOQUENT, NEWEST)

EVENT(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, rclcpp_subscription_callback_added, BOTH, INIT, DASHING, NEWEST, "a callback of a subscription")
FIELD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, subscription_handle, 2, ADDRESS, DASHING, DASHING)
FIELD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, subscription, 0, ADDRESS, ELOQUENT, NEWEST)
FIELD(RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, callback, 1, ADDRESS, DASHING, NEWEST)

EVENT(RCL_SERVICE_INIT, rcl_service_init, BOTH, INIT, DASHING, NEWEST, "a service is created")
FIELD(RCL_SERVICE_INIT, service_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SERVICE_INIT, node_handle, 1, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SERVICE_INIT, rmw_service_handle, 2, ADDRESS, DASHING, NEWEST)
FIELD(RCL_SERVICE_INIT, service_name, 3, STRING, DASHING, NEWEST)

EVENT(RCLCPP_SERVICE_CALLBACK_ADDED, rclcpp_service_callback_added, BOTH, INIT, DASHING, NEWEST, "the callback of a service")
FIELD(RCLCPP_SERVICE_CALLBACK_ADDED, service_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCLCPP_SERVICE_CALLBACK_ADDED, callback, 1, ADDRESS, DASHING, NEWEST)

EVENT(RMW_CLIENT_INIT, rmw_client_init, ROS2, INIT, KILTED, NEWEST, "the middleware's part of a client is created; its gid identifies it")
FIELD(RMW_CLIENT_INIT, rmw_client_handle, 0, ADDRESS, KILTED, NEWEST)
FIELD(RMW_CLIENT_INIT, gid, 1, GID, KILTED, NEWEST)

EVENT(RCL_CLIENT_INIT, rcl_client_init, BOTH, INIT, DASHING, NEWEST, "a client is created")
FIELD(RCL_CLIENT_INIT, client_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_CLIENT_INIT, node_handle, 1, ADDRESS, DASHING, NEWEST)
FIELD(RCL_CLIENT_INIT, rmw_client_handle, 2, ADDRESS, DASHING, NEWEST)
FIELD(RCL_CLIENT_INIT, service_name, 3, STRING, DASHING, NEWEST)

EVENT(RCL_TIMER_INIT, rcl_timer_init, BOTH, INIT, DASHING, NEWEST, "a timer is created; period in ns")
FIELD(RCL_TIMER_INIT, timer_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCL_TIMER_INIT, period, 1, I64, DASHING, NEWEST)

EVENT(RCLCPP_TIMER_CALLBACK_ADDED, rclcpp_timer_callback_added, BOTH, INIT, DASHING, NEWEST, "the callback of a timer")
FIELD(RCLCPP_TIMER_CALLBACK_ADDED, timer_handle, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCLCPP_TIMER_CALLBACK_ADDED, callback, 1, ADDRESS, DASHING, NEWEST)

EVENT(RCLCPP_TIMER_LINK_NODE, rclcpp_timer_link_node, BOTH, INIT, GALACTIC, NEWEST, "a timer is added to a node")
FIELD(RCLCPP_TIMER_LINK_NODE, timer_handle, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(RCLCPP_TIMER_LINK_NODE, node_handle, 1, ADDRESS, GALACTIC, NEWEST)

EVENT(RCLCPP_CALLBACK_REGISTER, rclcpp_callback_register, BOTH, INIT, DASHING, NEWEST, "the demangled symbol of a callback")
FIELD(RCLCPP_CALLBACK_REGISTER, callback, 0, ADDRESS, DASHING, NEWEST)
FIELD(RCLCPP_CALLBACK_REGISTER, symbol, 1, STRING, DASHING, NEWEST)

EVENT(RCL_LIFECYCLE_STATE_MACHINE_INIT, rcl_lifecycle_state_machine_init, BOTH, INIT, GALACTIC, NEWEST, "the state machine of a lifecycle node")
FIELD(RCL_LIFECYCLE_STATE_MACHINE_INIT, node_handle, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(RCL_LIFECYCLE_STATE_MACHINE_INIT, state_machine, 1, ADDRESS, GALACTIC, NEWEST)

/* intra-process buffers */
EVENT(RCLCPP_IPB_TO_SUBSCRIPTION, rclcpp_ipb_to_subscription, BOTH, INIT, IRON, NEWEST, "an intra-process buffer belongs to a subscription")
FIELD(RCLCPP_IPB_TO_SUBSCRIPTION, ipb, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_IPB_TO_SUBSCRIPTION, subscription, 1, ADDRESS, IRON, NEWEST)

EVENT(RCLCPP_BUFFER_TO_IPB, rclcpp_buffer_to_ipb, BOTH, INIT, IRON, NEWEST, "a ring buffer belongs to an intra-process buffer")
FIELD(RCLCPP_BUFFER_TO_IPB, buffer, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_BUFFER_TO_IPB, ipb, 1, ADDRESS, IRON, NEWEST)

EVENT(RCLCPP_CONSTRUCT_RING_BUFFER, rclcpp_construct_ring_buffer, BOTH, INIT, IRON, NEWEST, "a ring buffer is created")
FIELD(RCLCPP_CONSTRUCT_RING_BUFFER, buffer, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_CONSTRUCT_RING_BUFFER, capacity, 1, U64, IRON, NEWEST)

/* annotations: the release names are those of the branches they are made for */
EVENT(MESSAGE_LINK_PERIODIC_ASYNC, message_link_periodic_async, ROS2, INIT, GALACTIC, NEWEST, "subscriptions are cached and used by a timer's publications")
FIELD(MESSAGE_LINK_PERIODIC_ASYNC, subs, 0, ADDRESSES, GALACTIC, NEWEST)
FIELD(MESSAGE_LINK_PERIODIC_ASYNC, pubs, 1, ADDRESSES, GALACTIC, NEWEST)

EVENT(MESSAGE_LINK_PARTIAL_SYNC, message_link_partial_sync, ROS2, INIT, GALACTIC, NEWEST, "subscriptions are cached, the last one to arrive publishes")
FIELD(MESSAGE_LINK_PARTIAL_SYNC, subs, 0, ADDRESSES, GALACTIC, NEWEST)
FIELD(MESSAGE_LINK_PARTIAL_SYNC, pubs, 1, ADDRESSES, GALACTIC, NEWEST)

/* callbacks and lifecycle */
EVENT(CALLBACK_START, callback_start, ROS2, RUNTIME, DASHING, NEWEST, "right before the user's code")
FIELD(CALLBACK_START, callback, 0, ADDRESS, DASHING, NEWEST)
FIELD(CALLBACK_START, is_intra_process, 1, I32, DASHING, NEWEST)

EVENT(CALLBACK_END, callback_end, ROS2, RUNTIME, DASHING, NEWEST, "right after the user's code; missing when it throws")
FIELD(CALLBACK_END, callback, 0, ADDRESS, DASHING, NEWEST)

EVENT(RCL_LIFECYCLE_TRANSITION, rcl_lifecycle_transition, ROS2, RUNTIME, GALACTIC, NEWEST, "a lifecycle node changes its state")
FIELD(RCL_LIFECYCLE_TRANSITION, state_machine, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(RCL_LIFECYCLE_TRANSITION, start_label, 1, STRING, GALACTIC, NEWEST)
FIELD(RCL_LIFECYCLE_TRANSITION, goal_label, 2, STRING, GALACTIC, NEWEST)

/* publish; message_timestamp is a field of the CARET fork of rclcpp (Galactic): the stamp in the message's header, 0 without
 * header. What its other events repeat of it is not needed. */
EVENT(RCLCPP_PUBLISH, rclcpp_publish, ROS2, RUNTIME, GALACTIC, NEWEST, "publish, first step")
FIELD(RCLCPP_PUBLISH, publisher_handle, 1, ADDRESS, GALACTIC, GALACTIC)
FIELD(RCLCPP_PUBLISH, message, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(RCLCPP_PUBLISH, message_timestamp, 2, U64, FORK, FORK)

EVENT(RCLCPP_INTRA_PUBLISH, rclcpp_intra_publish, ROS2, RUNTIME, IRON, NEWEST, "publish to subscriptions of the same process")
FIELD(RCLCPP_INTRA_PUBLISH, publisher_handle, 1, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_INTRA_PUBLISH, message, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_INTRA_PUBLISH, message_timestamp, 2, U64, FORK, FORK)

EVENT(RCL_PUBLISH, rcl_publish, ROS2, RUNTIME, GALACTIC, NEWEST, "publish, second step")
FIELD(RCL_PUBLISH, publisher_handle, 1, ADDRESS, GALACTIC, NEWEST)
FIELD(RCL_PUBLISH, message, 0, ADDRESS, GALACTIC, NEWEST)

EVENT(RMW_PUBLISH, rmw_publish, ROS2, RUNTIME, HUMBLE, NEWEST, "publish, third step; timestamp is the message's source timestamp")
FIELD(RMW_PUBLISH, publisher_handle, 1, ADDRESS, EARLY_JAZZY, EARLY_JAZZY)
FIELD(RMW_PUBLISH, rmw_publisher_handle, 1, ADDRESS, JAZZY, NEWEST)
FIELD(RMW_PUBLISH, message, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(RMW_PUBLISH, timestamp, 2, I64, EARLY_JAZZY, NEWEST)

/* take */
EVENT(RMW_TAKE, rmw_take, ROS2, RUNTIME, HUMBLE, NEWEST, "take, first step; also when there was nothing to take")
FIELD(RMW_TAKE, rmw_subscription_handle, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(RMW_TAKE, message, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(RMW_TAKE, source_timestamp, 2, I64, HUMBLE, NEWEST)
FIELD(RMW_TAKE, taken, 3, I32, HUMBLE, NEWEST)

/* of branches of ros2_tracing and rmw_zenoh for Jazzy, not released; the next event after rmw_take */
EVENT(RMW_PAYLOAD, rmw_payload, ROS2, RUNTIME, JAZZY, NEWEST, "bytes of the serialized message just taken, 0 when there was none; in a branch of ros2_tracing")
FIELD(RMW_PAYLOAD, rmw_subscription_handle, 1, ADDRESS, JAZZY, NEWEST)
FIELD(RMW_PAYLOAD, message, 0, ADDRESS, JAZZY, NEWEST)
FIELD(RMW_PAYLOAD, payload_size, 2, U64, JAZZY, NEWEST)

EVENT(RCL_TAKE, rcl_take, ROS2, RUNTIME, HUMBLE, NEWEST, "take, second step")
FIELD(RCL_TAKE, message, 0, ADDRESS, HUMBLE, NEWEST)

EVENT(RCLCPP_TAKE, rclcpp_take, ROS2, RUNTIME, HUMBLE, NEWEST, "take, third step")
FIELD(RCLCPP_TAKE, message, 0, ADDRESS, HUMBLE, NEWEST)

/* executor */
EVENT(RCLCPP_EXECUTOR_GET_NEXT_READY, rclcpp_executor_get_next_ready, ROS2, POLL, HUMBLE, NEWEST, "the executor looks for ready work")

EVENT(RCLCPP_EXECUTOR_WAIT_FOR_WORK, rclcpp_executor_wait_for_work, ROS2, POLL, HUMBLE, NEWEST, "the executor is about to wait; timeout in ns, -1 for ever")
FIELD(RCLCPP_EXECUTOR_WAIT_FOR_WORK, timeout, 0, I64, HUMBLE, NEWEST)

EVENT(RCLCPP_EXECUTOR_EXECUTE, rclcpp_executor_execute, ROS2, RUNTIME, HUMBLE, NEWEST, "the executor is about to execute a timer or a subscription")
FIELD(RCLCPP_EXECUTOR_EXECUTE, handle, 0, ADDRESS, HUMBLE, NEWEST)

/* intra-process ring buffers */
EVENT(RCLCPP_RING_BUFFER_ENQUEUE, rclcpp_ring_buffer_enqueue, ROS2, RUNTIME, IRON, NEWEST, "a message is put into a ring buffer")
FIELD(RCLCPP_RING_BUFFER_ENQUEUE, buffer, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_RING_BUFFER_ENQUEUE, index, 1, U64, IRON, NEWEST)
FIELD(RCLCPP_RING_BUFFER_ENQUEUE, size, 2, U64, IRON, NEWEST)
FIELD(RCLCPP_RING_BUFFER_ENQUEUE, overwritten, 3, I32, IRON, NEWEST)

EVENT(RCLCPP_RING_BUFFER_DEQUEUE, rclcpp_ring_buffer_dequeue, ROS2, RUNTIME, IRON, NEWEST, "a message is taken out of a ring buffer")
FIELD(RCLCPP_RING_BUFFER_DEQUEUE, buffer, 0, ADDRESS, IRON, NEWEST)
FIELD(RCLCPP_RING_BUFFER_DEQUEUE, index, 1, U64, IRON, NEWEST)
FIELD(RCLCPP_RING_BUFFER_DEQUEUE, size, 2, U64, IRON, NEWEST)

EVENT(RCLCPP_RING_BUFFER_CLEAR, rclcpp_ring_buffer_clear, ROS2, RUNTIME, IRON, NEWEST, "a ring buffer is emptied")
FIELD(RCLCPP_RING_BUFFER_CLEAR, buffer, 0, ADDRESS, IRON, NEWEST)

/* services */
EVENT(RMW_SEND_REQUEST, rmw_send_request, ROS2, RUNTIME, KILTED, NEWEST, "a client sends a request")
FIELD(RMW_SEND_REQUEST, rmw_client_handle, 0, ADDRESS, KILTED, NEWEST)
FIELD(RMW_SEND_REQUEST, request, SKIP, ADDRESS, KILTED, NEWEST)
FIELD(RMW_SEND_REQUEST, sequence_number, 1, I64, KILTED, NEWEST)

EVENT(RMW_TAKE_REQUEST, rmw_take_request, ROS2, RUNTIME, KILTED, NEWEST, "a service takes a request; also when there was none")
FIELD(RMW_TAKE_REQUEST, rmw_service_handle, 0, ADDRESS, KILTED, NEWEST)
FIELD(RMW_TAKE_REQUEST, request, SKIP, ADDRESS, KILTED, NEWEST)
FIELD(RMW_TAKE_REQUEST, client_gid, 2, GID, KILTED, NEWEST)
FIELD(RMW_TAKE_REQUEST, sequence_number, 1, I64, KILTED, NEWEST)
FIELD(RMW_TAKE_REQUEST, taken, 3, I32, KILTED, NEWEST)

EVENT(RMW_SEND_RESPONSE, rmw_send_response, ROS2, RUNTIME, KILTED, NEWEST, "a service sends a response")
FIELD(RMW_SEND_RESPONSE, rmw_service_handle, 0, ADDRESS, KILTED, NEWEST)
FIELD(RMW_SEND_RESPONSE, response, SKIP, ADDRESS, KILTED, NEWEST)
FIELD(RMW_SEND_RESPONSE, client_gid, 2, GID, KILTED, NEWEST)
FIELD(RMW_SEND_RESPONSE, sequence_number, 1, I64, KILTED, NEWEST)
FIELD(RMW_SEND_RESPONSE, timestamp, 3, I64, KILTED, NEWEST)

EVENT(RMW_TAKE_RESPONSE, rmw_take_response, ROS2, RUNTIME, KILTED, NEWEST, "a client takes a response; also when there was none")
FIELD(RMW_TAKE_RESPONSE, rmw_client_handle, 0, ADDRESS, KILTED, NEWEST)
FIELD(RMW_TAKE_RESPONSE, response, SKIP, ADDRESS, KILTED, NEWEST)
FIELD(RMW_TAKE_RESPONSE, sequence_number, 1, I64, KILTED, NEWEST)
FIELD(RMW_TAKE_RESPONSE, source_timestamp, 2, I64, KILTED, NEWEST)
FIELD(RMW_TAKE_RESPONSE, taken, 3, I32, KILTED, NEWEST)

/* the CARET fork of rclcpp (galactic, humble) */
EVENT(MESSAGE_CONSTRUCT, message_construct, ROS2, RUNTIME, FORK, FORK, "a message is copied")
FIELD(MESSAGE_CONSTRUCT, original_message, 0, ADDRESS, FORK, FORK)
FIELD(MESSAGE_CONSTRUCT, constructed_message, 1, ADDRESS, FORK, FORK)

EVENT(DISPATCH_SUBSCRIPTION_CALLBACK, dispatch_subscription_callback, ROS2, RUNTIME, FORK, FORK, "a taken message goes to its callback")
FIELD(DISPATCH_SUBSCRIPTION_CALLBACK, message, 0, ADDRESS, FORK, FORK)
FIELD(DISPATCH_SUBSCRIPTION_CALLBACK, callback, 1, ADDRESS, FORK, FORK)
FIELD(DISPATCH_SUBSCRIPTION_CALLBACK, source_stamp, 2, U64, FORK, FORK)
FIELD(DISPATCH_SUBSCRIPTION_CALLBACK, message_timestamp, SKIP, U64, FORK, FORK)

EVENT(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, dispatch_intra_process_subscription_callback, ROS2, RUNTIME, FORK, FORK, "an intra-process message goes to its callback")
FIELD(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, message, 0, ADDRESS, FORK, FORK)
FIELD(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, callback, 1, ADDRESS, FORK, FORK)
FIELD(DISPATCH_INTRA_PROCESS_SUBSCRIPTION_CALLBACK, message_timestamp, SKIP, U64, FORK, FORK)

/* CARET: recording, executors, callback groups */
EVENT(CARET_INIT, caret_init, CARET, MARK, GALACTIC, NEWEST, "a process starts to be recorded; clock_offset is the clock's raw value")
FIELD(CARET_INIT, clock_offset, 0, I64, GALACTIC, NEWEST)
FIELD(CARET_INIT, distribution, 1, STRING, HUMBLE, NEWEST)

EVENT(RMW_IMPLEMENTATION, rmw_implementation, CARET, INIT, GALACTIC, NEWEST, "which middleware")
FIELD(RMW_IMPLEMENTATION, rmw_impl, 0, STRING, GALACTIC, NEWEST)

EVENT(CONSTRUCT_EXECUTOR, construct_executor, CARET, INIT, GALACTIC, NEWEST, "an executor is created")
FIELD(CONSTRUCT_EXECUTOR, executor_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CONSTRUCT_EXECUTOR, executor_type_name, 1, STRING, GALACTIC, NEWEST)

EVENT(CONSTRUCT_STATIC_EXECUTOR, construct_static_executor, CARET, INIT, GALACTIC, NEWEST, "a static executor is created")
FIELD(CONSTRUCT_STATIC_EXECUTOR, executor_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CONSTRUCT_STATIC_EXECUTOR, entities_collector_addr, 2, ADDRESS, GALACTIC, NEWEST)
FIELD(CONSTRUCT_STATIC_EXECUTOR, executor_type_name, 1, STRING, GALACTIC, NEWEST)

EVENT(ADD_CALLBACK_GROUP, add_callback_group, CARET, INIT, GALACTIC, NEWEST, "a callback group is given to an executor")
FIELD(ADD_CALLBACK_GROUP, executor_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(ADD_CALLBACK_GROUP, callback_group_addr, 1, ADDRESS, GALACTIC, NEWEST)
FIELD(ADD_CALLBACK_GROUP, group_type_name, 2, STRING, GALACTIC, NEWEST)

EVENT(ADD_CALLBACK_GROUP_STATIC_EXECUTOR, add_callback_group_static_executor, CARET, INIT, GALACTIC, NEWEST, "a callback group is given to a static executor")
FIELD(ADD_CALLBACK_GROUP_STATIC_EXECUTOR, entities_collector_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(ADD_CALLBACK_GROUP_STATIC_EXECUTOR, callback_group_addr, 1, ADDRESS, GALACTIC, NEWEST)
FIELD(ADD_CALLBACK_GROUP_STATIC_EXECUTOR, group_type_name, 2, STRING, GALACTIC, NEWEST)

EVENT(CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR, callback_group_to_executor_entity_collector, CARET, INIT, JAZZY, NEWEST, "a callback group is given to an entities collector")
FIELD(CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR, entities_collector_addr, 0, ADDRESS, JAZZY, NEWEST)
FIELD(CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR, callback_group_addr, 1, ADDRESS, JAZZY, NEWEST)
FIELD(CALLBACK_GROUP_TO_EXECUTOR_ENTITY_COLLECTOR, group_type_name, 2, STRING, JAZZY, NEWEST)

EVENT(EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR, executor_entity_collector_to_executor, CARET, INIT, JAZZY, NEWEST, "an entities collector belongs to an executor")
FIELD(EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR, executor_addr, 0, ADDRESS, JAZZY, NEWEST)
FIELD(EXECUTOR_ENTITY_COLLECTOR_TO_EXECUTOR, entities_collector_addr, 1, ADDRESS, JAZZY, NEWEST)

EVENT(CALLBACK_GROUP_ADD_TIMER, callback_group_add_timer, CARET, INIT, GALACTIC, NEWEST, "a timer is added to a callback group")
FIELD(CALLBACK_GROUP_ADD_TIMER, callback_group_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CALLBACK_GROUP_ADD_TIMER, timer_handle, 1, ADDRESS, GALACTIC, NEWEST)

EVENT(CALLBACK_GROUP_ADD_SUBSCRIPTION, callback_group_add_subscription, CARET, INIT, GALACTIC, NEWEST, "a subscription is added to a callback group")
FIELD(CALLBACK_GROUP_ADD_SUBSCRIPTION, callback_group_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CALLBACK_GROUP_ADD_SUBSCRIPTION, subscription_handle, 1, ADDRESS, GALACTIC, NEWEST)

EVENT(CALLBACK_GROUP_ADD_SERVICE, callback_group_add_service, CARET, INIT, GALACTIC, NEWEST, "a service is added to a callback group")
FIELD(CALLBACK_GROUP_ADD_SERVICE, callback_group_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CALLBACK_GROUP_ADD_SERVICE, service_handle, 1, ADDRESS, GALACTIC, NEWEST)

EVENT(CALLBACK_GROUP_ADD_CLIENT, callback_group_add_client, CARET, INIT, GALACTIC, NEWEST, "a client is added to a callback group")
FIELD(CALLBACK_GROUP_ADD_CLIENT, callback_group_addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(CALLBACK_GROUP_ADD_CLIENT, client_handle, 1, ADDRESS, GALACTIC, NEWEST)

/* CARET: the middleware's part of publish and receive */
EVENT(DDS_WRITE, dds_write, CARET, RUNTIME, GALACTIC, NEWEST, "publish, third step, in place of rmw_publish")
FIELD(DDS_WRITE, rmw_publisher_handle, 1, ADDRESS, JAZZY, NEWEST)
FIELD(DDS_WRITE, message, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(DDS_WRITE, timestamp, 2, I64, JAZZY, NEWEST)

EVENT(DDS_BIND_ADDR_TO_STAMP, dds_bind_addr_to_stamp, CARET, RUNTIME, GALACTIC, NEWEST, "the source timestamp of the message just written; addr is 0 with FastDDS")
FIELD(DDS_BIND_ADDR_TO_STAMP, addr, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(DDS_BIND_ADDR_TO_STAMP, source_stamp, 1, U64, GALACTIC, NEWEST)

EVENT(DDS_BIND_ADDR_TO_ADDR, dds_bind_addr_to_addr, CARET, RUNTIME, GALACTIC, NEWEST, "a message is serialized into another buffer")
FIELD(DDS_BIND_ADDR_TO_ADDR, addr_from, 0, ADDRESS, GALACTIC, NEWEST)
FIELD(DDS_BIND_ADDR_TO_ADDR, addr_to, 1, ADDRESS, GALACTIC, NEWEST)

EVENT(ON_DATA_AVAILABLE, on_data_available, CARET, RUNTIME, GALACTIC, NEWEST, "the middleware has received a message")
FIELD(ON_DATA_AVAILABLE, source_stamp, 0, U64, GALACTIC, NEWEST)

EVENT(SIM_TIME, sim_time, CARET, RUNTIME, GALACTIC, NEWEST, "the simulated time, about once a second")
FIELD(SIM_TIME, stamp, 0, U64, GALACTIC, NEWEST)

/* Agnocast, by itself or by CARET */
EVENT(AGNOCAST_INIT, agnocast_init, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an agnocast context")
FIELD(AGNOCAST_INIT, context_handle, 0, ADDRESS, HUMBLE, NEWEST)

EVENT(AGNOCAST_NODE_INIT, agnocast_node_init, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an agnocast node")
FIELD(AGNOCAST_NODE_INIT, node_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_NODE_INIT, node_name, 1, STRING, HUMBLE, NEWEST)
FIELD(AGNOCAST_NODE_INIT, namespace, 2, STRING, HUMBLE, NEWEST)

EVENT(AGNOCAST_PUBLISHER_INIT, agnocast_publisher_init, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an agnocast publisher")
FIELD(AGNOCAST_PUBLISHER_INIT, publisher_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_PUBLISHER_INIT, node_handle, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_PUBLISHER_INIT, topic_name, 2, STRING, HUMBLE, NEWEST)
FIELD(AGNOCAST_PUBLISHER_INIT, queue_depth, 3, U64, HUMBLE, NEWEST)

/* pid_callback_info_id, called pid_ciid before Agnocast 2.1, stands for the callback, whose address no other event has; 0 if
 * there is none (agnocast_take) */
EVENT(AGNOCAST_SUBSCRIPTION_INIT, agnocast_subscription_init, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an agnocast subscription with its callback")
FIELD(AGNOCAST_SUBSCRIPTION_INIT, subscription_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, node_handle, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, callback, SKIP, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, callback_group, SKIP, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, symbol, 3, STRING, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, topic_name, 4, STRING, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, queue_depth, SKIP, U64, HUMBLE, NEWEST)
FIELD(AGNOCAST_SUBSCRIPTION_INIT, pid_callback_info_id, 2, U64, HUMBLE, NEWEST)

EVENT(AGNOCAST_TIMER_INIT, agnocast_timer_init, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an agnocast timer with its callback")
FIELD(AGNOCAST_TIMER_INIT, timer_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TIMER_INIT, node_handle, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TIMER_INIT, callback, 2, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TIMER_INIT, callback_group, SKIP, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TIMER_INIT, symbol, 3, STRING, HUMBLE, NEWEST)
FIELD(AGNOCAST_TIMER_INIT, period, 4, I64, HUMBLE, NEWEST)

EVENT(AGNOCAST_ADD_CALLBACK_GROUP, agnocast_add_callback_group, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "a callback group of agnocast is given to an executor")
FIELD(AGNOCAST_ADD_CALLBACK_GROUP, executor_addr, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_ADD_CALLBACK_GROUP, node_handle, SKIP, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_ADD_CALLBACK_GROUP, callback_group_addr, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_ADD_CALLBACK_GROUP, group_type_name, 2, STRING, HUMBLE, NEWEST)

EVENT(AGNOCAST_CONSTRUCT_EXECUTOR, agnocast_construct_executor, AGNOCAST_OR_CARET, INIT, HUMBLE, NEWEST, "an executor of agnocast is created")
FIELD(AGNOCAST_CONSTRUCT_EXECUTOR, executor_addr, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_CONSTRUCT_EXECUTOR, executor_type_name, 1, STRING, HUMBLE, NEWEST)

/* entry_id counts the messages of a topic on a machine, from 0 */
EVENT(AGNOCAST_PUBLISH, agnocast_publish, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "a message is published through shared memory")
FIELD(AGNOCAST_PUBLISH, publisher_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_PUBLISH, entry_id, 1, I64, HUMBLE, NEWEST)

/* callable: an address that stands for this execution only, on the stack or on the heap */
EVENT(AGNOCAST_CREATE_CALLABLE, agnocast_create_callable, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "a message was received for the callback of a subscription")
FIELD(AGNOCAST_CREATE_CALLABLE, callable, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_CREATE_CALLABLE, entry_id, 1, I64, HUMBLE, NEWEST)
FIELD(AGNOCAST_CREATE_CALLABLE, pid_callback_info_id, 2, U64, HUMBLE, NEWEST)

EVENT(AGNOCAST_CREATE_TIMER_CALLABLE, agnocast_create_timer_callable, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "the callback of a timer is to be called")
FIELD(AGNOCAST_CREATE_TIMER_CALLABLE, callable, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_CREATE_TIMER_CALLABLE, timer_handle, 1, ADDRESS, HUMBLE, NEWEST)

EVENT(AGNOCAST_CALLABLE_START, agnocast_callable_start, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "right before the user's code, of a callback of agnocast")
FIELD(AGNOCAST_CALLABLE_START, callable, 0, ADDRESS, HUMBLE, NEWEST)

EVENT(AGNOCAST_CALLABLE_END, agnocast_callable_end, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "right after the user's code")
FIELD(AGNOCAST_CALLABLE_END, callable, 0, ADDRESS, HUMBLE, NEWEST)

EVENT(AGNOCAST_TAKE, agnocast_take, AGNOCAST, RUNTIME, HUMBLE, NEWEST, "a message is taken by hand, the same one again, perhaps; message is 0 if there was none")
FIELD(AGNOCAST_TAKE, subscription_handle, 0, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TAKE, message, 1, ADDRESS, HUMBLE, NEWEST)
FIELD(AGNOCAST_TAKE, entry_id, 2, I64, HUMBLE, NEWEST)

/* memory, by liblttng-ust-libc-wrapper.so; ptr is 0 where the call failed */
EVENT(LIBC_MALLOC, malloc, LIBC, RUNTIME, DASHING, NEWEST, "memory is allocated")
FIELD(LIBC_MALLOC, ptr, 0, ADDRESS, DASHING, NEWEST)
FIELD(LIBC_MALLOC, size, 1, U64, DASHING, NEWEST)

EVENT(LIBC_CALLOC, calloc, LIBC, RUNTIME, DASHING, NEWEST, "memory of nmemb times size is allocated")
FIELD(LIBC_CALLOC, ptr, 0, ADDRESS, DASHING, NEWEST)
FIELD(LIBC_CALLOC, size, 1, U64, DASHING, NEWEST)
FIELD(LIBC_CALLOC, nmemb, 2, U64, DASHING, NEWEST)

EVENT(LIBC_REALLOC, realloc, LIBC, RUNTIME, DASHING, NEWEST, "in_ptr gets another size, and may move to ptr")
FIELD(LIBC_REALLOC, ptr, 0, ADDRESS, DASHING, NEWEST)
FIELD(LIBC_REALLOC, size, 1, U64, DASHING, NEWEST)
FIELD(LIBC_REALLOC, in_ptr, 3, ADDRESS, DASHING, NEWEST)

EVENT(LIBC_MEMALIGN, memalign, LIBC, RUNTIME, DASHING, NEWEST, "aligned memory is allocated")
FIELD(LIBC_MEMALIGN, ptr, 0, ADDRESS, DASHING, NEWEST)
FIELD(LIBC_MEMALIGN, size, 1, U64, DASHING, NEWEST)
FIELD(LIBC_MEMALIGN, alignment, SKIP, U64, DASHING, NEWEST)

EVENT(LIBC_POSIX_MEMALIGN, posix_memalign, LIBC, RUNTIME, DASHING, NEWEST, "aligned memory is allocated; result is 0 where the call succeeded")
FIELD(LIBC_POSIX_MEMALIGN, out_ptr, 0, ADDRESS, DASHING, NEWEST)
FIELD(LIBC_POSIX_MEMALIGN, size, 1, U64, DASHING, NEWEST)
FIELD(LIBC_POSIX_MEMALIGN, alignment, SKIP, U64, DASHING, NEWEST)
FIELD(LIBC_POSIX_MEMALIGN, result, 4, I32, DASHING, NEWEST)

EVENT(LIBC_FREE, free, LIBC, RUNTIME, DASHING, NEWEST, "memory is freed")
FIELD(LIBC_FREE, ptr, 0, ADDRESS, DASHING, NEWEST)

/* r2r: the loop of a node; update_time only in an older branch */
EVENT(R2R_SPIN_START, spin_start, R2R, RUNTIME, JAZZY, NEWEST, "a node of r2r is about to wait; the timeout in s and ns")
FIELD(R2R_SPIN_START, node_handle, 0, ADDRESS, JAZZY, NEWEST)
FIELD(R2R_SPIN_START, timeout_s, 1, U64, JAZZY, NEWEST)
FIELD(R2R_SPIN_START, timeout_ns, 2, U64, JAZZY, NEWEST)

EVENT(R2R_SPIN_WAKE, spin_wake, R2R, RUNTIME, JAZZY, NEWEST, "a node of r2r has something to do")
FIELD(R2R_SPIN_WAKE, node_handle, 0, ADDRESS, JAZZY, NEWEST)

EVENT(R2R_SPIN_TIMEOUT, spin_timeout, R2R, RUNTIME, JAZZY, NEWEST, "a node of r2r has waited in vain")
FIELD(R2R_SPIN_TIMEOUT, node_handle, 0, ADDRESS, JAZZY, NEWEST)

EVENT(R2R_SPIN_END, spin_end, R2R, RUNTIME, JAZZY, NEWEST, "a node of r2r has taken all that was ready")
FIELD(R2R_SPIN_END, node_handle, 0, ADDRESS, JAZZY, NEWEST)

EVENT(R2R_UPDATE_TIME, update_time, R2R, RUNTIME, JAZZY, NEWEST, "a subscription of r2r has got the simulated time")
FIELD(R2R_UPDATE_TIME, subscriber, 0, ADDRESS, JAZZY, NEWEST)
FIELD(R2R_UPDATE_TIME, time_s, 1, I32, JAZZY, NEWEST)
FIELD(R2R_UPDATE_TIME, time_ns, 2, U64, JAZZY, NEWEST)

/*
 * The kernel: threads on CPUs. A tid is the kernel's, in no pid namespace; 0 is the idle thread of a CPU. comm is the name
 * of a thread, at most 15 bytes. Which CPU an event is from: recording_stream_cpu() of the record's stream. Times are those
 * of the same clock as the user space of the host.
 *
 * prev_state is 0 if the thread could have gone on (preempted before Linux 2.6.38, or it yielded), or a single bit of 256 or
 * more if it was preempted (TASK_REPORT_MAX since Linux 4.14; TASK_STATE_MAX before: 512 to 4096); otherwise it is blocked
 * by the lower bits: 1 sleeping, 2 uninterruptible, 4 stopped, 8 traced, 16 to 64 ended, 64 parked, 128 idle (or may be
 * killed). See kernel_state_is_runnable() (kernel_threads.h). Priorities are the kernel's less 100: 20 + nice, negative for
 * real-time threads.
 */
EVENT(SCHED_SWITCH, sched_switch, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a CPU goes from one thread to another")
FIELD(SCHED_SWITCH, prev_comm, 4, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, prev_tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, prev_prio, SKIP, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, prev_state, 1, I64, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, next_comm, 3, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, next_tid, 2, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_SWITCH, next_prio, 5, I32, LTTNG_2_0, LTTNG_NEWEST)

/* success is 0 where the thread was running already; Linux before 4.3 only */
EVENT(SCHED_WAKING, sched_waking, KERNEL, SYSTEM, LTTNG_2_6, LTTNG_NEWEST, "a thread is woken; recorded on the CPU of who wakes it, since Linux 4.3")
FIELD(SCHED_WAKING, comm, 2, STRING, LTTNG_2_6, LTTNG_NEWEST)
FIELD(SCHED_WAKING, tid, 0, I32, LTTNG_2_6, LTTNG_NEWEST)
FIELD(SCHED_WAKING, prio, 3, I32, LTTNG_2_6, LTTNG_NEWEST)
FIELD(SCHED_WAKING, target_cpu, 1, I32, LTTNG_2_6, LTTNG_NEWEST)

EVENT(SCHED_WAKEUP, sched_wakeup, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a woken thread is put into the queue of a CPU")
FIELD(SCHED_WAKEUP, comm, 2, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP, tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP, prio, 3, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP, success, 4, I32, LTTNG_2_0, LTTNG_2_0)
FIELD(SCHED_WAKEUP, target_cpu, 1, I32, LTTNG_2_0, LTTNG_NEWEST)

EVENT(SCHED_WAKEUP_NEW, sched_wakeup_new, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a new thread is put into the queue of a CPU")
FIELD(SCHED_WAKEUP_NEW, comm, 2, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP_NEW, tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP_NEW, prio, 3, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_WAKEUP_NEW, success, 4, I32, LTTNG_2_0, LTTNG_2_0)
FIELD(SCHED_WAKEUP_NEW, target_cpu, 1, I32, LTTNG_2_0, LTTNG_NEWEST)

EVENT(SCHED_MIGRATE_TASK, sched_migrate_task, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a thread that waits for a CPU is moved to the queue of another one")
FIELD(SCHED_MIGRATE_TASK, comm, 3, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_MIGRATE_TASK, tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_MIGRATE_TASK, prio, SKIP, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_MIGRATE_TASK, orig_cpu, 1, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_MIGRATE_TASK, dest_cpu, 2, I32, LTTNG_2_0, LTTNG_NEWEST)

/* The kernel: threads begin and end. child_pid is the tid of the child's process, itself if it is a new process; vtids are the
 * child's ids in the pid namespaces that it is in, the outermost first, so the last one is what it sees itself, as 32 bits */
EVENT(SCHED_PROCESS_FORK, sched_process_fork, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a thread makes a thread or a process")
FIELD(SCHED_PROCESS_FORK, parent_comm, SKIP, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, parent_tid, 1, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, parent_pid, SKIP, I32, LTTNG_2_2, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, parent_ns_inum, SKIP, U64, LTTNG_2_7, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, child_comm, 3, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, child_tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, vtids, 4, ADDRESSES, LTTNG_2_7, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, child_pid, 2, I32, LTTNG_2_2, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_FORK, child_ns_inum, 5, U64, LTTNG_2_7, LTTNG_NEWEST)

/* old_tid: that of the thread that called it, which takes over the tid of its process */
EVENT(SCHED_PROCESS_EXEC, sched_process_exec, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a process runs another program")
FIELD(SCHED_PROCESS_EXEC, filename, 1, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_EXEC, pid, 0, I32, LTTNG_2_0, LTTNG_2_0)
FIELD(SCHED_PROCESS_EXEC, tid, 0, I32, LTTNG_2_2, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_EXEC, old_pid, 2, I32, LTTNG_2_0, LTTNG_2_0)
FIELD(SCHED_PROCESS_EXEC, old_tid, 2, I32, LTTNG_2_2, LTTNG_NEWEST)

EVENT(SCHED_PROCESS_EXIT, sched_process_exit, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a thread ends; it runs to its last switch, then its tid is free")
FIELD(SCHED_PROCESS_EXIT, comm, 1, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_EXIT, tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(SCHED_PROCESS_EXIT, prio, SKIP, I32, LTTNG_2_0, LTTNG_NEWEST)

/* one for each pid namespace that the thread is in, the innermost first (task_active_pid_ns() and its parents); since 2.12
 * the next event is that */
EVENT(STATEDUMP_PROCESS_STATE, lttng_statedump_process_state, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a thread that is there when the recording begins")
FIELD(STATEDUMP_PROCESS_STATE, tid, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_STATE, vtid, 3, I32, LTTNG_2_0, LTTNG_2_7)
FIELD(STATEDUMP_PROCESS_STATE, pid, 1, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_STATE, vpid, 4, I32, LTTNG_2_0, LTTNG_2_7)
FIELD(STATEDUMP_PROCESS_STATE, name, 2, STRING, LTTNG_2_0, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_STATE, ns_inum, 5, U64, LTTNG_2_7, LTTNG_2_7)

EVENT(STATEDUMP_PROCESS_PID_NS, lttng_statedump_process_pid_ns, KERNEL, SYSTEM, LTTNG_2_12, LTTNG_NEWEST, "the ids of such a thread in a pid namespace; level 0 is the outermost")
FIELD(STATEDUMP_PROCESS_PID_NS, tid, 0, I32, LTTNG_2_12, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_PID_NS, vtid, 3, I32, LTTNG_2_12, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_PID_NS, vpid, 4, I32, LTTNG_2_12, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_PID_NS, ns_level, 2, I32, LTTNG_2_12, LTTNG_NEWEST)
FIELD(STATEDUMP_PROCESS_PID_NS, ns_inum, 5, U64, LTTNG_2_12, LTTNG_NEWEST)

/* The kernel: interrupts, nested on their CPU */
EVENT(IRQ_HANDLER_ENTRY, irq_handler_entry, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "an interrupt handler begins")
FIELD(IRQ_HANDLER_ENTRY, irq, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(IRQ_HANDLER_ENTRY, name, 1, STRING, LTTNG_2_0, LTTNG_NEWEST)

EVENT(IRQ_HANDLER_EXIT, irq_handler_exit, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "an interrupt handler ends")
FIELD(IRQ_HANDLER_EXIT, irq, 0, I32, LTTNG_2_0, LTTNG_NEWEST)
FIELD(IRQ_HANDLER_EXIT, ret, 1, I32, LTTNG_2_0, LTTNG_NEWEST)

EVENT(IRQ_SOFTIRQ_RAISE, irq_softirq_raise, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a soft interrupt is asked for")
ALSO(IRQ_SOFTIRQ_RAISE, softirq_raise)
FIELD(IRQ_SOFTIRQ_RAISE, vec, 0, U64, LTTNG_2_0, LTTNG_NEWEST)

EVENT(IRQ_SOFTIRQ_ENTRY, irq_softirq_entry, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a soft interrupt begins, on top of a thread or in ksoftirqd")
ALSO(IRQ_SOFTIRQ_ENTRY, softirq_entry)
FIELD(IRQ_SOFTIRQ_ENTRY, vec, 0, U64, LTTNG_2_0, LTTNG_NEWEST)

EVENT(IRQ_SOFTIRQ_EXIT, irq_softirq_exit, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a soft interrupt ends")
ALSO(IRQ_SOFTIRQ_EXIT, softirq_exit)
FIELD(IRQ_SOFTIRQ_EXIT, vec, 0, U64, LTTNG_2_0, LTTNG_NEWEST)

/* The kernel: memory, 4096 << order bytes, by the thread that runs */
EVENT(KMEM_MM_PAGE_ALLOC, kmem_mm_page_alloc, KERNEL, SYSTEM, LTTNG_2_2, LTTNG_NEWEST, "pages are allocated; page is 0 if there are none")
ALSO(KMEM_MM_PAGE_ALLOC, mm_page_alloc)
FIELD(KMEM_MM_PAGE_ALLOC, page, 0, ADDRESS, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_ALLOC, pfn, SKIP, U64, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_ALLOC, order, 1, U64, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_ALLOC, gfp_flags, SKIP, U64, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_ALLOC, migratetype, SKIP, I32, LTTNG_2_2, LTTNG_NEWEST)

EVENT(KMEM_MM_PAGE_FREE, kmem_mm_page_free, KERNEL, SYSTEM, LTTNG_2_2, LTTNG_NEWEST, "pages are freed, often by another thread than that which allocated them")
ALSO(KMEM_MM_PAGE_FREE, mm_page_free)
ALSO(KMEM_MM_PAGE_FREE, kmem_mm_page_free_direct)
ALSO(KMEM_MM_PAGE_FREE, mm_page_free_direct)
FIELD(KMEM_MM_PAGE_FREE, page, 0, ADDRESS, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_FREE, pfn, SKIP, U64, LTTNG_2_2, LTTNG_NEWEST)
FIELD(KMEM_MM_PAGE_FREE, order, 1, U64, LTTNG_2_2, LTTNG_NEWEST)

/* The kernel: system calls of the thread that runs. Its own arguments are not read. exit_syscall (up to 2.5) does not name the
 * call: it is the thread's last one; some calls do not return (exit), others return twice (fork, clone: in the child) */
EVENT(SYSCALL_ENTRY, syscall_entry_, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a system call begins")
ALSO(SYSCALL_ENTRY, compat_syscall_entry_)
ALSO(SYSCALL_ENTRY, sys_)
ALSO(SYSCALL_ENTRY, compat_sys_)
FIELD(SYSCALL_ENTRY, call, 0, NAME, LTTNG_2_0, LTTNG_NEWEST)

EVENT(SYSCALL_EXIT, syscall_exit_, KERNEL, SYSTEM, LTTNG_2_0, LTTNG_NEWEST, "a system call ends; ret is negative (-errno) if it failed")
ALSO(SYSCALL_EXIT, compat_syscall_exit_)
ALSO(SYSCALL_EXIT, exit_syscall)
FIELD(SYSCALL_EXIT, call, 0, NAME, LTTNG_2_6, LTTNG_NEWEST)
FIELD(SYSCALL_EXIT, ret, 1, I64, LTTNG_2_0, LTTNG_NEWEST)

#undef EVENT
#undef FIELD
#undef ALSO
