/* SPDX-License-Identifier: MIT */
#include "ros2bt/events/event_schema.h"

#include <glib.h>
#include <string.h>

enum {
	PROVIDERS_ROS2 = EVENT_PROVIDER_ROS2,
	PROVIDERS_CARET = EVENT_PROVIDER_CARET,
	PROVIDERS_R2R = EVENT_PROVIDER_R2R,
	PROVIDERS_LIBC = EVENT_PROVIDER_LIBC,
	PROVIDERS_KERNEL = EVENT_PROVIDER_KERNEL,
	PROVIDERS_BOTH = EVENT_PROVIDER_BOTH,
	PROVIDERS_AGNOCAST = EVENT_PROVIDER_AGNOCAST,
	PROVIDERS_AGNOCAST_OR_CARET = EVENT_PROVIDER_AGNOCAST | EVENT_PROVIDER_CARET,
};

/* The fields of an event are the rows of its kind, which are adjacent. */
struct field_row {
	enum event_kind kind;
	struct event_field field;
};

static const struct field_row field_rows[] = {
#define EVENT(...)
#define FIELD(kind_, name_, slot_, type_, first_, last_)                                                               \
	{ EVENT_##kind_, { #name_, FIELD_TYPE_##type_, slot_, RELEASE_##first_, RELEASE_##last_ } },
#include "core/events/event_table.h"
};

static struct event_field fields[G_N_ELEMENTS(field_rows)];

static struct event_schema schemas[] = {
#define EVENT(kind_, name_, providers_, class_, first_, last_, text_)                                                  \
	{                                                                                                              \
		.name = #name_,                                                                                        \
		.text = text_,                                                                                         \
		.kind = EVENT_##kind_,                                                                                 \
		.class = EVENT_CLASS_##class_,                                                                         \
		.providers = (enum event_provider)PROVIDERS_##providers_,                                              \
		.first = RELEASE_##first_,                                                                             \
		.last = RELEASE_##last_,                                                                               \
	},
#define FIELD(...)
#include "core/events/event_table.h"
};

static void link_fields(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(field_rows); i++) {
		struct event_schema *schema = &schemas[field_rows[i].kind];

		fields[i] = field_rows[i].field;
		if (schema->field_count == 0) {
			schema->fields = &fields[i];
		}
		schema->field_count++;
	}
}

static const struct event_schema *schema_rows(void)
{
	static gsize linked;

	if (g_once_init_enter(&linked)) {
		link_fields();
		g_once_init_leave(&linked, 1);
	}
	return schemas;
}

const struct event_schema *event_schema_of(enum event_kind kind)
{
	return kind < EVENT_KIND_COUNT ? &schema_rows()[kind] : NULL;
}

const uint8_t event_classes[] = {
#define EVENT(kind_, name_, providers_, class_, first_, last_, text_) [EVENT_##kind_] = EVENT_CLASS_##class_,
#define FIELD(...)
#include "core/events/event_table.h"
};

struct other_name {
	enum event_kind kind;
	const char *name;
};

static const struct other_name other_names[] = {
#define EVENT(...)
#define FIELD(...)
#define ALSO(kind_, name_) { EVENT_##kind_, #name_ },
#include "core/events/event_table.h"
};

struct provider_row {
	enum event_provider provider;
	const char *prefix; /* of the full names of its events, before the name in the table; "" for names without a
			       colon */
	const char *name;
	bool is_complete; /* the table has all its events */
};

static const struct provider_row providers[] = {
	{ EVENT_PROVIDER_ROS2, "ros2:", "ros2", .is_complete = true },
	{ EVENT_PROVIDER_CARET, "ros2_caret:", "ros2_caret", .is_complete = true },
	{ EVENT_PROVIDER_R2R, "r2r:", "r2r", .is_complete = false },
	{ EVENT_PROVIDER_AGNOCAST, "agnocast:", "agnocast", .is_complete = true },
	{ EVENT_PROVIDER_LIBC, "lttng_ust_libc:", "lttng_ust_libc", .is_complete = false },
	{ EVENT_PROVIDER_LIBC, "ust_libc:", "lttng_ust_libc", .is_complete = false }, /* LTTng-UST before 2.6 */
	{ EVENT_PROVIDER_KERNEL, "", "kernel", .is_complete = false },
};

static const struct provider_row *provider_of(const char *full_name)
{
	bool has_colon = strchr(full_name, ':');

	for (size_t i = 0; i < G_N_ELEMENTS(providers); i++) {
		const char *prefix = providers[i].prefix;

		if (prefix[0] != '\0' ? g_str_has_prefix(full_name, prefix) : !has_colon) {
			return &providers[i];
		}
	}
	return NULL;
}

static const struct provider_row *provider_row(enum event_provider provider)
{
	for (size_t i = 0; i < G_N_ELEMENTS(providers); i++) {
		if (providers[i].provider == provider) {
			return &providers[i];
		}
	}
	return NULL;
}

bool event_kind_is_of_ros(enum event_kind kind)
{
	return (event_schema_of(kind)->providers & (EVENT_PROVIDER_BOTH | EVENT_PROVIDER_AGNOCAST)) != 0;
}

bool event_provider_is_complete(enum event_provider provider)
{
	const struct provider_row *row = provider_row(provider);

	return row && row->is_complete;
}

const char *event_provider_name(enum event_provider provider)
{
	const struct provider_row *row = provider_row(provider);

	return row ? row->name : "";
}

char *event_schema_full_name(const struct event_schema *schema, enum event_provider provider)
{
	return g_strconcat(provider_row(provider)->prefix, schema->name, NULL);
}

/* The rest of a name after `start`, the name of a row; NULL if the row's name does not match. */
static const char *rest_of(const char *name, const char *start)
{
	char last = '\0';

	for (; *start != '\0'; start++, name++) {
		if (*start != *name) {
			return NULL;
		}
		last = *start;
	}
	return (*name != '\0') == (last == '_') ? name : NULL;
}

const struct event_schema *event_schema_find(const char *full_name, enum event_provider *provider)
{
	const struct provider_row *row = provider_of(full_name);
	const struct event_schema *rows = schema_rows();
	const char *name = row ? full_name + strlen(row->prefix) : NULL;

	*provider = row ? row->provider : EVENT_PROVIDER_NONE;
	for (size_t i = 0; row && i < EVENT_KIND_COUNT; i++) {
		if ((rows[i].providers & row->provider) && rest_of(name, rows[i].name)) {
			return &rows[i];
		}
	}
	for (size_t i = 0; row && i < G_N_ELEMENTS(other_names); i++) {
		const struct event_schema *schema = &rows[other_names[i].kind];

		if ((schema->providers & row->provider) && rest_of(name, other_names[i].name)) {
			return schema;
		}
	}
	return NULL;
}

const char *event_schema_name_rest(const struct event_schema *schema, const char *full_name)
{
	const struct provider_row *row = provider_of(full_name);
	const char *name = row ? full_name + strlen(row->prefix) : "";
	const char *rest = rest_of(name, schema->name);

	for (size_t i = 0; i < G_N_ELEMENTS(other_names) && !rest; i++) {
		rest = other_names[i].kind == schema->kind ? rest_of(name, other_names[i].name) : NULL;
	}
	return rest ? rest : "";
}

const char *release_name(enum release release)
{
	static const char *const names[RELEASE_COUNT] = {
		[RELEASE_DASHING] = "Dashing",
		[RELEASE_ELOQUENT] = "Eloquent",
		[RELEASE_FOXY] = "Foxy",
		[RELEASE_GALACTIC] = "Galactic",
		[RELEASE_HUMBLE] = "Humble",
		[RELEASE_IRON] = "Iron",
		[RELEASE_EARLY_JAZZY] = "Jazzy (8.0)",
		[RELEASE_JAZZY] = "Jazzy",
		[RELEASE_ROLLING] = "Rolling (8.4)",
		[RELEASE_KILTED] = "Kilted",
		[RELEASE_FORK] = "CARET's rclcpp",
		[RELEASE_LTTNG_2_0] = "LTTng 2.0",
		[RELEASE_LTTNG_2_2] = "LTTng 2.2",
		[RELEASE_LTTNG_2_6] = "LTTng 2.6",
		[RELEASE_LTTNG_2_7] = "LTTng 2.7",
		[RELEASE_LTTNG_2_12] = "LTTng 2.12",
	};

	return names[release];
}

const char *release_of_tracetools(const char *version)
{
	static const struct {
		const char *beginning;
		enum release release;
	} rows[] = {
		{ "1.0.", RELEASE_FOXY }, { "2.3.", RELEASE_GALACTIC }, { "4.1.", RELEASE_HUMBLE },
		{ "6.3.", RELEASE_IRON }, { "8.2.", RELEASE_JAZZY },	{ "8.6.", RELEASE_KILTED },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (g_str_has_prefix(version, rows[i].beginning)) {
			return release_name(rows[i].release);
		}
	}
	return NULL;
}

const char *event_class_name(enum event_class class)
{
	static const char *const names[] = {
		[EVENT_CLASS_INIT] = "init", [EVENT_CLASS_MARK] = "mark",     [EVENT_CLASS_RUNTIME] = "runtime",
		[EVENT_CLASS_POLL] = "poll", [EVENT_CLASS_SYSTEM] = "system",
	};

	return names[class];
}

const char *field_type_name(enum field_type type)
{
	static const char *const names[] = {
		[FIELD_TYPE_ADDRESS] = "address",
		[FIELD_TYPE_U64] = "unsigned 64-bit",
		[FIELD_TYPE_I64] = "signed 64-bit",
		[FIELD_TYPE_I32] = "signed 32-bit",
		[FIELD_TYPE_STRING] = "string",
		[FIELD_TYPE_GID] = "array of bytes",
		[FIELD_TYPE_ADDRESSES] = "sequence of addresses",
		[FIELD_TYPE_NAME] = "string, the rest of the event's name",
	};

	return names[type];
}

bool event_schema_in_release(const struct event_schema *schema, enum release release)
{
	return schema->first <= release && release <= schema->last;
}

bool event_field_in_release(const struct event_field *field, enum release release)
{
	return field->first <= release && release <= field->last;
}

static bool matches_release(const struct event_schema *schema, enum event_provider provider, const bool *has,
			    enum release release)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];
		bool is_asked = field->slot != SKIP && event_field_in_release(field, release);

		if (provider == EVENT_PROVIDER_CARET && schema->kind == EVENT_RCL_INIT &&
		    field->slot == RCL_INIT__version) {
			is_asked = false;
		}
		if (is_asked && !has[i]) {
			return false;
		}
	}
	return true;
}

bool event_schema_match(const struct event_schema *schema, enum event_provider provider, const bool *has)
{
	for (enum release release = RELEASE_DASHING; release < RELEASE_COUNT; release++) {
		if (event_schema_in_release(schema, release) && matches_release(schema, provider, has, release)) {
			return true;
		}
	}
	return false;
}

char *event_schema_explain_mismatch(const struct event_schema *schema, const bool *has, const bool *is_named)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct event_field *field = &schema->fields[i];

		if (field->slot == SKIP || has[i] || field->last < schema->last) {
			continue;
		}
		return is_named[i] ? g_strdup_printf("field %s is not of type %s", field->name,
						     field_type_name(field->type))
				   : g_strdup_printf("field %s is missing", field->name);
	}
	return g_strdup("fields of no known release");
}
