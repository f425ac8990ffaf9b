/* SPDX-License-Identifier: MIT */
/* The files that a page is made of, as they are in the source: core/output/page/page_assets.h. */

	.section .rodata

	.macro asset name, file
	.globl page_asset_\name
	.hidden page_asset_\name
page_asset_\name:
	.incbin "\file"
	.byte 0
	.endm

	asset html, "core/output/page/page.html"
	asset uplot_css, "third_party/uplot/uPlot.min.css"
	asset page_css, "core/output/page/page.css"
	asset uplot_licence, "third_party/uplot/LICENSE"
	asset dagre_licence, "third_party/dagre/LICENSE"
	asset uplot_js, "third_party/uplot/uPlot.iife.min.js"
	asset dagre_js, "third_party/dagre/dagre.min.js"
	asset format_js, "core/output/page/format.js"
	asset data_js, "core/output/page/data.js"
	asset parts_js, "core/output/page/parts.js"
	asset words_js, "core/output/page/words.js"
	asset table_js, "core/output/page/table.js"
	asset charts_js, "core/output/page/charts.js"
	asset paths_js, "core/output/page/paths.js"
	asset traversals_js, "core/output/page/traversals.js"
	asset threads_js, "core/output/page/threads.js"
	asset sections_js, "core/output/page/sections.js"
	asset groups_js, "core/output/page/groups.js"
	asset layout_js, "core/output/page/layout.js"
	asset graph_js, "core/output/page/graph.js"
	asset detail_js, "core/output/page/detail.js"
	asset main_js, "core/output/page/main.js"
	asset verdicts_css, "core/output/page/verdicts.css"
	asset verdicts_js, "core/output/page/verdicts.js"
	asset budgets_js, "core/output/page/budgets.js"
	asset comparison_js, "core/output/page/comparison.js"

	.section .note.GNU-stack, "", %progbits
