/* SPDX-License-Identifier: MIT */
#include "ros2bt/reports/fleet.h"

#include <string.h>

#include "core/reports/merge/attribute_names.h"
#include "core/reports/merge/merged_rows.h"
#include "core/reports/merge/outliers.h"
#include "core/reports/merge/report_identity.h"
#include "core/reports/merge/report_reader.h"
#include "ros2bt/base/nearest_name.h"
#include "ros2bt/reports/merged_table.h"

#define REPORT_COLUMN "report"
#define DEFAULT_ROBOT "robot"
#define NO_ATTRIBUTE (-1)

/* A choice of the manifest's attributes: their indexes and names. */
struct attribute_choice {
	size_t *indexes;
	const char **names;
	const char **values; /* of one recording, see choose_values() */
	size_t count;
};

/* A table of the reports. */
struct fleet_table {
	const struct table_schema *schema;
	struct merged_rows rows;
	struct outliers *outliers;
	bool has_rows, has_outliers; /* somebody asked for them */
	struct merged_table *of_report, *of_robot, *of_all;
};

struct fleet {
	struct table_output reader_output; /* takes the rows of a report */
	struct manifest *manifest;	   /* borrowed */
	struct fleet_options options;
	int robot;		       /* index of the attribute, or NO_ATTRIBUTE: each report is a robot */
	bool is_by_robot;	       /* rows of different robots are kept apart */
	struct attribute_choice by;    /* columns of the tables */
	struct attribute_choice group; /* the same without the robot: groups of outliers */
	GArray *tables;		       /* struct fleet_table */
	uint64_t row_recordings;       /* of the row that is read, see report_reader_read() */
	GHashTable *identities;	       /* identity of a merged report → its path, borrowed */
	char **names;		       /* of the attributes in the tables, see attribute_names.h */
	struct derived_table reports;
};

/* --- attributes --- */

static void choice_init(struct attribute_choice *choice, size_t room)
{
	choice->indexes = g_new0(size_t, room);
	choice->names = g_new0(const char *, room + 1);
	choice->values = g_new0(const char *, room + 1);
}

static void choice_clear(struct attribute_choice *choice)
{
	g_free(choice->indexes);
	g_free(choice->names);
	g_free(choice->values);
}

static void choice_add(struct attribute_choice *choice, char *const *names, size_t index)
{
	choice->names[choice->count] = names[index];
	choice->indexes[choice->count++] = index;
}

static const char *const *choose_values(struct attribute_choice *choice, const struct manifest_recording *recording)
{
	for (size_t i = 0; i < choice->count; i++) {
		choice->values[i] = recording->values[choice->indexes[i]];
	}
	return choice->values;
}

static int compare_values(const struct attribute_choice *choice, const struct manifest_recording *left,
			  const struct manifest_recording *right)
{
	for (size_t i = 0; i < choice->count; i++) {
		int order = strcmp(left->values[choice->indexes[i]], right->values[choice->indexes[i]]);

		if (order != 0) {
			return order;
		}
	}
	return 0;
}

static bool is_attribute(const struct manifest *manifest, const char *option, const char *name, GError **error)
{
	g_autofree char *known = NULL, *hint = NULL;

	if (manifest_find(manifest, name) >= 0) {
		return true;
	}
	hint = nearest_name_hint(name, (const char *const *)manifest->attributes, manifest->attribute_count);
	known = g_strjoinv(", ", manifest->attributes);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "--%s cannot be \"%s\"%s: the manifest has the attributes %s", option, name, hint,
		    manifest->attribute_count ? known : "(none)");
	return false;
}

static bool find_robot(struct fleet *fleet, GError **error)
{
	const struct manifest *manifest = fleet->manifest;

	if (fleet->options.robot) {
		fleet->robot = manifest_find(manifest, fleet->options.robot);
		return is_attribute(manifest, "robot", fleet->options.robot, error);
	}
	fleet->robot = manifest_find(manifest, DEFAULT_ROBOT);
	if (fleet->robot == NO_ATTRIBUTE && manifest->attribute_count > 0) {
		fleet->robot = 0;
	}
	return true;
}

static bool choose_attributes(struct fleet *fleet, GError **error)
{
	const struct manifest *manifest = fleet->manifest;

	if (!find_robot(fleet, error)) {
		return false;
	}
	for (size_t i = 0; fleet->options.by && fleet->options.by[i]; i++) {
		if (!is_attribute(manifest, "by", fleet->options.by[i], error)) {
			return false;
		}
	}
	for (size_t i = 0; i < manifest->attribute_count; i++) {
		if (fleet->options.by && !g_strv_contains(fleet->options.by, manifest->attributes[i])) {
			continue;
		}
		choice_add(&fleet->by, fleet->names, i);
		if ((int)i == fleet->robot) {
			fleet->is_by_robot = true;
		} else {
			choice_add(&fleet->group, fleet->names, i);
		}
	}
	return true;
}

static const char *robot_of(const struct fleet *fleet, const struct manifest_recording *recording)
{
	return fleet->robot == NO_ATTRIBUTE ? recording->path : recording->values[fleet->robot];
}

/* Recordings of one group follow each other, and within it those of one robot. */
static gint compare_recordings(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct manifest_recording *left = *(const struct manifest_recording *const *)a;
	const struct manifest_recording *right = *(const struct manifest_recording *const *)b;
	const struct fleet *fleet = data;
	int order = compare_values(&fleet->group, left, right);

	if (order == 0) {
		order = strcmp(robot_of(fleet, left), robot_of(fleet, right));
	}
	return order != 0 ? order : strcmp(left->path, right->path);
}

/* --- tables --- */

static struct fleet_table *table_at(const struct fleet *fleet, guint index)
{
	return &g_array_index(fleet->tables, struct fleet_table, index);
}

static void table_clear(gpointer data)
{
	struct fleet_table *table = data;

	merged_rows_clear(&table->rows);
	outliers_destroy(table->outliers);
	merged_table_destroy(table->of_report);
	merged_table_destroy(table->of_robot);
	merged_table_destroy(table->of_all);
}

static void add_table(struct fleet *fleet, const struct table_schema *schema)
{
	struct fleet_table table = {
		.schema = schema,
		.outliers = outliers_create(schema, fleet->group.names, fleet->group.count,
					    fleet->robot == NO_ATTRIBUTE ? REPORT_COLUMN : fleet->names[fleet->robot]),
		.of_report = merged_table_create(schema),
		.of_robot = merged_table_create(schema),
		.of_all = merged_table_create(schema),
	};

	merged_table_count_by(table.of_report, &fleet->row_recordings);

	merged_rows_init(&table.rows, schema, fleet->by.names, fleet->by.count);
	g_array_append_val(fleet->tables, table);
}

static void init_reports(struct fleet *fleet)
{
	static const struct table_schema schema = { .title = "Reports",
						    .selection = FLEET_REPORTS_TABLE,
						    .presence = PRESENT_IF_ANY };

	derived_table_init(&fleet->reports, g_strdup(FLEET_REPORTS_TABLE), &schema);
	derived_table_add(&fleet->reports, &(struct table_column){ .name = REPORT_COLUMN, .format = COLUMN_NAME });
	derived_table_add_names(&fleet->reports, (const char *const *)fleet->names, fleet->manifest->attribute_count,
				COLUMN_ROLE_VALUE);
	derived_table_add(&fleet->reports, &(struct table_column){ .name = "rows" });
	derived_table_add(&fleet->reports, &(struct table_column){ .name = "problem", .format = COLUMN_NAME });
}

static void open_tables(struct fleet *fleet, struct table_output *tables)
{
	derived_table_open(&fleet->reports, tables);
	for (guint i = 0; i < fleet->tables->len; i++) {
		struct fleet_table *table = table_at(fleet, i);

		table->has_rows = merged_rows_open(&table->rows, tables);
		table->has_outliers = table_has_statistics(table->schema) && outliers_open(table->outliers, tables);
	}
}

static struct table_writer *open_for_reader(struct table_output *output, const struct table_schema *schema)
{
	struct fleet *fleet = (struct fleet *)output;

	for (guint i = 0; i < fleet->tables->len; i++) {
		struct fleet_table *table = table_at(fleet, i);

		if (table->schema == schema && (table->has_rows || table->has_outliers)) {
			return merged_table_writer(table->of_report);
		}
	}
	return NULL;
}

struct fleet *fleet_create(struct manifest *manifest, const struct fleet_options *options, GError **error)
{
	struct fleet *fleet = g_new0(struct fleet, 1);

	fleet->reader_output.open = open_for_reader;
	fleet->manifest = manifest;
	fleet->options = *options;
	fleet->tables = g_array_new(FALSE, FALSE, sizeof(struct fleet_table));
	g_array_set_clear_func(fleet->tables, table_clear);
	choice_init(&fleet->by, manifest->attribute_count);
	choice_init(&fleet->group, manifest->attribute_count);
	fleet->identities = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	fleet->names = attribute_names(manifest, options->schemas);
	init_reports(fleet);
	if (!choose_attributes(fleet, error)) {
		g_clear_pointer(&fleet, fleet_destroy);
		return NULL;
	}
	for (size_t i = 0; options->schemas[i]; i++) {
		if (table_can_be_merged(options->schemas[i])) {
			add_table(fleet, options->schemas[i]);
		}
	}
	return fleet;
}

void fleet_destroy(struct fleet *fleet)
{
	if (!fleet) {
		return;
	}
	g_array_unref(fleet->tables);
	g_hash_table_unref(fleet->identities);
	g_strfreev(fleet->names);
	derived_table_clear(&fleet->reports);
	choice_clear(&fleet->by);
	choice_clear(&fleet->group);
	g_free(fleet);
}

/* --- merging --- */

/* What is merged for the robot whose last recording is given. */
static void end_robot(struct fleet *fleet, const struct manifest_recording *recording)
{
	for (guint i = 0; i < fleet->tables->len; i++) {
		struct fleet_table *table = table_at(fleet, i);
		g_autoptr(GPtrArray) rows = merged_table_rows(table->of_robot);

		if (fleet->is_by_robot) {
			merged_rows_write(&table->rows, table->of_robot, choose_values(&fleet->by, recording),
					  fleet->by.count);
		}
		for (guint j = 0; j < rows->len; j++) {
			const struct merged_row *of_robot = g_ptr_array_index(rows, j);
			struct merged_row *row = merged_table_add(table->of_all, of_robot);

			outliers_add(table->outliers, table->of_all, row, robot_of(fleet, recording), of_robot);
		}
		merged_table_clear(table->of_robot);
	}
}

static void end_group(struct fleet *fleet, const struct manifest_recording *recording)
{
	for (guint i = 0; i < fleet->tables->len; i++) {
		struct fleet_table *table = table_at(fleet, i);

		if (!fleet->is_by_robot) {
			merged_rows_write(&table->rows, table->of_all, choose_values(&fleet->by, recording),
					  fleet->by.count);
		}
		if (table->has_outliers) {
			outliers_write(table->outliers, table->of_all, choose_values(&fleet->group, recording));
		}
		merged_table_clear(table->of_all);
	}
}

static void add_report(struct fleet *fleet, const struct manifest_recording *recording, uint64_t row_count,
		       const char *problem)
{
	derived_table_push(&fleet->reports, cell_text(recording->path));
	derived_table_push_names(&fleet->reports, (const char *const *)recording->values,
				 fleet->manifest->attribute_count);
	derived_table_push(&fleet->reports, cell_unsigned(row_count));
	derived_table_push(&fleet->reports, cell_text(problem));
	derived_table_end_row(&fleet->reports);
}

/* The report that was merged and has the same attributes and contents; NULL: none, or no samples to tell. */
static const char *find_same(struct fleet *fleet, const struct manifest_recording *recording)
{
	g_autoptr(GPtrArray) tables = g_ptr_array_new();
	g_autofree char *identity = NULL;
	const char *same;

	for (guint i = 0; i < fleet->tables->len; i++) {
		g_ptr_array_add(tables, table_at(fleet, i)->of_report);
	}
	identity = report_identity(tables, (const char *const *)recording->values, fleet->manifest->attribute_count);
	same = identity ? g_hash_table_lookup(fleet->identities, identity) : NULL;
	if (identity && !same) {
		g_hash_table_insert(fleet->identities, g_steal_pointer(&identity), recording->path);
	}
	return same;
}

static uint64_t take_report(struct fleet *fleet)
{
	uint64_t row_count = 0;

	for (guint i = 0; i < fleet->tables->len; i++) {
		struct fleet_table *table = table_at(fleet, i);

		row_count += merged_table_row_count(table->of_report);
		merged_table_take(table->of_robot, table->of_report);
	}
	return row_count;
}

static void drop_report(struct fleet *fleet)
{
	for (guint i = 0; i < fleet->tables->len; i++) {
		merged_table_clear(table_at(fleet, i)->of_report);
	}
}

/* All of a report is merged, or nothing. */
static bool merge_report(struct fleet *fleet, const struct manifest_recording *recording)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *problem = NULL;
	enum fleet_problem kind = FLEET_NOT_MERGED;
	const char *same;
	uint64_t row_count = 0;

	if (!report_reader_read(recording->path, fleet->options.schemas, &fleet->reader_output, &fleet->row_recordings,
				&error)) {
		drop_report(fleet);
		problem = g_strdup(error->message);
	} else if ((same = find_same(fleet, recording)) != NULL) {
		drop_report(fleet);
		kind = FLEET_TWICE;
		problem = g_strdup_printf("%s: the same as %s, and counted once", recording->path, same);
	} else {
		problem = report_reader_partial(recording->path);
		kind = problem ? FLEET_PARTIAL : FLEET_MERGED;
		row_count = take_report(fleet);
	}
	add_report(fleet, recording, row_count, problem);
	if (problem) {
		fleet->options.found(kind, problem, fleet->options.data);
	}
	return kind == FLEET_MERGED || kind == FLEET_PARTIAL;
}

/* Ends the groups that the next recording does not continue; NULL after the last recording. */
static void end_before(struct fleet *fleet, const struct manifest_recording *recording,
		       const struct manifest_recording *next)
{
	bool is_same_group = next && compare_values(&fleet->group, recording, next) == 0;

	if (!is_same_group || strcmp(robot_of(fleet, recording), robot_of(fleet, next)) != 0) {
		end_robot(fleet, recording);
	}
	if (!is_same_group) {
		end_group(fleet, recording);
	}
}

size_t fleet_merge(struct fleet *fleet, struct table_output *tables)
{
	GPtrArray *recordings = fleet->manifest->recordings;
	const struct manifest_recording *last = NULL;
	size_t merged_count = 0;

	open_tables(fleet, tables);
	g_ptr_array_sort_with_data(recordings, compare_recordings, fleet);
	for (guint i = 0; i < recordings->len; i++) {
		const struct manifest_recording *recording = g_ptr_array_index(recordings, i);

		if (last) {
			end_before(fleet, last, recording);
		}
		merged_count += merge_report(fleet, recording);
		last = recording;
	}
	if (last) {
		end_before(fleet, last, NULL);
	}
	return merged_count;
}
