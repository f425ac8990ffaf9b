/* SPDX-License-Identifier: MIT */
/* The format sqlite in a build without libsqlite3: an error message. */
#include "core/output/outputs.h"

static struct output *create(const struct output_place *place)
{
	return g_malloc0(1);
}

static struct table_writer *open_table(struct output *output, const struct table_schema *schema,
				       struct output_stream *stream)
{
	return NULL;
}

static bool check(const struct output *output, GError **error)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "the format sqlite is not part of this build, which was made without libsqlite3");
	return false;
}

static void destroy(struct output *output)
{
	g_free(output);
}

const struct output_class sqlite_output = {
	.name = "sqlite",
	.file = "report.sqlite",
	.is_binary = true,
	.takes_histograms = true,
	.takes_instances = true,
	.create = create,
	.open = open_table,
	.check = check,
	.destroy = destroy,
};
