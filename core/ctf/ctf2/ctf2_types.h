/* SPDX-License-Identifier: MIT */
/*
 * The field classes of CTF 2 as types (ctf_type.h). A scope is a structure at the top: packet header and context, event
 * header, contexts and payload of an event.
 *
 * Names are raw. A member of the packet header, the packet context or the event header that has a role gets the name
 * that LTTng gives it in CTF 1.8, so that the planner finds it whoever wrote the trace; one without a role must not
 * have such a name. What a variant or the length of an array depends on is an integer before it, at the top of the same
 * scope: LTTng writes no other.
 *
 * Not known, and refused: fields of variable length, bit maps, booleans, optional fields, aliases, arrays of anything
 * but numbers and strings. NULL: refused (ctf2_object.h).
 */
#ifndef ROS2BT_CTF2_TYPES_H
#define ROS2BT_CTF2_TYPES_H

#include "core/ctf/ctf2/ctf2_object.h"

enum ctf2_scope {
	CTF2_PACKET_HEADER,
	CTF2_PACKET_CONTEXT,
	CTF2_EVENT_HEADER,
	CTF2_COMMON_CONTEXT,
	CTF2_SPECIFIC_CONTEXT,
	CTF2_PAYLOAD,
};

/* The name that LTTng gives a member with a role in CTF 1.8; NULL: the role has no meaning in this scope. */
const char *ctf2_role_name(enum ctf2_scope scope, const char *role);

const struct ctf_type *ctf2_scope_type(struct ctf2_reader *reader, enum ctf2_scope kind,
				       const struct json_value *object);

#endif
