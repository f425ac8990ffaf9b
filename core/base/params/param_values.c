/* SPDX-License-Identifier: MIT */
#include "ros2bt/base/param_values.h"

#include <string.h>

struct param_values {
	GPtrArray *list; /* struct param_value */
};

static void clear_item(gpointer data)
{
	struct param_item *item = data;

	if (item->kind == PARAM_ITEM_STRING) {
		g_free(item->string);
	}
}

static void destroy_value(gpointer data)
{
	struct param_value *value = data;

	g_free(value->key);
	g_array_unref(value->items);
	g_free(value);
}

struct param_values *param_values_create(void)
{
	struct param_values *values = g_new0(struct param_values, 1);

	values->list = g_ptr_array_new_with_free_func(destroy_value);
	return values;
}

void param_values_destroy(struct param_values *values)
{
	if (values) {
		g_ptr_array_unref(values->list);
		g_free(values);
	}
}

static struct param_value *find(const struct param_values *values, const char *key)
{
	for (guint i = 0; i < values->list->len; i++) {
		struct param_value *value = g_ptr_array_index(values->list, i);

		if (strcmp(value->key, key) == 0) {
			return value;
		}
	}
	return NULL;
}

static struct param_value *find_or_add(struct param_values *values, const char *key)
{
	struct param_value *value = find(values, key);

	if (!value) {
		value = g_new0(struct param_value, 1);
		value->key = g_strdup(key);
		value->items = g_array_new(FALSE, FALSE, sizeof(struct param_item));
		g_array_set_clear_func(value->items, clear_item);
		g_ptr_array_add(values->list, value);
	}
	return value;
}

static void append(struct param_value *value, struct param_item item)
{
	if (item.kind == PARAM_ITEM_STRING) {
		item.string = g_strdup(item.string);
	}
	g_array_append_val(value->items, item);
}

void param_values_set(struct param_values *values, const char *key, struct param_item item)
{
	struct param_value *value = find_or_add(values, key);

	value->is_array = false;
	g_array_set_size(value->items, 0);
	append(value, item);
}

void param_values_set_array(struct param_values *values, const char *key)
{
	struct param_value *value = find_or_add(values, key);

	if (!value->is_array) {
		value->is_array = true;
		g_array_set_size(value->items, 0);
	}
}

void param_values_append(struct param_values *values, const char *key, struct param_item item)
{
	param_values_set_array(values, key);
	append(find(values, key), item);
}

const struct param_value *param_values_find(const struct param_values *values, const char *key)
{
	return find(values, key);
}

size_t param_values_count(const struct param_values *values)
{
	return values->list->len;
}

const struct param_value *param_values_at(const struct param_values *values, size_t index)
{
	return g_ptr_array_index(values->list, index);
}
