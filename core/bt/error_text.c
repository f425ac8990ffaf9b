/* SPDX-License-Identifier: MIT */
#include "ros2bt/bt/error_text.h"

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <string.h>

/* Behind the sentence: ": KEY=VALUE, KEY=VALUE". */
#define DETAILS_PATTERN ": [a-z0-9-]+=.*$"
/* Those of them that name a place for a person. */
#define PLACE_PATTERN "\\b(?:path|stream|file-path|stream-file-path)=\"([^\"]+)\""

static char *without_details(const char *message)
{
	g_autoptr(GRegex) details = g_regex_new(DETAILS_PATTERN, G_REGEX_DOTALL, 0, NULL);
	g_autoptr(GRegex) place = g_regex_new(PLACE_PATTERN, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *sentence = g_regex_replace_literal(details, message, -1, 0, "", 0, NULL);
	g_autofree char *path = NULL;

	if (!sentence) {
		return NULL;
	}
	/* A comma or a full stop at the end would end up in the middle of the caller's sentence. */
	g_strchomp(sentence);
	if (g_str_has_suffix(sentence, ".")) {
		sentence[strlen(sentence) - 1] = '\0';
	}
	path = g_regex_match(place, message, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
	return path && !strstr(sentence, path) ? g_strdup_printf("%s: %s", path, sentence) : g_steal_pointer(&sentence);
}

/* The name of the component that a cause comes from; NULL: the library or a program. */
static const char *component_of(const bt_error_cause *cause)
{
	switch (bt_error_cause_get_actor_type(cause)) {
	case BT_ERROR_CAUSE_ACTOR_TYPE_COMPONENT:
		return bt_error_cause_component_actor_get_component_name(cause);
	case BT_ERROR_CAUSE_ACTOR_TYPE_COMPONENT_CLASS:
		return bt_error_cause_component_class_actor_get_component_class_name(cause);
	case BT_ERROR_CAUSE_ACTOR_TYPE_MESSAGE_ITERATOR:
		return bt_error_cause_message_iterator_actor_get_component_name(cause);
	default:
		return NULL;
	}
}

/* The output port of the message iterator that failed first, NULL if it was none. */
static const char *port_of(const bt_error *error)
{
	for (uint64_t i = 0; i < bt_error_get_cause_count(error); i++) {
		const bt_error_cause *cause = bt_error_borrow_cause_by_index(error, i);

		if (bt_error_cause_get_actor_type(cause) == BT_ERROR_CAUSE_ACTOR_TYPE_MESSAGE_ITERATOR) {
			return bt_error_cause_message_iterator_actor_get_component_output_port_name(cause);
		}
	}
	return NULL;
}

static char *text_of(const bt_error *error)
{
	const char *port = port_of(error);

	for (uint64_t i = 0; i < bt_error_get_cause_count(error); i++) {
		const bt_error_cause *cause = bt_error_borrow_cause_by_index(error, i);
		g_autofree char *sentence = NULL;

		if (!component_of(cause)) {
			continue;
		}
		sentence = without_details(bt_error_cause_get_message(cause));
		return port ? g_strdup_printf("%s, port \"%s\": %s", component_of(cause), port, sentence)
			    : g_steal_pointer(&sentence);
	}
	return NULL;
}

char *error_text(void)
{
	const bt_error *error = bt_current_thread_take_error();
	char *text;

	if (!error) {
		return NULL;
	}
	text = text_of(error);
	bt_current_thread_move_error(error);
	return text;
}
