/* SPDX-License-Identifier: MIT */
#include "core/named_paths/named_stamps.h"

#include "core/analyses/shared/header_stamp.h"
#include "core/base/arena_parts.h"

/* What was noted of the publication that is, or was, at an address. */
struct stamped {
	int64_t first_ns, stamp_ns;
};

void named_stamps_init(struct named_stamps *stamps, struct arena *arena)
{
	stamps->arena = arena;
	arena_map(arena, &stamps->stamped);
}

void named_stamps_note(struct named_stamps *stamps, const struct flow_publication *publication, uint64_t header_stamp)
{
	struct stamped *stamped = u64_map_get_pointer(&stamps->stamped, (uintptr_t)publication);
	int64_t age_ns;

	if (!stamped) {
		stamped = arena_take(stamps->arena, sizeof(*stamped));
		u64_map_set_pointer(&stamps->stamped, (uintptr_t)publication, stamped);
	}
	stamped->first_ns = publication->first_ns;
	stamped->stamp_ns = header_stamp_age(publication, header_stamp, &age_ns) ? (int64_t)header_stamp : 0;
}

int64_t named_stamps_of(const struct named_stamps *stamps, const struct flow_publication *publication)
{
	const struct stamped *stamped = u64_map_get_pointer(&stamps->stamped, (uintptr_t)publication);

	return stamped && stamped->first_ns == publication->first_ns ? stamped->stamp_ns : 0;
}
