/* SPDX-License-Identifier: MIT */
/*
 * Tables: the interface between analyses and outputs. An analysis declares its tables (struct table_schema, static
 * const) and fills rows of cells; an output writes the rows of any table and knows no analysis.
 *
 * A cell may hold a whole distribution (CELL_STATISTIC), and the output decides how to show it: text, CSV and JSON make
 * columns of numbers of it (core/tables/statistics_columns.h), others draw its histogram or merge it with another.
 *
 * docs/internals/tables.md explains them.
 */
#ifndef ROS2BT_TABLE_H
#define ROS2BT_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct duration_statistics;
struct row_list;

enum cell_type {
	CELL_EMPTY,
	CELL_INTEGER,	/* .integer */
	CELL_UNSIGNED,	/* .unsigned_integer */
	CELL_REAL,	/* .real */
	CELL_TEXT,	/* .text, borrowed during the call; any bytes, which outputs turn into valid UTF-8 */
	CELL_ADDRESS,	/* .unsigned_integer, written as 0x… (a string in JSON) */
	CELL_STATISTIC, /* .statistic, borrowed during the call; only in columns of format COLUMN_STATISTIC */
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

/* CELL_NONE as a function. */
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

/* How the text output shows a column. CSV and JSON always write the plain value. */
enum column_format {
	COLUMN_PLAIN,	  /* as it is */
	COLUMN_DURATION,  /* ns, shown in a suitable unit; a text is shown as a name */
	COLUMN_TIME,	  /* ns since the Unix epoch */
	COLUMN_PERCENT,	  /* 0 … 100 */
	COLUMN_NAME,	  /* a name, which may be shortened in the middle to fit the terminal */
	COLUMN_MOMENT,	  /* ns since the Unix epoch, shown relative to the start of the recording */
	COLUMN_RATE,	  /* in Hz */
	COLUMN_BYTES,	  /* an amount of memory, shown in a suitable unit */
	COLUMN_STATISTIC, /* a distribution of durations: its cells are CELL_STATISTIC */
};

enum column_role {
	COLUMN_ROLE_VALUE,
	COLUMN_ROLE_GROUP,  /* the text output makes a table for each combination of values of the group columns, with a
			       headline of these, the last one first */
	COLUMN_ROLE_DETAIL, /* the text output shows it if there is room */
	COLUMN_ROLE_HIDDEN, /* CSV and JSON only */
};

/* What becomes of a column when the rows of several recordings are merged. */
enum column_merge {
	COLUMN_MERGE_NONE, /* left out: it has no meaning beyond one recording (a pid), or follows from other columns */
	COLUMN_MERGE_KEY,  /* a name: rows that are equal in all of these columns are merged into one */
	COLUMN_MERGE_SUM,
	COLUMN_MERGE_MAX,
};

/* In which order columns tell rows apart that look the same. */
enum tells_apart {
	TELLS_APART_NOTHING,
	TELLS_APART_HOST,
	TELLS_APART_PROCESS,
	TELLS_APART_WHICH, /* of several things of one name in a process */
};

/*
 * What a cell says of its row, for code outside analyses that has to find it: a graph, a sum over a recording, a limit.
 * Of a distribution: what its durations are.
 */
enum column_meaning {
	MEANS_NOTHING, /* that anybody has to find */
	MEANS_HOST,
	MEANS_PROCESS, /* its vpid */
	MEANS_PROCESS_NAME,
	MEANS_THREAD,
	MEANS_NODE,
	MEANS_TOPIC, /* or the service: what connects both sides */
	MEANS_PATH,
	MEANS_CALLBACK,
	MEANS_SYMBOL,
	MEANS_KIND,
	MEANS_STATE,	/* one of a few words, as an outcome is */
	MEANS_SOURCE,	/* of a callback: the name of what it handles, or the period of its timer in ns */
	MEANS_SCOPE,	/* what kind of thing the row is about */
	MEANS_INSTANCE, /* the number of the instance that the row is a part of */
	MEANS_RANK,	/* of the worst ones */
	MEANS_COUNT,	/* how often it happened */
	MEANS_SENT,
	MEANS_RECEIVED,
	MEANS_LOST,	   /* of those sent, or, without such a column, not among those counted */
	MEANS_OVERWRITTEN, /* of those sent, replaced by later ones: nobody missed them */
	MEANS_MISSED,	   /* what should have happened and did not */
	MEANS_UNKNOWN,	   /* of how many it is unknown whether they were lost */
	MEANS_INFERRED,
	MEANS_RATE,
	MEANS_RATE_TO_END, /* the same with the silence at the end: what a lower limit on a rate is about */
	MEANS_DURATION,	   /* how long it took, from its beginning to its end */
	MEANS_TRANSPORT,   /* the parts of the time of a hop */
	MEANS_WAIT,
	MEANS_EXECUTION,
	MEANS_KEPT,
	MEANS_SHARE,	 /* of the whole, in percent */
	MEANS_CPU_TIME,	 /* on a CPU, by the kernel's events */
	MEANS_DEVIATION, /* from what it should be, in percent: of either sign, and without bounds */
};

/* Of a row about something between two: which of them a column is about. */
enum column_side {
	SIDE_NONE,
	SIDE_SENDER, /* or client */
	SIDE_RECEIVER,
};

/* Whether a budget that is proposed for a row (core/reports/budget) names its cell in the column. */
enum column_proposal {
	PROPOSED_NOT,
	PROPOSED_ALWAYS,
	PROPOSED_IF_NEEDED, /* only where rows with the same cells before differ in it */
};

/* What only the text output reads. */
struct text_hints {
	const char *heading; /* written above neighbouring columns with the same heading; may be NULL */
	bool marks_largest;  /* the largest value in each group is marked, and rows are ranked by the column */
	bool ranks_before;   /* rows with a larger value here come before those with a smaller one, however ranked */
	bool may_be_hidden;  /* rows with a hidden name here (hidden_names.h) are only counted */
	bool (*is_name)(const struct cell *cells); /* of may_be_hidden: whether a row has a name here; NULL: always */
	bool wraps;	   /* a name that is too long continues on the next line instead of being shortened */
	bool may_be_below; /* a name that makes rows too long is written below its row, after the numbers */
	/* If the role does not show the column: it is shown in rows that look the same without it and differ in it. */
	enum tells_apart tells_apart;
	bool leads;	      /* shown before the other columns, wherever the schema has it */
	bool next_if_empty;   /* an empty cell shows that of the next column */
	const char *if_empty; /* what to show for an empty cell; NULL: nothing */
	bool only_if_any;     /* left out if all rows have 0 or no name; of a statistic, each of its columns */
	const char *idle;     /* what to call rows with 0 in every such column, which are only counted; or NULL */
	const char *folds;    /* what a name here is: of many rows with one only a few are listed, as long as there are
				 others */
	bool is_brief;	      /* a statistic of which only mean and max are shown if there is little room; not marked.
				 Each of its columns has the hint, too. */
};

/* For table_column.hints. */
#define HINT(...) (&(const struct text_hints){ __VA_ARGS__ })
#define HINT_BRIEF HINT(.is_brief = true)
#define HINT_IDLE(what) HINT(.idle = (what))
#define HINT_LEADS HINT(.leads = true)
#define HINT_MARKED HINT(.marks_largest = true)
#define HINT_MAY_BE_HIDDEN HINT(.may_be_hidden = true)
#define HINT_ONLY_IF_ANY HINT(.only_if_any = true)
#define HINT_RANKS_BEFORE HINT(.ranks_before = true)
#define HINT_TELLS_APART(what) HINT(.tells_apart = TELLS_APART_##what)
#define HINT_WRAPS HINT(.wraps = true)

enum cell_source_type {
	SOURCE_NONE, /* cells of this column are made by hand */
	SOURCE_CELL, /* a struct cell */
	SOURCE_BOOL, /* 0 or 1 */
	SOURCE_INT32,
	SOURCE_INT64,
	SOURCE_UINT32,
	SOURCE_UINT64,
	SOURCE_REAL,
	SOURCE_TEXT, /* NULL: empty */
	SOURCE_STATISTIC,
	SOURCE_FUNCTION,
};

/* Which part of a row, a struct, the cell of a column is; written as CELL_OF() and the like (core/tables/row.h). */
struct cell_source {
	enum cell_source_type type;
	bool is_via; /* a member of what the pointer at `pointer` points to; NULL: the cell is empty */
	uint16_t pointer, offset;
	struct cell (*function)(const void *row);
};

/* Everything is borrowed for the life of the schema. */
struct table_column {
	const char *name;  /* in CSV and JSON */
	const char *label; /* in text, NULL: name */
	enum column_format format;
	enum column_role role;
	enum column_merge merge; /* not of statistics, which are always merged */
	/* The cell is the number of a row of the table of this name. As the first column of that table, it is the
	 * number of the row itself. */
	const char *id_of;
	enum column_meaning means;
	enum column_side side;
	const struct text_hints *hints; /* NULL: none */
	/* The key of files of budgets that chooses the table, and is matched against this column and all others of the
	 * same key; NULL: none. No two tables have the same. */
	const char *budget;
	enum column_proposal proposed;
	/* Of a statistic: the column that counts its samples, if it has any, and a column of those that it may lack; or
	 * NULL. */
	const char *counted_by, *lacks;
	/* What its cells are where neither source nor format nor meaning tells: CELL_TEXT, CELL_REAL; else integers. */
	enum cell_type cells;
	struct cell_source source;
};

/*
 * What the rows of a table are about, for code that looks for them in every report. At most one table with all rows is
 * about each; its summary and its parts may have the same subject.
 */
enum table_subject {
	SUBJECT_OTHER,
	SUBJECT_CALLBACKS,
	SUBJECT_MESSAGES, /* of topics */
	SUBJECT_CALLS,	  /* of services */
	SUBJECT_PATHS,
	SUBJECT_GAPS, /* what the trace lacks */
};

/* What the rows of a table are, from which outputs derive where and whether they show it. */
enum table_kind {
	KIND_MAIN,	/* one for each thing there is */
	KIND_DETAIL,	/* what a row of the parent consists of */
	KIND_WORST,	/* the worst instances of each row of the parent, only with `worst` */
	KIND_INSTANCES, /* one for each time it happened, written while the trace is read, only with `instances` */
	/* A few of what matters most, worst first. Outputs with a summary show them before all other tables, and only
	 * if no table was chosen. A table of one column is a line of text. */
	KIND_SUMMARY,
	/* The parts of a timeline (core/tables/timeline_tables.h), for outputs that draw it, or if chosen by name. */
	KIND_TIMELINE_TRACKS,
	KIND_TIMELINE_LABELS,
	KIND_TIMELINE_EVENTS, /* which are instances, too */
};

/* Which reports have a table that was asked for. One that the user chose by name is in all of them. */
enum table_presence {
	PRESENT_ALWAYS,
	/* Many recordings have nothing for it: text leaves it out, other outputs open it with its first row. */
	PRESENT_IF_ANY,
	PRESENT_IF_ANY_IN_TEXT, /* text leaves it out if it has no row to list, other outputs never do */
};

struct table_schema {
	const char *name;      /* of the file and the JSON key */
	const char *title;     /* in text */
	const char *selection; /* the value of the parameter `tables` that selects it: the name of the analysis */
	enum table_subject subject;
	enum table_kind kind;
	enum table_presence presence;
	unsigned int place; /* of KIND_SUMMARY: where it is among the summaries, from 1; else 0 */
	/* Of KIND_DETAIL and KIND_WORST: the name of a table; under each of its rows, text shows the rows of this one
	 * with the same first cell. Else NULL. */
	const char *parent;
	bool is_of_kernel;  /* its figures follow from events of the kernel, too: what those lost matters to it */
	bool is_of_threads; /* of a timeline: it is about what threads executed, or which state they were in */
	/* The figures of a row follow from the events of the processes that its columns …vpid and …hostname name, and
	 * of no others; where its column `inferred` is not 0, from those of all. */
	bool is_of_processes;
	const char *why_empty; /* of PRESENT_IF_ANY: in text, why it is empty, "needs …"; NULL: no reason is given */
	/* The number of first columns that identify a row; 0: the first column if it is an id, else those
	 * before the first count, and all names after it. */
	size_t key_count;
	const struct table_column *columns;
	size_t column_count;
	size_t row_size;      /* of the struct that the columns' sources are in; 0: their cells are made by hand */
	bool is_row_of_cells; /* the struct is the cells of all columns, in their order */
	/*
	 * How rows are sorted: names of columns and of `unwritten`; with "-" before it, the largest come first:
	 * "hostname procname vpid -duration_ns callback_id". NULL: as they were added.
	 */
	const char *order;
	/* Columns that order rows or choose them (core/tables/chosen_names.h), and that no output has. */
	const struct table_column *unwritten;
	size_t unwritten_count;
};

/* The index of the column of the name, -1 if there is none. */
int table_find_column(const struct table_schema *schema, const char *name);

/* The index of the first column of the meaning and side, -1 if there is none. */
int table_find_meaning(const struct table_schema *schema, enum column_meaning means, enum column_side side);
/* The cell of a row in that column; an empty cell if there is no such column. */
const struct cell *table_find_meant(const struct table_schema *schema, const struct cell *cells,
				    enum column_meaning means, enum column_side side);

/* Whether the numbers of a column are in ns, as the _ns of its name says; not those of a column that has names, too. */
bool column_is_in_ns(const struct table_column *column);

/*
 * The name without the ending that its unit or meaning adds, as users may write it: `latency` of latency_ns, `rate` of
 * rate_hz, `publisher` of publisher_node. To be freed.
 */
char *column_short_name(const struct table_column *column);
/* The same where the unit is ns; other names as they are. To be freed. */
char *column_name_without_ns(const struct table_column *column);
/* The ending that the unit of a format adds to the name of a column: "_ns", "_hz", "_percent"; "": none. */
const char *column_format_ending(enum column_format format);

/* The index of the first column whose numbers are in ns, -1 if there is none. */
int table_find_time(const struct table_schema *schema);

/* Whether the first column is an id: of the row, or of a row of another table that it is a part of. */
bool table_has_id(const struct table_schema *schema);
bool table_has_statistics(const struct table_schema *schema);
/* Whether its rows are written while the trace is read, and may be millions. */
bool table_is_of_instances(const struct table_schema *schema);
/* Whether its rows belong to rows of a parent. */
bool table_is_below(const struct table_schema *schema);
/* Whether it is part of a timeline. */
bool table_is_of_timeline(const struct table_schema *schema);
/* Whether there is a table of its histograms: it has statistics, and is a main table or one of details. */
bool table_has_histograms(const struct table_schema *schema);
/* Whether rows of several recordings can be merged: they have names, and are those of a main table. */
bool table_can_be_merged(const struct table_schema *schema);

/* Takes rows of one table. Implemented by outputs (and by tests). */
struct table_writer {
	void (*row)(struct table_writer *writer, const struct cell *cells); /* column_count cells */
	bool is_late;	      /* the table may be left out and was not chosen: the output opens it with its first row */
	bool may_be_left_out; /* of PRESENT_IF_ANY_IN_TEXT, and nobody chose the table */
	/*
	 * Rows of hidden names (core/base/text/hidden_names.h) are only counted: an analysis may leave them out if it
	 * sets `hidden` to their number.
	 */
	bool only_counts_hidden;
	size_t hidden;
	/* The same of rows of what never happened (text_hints.idle), and `idle`. */
	bool only_counts_idle;
	size_t idle;
	/* In rows in which a statistic without HINT_BRIEF has samples, those with it may be brief
	 * (duration_statistics.h). */
	bool is_brief;
	/*
	 * Leaves out rows that are only counted, and counts them (core/tables/row_list.h). NULL: all rows are written.
	 */
	void (*leave_out)(struct table_writer *writer, struct row_list *rows);
	/* Whether it looks at a distribution; others may be empty where they cost something. NULL: it looks at all. */
	bool (*needs)(const struct table_writer *writer, size_t column);
	/*
	 * Sentences about what the rows lack, each on a line, borrowed until the output has finished; NULL: nothing.
	 * For people.
	 */
	const char *note;
};

/* Writes a row. Does nothing without a writer, which is the case for a table that was not requested. */
static inline void table_row(struct table_writer *writer, const struct cell *cells)
{
	if (writer) {
		writer->row(writer, cells);
	}
}

/*
 * The same for a schema whose columns are known here: the compiler checks that there is a cell for each of them.
 *
 *	TABLE_ROW(writer, columns, (struct cell[]){ cell_text(name), cell_unsigned(count) });
 */
#define TABLE_ROW(writer, columns, ...)                                                                                \
	do {                                                                                                           \
		_Static_assert(G_N_ELEMENTS((__VA_ARGS__)) == G_N_ELEMENTS(columns),                                   \
			       "a row has a cell for each column");                                                    \
		table_row((writer), (__VA_ARGS__));                                                                    \
	} while (0)

/* Where tables go. open() gives NULL for a table that was not requested; writers live as long as the output. */
struct table_output {
	struct table_writer *(*open)(struct table_output *output, const struct table_schema *schema);
};

#endif
