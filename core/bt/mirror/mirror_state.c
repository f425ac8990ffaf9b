/* SPDX-License-Identifier: MIT */
#include "core/bt/mirror/mirror_state.h"

#include "ros2bt/bt/component_log.h"

void *mirror_failed(struct mirror *mirror, const char *what, const char *name)
{
	iterator_error(mirror->self, "cannot copy the %s `%s`: it has a field of unknown type, or memory ran out", what,
		       name ? name : "");
	return NULL;
}

struct mirror *mirror_create(bt_self_message_iterator *self, const struct mirror_hooks *hooks)
{
	struct mirror *mirror = g_new0(struct mirror, 1);

	mirror->self = self;
	mirror->hooks = hooks;
	mirror->mip_version = bt_self_component_get_graph_mip_version(bt_self_message_iterator_borrow_component(self));
	mirror->kept = g_array_new(FALSE, FALSE, sizeof(struct kept));
	u64_map_init(&mirror->trace_classes);
	u64_map_init(&mirror->clock_classes);
	u64_map_init(&mirror->stream_classes);
	u64_map_init(&mirror->event_classes);
	u64_map_init(&mirror->traces);
	u64_map_init(&mirror->streams);
	u64_map_init(&mirror->copiers);
	u64_map_init(&mirror->packets);
	return mirror;
}

static void put_packets(struct mirror *mirror)
{
	size_t position = 0;
	uint64_t original, copy;

	while (u64_map_next(&mirror->packets, &position, &original, &copy)) {
		bt_packet_put_ref((const bt_packet *)(uintptr_t)original);
		bt_packet_put_ref((const bt_packet *)(uintptr_t)copy);
	}
	u64_map_clear(&mirror->packets);
}

void mirror_rewind(struct mirror *mirror)
{
	put_packets(mirror);
}

void mirror_destroy(struct mirror *mirror)
{
	if (!mirror) {
		return;
	}
	put_packets(mirror);
	/* in reverse: later objects may belong to earlier ones */
	for (guint i = mirror->kept->len; i > 0; i--) {
		const struct kept *kept = &g_array_index(mirror->kept, struct kept, i - 1);

		kept->put(kept->object);
	}
	g_array_free(mirror->kept, TRUE);
	u64_map_clear(&mirror->trace_classes);
	u64_map_clear(&mirror->clock_classes);
	u64_map_clear(&mirror->stream_classes);
	u64_map_clear(&mirror->event_classes);
	u64_map_clear(&mirror->traces);
	u64_map_clear(&mirror->streams);
	u64_map_clear(&mirror->copiers);
	g_free(mirror);
}
