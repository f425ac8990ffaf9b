/* SPDX-License-Identifier: MIT */
/*
 * Tables: what lies between analyses and outputs. An analysis describes its tables (struct table_schema) and fills
 * rows of cells; an output writes rows of any table and knows no analysis. Hints for people (labels, units,
 * grouping) are part of the schema.
 */
#ifndef ROS2BT_TABLE_H
#define ROS2BT_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cell_type {
	CELL_EMPTY,
	CELL_INTEGER,  /* .integer */
	CELL_UNSIGNED, /* .unsigned_integer */
	CELL_REAL,     /* .real */
	CELL_TEXT,     /* .text, borrowed during the call; any bytes, outputs make them valid */
	CELL_ADDRESS,  /* .unsigned_integer, written as 0x… (in JSON a string) */
};

struct cell {
	enum cell_type type;
	union {
		int64_t integer;
		uint64_t unsigned_integer;
		double real;
		const char *text;
	};
};

#define CELL_NONE ((struct cell){ .type = CELL_EMPTY })

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

/* How the text output shows a column; CSV and JSON always write the plain value. */
enum column_format {
	COLUMN_PLAIN,	 /* as it is */
	COLUMN_DURATION, /* ns, in a unit that fits; texts as names */
	COLUMN_TIME,	 /* ns since the Unix epoch */
	COLUMN_PERCENT,	 /* 0 … 100 */
	COLUMN_NAME,	 /* a name that may be shortened in the middle to fit the terminal */
};

enum column_role {
	COLUMN_ROLE_VALUE,
	COLUMN_ROLE_GROUP,  /* the text output makes one table per value of the group columns, and a headline of them,
			       the last first */
	COLUMN_ROLE_DETAIL, /* the text output shows it where there is room */
	COLUMN_ROLE_HIDDEN, /* CSV and JSON only */
};

struct table_column {
	const char *name;    /* in CSV and JSON, borrowed for the life of the schema */
	const char *label;   /* in text, NULL: name */
	const char *heading; /* in text, above neighbours of the same heading; may be NULL */
	enum column_format format;
	enum column_role role;
	bool marks_largest; /* the text output marks the largest value of the column in each group */
	bool next_if_empty; /* the text output shows the next column's cell here where this one's is empty */
	const char *idle;   /* NULL, or what to say of rows that have 0 in every such column, which the text output only
			       counts */
};

struct table_schema {
	const char *name;      /* file and JSON key */
	const char *title;     /* in text */
	const char *selection; /* the name in the parameter `tables` that selects it */
	bool is_instances;     /* rows are written while the trace is read, only with `instances` */
	const char *parent;    /* NULL, or the name of the table under whose rows the text output shows this one's: the
				  rows    whose first cell equals the parent row's first cell */
	const struct table_column *columns;
	size_t column_count;
};

/* Takes rows of one table. Implemented by outputs (and by tests). */
struct table_writer {
	void (*row)(struct table_writer *writer, const struct cell *cells); /* column_count cells */
};

/* Does nothing without a writer: a table that nobody asked for. */
static inline void table_row(struct table_writer *writer, const struct cell *cells)
{
	if (writer) {
		writer->row(writer, cells);
	}
}

#endif
