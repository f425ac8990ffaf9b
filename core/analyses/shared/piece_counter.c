/* SPDX-License-Identifier: MIT */
#include "core/analyses/shared/piece_counter.h"

#include <string.h>

#include "ros2bt/base/time_units.h"

/* At first; doubled at most 28 times: then all times of 64 bits are PIECE_COUNTER_MAX pieces. */
#define WIDTH_NS (NS_PER_S / 10)

struct piece {
	int64_t value;
	int64_t at_ns; /* of the value; of a number: of the latest */
};

void piece_counter_clear(struct piece_counter *counter)
{
	g_clear_pointer(&counter->pieces, g_array_unref);
}

static struct piece *piece_at(const struct piece_counter *counter, guint index)
{
	return &g_array_index(counter->pieces, struct piece, index);
}

static int64_t number_of(const struct piece_counter *counter, int64_t time_ns)
{
	int64_t width_ns = WIDTH_NS << counter->doublings;

	return time_ns / width_ns - (time_ns % width_ns < 0);
}

/* Each two pieces become one: the value of both together, at the later time. */
static void double_width(struct piece_counter *counter, bool is_number)
{
	guint count = counter->pieces->len, odd = counter->first & 1;

	for (guint i = 0; i < count; i++) {
		const struct piece from = *piece_at(counter, i);
		struct piece *to = piece_at(counter, (i + odd) / 2);

		if (i == 0 || (i + odd) % 2 == 0) {
			*to = from;
		} else if (is_number) {
			to->value += from.value;
			to->at_ns = MAX(to->at_ns, from.at_ns);
		} else if (from.at_ns != INT64_MIN) {
			*to = from;
		}
	}
	g_array_set_size(counter->pieces, (count + odd + 1) / 2);
	counter->first = (counter->first - odd) / 2;
	counter->doublings++;
}

/* Makes room for `more` pieces before the first one, or after the last one. */
static void extend(struct piece_counter *counter, guint before, guint after)
{
	static const struct piece none = { 0, INT64_MIN };
	guint count = counter->pieces->len;

	g_array_set_size(counter->pieces, count + before + after);
	if (before > 0) {
		memmove(piece_at(counter, before), piece_at(counter, 0), count * sizeof(struct piece));
	}
	for (guint i = 0; i < before; i++) {
		*piece_at(counter, i) = none;
	}
	for (guint i = 0; i < after; i++) {
		*piece_at(counter, before + count + i) = none;
	}
	counter->first -= before;
}

/* The piece of a time. */
static struct piece *piece_of(struct piece_counter *counter, int64_t time_ns, bool is_number)
{
	if (!counter->pieces) {
		counter->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
		counter->first = number_of(counter, time_ns);
		extend(counter, 0, 1);
	}
	for (;;) {
		int64_t number = number_of(counter, time_ns), end = counter->first + counter->pieces->len;

		if (number >= counter->first && number < end) {
			return piece_at(counter, (guint)(number - counter->first));
		}
		if (MAX(number + 1, end) - MIN(number, counter->first) <= PIECE_COUNTER_MAX) {
			extend(counter, (guint)MAX(counter->first - number, 0), (guint)MAX(number + 1 - end, 0));
		} else {
			double_width(counter, is_number);
		}
	}
}

void piece_counter_add(struct piece_counter *counter, int64_t time_ns)
{
	bool is_first = !counter->pieces;
	struct piece *piece = piece_of(counter, time_ns, true);

	counter->begin_ns = is_first ? time_ns : MIN(counter->begin_ns, time_ns);
	piece->value++;
	piece->at_ns = MAX(piece->at_ns, time_ns);
}

void piece_counter_set(struct piece_counter *counter, int64_t time_ns, int64_t value)
{
	struct piece *piece = piece_of(counter, time_ns, false);

	if (time_ns >= piece->at_ns) {
		*piece = (struct piece){ value, time_ns };
	}
}

static int64_t rate_of(const struct piece_counter *counter, int64_t number)
{
	double seconds = (double)(WIDTH_NS << counter->doublings) / (double)NS_PER_S;

	return (int64_t)((double)number / seconds + 0.5);
}

void piece_counter_write_rate(const struct piece_counter *counter, struct table_writer *events, uint64_t track)
{
	int64_t width_ns = WIDTH_NS << counter->doublings, last = 0;

	for (guint i = 0; counter->pieces && i <= counter->pieces->len; i++) {
		int64_t rate = i < counter->pieces->len ? rate_of(counter, piece_at(counter, i)->value) : 0;
		int64_t at_ns;

		if (rate != last && !__builtin_mul_overflow(counter->first + i, width_ns, &at_ns)) {
			timeline_write_counter(events, track, MAX(at_ns, counter->begin_ns), rate);
			last = rate;
		}
	}
}

void piece_counter_write_values(const struct piece_counter *counter, struct table_writer *events, uint64_t track)
{
	for (guint i = 0; counter->pieces && i < counter->pieces->len; i++) {
		const struct piece *piece = piece_at(counter, i);

		if (piece->at_ns != INT64_MIN) {
			timeline_write_counter(events, track, piece->at_ns, piece->value);
		}
	}
}
