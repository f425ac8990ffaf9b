/* SPDX-License-Identifier: MIT */
/*
 * The outcome of budgets as a page for a browser (core/output/page/page_file.h): the verdicts first, then each budget
 * with the limits drawn into the distributions that they limit. Its data has the object of budget_json.h as `check`.
 */
#ifndef ROS2BT_BUDGET_PAGE_H
#define ROS2BT_BUDGET_PAGE_H

#include "ros2bt/reports/budget_check.h"

struct output_stream;

/* The check has kept the distributions (budget_check_keep_distributions()), or the page has none. */
void budget_page_write(const struct budget_check *check, const struct budget_subject *subject,
		       struct output_stream *stream);

#endif
