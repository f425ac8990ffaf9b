/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_path.h"

/* --- columns --- */

static void append_column(GArray *columns, const struct caret_column *column)
{
	struct caret_column appended = *column;

	appended.use = 0;
	for (guint i = 0; i < columns->len; i++) {
		appended.use += caret_column_is_same(caret_column_at(columns, i), column);
	}
	g_array_append_val(columns, appended);
}

/* Appends all except the first `from`. */
static void append_columns(GArray *columns, const GArray *others, guint from)
{
	for (guint i = from; i < others->len; i++) {
		append_column(columns, caret_column_at(others, i));
	}
}

/* --- joining --- */

/* Further publications of the same callbacks, up to the next flow's, branch off: their times replace the left one's. */
static struct caret_table *join_publications(const struct caret_table *flows, const struct caret_table *records)
{
	size_t last = flows->width - 1;
	g_autoptr(caret_table) joined = caret_join_sequential(flows, last, records, 0, CARET_JOIN_EVERY);
	g_autofree size_t *kept = g_new(size_t, joined->width);
	size_t count = 0;

	for (size_t i = 0; i < joined->width; i++) {
		if (i != last + 1) {
			kept[count++] = i;
		}
	}
	for (size_t i = 0; i < caret_table_count(joined); i++) {
		int64_t *row = caret_table_at(joined, i);

		row[last] = row[last + 1] == CARET_NO_TIME ? row[last] : row[last + 1];
	}
	return caret_table_select(joined, kept, count);
}

/* False: path and element share no point. */
static bool join_element(struct caret_path *path, const struct caret_element *element, bool is_chain_before)
{
	struct caret_table *joined;

	g_assert(path->flows);
	if (!caret_column_is_same(caret_column_at(path->columns, path->columns->len - 1),
				  caret_column_at(element->columns, 0))) {
		return false;
	}
	joined = is_chain_before ? join_publications(path->flows, element->records)
				 : caret_join_equal(path->flows, path->flows->width - 1, element->records, 0);
	caret_table_destroy(path->flows);
	path->flows = joined;
	append_columns(path->columns, element->columns, 1);
	return true;
}

/* At a node that takes by hand the message itself goes on: the callback, which never runs, is no point of the flow. */
static void drop_last_column(struct caret_path *path)
{
	g_autofree size_t *kept = g_new(size_t, path->flows->width);
	struct caret_table *rest;

	for (size_t i = 0; i + 1 < path->flows->width; i++) {
		kept[i] = i;
	}
	rest = caret_table_select(path->flows, kept, path->flows->width - 1);
	caret_table_destroy(path->flows);
	path->flows = rest;
	g_array_set_size(path->columns, path->columns->len - 1);
}

static void drop_stamps(struct caret_path *path)
{
	g_autofree size_t *kept = g_new(size_t, path->columns->len);
	struct caret_table *rest;
	guint count = 0;

	for (guint i = 0; i < path->columns->len; i++) {
		if (caret_column_at(path->columns, i)->point != CARET_POINT_STAMP) {
			g_array_index(path->columns, struct caret_column, count) = *caret_column_at(path->columns, i);
			kept[count++] = i;
		}
	}
	g_array_set_size(path->columns, count);
	rest = caret_table_select(path->flows, kept, count);
	caret_table_destroy(path->flows);
	path->flows = rest;
}

/* --- the path --- */

/* If the last node takes by hand, its take ends the communication. */
static const struct caret_element *element_to_join(const struct caret_path *path, guint index)
{
	bool is_last_communication = index + 2 == path->elements->len;

	return is_last_communication && path->taken.columns
		       ? &path->taken
		       : &g_array_index(path->elements, struct caret_element, index);
}

static void fail(struct caret_path *path, char *problem)
{
	g_free(path->problem);
	path->problem = problem;
	g_clear_pointer(&path->flows, caret_table_destroy);
	g_array_set_size(path->columns, 0);
}

static void begin(struct caret_path *path, const struct caret_element *element)
{
	size_t *all = g_new(size_t, element->columns->len);

	for (guint i = 0; i < element->columns->len; i++) {
		all[i] = i;
	}
	path->flows = caret_table_select(element->records, all, element->columns->len);
	append_columns(path->columns, element->columns, 0);
	g_free(all);
}

static char *name_unknown(const struct caret_node *node)
{
	return g_strdup_printf("flows end at %s: it is not known how a message from %s comes to be one of %s there",
			       node->name, node->subscribed_topic, node->published_topic);
}

/* The path has been joined up to an element. */
static void arrive(struct caret_path *path, const struct caret_node *nodes, size_t count, guint index)
{
	bool is_communication = index % 2 == 1;
	uint32_t node = (index + 1) / 2;

	path->end = node;
	if (is_communication && nodes[node].takes_by_hand && node + 1 < count &&
	    !element_to_join(path, index)->is_intra_process) {
		drop_last_column(path);
	}
}

/* Joins the elements from `first` up to the first without records. False: two neighbours share no point. */
static bool join_elements(struct caret_path *path, const struct caret_node *nodes, size_t count, guint first)
{
	for (guint i = first; i < path->elements->len; i++) {
		const struct caret_element *element = element_to_join(path, i);
		bool is_communication = i % 2 == 1;
		uint32_t node = (i + 1) / 2;

		if (element->columns->len == 0) {
			if (node + 1 < count) {
				path->problem = name_unknown(&nodes[node]);
			}
			return true;
		}
		if (!join_element(path, element,
				  is_communication && nodes[node - 1].context == CARET_CONTEXT_CALLBACK_CHAIN)) {
			return false;
		}
		arrive(path, nodes, count, i);
	}
	return true;
}

static void join_last_callback(struct caret_path *path, const struct caret_objects *objects,
			       const struct caret_node *nodes, size_t count)
{
	struct caret_element last;

	if (path->problem) {
		fail(path, g_steal_pointer(&path->problem));
		return;
	}
	if (caret_column_at(path->columns, path->columns->len - 1)->point != CARET_POINT_CALLBACK_START) {
		return; /* it takes by hand */
	}
	last = caret_element_of_last_callback(objects, nodes, (uint32_t)count - 1);
	if (caret_table_count(last.records) > 0) {
		join_element(path, &last, false);
	}
	caret_element_clear(&last);
}

static void make_flows(struct caret_path *path, const struct caret_objects *objects, const struct caret_node *nodes,
		       size_t count, bool first_callback, bool last_callback)
{
	guint first = 0;

	if (first_callback) {
		struct caret_element element = caret_element_of_first_callback(objects, nodes);

		begin(path, &element);
		caret_element_clear(&element);
	} else {
		const struct caret_element *node = element_to_join(path, 0);

		first = !node->records || caret_table_count(node->records) == 0;
		begin(path, element_to_join(path, first));
		arrive(path, nodes, count, first);
	}
	if (!join_elements(path, nodes, count, first + 1)) {
		fail(path, g_strdup_printf("%s takes its messages by hand, so its context must be use_latest_message",
					   nodes[path->end].name));
		return;
	}
	if (last_callback) {
		join_last_callback(path, objects, nodes, count);
	}
	if (path->flows) {
		drop_stamps(path);
		caret_table_sort(path->flows);
	}
}

struct caret_path *caret_path_create(const struct caret_objects *objects, const struct caret_node *nodes, size_t count,
				     bool first_callback, bool last_callback)
{
	struct caret_path *path = g_new0(struct caret_path, 1);

	path->elements = g_array_new(FALSE, FALSE, sizeof(struct caret_element));
	g_array_set_clear_func(path->elements, (GDestroyNotify)caret_element_clear);
	path->columns = g_array_new(FALSE, FALSE, sizeof(struct caret_column));
	for (uint32_t i = 0; i < count; i++) {
		struct caret_element node = caret_element_of_node(objects, nodes, i);

		if (i > 0) {
			struct caret_element communication = caret_element_of_communication(objects, nodes, i);

			g_array_append_val(path->elements, communication);
		}
		g_array_append_val(path->elements, node);
	}
	if (nodes[count - 1].takes_by_hand) {
		path->taken = caret_element_of_takes(objects, nodes, (uint32_t)count - 1);
	}
	make_flows(path, objects, nodes, count, first_callback, last_callback);
	return path;
}

void caret_path_destroy(struct caret_path *path)
{
	if (!path) {
		return;
	}
	g_array_free(path->elements, TRUE);
	if (path->taken.columns) {
		caret_element_clear(&path->taken);
	}
	g_array_free(path->columns, TRUE);
	caret_table_destroy(path->flows);
	g_free(path->problem);
	g_free(path);
}
