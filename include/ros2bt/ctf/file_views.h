/* SPDX-License-Identifier: MIT */
/*
 * Whether the fast reader views files without a copy (core/ctf/file_view.h). That needs a handler of SIGBUS, which
 * belongs to the whole process, so a program has to ask for it; else files are copied.
 */
#ifndef ROS2BT_FILE_VIEWS_H
#define ROS2BT_FILE_VIEWS_H

/*
 * From now on they are viewed. To be called again, before anything more is read, if another handler of SIGBUS was
 * installed since, which then gets only what concerns no view.
 */
void file_views_allow(void);

#endif
