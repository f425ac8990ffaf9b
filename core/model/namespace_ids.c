/* SPDX-License-Identifier: MIT */
#include "core/model/namespace_ids.h"

#include "ros2bt/base/u64_map.h"

struct pid_namespace {
	uint64_t ns_inum;
	struct u64_map by_ids; /* vpid and vtid → thread */
};

static void namespace_clear(gpointer data)
{
	struct pid_namespace *namespace = data;

	u64_map_clear(&namespace->by_ids);
}

void namespace_ids_init(struct namespace_ids *ids)
{
	ids->namespaces = g_array_new(FALSE, FALSE, sizeof(struct pid_namespace));
	g_array_set_clear_func(ids->namespaces, namespace_clear);
}

void namespace_ids_clear(struct namespace_ids *ids)
{
	g_array_unref(ids->namespaces);
}

static struct pid_namespace *namespace_at(const struct namespace_ids *ids, guint index)
{
	return &g_array_index(ids->namespaces, struct pid_namespace, index);
}

static struct pid_namespace *find_namespace(const struct namespace_ids *ids, uint64_t ns_inum)
{
	for (guint i = 0; i < ids->namespaces->len; i++) {
		if (namespace_at(ids, i)->ns_inum == ns_inum) {
			return namespace_at(ids, i);
		}
	}
	return NULL;
}

static struct pid_namespace *find_or_add_namespace(struct namespace_ids *ids, uint64_t ns_inum)
{
	struct pid_namespace *known = find_namespace(ids, ns_inum);
	struct pid_namespace added = { .ns_inum = ns_inum };

	if (known) {
		return known;
	}
	u64_map_init(&added.by_ids);
	g_array_append_val(ids->namespaces, added);
	return namespace_at(ids, ids->namespaces->len - 1);
}

static uint64_t key_of(int32_t vpid, int32_t vtid)
{
	return (uint64_t)(uint32_t)vpid << 32 | (uint32_t)vtid;
}

static uint32_t thread_of(const struct pid_namespace *namespace, uint64_t key)
{
	uint64_t thread = u64_map_get(&namespace->by_ids, key);

	return thread == U64_MAP_NONE ? NAMESPACE_IDS_NONE : (uint32_t)thread;
}

void namespace_ids_set(struct namespace_ids *ids, const struct thread_ids *of, uint32_t thread)
{
	u64_map_set(&find_or_add_namespace(ids, of->ns_inum)->by_ids, key_of(of->vpid, of->vtid), thread);
}

void namespace_ids_remove(struct namespace_ids *ids, const struct thread_ids *of, uint32_t thread)
{
	struct pid_namespace *namespace = find_namespace(ids, of->ns_inum);
	uint64_t key = key_of(of->vpid, of->vtid);

	if (namespace && thread_of(namespace, key) == thread) {
		(void)u64_map_remove(&namespace->by_ids, key);
	}
}

uint32_t namespace_ids_find(const struct namespace_ids *ids, const struct thread_ids *of)
{
	const struct pid_namespace *namespace = find_namespace(ids, of->ns_inum);

	return namespace ? thread_of(namespace, key_of(of->vpid, of->vtid)) : NAMESPACE_IDS_NONE;
}

bool namespace_ids_find_anywhere(const struct namespace_ids *ids, int32_t vpid, int32_t vtid, uint32_t *thread)
{
	uint64_t key = key_of(vpid, vtid);

	*thread = NAMESPACE_IDS_NONE;
	for (guint i = 0; i < ids->namespaces->len; i++) {
		uint32_t found = thread_of(namespace_at(ids, i), key);

		if (found != NAMESPACE_IDS_NONE && *thread != NAMESPACE_IDS_NONE && found != *thread) {
			return false;
		}
		*thread = found != NAMESPACE_IDS_NONE ? found : *thread;
	}
	return true;
}
