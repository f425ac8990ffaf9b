/* SPDX-License-Identifier: MIT */
/*
 * The plan of an event, decided once for its class: what it is, and which member goes to which word of a record. Part
 * of ctf_plan.h, which has the structures; contexts are planned by the same means.
 */
#ifndef ROS2BT_CTF_EVENT_PLAN_H
#define ROS2BT_CTF_EVENT_PLAN_H

#include "core/ctf/ctf_plan.h"

/* NULL: a scope that is not there. */
struct ctf_scope ctf_scope_plan(const struct ctf_type *type);
/* The plan for a member of a scope; CTF_LOAD_NONE if the scope lacks it, or if its type does not fit `type`. */
struct ctf_member ctf_member_plan(const struct ctf_scope *scope, const char *name, enum field_type type);
/* Whether a member can be read by a copy, and if so that copy. */
bool ctf_copy_plan(struct ctf_copy *copy, const struct ctf_member *member);

/* `stream`: with its header, and the context that all events of the stream class have. */
struct ctf_event_plan *ctf_event_plan_create(const struct ctf_event_class *class, const struct ctf_stream_plan *stream,
					     const struct event_interest *interest, struct string_pool *pool);
/* NULL does nothing. */
void ctf_event_plan_destroy(gpointer data);

#endif
