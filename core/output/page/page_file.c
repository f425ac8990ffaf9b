/* SPDX-License-Identifier: MIT */
#include "core/output/page/page_file.h"

#include <string.h>

#include "core/output/gzip_stream.h"
#include "core/output/page/page_assets.h"
#include "ros2bt/output/output_stream.h"

#define ASSET_ADDRESS(name) page_asset_##name,

static const char *const report_styles[] = { PAGE_STYLES(ASSET_ADDRESS) NULL };
static const char *const report_licences[] = { PAGE_LICENCES(ASSET_ADDRESS) NULL };
static const char *const report_scripts[] = { PAGE_SCRIPTS(ASSET_ADDRESS) NULL };
static const char *const verdict_styles[] = { PAGE_VERDICT_STYLES(ASSET_ADDRESS) NULL };
static const char *const budget_scripts[] = { PAGE_BUDGET_SCRIPTS(ASSET_ADDRESS) NULL };
static const char *const comparison_scripts[] = { PAGE_COMPARISON_SCRIPTS(ASSET_ADDRESS) NULL };
static const char *const no_licences[] = { NULL };

static const struct page_contents {
	const char *title, *command;
	const char *const *styles, *const *licences, *const *scripts;
} contents[] = {
	[PAGE_OF_REPORT] = { "ROS 2 latency", "ros2-latency", report_styles, report_licences, report_scripts },
	[PAGE_OF_BUDGETS] = { "ROS 2 budgets", "ros2-latency check", verdict_styles, no_licences, budget_scripts },
	[PAGE_OF_COMPARISON] = { "ROS 2 before and after", "ros2-latency compare", verdict_styles, no_licences,
				 comparison_scripts },
};

struct page_file {
	struct output_stream *stream;
	const struct page_contents *contents;
	void (*write)(struct json_writer *json, const void *data);
	const void *data;
};

static void write_assets(struct output_stream *stream, const char *const *assets)
{
	for (size_t i = 0; assets[i]; i++) {
		output_stream_text(stream, assets[i]);
	}
}

static void write_title(const struct page_file *page)
{
	output_stream_text(page->stream, page->contents->title);
}

static void write_command(const struct page_file *page)
{
	output_stream_text(page->stream, page->contents->command);
}

static void write_styles(const struct page_file *page)
{
	write_assets(page->stream, page->contents->styles);
}

static void write_scripts(const struct page_file *page)
{
	write_assets(page->stream, page->contents->scripts);
}

/* As the licences require. */
static void write_licences(const struct page_file *page)
{
	write_assets(page->stream, page->contents->licences);
}

/* The hash by which a policy names the contents of an element. */
static void write_hash(struct output_stream *stream, const char *const *assets)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize size = sizeof(digest);
	g_autofree char *text = NULL;

	for (size_t i = 0; assets[i]; i++) {
		g_checksum_update(checksum, (const guchar *)assets[i], -1);
	}
	g_checksum_get_digest(checksum, digest, &size);
	text = g_base64_encode(digest, size);
	output_stream_text(stream, "'sha256-");
	output_stream_text(stream, text);
	output_stream_text(stream, "'");
}

static void write_policy(const struct page_file *page)
{
	output_stream_text(page->stream, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
					 "img-src data:; script-src ");
	write_hash(page->stream, page->contents->scripts);
	output_stream_text(page->stream, "; style-src ");
	write_hash(page->stream, page->contents->styles);
	output_stream_text(page->stream, "\">");
}

static void write_data(const struct page_file *page)
{
	struct gzip_stream *gzip = gzip_stream_create(page->stream);
	struct json_writer json;

	json_writer_init(&json, gzip_stream_input(gzip));
	page->write(&json, page->data);
	gzip_stream_finish(gzip);
	gzip_stream_destroy(gzip);
}

/* The comments in the page that each part replaces, in their order. */
static const struct part {
	const char *mark;
	void (*write)(const struct page_file *page);
} parts[] = {
	{ "<!--policy-->", write_policy }, { "<!--title-->", write_title },	{ "<!--style-->", write_styles },
	{ "<!--title-->", write_title },   { "<!--command-->", write_command }, { "<!--licences-->", write_licences },
	{ "<!--data-->", write_data },	   { "<!--script-->", write_scripts },
};

void page_file_write(struct output_stream *stream, enum page_kind kind,
		     void (*write)(struct json_writer *json, const void *data), const void *data)
{
	const struct page_file page = { stream, &contents[kind], write, data };
	const char *rest = page_asset_html;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *mark = strstr(rest, parts[i].mark);

		g_assert(mark);
		output_stream_bytes(stream, rest, (size_t)(mark - rest));
		parts[i].write(&page);
		rest = mark + strlen(parts[i].mark);
	}
	output_stream_text(stream, rest);
}
