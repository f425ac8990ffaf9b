/* SPDX-License-Identifier: MIT */
/*
 * The streams of the kernel's events of one host: where each of them has no events, as thread_losses.h wants to know.
 *
 * - The CPU of a stream is dark before the stream's first packet if that is not the first one that the tracer made, in
 *   lost packets, and after the end of the stream if others go on. In a packet with lost events it is doubtful, up to
 *   the RECORD_GAP at its end. In a recording without packets, which has none, the loss is where it is recorded.
 * - A CPU on which programs record events, but which has no stream, is dark.
 * - Where no stream of the kernel was in a packet while nothing was recorded for a while, the kernel's tracer was off.
 *
 * Only streams with switches or wake-ups matter. Which ones have them is known from the metadata before their first
 * event (recording_set_stream_has_switches()), else from that event on.
 */
#ifndef ROS2BT_HOST_STREAMS_H
#define ROS2BT_HOST_STREAMS_H

#include "core/model/thread_states.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_record.h"
#include "ros2bt/events/recording.h"

/* Tracing may have been off if the kernel was silent for this long: stopping and starting LTTng takes longer. */
#define HOST_STREAMS_SILENCE_NS (NS_PER_S / 10)

/* The kernel's events of one host. */
struct schedule_host {
	struct recording *recording; /* borrowed */
	struct thread_states states;
	GPtrArray *streams; /* struct schedule_stream *, owned: those with switches or wake-ups, once they are known */
	uint32_t open_streams; /* of these */
};

struct schedule_stream {
	struct schedule_host *host;
	uint16_t index; /* in the recording */
	struct scheduled_cpu *cpu;
	bool has_begun; /* there was an event: `cpu` is the one of the stream */
	bool moves_threads;
	bool is_dark, is_doubtful; /* so is its CPU because of it */
	int64_t dark_until_ns, doubtful_until_ns;
	int64_t end_ns; /* INT64_MAX: it has not ended */
};

/* A stream that will record switches. Its CPU is not known yet. */
void schedule_stream_expect(struct schedule_stream *stream);

/* The first event of a stream. */
void schedule_stream_begin(struct schedule_stream *stream);

/* An event of a stream that is dark, or of a host whose tracer was off. */
void schedule_stream_go_on(struct schedule_stream *stream, int64_t time_ns);

/* An event that moves threads. */
void schedule_stream_add_moves(struct schedule_stream *stream);
static inline void schedule_stream_note_moves(struct schedule_stream *stream)
{
	if (G_UNLIKELY(!stream->moves_threads)) {
		schedule_stream_add_moves(stream);
	}
}

/* A loss, a gap, or the end of a stream. */
void schedule_stream_feed_loss(struct schedule_stream *stream, const struct event_record *record);

/* To be called at each event of the kernel, and before a program's event is used to say where its thread is. */
void schedule_host_note_silence(struct schedule_host *host, int64_t time_ns);
static inline void schedule_host_advance(struct schedule_host *host, int64_t time_ns)
{
	if (G_UNLIKELY(time_ns > host->states.now_ns + HOST_STREAMS_SILENCE_NS)) {
		schedule_host_note_silence(host, time_ns);
	}
}

/* A program recorded an event on a CPU. */
void schedule_host_note_program(struct schedule_host *host, struct scheduled_cpu *cpu, uint32_t number);

/* Adds the CPUs whose events end before those of others. */
void schedule_host_diagnose(const struct schedule_host *host, struct diagnostics *findings);

#endif
