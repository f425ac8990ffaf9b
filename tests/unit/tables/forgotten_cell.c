/* SPDX-License-Identifier: MIT */
/* Must not compile: a row without the last cell. */
#include "core/tables/table.h"

static const struct table_column columns[] = { { .name = "name" }, { .name = "count" } };

void write_row(struct table_writer *writer);

void write_row(struct table_writer *writer)
{
	TABLE_ROW(writer, columns, (struct cell[]){ cell_text("a") });
}
