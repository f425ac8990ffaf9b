/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/live_interruption.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define AGAIN_S 1

static fd_set foreign; /* connections that were there before */
static gint is_live, is_asked;

static bool is_connection(int descriptor)
{
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);

	return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 &&
	       (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

static void shut_connections(void)
{
	for (int descriptor = 0; descriptor < FD_SETSIZE; descriptor++) {
		if (is_connection(descriptor) && !FD_ISSET(descriptor, &foreign)) {
			(void)shutdown(descriptor, SHUT_RDWR);
		}
	}
}

/* Only what a signal handler may call. There may be no connection yet: another alarm follows. */
static void interrupt(void)
{
	int before = errno;

	if (g_atomic_int_get(&is_live)) {
		shut_connections();
		(void)alarm(AGAIN_S);
	}
	errno = before;
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

void live_interruption_begin(void)
{
	FD_ZERO(&foreign);
	for (int descriptor = 0; descriptor < FD_SETSIZE; descriptor++) {
		if (is_connection(descriptor)) {
			FD_SET(descriptor, &foreign);
		}
	}
	catch_alarms(0);
	g_atomic_int_set(&is_live, TRUE);
	if (live_interruption_is_asked()) {
		interrupt();
	}
}

void live_interruption_end(void)
{
	g_atomic_int_set(&is_live, FALSE);
	catch_alarms(SA_RESTART);
	(void)alarm(0);
}
