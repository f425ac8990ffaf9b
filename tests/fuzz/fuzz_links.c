/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: the grammar of links, and the texts of durations and times. A parsed text that is written again from its
 * values must be parsed to the same values.
 */
#include "fuzz_input.h"
#include "ros2bt/base/duration_text.h"
#include "ros2bt/flow/link_rules.h"
#include "core/base/text/time_text.h"

static void check_name(const char *name)
{
	FUZZ_MUST(name[0] == '/' && name[1] != '\0', "%s", name);
	FUZZ_MUST(!strpbrk(name, " \t\r\n:"), "%s", name);
}

static void check_same(const struct link_rule *rule, const char *text)
{
	struct link_rule other;
	g_autoptr(GError) error = NULL;

	FUZZ_MUST(link_rule_parse(&other, text, &error), "%s", text);
	FUZZ_MUST(strcmp(rule->node, other.node) == 0, "%s", text);
	FUZZ_MUST(strcmp(rule->subscribed_topic, other.subscribed_topic) == 0, "%s", text);
	FUZZ_MUST(strcmp(rule->published_topic, other.published_topic) == 0, "%s", text);
	FUZZ_MUST(rule->kind == other.kind, "%s", text);
	link_rule_clear(&other);
}

static void check_link(const char *text)
{
	struct link_rule rule;
	g_autoptr(GError) error = NULL;
	g_autofree char *canonical = NULL;

	if (!link_rule_parse(&rule, text, &error)) {
		FUZZ_MUST(error && strstr(error->message, "is not a link"), "%s", text);
		FUZZ_MUST(!rule.node && !rule.text, "%s", text);
		return;
	}
	FUZZ_MUST(!error, "%s", text);
	FUZZ_MUST(strcmp(rule.text, text) == 0, "%s", text);
	check_name(rule.node);
	check_name(rule.subscribed_topic);
	check_name(rule.published_topic);
	canonical = g_strdup_printf(" %s\t:%s  ->%s :\n%s ", rule.node, rule.subscribed_topic, rule.published_topic,
				    rule.kind == LINK_PARTIAL_SYNC ? "partial_sync" : "periodic_async");
	check_same(&rule, canonical);
	link_rule_clear(&rule);
}

static void check_duration(const char *text)
{
	int64_t duration_ns = -1, again_ns = -1;
	g_autofree char *canonical = NULL;

	if (!duration_text_parse(text, &duration_ns)) {
		FUZZ_MUST(duration_ns == -1, "%s", text);
		return;
	}
	FUZZ_MUST(duration_ns >= 0, "%s", text);
	canonical = g_strdup_printf("%" G_GINT64_FORMAT "ns", duration_ns);
	FUZZ_MUST(duration_text_parse(canonical, &again_ns) && again_ns == duration_ns, "%s", text);
}

static void check_time(const char *text)
{
	struct moment moment = { MOMENT_FROM_EPOCH, -1 }, again;
	g_autofree char *canonical = NULL;

	if (!time_text_parse(text, &moment)) {
		FUZZ_MUST(moment.ns == -1, "%s", text);
		return;
	}
	FUZZ_MUST(time_text_parse(text, &again) && again.origin == moment.origin && again.ns == moment.ns, "%s", text);
	FUZZ_MUST((moment.origin == MOMENT_FROM_END) == (text[0] == '-'), "%s", text);
	if (moment.origin == MOMENT_FROM_EPOCH && moment.ns >= 0) {
		canonical = g_strdup_printf("%" G_GINT64_FORMAT ".%09d", moment.ns / 1000000000,
					    (int)(moment.ns % 1000000000));
		FUZZ_MUST(time_text_parse(canonical, &again) && again.ns == moment.ns, "%s", text);
	}
}

static void check_links(char **texts)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) rules = link_rules_parse((const char *const *)texts, &error);

	FUZZ_MUST(!rules == !!error, "either rules or an error");
	FUZZ_MUST(!rules || rules->len == g_strv_length(texts), "a rule a text");
}

/* One text a line. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	g_autofree char *all = g_strndup((const char *)bytes, size);
	g_auto(GStrv) lines = g_strsplit(all, "\n", -1);

	for (size_t i = 0; lines[i]; i++) {
		check_link(lines[i]);
		check_duration(lines[i]);
		check_time(lines[i]);
	}
	check_links(lines);
	return 0;
}
