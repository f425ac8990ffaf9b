/* SPDX-License-Identifier: MIT */
#include "core/flow/waiting_takes.h"

struct waiting_take *waiting_take_add(struct flow_linker *linker, const struct flow_take *take)
{
	struct waiting_take *waiting = OBJECT_POOL_TAKE(&linker->waiting_takes, struct waiting_take);
	struct waiting_take *head = u64_map_get_pointer(&linker->waiting_by_key, take->key);

	waiting->take = *take;
	waiting->deadline_ns = linker->now_ns + FLOW_BIND_WAIT_NS;
	flow_linker_wake(linker, INT64_MIN);
	if (linker->waiting_last) {
		linker->waiting_last->next = waiting;
	} else {
		linker->waiting_first = waiting;
	}
	linker->waiting_last = waiting;
	if (!linker->waiting_unnoted) {
		linker->waiting_unnoted = waiting;
	}
	/* At the end of the takes with the same key. */
	if (!head) {
		u64_map_set_pointer(&linker->waiting_by_key, take->key, waiting);
	} else {
		while (head->next_with_key) {
			head = head->next_with_key;
		}
		head->next_with_key = waiting;
	}
	return waiting;
}

static void remove_key(struct flow_linker *linker, struct waiting_take *take)
{
	struct waiting_take *head = u64_map_get_pointer(&linker->waiting_by_key, take->take.key);

	if (head == take) {
		if (take->next_with_key) {
			u64_map_set_pointer(&linker->waiting_by_key, take->take.key, take->next_with_key);
		} else {
			u64_map_remove(&linker->waiting_by_key, take->take.key);
		}
		return;
	}
	while (head && head->next_with_key != take) {
		head = head->next_with_key;
	}
	if (head) {
		head->next_with_key = take->next_with_key;
	}
}

void waiting_take_end(struct flow_linker *linker, struct waiting_take *take)
{
	take->is_done = true;
	remove_key(linker, take);
}

void waiting_take_remove_first(struct flow_linker *linker)
{
	struct waiting_take *take = linker->waiting_first;

	if (linker->waiting_unnoted == take) {
		linker->waiting_unnoted = take->next;
	}
	linker->waiting_first = take->next;
	if (!linker->waiting_first) {
		linker->waiting_last = NULL;
	}
	object_pool_give(&linker->waiting_takes, take);
}
