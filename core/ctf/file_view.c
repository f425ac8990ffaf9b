/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "core/ctf/file_view.h"

#include <sys/mman.h>
#include <unistd.h>

static struct {
	bool are_allowed;
	size_t page_size;
	struct file_view *first; /* of those that are somewhere */
	struct sigaction action_before;
} views;

static void put_zeros(int signal_number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(views.page_size - 1);
	struct file_view *view = views.first;
	const void *zeros = MAP_FAILED;

	(void)context;
	while (view && page - (uintptr_t)view->bytes >= view->size) {
		view = view->next;
	}
	/* mmap() is not in the list of safe functions, but is nothing other than a system call */
	if (view) {
		zeros = mmap((void *)page, view->size - (page - (uintptr_t)view->bytes), PROT_READ,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	}
	if (zeros != MAP_FAILED) {
		*view->has_hole = 1;
	} else {
		/* on return a fault comes again, but not what another process has sent */
		(void)sigaction(signal_number, &views.action_before, NULL);
		if (info->si_code <= 0) {
			(void)raise(signal_number);
		}
	}
}

void file_views_allow(void)
{
	const struct sigaction action = { .sa_sigaction = put_zeros, .sa_flags = SA_SIGINFO };
	struct sigaction before;

	views.page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (sigaction(SIGBUS, &action, &before) == 0) {
		views.are_allowed = true;
		if (before.sa_sigaction != put_zeros) {
			views.action_before = before;
		}
	}
}

bool file_view_move(struct file_view *view, int descriptor, uint64_t offset, size_t size,
		    volatile sig_atomic_t *has_hole)
{
	uint64_t begin = offset & ~(uint64_t)(views.page_size - 1);
	/* whole pages, as many wherever the first byte is in its page */
	size_t whole = ((size + views.page_size - 1) & ~(views.page_size - 1)) + views.page_size;
	void *bytes;

	if (!views.are_allowed) {
		return false;
	}
	if (view->size != whole) {
		file_view_close(view);
	}
	/* in place of what it showed, which is quicker than to give that back first */
	bytes = mmap(view->bytes, whole, PROT_READ, MAP_SHARED | (view->bytes ? MAP_FIXED : 0), descriptor,
		     (off_t)begin);
	if (bytes == MAP_FAILED) {
		file_view_close(view);
		return false;
	}
	if (!view->bytes) {
		view->next = views.first;
		views.first = view;
	}
	view->bytes = bytes;
	view->offset = begin;
	view->size = whole;
	view->has_hole = has_hole;
	return true;
}

void file_view_close(struct file_view *view)
{
	struct file_view **place = &views.first;

	if (!view->bytes) {
		return;
	}
	while (*place != view) {
		place = &(*place)->next;
	}
	*place = view->next;
	(void)munmap(view->bytes, view->size);
	*view = (struct file_view){ 0 };
}
