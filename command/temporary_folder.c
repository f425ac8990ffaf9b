/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* nftw(), mkdtemp() */
#include "command/temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 16 /* of one removal */

struct temporary_folder {
	char *path;
	pid_t guard;	  /* the process that makes and removes it */
	int guard_socket; /* ends when this process ends */
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
static void detach(int kept)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	long count = sysconf(_SC_OPEN_MAX);

	(void)setsid();
	for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
		sigaction(signals[i], &ignore, NULL);
	}
	for (int descriptor = 0; descriptor < MIN(count, 1024); descriptor++) {
		if (descriptor != kept) {
			(void)close(descriptor);
		}
	}
}

/* Makes the directory itself, so that there is none without a guard at any moment; tells how that went, and its name.
 */
static G_GNUC_NORETURN void guard(char *path, int guarded)
{
	int problem;
	char byte;

	detach(guarded);
	problem = mkdtemp(path) ? 0 : errno;
	if (write(guarded, &problem, sizeof(problem)) == sizeof(problem) && problem == 0 &&
	    write(guarded, path, strlen(path)) > 0) {
		while (read(guarded, &byte, 1) < 0 && errno == EINTR) {}
	}
	_exit(problem != 0 || remove_all(path) ? 0 : 1);
}

static bool receive(int guard, void *data, size_t size)
{
	ssize_t got;

	do {
		got = recv(guard, data, size, MSG_WAITALL);
	} while (got < 0 && errno == EINTR);
	if (got >= 0 && (size_t)got < size) {
		errno = ECHILD; /* the guard was killed */
	}
	return got >= 0 && (size_t)got == size;
}

static int wait_for_end(pid_t process)
{
	int status = 0;
	pid_t ended;

	do {
		ended = waitpid(process, &status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended < 0 ? -1 : status;
}

static bool hear_of_directory(struct temporary_folder *folder)
{
	int problem;

	if (!receive(folder->guard_socket, &problem, sizeof(problem))) {
		return false;
	}
	errno = problem;
	return problem == 0 && receive(folder->guard_socket, folder->path, strlen(folder->path));
}

static bool start_guard(struct temporary_folder *folder)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		return false;
	}
	folder->guard = fork();
	if (folder->guard == 0) {
		(void)close(ends[1]);
		guard(folder->path, ends[0]);
	}
	(void)close(ends[0]);
	folder->guard_socket = ends[1];
	if (folder->guard < 0 || !hear_of_directory(folder)) {
		int problem = errno;

		(void)close(ends[1]);
		if (folder->guard > 0) {
			(void)wait_for_end(folder->guard);
		}
		errno = problem;
		return false;
	}
	return true;
}

struct temporary_folder *temporary_folder_create(GError **error)
{
	struct temporary_folder *folder = g_new0(struct temporary_folder, 1);

	folder->path = g_build_filename(g_get_tmp_dir(), "ros2-latency-XXXXXX", NULL);
	if (start_guard(folder)) {
		return folder;
	}
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make a temporary directory in %s: %s",
		    g_get_tmp_dir(), g_strerror(errno));
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
	if (!folder) {
		return;
	}
	(void)close(folder->guard_socket);
	if (wait_for_end(folder->guard) != 0) { /* the guard was killed */
		(void)remove_all(folder->path);
	}
	g_free(folder->path);
	g_free(folder);
}
