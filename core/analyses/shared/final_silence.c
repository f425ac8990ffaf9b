/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/final_silence.h"

#include "core/model/coverage.h"
#include "core/clocks/clock_alignment.h"
#include "ros2bt/events/recording.h"

/* A host was recorded until the packets of its programs end, whatever the rows are about. */
static void note_packets(struct final_silence *silence)
{
	const struct recording *recording = silence->context->recording;
	const struct clock_alignment *clocks = silence->context->options->clocks;

	for (size_t i = 0; i < recording_stream_count(recording); i++) {
		const struct recording_trace *trace =
			recording_trace(recording, recording_stream_trace(recording, (uint16_t)i));
		int64_t end_ns = recording_stream_packets(recording, (uint16_t)i)->end_ns;

		if (!trace->is_kernel && end_ns != INT64_MIN) {
			int64_t *host_ns = &g_array_index(silence->ends, int64_t, trace->host);

			*host_ns = MAX(*host_ns,
				       clocks ? clock_alignment_to_reference(clocks, trace->host, end_ns) : end_ns);
		}
	}
}

void final_silence_init(struct final_silence *silence, const struct analysis_context *context,
			struct coverage *coverage)
{
	*silence = (struct final_silence){
		.context = context,
		.coverage = coverage,
		.ends = g_array_new(FALSE, TRUE, sizeof(int64_t)),
	};
	g_array_set_size(silence->ends, (guint)recording_host_count(context->recording));
	if (silence->ends->len > 1) {
		note_packets(silence);
	}
}

void final_silence_clear(struct final_silence *silence)
{
	g_array_unref(silence->ends);
}

static int64_t *end_of(const struct final_silence *silence, uint32_t process)
{
	return &g_array_index(silence->ends, int64_t, recording_process(silence->context->recording, process)->host);
}

void final_silence_note(struct final_silence *silence, uint32_t process, int64_t time_ns)
{
	if (silence->ends->len > 1) {
		int64_t *end_ns = end_of(silence, process);

		*end_ns = MAX(*end_ns, time_ns);
	}
}

double final_silence_of(const struct final_silence *silence, uint32_t process, int64_t last_ns)
{
	int64_t end_ns = silence->context->span->end_ns;
	double silent_ns;

	if (silence->ends->len > 1) {
		end_ns = MIN(end_ns, *end_of(silence, process));
	}
	silent_ns = time_between(last_ns, end_ns);
	if (silent_ns > 0 && G_UNLIKELY(coverage_has_any(silence->coverage))) {
		silent_ns -= (double)coverage_process_lost_ns(silence->coverage, process, last_ns, end_ns);
	}
	return silent_ns;
}
