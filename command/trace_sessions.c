/* SPDX-License-Identifier: MIT */
#include "command/trace_sessions.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* Empty variables count as unset, as in ROS. */
static const char *variable(const char *name)
{
	const char *value = g_getenv(name);

	return value && value[0] != '\0' ? value : NULL;
}

/* To be freed. */
static char *sessions_directory(void)
{
	const char *directory = variable("ROS_TRACE_DIR");
	const char *ros_home = variable("ROS_HOME");

	if (directory) {
		return g_strdup(directory);
	}
	return ros_home ? g_build_filename(ros_home, "tracing", NULL)
			: g_build_filename(g_get_home_dir(), ".ros", "tracing", NULL);
}

static bool may_be_name(const char *argument)
{
	return !strchr(argument, G_DIR_SEPARATOR) && argument[0] != '\0' && argument[0] != '.' &&
	       !g_file_test(argument, G_FILE_TEST_EXISTS);
}

const char *trace_session_path(const char *argument)
{
	g_autofree char *directory = NULL;
	g_autofree char *path = NULL;

	if (!may_be_name(argument)) {
		return argument;
	}
	directory = sessions_directory();
	path = g_build_filename(directory, argument, NULL);
	return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_intern_string(path) : argument;
}

char *trace_session_problem(const char *argument)
{
	g_autofree char *directory = NULL;

	if (!may_be_name(argument)) {
		return NULL;
	}
	directory = sessions_directory();
	return g_strdup_printf("cannot open %s: No such file or directory, nor a session of `ros2 trace` in %s",
			       argument, directory);
}
