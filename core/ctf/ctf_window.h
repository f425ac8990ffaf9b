/* SPDX-License-Identifier: MIT */
/*
 * The part of a packet that is in memory, in bytes from the beginning of the packet. It begins at a multiple of the
 * largest alignment, so that what is aligned in the packet is aligned in the window. Part of the decoder.
 */
#ifndef ROS2BT_CTF_WINDOW_H
#define ROS2BT_CTF_WINDOW_H

#include "core/base/arena.h"
#include "core/ctf/trace_file.h"

/* Bytes: the largest alignment that metadata may declare (ctf_tsdl.c). */
#define CTF_WINDOW_ALIGNMENT 512

/* Bytes. Smaller windows are copies: to have a page in memory costs more than to copy a small part of a file. */
#define CTF_WINDOW_VIEW_MIN ((size_t)64 * 1024)

/* Bytes that each of so many windows should have: they are bounded together, provided each holds the head of a packet.
 */
size_t ctf_window_size(size_t windows);

struct ctf_window {
	struct trace_file *file; /* borrowed */
	uint64_t packet;	 /* its offset in the file */
	uint64_t packet_size;	 /* the readable part of it, within the file */
	uint64_t begin;
	const uint8_t *bytes; /* in the view or the copy */
	size_t size;
	size_t capacity; /* the size that was asked for */
	struct file_view view;
	struct arena *arena; /* borrowed: of the copies, many of which take fewer, huge pages there */
	uint8_t *copy;	     /* NULL: none */
	size_t copy_size;
};

/* Nothing of it is in memory yet. */
void ctf_window_open(struct ctf_window *window, struct trace_file *file, uint64_t packet, uint64_t packet_size);
/* Nothing is in view any more; it can be opened again. */
void ctf_window_close(struct ctf_window *window);

/* Moves the window to its last possible beginning at or before `at`, with at most `size` bytes. */
void ctf_window_move(struct ctf_window *window, uint64_t at, size_t size);

/* Whether it reaches to the end of the packet. */
static inline bool ctf_window_is_last(const struct ctf_window *window)
{
	return window->begin + window->size == window->packet_size;
}

#endif
