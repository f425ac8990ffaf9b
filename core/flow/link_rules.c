/* SPDX-License-Identifier: MIT */
#include "ros2bt/flow/link_rules.h"

#include <string.h>

#define EXPECTED "expected \"NODE: SUBSCRIBED_TOPIC -> PUBLISHED_TOPIC: KIND\" with KIND periodic_async or partial_sync"

static const char *const kind_names[] = {
	[LINK_PERIODIC_ASYNC] = "periodic_async",
	[LINK_PARTIAL_SYNC] = "partial_sync",
	[LINK_USE_LATEST] = "use_latest_message",
};

#define KINDS_OF_GRAMMAR LINK_USE_LATEST /* the kinds before it */

void link_rule_clear(struct link_rule *rule)
{
	g_free(rule->node);
	g_free(rule->subscribed_topic);
	g_free(rule->published_topic);
	g_free(rule->text);
	*rule = (struct link_rule){ 0 };
}

/* The stripped text before the separator; moves *rest behind it. NULL if there is no separator. */
static char *next_part(const char **rest, const char *separator)
{
	const char *end = strstr(*rest, separator);
	char *part;

	if (!end) {
		return NULL;
	}
	part = g_strstrip(g_strndup(*rest, (gsize)(end - *rest)));
	*rest = end + strlen(separator);
	return part;
}

/* Takes ownership of name. */
static char *with_leading_slash(char *name)
{
	char *full;

	if (!name || name[0] == '/' || name[0] == '\0') {
		return name;
	}
	full = g_strconcat("/", name, NULL);
	g_free(name);
	return full;
}

static gboolean is_name(const char *name)
{
	return name && name[0] == '/' && name[1] != '\0' && !strpbrk(name, " \t\r\n:>");
}

static gboolean parse_kind(const char *text, enum link_kind *kind)
{
	g_autofree char *name = g_strstrip(g_strdup(text));

	for (gsize i = 0; i < KINDS_OF_GRAMMAR; i++) {
		if (strcmp(name, kind_names[i]) == 0) {
			*kind = (enum link_kind)i;
			return TRUE;
		}
	}
	return FALSE;
}

gboolean link_rule_parse(struct link_rule *rule, const char *text, GError **error)
{
	const char *rest = text;

	*rule = (struct link_rule){ .text = g_strdup(text) };
	rule->node = with_leading_slash(next_part(&rest, ":"));
	rule->subscribed_topic = with_leading_slash(next_part(&rest, "->"));
	rule->published_topic = with_leading_slash(next_part(&rest, ":"));
	if (!is_name(rule->node) || !is_name(rule->subscribed_topic) || !is_name(rule->published_topic) ||
	    !parse_kind(rest, &rule->kind)) {
		g_set_error(error, LINK_RULE_ERROR, 0, "\"%s\" is not a link: " EXPECTED, text);
		link_rule_clear(rule);
		return FALSE;
	}
	return TRUE;
}

static void clear_rule(gpointer data)
{
	link_rule_clear(data);
}

GArray *link_rules_parse(const char *const *texts, GError **error)
{
	g_autoptr(GArray) rules = g_array_new(FALSE, FALSE, sizeof(struct link_rule));

	g_array_set_clear_func(rules, clear_rule);
	for (gsize i = 0; texts[i]; i++) {
		struct link_rule rule;

		if (!link_rule_parse(&rule, texts[i], error)) {
			return NULL;
		}
		g_array_append_val(rules, rule);
	}
	return g_steal_pointer(&rules);
}
