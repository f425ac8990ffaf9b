/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/architecture_file.h"

#include <string.h>

#include "core/base/yaml/yaml_tree.h"
#include "ros2bt/base/string_pool.h"

#define ORDER_MAX 1000000

struct reader {
	const struct yaml_tree *tree;
	struct architecture *architecture;
	struct architecture_node *node; /* whose lists are being read */
};

/* Reads an element of a list of mappings. */
typedef bool (*read_element)(struct reader *reader, const struct yaml_node *element, GError **error);

static void G_GNUC_PRINTF(3, 4)
	remark(const struct reader *reader, const struct yaml_node *node, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_ptr_array_add(reader->architecture->remarks,
			g_strdup_printf("%s:%zu: %s", reader->architecture->path, yaml_node_line(node), text));
}

/* --- values --- */

/* The value of a key that CARET requires; NULL with an error if it is missing or null. */
static const struct yaml_node *need(const struct reader *reader, const struct yaml_node *mapping, const char *key,
				    GError **error)
{
	const struct yaml_node *value = yaml_node_find(reader->tree, mapping, key);

	if (!value) {
		yaml_refuse(reader->tree, mapping, error, "`%s` is missing: CARET requires it", key);
		return NULL;
	}
	if (yaml_node_is_null(value)) {
		yaml_refuse(reader->tree, value, error, "`%s` has no value: CARET requires one", key);
		return NULL;
	}
	return value;
}

static const char *need_text(const struct reader *reader, const struct yaml_node *mapping, const char *key,
			     GError **error)
{
	const struct yaml_node *value = need(reader, mapping, key, error);

	if (value && !yaml_node_text(value)) {
		yaml_refuse(reader->tree, value, error, "`%s`: expected a text", key);
	}
	return value ? yaml_node_text(value) : NULL;
}

/* The text of a key; NULL if it is missing, null or UNDEFINED. */
static bool read_name(const struct reader *reader, const struct yaml_node *mapping, const char *key, const char **name,
		      GError **error)
{
	const struct yaml_node *value = yaml_node_find(reader->tree, mapping, key);

	*name = NULL;
	if (!value || yaml_node_is_null(value)) {
		return true;
	}
	if (!yaml_node_text(value)) {
		return yaml_refuse(reader->tree, value, error, "`%s`: expected a text", key);
	}
	*name = architecture_text(reader->architecture, yaml_node_text(value));
	return true;
}

/* 0 if it is missing or null. */
static bool read_order(const struct reader *reader, const struct yaml_node *mapping, const char *key, uint32_t *order,
		       GError **error)
{
	const struct yaml_node *value = yaml_node_find(reader->tree, mapping, key);
	guint64 number;

	*order = 0;
	if (!value || yaml_node_is_null(value)) {
		return true;
	}
	if (!yaml_node_text(value) ||
	    !g_ascii_string_to_unsigned(yaml_node_text(value), 10, 0, ORDER_MAX, &number, NULL)) {
		return yaml_refuse(reader->tree, value, error, "`%s`: expected an integer of 0 or more", key);
	}
	*order = (uint32_t)number;
	return true;
}

static bool read_list(struct reader *reader, const struct yaml_node *list, const char *key, read_element read,
		      GError **error)
{
	if (yaml_node_kind(list) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, list, error, "`%s`: expected a list", key);
	}
	for (size_t i = 0; i < yaml_node_count(list); i++) {
		const struct yaml_node *element = yaml_node_at(reader->tree, list, i);

		if (yaml_node_kind(element) != YAML_MAPPING) {
			return yaml_refuse(reader->tree, element, error, "`%s`: expected keys and values", key);
		}
		if (!read(reader, element, error)) {
			return false;
		}
	}
	return true;
}

static bool need_list(struct reader *reader, const struct yaml_node *mapping, const char *key, read_element read,
		      GError **error)
{
	const struct yaml_node *list = need(reader, mapping, key, error);

	return list && read_list(reader, list, key, read, error);
}

/* A list that may be missing, but not null. */
static bool read_optional_list(struct reader *reader, const struct yaml_node *mapping, const char *key,
			       read_element read, GError **error)
{
	return !yaml_node_find(reader->tree, mapping, key) || need_list(reader, mapping, key, read, error);
}

/* A name in a list of names; NULL with an error. */
static const char *name_at(const struct reader *reader, const struct yaml_node *list, size_t index, const char *key,
			   GError **error)
{
	const struct yaml_node *element = yaml_node_at(reader->tree, list, index);

	if (!yaml_node_text(element)) {
		yaml_refuse(reader->tree, element, error, "`%s`: expected a list of names", key);
	}
	return yaml_node_text(element);
}

static const struct yaml_node *need_names(const struct reader *reader, const struct yaml_node *mapping, const char *key,
					  GError **error)
{
	const struct yaml_node *list = need(reader, mapping, key, error);

	if (list && yaml_node_kind(list) != YAML_SEQUENCE) {
		yaml_refuse(reader->tree, list, error, "`%s`: expected a list of names", key);
		return NULL;
	}
	return list;
}

static bool read_names(const struct reader *reader, const struct yaml_node *mapping, const char *key, GPtrArray *names,
		       GError **error)
{
	const struct yaml_node *list = need_names(reader, mapping, key, error);

	for (size_t i = 0; list && i < yaml_node_count(list); i++) {
		const char *name = name_at(reader, list, i, key, error);

		if (!name) {
			return false;
		}
		if (architecture_text(reader->architecture, name)) {
			architecture_add_name(reader->architecture, names, name);
		}
	}
	return list != NULL;
}

/* --- callbacks --- */

static bool read_period(const struct reader *reader, const struct yaml_node *element,
			struct architecture_callback *callback, GError **error)
{
	const char *text = need_text(reader, element, "period_ns", error);

	if (!text) {
		return false;
	}
	return g_ascii_string_to_signed(text, 10, 0, G_MAXINT64, &callback->period_ns, NULL) ||
	       yaml_refuse(reader->tree, yaml_node_find(reader->tree, element, "period_ns"), error,
			   "`period_ns`: expected an integer of nanoseconds");
}

static bool read_topic_of_callback(const struct reader *reader, const struct yaml_node *element,
				   struct architecture_callback *callback, GError **error)
{
	const char *topic = need_text(reader, element, "topic_name", error);

	if (!topic) {
		return false;
	}
	callback->topic = string_pool_intern(reader->architecture->texts, topic);
	return true;
}

static bool read_callback(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *type, *name, *symbol;
	struct architecture_callback *callback;
	bool is_timer;

	if (!yaml_node_find(reader->tree, element, "callback_type") && yaml_node_find(reader->tree, element, "type")) {
		return yaml_refuse(reader->tree, element, error,
				   "`type` is a form that CARET has not read since 2022: expected `callback_type`");
	}
	type = need_text(reader, element, "callback_type", error);
	name = type ? need_text(reader, element, "callback_name", error) : NULL;
	if (!name) {
		return false;
	}
	is_timer = strcmp(type, "timer_callback") == 0;
	if (!is_timer && strcmp(type, "subscription_callback") != 0) {
		remark(reader, element, "callback %s is left out: its type %s is unknown", name, type);
		return true;
	}
	symbol = need_text(reader, element, "symbol", error);
	if (!symbol) {
		return false;
	}
	callback = architecture_add_callback(reader->architecture, reader->node, name,
					     is_timer ? ARCHITECTURE_TIMER : ARCHITECTURE_SUBSCRIPTION);
	if (!callback) {
		remark(reader, element, "callback %s is ignored: the name is already in use", name);
		return true;
	}
	callback->line = yaml_node_line(element);
	callback->symbol = string_pool_intern(reader->architecture->texts, symbol);
	return (is_timer ? read_period(reader, element, callback, error)
			 : read_topic_of_callback(reader, element, callback, error)) &&
	       read_order(reader, element, "construction_order", &callback->order, error);
}

static bool read_group(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *type = need_text(reader, element, "callback_group_type", error);
	const char *name = type ? need_text(reader, element, "callback_group_name", error) : NULL;
	const struct yaml_node *list = name ? need_names(reader, element, "callback_names", error) : NULL;
	struct architecture_callback_group *group;

	if (!list) {
		return false;
	}
	group = architecture_add_group(reader->architecture, reader->node, type, name);
	group->line = yaml_node_line(element);
	for (size_t i = 0; i < yaml_node_count(list); i++) {
		const char *callback = name_at(reader, list, i, "callback_names", error);

		if (!callback) {
			return false;
		}
		architecture_group_add(reader->architecture, reader->node, group, callback);
	}
	return true;
}

static bool read_passing(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *write = need_text(reader, element, "callback_name_write", error);
	const char *read = write ? need_text(reader, element, "callback_name_read", error) : NULL;

	if (!read) {
		return false;
	}
	architecture_add_passing(reader->architecture, reader->node, write, read)->line = yaml_node_line(element);
	return true;
}

/* --- publishers, subscriptions, contexts --- */

static bool read_publisher(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *topic = need_text(reader, element, "topic_name", error);
	struct architecture_endpoint *publisher;
	uint32_t order;

	if (!topic || !read_order(reader, element, "construction_order", &order, error)) {
		return false;
	}
	publisher = architecture_add_endpoint(reader->architecture, reader->node->publishers, topic, order);
	publisher->line = yaml_node_line(element);
	return read_names(reader, element, "callback_names", publisher->callbacks, error);
}

static bool read_subscription(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *topic = need_text(reader, element, "topic_name", error);
	const char *callback = topic ? need_text(reader, element, "callback_name", error) : NULL;
	struct architecture_endpoint *subscription;
	uint32_t order;

	if (!callback || !read_order(reader, element, "construction_order", &order, error)) {
		return false;
	}
	subscription = architecture_add_endpoint(reader->architecture, reader->node->subscriptions, topic, order);
	subscription->line = yaml_node_line(element);
	subscription->callback = architecture_text(reader->architecture, callback);
	return true;
}

static bool add_context(struct reader *reader, const struct yaml_node *element, enum architecture_context_kind kind,
			GError **error)
{
	const char *subscribed = need_text(reader, element, "subscription_topic_name", error);
	const char *published = subscribed ? need_text(reader, element, "publisher_topic_name", error) : NULL;
	struct architecture_context *context;

	if (!published) {
		return false;
	}
	context = architecture_add_context(reader->architecture, reader->node, kind, subscribed, published);
	context->line = yaml_node_line(element);
	return read_order(reader, element, "subscription_construction_order", &context->subscription_order, error) &&
	       read_order(reader, element, "publisher_construction_order", &context->publisher_order, error) &&
	       (!yaml_node_find(reader->tree, element, "callbacks") ||
		read_names(reader, element, "callbacks", context->callbacks, error));
}

static bool read_context(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *type = need_text(reader, element, "context_type", error);
	enum architecture_context_kind kind;

	if (!type) {
		return false;
	}
	if (!architecture_context_of_name(type, &kind)) {
		remark(reader, element, "a context is left out: its type %s is unknown", type);
		return true;
	}
	return add_context(reader, element, kind, error);
}

/* --- nodes, executors, paths --- */

static bool read_node(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *name = need_text(reader, element, "node_name", error);

	if (!name) {
		return false;
	}
	reader->node = architecture_add_node(reader->architecture, name);
	if (!reader->node) {
		return yaml_refuse(reader->tree, element, error, "node %s is defined twice: remove one of the two",
				   name);
	}
	reader->node->line = yaml_node_line(element);
	return read_optional_list(reader, element, "callback_groups", read_group, error) &&
	       read_optional_list(reader, element, "callbacks", read_callback, error) &&
	       read_optional_list(reader, element, "variable_passings", read_passing, error) &&
	       read_optional_list(reader, element, "publishes", read_publisher, error) &&
	       read_optional_list(reader, element, "subscribes", read_subscription, error) &&
	       read_optional_list(reader, element, "message_contexts", read_context, error);
}

static bool read_executor(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *type = need_text(reader, element, "executor_type", error);
	const char *name = type ? need_text(reader, element, "executor_name", error) : NULL;
	struct architecture_executor *executor;

	if (!name) {
		return false;
	}
	executor = architecture_add_executor(reader->architecture, type, name);
	executor->line = yaml_node_line(element);
	return read_names(reader, element, "callback_group_names", executor->callback_groups, error);
}

static bool read_end(const struct reader *reader, const struct yaml_node *element, const char *topic_key,
		     const char *order_key, const char **topic, uint32_t *order, GError **error)
{
	return read_name(reader, element, topic_key, topic, error) &&
	       (!*topic || read_order(reader, element, order_key, order, error));
}

static bool read_chain(struct reader *reader, const struct yaml_node *chain, struct architecture_path *path,
		       GError **error)
{
	for (size_t i = 0; i < yaml_node_count(chain); i++) {
		const struct yaml_node *element = yaml_node_at(reader->tree, chain, i);
		const char *node = need_text(reader, element, "node_name", error);
		struct architecture_node_path *node_path;

		if (!node) {
			return false;
		}
		node_path = architecture_add_node_path(reader->architecture, path, node);
		node_path->line = yaml_node_line(element);
		if (!read_end(reader, element, "subscribe_topic_name", "subscription_construction_order",
			      &node_path->subscribed_topic, &node_path->subscription_order, error) ||
		    !read_end(reader, element, "publish_topic_name", "publisher_construction_order",
			      &node_path->published_topic, &node_path->publisher_order, error)) {
			return false;
		}
	}
	return true;
}

static bool read_path(struct reader *reader, const struct yaml_node *element, GError **error)
{
	const char *name = need_text(reader, element, "path_name", error);
	const struct yaml_node *chain = name ? need(reader, element, "node_chain", error) : NULL;
	struct architecture_path *path;

	if (!chain) {
		return false;
	}
	if (yaml_node_kind(chain) != YAML_SEQUENCE) {
		return yaml_refuse(reader->tree, chain, error, "`node_chain`: expected a list");
	}
	path = architecture_add_path(reader->architecture, name);
	if (!path) {
		remark(reader, element, "path %s is ignored: the name is already in use", name);
		return true;
	}
	path->line = yaml_node_line(element);
	return read_chain(reader, chain, path, error);
}

/* --- file --- */

static bool read_root(struct reader *reader, GError **error)
{
	const struct yaml_node *root = yaml_tree_root(reader->tree);

	if (!root || yaml_node_kind(root) != YAML_MAPPING) {
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
			    "%s: no architecture: expected the keys `named_paths`, `executors` and `nodes`",
			    reader->architecture->path);
		return false;
	}
	if (yaml_node_find(reader->tree, root, "path_name_aliases")) {
		return yaml_refuse(reader->tree, yaml_node_find(reader->tree, root, "path_name_aliases"), error,
				   "`path_name_aliases` is a form that CARET has not read since 2022: expected "
				   "`named_paths`");
	}
	return need_list(reader, root, "named_paths", read_path, error) &&
	       need_list(reader, root, "executors", read_executor, error) &&
	       need_list(reader, root, "nodes", read_node, error);
}

struct architecture *architecture_of_yaml(const struct yaml_tree *tree, const char *path, GError **error)
{
	struct architecture *architecture = architecture_create();

	architecture->path = string_pool_intern(architecture->texts, path);
	if (!read_root(&(struct reader){ .tree = tree, .architecture = architecture }, error)) {
		architecture_destroy(architecture);
		return NULL;
	}
	return architecture;
}

struct architecture *architecture_file_read(const char *path, GError **error)
{
	struct yaml_tree *tree = yaml_tree_read(path, error);
	struct architecture *architecture = tree ? architecture_of_yaml(tree, path, error) : NULL;

	yaml_tree_destroy(tree);
	return architecture;
}
