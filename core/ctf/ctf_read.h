/* SPDX-License-Identifier: MIT */
/*
 * Reads events by their plans (ctf_plan.h): headers, contexts, payloads. The usual forms are read in line, all others
 * by a call. Every function moves the cursor past what it reads and returns false beyond the packet's end. O(1) per
 * field.
 */
#ifndef ROS2BT_CTF_READ_H
#define ROS2BT_CTF_READ_H

#include "core/ctf/ctf_plan.h"

/* ctf_header_read() for a header of any form. */
bool ctf_header_read_form(const struct ctf_header_plan *plan, struct ctf_cursor *cursor, uint64_t *id, uint64_t *clock);

/*
 * Reads the header of the next event: the id of its class, and its time, which is `clock` advanced to the bits in the
 * header. False: beyond the end, or a tag that the class of the header does not declare.
 */
static inline bool ctf_header_read(const struct ctf_header_plan *plan, struct ctf_cursor *cursor, uint64_t *id,
				   uint64_t *clock)
{
	uint64_t at = (cursor->at + 7) & ~UINT64_C(7);
	const uint8_t *bytes = cursor->packet + at / 8;

	if (plan->shape == CTF_HEADER_LARGE && G_LIKELY(at + 48 <= cursor->end)) {
		*id = ctf_load16(bytes, false);
		if (G_LIKELY(*id != UINT16_MAX)) {
			*clock = ctf_clock_update(*clock, ctf_load32(bytes + 2, false), 32);
			cursor->at = at + 48;
			return true;
		}
	} else if (plan->shape == CTF_HEADER_COMPACT && at + 32 <= cursor->end) {
		uint32_t word = ctf_load32(bytes, false);

		*id = word & 31;
		if (G_LIKELY(*id != 31)) {
			*clock = ctf_clock_update(*clock, word >> 5, 27);
			cursor->at = at + 32;
			return true;
		}
	}
	return ctf_header_read_form(plan, cursor, id, clock);
}

static inline uint64_t ctf_copy_load(const struct ctf_copy *copy, const uint8_t *scope)
{
	uint64_t bits = ctf_load64(scope + copy->offset, false) & copy->mask;

	return (bits ^ copy->sign) - copy->sign;
}

/* The context of the next event. *procname is borrowed, of procname_length bytes or up to a NUL; NULL if there is none.
 */
bool ctf_context_read(const struct ctf_context_plan *plan, struct ctf_cursor *cursor, struct recording_context *context,
		      const char **procname, size_t *procname_length);

/* The counters in the context of the next event, in the order of plan->counters; the cursor stays in front of it. */
bool ctf_context_read_counters(const struct ctf_context_plan *plan, const struct ctf_cursor *cursor, uint64_t *values);

/* ctf_event_skip() for an event of any form. */
bool ctf_event_skip_scopes(const struct ctf_event_plan *plan, const struct ctf_stream_plan *stream,
			   struct ctf_cursor *cursor);

/* Passes over the contexts and the payload. */
static inline bool ctf_event_skip(const struct ctf_event_plan *plan, const struct ctf_stream_plan *stream,
				  struct ctf_cursor *cursor)
{
	if (G_LIKELY(plan->is_flat)) {
		/* Whatever follows a header of whole bytes is whole bytes. */
		return plan->flat_size == 0 ||
		       (ctf_cursor_align(cursor, 8) && ctf_cursor_skip(cursor, plan->flat_size));
	}
	return ctf_event_skip_scopes(plan, stream, cursor);
}

/* Reads the event's own context and its payload into the words of the record; *init_ticks is 0 if there are none. */
bool ctf_event_read(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct string_pool *pool,
		    GByteArray *scratch, struct event_record *record, uint64_t *init_ticks);

/* The same for the values of plan->point, which make `record` a RECORD_POINT. */
bool ctf_event_read_point(const struct ctf_event_plan *plan, struct ctf_cursor *cursor, struct point_builder *builder,
			  struct event_record *record);

#endif
