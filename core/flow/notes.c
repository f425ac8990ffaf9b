/* SPDX-License-Identifier: MIT */
#include "core/flow/notes.h"

#include "core/flow/linked_executions.h"
#include "core/flow/linked_publications.h"

struct flow_note *flow_note_create(struct flow_linker *linker, const struct linked_publication *publication)
{
	struct flow_note *note = object_pool_take(&linker->notes);

	note->references = 1;
	if (publication) {
		flow_note_set(note, publication);
	}
	return note;
}

struct flow_note *flow_note_reference(struct flow_note *note)
{
	note->references++;
	return note;
}

static void stop_waiting(struct flow_linker *linker, struct flow_note *note)
{
	struct linked_execution *awaited = (struct linked_execution *)note->awaited;

	if (awaited) {
		note->awaited = NULL;
		linked_execution_release(linker, awaited);
	}
}

static void forget_doubtful(struct flow_linker *linker, struct flow_note *note)
{
	if (note->doubtful) {
		linked_publication_release(linker, (struct linked_publication *)note->doubtful);
		note->doubtful = NULL;
	}
}

void flow_note_release(struct flow_linker *linker, struct flow_note *note)
{
	if (--note->references == 0) {
		stop_waiting(linker, note);
		forget_doubtful(linker, note);
		object_pool_give(&linker->notes, note);
	}
}

/* The flow whose callback made the publication. */
static void await_parent(struct flow_note *note, const struct flow_publication *publication)
{
	note->awaited = &linked_execution_reference((struct linked_execution *)publication->parents[0])->public;
}

static void decide_origin(struct flow_linker *linker, struct flow_note *note)
{
	if (!((struct linked_publication *)note->doubtful)->is_doubtful) {
		if (note->doubtful->has_direct_parent) {
			await_parent(note, note->doubtful);
		}
		forget_doubtful(linker, note);
	}
}

bool flow_note_is_final(struct flow_linker *linker, struct flow_note *note)
{
	const struct linked_execution *awaited;

	if (note->doubtful) {
		decide_origin(linker, note);
	}
	awaited = (const struct linked_execution *)note->awaited;
	if (awaited && awaited->public.is_resolved) {
		note->parent_flow_id = awaited->public.flow_id;
		stop_waiting(linker, note);
	}
	return note->is_linked && !note->awaited && !note->doubtful;
}

void flow_note_set(struct flow_note *note, const struct linked_publication *publication)
{
	note->is_linked = true;
	if (!publication) {
		return;
	}
	note->flow_id = publication->public.id;
	note->first_publish_ns = publication->public.first_ns;
	if (publication->is_doubtful) {
		note->doubtful = &linked_publication_reference((struct linked_publication *)publication)->public;
	} else if (publication->public.has_direct_parent) {
		await_parent(note, &publication->public);
	}
}

void flow_note_offer(struct flow_linker *linker, struct flow_note *note)
{
	if (linker->note) {
		flow_note_release(linker, linker->note);
	}
	linker->note = note;
	flow_linker_wake(linker, INT64_MIN);
}
