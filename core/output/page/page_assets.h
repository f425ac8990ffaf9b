/* SPDX-License-Identifier: MIT */
/*
 * The files of pages, a row each, in the order of insertion: our own in core/output/page, libraries in third_party.
 * page_assets.S puts them into the binary when it is built.
 *
 *   ROW(name)   the text page_asset_name, which ends with NUL
 */
#ifndef ROS2BT_PAGE_ASSETS_H
#define ROS2BT_PAGE_ASSETS_H

/* clang-format off */
#define PAGE_STYLES(ROW) ROW(uplot_css) ROW(page_css)
#define PAGE_LICENCES(ROW) ROW(uplot_licence) ROW(dagre_licence)
#define PAGE_SCRIPTS(ROW) \
	ROW(uplot_js) ROW(dagre_js) ROW(format_js) ROW(data_js) ROW(parts_js) ROW(words_js) ROW(table_js) ROW(charts_js) \
	ROW(paths_js) ROW(traversals_js) ROW(threads_js) ROW(sections_js) ROW(groups_js) ROW(layout_js) ROW(graph_js) ROW(detail_js) ROW(main_js)
/* Pages of verdicts need no library. */
#define PAGE_VERDICT_STYLES(ROW) ROW(page_css) ROW(verdicts_css)
#define PAGE_VERDICT_SCRIPTS(ROW) \
	ROW(format_js) ROW(data_js) ROW(parts_js) ROW(words_js) ROW(table_js) ROW(charts_js) ROW(sections_js) \
	ROW(verdicts_js)
#define PAGE_BUDGET_SCRIPTS(ROW) PAGE_VERDICT_SCRIPTS(ROW) ROW(budgets_js)
#define PAGE_COMPARISON_SCRIPTS(ROW) PAGE_VERDICT_SCRIPTS(ROW) ROW(detail_js) ROW(comparison_js)
/* clang-format on */

#define PAGE_ASSET_DECLARATION(name) extern const char page_asset_##name[] __attribute__((visibility("hidden")));

/* The page itself; a comment such as <!--style--> marks where a part is inserted. */
PAGE_ASSET_DECLARATION(html)
PAGE_STYLES(PAGE_ASSET_DECLARATION)
PAGE_LICENCES(PAGE_ASSET_DECLARATION)
PAGE_SCRIPTS(PAGE_ASSET_DECLARATION)
PAGE_ASSET_DECLARATION(verdicts_css)
PAGE_ASSET_DECLARATION(verdicts_js)
PAGE_ASSET_DECLARATION(budgets_js)
PAGE_ASSET_DECLARATION(comparison_js)

#endif
