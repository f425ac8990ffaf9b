/* SPDX-License-Identifier: MIT */
#include "core/analyses/recording_gaps.h"

#include <glib.h>

/* Of a trace. */
struct loss {
	uint64_t events, packets;
	uint64_t untold_events, untold_packets; /* losses whose size is not told */
};

struct recording_gaps {
	struct recording *recording; /* borrowed */
	GArray *losses;		     /* struct loss by trace index */
	GArray *events;		     /* uint64_t by thread index: events seen */
};

struct recording_gaps *recording_gaps_create(struct recording *recording)
{
	struct recording_gaps *gaps = g_new0(struct recording_gaps, 1);

	gaps->recording = recording;
	gaps->losses = g_array_new(FALSE, TRUE, sizeof(struct loss));
	gaps->events = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	return gaps;
}

void recording_gaps_destroy(struct recording_gaps *gaps)
{
	if (!gaps) {
		return;
	}
	g_array_free(gaps->losses, TRUE);
	g_array_free(gaps->events, TRUE);
	g_free(gaps);
}

static void add_count(uint64_t *told, uint64_t *untold, const struct event_record *record)
{
	uint64_t count = record->word[RECORD__count];

	if (count == RECORD_COUNT_UNKNOWN || count > UINT64_MAX - *told) {
		(*untold)++;
	} else {
		*told += count;
	}
}

static void add_loss(struct recording_gaps *gaps, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(gaps->recording, record->stream);
	struct loss *loss;

	if (trace >= gaps->losses->len) {
		g_array_set_size(gaps->losses, trace + 1);
	}
	loss = &g_array_index(gaps->losses, struct loss, trace);
	if (record->kind == RECORD_DISCARDED_EVENTS) {
		add_count(&loss->events, &loss->untold_events, record);
	} else {
		add_count(&loss->packets, &loss->untold_packets, record);
	}
}

void recording_gaps_feed(struct recording_gaps *gaps, const struct event_record *record)
{
	if (record->kind < EVENT_KIND_COUNT) {
		if (G_UNLIKELY(record->thread >= gaps->events->len)) {
			g_array_set_size(gaps->events, record->thread + 1);
		}
		g_array_index(gaps->events, uint64_t, record->thread)++;
	} else if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS) {
		add_loss(gaps, record);
	}
}

static void tell_loss(struct diagnostics *diagnostics, enum diagnostic what, const char *trace, uint64_t told,
		      uint64_t untold)
{
	g_autofree char *number_not_told =
		g_strconcat(trace, trace[0] == '\0' ? "" : ", ", "times without a number", NULL);

	diagnostics_add(diagnostics, what, trace, told);
	diagnostics_add(diagnostics, what, number_not_told, untold);
}

static void tell_contexts(const struct recording_gaps *gaps, struct diagnostics *diagnostics)
{
	uint64_t total = 0;

	for (guint i = 0; i < gaps->events->len; i++) {
		const struct recording_thread *thread = recording_thread(gaps->recording, i);
		const char *trace = recording_trace(gaps->recording, thread->trace)->name;
		uint64_t events = g_array_index(gaps->events, uint64_t, i);

		total += events;
		if (!recording_process(gaps->recording, thread->process)->has_vpid) {
			diagnostics_add(diagnostics, DIAGNOSTIC_NO_VPID, trace, events);
		}
		if (!thread->has_vtid) {
			diagnostics_add(diagnostics, DIAGNOSTIC_NO_VTID, trace, events);
		}
	}
	if (total == 0) {
		diagnostics_add(diagnostics, DIAGNOSTIC_NO_ROS_EVENTS, "", 1);
	}
}

void recording_gaps_finish(struct recording_gaps *gaps, struct diagnostics *diagnostics)
{
	for (guint i = 0; i < gaps->losses->len; i++) {
		const struct loss *loss = &g_array_index(gaps->losses, struct loss, i);
		const char *trace = recording_trace(gaps->recording, i)->name;

		tell_loss(diagnostics, DIAGNOSTIC_DISCARDED_EVENTS, trace, loss->events, loss->untold_events);
		tell_loss(diagnostics, DIAGNOSTIC_DISCARDED_PACKETS, trace, loss->packets, loss->untold_packets);
	}
	for (size_t i = 0; i < recording_unknown_class_count(gaps->recording); i++) {
		const struct recording_unknown_class *unknown = recording_unknown_class(gaps->recording, (uint32_t)i);
		g_autofree char *detail = g_strconcat(unknown->name, ": ", unknown->reason, NULL);

		diagnostics_add(diagnostics, DIAGNOSTIC_UNKNOWN_LAYOUT, detail, unknown->count);
	}
	tell_contexts(gaps, diagnostics);
}
