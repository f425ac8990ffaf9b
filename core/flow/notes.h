/* SPDX-License-Identifier: MIT */
/*
 * Notes: which flow the last record belongs to, for filter.ros2.flow (flow_linker.h). Notes are made only with
 * linker->keeps_notes. A note waits for its publication (flow_note_set()), then for the execution around that
 * publication to be resolved; until then it holds a reference to that execution.
 *
 * Cost: O(1). Memory: a pool, the notes that have references.
 */
#ifndef ROS2BT_FLOW_NOTES_H
#define ROS2BT_FLOW_NOTES_H

#include "core/flow/linked_publications.h"

/* A new note with one reference, set at once if there is a publication. */
struct flow_note *flow_note_create(struct flow_linker *linker, const struct linked_publication *publication);
struct flow_note *flow_note_reference(struct flow_note *note);
/* The note belongs to the publication; NULL: to no flow. */
void flow_note_set(struct flow_note *note, const struct linked_publication *publication);
/* Makes it the note of the last record. Takes over the reference. */
void flow_note_offer(struct flow_linker *linker, struct flow_note *note);

#endif
