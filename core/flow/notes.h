/* SPDX-License-Identifier: MIT */
/*
 * Notes: what the record at hand has to do with a flow, for filter.ros2.flow (flow_linker.h). A note is made only with
 * linker->keeps_notes. It waits for its publication (flow_note_set()), then for the execution around that publication
 * to be resolved, to which it holds a reference meanwhile.
 *
 * Cost: O(1). Memory: a pool, the notes that somebody refers to.
 */
#ifndef ROS2BT_FLOW_NOTES_H
#define ROS2BT_FLOW_NOTES_H

#include "core/flow/linked_publications.h"

/* A new note, with a reference; with a publication it is set at once. */
struct flow_note *flow_note_create(struct flow_linker *linker, const struct linked_publication *publication);
struct flow_note *flow_note_reference(struct flow_note *note);
/* The note belongs to the publication, or (NULL) to no flow. */
void flow_note_set(struct flow_note *note, const struct linked_publication *publication);
/* Makes it the note of the record at hand, and takes over the reference. */
void flow_note_offer(struct flow_linker *linker, struct flow_note *note);

#endif
