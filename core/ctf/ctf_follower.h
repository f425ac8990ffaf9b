/* SPDX-License-Identifier: MIT */
/*
 * Traces that grow: a directory in which chunks of a session (lttng rotate) or snapshots (lttng snapshot record) appear
 * one after the other, each a directory. What has appeared is added to the traces that are read, so that together they
 * are what they would be if all had been there at the beginning. Part of the decoder.
 *
 * Of the output of a session, its folder `archives` is followed, where LTTng puts chunks when they are whole. In any
 * other directory, an entry counts as whole if nothing in it has changed for two seconds.
 */
#ifndef ROS2BT_CTF_FOLLOWER_H
#define ROS2BT_CTF_FOLLOWER_H

#include "core/ctf/ctf_trace.h"

struct ctf_follower;

/* All is borrowed. */
struct ctf_follower *ctf_follower_create(const char *directory, const struct event_interest *interest,
					 struct string_pool *pool);
void ctf_follower_destroy(struct ctf_follower *follower);

const char *ctf_follower_directory(const struct ctf_follower *follower);

/*
 * Adds what is new to `traces` (struct ctf_trace *, in order of UUID). Returns when the last packet of it ends;
 * INT64_MIN: there was nothing. `left_out` gets a line (char *) for each directory that cannot be read. `is_last`: what
 * is there now counts as whole. O(entries).
 */
int64_t ctf_follower_look(struct ctf_follower *follower, GPtrArray *traces, GPtrArray *left_out, bool is_last);

#endif
