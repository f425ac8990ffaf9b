/* SPDX-License-Identifier: MIT */
/* Topics and services that exist are not misspelt, even if no table has a row for them. */
#ifndef ROS2BT_NOTED_TOPICS_H
#define ROS2BT_NOTED_TOPICS_H

struct name_filter;
struct object_model;

/* At the end of the recording: notes their names in the filter; NULL: there is none. */
void noted_topics_note(const struct object_model *model, const struct name_filter *topics);

#endif
