/* SPDX-License-Identifier: MIT */
#include "core/analyses/points/point_names.h"

#include <string.h>

#include "core/base/arena_parts.h"

void point_names_init(struct point_names *names, struct recording *recording)
{
	struct arena *arena = recording_arena(recording);
	GHashTable *by_text = g_hash_table_new(g_str_hash, g_str_equal);

	names->pool = recording_pool(recording);
	names->names = arena_pointers(arena);
	names->by_text = arena_own(arena, by_text, (GDestroyNotify)g_hash_table_unref);
	arena_map(arena, &names->by_number);
	names->has_others = false;
}

static uint32_t find_text(struct point_names *names, const char *text)
{
	guint index = GPOINTER_TO_UINT(g_hash_table_lookup(names->by_text, text));

	if (G_LIKELY(index > 0)) {
		return index - 1;
	}
	if (names->names->len >= POINT_NAMES_MAX) {
		if (names->has_others) {
			return names->names->len - 1;
		}
		names->has_others = true;
		text = POINT_NAMES_OTHERS;
	}
	text = string_pool_intern(names->pool, text);
	g_ptr_array_add(names->names, (gpointer)text);
	g_hash_table_insert(names->by_text, (gpointer)text, GUINT_TO_POINTER(names->names->len));
	return names->names->len - 1;
}

static uint32_t find_number(struct point_names *names, const struct point_values *values,
			    const struct point_value *value)
{
	uint64_t known = u64_map_get(&names->by_number, value->number);
	const char *label = point_value_text(values, value);
	char text[24];
	uint32_t index;

	/* other classes may give the number another label */
	if (G_LIKELY(known != U64_MAP_NONE) && (!label || strcmp(label, point_names_at(names, (uint32_t)known)) == 0)) {
		return (uint32_t)known;
	}
	if (value->type == POINT_VALUE_SIGNED) {
		g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, (gint64)value->number);
	} else {
		g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, value->number);
	}
	index = find_text(names, label ? label : text);
	if (names->by_number.count < POINT_NAMES_MAX) {
		u64_map_set(&names->by_number, value->number, index);
	}
	return index;
}

uint32_t point_names_find(struct point_names *names, const struct point_values *values, const struct point_value *value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	switch (value->type) {
	case POINT_VALUE_UNSIGNED:
	case POINT_VALUE_SIGNED:
		return find_number(names, values, value);
	case POINT_VALUE_TEXT:
		return find_text(names, point_value_text(values, value));
	case POINT_VALUE_REAL:
		return find_text(names, g_ascii_dtostr(text, sizeof(text), value->real));
	default:
		return POINT_NAME_NONE;
	}
}
