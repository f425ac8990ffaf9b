/* SPDX-License-Identifier: MIT */
/*
 * The values that were given to parameters (params.h), by key, before anything is known of their types: of a command
 * line, or of a component class (ros2bt/bt/given_params.h). They are in the order in which their keys were given first.
 *
 * A value is one item, or an array of items. It owns its texts. Cost: O(values) for each look-up.
 */
#ifndef ROS2BT_PARAM_VALUES_H
#define ROS2BT_PARAM_VALUES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum param_item_kind {
	PARAM_ITEM_BOOL,
	PARAM_ITEM_INTEGER,
	PARAM_ITEM_REAL, /* also an integer that int64_t does not hold */
	PARAM_ITEM_STRING,
	PARAM_ITEM_OTHER, /* no parameter has it */
};

struct param_item {
	enum param_item_kind kind;
	union {
		bool boolean;
		int64_t integer;
		double real;
		char *string; /* owned */
	};
};

struct param_value {
	char *key;     /* owned */
	bool is_array; /* else there is one item */
	GArray *items; /* struct param_item */
};

struct param_values;

struct param_values *param_values_create(void);
void param_values_destroy(struct param_values *values); /* NULL is allowed */
typedef struct param_values param_values;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(param_values, param_values_destroy)

/* Gives a parameter the item, instead of the value that it has. Copies the text of the item. */
void param_values_set(struct param_values *values, const char *key, struct param_item item);

/* Gives a parameter an array without items, unless it has one. */
void param_values_set_array(struct param_values *values, const char *key);

/* Adds an item to the array of a parameter, which is made if it has none. Copies the text of the item. */
void param_values_append(struct param_values *values, const char *key, struct param_item item);

/* NULL: not given. */
const struct param_value *param_values_find(const struct param_values *values, const char *key);

size_t param_values_count(const struct param_values *values);
const struct param_value *param_values_at(const struct param_values *values, size_t index);

static inline const struct param_item *param_value_item(const struct param_value *value, size_t index)
{
	return &g_array_index(value->items, struct param_item, index);
}

#endif
