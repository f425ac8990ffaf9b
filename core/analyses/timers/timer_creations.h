/* SPDX-License-Identifier: MIT */
/*
 * By how much the creations of timers may have been recorded late. rcl_timer_init() reads rcl's clock right before it
 * records the creation, but its thread may be preempted in between: at most since its event before. Of these, only
 * other creations and ends of callbacks count. The copies that CARET records later hold the time of the creation, but
 * not what was before it: they say nothing. Times in ns. Cost: O(1) per creation of an object. Memory: the threads and
 * timers of the recording.
 */
#ifndef ROS2BT_TIMER_CREATIONS_H
#define ROS2BT_TIMER_CREATIONS_H

#include "core/analyses/shared/analysis.h"

struct timer_creations;

/* A part of the analysis. */
struct timer_creations *timer_creations_create(struct analysis *analysis);

/* Takes events that initialize objects, after the model; the thread's last execution has ended pause_ns before. */
void timer_creations_feed(struct timer_creations *creations, const struct event_record *record, int64_t pause_ns);

/* INT64_MAX: the event before is not known, as where only a copy records the creation. */
int64_t timer_creations_slack_ns(const struct timer_creations *creations, const struct model_timer *timer);

#endif
