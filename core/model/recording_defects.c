/* SPDX-License-Identifier: MIT */
#include "core/model/recording_defects.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/slots.h"
#include "core/base/text/human_text.h"
#include "ros2bt/base/time_units.h"

/* Of a trace. */
struct loss {
	uint64_t events, packets;
	uint64_t unknown_event_losses, unknown_packet_losses; /* losses of unknown size */
};

struct recording_defects {
	struct recording *recording; /* borrowed */
	GArray *losses;		     /* struct loss by trace index */
	GArray *events;		     /* uint64_t by thread index: events seen, complete for those that lack ids */
	bool has_events;
	uint32_t seen;	/* threads */
	bool lacks_ids; /* one of these has no vtid, or no vpid */
};

struct recording_defects *recording_defects_create(struct recording *recording)
{
	struct recording_defects *defects = g_new0(struct recording_defects, 1);

	defects->recording = recording;
	defects->losses = g_array_new(FALSE, TRUE, sizeof(struct loss));
	defects->events = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	return defects;
}

void recording_defects_destroy(struct recording_defects *defects)
{
	if (!defects) {
		return;
	}
	g_array_free(defects->losses, TRUE);
	g_array_free(defects->events, TRUE);
	g_free(defects);
}

static void add_count(uint64_t *known, uint64_t *unknown, const struct event_record *record)
{
	uint64_t count = record->word[RECORD__count];

	if (count == RECORD_COUNT_UNKNOWN || count > UINT64_MAX - *known) {
		(*unknown)++;
	} else {
		*known += count;
	}
}

static G_GNUC_NO_INLINE void add_loss(struct recording_defects *defects, const struct event_record *record)
{
	uint32_t trace = recording_stream_trace(defects->recording, record->stream);
	struct loss *loss;

	loss = array_at(defects->losses, struct loss, trace);
	if (record->kind == RECORD_DISCARDED_EVENTS) {
		add_count(&loss->events, &loss->unknown_event_losses, record);
	} else {
		add_count(&loss->packets, &loss->unknown_packet_losses, record);
	}
}

void recording_defects_count(struct recording_defects *defects, uint32_t thread)
{
	defects->has_events = true;
	(*array_at(defects->events, uint64_t, thread))++;
}

bool recording_defects_counts(struct recording_defects *defects)
{
	for (; defects->seen < recording_thread_count(defects->recording); defects->seen++) {
		const struct recording_thread *thread = recording_thread(defects->recording, defects->seen);

		defects->lacks_ids |=
			!thread->has_vtid || !recording_process(defects->recording, thread->process)->has_vpid;
	}
	return !defects->has_events || defects->lacks_ids;
}

void recording_defects_lose(struct recording_defects *defects, const struct event_record *record)
{
	if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS) {
		add_loss(defects, record);
	}
}

static enum diagnostic events_of(const struct recording_trace *trace)
{
	return trace->is_kernel ? DIAGNOSTIC_DISCARDED_KERNEL_EVENTS : DIAGNOSTIC_DISCARDED_EVENTS;
}

static enum diagnostic packets_of(const struct recording_trace *trace)
{
	return trace->is_kernel ? DIAGNOSTIC_DISCARDED_KERNEL_PACKETS : DIAGNOSTIC_DISCARDED_PACKETS;
}

static void report_loss(struct diagnostics *diagnostics, enum diagnostic what, const char *trace, uint64_t known,
			uint64_t unknown)
{
	g_autofree char *of_unknown_size =
		g_strconcat(trace, trace[0] == '\0' ? "" : ": ", "losses of unknown size", NULL);

	diagnostics_add(diagnostics, what, trace, known);
	diagnostics_add(diagnostics, what, of_unknown_size, unknown);
}

/* When a recording is rotated or a snapshot is taken, the streams are flushed one after the other. */
#define FLUSH_NS NS_PER_MS

/* Where the first packet of a trace begins. */
static int64_t trace_begin_ns(const struct recording *recording, uint32_t trace)
{
	int64_t begin_ns = INT64_MAX;

	for (size_t i = 0; i < recording_stream_count(recording); i++) {
		if (recording_stream_trace(recording, (uint16_t)i) == trace) {
			begin_ns = MIN(begin_ns, recording_stream_packets(recording, (uint16_t)i)->begin_ns);
		}
	}
	return begin_ns;
}

/* Whether packets were overwritten before the first one of a stream, and that concerns the time of the trace. */
static bool begins_late(const struct recording *recording, uint16_t stream)
{
	const struct stream_packets *packets = recording_stream_packets(recording, stream);

	return packets->lost_before > 0 && packets->first_begin_ns - FLUSH_NS >
						   trace_begin_ns(recording, recording_stream_trace(recording, stream));
}

static void report_late_streams(const struct recording_defects *defects, struct diagnostics *diagnostics)
{
	size_t count = *recording_late_streams(defects->recording);

	for (size_t i = 0; count > 0 && i < recording_stream_count(defects->recording); i++) {
		const struct stream_packets *packets = recording_stream_packets(defects->recording, (uint16_t)i);
		uint32_t cpu = recording_stream_cpu(defects->recording, (uint16_t)i);
		uint32_t index = recording_stream_trace(defects->recording, (uint16_t)i);
		const char *trace = recording_trace(defects->recording, index)->name;
		char buffer[HUMAN_TEXT_SIZE];
		g_autofree char *stream = cpu == RECORDING_NONE ? g_strdup("a stream")
								: g_strdup_printf("the stream of CPU %" PRIu32, cpu);
		g_autofree char *detail = g_strdup_printf("%s%s%s, which begins at %s UTC: uncovered until then", trace,
							  trace[0] == '\0' ? "" : ": ", stream,
							  human_text_time(buffer, packets->first_begin_ns));

		if (begins_late(defects->recording, (uint16_t)i)) {
			diagnostics_add(diagnostics, packets_of(recording_trace(defects->recording, index)), detail,
					packets->lost_before);
		}
	}
}

/* Not of the kernel, of another host, or of another process alone. */
static bool may_have(const struct recording *recording, uint32_t index, const char *hostname, int64_t vpid)
{
	const struct recording_trace *trace = recording_trace(recording, index);

	return !trace->is_kernel && (!trace->has_vpid || trace->vpid == vpid) &&
	       strcmp(recording_host(recording, trace->host)->hostname, hostname) == 0;
}

bool recording_defects_may_lack(const struct recording_defects *defects, const char *hostname, int64_t vpid)
{
	for (guint i = 0; i < defects->losses->len; i++) {
		const struct loss *loss = &g_array_index(defects->losses, struct loss, i);

		if ((loss->events | loss->packets | loss->unknown_event_losses | loss->unknown_packet_losses) != 0 &&
		    may_have(defects->recording, i, hostname, vpid)) {
			return true;
		}
	}
	for (size_t i = 0;
	     *recording_late_streams(defects->recording) > 0 && i < recording_stream_count(defects->recording); i++) {
		if (begins_late(defects->recording, (uint16_t)i) &&
		    may_have(defects->recording, recording_stream_trace(defects->recording, (uint16_t)i), hostname,
			     vpid)) {
			return true;
		}
	}
	return false;
}

static void report_contexts(const struct recording_defects *defects, struct diagnostics *diagnostics)
{
	for (guint i = 0; i < defects->events->len; i++) {
		const struct recording_thread *thread = recording_thread(defects->recording, i);
		const char *trace = recording_trace(defects->recording, thread->trace)->name;
		uint64_t events = g_array_index(defects->events, uint64_t, i);

		if (!recording_process(defects->recording, thread->process)->has_vpid) {
			diagnostics_add(diagnostics, DIAGNOSTIC_NO_VPID, trace, events);
		}
		if (!thread->has_vtid) {
			diagnostics_add(diagnostics, DIAGNOSTIC_NO_VTID, trace, events);
		}
	}
	/* otherwise, the events may be in the part that was not read */
	if (!defects->has_events && !diagnostics_has_part_only(diagnostics)) {
		diagnostics_add(diagnostics, DIAGNOSTIC_NO_ROS_EVENTS, "", 1);
	}
}

void recording_defects_diagnose(const struct recording_defects *defects, struct diagnostics *diagnostics)
{
	for (guint i = 0; i < defects->losses->len; i++) {
		const struct loss *loss = &g_array_index(defects->losses, struct loss, i);
		const struct recording_trace *trace = recording_trace(defects->recording, i);

		report_loss(diagnostics, events_of(trace), trace->name, loss->events, loss->unknown_event_losses);
		report_loss(diagnostics, packets_of(trace), trace->name, loss->packets, loss->unknown_packet_losses);
	}
	report_late_streams(defects, diagnostics);
	for (size_t i = 0; i < recording_unknown_class_count(defects->recording); i++) {
		const struct recording_unknown_class *unknown =
			recording_unknown_class(defects->recording, (uint32_t)i);
		g_autofree char *detail = g_strconcat(unknown->name, ": ", unknown->reason, NULL);

		diagnostics_add(diagnostics, DIAGNOSTIC_UNKNOWN_LAYOUT, detail, unknown->count);
	}
	report_contexts(defects, diagnostics);
}
