/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/live_interruption.h"

#include <glib.h>
#include <signal.h>
#include <unistd.h>

#define AGAIN_S 1

static bt_interrupter *interrupter; /* stays: another thread may be about to set it */
static gint is_live, is_asked;

/* A signal ends one wait, and may come before it begins: another one follows. */
static void interrupt(void)
{
	if (g_atomic_int_get(&is_live)) {
		bt_interrupter_set(interrupter);
		(void)alarm(AGAIN_S);
	}
}

static void interrupt_again(int signal_number)
{
	(void)signal_number;
	interrupt();
}

/* `flags`: without SA_RESTART, waiting ends. The handler stays for an alarm that another thread asks for too late. */
static void catch_alarms(int flags)
{
	const struct sigaction action = { .sa_handler = interrupt_again, .sa_flags = flags };

	sigaction(SIGALRM, &action, NULL);
}

void live_interruption_ask(void)
{
	g_atomic_int_set(&is_asked, TRUE);
	interrupt();
}

bool live_interruption_is_asked(void)
{
	return g_atomic_int_get(&is_asked) != FALSE;
}

const bt_interrupter *live_interruption_begin(void)
{
	if (!interrupter) {
		interrupter = bt_interrupter_create();
	}
	catch_alarms(0);
	g_atomic_int_set(&is_live, TRUE);
	if (live_interruption_is_asked()) {
		interrupt();
	}
	return interrupter;
}

void live_interruption_end(void)
{
	g_atomic_int_set(&is_live, FALSE);
	catch_alarms(SA_RESTART);
	(void)alarm(0);
}
