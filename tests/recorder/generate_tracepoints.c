/* SPDX-License-Identifier: MIT */
/*
 * Writes the sources of a library of tracepoints from the table of events:
 *
 *	generate_tracepoints arguments              the struct of arguments of each event, all releases together
 *	generate_tracepoints provider LAYOUT NAME   the LTTng-UST provider NAME (ros2, ros2_caret)
 *	generate_tracepoints library LAYOUT         the functions and the table of struct tracepoints
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"

struct type_words {
	const char *argument; /* C type of the argument */
	const char *field;    /* format of the field; %1$s: name */
};

static const struct type_words words[] = {
	[FIELD_TYPE_ADDRESS] = { "const void *", "lttng_ust_field_integer_hex(const void *, %1$s, %1$s_arg)" },
	[FIELD_TYPE_U64] = { "uint64_t", "lttng_ust_field_integer(uint64_t, %1$s, %1$s_arg)" },
	[FIELD_TYPE_I64] = { "int64_t", "lttng_ust_field_integer(int64_t, %1$s, %1$s_arg)" },
	[FIELD_TYPE_I32] = { "int", "lttng_ust_field_integer(int, %1$s, %1$s_arg)" },
	[FIELD_TYPE_STRING] = { "const char *", "lttng_ust_field_string(%1$s, %1$s_arg)" },
	[FIELD_TYPE_GID] = { "const uint8_t *", "lttng_ust_field_array(uint8_t, %1$s, %1$s_arg, %2$u)" },
	[FIELD_TYPE_ADDRESSES] = { "const void *const *",
				   "lttng_ust_field_sequence_hex(const void *, %1$s, %1$s_arg, size_t, %1$s_count)" },
	[FIELD_TYPE_NAME] = { "const char *", "" }, /* of the kernel's events, which the recorder does not record */
};

static void print_arguments(void)
{
	puts("/* Generated from the table of events. */\n"
	     "#include <stddef.h>\n#include <stdint.h>\n");
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		printf("struct %s_arguments {\n", schema->name);
		if (schema->class == EVENT_CLASS_INIT) {
			puts("\tint64_t init_timestamp;");
		}
		for (size_t i = 0; i < schema->field_count; i++) {
			const struct event_field *field = &schema->fields[i];

			printf("\t%s %s;\n", words[field->type].argument, field->name);
			if (field->type == FIELD_TYPE_ADDRESSES) {
				printf("\tsize_t %s_count;\n", field->name);
			}
		}
		printf("};\nenum { KIND_OF_%s = %d };\n\n", schema->name, kind);
	}
}

/* Calls the printer for each field that the event has in the layout; true if it has any. */
static bool each_field(const struct layout *layout, enum event_provider provider, const struct event_schema *schema,
		       void (*print)(const struct event_field *field, bool is_first))
{
	static const struct event_field init_timestamp = { .name = "init_timestamp", .type = FIELD_TYPE_I64 };
	bool is_first = true;

	for (size_t i = 0; i < schema->field_count; i++) {
		if (layout_has_field(layout, provider, schema, &schema->fields[i])) {
			print(&schema->fields[i], is_first);
			is_first = false;
		}
	}
	if (layout_has_init_timestamp(layout, provider, schema)) {
		print(&init_timestamp, is_first);
	}
	return !is_first;
}

static void print_parameter(const struct event_field *field, bool is_first)
{
	printf("%s%s, %s_arg", is_first ? "" : ", ", words[field->type].argument, field->name);
	if (field->type == FIELD_TYPE_ADDRESSES) {
		printf(", size_t, %s_count", field->name);
	}
}

static unsigned int gid_size;

static void print_field(const struct event_field *field, bool is_first)
{
	fputs("\n\t\t", stdout);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	printf(words[field->type].field, field->name, gid_size);
#pragma GCC diagnostic pop
}

static void print_provider(const struct layout *layout, enum event_provider provider)
{
	const char *name = event_provider_name(provider);

	gid_size = layout_gid_size(layout);
	printf("/* Generated from the table of events. */\n"
	       "#undef LTTNG_UST_TRACEPOINT_PROVIDER\n#define LTTNG_UST_TRACEPOINT_PROVIDER %1$s\n"
	       "#undef LTTNG_UST_TRACEPOINT_INCLUDE\n#define LTTNG_UST_TRACEPOINT_INCLUDE \"%1$s_tracepoints.h\"\n"
	       "#if !defined(%1$s_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)\n"
	       "#define %1$s_TRACEPOINTS_H\n"
	       "#include <lttng/tracepoint.h>\n",
	       name);
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		if (!layout_has_event(layout, provider, schema)) {
			continue;
		}
		printf("LTTNG_UST_TRACEPOINT_EVENT(%s, %s,\n\tLTTNG_UST_TP_ARGS(", name, schema->name);
		each_field(layout, provider, schema, print_parameter);
		printf("),\n\tLTTNG_UST_TP_FIELDS(");
		each_field(layout, provider, schema, print_field);
		puts("))");
	}
	puts("#endif\n#include <lttng/tracepoint-event.h>");
}

static void print_argument(const struct event_field *field, bool is_first)
{
	printf(", arguments->%s", field->name);
	if (field->type == FIELD_TYPE_ADDRESSES) {
		printf(", arguments->%s_count", field->name);
	}
}

static void print_functions(const struct layout *layout, enum event_provider provider)
{
	const char *name = event_provider_name(provider);

	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		if (layout_has_event(layout, provider, schema)) {
			printf("static void %s_%s(const void *words)\n{\n"
			       "\tconst struct %s_arguments *arguments = words;\n\n"
			       "\t(void)arguments;\n"
			       "\tlttng_ust_tracepoint(%s, %s",
			       name, schema->name, schema->name, name, schema->name);
			each_field(layout, provider, schema, print_argument);
			puts(");\n}\n");
		}
	}
}

static void print_function_table(const struct layout *layout, enum event_provider provider, const char *member)
{
	printf("\t.%s = {\n", member);
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const struct event_schema *schema = event_schema_of(kind);

		if (layout_has_event(layout, provider, schema)) {
			printf("\t\t[%d] = %s_%s,\n", kind, event_provider_name(provider), schema->name);
		}
	}
	puts("\t},");
}

/* The value of a field in the catalogue: made from the numbers of its event and of itself in the table. */
static void print_catalogue_value(const struct event_schema *schema, size_t index)
{
	const struct event_field *field = &schema->fields[index];
	unsigned int number = (unsigned int)schema->kind * 100 + (unsigned int)index;

	printf("\t\t.%s = ", field->name);
	switch (field->type) {
	case FIELD_TYPE_ADDRESS:
		printf("(const void *)0x7f00%08x", number);
		break;
	case FIELD_TYPE_U64:
		printf("UINT64_MAX - %u", number);
		break;
	case FIELD_TYPE_I64:
	case FIELD_TYPE_I32:
		printf("-%u", number + 1);
		break;
	case FIELD_TYPE_STRING:
	case FIELD_TYPE_NAME:
		printf("\"%s.%s, \\\"%u\\\"\"", schema->name, field->name, number);
		break;
	case FIELD_TYPE_GID:
		printf("(const uint8_t[24]){ %u, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255 }", number % 256);
		break;
	case FIELD_TYPE_ADDRESSES:
		printf("(const void *[]){ (const void *)0x7f00%08x, (const void *)1 },\n\t\t.%s_count = 2", number,
		       field->name);
		break;
	}
	puts(",");
}

static void print_catalogue(const struct layout *layout)
{
	static const enum event_provider providers[] = { EVENT_PROVIDER_ROS2, EVENT_PROVIDER_CARET };

	puts("static void catalogue(void)\n{");
	for (size_t p = 0; p < 2; p++) {
		for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
			const struct event_schema *schema = event_schema_of(kind);

			if (!layout_has_event(layout, providers[p], schema)) {
				continue;
			}
			printf("\t%s_%s(&(struct %s_arguments){\n", event_provider_name(providers[p]), schema->name,
			       schema->name);
			for (size_t i = 0; i < schema->field_count; i++) {
				print_catalogue_value(schema, i);
			}
			if (schema->class == EVENT_CLASS_INIT) {
				printf("\t\t.init_timestamp = %d,\n", kind + 1);
			}
			puts("\t});");
		}
	}
	puts("}\n");
}

static void print_library(const struct layout *layout)
{
	puts("/* Generated from the table of events. */\n"
	     "#define LTTNG_UST_TRACEPOINT_CREATE_PROBES\n"
	     "#define LTTNG_UST_TRACEPOINT_DEFINE\n"
	     "#include \"ros2_tracepoints.h\"\n"
	     "#include \"ros2_caret_tracepoints.h\"\n"
	     "#include \"tracepoints.h\"\n"
	     "#include \"tracepoint_arguments.h\"\n");
	print_functions(layout, EVENT_PROVIDER_ROS2);
	print_functions(layout, EVENT_PROVIDER_CARET);
	print_catalogue(layout);
	printf("__attribute__((visibility(\"default\"))) const struct tracepoints tracepoints = {\n"
	       "\t.release = %d,\n\t.is_fork = %d,\n\t.has_caret_definitions = %d,\n",
	       layout->release, layout->is_fork, layout->has_caret_definitions);
	print_function_table(layout, EVENT_PROVIDER_ROS2, "ros2");
	print_function_table(layout, EVENT_PROVIDER_CARET, "caret");
	puts("\t.catalogue = catalogue,\n};");
}

static const struct layout *layout_of_argument(const char *name)
{
	const struct layout *layout = layout_find(name);

	if (!layout) {
		fprintf(stderr, "generate_tracepoints: no layout %s\n", name);
		exit(1);
	}
	return layout;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "arguments") == 0) {
		print_arguments();
	} else if (argc == 4 && strcmp(argv[1], "provider") == 0) {
		print_provider(layout_of_argument(argv[2]),
			       strcmp(argv[3], "ros2") == 0 ? EVENT_PROVIDER_ROS2 : EVENT_PROVIDER_CARET);
	} else if (argc == 3 && strcmp(argv[1], "library") == 0) {
		print_library(layout_of_argument(argv[2]));
	} else {
		fputs("usage: generate_tracepoints arguments | provider LAYOUT NAME | library LAYOUT\n", stderr);
		return 1;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
