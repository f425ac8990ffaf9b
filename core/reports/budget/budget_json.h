/* SPDX-License-Identifier: MIT */
/*
 * The outcome of budgets as one JSON object, for programs and, with more in it, for a page:
 *
 *   { schema_version, recording, verdict, losses, budgets: [ { budget, line, table, verdict,
 *       rows: [ { row, limits: [ { limit, at_most | at_least, value, longest_at_ns, verdict } ] } ] } ] }
 *
 * A page has the worst rows first, BUDGET_PAGE_ROWS of a budget, and besides:
 *
 *   { file, begin_ns, budgets: [ { left_out, rows: [ { limits: [ { allowed, format, distribution } ] } ] } ] }
 *
 * `left_out`: the number of other rows, none of which has a worse verdict. `allowed`: the limit as the file has it.
 * `distribution`: what the value is a figure of (core/output/page/page_histogram.h); null if it is of none, or if
 * BUDGET_PAGE_DISTRIBUTIONS came before.
 */
#ifndef ROS2BT_BUDGET_JSON_H
#define ROS2BT_BUDGET_JSON_H

#include "core/output/json_writer.h"
#include "ros2bt/reports/budget_check.h"

#define BUDGET_PAGE_ROWS 100
#define BUDGET_PAGE_DISTRIBUTIONS 5000

void budget_json_write(struct json_writer *json, const struct budget_check *check, const struct budget_subject *subject,
		       bool is_for_page);

/* "kept", "undecided" or "broken" */
const char *budget_verdict_name(enum budget_verdict verdict);
/* The worst of its outcomes. */
enum budget_verdict budget_row_verdict(const struct budget_row *row);

#endif
