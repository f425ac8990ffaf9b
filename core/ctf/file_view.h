/* SPDX-License-Identifier: MIT */
/*
 * A part of a file in memory: its bytes are those of the system's cache, without a copy. Pages come as they are
 * touched, 16 with each fault, which is quicker than MAP_POPULATE. Bytes that the file has lost since, or that the disk
 * cannot deliver, are zeros: the kernel raises SIGBUS where one is touched, and a handler puts zeros in its place and
 * up to the end of the view, and notes it. (Not those of a page within which the file ends now: they are zeros without
 * a signal.) Any other SIGBUS goes to the action that was there before.
 *
 * Programs ask for the handler (file_views_allow()); in all others there are no views. All views are of one thread.
 * Part of the decoder.
 */
#ifndef ROS2BT_FILE_VIEW_H
#define ROS2BT_FILE_VIEW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ros2bt/ctf/file_views.h"

/* A struct of zeros is nowhere. It must stay where it is while it shows a file. */
struct file_view {
	uint8_t *bytes; /* NULL: nowhere */
	uint64_t offset;
	size_t size;
	volatile sig_atomic_t *has_hole; /* borrowed: of the file, which it stands for */
	struct file_view *next;
};

/* Whether it shows `size` bytes from `offset` on of the file that has *has_hole. */
static inline bool file_view_has(const struct file_view *view, uint64_t offset, size_t size,
				 const volatile sig_atomic_t *has_hole)
{
	return view->has_hole == has_hole && offset >= view->offset && size <= view->size &&
	       offset - view->offset <= view->size - size;
}

/*
 * Moves the view to `offset`, so that it shows at least `size` bytes from there on. What is not within the file must
 * not be touched, except for what the file has lost: *has_hole becomes 1 then. The descriptor may be closed afterwards.
 * False: it is nowhere, for the file cannot be viewed.
 */
bool file_view_move(struct file_view *view, int descriptor, uint64_t offset, size_t size,
		    volatile sig_atomic_t *has_hole);

/* Gives its memory back: it is nowhere then. */
void file_view_close(struct file_view *view);

#endif
