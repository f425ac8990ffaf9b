/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2(), nftw() */
#include "command/temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 16 /* of one removal */

struct temporary_folder {
	char *path;
	pid_t guard;	/* the process that removes it */
	int guard_pipe; /* ends when this process ends */
};

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)remove(path);
	return 0;
}

static bool remove_all(const char *path)
{
	return nftw(path, remove_one, DESCRIPTORS_MAX, FTW_DEPTH | FTW_PHYS) == 0;
}

/* What the terminal sends to all its processes, and what would wait for this one: it has neither. */
static void detach(int pipe)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	long count = sysconf(_SC_OPEN_MAX);

	(void)setsid();
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		sigaction(signals[i], &ignore, NULL);
	}
	for (int descriptor = 0; descriptor < MIN(count, 1024); descriptor++) {
		if (descriptor != pipe) {
			(void)close(descriptor);
		}
	}
}

static G_GNUC_NORETURN void guard(const char *path, int pipe)
{
	char byte;

	detach(pipe);
	while (read(pipe, &byte, 1) < 0 && errno == EINTR) {}
	_exit(remove_all(path) ? 0 : 1);
}

static bool start_guard(struct temporary_folder *folder)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	folder->guard = fork();
	if (folder->guard == 0) {
		(void)close(ends[1]);
		guard(folder->path, ends[0]);
	}
	(void)close(ends[0]);
	if (folder->guard < 0) {
		(void)close(ends[1]);
		return false;
	}
	folder->guard_pipe = ends[1];
	return true;
}

/* Without signals in between, so that there is no directory without its guard. */
static bool create(struct temporary_folder *folder)
{
	sigset_t all, before;
	bool is_created;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	is_created = g_mkdtemp(folder->path) && start_guard(folder);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_created;
}

struct temporary_folder *temporary_folder_create(GError **error)
{
	struct temporary_folder *folder = g_new0(struct temporary_folder, 1);

	folder->path = g_build_filename(g_get_tmp_dir(), "ros2-latency-XXXXXX", NULL);
	if (create(folder)) {
		return folder;
	}
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make a temporary directory in %s: %s",
		    g_get_tmp_dir(), g_strerror(errno));
	(void)rmdir(folder->path);
	g_free(folder->path);
	g_free(folder);
	return NULL;
}

const char *temporary_folder_path(const struct temporary_folder *folder)
{
	return folder->path;
}

uint64_t temporary_folder_space(const struct temporary_folder *folder)
{
	struct statvfs system;

	return statvfs(folder->path, &system) == 0 ? (uint64_t)system.f_bavail * system.f_frsize : UINT64_MAX;
}

void temporary_folder_remove(struct temporary_folder *folder)
{
	int status = 0;
	pid_t ended;

	if (!folder) {
		return;
	}
	(void)close(folder->guard_pipe);
	do {
		ended = waitpid(folder->guard, &status, 0);
	} while (ended < 0 && errno == EINTR);
	if (ended < 0 || status != 0) { /* the guard was killed */
		(void)remove_all(folder->path);
	}
	g_free(folder->path);
	g_free(folder);
}
