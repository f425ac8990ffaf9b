/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ros2bt/flow/link_rules.h"

Test(links, a_rule_is_read_with_and_without_blanks_and_leading_slashes)
{
	static const char *const texts[] = {
		"/planner: /fused -> /path: periodic_async",
		"planner:fused->path:periodic_async",
		"  /planner :\t/fused  ->  path :  periodic_async  ",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct link_rule rule;
		g_autoptr(GError) error = NULL;

		cr_assert(link_rule_parse(&rule, texts[i], &error), "%s", texts[i]);
		cr_assert_str_eq(rule.node, "/planner");
		cr_assert_str_eq(rule.subscribed_topic, "/fused");
		cr_assert_str_eq(rule.published_topic, "/path");
		cr_assert_eq(rule.kind, LINK_PERIODIC_ASYNC);
		cr_assert_str_eq(rule.text, texts[i]);
		link_rule_clear(&rule);
	}
}

Test(links, anything_else_is_refused_with_the_text_and_the_grammar)
{
	static const char *const texts[] = {
		"",
		":",
		"->",
		"/a: /b -> /c",
		"/a: /b -> /c: often",
		"/a: /b: /c: partial_sync",
		"/a /b -> /c: partial_sync",
		"/a: /b -> /c: partial_sync partial_sync",
		": /b -> /c: partial_sync",
		"/a: -> /c: partial_sync",
		"/a: /b -> : partial_sync",
		"/: /b -> /c: partial_sync",
		"/a: /b x -> /c: partial_sync",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct link_rule rule;
		g_autoptr(GError) error = NULL;

		cr_assert_not(link_rule_parse(&rule, texts[i], &error), "%s", texts[i]);
		cr_assert_neq(strstr(error->message, texts[i]), NULL);
		cr_assert_neq(strstr(error->message, "SUBSCRIBED_TOPIC"), NULL);
	}
}

Test(links, several_rules_are_read_or_the_first_wrong_one_is_named)
{
	static const char *const good[] = { "/a: /b -> /c: partial_sync", "/d: /e -> /f: periodic_async", NULL };
	static const char *const bad[] = { "/a: /b -> /c: partial_sync", "/d: /e", NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) rules = link_rules_parse(good, &error);

	cr_assert_eq(rules->len, 2);
	cr_assert_str_eq(g_array_index(rules, struct link_rule, 1).published_topic, "/f");
	cr_assert_eq(g_array_index(rules, struct link_rule, 1).kind, LINK_PERIODIC_ASYNC);
	cr_assert_null(link_rules_parse(bad, &error));
	cr_assert_not_null(strstr(error->message, "/d: /e"));
}
