/* SPDX-License-Identifier: MIT */
/*
 * What became of budgets, for people, for programs (JSON), and for what runs tests (JUnit XML, as Jenkins and GitLab
 * read it: a test case a budget, a failure where it is broken, an error where it is undecided).
 */
#ifndef ROS2BT_BUDGET_TEXT_H
#define ROS2BT_BUDGET_TEXT_H

#include "core/budget/budget_check.h"

struct output_stream;

enum budget_format {
	BUDGET_FORMAT_TEXT,
	BUDGET_FORMAT_JSON,
	BUDGET_FORMAT_JUNIT,
};

/* What is written besides. */
struct budget_subject {
	const char *recording; /* its name */
	const char *file;      /* of the budgets */
	int64_t begin_ns;      /* moments are from here on */
};

void budget_text_write(const struct budget_check *check, const struct budget_subject *subject,
		       enum budget_format format, struct output_stream *stream);

#endif
