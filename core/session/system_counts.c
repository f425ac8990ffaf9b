/* SPDX-License-Identifier: MIT */
#include "core/session/system_counts.h"

#include <inttypes.h>

#include "core/base/compare_texts.h"
#include "core/base/text/hidden_names.h"
#include "core/output/output.h"

static bool is_counted(const struct model_object *object, const char *name)
{
	return object->is_defined && name && !name_is_hidden(name);
}

void system_versions(const struct pipeline *pipeline, GArray *versions)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	object_model_add_versions(pipeline->model, names);
	g_ptr_array_sort(names, compare_texts);
	g_array_set_size(versions, 0);
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		const struct report_version version = { name, release_of_tracetools(name) };

		g_array_append_val(versions, version);
	}
}

uint64_t system_node_count(const struct pipeline *pipeline)
{
	const struct object_model *model = pipeline->model;
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; i < object_model_node_count(model); i++) {
		const struct model_node *node = object_model_node_at(model, i);
		uint32_t host = recording_process(pipeline->recording, node->process)->host;

		if (is_counted(object_model_at(model, MODEL_NODE, i), node->name)) {
			g_hash_table_add(names, g_strdup_printf("%" PRIu32 " %s", host, node->name));
		}
	}
	return g_hash_table_size(names);
}

uint64_t system_topic_count(const struct pipeline *pipeline)
{
	static const enum model_kind kinds[] = { MODEL_PUBLISHER, MODEL_SUBSCRIPTION };
	const struct object_model *model = pipeline->model;
	g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL); /* equal ones are one pointer */

	for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		for (size_t i = 0; i < object_model_count(model, kinds[kind]); i++) {
			const struct model_object *object = object_model_at(model, kinds[kind], i);
			const char *name = ((const struct model_endpoint *)(const void *)object)->name;

			if (is_counted(object, name)) {
				g_hash_table_add(names, (gpointer)name);
			}
		}
	}
	return g_hash_table_size(names);
}

uint64_t system_message_count(const struct pipeline *pipeline)
{
	const struct object_model *model = pipeline->model;
	uint64_t count = 0;

	for (size_t i = 0; pipeline->flows && i < object_model_publisher_count(model); i++) {
		const char *topic = object_model_publisher_at(model, i)->topic;

		count += topic && !name_is_hidden(topic) ? flow_linker_publication_count(pipeline->flows, (uint32_t)i)
							 : 0;
	}
	return count;
}

int64_t system_startup_ns(const struct pipeline *pipeline)
{
	const struct object_model *model = pipeline->model;
	int64_t first_ns = pipeline->begin_ns;

	for (size_t i = 0; i < object_model_node_count(model); i++) {
		const struct model_node *node = object_model_node_at(model, i);

		first_ns = node->is_defined ? MIN(first_ns, node->since_ns) : first_ns;
	}
	return pipeline_has_runtime(pipeline) && !pipeline->has_begun_late ? pipeline->begin_ns - first_ns : 0;
}

void system_hostnames(const struct recording *recording, GPtrArray *hostnames)
{
	g_ptr_array_set_size(hostnames, 0);
	for (uint32_t i = 0; i < recording_host_count(recording); i++) {
		const char *hostname = recording_host(recording, i)->hostname;

		if (hostname[0] != '\0' && !g_ptr_array_find(hostnames, hostname, NULL)) {
			g_ptr_array_add(hostnames, (gpointer)hostname);
		}
	}
	g_ptr_array_sort(hostnames, compare_texts);
}
