/* SPDX-License-Identifier: MIT */
/* read_architecture FILE: reads an architecture file and writes it again. 77: built without libyaml. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/named_paths/architecture/architecture_file.h"
#include "ros2bt/named_paths/architecture_write.h"

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) yaml = g_string_new(NULL);
	struct architecture *architecture = argc == 2 ? architecture_file_read(argv[1], &error) : NULL;

	if (!architecture) {
		fprintf(stderr, "%s\n", error ? error->message : "usage: read_architecture FILE");
		return error && strstr(error->message, "without libyaml") ? 77 : EXIT_FAILURE;
	}
	for (guint i = 0; i < architecture->remarks->len; i++) {
		fprintf(stderr, "%s\n", (const char *)g_ptr_array_index(architecture->remarks, i));
	}
	architecture_write(architecture, yaml);
	fwrite(yaml->str, 1, yaml->len, stdout);
	architecture_destroy(architecture);
	return EXIT_SUCCESS;
}
