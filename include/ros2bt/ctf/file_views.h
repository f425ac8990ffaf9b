/* SPDX-License-Identifier: MIT */
/*
 * Whether the fast reader views files without a copy (core/ctf/file_view.h). That needs a handler of SIGBUS, which
 * belongs to the whole process, so a program has to ask for it; else files are copied.
 */
#ifndef ROS2BT_FILE_VIEWS_H
#define ROS2BT_FILE_VIEWS_H

/* From now on they are viewed. */
void file_views_allow(void);

#endif
