/* SPDX-License-Identifier: MIT */
#include "core/named_paths/caret/caret_elements.h"

/* --- columns --- */

char *caret_column_name(const struct caret_column *column, const struct caret_node *nodes, bool is_of_flows)
{
	static const char *const points[CARET_POINT_COUNT] = {
		[CARET_POINT_CALLBACK_START] = "callback_start",
		[CARET_POINT_CALLBACK_END] = "callback_end",
		[CARET_POINT_PUBLISH] = "rclcpp_publish",
		[CARET_POINT_RCL_PUBLISH] = "rcl_publish",
		[CARET_POINT_WRITE] = "dds_write",
		[CARET_POINT_STAMP] = "source",
		[CARET_POINT_TAKE] = "rmw_take",
	};
	g_autofree char *any = column->object ? NULL : g_strconcat(nodes[column->node].name, "/callback_x", NULL);
	g_autofree char *use = is_of_flows ? g_strdup_printf("/%u", column->use) : g_strdup("");

	return g_strdup_printf("%s/%s_timestamp%s", any ? any : column->object, points[column->point], use);
}

bool caret_column_is_same(const struct caret_column *a, const struct caret_column *b)
{
	if (a->point != b->point || !a->object || !b->object) {
		return a->point == b->point && a->object == b->object && a->node == b->node;
	}
	return g_str_equal(a->object, b->object);
}

static void add_column(struct caret_element *element, enum caret_point point, const char *object, uint32_t node)
{
	struct caret_column column = { point, object, node, 0 };

	g_array_append_val(element->columns, column);
}

/* --- elements --- */

static struct caret_element element_create(void)
{
	return (struct caret_element){ .columns = g_array_new(FALSE, FALSE, sizeof(struct caret_column)) };
}

void caret_element_clear(struct caret_element *element)
{
	g_array_free(element->columns, TRUE);
	caret_table_destroy(element->records);
}

/* Takes the table over. */
static void set_records(struct caret_element *element, struct caret_table *records)
{
	caret_table_sort(records);
	element->records = records;
}

static struct caret_table *times_of_publications(const struct caret_objects *objects, const struct caret_node *node)
{
	g_autoptr(caret_table) publications = caret_objects_publications(objects, node->publishers);

	return caret_table_select(publications, (size_t[]){ CARET_PUBLICATION_PUBLISH }, 1);
}

/* --- communications --- */

static bool has_any(const struct caret_table *table, size_t column)
{
	for (size_t i = 0; i < caret_table_count(table); i++) {
		if (caret_table_at(table, i)[column] != CARET_NO_TIME) {
			return true;
		}
	}
	return false;
}

/* Publications joined with what received them: the columns that hold something. */
static void add_communication(struct caret_element *element, const struct caret_table *joined, const char *topic,
			      enum caret_point reception, const char *receiver, uint32_t index)
{
	static const enum caret_point points[] = { /* by enum caret_publication_column */
						   CARET_POINT_PUBLISH, CARET_POINT_RCL_PUBLISH, CARET_POINT_WRITE,
						   CARET_POINT_STAMP
	};
	size_t kept[G_N_ELEMENTS(points) + 1];
	size_t count = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(points); i++) {
		bool is_optional = points[i] == CARET_POINT_RCL_PUBLISH || points[i] == CARET_POINT_WRITE;

		if (!is_optional || has_any(joined, i)) {
			add_column(element, points[i], topic, index - 1);
			kept[count++] = i;
		}
	}
	add_column(element, reception, receiver, index);
	kept[count++] = CARET_PUBLICATION_COLUMNS;
	set_records(element, caret_table_select(joined, kept, count));
}

struct caret_element caret_element_of_communication(const struct caret_objects *objects, const struct caret_node *nodes,
						    uint32_t index)
{
	const struct caret_node *from = &nodes[index - 1], *to = &nodes[index];
	struct caret_element element = element_create();
	g_autoptr(caret_table) deliveries =
		caret_objects_deliveries(objects, from->publishers, to->subscription.callbacks);
	g_autoptr(caret_table) publications = NULL;
	g_autoptr(caret_table) received = NULL;
	g_autoptr(caret_table) joined = NULL;

	element.is_intra_process = caret_table_count(deliveries) > 0;
	if (element.is_intra_process) {
		add_column(&element, CARET_POINT_PUBLISH, from->published_topic, index - 1);
		add_column(&element, CARET_POINT_CALLBACK_START, to->subscription.name, index);
		set_records(&element, g_steal_pointer(&deliveries));
		return element;
	}
	publications = caret_objects_publications(objects, from->publishers);
	received = caret_objects_receptions(objects, to->subscription.callbacks);
	joined = caret_join_equal(publications, CARET_PUBLICATION_STAMP, received, CARET_RECEPTION_STAMP);
	add_communication(&element, joined, from->published_topic, CARET_POINT_CALLBACK_START, to->subscription.name,
			  index);
	return element;
}

struct caret_element caret_element_of_takes(const struct caret_objects *objects, const struct caret_node *nodes,
					    uint32_t index)
{
	const struct caret_node *from = &nodes[index - 1], *to = &nodes[index];
	struct caret_element element = element_create();
	g_autoptr(caret_table) publications = caret_objects_publications(objects, from->publishers);
	g_autoptr(caret_table) takes = caret_objects_takes(objects, to->subscriptions);
	g_autoptr(caret_table) joined =
		caret_join_equal(publications, CARET_PUBLICATION_STAMP, takes, CARET_TAKE_STAMP);

	add_communication(&element, joined, from->published_topic, CARET_POINT_TAKE, to->name, index);
	return element;
}

/* --- nodes --- */

/* A take that found nothing continues with the previous message. */
static void fill_empty_takes(const struct caret_table *takes)
{
	int64_t latest = 0;

	for (size_t i = 0; i < caret_table_count(takes); i++) {
		int64_t *row = caret_table_at(takes, i);

		latest = row[1] ? row[1] : latest;
		row[1] = latest;
	}
}

static void add_taking_node(struct caret_element *element, const struct caret_objects *objects,
			    const struct caret_node *node, uint32_t index)
{
	g_autoptr(caret_table) times = times_of_publications(objects, node);
	g_autoptr(caret_table) takes = caret_objects_takes(objects, node->subscriptions);
	g_autoptr(caret_table) by_time = caret_table_select(takes, (size_t[]){ CARET_TAKE_TIME, CARET_TAKE_STAMP }, 2);
	g_autoptr(caret_table) joined = NULL;

	caret_table_sort(by_time);
	fill_empty_takes(by_time);
	joined = caret_join_sequential(by_time, 0, times, 0, CARET_JOIN_EVERY);
	add_column(element, CARET_POINT_STAMP, node->subscribed_topic, index);
	add_column(element, CARET_POINT_PUBLISH, node->published_topic, index);
	set_records(element, caret_table_select(joined, (size_t[]){ 1, 2 }, 2));
}

static void add_latest(struct caret_element *element, const struct caret_objects *objects,
		       const struct caret_node *node, uint32_t index)
{
	g_autoptr(caret_table) received = caret_objects_receptions(objects, node->subscription.callbacks);
	g_autoptr(caret_table) times = NULL;

	if (caret_table_count(received) == 0) {
		add_taking_node(element, objects, node, index);
		return;
	}
	times = times_of_publications(objects, node);
	add_column(element, CARET_POINT_CALLBACK_START, node->subscription.name, index);
	add_column(element, CARET_POINT_STAMP, node->subscribed_topic, index);
	add_column(element, CARET_POINT_PUBLISH, node->published_topic, index);
	set_records(element, caret_join_sequential(received, CARET_RECEPTION_START, times, 0, CARET_JOIN_EVERY));
}

/* Joins the executions of the next callback of a chain: those that start after the last end so far, and before the
 * next such end. */
static struct caret_table *pass_on(const struct caret_table *so_far, const struct caret_table *executions)
{
	size_t last = so_far->width - 1;
	g_autoptr(caret_table) ends = caret_table_select(so_far, &last, 1);
	g_autoptr(caret_table) starts = caret_table_select(executions, (size_t[]){ CARET_EXECUTION_START }, 1);
	g_autoptr(caret_table) passed = caret_join_sequential(ends, 0, starts, 0, CARET_JOIN_EVERY);
	g_autoptr(caret_table) joined = caret_join_equal(so_far, last, passed, 0);

	return caret_join_equal(joined, last + 1, executions, CARET_EXECUTION_START);
}

/* In records that end with a publication and the callback that made it. */
static uint64_t count_others(const struct caret_table *records, const struct caret_callback *last)
{
	uint64_t count = 0;

	for (size_t i = 0; i < caret_table_count(records); i++) {
		const int64_t *publication = caret_table_at(records, i) + records->width - 2;

		count += publication[0] != CARET_NO_TIME && !caret_objects_include(last->callbacks, publication[1]);
	}
	return count;
}

static void add_chain(struct caret_element *element, const struct caret_objects *objects, const struct caret_node *node,
		      uint32_t index)
{
	g_autoptr(caret_table) publications = caret_objects_publications(objects, node->publishers);
	g_autoptr(caret_table) times = caret_table_select(
		publications, (size_t[]){ CARET_PUBLICATION_PUBLISH, CARET_PUBLICATION_CALLBACK }, 2);
	g_autoptr(caret_table) chain = NULL;
	g_autoptr(caret_table) joined = NULL;
	g_autofree size_t *kept = NULL;
	size_t count = 0;

	for (guint i = 0; i < node->chain->len; i++) {
		const struct caret_callback *callback = &g_array_index(node->chain, struct caret_callback, i);
		struct caret_table *executions = caret_objects_executions(objects, callback->callbacks);

		if (chain) {
			struct caret_table *longer = pass_on(chain, executions);

			caret_table_destroy(executions);
			caret_table_destroy(chain);
			chain = longer;
		} else {
			chain = executions;
		}
		add_column(element, CARET_POINT_CALLBACK_START, callback->name, index);
		if (i + 1 < node->chain->len) {
			add_column(element, CARET_POINT_CALLBACK_END, callback->name, index);
		}
	}
	add_column(element, CARET_POINT_PUBLISH, node->published_topic, index);
	/* the publication replaces the last end */
	joined = caret_join_sequential(chain, chain->width - 2, times, 0, CARET_JOIN_LEFT);
	kept = g_new(size_t, joined->width);
	element->by_others =
		count_others(joined, &g_array_index(node->chain, struct caret_callback, node->chain->len - 1));
	for (size_t i = 0; i + 1 < joined->width; i++) {
		if (i != chain->width - 1) {
			kept[count++] = i;
		}
	}
	set_records(element, caret_table_select(joined, kept, count));
}

struct caret_element caret_element_of_node(const struct caret_objects *objects, const struct caret_node *nodes,
					   uint32_t index)
{
	const struct caret_node *node = &nodes[index];
	struct caret_element element = element_create();

	if (node->context == CARET_CONTEXT_USE_LATEST) {
		add_latest(&element, objects, node, index);
	} else if (node->context == CARET_CONTEXT_CALLBACK_CHAIN && node->chain->len > 0) {
		add_chain(&element, objects, node, index);
	}
	return element;
}

/* Publications outside callbacks are left out. */
struct caret_element caret_element_of_first_callback(const struct caret_objects *objects,
						     const struct caret_node *nodes)
{
	g_autoptr(caret_table) publications = caret_objects_publications(objects, nodes->publishers);
	struct caret_element element = element_create();
	struct caret_table *starts = caret_table_create(2);

	for (size_t i = 0; i < caret_table_count(publications); i++) {
		const int64_t *publication = caret_table_at(publications, i);

		if (publication[CARET_PUBLICATION_BEGIN] != CARET_NO_TIME) {
			int64_t *row = caret_table_add(starts);

			row[0] = publication[CARET_PUBLICATION_BEGIN];
			row[1] = publication[CARET_PUBLICATION_PUBLISH];
		}
	}
	add_column(&element, CARET_POINT_CALLBACK_START, NULL, 0);
	add_column(&element, CARET_POINT_PUBLISH, nodes->published_topic, 0);
	set_records(&element, starts);
	return element;
}

struct caret_element caret_element_of_last_callback(const struct caret_objects *objects, const struct caret_node *nodes,
						    uint32_t index)
{
	const struct caret_callback *callback = &nodes[index].subscription;
	struct caret_element element = element_create();

	add_column(&element, CARET_POINT_CALLBACK_START, callback->name, index);
	add_column(&element, CARET_POINT_CALLBACK_END, callback->name, index);
	set_records(&element, caret_objects_executions(objects, callback->callbacks));
	return element;
}
