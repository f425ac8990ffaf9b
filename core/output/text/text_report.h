/* SPDX-License-Identifier: MIT */
/*
 * What the outputs for people have in common: the rows of the tables of a report, kept until all are known, those of
 * instances in a spool; and whether the parameter `sort` names a column of any of them.
 */
#ifndef ROS2BT_TEXT_REPORT_H
#define ROS2BT_TEXT_REPORT_H

#include "core/output/output.h"
#include "core/output/text/text_rows.h"
#include "core/output/text/text_style.h"

struct text_report {
	const struct output_place *place; /* borrowed */
	GPtrArray *tables;		  /* struct text_report_table, owned, in the order of opening */
	struct text_style style;	  /* of text only */
};

/* The lines of a report, and so the most rows of a table, unless more are asked for: two screens, and a little room for
 * names that take two lines. */
#define TEXT_REPORT_LINES 112
#define MARKDOWN_ROWS 10 /* of each table, likewise */

/* A table: its rows are either kept or in a spool. */
struct text_report_table {
	struct table_writer writer;
	const struct text_report *report;   /* borrowed */
	struct statistics_columns *columns; /* owned */
	const struct table_schema *given;   /* as the table was opened */
	const struct table_schema *schema;  /* of the columns */
	struct text_table *kept;	    /* owned, or NULL */
	struct text_report_table *parent;   /* borrowed; whose ids are those of its rows, NULL: none */
	bool has_left_out;		    /* the last row was only counted; its id: */
	uint64_t left_out_id;
	struct output_stream *spool; /* owned, or NULL */
};

/* Members of struct output_class; an output is the report. */
struct output *text_report_create(const struct output_place *place);
struct table_writer *text_report_open(struct output *output, const struct table_schema *schema,
				      struct output_stream *stream);
bool text_report_check(const struct output *output, GError **error);
void text_report_destroy(struct output *output);

struct text_report_table *text_report_table_at(const struct text_report *report, guint index);
/* A table that a person reads by itself, unless it may be left out, nobody chose it and none of its rows is to be
 * listed. */
bool text_report_is_shown(const struct text_report_table *table);
/* The tables that are a summary, in their order. */
GPtrArray *text_report_summaries(const struct text_report *report);
/* Takes from the analyses, once and at the end, what the rows lack. */
void text_report_note_left_out(const struct text_report *report);
/* Not of a recording of something else: the reader reports it, and empty tables would add nothing. Chosen tables are
 * written. */
bool text_report_is_worth_it(const struct text_report *report, const struct report_trace *trace);

#endif
