/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "core/named_paths/architecture/architecture.h"

Test(architecture, names_are_given_once)
{
	struct architecture *architecture = architecture_create();
	struct architecture_node *node = architecture_add_node(architecture, "/a");

	cr_assert_null(architecture_add_node(architecture, "/a"));
	cr_assert_not_null(architecture_add_callback(architecture, node, "c", ARCHITECTURE_TIMER));
	cr_assert_null(architecture_add_callback(architecture, node, "c", ARCHITECTURE_SUBSCRIPTION));
	cr_assert_not_null(architecture_add_path(architecture, "p"));
	cr_assert_null(architecture_add_path(architecture, "p"));
	cr_assert_null(architecture_find_node(architecture, "/b"));
	cr_assert_null(architecture_find_callback(node, "d"));
	architecture_destroy(architecture);
	architecture_destroy(NULL);
}

Test(architecture, texts_are_its_own_and_undefined_is_none)
{
	struct architecture *architecture = architecture_create();
	const char *name = "/node";
	const char *text = architecture_text(architecture, name);

	cr_assert_str_eq(text, name);
	cr_assert_neq(text, name);
	cr_assert_null(architecture_text(architecture, NULL));
	cr_assert_null(architecture_text(architecture, "UNDEFINED"));
	architecture_destroy(architecture);
}

Test(architecture, a_callback_is_of_the_first_group_that_names_it)
{
	struct architecture *architecture = architecture_create();
	struct architecture_node *node = architecture_add_node(architecture, "/a");
	struct architecture_callback_group *first = architecture_add_group(architecture, node, "UNDEFINED", "g0");
	struct architecture_callback_group *second = architecture_add_group(architecture, node, "reentrant", "g1");

	architecture_group_add(architecture, node, first, "c");
	architecture_group_add(architecture, node, second, "c");
	cr_assert_null(first->type);
	cr_assert_eq(architecture_find_group(node, "c"), first);
	cr_assert_eq(second->callbacks->len, 1);
	architecture_destroy(architecture);
}

Test(architecture, kinds_of_contexts_have_names)
{
	enum architecture_context_kind kind = ARCHITECTURE_CONTEXT_UNDEFINED;

	cr_assert_str_eq(architecture_context_name(ARCHITECTURE_CONTEXT_TILDE), "tilde");
	cr_assert_str_eq(architecture_context_name(ARCHITECTURE_CONTEXT_UNDEFINED), "UNDEFINED");
	cr_assert(architecture_context_of_name("inherit_unique_stamp", &kind));
	cr_assert_eq(kind, ARCHITECTURE_CONTEXT_INHERIT_UNIQUE_STAMP);
	cr_assert_not(architecture_context_of_name("magic", &kind));
}
