/* SPDX-License-Identifier: MIT */
/*
 * Tables: the interface between analyses and outputs. An analysis declares its tables (struct table_schema, static
 * const) and fills rows of cells; an output writes the rows of any table and knows no analysis.
 *
 * A cell may be a whole distribution (CELL_STATISTIC): the analysis hands over what it has counted, and the output
 * decides what becomes of it. Text, CSV and JSON make columns of numbers of it (core/output/statistics_columns.h);
 * others may draw its histogram or merge it with another.
 */
#ifndef ROS2BT_TABLE_H
#define ROS2BT_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct duration_statistics;

enum cell_type {
	CELL_EMPTY,
	CELL_INTEGER,	/* .integer */
	CELL_UNSIGNED,	/* .unsigned_integer */
	CELL_REAL,	/* .real */
	CELL_TEXT,	/* .text, borrowed during the call; any bytes, outputs make them valid */
	CELL_ADDRESS,	/* .unsigned_integer, written as 0x… (in JSON a string) */
	CELL_STATISTIC, /* .statistic, borrowed during the call; in columns of the format COLUMN_STATISTIC only */
};

struct cell {
	enum cell_type type;
	union {
		int64_t integer;
		uint64_t unsigned_integer;
		double real;
		const char *text;
		const struct duration_statistics *statistic;
	};
};

#define CELL_NONE ((struct cell){ .type = CELL_EMPTY })

/* The same as an argument. */
static inline struct cell cell_none(void)
{
	return CELL_NONE;
}

static inline struct cell cell_integer(int64_t value)
{
	return (struct cell){ .type = CELL_INTEGER, .integer = value };
}

static inline struct cell cell_unsigned(uint64_t value)
{
	return (struct cell){ .type = CELL_UNSIGNED, .unsigned_integer = value };
}

static inline struct cell cell_real(double value)
{
	return (struct cell){ .type = CELL_REAL, .real = value };
}

/* NULL gives an empty cell. */
static inline struct cell cell_text(const char *text)
{
	return text ? (struct cell){ .type = CELL_TEXT, .text = text } : CELL_NONE;
}

static inline struct cell cell_address(uint64_t value)
{
	return (struct cell){ .type = CELL_ADDRESS, .unsigned_integer = value };
}

static inline struct cell cell_statistic(const struct duration_statistics *statistic)
{
	return (struct cell){ .type = CELL_STATISTIC, .statistic = statistic };
}

/* How the text output shows a column; CSV and JSON always write the plain value. */
enum column_format {
	COLUMN_PLAIN,	  /* as it is */
	COLUMN_DURATION,  /* ns, in a unit that fits; texts as names */
	COLUMN_TIME,	  /* ns since the Unix epoch */
	COLUMN_PERCENT,	  /* 0 … 100 */
	COLUMN_NAME,	  /* a name that may be shortened in the middle to fit the terminal */
	COLUMN_MOMENT,	  /* ns since the Unix epoch, shown from the start of the recording */
	COLUMN_RATE,	  /* in Hz */
	COLUMN_BYTES,	  /* an amount of memory, in a unit that fits */
	COLUMN_STATISTIC, /* a distribution of durations: its cells are CELL_STATISTIC */
};

enum column_role {
	COLUMN_ROLE_VALUE,
	COLUMN_ROLE_GROUP,  /* the text output makes one table per value of the group columns, and a headline of them,
			       the last first */
	COLUMN_ROLE_DETAIL, /* the text output shows it where there is room */
	COLUMN_ROLE_HIDDEN, /* CSV and JSON only */
};

/* What becomes of a column where the rows of several recordings are merged. */
enum column_merge {
	COLUMN_MERGE_NONE, /* left out: says nothing beyond one recording, as a pid, or follows from other columns */
	COLUMN_MERGE_KEY,  /* a name: rows with the same in all of these are merged to one */
	COLUMN_MERGE_SUM,
	COLUMN_MERGE_MAX,
};

/* What only the text output reads. */
struct text_hints {
	const char *heading; /* above neighbours of the same heading; may be NULL */
	bool marks_largest;  /* marks the largest value of the column in each group; rows are ranked by it */
	bool may_be_hidden;  /* rows with a name here that name_is_hidden() (name_filter.h) are only counted */
	bool wraps;	     /* a name that goes on in the next line where it is too long, instead of being shortened */
	bool tells_apart;    /* a column that is hidden but for rows that look the same without it */
	bool leads;	     /* before the other columns, though the schema has it later */
	bool next_if_empty;  /* shows the next column's cell where this one's is empty */
	bool only_if_any;    /* left out where all rows have 0, or no name */
	const char *idle;    /* NULL, or what to say of rows that have 0 in every such column, which are only counted */
	bool is_brief; /* of a statistic: only mean and max are shown where there is little room, and nothing is marked
			*/
};

/* Everything is borrowed for the life of the schema. */
struct table_column {
	const char *name;  /* in CSV and JSON */
	const char *label; /* in text, NULL: name */
	enum column_format format;
	enum column_role role;
	enum column_merge merge;	/* statistics are merged without it */
	const struct text_hints *hints; /* NULL: none */
};

/* What a table is in a timeline (ros2bt/timeline_tables.h). */
enum timeline_table {
	TIMELINE_NONE, /* nothing, it is like any other */
	TIMELINE_TRACKS,
	TIMELINE_LABELS,
	TIMELINE_EVENTS,
};

struct table_schema {
	const char *name;      /* file and JSON key */
	const char *title;     /* in text */
	const char *selection; /* the name in the parameter `tables` that selects it: that of the analysis */
	unsigned int summary;  /* not 0: a few rows of what matters most, worst first: outputs that take summaries show
				  it before all other tables, in this order. One of one column is a line of text */
	bool is_instances;     /* rows are written while the trace is read, only with `instances` */
	/* Not every recording has something for it. Where nobody chose it, text leaves it out, and other outputs get it
	 * with its first row. */
	bool is_optional;
	bool is_worst;		      /* the worst instances of each row of the parent, only with `worst` */
	enum timeline_table timeline; /* only outputs that draw a timeline get these, or who chose them by name */
	const char *parent; /* NULL, or the name of the table under whose rows the text output shows this one's:
			       the rows whose first cell equals the parent row's first cell */
	/* How many of the first columns identify a row; 0: one whose name ends in _id, else those before the first
	 * count */
	size_t key_count;
	const struct table_column *columns;
	size_t column_count;
};

/* The index of the column of the name, -1 if there is none. */
int table_find_column(const struct table_schema *schema, const char *name);
/* The cell of a row in the column of the name; an empty one if there is no such column. */
const struct cell *table_find_cell(const struct table_schema *schema, const struct cell *cells, const char *name);

bool table_has_statistics(const struct table_schema *schema);
/* Whether its rows have names, and are more than instances, a summary, or the details of other rows: those of one
 * recording can be put beside those of another. */
bool table_can_be_merged(const struct table_schema *schema);

/* Takes rows of one table. Implemented by outputs (and by tests). */
struct table_writer {
	void (*row)(struct table_writer *writer, const struct cell *cells); /* column_count cells */
	bool is_late; /* nobody chose the table, which is optional: the output gets it with its first row */
};

/* Does nothing without a writer: a table that nobody asked for. */
static inline void table_row(struct table_writer *writer, const struct cell *cells)
{
	if (writer) {
		writer->row(writer, cells);
	}
}

/* Where tables go. open() gives NULL for a table that nobody asked for; writers live until the output is done. */
struct table_output {
	struct table_writer *(*open)(struct table_output *output, const struct table_schema *schema);
};

#endif
