/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/schedule_text.h"

#include <glib.h>
#include <inttypes.h>

#include "core/base/text/human_text.h"

#define PART_MIN 1000 /* a state is listed from this part of the duration on */

static const char *const state_texts[THREAD_STATES] = {
	[THREAD_UNKNOWN] = "unknown",	  [THREAD_RUNNING] = "on CPU",
	[THREAD_PREEMPTED] = "preempted", [THREAD_WOKEN] = "woken and waiting for a CPU",
	[THREAD_BLOCKED] = "blocked",
};

static void append_duration(GString *text, int64_t duration_ns)
{
	char buffer[HUMAN_TEXT_SIZE];

	g_string_append(text, human_text_duration(buffer, duration_ns));
}

static void append_times(GString *text, uint64_t count)
{
	if (count == 1) {
		g_string_append(text, "once");
	} else {
		g_string_append_printf(text, "%" PRIu64 " times", count);
	}
}

/* The thread that caused all preemptions, or else the one that caused most. */
static void append_preemptor(GString *text, const struct execution_schedule *schedule)
{
	const struct thread_cause *cause = &schedule->preempted_by;
	bool is_all = cause->count == schedule->account.preemptions;

	if (!cause->name) {
		return;
	}
	if (!is_all) {
		g_string_append(text, " (");
		append_times(text, schedule->account.preemptions);
		g_string_append(text, "), ");
		append_duration(text, cause->time_ns);
		g_string_append(text, " of it");
	}
	g_string_append_printf(text, " by %s (tid %d, ", cause->name[0] != '\0' ? cause->name : "?", cause->tid);
	append_times(text, cause->count);
	g_string_append_c(text, ')');
}

static void append_call(GString *text, const struct execution_schedule *schedule)
{
	const struct thread_cause *cause = &schedule->blocked_in;

	if (cause->name) {
		g_string_append_printf(text, cause->count < schedule->account.blocks ? ", most in %s" : " in %s",
				       cause->name);
	}
}

static void append_state(GString *text, const struct execution_schedule *schedule, enum thread_state state)
{
	append_duration(text, schedule->account.time_ns[state]);
	g_string_append_printf(text, " %s", state_texts[state]);
	if (state == THREAD_PREEMPTED) {
		append_preemptor(text, schedule);
	} else if (state == THREAD_BLOCKED) {
		append_call(text, schedule);
	} else if (state == THREAD_RUNNING && schedule->account.irq_ns > schedule->account.time_ns[state] / 10) {
		g_string_append(text, " (");
		append_duration(text, schedule->account.irq_ns);
		g_string_append(text, " of it in interrupts)");
	}
}

/* The states in order of their times, the longest first. */
static void sort_states(enum thread_state order[THREAD_STATES], const struct thread_account *account)
{
	for (int i = 0; i < THREAD_STATES; i++) {
		int place = i;

		while (place > 0 && account->time_ns[order[place - 1]] < account->time_ns[i]) {
			order[place] = order[place - 1];
			place--;
		}
		order[place] = (enum thread_state)i;
	}
}

char *schedule_text(const struct execution_schedule *schedule)
{
	int64_t duration_ns = schedule->end_ns - schedule->start_ns;
	GString *text = g_string_new(NULL);
	enum thread_state order[THREAD_STATES] = { THREAD_UNKNOWN };
	const char *separator = ": ";

	append_duration(text, duration_ns);
	sort_states(order, &schedule->account);
	for (int i = 0; i < THREAD_STATES; i++) {
		int64_t time_ns = schedule->account.time_ns[order[i]];

		if (time_ns > 0 && time_ns >= duration_ns / PART_MIN) {
			g_string_append(text, separator);
			append_state(text, schedule, order[i]);
			separator = ", ";
		}
	}
	return g_string_free(text, FALSE);
}
