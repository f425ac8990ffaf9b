/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/given_params.h"

#include "ros2bt/bt/own.h"

static struct param_item item_of_unsigned(uint64_t integer)
{
	if (integer > INT64_MAX) {
		return (struct param_item){ PARAM_ITEM_REAL, .real = (double)integer };
	}
	return (struct param_item){ PARAM_ITEM_INTEGER, .integer = (int64_t)integer };
}

/* Its text is borrowed from the value. */
static struct param_item item_of(const bt_value *value)
{
	switch (bt_value_get_type(value)) {
	case BT_VALUE_TYPE_BOOL:
		return (struct param_item){ PARAM_ITEM_BOOL, .boolean = bt_value_bool_get(value) };
	case BT_VALUE_TYPE_SIGNED_INTEGER:
		return (struct param_item){ PARAM_ITEM_INTEGER, .integer = bt_value_integer_signed_get(value) };
	case BT_VALUE_TYPE_UNSIGNED_INTEGER:
		return item_of_unsigned(bt_value_integer_unsigned_get(value));
	case BT_VALUE_TYPE_REAL:
		return (struct param_item){ PARAM_ITEM_REAL, .real = bt_value_real_get(value) };
	case BT_VALUE_TYPE_STRING:
		return (struct param_item){ PARAM_ITEM_STRING, .string = (char *)bt_value_string_get(value) };
	default:
		return (struct param_item){ PARAM_ITEM_OTHER, .integer = 0 };
	}
}

static bt_value_map_foreach_entry_const_func_status add_entry(const char *key, const bt_value *value, void *values)
{
	if (!bt_value_is_array(value)) {
		param_values_set(values, key, item_of(value));
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	}
	param_values_set_array(values, key);
	for (uint64_t i = 0; i < bt_value_array_get_length(value); i++) {
		param_values_append(values, key, item_of(bt_value_array_borrow_element_by_index_const(value, i)));
	}
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

struct param_values *given_params(const bt_value *map)
{
	struct param_values *values = param_values_create();

	(void)bt_value_map_foreach_entry_const(map, add_entry, values);
	return values;
}

const bt_value *params_describe(const struct param *rows, size_t row_count)
{
	g_autoptr(bt_value) map = bt_value_map_create();

	if (!map) {
		return NULL;
	}
	for (size_t i = 0; i < row_count; i++) {
		bt_value *entry = NULL;

		if (bt_value_map_insert_empty_map_entry(map, rows[i].key, &entry) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "type", param_type_text(rows[i].type)) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "default", rows[i].default_text) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "allowed", rows[i].allowed) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
		    bt_value_map_insert_string_entry(entry, "help", rows[i].help) !=
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK) {
			return NULL;
		}
	}
	return g_steal_pointer(&map);
}
