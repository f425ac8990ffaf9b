/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "core/events/class_plan.h"
#include "ros2bt/events/event_record.h"

/* A class as a reader sees it: the names of its members; those in `odd` are of a type that fits nothing. */
struct fake {
	const char *members, *odd;
	GString *planned;
};

static bool is_in(const char *names, const char *name)
{
	g_auto(GStrv) all = g_strsplit(names, " ", 0);

	return g_strv_contains((const char *const *)all, name);
}

static bool plan_member(void *data, const char *name, const struct event_field *field)
{
	struct fake *fake = data;

	if (!is_in(fake->members, name) || is_in(fake->odd, name)) {
		return false;
	}
	g_string_append_printf(fake->planned, "%s=%s ", field->name, name);
	return true;
}

static bool has_member(const void *data, const char *name)
{
	return is_in(((const struct fake *)data)->members, name);
}

static const struct class_members members = { plan_member, has_member };
static struct string_pool *pool;
static struct fake fake;
static struct class_plan class;

static void set_up(void)
{
	pool = string_pool_create();
	fake = (struct fake){ .members = "", .odd = "", .planned = g_string_new(NULL) };
}

static void tear_down(void)
{
	class_plan_clear(&class);
	g_string_free(fake.planned, TRUE);
	string_pool_destroy(pool);
}

static enum class_action choose(const char *name, const char *names, const struct event_interest *interest,
				bool has_point)
{
	fake.members = names;
	class_plan_init(&class, name);
	class_plan_choose(&class, interest, has_point, &members, &fake, pool);
	return class.action;
}

TestSuite(class_plan, .init = set_up, .fini = tear_down);

Test(class_plan, a_wanted_event_of_a_known_layout_is_decoded)
{
	cr_assert_eq(choose("ros2:callback_end", "callback", NULL, false), CLASS_DECODE);
	cr_expect(class.has_kind && !class.is_system && !class.wants_counters);
	cr_expect_eq(class.kind, EVENT_CALLBACK_END);
	cr_expect_eq(class.flags, 0);
	cr_expect_str_eq(fake.planned->str, "callback=callback ");
}

Test(class_plan, an_unwanted_event_is_ignored)
{
	const struct event_interest nothing = { .wants = { false } };

	cr_expect_eq(choose("ros2:callback_end", "callback", &nothing, false), CLASS_IGNORE);
	cr_expect_str_empty(fake.planned->str);
}

Test(class_plan, a_point_is_decoded_although_nobody_wants_its_kind)
{
	const struct event_interest nothing = { .wants = { false } };

	cr_expect_eq(choose("ros2:callback_end", "callback", &nothing, true), CLASS_DECODE);
	cr_expect(!class.has_kind && !class.is_system);
}

Test(class_plan, a_point_of_a_provider_that_the_table_does_not_know)
{
	cr_expect_eq(choose("mine:start", "id", NULL, false), CLASS_IGNORE);
	cr_expect_eq(choose("mine:start", "id", NULL, true), CLASS_DECODE);
	cr_expect(!class.has_kind);
}

Test(class_plan, an_event_that_the_table_lacks_is_unknown_unless_it_is_a_point)
{
	cr_expect_eq(choose("ros2:of_tomorrow", "id", NULL, false), CLASS_UNKNOWN);
	cr_expect_str_eq(class.reason, "not in the table of events");
	class_plan_clear(&class);
	cr_expect_eq(choose("ros2:of_tomorrow", "id", NULL, true), CLASS_DECODE);
}

Test(class_plan, a_layout_of_no_release_is_unknown_with_the_field_at_fault)
{
	cr_assert_eq(choose("ros2:callback_end", "other", NULL, false), CLASS_UNKNOWN);
	cr_expect(!class.has_kind);
	cr_expect(strstr(class.reason, "callback"), "%s", class.reason);
	class_plan_clear(&class);
	fake.odd = "callback";
	cr_assert_eq(choose("ros2:callback_end", "callback", NULL, false), CLASS_UNKNOWN);
	cr_expect(strstr(class.reason, "callback"), "%s", class.reason);
}

Test(class_plan, definitions_of_caret_may_have_an_init_timestamp)
{
	cr_assert_eq(choose("ros2_caret:rcl_init", "context_handle", NULL, false), CLASS_DECODE);
	cr_expect_eq(class.flags, RECORD_FROM_CARET);
	cr_expect(class.may_have_init_time);
	cr_assert_eq(choose("ros2_caret:sim_time", "stamp", NULL, false), CLASS_DECODE);
	cr_expect(!class.may_have_init_time);
}

Test(class_plan, the_rest_of_a_system_calls_name_is_a_word_of_its_class)
{
	cr_assert_eq(choose("syscall_entry_futex", "", NULL, false), CLASS_DECODE);
	cr_expect(class.is_system);
	cr_expect_str_eq(class.text, "futex");
}

Test(class_plan, counters_are_wanted_with_the_kind)
{
	struct event_interest interest = { .wants = { [EVENT_CALLBACK_END] = true },
					   .wants_counters = { [EVENT_CALLBACK_END] = true } };

	choose("ros2:callback_end", "callback", &interest, false);
	cr_expect(class.wants_counters);
	interest.wants[EVENT_CALLBACK_END] = false;
	choose("ros2:callback_end", "callback", &interest, false);
	cr_expect(!class.wants_counters);
}

Test(class_plan, a_changed_event_is_planned_as_it_was_recorded)
{
	fake.members = "stamp";
	class_plan_init(&class, "ros2:callback_end");
	class_plan_set_mark(&class, normalized_mark_of_labels("changed", "ros2_caret:sim_time"));
	class_plan_choose(&class, NULL, false, &members, &fake, pool);
	cr_expect_str_eq(class.name, "ros2_caret:sim_time");
	cr_expect_eq(class.flags, RECORD_FROM_CARET);
	cr_expect(!class_plan_is_supplied(&class));
	class_plan_set_mark(&class, normalized_mark_of_labels("supplied", NULL));
	cr_expect(class_plan_is_supplied(&class));
}
