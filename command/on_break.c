/* SPDX-License-Identifier: MIT */
#include "command/on_break.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 10000 /* at the end, with a command that still runs */
#define LOOK_MS 20

struct on_break {
	const char *name, *command;
	GPid child; /* 0: none runs */
};

struct on_break *on_break_create(const char *name, const char *command)
{
	struct on_break *on_break;

	if (!command) {
		return NULL;
	}
	on_break = g_new0(struct on_break, 1);
	on_break->name = name;
	on_break->command = command;
	return on_break;
}

/* In the child. */
static void prepare(gpointer data)
{
	(void)setpgid(0, 0);
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
}

static void tell_status(const struct on_break *on_break, int status)
{
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "%s: --on-break: signal %d ended the command\n", on_break->name, WTERMSIG(status));
	} else if (WEXITSTATUS(status) != 0) {
		fprintf(stderr, "%s: --on-break: the command failed with status %d\n", on_break->name,
			WEXITSTATUS(status));
	}
}

static void reap(struct on_break *on_break)
{
	pid_t reaped;
	int status;

	do {
		reaped = waitpid(on_break->child, &status, WNOHANG);
	} while (reaped < 0 && errno == EINTR);
	if (reaped == on_break->child) {
		tell_status(on_break, status);
	}
	if (reaped != 0) {
		on_break->child = 0;
	}
}

void on_break_run(struct on_break *on_break, const char *lines)
{
	g_auto(GStrv) environment = NULL;
	g_autoptr(GError) error = NULL;

	if (!on_break) {
		return;
	}
	if (on_break->child) {
		reap(on_break);
	}
	if (on_break->child) {
		fprintf(stderr, "%s: --on-break: the command still runs; it is not started again\n", on_break->name);
		return;
	}
	environment = g_environ_setenv(g_get_environ(), "ROS2_LATENCY_BROKEN", lines, TRUE);
	if (!g_spawn_async(NULL, (char *[]){ "/bin/sh", "-c", (char *)on_break->command, NULL }, environment,
			   G_SPAWN_DO_NOT_REAP_CHILD, prepare, NULL, &on_break->child, &error)) {
		on_break->child = 0;
		fprintf(stderr, "%s: --on-break: %s\n", on_break->name, error->message);
	}
}

void on_break_destroy(struct on_break *on_break)
{
	for (int waited_ms = 0; on_break && on_break->child && waited_ms < PATIENCE_MS; waited_ms += LOOK_MS) {
		reap(on_break);
		if (on_break->child) {
			g_usleep(LOOK_MS * G_TIME_SPAN_MILLISECOND);
		}
	}
	if (on_break && on_break->child) {
		fprintf(stderr, "%s: --on-break: the command still runs, which is not waited for\n", on_break->name);
	}
	g_free(on_break);
}
