/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_page.h"

#include "core/output/page/page_file.h"
#include "core/reports/budget/budget_json.h"

struct budget_page {
	const struct budget_check *check;
	const struct budget_subject *subject;
};

static void write_data(struct json_writer *json, const void *data)
{
	const struct budget_page *page = data;

	json_writer_begin_object(json);
	json_writer_key(json, "check");
	budget_json_write(json, page->check, page->subject, true);
	json_writer_member_texts(json, "missing", NULL, 0);
	json_writer_member_texts(json, "tables", NULL, 0);
	json_writer_member_texts(json, "series", NULL, 0);
	json_writer_end_object(json);
}

void budget_page_write(const struct budget_check *check, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	const struct budget_page page = { check, subject };

	page_file_write(stream, PAGE_OF_BUDGETS, write_data, &page);
}
