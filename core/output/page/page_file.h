/* SPDX-License-Identifier: MIT */
/*
 * A page for a browser as a file that needs nothing else: styles, scripts (page_assets.h) and data, which is a JSON
 * text, compressed (gzip_stream.h). Only the data holds anything from a trace, and the scripts show it as text only. A
 * policy in the page (Content Security Policy) forbids requests, and all scripts and styles except those built in.
 *
 * Which scripts a page has depends on its kind; the skeleton, the styles and most scripts are those of all.
 */
#ifndef ROS2BT_PAGE_FILE_H
#define ROS2BT_PAGE_FILE_H

#include "core/output/json_writer.h"

enum page_kind {
	PAGE_OF_REPORT,	    /* a recording */
	PAGE_OF_BUDGETS,    /* a recording held against budgets */
	PAGE_OF_COMPARISON, /* some recordings beside others */
};

/* Writes the whole page. `write` writes the data as one JSON value. Errors are those of the stream. */
void page_file_write(struct output_stream *stream, enum page_kind kind,
		     void (*write)(struct json_writer *json, const void *data), const void *data);

#endif
