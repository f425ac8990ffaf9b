/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_events.h"

#include <glib.h>
#include <string.h>

double point_value_real(const struct point_value *value)
{
	switch (value->type) {
	case POINT_VALUE_UNSIGNED:
		return (double)value->number;
	case POINT_VALUE_SIGNED:
		return (double)(int64_t)value->number;
	case POINT_VALUE_REAL:
		return value->real;
	default:
		return 0;
	}
}

struct point_value point_value_element(const struct point_values *values, const struct point_value *list, size_t index)
{
	struct point_value element = { .type = list->element };

	if (list->element != POINT_VALUE_NONE) {
		memcpy(&element.number, (const char *)values + list->offset + index * sizeof(element.number),
		       sizeof(element.number));
	}
	return element;
}

struct point_values *point_values_copy(const struct point_values *values)
{
	return g_memdup2(values, values->size);
}

int point_events_find(const struct point_events *events, const char *full_name)
{
	for (size_t i = 0; events && i < events->count; i++) {
		if (strcmp(events->events[i].name, full_name) == 0) {
			return (int)i;
		}
	}
	return -1;
}
