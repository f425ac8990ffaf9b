/* SPDX-License-Identifier: MIT */
/*
 * The threads of a host by the ids that user space records of them: vpid and vtid, in a pid namespace. The number of a
 * namespace is its inode (the contexts pid_ns of LTTng); 0 is the namespace of threads of which it was not recorded.
 *
 * A thread is an index of the caller (kernel_threads.h). Each triple (namespace, vpid, vtid) has one thread, the
 * latest. Embedded: init and clear. Cost: O(namespaces) + one hash. Memory: the ids.
 */
#ifndef ROS2BT_NAMESPACE_IDS_H
#define ROS2BT_NAMESPACE_IDS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define NAMESPACE_IDS_NONE UINT32_MAX

struct namespace_ids {
	GArray *namespaces; /* struct pid_namespace */
};

/* The ids that a thread sees of itself. */
struct thread_ids {
	int32_t vpid, vtid;
	uint64_t ns_inum;
};

void namespace_ids_init(struct namespace_ids *ids);
void namespace_ids_clear(struct namespace_ids *ids);

/* Gives the ids to a thread; a previous owner loses them. */
void namespace_ids_set(struct namespace_ids *ids, const struct thread_ids *of, uint32_t thread);

/* Takes the ids away from a thread; does nothing if another thread has them. */
void namespace_ids_remove(struct namespace_ids *ids, const struct thread_ids *of, uint32_t thread);

/* The thread with these ids, NAMESPACE_IDS_NONE if there is none. */
uint32_t namespace_ids_find(const struct namespace_ids *ids, const struct thread_ids *of);

/* The thread with these ids in any namespace, NAMESPACE_IDS_NONE if none has them. False if several threads do. */
bool namespace_ids_find_anywhere(const struct namespace_ids *ids, int32_t vpid, int32_t vtid, uint32_t *thread);

#endif
