/* SPDX-License-Identifier: MIT */
#include "core/analyses/paths/condition_sets.h"

#include <string.h>

#include "core/base/compare_numbers.h"

/* Plain numbers, no rows. */
static gint compare_conditions(gconstpointer a, gconstpointer b)
{
	const uint32_t *left = a, *right = b;

	return compare_unsigned(*left, *right);
}

GPtrArray *condition_sets_create(void)
{
	GPtrArray *sets = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	g_ptr_array_add(sets, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
	return sets;
}

static void remove_repetitions(GArray *conditions)
{
	g_array_sort(conditions, compare_conditions);
	for (guint i = conditions->len; i-- > 1;) {
		if (g_array_index(conditions, uint32_t, i) == g_array_index(conditions, uint32_t, i - 1)) {
			g_array_remove_index(conditions, i);
		}
	}
}

uint32_t condition_sets_find_or_add(GPtrArray *sets, GArray *conditions)
{
	remove_repetitions(conditions);
	for (guint i = 0; i < sets->len; i++) {
		const GArray *set = sets->pdata[i];

		if (set->len == conditions->len &&
		    (set->len == 0 || memcmp(set->data, conditions->data, set->len * sizeof(uint32_t)) == 0)) {
			return i;
		}
	}
	if (sets->len == CONDITION_SETS_MAX) {
		return CONDITION_SETS_FULL;
	}
	g_ptr_array_add(sets, g_array_ref(conditions));
	return sets->len - 1;
}

uint32_t condition_sets_of_way(GPtrArray *sets, const struct path_node *node)
{
	g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (; node->parent; node = node->parent) {
		if (node->condition) {
			g_array_append_val(conditions, node->condition);
		}
	}
	if (node->is_round) {
		const GArray *more = sets->pdata[node->condition];

		g_array_append_vals(conditions, more->data, more->len);
	} else if (node->condition) {
		g_array_append_val(conditions, node->condition);
	}
	return condition_sets_find_or_add(sets, conditions);
}

bool condition_sets_hold(const GPtrArray *sets, uint32_t set, const struct flow_linker *flows)
{
	const GArray *conditions = sets->pdata[set];

	for (guint i = 0; i < conditions->len; i++) {
		if (!flow_linker_holds(flows, g_array_index(conditions, uint32_t, i))) {
			return false;
		}
	}
	return true;
}
