/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "ros2bt/mapped_file.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mapped_file {
	struct mapped_file *next; /* of all files */
	char *path;
	GMappedFile *mapped;
	const uint8_t *bytes;
	size_t size;
	struct stat status; /* when it was opened */
	volatile sig_atomic_t is_cut;
};

/* For the handler. */
static struct mapped_file *files;
static struct sigaction before;
static uintptr_t page_size;

static struct mapped_file *file_with(uintptr_t page)
{
	struct mapped_file *file = files;

	while (file && (page < (uintptr_t)file->bytes || page >= (uintptr_t)file->bytes + file->size)) {
		file = file->next;
	}
	return file;
}

/* Puts zeros where the file has ended; what was interrupted reads them then. */
static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
	int error_number = errno;
	uintptr_t page = (uintptr_t)info->si_addr & ~(page_size - 1);
	struct mapped_file *file = file_with(page);

	if (file && mmap((void *)page, (uintptr_t)file->bytes + file->size - page, PROT_READ,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
		file->is_cut = 1;
	} else {
		sigaction(SIGBUS, &before, NULL);
	}
	errno = error_number;
}

static void install_handler(void)
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &action, &before);
}

struct mapped_file *mapped_file_open(const char *path, GError **error)
{
	GMappedFile *mapped = g_mapped_file_new(path, FALSE, error);
	struct mapped_file *file;

	if (!mapped) {
		return NULL;
	}
	if (page_size == 0) {
		install_handler();
	}
	file = g_new0(struct mapped_file, 1);
	file->path = g_strdup(path);
	file->mapped = mapped;
	file->bytes = (const uint8_t *)g_mapped_file_get_contents(mapped);
	file->size = g_mapped_file_get_length(mapped);
	(void)stat(path, &file->status);
	file->next = files;
	files = file;
	return file;
}

void mapped_file_close(struct mapped_file *file)
{
	struct mapped_file **link = &files;

	if (!file) {
		return;
	}
	while (*link != file) {
		link = &(*link)->next;
	}
	*link = file->next;
	g_mapped_file_unref(file->mapped);
	g_free(file->path);
	g_free(file);
}

const char *mapped_file_path(const struct mapped_file *file)
{
	return file->path;
}

const uint8_t *mapped_file_bytes(const struct mapped_file *file)
{
	return file->bytes;
}

size_t mapped_file_size(const struct mapped_file *file)
{
	return file->size;
}

bool mapped_file_is_whole(const struct mapped_file *file)
{
	struct stat status;

	if (file->is_cut) {
		return false;
	}
	/* The rest of the last page of a file that was cut is zeros, without a signal. */
	return stat(file->path, &status) != 0 || status.st_dev != file->status.st_dev ||
	       status.st_ino != file->status.st_ino || (uint64_t)status.st_size >= file->size;
}
