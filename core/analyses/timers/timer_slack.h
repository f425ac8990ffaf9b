/* SPDX-License-Identifier: MIT */
/*
 * By how much the slots of a timer may be earlier than its creation shows (struct timer_schedule, slack_ns): what calls
 * tell of that. Times in ns. Cost: O(1).
 */
#ifndef ROS2BT_TIMER_SLACK_H
#define ROS2BT_TIMER_SLACK_H

#include "core/analyses/timers/timer_rule.h"

/* The slots are earlier by this. */
void timer_slack_take(struct timer_schedule *schedule, int64_t by_ns);

/* The slots are after the last time before the call at which the timer was not due. */
void timer_slack_limit(struct timer_schedule *schedule, const struct timer_call *call);

/* None, if the call was on time, and its executor waited for it: no slot was before. */
void timer_slack_confirm(struct timer_schedule *schedule, struct timer_call *call);

#endif
