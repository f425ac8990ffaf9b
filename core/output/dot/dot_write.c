/* SPDX-License-Identifier: MIT */
#include "core/output/dot/dot_write.h"

#include <math.h>

#include "core/base/text/human_text.h"
#include "ros2bt/output/output_stream.h"

#define ACROSS_MAX 10 /* nodes and topics one after the other that are drawn from left to right */

void dot_append_rate(GString *text, double per_second)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(text, "%s Hz", g_ascii_formatd(number, sizeof(number), "%.3g", per_second));
}

/* A quoted text. Our own line breaks divide it into lines; names have none left. */
void dot_write_text(struct output_stream *stream, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	output_stream_byte(stream, '"');
	for (size_t i = 0; lines[i]; i++) {
		g_autofree char *clean = human_text_clean(lines[i]);

		output_stream_text(stream, i > 0 ? "\\n" : "");
		for (const char *at = clean; *at; at++) {
			if (*at == '"' || *at == '\\') {
				output_stream_byte(stream, '\\');
			}
			output_stream_byte(stream, *at);
		}
	}
	output_stream_byte(stream, '"');
}

/* Line breaks in names would end a line of the label. */
char *dot_one_line(const char *name)
{
	return g_strdelimit(g_strdup(name), "\n", '?');
}

void dot_write_head(struct output_stream *stream, unsigned int depth)
{
	/* nslimit: without it, the layout of 200 nodes and topics takes many seconds and looks no better */
	output_stream_text(stream, depth > ACROSS_MAX ? "\tgraph [rankdir=TB, ranksep=0.4"
						      : "\tgraph [rankdir=LR, ranksep=0.8");
	output_stream_text(stream, ", nslimit=2, nslimit1=2, fontname=\"sans-serif\"];\n"
				   "\tnode [fontname=\"sans-serif\", fontsize=11];\n"
				   "\tedge [fontname=\"sans-serif\", fontsize=9];\n");
}

void dot_write_vertex(struct output_stream *stream, const struct dot_vertex *vertex)
{
	g_autofree char *name = dot_one_line(vertex->label);
	g_autofree char *id = dot_one_line(vertex->id);
	g_autoptr(GString) label = g_string_new(name);

	g_string_append(label, vertex->lines->str);
	if (vertex->line_count > DOT_LINES_MAX) {
		g_string_append_printf(label, "\n%u more", vertex->line_count - DOT_LINES_MAX);
	}
	output_stream_text(stream, "\t");
	dot_write_text(stream, id);
	output_stream_text(stream, " [label=");
	dot_write_text(stream, label->str);
	output_stream_text(stream, ", shape=");
	output_stream_text(stream, vertex->shape);
	output_stream_text(stream, "];\n");
}

static void begin_line(GString *label)
{
	g_string_append(label, label->len > 0 ? "\n" : "");
}

void dot_append_edge_label(GString *label, const struct dot_edge *edge, double rate)
{
	char mean[HUMAN_TEXT_SIZE], max[HUMAN_TEXT_SIZE];

	if (!isnan(rate)) {
		dot_append_rate(label, rate);
	}
	if (edge->samples > 0) {
		begin_line(label);
		g_string_append_printf(
			label, "%s, max %s",
			human_text_real_duration(mean, int128_to_double(edge->sum_ns) / (double)edge->samples),
			human_text_duration(max, edge->max_ns));
	}
	if (edge->lost > 0) {
		begin_line(label);
		g_string_append_printf(label, "%" G_GUINT64_FORMAT " lost", edge->lost);
	}
}

/* 1 up to 1 Hz, and one more for each tenfold. */
static int width_of(double rate)
{
	return rate > 1 ? 1 + (int)log10(rate) : 1;
}

void dot_write_edge(struct output_stream *stream, const char *from, const char *to, const char *label, double rate,
		    bool has_lost)
{
	g_autofree char *attributes = g_strdup_printf("weight=%d, penwidth=%d", width_of(rate), width_of(rate));

	output_stream_text(stream, "\t");
	dot_write_text(stream, from);
	output_stream_text(stream, " -> ");
	dot_write_text(stream, to);
	output_stream_text(stream, " [");
	if (label[0]) {
		output_stream_text(stream, "label=");
		dot_write_text(stream, label);
		output_stream_text(stream, ", ");
	}
	output_stream_text(stream, attributes);
	output_stream_text(stream, has_lost ? ", color=red, fontcolor=red];\n" : "];\n");
}
