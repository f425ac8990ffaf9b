/* SPDX-License-Identifier: MIT */
/* Records as lines of text that hold everything a record holds: for looking at, and for comparing readers. */
#ifndef ROS2BT_RECORD_DUMP_H
#define ROS2BT_RECORD_DUMP_H

#include <stdio.h>

#include "ros2bt/event_record.h"
#include "ros2bt/recording.h"

void record_dump_write(FILE *file, const struct event_record *record);

/* Hosts, traces, streams, processes, threads and what could not be decoded. */
void recording_dump_write(FILE *file, const struct recording *recording);

#endif
