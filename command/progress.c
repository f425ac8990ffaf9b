/* SPDX-License-Identifier: MIT */
#include "command/progress.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL_US (G_USEC_PER_SEC / 10)
#define BAR_WIDTH 30

void progress_start(struct progress *progress, uint64_t total_bytes)
{
	const char *terminal = g_getenv("TERM");

	*progress = (struct progress){
		.is_shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0,
		.start_us = g_get_monotonic_time(),
		.total_bytes = total_bytes,
	};
	progress->next_us = progress->start_us + INTERVAL_US;
}

bool progress_is_due(struct progress *progress)
{
	int64_t now_us;

	if (!progress->is_shown) {
		return false;
	}
	now_us = g_get_monotonic_time();
	if (now_us < progress->next_us) {
		return false;
	}
	progress->next_us = now_us + INTERVAL_US;
	return true;
}

void progress_show(struct progress *progress, uint64_t bytes, uint64_t records)
{
	double seconds = (double)(g_get_monotonic_time() - progress->start_us) / G_USEC_PER_SEC;
	double share = progress->total_bytes > 0 ? (double)bytes / (double)progress->total_bytes : 0;
	char bar[BAR_WIDTH + 1];

	if (share <= 0) {
		fprintf(stderr, "\r\033[K%.1f M records, %.2f M/s", (double)records / 1e6,
			(double)records / 1e6 / seconds);
	} else {
		int left_s = (int)(seconds / share - seconds + 0.5);
		size_t full = (size_t)(share * BAR_WIDTH);

		memset(bar, ' ', BAR_WIDTH);
		memset(bar, '#', MIN(full, BAR_WIDTH));
		bar[BAR_WIDTH] = '\0';
		fprintf(stderr, "\r\033[K[%s] %3.0f %%  %.0f MB/s  %d:%02d left", bar, 100 * share,
			(double)bytes / 1e6 / seconds, left_s / 60, left_s % 60);
	}
	fflush(stderr);
	progress->has_line = true;
}

void progress_clear(struct progress *progress)
{
	if (progress->has_line) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
		progress->has_line = false;
	}
}
