/* SPDX-License-Identifier: MIT */
/*
 * The error of babeltrace2 on this thread as one sentence for a person: the message of the component that failed first,
 * without the addresses and statuses that babeltrace2 appends for its developers.
 */
#ifndef ROS2BT_ERROR_TEXT_H
#define ROS2BT_ERROR_TEXT_H

/*
 * To be freed; NULL if there is no error, or if it holds only causes of the library itself, which name the function
 * that failed but not the reason. The error stays with the thread.
 */
char *error_text(void);

#endif
