/* SPDX-License-Identifier: MIT */
#include "core/model/host_streams.h"

#include <inttypes.h>

#include "core/base/text/human_text.h"
#include "core/model/thread_losses.h"

/* When tracing stops, the streams of the CPUs end one after the other, within less. */
#define EARLY_NS (NS_PER_S / 100)

/* The number of the CPU of a stream whose packets do not name one. */
#define CPU_OF_STREAM (UINT64_C(1) << 32)

/* --- dark and light --- */

/* The stream has no events from a time to another one. */
static void darken(struct schedule_stream *stream, int64_t from_ns, int64_t until_ns)
{
	if (!stream->is_dark) {
		thread_losses_darken(&stream->host->states, stream->cpu, from_ns);
		stream->is_dark = true;
	}
	stream->dark_until_ns = MAX(until_ns, from_ns);
}

static void lighten(struct schedule_stream *stream)
{
	stream->is_dark = false;
	thread_losses_lighten(&stream->host->states, stream->cpu, stream->dark_until_ns);
}

void schedule_stream_add_moves(struct schedule_stream *stream)
{
	stream->moves_threads = true;
	stream->end_ns = INT64_MAX;
	stream->host->open_streams++;
	g_ptr_array_add(stream->host->streams, stream);
}

void schedule_stream_expect(struct schedule_stream *stream)
{
	const struct stream_packets *packets = recording_stream_packets(stream->host->recording, stream->index);

	stream->cpu = thread_states_cpu(&stream->host->states, CPU_OF_STREAM | stream->index);
	schedule_stream_add_moves(stream);
	if (packets->lost_before > 0) {
		darken(stream, INT64_MIN, packets->first_begin_ns);
	}
}

void schedule_stream_begin(struct schedule_stream *stream)
{
	struct thread_states *states = &stream->host->states;
	uint32_t number = recording_stream_cpu(stream->host->recording, stream->index);
	struct scheduled_cpu *unknown = stream->cpu;
	bool was_dark = stream->is_dark;

	if (was_dark) {
		lighten(stream);
	}
	stream->has_begun = true;
	stream->cpu = thread_states_cpu(states, number == RECORDING_NONE ? CPU_OF_STREAM | stream->index : number);
	stream->cpu->has_stream = true;
	if (was_dark || stream->cpu->is_missed) {
		thread_losses_resume_cpu(states, stream->cpu, was_dark ? stream->dark_until_ns : states->now_ns);
	}
	if (stream->is_doubtful) {
		thread_losses_trust(states, unknown);
		thread_losses_doubt(states, stream->cpu, unknown->certain_ns);
	}
}

/* --- pauses --- */

/* The first time since the last event in which no stream of the host was in a packet. False: there is none. */
static bool was_off(const struct schedule_host *host, int64_t time_ns, struct apart *time)
{
	struct common_aparts common = common_aparts_of(host->states.now_ns, time_ns);
	const struct apart *off;

	for (guint i = 0; i < host->streams->len; i++) {
		const struct schedule_stream *stream = host->streams->pdata[i];

		stream_packets_narrow(recording_stream_packets(host->recording, stream->index), &common);
	}
	off = common_aparts_off(&common);
	if (!off || host->streams->len == 0 || !recording_has_packets(host->recording)) {
		return false;
	}
	*time = *off;
	return true;
}

void schedule_host_note_silence(struct schedule_host *host, int64_t time_ns)
{
	struct apart off;

	if (host->states.has_begun && !host->states.is_over && !host->states.is_off && was_off(host, time_ns, &off)) {
		thread_losses_pause(&host->states, off.begin_ns);
	}
}

void schedule_stream_go_on(struct schedule_stream *stream, int64_t time_ns)
{
	struct apart off;

	if (stream->is_dark && time_ns >= stream->dark_until_ns) {
		lighten(stream);
	}
	if (stream->host->states.is_off) {
		thread_losses_resume(&stream->host->states,
				     was_off(stream->host, time_ns, &off) ? off.end_ns : time_ns);
	}
}

/* --- losses --- */

static void end_gap(struct schedule_stream *stream, int64_t time_ns)
{
	thread_losses_end_gap(&stream->host->states, stream->cpu, time_ns);
	if (stream->is_doubtful && time_ns >= stream->doubtful_until_ns) {
		stream->is_doubtful = false;
		thread_losses_trust(&stream->host->states, stream->cpu);
	}
}

static void feed_gap(struct schedule_stream *stream, int64_t time_ns)
{
	if (stream->is_dark) {
		stream->dark_until_ns = time_ns;
		lighten(stream);
	}
	end_gap(stream, time_ns);
}

static void feed_discarded(struct schedule_stream *stream, const struct event_record *record)
{
	int64_t end_ns = (int64_t)record->word[RECORD__end_ns];

	if (!recording_has_packets(stream->host->recording)) {
		end_gap(stream, record->time_ns);
	} else if (record->kind == RECORD_DISCARDED_PACKETS) {
		darken(stream, record->time_ns, end_ns);
	} else {
		if (!stream->is_doubtful) {
			stream->is_doubtful = true;
			thread_losses_doubt(&stream->host->states, stream->cpu, record->time_ns);
		}
		stream->doubtful_until_ns = end_ns;
	}
}

static void feed_end(struct schedule_stream *stream, int64_t time_ns)
{
	struct thread_states *states = &stream->host->states;

	stream->moves_threads = false;
	stream->end_ns = MAX(time_ns, states->now_ns);
	if (stream->is_doubtful) {
		stream->doubtful_until_ns = time_ns;
		end_gap(stream, time_ns);
	}
	if (--stream->host->open_streams == 0) {
		thread_states_end(states);
	} else {
		darken(stream, stream->end_ns, INT64_MAX);
	}
}

void schedule_stream_feed_loss(struct schedule_stream *stream, const struct event_record *record)
{
	if (!stream->moves_threads) {
		return;
	}
	if (record->kind == RECORD_STREAM_END) {
		feed_end(stream, record->time_ns);
	} else if (record->kind == RECORD_GAP) {
		feed_gap(stream, record->time_ns);
	} else if (record->kind == RECORD_DISCARDED_EVENTS || record->kind == RECORD_DISCARDED_PACKETS) {
		feed_discarded(stream, record);
	}
}

/* --- CPUs without a stream --- */

/* Whether the switches of a CPU are recorded, or may be: not if there are streams of others only. */
static bool may_be_recorded(const struct schedule_host *host, uint32_t cpu)
{
	bool may_be = host->streams->len == 0;

	for (guint i = 0; i < host->streams->len; i++) {
		const struct schedule_stream *stream = host->streams->pdata[i];
		uint32_t number = recording_stream_cpu(host->recording, stream->index);

		/* one that begins late is dark as it is */
		may_be |= !recording_stream_packets(host->recording, stream->index)->has_switches || number == cpu ||
			  (number == RECORDING_NONE && !stream->is_dark);
	}
	return may_be;
}

void schedule_host_note_program(struct schedule_host *host, struct scheduled_cpu *cpu, uint32_t number)
{
	if (G_UNLIKELY(!cpu->has_stream && !cpu->is_missed) && !may_be_recorded(host, number)) {
		cpu->is_missed = true;
		thread_losses_darken(&host->states, cpu, host->states.now_ns);
	}
}

/* --- diagnostics --- */

void schedule_host_diagnose(const struct schedule_host *host, struct diagnostics *findings)
{
	for (guint i = 0; i < host->streams->len; i++) {
		const struct schedule_stream *stream = host->streams->pdata[i];
		uint32_t trace = recording_stream_trace(host->recording, stream->index);
		uint32_t cpu = recording_stream_cpu(host->recording, stream->index);
		const char *name = recording_trace(host->recording, trace)->name;
		g_autofree char *what =
			cpu == RECORDING_NONE ? g_strdup("a stream") : g_strdup_printf("CPU %" PRIu32, cpu);
		g_autofree char *detail = NULL;
		char buffer[HUMAN_TEXT_SIZE];

		if (host->states.has_begun && stream->end_ns < host->states.now_ns - EARLY_NS) {
			detail = g_strdup_printf("%s%s%s, %s before others", name, name[0] == '\0' ? "" : ": ", what,
						 human_text_duration(buffer, host->states.now_ns - stream->end_ns));
			diagnostics_add(findings, DIAGNOSTIC_KERNEL_ENDS_EARLY, detail, 1);
		}
	}
}
