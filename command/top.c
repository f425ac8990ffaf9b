/* SPDX-License-Identifier: MIT */
/*
 * ros2-latency top: a screen of a live session, window by window, or of a recording that is there. One thread reads and
 * publishes rows; another one has the terminal. A mutex is for the model and the screen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/commands.h"
#include "command/live.h"
#include "command/run.h"
#include "command/terminal.h"
#include "ros2bt/base/duration_text.h"
#include "ros2bt/base/time_units.h"
#include "ros2bt/reports/top_model.h"
#include "ros2bt/reports/top_screen.h"

#define NAME "ros2-latency top"
#define LOOK_MS 200 /* for signals, another size, and rows that were published */
#define WINDOW_NS NS_PER_S
#define WINDOW_MIN_NS (NS_PER_S / 10)

enum { OPTION_WINDOW = COMMAND_LINE_OWN, OPTION_FOLLOW };

struct top_options {
	struct command_options command;
	int64_t window_ns;
};

struct top {
	const char *title;
	GMutex mutex;
	struct top_model *model;
	struct top_screen screen;
	bool is_ending; /* the screen is to be left */
	GThread *thread;
};

static const struct own_option own_options[] = {
	{ .name = "follow",
	  .number = OPTION_FOLLOW,
	  .value = FOLLOW_VALUE,
	  .help = "Show " FOLLOW_HELP ", window by window." },
	{ .name = "window",
	  .number = OPTION_WINDOW,
	  .value = "DURATION",
	  .help = "Of a live session: show what happened in the last time of this length. Default: 1s." },
};

static bool take_option(void *data, int number, const char *value, GError **error)
{
	struct top_options *options = data;

	if (number == OPTION_FOLLOW) {
		options->command.follow = value;
		return true;
	}
	if (!duration_text_parse(value, &options->window_ns) || options->window_ns < WINDOW_MIN_NS) {
		return command_line_refuse(error, "window", value, "100 ms or more, as " DURATION_TEXT_ALLOWED);
	}
	return true;
}

static void initialize(void *data)
{
	((struct top_options *)data)->window_ns = WINDOW_NS;
}

static bool read_arguments(void *data, const struct arguments *arguments, GError **error)
{
	struct top_options *options = data;
	const struct arguments none = { 0 };

	if (arguments->count == 1 && g_str_has_prefix(arguments->items[0], "net")) {
		options->command.live = strstr(arguments->items[0], "://") ? arguments->items[0] : NULL;
	}
	if (live_subject(&options->command)) {
		return live_check(&options->command, options->command.live ? &none : arguments, error);
	}
	return command_take_paths(&options->command, arguments,
				  "expected the URL of a live session, such as net://localhost/host/HOSTNAME/SESSION, "
				  "or a TRACE",
				  error);
}

/* --- the thread of the terminal --- */

/* Draws if anything has changed. */
static void draw(struct top *top, guint size[2], uint64_t *drawn, bool is_forced)
{
	GArray *lines = NULL;
	guint width, height;

	terminal_size(&width, &height);
	g_mutex_lock(&top->mutex);
	if (is_forced || width != size[0] || height != size[1] || top_model_generation(top->model) != *drawn) {
		lines = top_screen_lines(&top->screen, top->model, top->title, width, height);
	}
	*drawn = top_model_generation(top->model);
	g_mutex_unlock(&top->mutex);
	size[0] = width;
	size[1] = height;
	if (lines) {
		terminal_draw(lines);
		g_array_unref(lines);
	}
}

static gpointer show(gpointer data)
{
	struct top *top = data;
	guint size[2] = { 0 };
	uint64_t drawn = 0;
	bool is_over = false;
	uint32_t key = 0;

	while (!is_over && !is_interrupted()) {
		draw(top, size, &drawn, key != 0);
		key = terminal_read_key(LOOK_MS);
		g_mutex_lock(&top->mutex);
		if (key != 0) {
			top_screen_key(&top->screen, top->model, key);
		}
		top->screen.is_over |= terminal_is_gone();
		is_over = top->screen.is_over || top->is_ending;
		g_mutex_unlock(&top->mutex);
	}
	return NULL;
}

/* Also frees the terminal for those who wait for a relay daemon that does not answer. */
static gpointer show_and_stop(gpointer data)
{
	struct top *top = data;

	(void)show(top);
	if (top->screen.is_over || is_interrupted()) {
		stop_reading();
		terminal_close(false);
	}
	return NULL;
}

/* --- the thread that reads --- */

static void window_ended(void *data, const struct session_window *window)
{
	struct top *top = data;
	struct top_span span;

	g_mutex_lock(&top->mutex);
	span = *top_model_span(top->model);
	span.state = "live";
	span.has_lag = window->has_lag;
	span.lag_ns = window->lag_ns;
	if (top->screen.is_frozen) {
		top_model_drop(top->model);
	} else if (window->length_ns > 0) {
		span.as_of_ns = window->as_of_ns;
		span.length_ns = window->length_ns;
		top_model_publish(top->model, &span);
	} else {
		top_model_update(top->model, &span);
	}
	g_mutex_unlock(&top->mutex);
}

/* The whole recording, which was read to its end. */
static void publish_whole(struct top *top, struct session *session, const char *state)
{
	struct report_trace trace = session_describe(session);
	const struct top_span span = {
		.as_of_ns = trace.end_ns,
		.length_ns = MAX(trace.end_ns - trace.begin_ns, 1),
		.is_whole = true,
		.state = state,
	};

	g_mutex_lock(&top->mutex);
	top->screen.is_frozen = false;
	top_model_publish(top->model, &span);
	g_mutex_unlock(&top->mutex);
}

static int show_live(struct top *top, const struct top_options *options, struct session *session, GError **error)
{
	bool is_stopped;
	int status;

	if (!terminal_open(error)) {
		return EXIT_USAGE;
	}
	top->thread = g_thread_new("terminal", show_and_stop, top);
	status = run_recording(&options->command, session, NULL);
	is_stopped = is_interrupted();
	g_mutex_lock(&top->mutex);
	top->is_ending = status != EXIT_SUCCESS;
	g_mutex_unlock(&top->mutex);
	if (status == EXIT_SUCCESS && !is_stopped) {
		publish_whole(top, session, "the session has ended");
	}
	g_thread_join(top->thread);
	terminal_close(!is_stopped);
	return is_stopped ? EXIT_SUCCESS : status;
}

static int show_recording(struct top *top, const struct top_options *options, struct session *session, GError **error)
{
	int status = run_recording(&options->command, session, NULL);

	if (!session_has_finished(session) || is_interrupted() || status == EXIT_NOTHING) {
		return status;
	}
	publish_whole(top, session, "a recording");
	if (!terminal_open(error)) {
		return EXIT_USAGE;
	}
	(void)show(top);
	terminal_close(true);
	return status;
}

static int run(void *data, GError **error)
{
	const struct top_options *options = data;
	const struct command_options *command = &options->command;
	struct analysis_options analysis_options = command->params.options;
	struct top top = { .title = live_subject(command) ? live_subject(command) : command->paths[0],
			   .model = top_model_create() };
	const struct session_windows windows = { options->window_ns, window_ended, &top };
	struct table_output *tables = top_model_tables(top.model);
	struct session *session;
	int status;

	analysis_options.worst = 1;
	g_mutex_init(&top.mutex);
	top_screen_init(&top.screen);
	session = live_subject(command) ? session_create_for_windows(&analysis_options, tables, &windows)
					: session_create_for_tables(NULL, &analysis_options, tables);
	catch_signals();
	status = live_subject(command) ? show_live(&top, options, session, error)
				       : show_recording(&top, options, session, error);
	session_destroy(session);
	top_screen_clear(&top.screen);
	top_model_destroy(top.model);
	g_mutex_clear(&top.mutex);
	return status;
}

static const char *const params[] = { "nodes", "topics", "paths", "links", NULL };

const struct command top_command = {
	.line = {
		.name = NAME,
		.usage = "Usage: ros2-latency top [OPTION]... URL\n"
			 "       ros2-latency top [OPTION]... --follow=DIRECTORY\n"
			 "       ros2-latency top [OPTION]... TRACE...\n"
			 "\nShows callbacks, topics, paths and services in the terminal, the worst first: of a live session of\n"
			 "LTTng, such as net://localhost/host/HOSTNAME/SESSION, as it runs, or of a recording. See docs/live.md.\n"
			 "\nOptions:\n",
		.closing =
			"\nExit status: 0 after q or Ctrl+C, 1 the session or the recording could not be read to its end, 2 the\n"
			"command line is wrong or there is no terminal, 3 there is nothing to show.\n",
		.params = params,
		.options = own_options,
		.option_count = G_N_ELEMENTS(own_options),
	},
	.takes_traces = true,
	.options_size = sizeof(struct top_options),
	.initialize = initialize,
	.take = take_option,
	.read = read_arguments,
	.run = run,
};
