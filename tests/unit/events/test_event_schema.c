/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

#include "ros2bt/events/event_record.h"

Test(event_schema, slots_fit_a_record_and_are_shared_only_by_fields_of_different_releases)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		cr_assert_eq(schema->kind, (enum event_kind)kind);
		cr_assert_leq(schema->field_count, EVENT_FIELDS_MAX);
		for (size_t i = 0; i < schema->field_count; i++) {
			const struct event_field *field = &schema->fields[i];
			bool is_init = schema->class == EVENT_CLASS_INIT;

			if (field->slot == SKIP) {
				continue;
			}
			/* The last word of an INIT event is its time of initialization. */
			cr_assert_lt(field->slot, is_init ? EVENT_SLOT_INIT_TIME : EVENT_SLOTS, "%s.%s", schema->name,
				     field->name);
			for (size_t j = 0; j < i; j++) {
				const struct event_field *other = &schema->fields[j];

				cr_assert(other->slot != field->slot || other->last < field->first ||
						  field->last < other->first,
					  "%s: %s and %s share a slot", schema->name, field->name, other->name);
			}
		}
	}
}

Test(event_schema, events_are_found_by_full_name_and_provider)
{
	enum event_provider provider;

	cr_assert_eq(event_schema_find("ros2:callback_start", &provider)->kind, EVENT_CALLBACK_START);
	cr_assert_eq(provider, EVENT_PROVIDER_ROS2);
	cr_assert_eq(event_schema_find("ros2_caret:rcl_node_init", &provider)->kind, EVENT_RCL_NODE_INIT);
	cr_assert_eq(provider, EVENT_PROVIDER_CARET);
	cr_assert_eq(event_schema_find("r2r:spin_start", &provider)->kind, EVENT_R2R_SPIN_START);
	cr_assert_eq(provider, EVENT_PROVIDER_R2R);
	cr_assert_eq(event_schema_find("agnocast:agnocast_publish", &provider)->kind, EVENT_AGNOCAST_PUBLISH);
	cr_assert_eq(provider, EVENT_PROVIDER_AGNOCAST);
	cr_assert_eq(event_schema_find("ros2_caret:agnocast_node_init", &provider)->kind, EVENT_AGNOCAST_NODE_INIT);
	cr_assert_eq(event_schema_find("agnocast:agnocast_node_init", &provider)->kind, EVENT_AGNOCAST_NODE_INIT);
	cr_assert_null(event_schema_find("ros2_caret:agnocast_publish", &provider), "only Agnocast has it");
	cr_assert_eq(event_schema_find("lttng_ust_libc:malloc", &provider)->kind, EVENT_LIBC_MALLOC);
	cr_assert_eq(provider, EVENT_PROVIDER_LIBC);
	cr_assert_eq(event_schema_find("ust_libc:free", &provider)->kind, EVENT_LIBC_FREE, "LTTng-UST before 2.6");
	cr_assert_null(event_schema_find("ros2:spin_start", &provider), "only r2r has it");
	cr_assert_null(event_schema_find("ros2:malloc", &provider), "only the wrapper of malloc() has it");
	cr_assert_null(event_schema_find("ros2:dds_write", &provider), "only CARET has it");
	cr_assert_null(event_schema_find("ros2_caret:callback_start", &provider), "only ros2_tracing has it");
	cr_assert_null(event_schema_find("callback_start", &provider));
	cr_assert_null(event_schema_find("ros2callback_start", &provider));
	cr_assert_null(event_schema_find("", &provider));
}

Test(event_schema, an_event_without_a_row_still_has_its_provider)
{
	static const struct {
		const char *name;
		enum event_provider provider;
	} cases[] = {
		{ "ros2:of_a_newer_release", EVENT_PROVIDER_ROS2 },
		{ "ros2:", EVENT_PROVIDER_ROS2 },
		{ "ros2_caret:callback_start", EVENT_PROVIDER_CARET },
		{ "ros2_flow:link", EVENT_PROVIDER_NONE },
		{ "my_app:callback_start", EVENT_PROVIDER_NONE },
		{ "r2r:of_a_newer_release", EVENT_PROVIDER_R2R },
		{ "lttng_ust_libc:of_a_newer_release", EVENT_PROVIDER_LIBC },
		{ "my_libc:malloc", EVENT_PROVIDER_NONE },
		{ "sched_of_a_newer_release", EVENT_PROVIDER_KERNEL },
		{ "callback_start", EVENT_PROVIDER_KERNEL },
		{ "syscall_entry_", EVENT_PROVIDER_KERNEL },
		{ ":callback_start", EVENT_PROVIDER_NONE },
		{ "ros2", EVENT_PROVIDER_KERNEL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum event_provider provider = EVENT_PROVIDER_BOTH;

		cr_expect_null(event_schema_find(cases[i].name, &provider), "%s", cases[i].name);
		cr_expect_eq(provider, cases[i].provider, "%s", cases[i].name);
	}
	cr_assert(event_provider_is_complete(EVENT_PROVIDER_ROS2));
	cr_assert(event_provider_is_complete(EVENT_PROVIDER_CARET));
	cr_assert(event_provider_is_complete(EVENT_PROVIDER_AGNOCAST));
	cr_assert_not(event_provider_is_complete(EVENT_PROVIDER_R2R));
	cr_assert_not(event_provider_is_complete(EVENT_PROVIDER_LIBC));
	cr_assert_not(event_provider_is_complete(EVENT_PROVIDER_KERNEL));
	cr_assert_not(event_provider_is_complete(EVENT_PROVIDER_NONE));
}

/* lttng-modules 2.7 gave new names to interrupts and pages, 2.6 to system calls. */
Test(event_schema, the_kernels_events_are_found_by_their_names_of_every_release)
{
	static const struct {
		const char *name;
		enum event_kind kind;
		const char *rest;
	} cases[] = {
		{ "sched_switch", EVENT_SCHED_SWITCH, "" },
		{ "irq_softirq_entry", EVENT_IRQ_SOFTIRQ_ENTRY, "" },
		{ "softirq_entry", EVENT_IRQ_SOFTIRQ_ENTRY, "" },
		{ "softirq_exit", EVENT_IRQ_SOFTIRQ_EXIT, "" },
		{ "softirq_raise", EVENT_IRQ_SOFTIRQ_RAISE, "" },
		{ "mm_page_alloc", EVENT_KMEM_MM_PAGE_ALLOC, "" },
		{ "mm_page_free", EVENT_KMEM_MM_PAGE_FREE, "" },
		{ "kmem_mm_page_free", EVENT_KMEM_MM_PAGE_FREE, "" },
		{ "mm_page_free_direct", EVENT_KMEM_MM_PAGE_FREE, "" },
		{ "syscall_entry_clock_nanosleep", EVENT_SYSCALL_ENTRY, "clock_nanosleep" },
		{ "compat_syscall_entry_read", EVENT_SYSCALL_ENTRY, "read" },
		{ "sys_futex", EVENT_SYSCALL_ENTRY, "futex" },
		{ "compat_sys_futex", EVENT_SYSCALL_ENTRY, "futex" },
		{ "syscall_exit_read", EVENT_SYSCALL_EXIT, "read" },
		{ "compat_syscall_exit_read", EVENT_SYSCALL_EXIT, "read" },
		{ "exit_syscall", EVENT_SYSCALL_EXIT, "" },
	};
	static const char *const others[] = { "mm_page_free_batched", "sched_switch_",	     "exit_syscall_",	 "sys_",
					      "irq_handler",	      "kernel:sched_switch", "ros2:sched_switch" };
	enum event_provider provider;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct event_schema *schema = event_schema_find(cases[i].name, &provider);

		cr_assert_not_null(schema, "%s", cases[i].name);
		cr_expect_eq(schema->kind, cases[i].kind, "%s", cases[i].name);
		cr_expect_eq(provider, EVENT_PROVIDER_KERNEL);
		cr_expect_str_eq(event_schema_name_rest(schema, cases[i].name), cases[i].rest);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		cr_expect_null(event_schema_find(others[i], &provider), "%s", others[i]);
	}
}

Test(event_schema, events_of_ros_are_those_of_ros2_tracing_and_caret)
{
	cr_assert(event_kind_is_of_ros(EVENT_CALLBACK_START));
	cr_assert(event_kind_is_of_ros(EVENT_DDS_WRITE));
	cr_assert_not(event_kind_is_of_ros(EVENT_LIBC_MALLOC));
	cr_assert_not(event_kind_is_of_ros(EVENT_R2R_SPIN_START));
	cr_assert_not(event_kind_is_of_ros(EVENT_SCHED_SWITCH));
}

static bool matches(enum event_kind kind, enum event_provider provider, const char *const *names)
{
	const struct event_schema *schema = event_schema_of(kind);
	bool has[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; i < schema->field_count; i++) {
		for (size_t n = 0; names[n]; n++) {
			has[i] |= strcmp(schema->fields[i].name, names[n]) == 0;
		}
	}
	return event_schema_match(schema, provider, has);
}

#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

Test(event_schema, layouts_of_every_release_match_and_incomplete_ones_do_not)
{
	cr_assert(matches(EVENT_RMW_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("message")), "humble");
	cr_assert(matches(EVENT_RMW_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("publisher_handle", "message", "timestamp")),
		  "8.0");
	cr_assert(
		matches(EVENT_RMW_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("rmw_publisher_handle", "message", "timestamp")),
		"8.1");
	cr_assert_not(matches(EVENT_RMW_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("timestamp")));
	cr_assert(matches(EVENT_RCLCPP_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("publisher_handle", "message")));
	cr_assert(matches(EVENT_RCLCPP_PUBLISH, EVENT_PROVIDER_ROS2, FIELDS("message")));
	cr_assert(matches(EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, EVENT_PROVIDER_ROS2,
			  FIELDS("subscription_handle", "callback")));
	cr_assert(matches(EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, EVENT_PROVIDER_CARET,
			  FIELDS("subscription", "callback")));
	cr_assert_not(matches(EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, EVENT_PROVIDER_ROS2, FIELDS("callback")));
	cr_assert(matches(EVENT_RCL_INIT, EVENT_PROVIDER_CARET, FIELDS("context_handle")), "CARET's has no version");
	cr_assert_not(matches(EVENT_RCL_INIT, EVENT_PROVIDER_ROS2, FIELDS("context_handle")));
	cr_assert(matches(EVENT_CARET_INIT, EVENT_PROVIDER_CARET, FIELDS("clock_offset")), "before v0.4");
}

static bool kernel_matches(enum event_kind kind, const char *const *names)
{
	return matches(kind, EVENT_PROVIDER_KERNEL, names);
}

Test(event_schema, layouts_of_every_kernel_tracer_match)
{
	cr_assert(kernel_matches(EVENT_SCHED_WAKEUP, FIELDS("comm", "tid", "prio", "success", "target_cpu")),
		  "Linux before 4.3");
	cr_assert(kernel_matches(EVENT_SCHED_WAKEUP, FIELDS("comm", "tid", "prio", "target_cpu")));
	cr_assert_not(kernel_matches(EVENT_SCHED_WAKEUP, FIELDS("comm", "prio", "target_cpu")));
	cr_assert(kernel_matches(EVENT_SCHED_PROCESS_EXEC, FIELDS("filename", "pid", "old_pid")), "2.1");
	cr_assert(kernel_matches(EVENT_SCHED_PROCESS_EXEC, FIELDS("filename", "tid", "old_tid")), "2.2");
	cr_assert_not(kernel_matches(EVENT_SCHED_PROCESS_EXEC, FIELDS("filename")));
	cr_assert(kernel_matches(EVENT_SCHED_PROCESS_FORK,
				 FIELDS("parent_comm", "parent_tid", "child_comm", "child_tid")),
		  "2.1");
	cr_assert(kernel_matches(EVENT_SCHED_PROCESS_FORK, FIELDS("parent_comm", "parent_tid", "parent_pid",
								  "child_comm", "child_tid", "child_pid")),
		  "2.2");
	cr_assert(kernel_matches(EVENT_STATEDUMP_PROCESS_STATE,
				 FIELDS("tid", "vtid", "pid", "vpid", "ppid", "vppid", "name", "type", "ns_level")),
		  "2.1");
	cr_assert(kernel_matches(EVENT_STATEDUMP_PROCESS_STATE, FIELDS("tid", "pid", "ppid", "name", "type", "cpu")),
		  "2.12");
	cr_assert(kernel_matches(EVENT_SYSCALL_EXIT, FIELDS("ret")), "exit_syscall");
	cr_assert(kernel_matches(EVENT_SYSCALL_EXIT, FIELDS("ret", "call")));
	cr_assert_not(kernel_matches(EVENT_SYSCALL_EXIT, FIELDS("call")));
}

static char *explain(enum event_kind kind, const char *const *readable, const char *const *named)
{
	const struct event_schema *schema = event_schema_of(kind);
	bool has[EVENT_FIELDS_MAX] = { false }, is_named[EVENT_FIELDS_MAX] = { false };

	for (size_t i = 0; i < schema->field_count; i++) {
		has[i] = g_strv_contains(readable, schema->fields[i].name);
		is_named[i] = has[i] || g_strv_contains(named, schema->fields[i].name);
	}
	return event_schema_explain_mismatch(schema, has, is_named);
}

Test(event_schema, the_first_field_of_the_newest_layout_that_does_not_fit_is_named)
{
	g_autofree char *missing = explain(EVENT_CALLBACK_START, FIELDS("is_intra_process"), FIELDS("other"));
	g_autofree char *of_other_type = explain(EVENT_RMW_PUBLISH, FIELDS("message"), FIELDS("rmw_publisher_handle"));
	g_autofree char *of_old_layout =
		explain(EVENT_RMW_PUBLISH, FIELDS("publisher_handle"), FIELDS("publisher_handle"));

	cr_assert_str_eq(missing, "field callback is missing");
	cr_assert_str_eq(of_other_type, "field rmw_publisher_handle is not of type address");
	cr_assert_str_eq(of_old_layout, "field rmw_publisher_handle is missing");
}

Test(event_schema, a_version_of_tracetools_is_of_the_release_whose_packages_have_it)
{
	cr_expect_str_eq(release_of_tracetools("1.0.5"), "Foxy");
	cr_expect_str_eq(release_of_tracetools("4.1.1"), "Humble");
	cr_expect_str_eq(release_of_tracetools("8.2.5"), "Jazzy");
	cr_expect_str_eq(release_of_tracetools("8.6.0"), "Kilted");
	cr_expect_null(release_of_tracetools("8.20.1"));
	cr_expect_null(release_of_tracetools("8.4.0"), "only Rolling had it");
	cr_expect_null(release_of_tracetools(""));
}
