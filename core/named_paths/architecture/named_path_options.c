/* SPDX-License-Identifier: MIT */
#include "core/named_paths/architecture/named_path_options.h"

#include "core/base/yaml/yaml_tree.h"
#include "core/named_paths/architecture/architecture_file.h"
#include "core/named_paths/architecture/path_pattern_file.h"

static bool read_tree(struct named_path_options *options, const struct yaml_tree *tree, const char *file,
		      GError **error)
{
	if (path_patterns_are(tree)) {
		return path_patterns_of(tree, options->patterns, error);
	}
	options->architecture = architecture_of_yaml(tree, file, error);
	for (guint i = 0; options->architecture && i < options->architecture->named_paths->len; i++) {
		g_ptr_array_add(options->patterns,
				path_pattern_of_architecture(g_ptr_array_index(options->architecture->named_paths, i)));
	}
	return options->architecture != NULL;
}

void named_path_options_init(struct named_path_options *options)
{
	*options = (struct named_path_options){ .patterns = g_ptr_array_new_with_free_func(
							(GDestroyNotify)path_pattern_destroy) };
}

bool named_path_options_read_file(struct named_path_options *options, const char *file, GError **error)
{
	struct yaml_tree *tree = yaml_tree_read(file, error);
	bool is_read = tree && read_tree(options, tree, file, error);

	yaml_tree_destroy(tree);
	return is_read;
}

bool named_path_options_read_texts(struct named_path_options *options, const char *const *texts, GError **error)
{
	for (; *texts; texts++) {
		struct path_pattern *pattern = path_pattern_parse(*texts, error);

		if (!pattern) {
			return false;
		}
		g_ptr_array_add(options->patterns, pattern);
	}
	return true;
}

void named_path_options_clear(struct named_path_options *options)
{
	g_clear_pointer(&options->patterns, g_ptr_array_unref);
	g_clear_pointer(&options->architecture, architecture_destroy);
}
