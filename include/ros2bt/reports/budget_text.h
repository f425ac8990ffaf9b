/* SPDX-License-Identifier: MIT */
/*
 * The outcome of budgets for people, as text and as Markdown for a pull request, for programs (JSON), and for test
 * runners (JUnit XML, as Jenkins and GitLab read it: each budget is a test case, a broken one a failure, an undecided
 * one an error).
 */
#ifndef ROS2BT_BUDGET_TEXT_H
#define ROS2BT_BUDGET_TEXT_H

#include "ros2bt/reports/budget_check.h"

struct output_stream;

enum budget_format {
	BUDGET_FORMAT_TEXT,
	BUDGET_FORMAT_JSON,
	BUDGET_FORMAT_JUNIT,
	BUDGET_FORMAT_MARKDOWN,
	BUDGET_FORMAT_HTML, /* a page (core/reports/budget/budget_page.h) */
};

/*
 * A line for each broken budget of a window of time that ended at `as_of_ns`, without control characters: "2024-05-01
 * 12:34:56.000000000 UTC: broken: lidar to cmd: latency p99 31.2 ms, at most 20 ms: /lidar > /a > /cmd". Empty: none is
 * broken. To be freed.
 */
char *budget_text_broken(const struct budget_check *check, int64_t as_of_ns);

void budget_text_write(const struct budget_check *check, const struct budget_subject *subject,
		       enum budget_format format, struct output_stream *stream);

#endif
