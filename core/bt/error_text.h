/* SPDX-License-Identifier: MIT */
/*
 * The error of babeltrace2 on this thread as one sentence for a person: what the component that met it first says,
 * without the addresses and statuses that babeltrace2 appends for its own developers.
 */
#ifndef ROS2BT_ERROR_TEXT_H
#define ROS2BT_ERROR_TEXT_H

/*
 * To be freed; NULL if there is no error, or if only the library itself has put something into it, which says which
 * function failed but not why. The error stays with the thread.
 */
char *error_text(void);

#endif
