/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/events/normalized_mark.h"

static const char *member(const char *how, enum event_kind kind, const char *name)
{
	const struct normalized_mark mark = normalized_mark_of_labels(how, NULL);
	const struct event_schema *schema = event_schema_of(kind);

	for (size_t i = 0; i < schema->field_count; i++) {
		if (strcmp(schema->fields[i].name, name) == 0) {
			return normalized_mark_member(&mark, kind, &schema->fields[i]);
		}
	}
	cr_assert_fail("no field %s", name);
	return NULL;
}

Test(normalized_mark, each_label_names_one_way)
{
	for (enum normalized_how how = NORMALIZED_CHANGED; how < NORMALIZED_HOW_COUNT; how++) {
		cr_expect_eq(normalized_how_of_label(normalized_how_label(how)), how);
	}
	cr_expect_eq(normalized_how_of_label(NULL), NORMALIZED_KEPT);
	cr_expect_eq(normalized_how_of_label("of somebody else"), NORMALIZED_KEPT);
}

Test(normalized_mark, a_name_without_a_known_label_is_no_mark)
{
	cr_expect_null(normalized_mark_of_labels(NULL, "ros2:rcl_init").recorded_as);
	cr_expect_null(normalized_mark_of_labels("other", "ros2:rcl_init").recorded_as);
	cr_expect_str_eq(normalized_mark_of_labels("changed", "ros2:rcl_init").recorded_as, "ros2:rcl_init");
}

Test(normalized_mark, what_was_filled_in_is_not_read)
{
	static const char *const filled_in[] = { "inferred", "unstamped", "bound" };

	for (size_t i = 0; i < 3; i++) {
		cr_expect_null(member(filled_in[i], EVENT_RMW_PUBLISH, "timestamp"));
		cr_expect_null(member(filled_in[i], EVENT_DDS_WRITE, "rmw_publisher_handle"));
		cr_expect_str_eq(member(filled_in[i], EVENT_DDS_WRITE, "message"), "message");
	}
	cr_expect_str_eq(member("changed", EVENT_DDS_WRITE, "timestamp"), "timestamp", "its own");
	cr_expect_null(member("completed", EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, "subscription"));
	cr_expect_str_eq(member("changed", EVENT_RCLCPP_SUBSCRIPTION_CALLBACK_ADDED, "subscription"), "subscription");
}

Test(normalized_mark, the_version_is_the_recorded_one)
{
	cr_expect_str_eq(member("changed", EVENT_RCL_INIT, "version"), "recorded_version");
	cr_expect_str_eq(member(NULL, EVENT_RCL_INIT, "version"), "version");
}
