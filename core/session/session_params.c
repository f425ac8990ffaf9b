/* SPDX-License-Identifier: MIT */
#include "ros2bt/session/session_params.h"

#include <string.h>

#include "core/base/name_filter.h"
#include "core/base/text/human_text.h"
#include "core/base/text/time_text.h"
#include "core/events/points/point_file_reader.h"
#include "core/statistics/duration_bucket.h"
#include "ros2bt/flow/link_rules.h"

static const struct param rows[] = { SESSION_PARAMS(PARAM_ROW) };

static bool refuse_time(const struct params *given, const char *key, const char *text, GError **error)
{
	g_autofree char *name = params_name(given, key);

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "%s cannot be \"%s\": expected " TIME_TEXT_ALLOWED "; an integer is ns since the Unix epoch", name,
		    text);
	return false;
}

/*
 * On a command line, a plain number is more likely a mistake for "+5s" than a time long before ROS. It is refused
 * before this time (March 1973), which seconds, ms and µs since the epoch do not reach in this century; a date is not.
 */
#define PLAUSIBLE_NS INT64_C(100000000000000000)

static bool check_number(const struct params *given, const char *key, const char *number, const struct moment *moment,
			 GError **error)
{
	g_autofree char *name = NULL;
	char time[HUMAN_TEXT_SIZE];

	if (!given->are_options || moment->ns >= PLAUSIBLE_NS) {
		return true;
	}
	name = params_name(given, key);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "%s cannot be \"%s\", which is %s UTC (%s since the Unix epoch): expected +5s for a time after the "
		    "start of the recording, or that date if it is meant",
		    name, number, human_text_time(time, moment->ns), strchr(number, '.') ? "seconds" : "ns");
	return false;
}

static bool is_number(const char *text)
{
	return text[strspn(text, "0123456789.")] == '\0';
}

static bool read_time_text(const struct params *given, const char *key, const char *text, struct moment *moment,
			   GError **error)
{
	if (!time_text_parse(text, moment)) {
		return refuse_time(given, key, text, error);
	}
	return !is_number(text) || check_number(given, key, text, moment, error);
}

static bool read_time(const struct params *given, const char *key, bool *has_time, struct moment *moment,
		      GError **error)
{
	const struct param_value *value = params_value(given, key);
	g_autofree char *text = NULL;

	*has_time = value != NULL;
	if (!value) {
		return true;
	}
	if (param_value_item(value, 0)->kind == PARAM_ITEM_STRING) {
		return read_time_text(given, key, params_string(given, key), moment, error);
	}
	*moment = (struct moment){ MOMENT_FROM_EPOCH, params_integer(given, key) };
	text = g_strdup_printf("%" G_GINT64_FORMAT, moment->ns);
	return moment->ns < 0 ? refuse_time(given, key, text, error) : check_number(given, key, text, moment, error);
}

/* Where that can be known without the recording. */
static bool ends_before_it_begins(const struct time_range *range)
{
	return range->has_begin && range->has_end && range->begin.origin == range->end.origin &&
	       range->begin.origin != MOMENT_FROM_DAY && range->begin.ns > range->end.ns;
}

static bool read_times(struct time_range *range, const struct params *given, GError **error)
{
	if (!read_time(given, "begin", &range->has_begin, &range->begin, error) ||
	    !read_time(given, "end", &range->has_end, &range->end, error)) {
		return false;
	}
	if (ends_before_it_begins(range)) {
		g_autofree char *begin = params_name(given, "begin"), *end = params_name(given, "end");

		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s is later than %s", begin, end);
		return false;
	}
	return true;
}

/* Puts the parameter in front of the message. */
static bool refuse(const struct params *given, const char *key, GError **error)
{
	g_autofree char *name = params_name(given, key);

	g_prefix_error(error, "%s: ", name);
	return false;
}

static bool read_links(struct session_params *params, const struct params *given, GError **error)
{
	g_auto(GStrv) texts = params_strings(given, "links");
	size_t count = 0;

	for (size_t i = 0; texts[i]; i++) {
		if (strcmp(texts[i], LINKS_PROPOSED) == 0) {
			params->options.proposes_links = true;
			g_free(texts[i]);
		} else {
			texts[count++] = texts[i];
		}
	}
	texts[count] = NULL;
	params->links = link_rules_parse((const char *const *)texts, error);
	if (!params->links) {
		return refuse(given, "links", error);
	}
	params->options.links = (const struct link_rule *)(void *)params->links->data;
	params->options.link_count = params->links->len;
	return true;
}

static bool read_points(struct session_params *params, const struct params *given, GError **error)
{
	const char *path = params_string(given, "points");

	if (!path) {
		return true;
	}
	params->options.points = params->points = point_file_read(path, error);
	return params->points || refuse(given, "points", error);
}

static bool read_paths(struct named_path_options *paths, const struct params *given, GError **error)
{
	const char *file = params_string(given, "architecture");
	g_auto(GStrv) texts = params_strings(given, "named-paths");

	if (file && !named_path_options_read_file(paths, file, error)) {
		return refuse(given, "architecture", error);
	}
	return named_path_options_read_texts(paths, (const char *const *)texts, error) ||
	       refuse(given, "named-paths", error);
}

/* A parameter that only changes named paths would have no effect without any. */
static bool refuse_without_paths(const struct params *given, const char *key, GError **error)
{
	g_autofree char *name = params_name(given, key), *file = params_name(given, "architecture"),
			*texts = params_name(given, "named-paths");

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "%s changes named paths only, but there are none: expected %s or %s as well", name, file, texts);
	return false;
}

static bool read_named_paths(struct session_params *params, const struct params *given, GError **error)
{
	struct named_path_options *paths = &params->named_paths;

	named_path_options_init(paths);
	paths->follows_caret = strcmp(params_string(given, "contexts"), "caret") == 0;
	paths->first_callback = params_bool(given, "first-callback");
	paths->last_callback = params_bool(given, "last-callback");
	if (!params_value(given, "architecture") && !params_value(given, "named-paths")) {
		const char *key = paths->follows_caret	  ? "contexts"
				  : paths->first_callback ? "first-callback"
				  : paths->last_callback  ? "last-callback"
							  : NULL;

		return !key || refuse_without_paths(given, key, error);
	}
	if (!read_paths(paths, given, error)) {
		return false;
	}
	params->options.named_paths = paths->patterns->len > 0 ? paths : NULL;
	return true;
}

static bool read_histograms(struct session_params *params, const struct params *given, GError **error)
{
	int64_t per_octave = params_integer(given, "buckets");

	if (!duration_buckets_are_allowed((uint64_t)per_octave)) {
		g_autofree char *name = params_name(given, "buckets");

		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "%s cannot be %" G_GINT64_FORMAT ": expected a power of 2 up to %d", name, per_octave,
			    DURATION_BUCKETS_FINEST);
		return false;
	}
	params->report.histograms = params_bool(given, "histograms") ? (unsigned int)per_octave : 0;
	return true;
}

/* Of the machine that reads; a report takes some ms. */
#define PERIOD_MIN_NS (10 * NS_PER_MS)

static bool refuse_period(const struct params *given, const char *why, GError **error)
{
	g_autofree char *name = params_name(given, "period");

	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s", name, why);
	return false;
}

/* Instances are written while the trace is read, each once. */
static bool read_period(struct session_params *params, const struct params *given, GError **error)
{
	params->report.has_windows = params_bool(given, "windows");
	if (!params_value(given, "period")) {
		return !params->report.has_windows || refuse_period(given, "is missing", error);
	}
	params->report.period_ns = params_duration_ns(given, "period");
	if (params->report.period_ns < PERIOD_MIN_NS) {
		return refuse_period(given, "is too short: expected 10ms or more", error);
	}
	if (params->report.has_instances || params->report.format->takes_instances) {
		return refuse_period(given, "cannot be combined with instances, which only a report at the end has",
				     error);
	}
	return true;
}

static struct name_filter *read_filter(const struct params *given, const char *key)
{
	g_auto(GStrv) globs = params_strings(given, key);

	return name_filter_create_remembering((const char *const *)globs);
}

bool session_params_read(struct session_params *params, const struct param_values *values, bool are_options,
			 GError **error)
{
	const struct params given = { rows, G_N_ELEMENTS(rows), values, are_options };
	g_autofree char *problem = params_check(&given);

	*params = (struct session_params){ 0 };
	if (problem) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, problem);
		return false;
	}
	params->output = g_strdup(params_string(&given, "output"));
	params->tables = params_value(&given, "tables") ? params_strings(&given, "tables") : NULL;
	params->sort = g_strdup(params_string(&given, "sort"));
	params->report = (struct report_options){
		.format = output_find(params_string(&given, "format")),
		.directory = params->output,
		.tables = (const char *const *)params->tables,
		.has_instances = params_bool(&given, "instances"),
		.choice = {
			.sort = params->sort,
			.has_top = params_value(&given, "top") != NULL,
			.top = (uint64_t)params_integer(&given, "top"),
			.shows_hidden = params_bool(&given, "hidden"),
			.are_parameters = !are_options,
		},
	};
	params->options.aligns_clocks = strcmp(params_string(&given, "clocks"), "align") == 0;
	params->options.worst = params_value(&given, "worst") ? (uint32_t)params_integer(&given, "worst")
							      : params->report.format->worst;
	params->report.has_worst = params->options.worst > 0;
	params->quantiles = params_reals(&given, "quantiles", &params->report.quantile_count);
	params->report.quantiles = params->quantiles;
	params->options.names.nodes = params->nodes = read_filter(&given, "nodes");
	params->options.names.topics = params->topics = read_filter(&given, "topics");
	params->options.names.paths = params->paths = read_filter(&given, "paths");
	return read_period(params, &given, error) && read_histograms(params, &given, error) &&
	       read_times(&params->options.range, &given, error) && read_links(params, &given, error) &&
	       read_points(params, &given, error) && read_named_paths(params, &given, error);
}

char *session_params_name(const struct session_params *params, const char *key)
{
	return params_name(&(struct params){ rows, G_N_ELEMENTS(rows), NULL, !params->report.choice.are_parameters },
			   key);
}

void session_params_clear(struct session_params *params)
{
	g_free(params->output);
	g_strfreev(params->tables);
	g_free(params->sort);
	name_filter_destroy(params->nodes);
	name_filter_destroy(params->topics);
	name_filter_destroy(params->paths);
	g_free(params->quantiles);
	g_clear_pointer(&params->links, g_array_unref);
	g_clear_pointer(&params->points, point_file_destroy);
	named_path_options_clear(&params->named_paths);
}
