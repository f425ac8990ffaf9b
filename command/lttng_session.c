/* SPDX-License-Identifier: MIT */
#include "command/lttng_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "ros2bt/events/event_schema.h"

#define PREFIX "ros2-latency-"
#define CHANNEL "ros2"
#define INIT_CHANNEL "ros2_init"
#define KERNEL_CHANNEL "kernel"
#define SUB_BUFFERS 8
#define SUB_BUFFER_MIN (UINT64_C(16) << 10)
#define BYTES_PER_CPU_MAX (UINT64_C(64) << 20)
#define INIT_BYTES_PER_CPU_MAX (UINT64_C(1) << 20)
#define SHARE_OF_MEMORY 32
#define IMPOSSIBLE_COUNT (UINT64_C(1) << 62) /* LTTng 2.13 tells less than 0, now and then, while it records */
#define SHARE_OF_SHM 4			     /* LTTng-UST keeps its buffers there, and containers have little of it */

/* --- the command lttng --- */

/* Ctrl+C is for us: LTTng's command finishes what it does. */
static void leave_group(gpointer data)
{
	(void)setpgid(0, 0);
}

/* False with an error, which has what lttng printed. *output, which may be NULL, is to be freed. */
static bool run_lttng(const char *const *words, char **output, GError **error)
{
	g_autoptr(GPtrArray) command = g_ptr_array_new();
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	g_autofree char *printed = NULL, *errors = NULL;
	int status = -1;

	g_ptr_array_add(command, (gpointer) "lttng");
	for (size_t i = 0; words[i]; i++) {
		g_ptr_array_add(command, (gpointer)words[i]);
	}
	g_ptr_array_add(command, NULL);
	if (!g_spawn_sync(NULL, (char **)command->pdata, environment, G_SPAWN_SEARCH_PATH, leave_group, NULL, &printed,
			  &errors, &status, error)) {
		g_prefix_error(error, "lttng cannot be run (is lttng-tools installed?): ");
		return false;
	}
	if (status != 0) {
		g_autofree char *line = g_strjoinv(" ", (char **)command->pdata);

		g_strstrip(errors);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", line,
			    errors[0] != '\0' ? errors : g_strstrip(printed));
		return false;
	}
	if (output) {
		*output = g_steal_pointer(&printed);
	}
	return true;
}

/* LTTng 2.15 and later record CTF 2 unless told otherwise. */
static bool has_formats(void)
{
	g_autofree char *version = NULL;
	unsigned int major = 0, minor = 0;
	const char *number;

	if (!run_lttng((const char *const[]){ "--version", NULL }, &version, NULL)) {
		return false;
	}
	number = strpbrk(version, "0123456789");
	return number && sscanf(number, "%u.%u", &major, &minor) == 2 && (major > 2 || (major == 2 && minor >= 15));
}

/* --- names of sessions --- */

/* When a process started, in ticks since the machine did; 0: there is none. */
static uint64_t start_of(uint64_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%" PRIu64 "/stat", pid);
	g_autofree char *text = NULL;
	const char *rest;
	g_auto(GStrv) fields = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(rest = strrchr(text, ')'))) {
		return 0;
	}
	fields = g_strsplit(rest, " ", -1); /* ")", then field 3, … */
	return g_strv_length(fields) > 20 ? g_ascii_strtoull(fields[20], NULL, 10) : 0;
}

/* The number of our namespace of processes. */
static uint64_t own_namespace(void)
{
	g_autofree char *link = g_file_read_link("/proc/self/ns/pid", NULL);
	const char *number = link ? strchr(link, '[') : NULL;

	return number ? g_ascii_strtoull(number + 1, NULL, 10) : 0;
}

static char *own_name(void)
{
	uint64_t pid = (uint64_t)getpid();

	return g_strdup_printf(PREFIX "%" PRIu64 "-%" PRIu64 "-%" PRIu64, own_namespace(), pid, start_of(pid));
}

static bool is_left_behind(const char *name)
{
	uint64_t namespace, pid, start;

	return sscanf(name, PREFIX "%" SCNu64 "-%" SCNu64 "-%" SCNu64, &namespace, &pid, &start) == 3 &&
	       namespace == own_namespace() && start_of(pid) != start;
}

static void destroy_session(const char *name)
{
	(void)run_lttng((const char *const[]){ "destroy", "--no-wait", name, NULL }, NULL, NULL);
}

static void destroy_left_behind(void)
{
	g_autofree char *list = NULL;
	g_autoptr(GRegex) pattern = g_regex_new(PREFIX "[0-9]+-[0-9]+-[0-9]+", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!run_lttng((const char *const[]){ "list", NULL }, &list, NULL)) {
		return; /* there is no session daemon yet */
	}
	for (g_regex_match(pattern, list, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *name = g_match_info_fetch(match, 0);

		if (is_left_behind(name)) {
			fprintf(stderr, "ros2-latency record: removes the session %s of a recording that was killed\n",
				name);
			destroy_session(name);
		}
	}
}

/* --- what is recorded --- */

/* For each channel. */
static uint64_t affordable_bytes_per_cpu(const struct lttng_plan *plan)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / SHARE_OF_MEMORY;
	uint64_t cpus = (uint64_t)MAX(sysconf(_SC_NPROCESSORS_CONF), 1) + 1; /* one more for snapshots */
	struct statvfs shm;

	if (statvfs("/dev/shm", &shm) == 0) {
		memory = MIN(memory, (uint64_t)shm.f_bavail * shm.f_frsize / SHARE_OF_SHM);
	}
	return memory / cpus / (1U + plan->is_snapshot + plan->has_kernel);
}

/* Up to the first NULL, so that words may be left out at the end. */
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void add_call(GPtrArray *calls, const char *const *words)
{
	g_ptr_array_add(calls, g_strdupv((char **)words));
}

/* LTTng takes powers of two. */
static void add_channel(GPtrArray *calls, const struct lttng_plan *plan, const char *domain, const char *name,
			const char *session, uint64_t bytes_per_cpu)
{
	uint64_t size = SUB_BUFFER_MIN;
	g_autofree char *size_text = NULL, *count_text = g_strdup_printf("--num-subbuf=%d", SUB_BUFFERS);

	while (size * 2 * SUB_BUFFERS <= bytes_per_cpu) {
		size *= 2;
	}
	size_text = g_strdup_printf("--subbuf-size=%" PRIu64, size);
	add_call(calls, WORDS("enable-channel", domain, "--session", session,
			      plan->is_snapshot ? "--overwrite" : "--discard", size_text, count_text, name));
}

/* The names of all events that define objects, separated by commas. */
static char *init_events(const struct lttng_plan *plan)
{
	GString *names = g_string_new(NULL);

	for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
		const struct event_schema *schema = event_schema_of((enum event_kind)i);

		if (event_class_of((enum event_kind)i) != EVENT_CLASS_INIT) {
			continue;
		}
		if (schema->providers & EVENT_PROVIDER_ROS2) {
			g_string_append_printf(names, "%sros2:%s", names->len > 0 ? "," : "", schema->name);
		}
		if (plan->has_caret && (schema->providers & EVENT_PROVIDER_CARET)) {
			g_string_append_printf(names, "%sros2_caret:%s", names->len > 0 ? "," : "", schema->name);
		}
	}
	return g_string_free(names, FALSE);
}

static void add_contexts(GPtrArray *calls, const char *session, const char *channel)
{
	add_call(calls, WORDS("add-context", "--userspace", "--session", session, "--channel", channel, "--type=vpid",
			      "--type=vtid", "--type=procname"));
}

/*
 * In a snapshot, definitions have buffers of their own, too, so that later events do not overwrite them. That they may
 * be there twice does not matter. (--exclude with all of their names ends the session daemon of LTTng 2.13.)
 */
static void add_user_space(GPtrArray *calls, const struct lttng_plan *plan, const char *name, uint64_t bytes_per_cpu)
{
	add_channel(calls, plan, "--userspace", CHANNEL, name, MIN(bytes_per_cpu, BYTES_PER_CPU_MAX));
	if (plan->is_snapshot) {
		g_autofree char *definitions = init_events(plan);

		add_channel(calls, plan, "--userspace", INIT_CHANNEL, name, MIN(bytes_per_cpu, INIT_BYTES_PER_CPU_MAX));
		add_call(calls, WORDS("enable-event", "--userspace", "--session", name, "--channel", INIT_CHANNEL,
				      definitions));
		add_contexts(calls, name, INIT_CHANNEL);
	}
	add_call(calls, WORDS("enable-event", "--userspace", "--session", name, "--channel", CHANNEL,
			      plan->has_caret ? "ros2:*,ros2_caret:*" : "ros2:*"));
	add_contexts(calls, name, CHANNEL);
}

/* The words that come after `lttng` to make and start a session, a GStrv for each call. */
static GPtrArray *calls_for(const struct lttng_plan *plan, const char *name, bool has_formats, uint64_t bytes_per_cpu)
{
	GPtrArray *calls = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autofree char *output = g_strconcat("--output=", plan->directory, NULL);
	const char *format = has_formats ? "--trace-format=ctf-1.8" : NULL;
	const char *snapshot = plan->is_snapshot ? "--snapshot" : format;

	add_call(calls, WORDS("create", name, output, snapshot, snapshot == format ? NULL : format));
	add_user_space(calls, plan, name, bytes_per_cpu);
	if (plan->has_kernel) {
		add_channel(calls, plan, "--kernel", KERNEL_CHANNEL, name, MIN(bytes_per_cpu, BYTES_PER_CPU_MAX));
		add_call(calls, WORDS("enable-event", "--kernel", "--session", name, "--channel", KERNEL_CHANNEL,
				      "sched_switch,sched_waking,sched_process_fork,sched_process_exit"));
		add_call(calls, WORDS("add-context", "--kernel", "--session", name, "--channel", KERNEL_CHANNEL,
				      "--type=vpid", "--type=vtid", "--type=pid_ns"));
	}
	add_call(calls, WORDS("start", name));
	return calls;
}

/* --- a session --- */

char *lttng_session_start(const struct lttng_plan *plan, bool (*is_interrupted)(void), GError **error)
{
	g_autofree char *name = own_name();
	g_autoptr(GPtrArray) calls = calls_for(plan, name, has_formats(), affordable_bytes_per_cpu(plan));
	bool is_good = true;

	destroy_left_behind();
	for (guint i = 0; is_good && i < calls->len; i++) {
		is_good = !is_interrupted() && run_lttng(calls->pdata[i], NULL, error);
		if (!is_good && i > 0) {
			destroy_session(name);
		}
	}
	return is_good ? g_steal_pointer(&name) : NULL;
}

bool lttng_session_lost(const char *name, uint64_t *lost)
{
	static const char label[] = "Discarded events:";
	g_autofree char *list = NULL;

	if (!run_lttng((const char *const[]){ "list", name, NULL }, &list, NULL)) {
		return false;
	}
	*lost = 0;
	for (const char *at = strstr(list, label); at; at = strstr(at + 1, label)) {
		uint64_t count = g_ascii_strtoull(at + strlen(label), NULL, 10);

		*lost += count < IMPOSSIBLE_COUNT ? count : 0;
	}
	return true;
}

bool lttng_session_finish(const struct lttng_plan *plan, const char *name, GError **error)
{
	bool is_good = run_lttng((const char *const[]){ "stop", name, NULL }, NULL, error);

	if (is_good && plan->is_snapshot) {
		is_good =
			run_lttng((const char *const[]){ "snapshot", "record", "--session", name, NULL }, NULL, error);
	}
	/* waits until everything is written */
	if (is_good) {
		is_good = run_lttng((const char *const[]){ "destroy", name, NULL }, NULL, error);
	}
	if (!is_good) {
		destroy_session(name);
	}
	return is_good;
}
