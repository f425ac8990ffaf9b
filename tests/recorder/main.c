/* SPDX-License-Identifier: MIT */
/* Plays a ROS 2 system and records its events through LTTng-UST; `record` runs it under a session daemon. */
#include <getopt.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "executor.h"
#include "objects.h"
#include "tracing.h"
#include "truth.h"

#ifndef RECORDER_LIBRARY_DIR
#define RECORDER_LIBRARY_DIR "."
#endif

#define CHAIN_MESSAGES 3 /* that reach the end of each chain at least */

static struct options options = {
	.layout = "jazzy",
	.library = RECORDER_LIBRARY_DIR,
	.processes = 3,
	.nodes = 2,
	.threads = 1,
	.chains = 3,
	.hops = 4,
	.polls = 1,
	.rate = 50,
	.queue_depth = 16,
	.seed = 1,
	.caret_wait_ms = 50,
};

enum option_type {
	OPTION_TEXT,
	OPTION_NUMBER,
	OPTION_REAL,
	OPTION_BIG,
	OPTION_FLAG,
};

static const struct {
	const char *name;
	enum option_type type;
	void *value;
	const char *help;
} option_rows[] = {
	{ "layout", OPTION_TEXT, &options.layout,
	  "release: dashing, eloquent, foxy, galactic, galactic_fork, humble, "
	  "iron, early_jazzy, jazzy, rolling, kilted" },
	{ "library", OPTION_TEXT, &options.library, "folder of the libraries of tracepoints" },
	{ "truth", OPTION_TEXT, &options.truth, "folder for the truth" },
	{ "seconds", OPTION_REAL, &options.seconds, "stop after so long" },
	{ "events", OPTION_BIG, &options.events, "stop after about so many events" },
	{ "rate", OPTION_REAL, &options.rate, "of each chain, in Hz; 0: as fast as possible" },
	{ "processes", OPTION_NUMBER, &options.processes, "number of processes" },
	{ "nodes", OPTION_NUMBER, &options.nodes, "nodes of each process" },
	{ "threads", OPTION_NUMBER, &options.threads, "threads of each process" },
	{ "chains", OPTION_NUMBER, &options.chains, "number of chains" },
	{ "hops", OPTION_NUMBER, &options.hops, "topics of each chain" },
	{ "polls", OPTION_NUMBER, &options.polls, "polls of the executor each time there is nothing to do" },
	{ "work", OPTION_NUMBER, &options.work_us, "length of each callback, in us" },
	{ "loss", OPTION_NUMBER, &options.loss_percent, "percentage of messages lost in the transport" },
	{ "empty-takes", OPTION_NUMBER, &options.empty_take_percent, "percentage of takes after an empty take" },
	{ "intra", OPTION_NUMBER, &options.intra_percent, "percentage of hops inside a process" },
	{ "queue-depth", OPTION_NUMBER, &options.queue_depth, "of each subscription" },
	{ "seed", OPTION_NUMBER, &options.seed, "of everything random" },
	{ "branches", OPTION_FLAG, &options.has_branches, "a second subscription to the first topic of each chain" },
	{ "services", OPTION_FLAG, &options.has_services, "a service in each process, with a client elsewhere" },
	{ "reentrant", OPTION_FLAG, &options.is_reentrant,
	  "every second node calls its callbacks on several threads at once" },
	{ "links", OPTION_FLAG, &options.has_links, "a node with a message link" },
	{ "caret-processes", OPTION_NUMBER, &options.caret_processes, "number of processes under CARET" },
	{ "caret-wait", OPTION_NUMBER, &options.caret_wait_ms, "length of CARET's state WAIT, in ms" },
	{ "caret-gap", OPTION_FLAG, &options.has_caret_gap, "a second WAIT, PREPARE and RECORD" },
	{ "fastdds", OPTION_FLAG, &options.is_fastdds, "as with FastDDS: stamps are bound to the address 0" },
	{ "hold", OPTION_FLAG, &options.is_held, "print `ready` after the definitions and wait for a line" },
	{ "asked", OPTION_FLAG, &options.is_asked,
	  "print `shown` when messages have gone through each chain, and wait for a line: again; its end: stop" },
	{ "late-after", OPTION_NUMBER, &options.late_after, "the last process begins after so many publications" },
	{ "kill-after", OPTION_NUMBER, &options.kill_after,
	  "the first process is killed after so many, once messages have gone through each chain" },
	{ "catalogue", OPTION_FLAG, &options.is_catalogue, "only one event of each kind" },
};
#define OPTION_COUNT (sizeof(option_rows) / sizeof(option_rows[0]))

static void usage(void)
{
	puts("usage: ros2-recorder [OPTION]...");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		printf("  --%-16s %s\n", option_rows[i].name, option_rows[i].help);
	}
	exit(1);
}

static void set_option(size_t row, const char *text)
{
	char *end = NULL;

	switch (option_rows[row].type) {
	case OPTION_TEXT:
		*(const char **)option_rows[row].value = text;
		return;
	case OPTION_FLAG:
		*(bool *)option_rows[row].value = true;
		return;
	case OPTION_REAL:
		*(double *)option_rows[row].value = strtod(text, &end);
		break;
	case OPTION_NUMBER:
		*(uint32_t *)option_rows[row].value = (uint32_t)strtoul(text, &end, 10);
		break;
	case OPTION_BIG:
		*(uint64_t *)option_rows[row].value = strtoull(text, &end, 10);
		break;
	}
	if (end == text || *end) {
		fprintf(stderr, "recorder: --%s %s: not a number\n", option_rows[row].name, text);
		exit(1);
	}
}

static void parse_options(int argc, char **argv)
{
	struct option rows[OPTION_COUNT + 1] = { 0 };
	int row;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		rows[i].name = option_rows[i].name;
		rows[i].has_arg = option_rows[i].type == OPTION_FLAG ? no_argument : required_argument;
		rows[i].val = (int)i;
	}
	while ((row = getopt_long(argc, argv, "", rows, NULL)) != -1) {
		if (row == '?') {
			usage();
		}
		set_option((size_t)row, optarg);
	}
	if (optind != argc || options.processes == 0 || options.nodes == 0 || options.processes * options.nodes < 2 ||
	    options.threads == 0 || options.hops == 0 || options.hops > HOPS_MAX || options.queue_depth == 0) {
		usage();
	}
	if (options.seconds <= 0 && options.events == 0) {
		options.seconds = 1;
	}
}

static bool is_late(uint32_t process)
{
	return options.late_after > 0 && process == options.processes - 1;
}

static void wait_for_publications(const struct transport *transport, uint32_t count)
{
	while (transport->state->publications < count && !transport->state->is_stopping) {
		g_usleep(1000);
	}
}

static int run_process(struct transport *transport, uint32_t process)
{
	const struct tracepoints *tracepoints;
	char name[24];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (is_late(process)) {
		wait_for_publications(transport, options.late_after);
	}
	snprintf(name, sizeof(name), "process_%u", process);
	prctl(PR_SET_NAME, name);
	tracepoints = tracing_load(&options, process < options.caret_processes);
	if (options.is_catalogue) {
		tracepoints->catalogue();
		return 0;
	}
	truth_open(transport->plan);
	objects_define(transport->plan, tracepoints, process);
	transport_open(transport, process);
	atomic_fetch_add(&transport->state->ready, 1);
	while (!atomic_load(&transport->state->is_running)) {
		g_usleep(1000);
	}
	tracing_start_caret(&options, &transport->state->caret_done);
	executor_run(transport, tracepoints, process);
	tracing_stop_caret();
	objects_finish(transport->plan, process);
	atomic_fetch_add(&transport->state->events, tracing_count());
	truth_close();
	return 0;
}

static pid_t killed; /* 0: none yet */

/* True if all children that were not killed have ended well. */
static bool wait_for_children(int flags, uint32_t *left)
{
	pid_t pid;
	int status;

	while (*left > 0 && (pid = waitpid(-1, &status, flags)) > 0) {
		(*left)--;
		if (status != 0 && pid != killed) {
			fprintf(stderr, "recorder: a process failed\n");
			return false;
		}
	}
	return true;
}

static void wait_for_line(void)
{
	char line[16];

	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin)) {
		fputs("recorder: held, and no line came\n", stderr);
	}
}

/* However slow the machine is: CARET's states are over, and messages were recorded on each chain from head to end. */
static bool has_shown_all(const struct transport *transport)
{
	if (transport->state->caret_done < MIN(options.caret_processes, options.processes)) {
		return false;
	}
	for (uint32_t i = 0; i < options.chains; i++) {
		if (transport->chain_completed[i] < CHAIN_MESSAGES) {
			return false;
		}
	}
	return true;
}

/* Whether standard input has one more line: each chain shall show messages again. */
static bool is_asked_for_more(struct transport *transport)
{
	char line[16];

	puts("shown");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin)) {
		return false;
	}
	for (uint32_t i = 0; i < options.chains; i++) {
		atomic_store(&transport->chain_completed[i], 0);
	}
	return true;
}

static void kill_first(struct transport *transport, pid_t first)
{
	transport_close(transport, 0);
	atomic_store(&transport->state->has_killed, true);
	killed = first;
	kill(first, SIGKILL);
}

static int64_t end_of_run(void)
{
	return monotonic_ns() + (int64_t)(options.seconds * 1e9);
}

/* What happens once each chain has shown messages: at the latest after all else it is the end. */
static void go_on(struct transport *transport, pid_t first, int64_t *end_ns)
{
	if (options.kill_after > 0 && !killed) {
		if (transport->state->publications >= options.kill_after) {
			kill_first(transport, first);
			*end_ns = end_of_run();
		}
	} else if (options.is_asked) {
		atomic_store(&transport->state->is_stopping, !is_asked_for_more(transport));
	} else if (options.seconds > 0 && monotonic_ns() >= *end_ns) {
		atomic_store(&transport->state->is_stopping, true);
	}
}

static bool supervise(struct transport *transport, pid_t first)
{
	uint32_t left = options.processes, early = options.processes - (options.late_after > 0);
	int64_t end_ns = 0;

	while (left > 0) {
		if (!wait_for_children(WNOHANG, &left)) {
			return false;
		}
		if (!transport->state->is_running && transport->state->ready == early) {
			if (options.is_held) {
				wait_for_line();
			}
			end_ns = end_of_run();
			atomic_store(&transport->state->is_running, true);
		}
		if (transport->state->is_running && !transport->state->is_stopping && has_shown_all(transport)) {
			go_on(transport, first, &end_ns);
		}
		if (transport->state->is_stopping) {
			transport_wake_all(transport);
		}
		g_usleep(2000);
	}
	return true;
}

int main(int argc, char **argv)
{
	const struct plan *plan;
	struct transport *transport;
	pid_t first = 0;

	parse_options(argc, argv);
	plan = plan_create(&options);
	transport = transport_create(plan);
	for (uint32_t i = 0; i < options.processes; i++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("recorder: fork");
			return 1;
		}
		if (pid == 0) {
			return run_process(transport, i);
		}
		first = i == 0 ? pid : first;
	}
	if (!supervise(transport, first)) {
		return 1;
	}
	printf("events %lu\n", (unsigned long)transport->state->events);
	return 0;
}
