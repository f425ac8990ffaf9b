/* SPDX-License-Identifier: MIT */
#include "core/reports/budget/budget_page.h"

#include "core/output/page/page_file.h"
#include "core/reports/budget/budget_json.h"

struct budget_page {
	const struct budget_check *check;
	const struct budget_subject *subject;
};

static void write_empty_array(struct json_writer *json, const char *key)
{
	json_writer_key(json, key);
	json_writer_begin_array(json);
	json_writer_end_array(json);
}

static void write_data(struct json_writer *json, const void *data)
{
	const struct budget_page *page = data;

	json_writer_begin_object(json);
	json_writer_key(json, "check");
	budget_json_write(json, page->check, page->subject, true);
	write_empty_array(json, "missing");
	write_empty_array(json, "tables");
	write_empty_array(json, "series");
	json_writer_end_object(json);
}

void budget_page_write(const struct budget_check *check, const struct budget_subject *subject,
		       struct output_stream *stream)
{
	const struct budget_page page = { check, subject };

	page_file_write(stream, PAGE_OF_BUDGETS, write_data, &page);
}
