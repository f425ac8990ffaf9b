/* SPDX-License-Identifier: MIT */
/*
 * The analysis of named paths: those of an architecture file, and those given on the command line. They are evaluated
 * along the messages as recorded, or with CARET's joins (`contexts=caret`), for comparison with CARET. The analysis
 * does nothing if no path was named.
 *
 * The files, in the order of the data:
 *
 *   core/named_paths/architecture/named_path_options.h   the paths to evaluate, as patterns, and the architecture
 *   named_results             the paths, and the flows counted on each: what both ways of evaluation fill in
 *
 *   along the messages as recorded:
 *   architecture_links        what nodes keep, by the architecture: rules for the flow linker
 *   named_ways                the ways on which messages went, as far as patterns allow them
 *   named_steps               how far each flow has come: what executions carry
 *   named_flows               listens to the flow linker: flows begin, go on with each callback, and end
 *   named_stamps              stamps in the headers of the messages with which flows begin
 *   named_messages            messages that no callback received: lost, unknown, taken by hand, late
 *   named_endings             flows that have ended go to the results
 *   named_reasons             why no flow reached the end of a path
 *   architecture_differences  where the recording differs from the architecture
 *
 *   with CARET's joins (caret/):
 *   caret_records             from events: publications, receptions, deliveries, executions
 *   caret_objects             these records, by publisher, callback and subscription
 *   caret_nodes               the nodes of a path, bound to objects of the recording
 *   caret_elements            the records of each node of a path, and of each communication between two
 *   caret_join                tables of times, and their joins
 *   caret_path                the elements, joined to flows
 *   caret_flows               paths are evaluated at the end of the recording, and their flows go to the results
 *   caret_tables              elements and records, for comparison with CARET
 *
 *   for both:
 *   architecture_binding      the objects of the recording that an architecture names
 *   response_times            CARET's response times
 *   frequency                 how many flows began in each second
 *   named_path_times          response times, periods and rate of each path
 *   named_tables              all other tables
 */
#include "core/named_paths/caret/caret_flows.h"
#include "core/named_paths/named_flows.h"
#include "core/named_paths/named_tables.h"

struct named_paths {
	struct analysis analysis;
	struct named_results results;
	struct named_flows *flows; /* NULL: evaluated with CARET's joins */
	struct caret_flows *caret; /* NULL: evaluated along the messages */
	bool is_asked_for;	   /* false: nothing else is set */
};

static void begin(void *data)
{
	struct named_paths *paths = data;
	struct analysis *analysis = &paths->analysis;
	const struct analysis_context *context = &analysis->context;

	paths->is_asked_for = context->options->named_paths != NULL;
	if (!paths->is_asked_for) {
		return;
	}
	named_results_init(&paths->results, context);
	paths->results.instances = analysis->writers[NAMED_TABLE_INSTANCES];
	paths->results.hop_instances = analysis->writers[NAMED_TABLE_HOP_INSTANCES];
	if (context->options->named_paths->follows_caret) {
		paths->caret = caret_flows_create(context, &paths->results);
	} else {
		paths->flows = named_flows_create(context, &paths->results);
	}
}

static void feed(void *analysis, const struct event_record *record)
{
	struct named_paths *paths = analysis;

	if (paths->caret) {
		caret_flows_feed(paths->caret, record);
	}
}

static void finish(void *analysis)
{
	struct named_paths *paths = analysis;
	struct table_writer *const *writers = paths->analysis.writers;

	if (paths->is_asked_for) {
		if (paths->caret) {
			caret_flows_finish(paths->caret, writers[NAMED_TABLE_RECORDS],
					   writers[NAMED_TABLE_FREQUENCIES]);
		} else {
			named_flows_finish(paths->flows);
		}
		named_tables_write_instances(&paths->results, writers);
	}
}

/* A file of paths may be of more than was recorded; a path that the user wrote himself may be misspelt. */
static enum diagnostic diagnostic_of(const struct named_path *path)
{
	return path->is_impossible && !path->pattern->path ? DIAGNOSTIC_NAMED_PATH_NAME : DIAGNOSTIC_NAMED_PATH;
}

static void diagnose(const void *analysis, struct diagnostics *findings)
{
	const struct named_paths *paths = analysis;

	for (guint i = 0; paths->is_asked_for && i < paths->results.paths->len; i++) {
		const struct named_path *path = g_ptr_array_index(paths->results.paths, i);

		if (path->reason) {
			g_autofree char *text = g_strdup_printf("%s: %s", path->pattern->name, path->reason);

			diagnostics_add(findings, diagnostic_of(path), text, 1);
		}
	}
	if (paths->flows) {
		named_flows_diagnose(paths->flows, findings);
	} else if (paths->caret) {
		caret_flows_diagnose(paths->caret, findings);
	}
}

static void write_tables(const void *analysis, struct table_writer *const *writers)
{
	const struct named_paths *paths = analysis;

	if (paths->is_asked_for) {
		named_tables_write(&paths->results, writers);
		if (paths->caret) {
			caret_flows_write(paths->caret, writers[NAMED_TABLE_ELEMENTS]);
		}
	}
}

/* Along the messages as recorded, flows need no events but the linker's. */
static const enum event_kind *kinds_for(const struct analysis_options *options)
{
	return options->named_paths && options->named_paths->follows_caret ? caret_records_kinds : NULL;
}

const struct analysis_class named_paths_analysis = {
	.name = "named_paths",
	.tables = named_tables,
	.needs = ANALYSIS_NEEDS_FLOWS,
	.kinds_for = kinds_for,
	.size = sizeof(struct named_paths),
	.begin = begin,
	.feed = feed,
	.finish = finish,
	.diagnose = diagnose,
	.write = write_tables,
};
