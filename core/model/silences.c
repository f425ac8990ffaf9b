/* SPDX-License-Identifier: MIT */
#include "core/model/silences.h"

void silences_clear(struct silences *silences)
{
	if (silences->past) {
		g_array_free(silences->past, TRUE);
	}
}

/* They come in the order of their ends, but for a hair. */
void silences_add(struct silences *silences, struct silence silence)
{
	guint at;

	if (!silences->past) {
		silences->past = g_array_new(FALSE, FALSE, sizeof(struct silence));
	}
	if (silences->past->len == SILENCES_KEPT) {
		guint half = SILENCES_KEPT / 2;

		silences->has_forgotten = true;
		silences->forgotten_until_ns = g_array_index(silences->past, struct silence, half - 1).end_ns;
		g_array_remove_range(silences->past, 0, half);
	}
	at = silences->past->len;
	while (at > 0 && g_array_index(silences->past, struct silence, at - 1).end_ns > silence.end_ns) {
		at--;
	}
	g_array_insert_val(silences->past, at, silence);
}

bool silence_ask(const struct silence *silence, const struct silence_question *question)
{
	int64_t begin_ns = question->aspect == SILENCE_EVENTS ? silence->doubt_ns : silence->begin_ns;

	bool is_other = question->stream != SILENCE_OF_NO_STREAM && silence->stream != SILENCE_OF_NO_STREAM &&
			question->stream != silence->stream;

	if (is_other || begin_ns >= question->to_ns || silence->end_ns <= question->from_ns) {
		return true;
	}
	return question->visit(question->data, silence);
}

bool silences_ask(const struct silences *silences, const struct silence_question *question)
{
	guint i = silences->past ? silences->past->len : 0;

	while (i > 0) {
		const struct silence *silence = &g_array_index(silences->past, struct silence, --i);

		if (silence->end_ns <= question->from_ns) {
			return true;
		}
		if (!silence_ask(silence, question)) {
			return false;
		}
	}
	return !silences->has_forgotten ||
	       silence_ask(&(struct silence){ INT64_MIN, silences->forgotten_until_ns, INT64_MIN, question->stream },
			   question);
}

bool silence_collect(void *data, const struct silence *silence)
{
	g_array_append_val((GArray *)data, *silence);
	return true;
}

/* The latest comes first. */
static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const struct silence *left = a;
	const struct silence *right = b;

	return (left->begin_ns < right->begin_ns) - (left->begin_ns > right->begin_ns);
}

/* As silences_ask() visits those of one list, usually. */
static bool are_sorted(const GArray *silences)
{
	for (guint i = 1; i < silences->len; i++) {
		if (compare_begins(&g_array_index(silences, struct silence, i - 1),
				   &g_array_index(silences, struct silence, i)) > 0) {
			return false;
		}
	}
	return true;
}

int64_t silences_union_ns(GArray *silences, int64_t from_ns, int64_t to_ns)
{
	int64_t lost_ns = 0, at_ns = from_ns;

	if (!are_sorted(silences)) {
		g_array_sort(silences, compare_begins);
	}
	for (guint i = silences->len; i > 0; i--) {
		const struct silence *silence = &g_array_index(silences, struct silence, i - 1);
		int64_t begin_ns = MAX(silence->begin_ns, at_ns), end_ns = MIN(silence->end_ns, to_ns);

		if (end_ns > begin_ns) {
			lost_ns += end_ns - begin_ns;
			at_ns = end_ns;
		}
	}
	return lost_ns;
}
