/* SPDX-License-Identifier: MIT */
#include "core/session/proposed_links.h"

#include "core/analyses/analyses.h"
#include "core/analyses/paths/path_tables.h"
#include "core/analyses/paths/paths.h"
#include "core/model/object_numbers.h"
#include "ros2bt/flow/link_rules.h"

struct proposed_links {
	struct analysis_options options;
	struct analysis_span span;
	struct object_numbers *numbers;
	struct table_writer counting; /* of the table of paths: those of hidden names need no rows */
	struct table_writer *writers[TABLE_WHY + 1];
	struct analysis *paths;
};

struct proposed_links *proposed_links_create(struct pipeline *pipeline, const struct analysis_options *options)
{
	struct proposed_links *links = arena_take(recording_arena(pipeline->recording), sizeof(*links));
	const struct analysis_context context = {
		.recording = pipeline->recording,
		.model = pipeline->model,
		.diagnostics = pipeline->diagnostics,
		.executions = pipeline->executions,
		.inferred = pipeline->inferred,
		.flows = pipeline->flows,
		.threads = pipeline->threads,
		.callback_ids = pipeline->callback_ids,
		.numbers = links->numbers = object_numbers_create(pipeline->recording, pipeline->model),
		.pipeline = pipeline,
		.options = &links->options,
		.span = &links->span,
		.begin_ns = &pipeline->begin_ns,
		.findings = pipeline->diagnostics,
	};

	links->options = (struct analysis_options){ .links = options->links, .link_count = options->link_count };
	links->counting.only_counts_hidden = true;
	links->writers[TABLE_PATHS] = &links->counting;
	flow_linker_add_rules(pipeline->flows, options->links, options->link_count);
	links->paths = analysis_create(&paths_analysis, &context, links->writers);
	return links;
}

static void add_given(struct proposed_links *links, GPtrArray *texts)
{
	for (size_t i = 0; i < links->options.link_count; i++) {
		g_ptr_array_add(texts, links->options.links[i].text);
	}
}

GArray *proposed_links_find(struct proposed_links *links)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	g_auto(GStrv) found = NULL;
	GArray *rules;

	paths_analysis.finish(links->paths);
	found = paths_propose_links(links->paths);
	add_given(links, texts);
	for (size_t i = 0; found[i]; i++) {
		g_ptr_array_add(texts, found[i]);
	}
	g_ptr_array_add(texts, NULL);
	rules = link_rules_parse((const char *const *)texts->pdata, NULL);
	for (size_t i = links->options.link_count; rules && i < rules->len; i++) {
		g_array_index(rules, struct link_rule, i).is_proposed = true;
	}
	return rules;
}
