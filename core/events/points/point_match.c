/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_match.h"

#include <string.h>

static void condition_clear(gpointer data)
{
	g_ptr_array_unref(((struct point_condition *)data)->allowed);
}

void point_match_init(struct point_match *match)
{
	*match = (struct point_match){ .name = POINT_NO_VALUE };
	match->conditions = g_array_new(FALSE, FALSE, sizeof(struct point_condition));
	g_array_set_clear_func(match->conditions, condition_clear);
}

void point_match_clear(struct point_match *match)
{
	g_array_unref(match->conditions);
}

void point_match_add_condition(struct point_match *match, size_t value, const GPtrArray *allowed)
{
	struct point_condition condition = { value, g_ptr_array_new_with_free_func(g_free) };

	for (guint i = 0; i < allowed->len; i++) {
		g_ptr_array_add(condition.allowed, g_strdup(g_ptr_array_index(allowed, i)));
	}
	g_array_append_val(match->conditions, condition);
}

static bool equals(const struct point_values *values, const struct point_value *value, const char *text)
{
	const char *own = point_value_text(values, value);
	char *end;

	if (own && value->type != POINT_VALUE_LIST && strcmp(own, text) == 0) {
		return true;
	}
	switch (value->type) {
	case POINT_VALUE_UNSIGNED:
		return text[0] != '-' && g_ascii_strtoull(text, &end, 0) == value->number && end != text &&
		       *end == '\0';
	case POINT_VALUE_SIGNED:
		return g_ascii_strtoll(text, &end, 0) == (int64_t)value->number && end != text && *end == '\0';
	case POINT_VALUE_REAL:
		return g_ascii_strtod(text, &end) == value->real && end != text && *end == '\0';
	default:
		return false;
	}
}

static bool condition_holds(const struct point_condition *condition, const struct point_values *values)
{
	for (guint i = 0; i < condition->allowed->len; i++) {
		if (equals(values, &values->at[condition->value], g_ptr_array_index(condition->allowed, i))) {
			return true;
		}
	}
	return false;
}

bool point_match_holds(const struct point_match *match, const struct point_values *values)
{
	for (guint i = 0; i < match->conditions->len; i++) {
		if (!condition_holds(&g_array_index(match->conditions, struct point_condition, i), values)) {
			return false;
		}
	}
	return true;
}
