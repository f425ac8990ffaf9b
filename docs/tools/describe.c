/* SPDX-License-Identifier: MIT */
/*
 * Prints what the documentation takes from the tables of the code, in Markdown:
 *
 *   describe events                 docs/events.md
 *   describe parameters COMPONENT   the heads of the initialization parameters in docs/COMPONENT.md, one a line
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "filters/dedup/dedup.h"
#include "filters/flow/flow.h"
#include "filters/init_timestamp/init_timestamp.h"
#include "filters/normalize/normalize.h"
#include "ros2bt/events/diagnostics.h"
#include "ros2bt/events/event_schema.h"
#include "ros2bt/session/session_params.h"

static const struct param dedup_rows[] = { DEDUP_PARAMS(PARAM_ROW) };
static const struct param flow_rows[] = { FLOW_PARAMS(PARAM_ROW) };
static const struct param init_timestamp_rows[] = { INIT_TIMESTAMP_PARAMS(PARAM_ROW) };
static const struct param normalize_rows[] = { NORMALIZE_PARAMS(PARAM_ROW) };
static const struct param session_rows[] = { SESSION_PARAMS(PARAM_ROW) };

static const struct component {
	const char *name;
	const struct param *rows;
	size_t row_count;
} components[] = {
	{ "filter.ros2.dedup", dedup_rows, G_N_ELEMENTS(dedup_rows) },
	{ "filter.ros2.flow", flow_rows, G_N_ELEMENTS(flow_rows) },
	{ "filter.ros2.init-timestamp", init_timestamp_rows, G_N_ELEMENTS(init_timestamp_rows) },
	{ "filter.ros2.normalize", normalize_rows, G_N_ELEMENTS(normalize_rows) },
	{ "sink.ros2.latency", session_rows, G_N_ELEMENTS(session_rows) },
};

static const struct {
	const char *type;
	const char *value; /* placeholder for a number */
} type_words[] = {
	[PARAM_BOOL] = { "boolean", NULL },
	[PARAM_INTEGER] = { "integer", "*INTEGER*" },
	[PARAM_REAL] = { "real", "*REAL*" },
	[PARAM_STRING] = { "string", NULL },
	[PARAM_DURATION] = { "string", NULL },
	[PARAM_STRING_OR_INTEGER] = { "string or integer", NULL },
	[PARAM_STRINGS] = { "array of strings", NULL },
	[PARAM_REALS] = { "array of reals", "*REAL*,..." },
};

/* "a|b" as "*a*|*b*" */
static char *value_text(const struct param *param)
{
	bool is_array = param->type == PARAM_STRINGS || param->type == PARAM_REALS;
	GString *text = g_string_new(is_array ? "[" : NULL);

	if (param->type == PARAM_BOOL) {
		g_string_append(text, "*yes*|*no*");
	} else if (param_is_any(param)) {
		g_string_append_printf(text, is_array ? "*%s*,..." : "*%s*", param->allowed);
	} else if (strchr(param->allowed, '|')) {
		g_auto(GStrv) choices = g_strsplit(param->allowed, "|", -1);
		g_autofree char *joined = g_strjoinv("*|*", choices);

		g_string_append_printf(text, is_array ? "*%s*,..." : "*%s*", joined);
	} else {
		g_string_append(text, type_words[param->type].value);
	}
	return g_string_free(g_string_append(text, is_array ? "]" : ""), FALSE);
}

static int print_parameters(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(components); i++) {
		if (strcmp(components[i].name, name) != 0) {
			continue;
		}
		for (size_t row = 0; row < components[i].row_count; row++) {
			const struct param *param = &components[i].rows[row];
			bool has_default = strcmp(param->default_text, "none") != 0;
			g_autofree char *value = value_text(param);

			printf("`%s=`%s (%s, %s%s%s)\n", param->key, value, type_words[param->type].type,
			       has_default ? "default *" : "no default", has_default ? param->default_text : "",
			       has_default ? "*" : "");
		}
		return 0;
	}
	fprintf(stderr, "describe: no component class \"%s\"\n", name);
	return 2;
}

static char *releases_text(enum release first, enum release last)
{
	if (last == RELEASE_LTTNG_NEWEST) {
		return g_strdup_printf("%s and newer", release_name(first));
	}
	return first == last ? g_strdup(release_name(first))
			     : g_strdup_printf("%s to %s", release_name(first), release_name(last));
}

static void print_field(const struct event_field *field, const struct event_schema *schema)
{
	bool is_always = field->first == schema->first && field->last == schema->last;
	g_autofree char *releases = releases_text(field->first, field->last);

	printf("`%s` %s%s%s%s%s", field->name, field_type_name(field->type), is_always ? "" : " (",
	       is_always ? "" : releases, is_always ? "" : ")", field->slot == SKIP ? ", not used" : "");
}

static char *providers_text(enum event_provider providers)
{
	static const struct {
		enum event_provider provider;
		const char *text;
	} names[] = {
		{ EVENT_PROVIDER_ROS2, "`ros2`" },
		{ EVENT_PROVIDER_CARET, "`ros2_caret`" },
		{ EVENT_PROVIDER_R2R, "`r2r`" },
		{ EVENT_PROVIDER_AGNOCAST, "`agnocast`" },
		{ EVENT_PROVIDER_LIBC, "`lttng_ust_libc`" },
		{ EVENT_PROVIDER_KERNEL, "the kernel" },
	};
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (providers & names[i].provider) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", names[i].text);
		}
	}
	return g_string_free(text, FALSE);
}

static void print_event(const struct event_schema *schema)
{
	g_autofree char *releases = releases_text(schema->first, schema->last);

	g_autofree char *providers = providers_text(schema->providers);

	printf("| `%s%s` | %s | %s | %s | %s | ", schema->name, g_str_has_suffix(schema->name, "_") ? "*" : "",
	       providers, event_class_name(schema->class), releases, schema->text);
	for (size_t i = 0; i < schema->field_count; i++) {
		printf(i > 0 ? "<br>" : "");
		print_field(&schema->fields[i], schema);
	}
	printf(" |\n");
}

static int print_events(void)
{
	printf("# Events\n\n"
	       "<!-- Printed by docs/tools/describe.c from core/events/event_table.h; `ninja -C build docs` renews "
	       "it. -->\n\n"
	       "The tracepoints of [ros2_tracing](https://github.com/ros2/ros2_tracing) (`ros2:*`),\n"
	       "[CARET](https://github.com/tier4/caret) (`ros2_caret:*`), r2r (`r2r:*`), Agnocast\n"
	       "(`agnocast:*`), LTTng-UST's wrapper of malloc() (`lttng_ust_libc:*`) and the Linux kernel (LTTng-modules) that this plugin knows, of every release. "
	       "`babeltrace2\n"
	       "query sink.ros2.latency schema` prints the same table.\n\n"
	       "An event class is matched by its fields, never by a version number; sizes and signedness of integers "
	       "are\n"
	       "taken from the trace. Classes that fit no layout are counted and named in the table `diagnostics`.\n\n"
	       "*Class*: `init` events define objects, `runtime` events record activity, `poll` events belong to the\n"
	       "executors' idle loops, `mark` events mark a moment, `system` events record what a CPU does. "
	       "*Releases*: the ROS 2\n"
	       "distributions that ship the event; for CARET events, CARET for that distribution; for the kernel's, "
	       "LTTng. Since CARET 0.4, every\n"
	       "`init` event of CARET also has a last field `init_timestamp`.\n\n"
	       "| event | provider | class | releases | meaning | fields |\n"
	       "| --- | --- | --- | --- | --- | --- |\n");
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		print_event(event_schema_of(kind));
	}
	return 0;
}

static int print_diagnostics(void)
{
	for (int what = 0; what < DIAGNOSTIC_COUNT; what++) {
		const struct diagnostic_kind *kind = diagnostic_kind((enum diagnostic)what);

		printf("| `%s` | %s | %s | %s | %s |\n", kind->name, diagnostic_severity_name(kind->severity),
		       kind->detail, kind->text, kind->remedy);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "events") == 0) {
		return print_events();
	}
	if (argc == 3 && strcmp(argv[1], "parameters") == 0) {
		return print_parameters(argv[2]);
	}
	if (argc == 2 && strcmp(argv[1], "diagnostics") == 0) {
		return print_diagnostics();
	}
	fprintf(stderr, "Usage: describe diagnostics | describe events | describe parameters COMPONENT\n");
	return 2;
}
