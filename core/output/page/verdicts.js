/* SPDX-License-Identifier: MIT */
/* What pages of verdicts share: verdicts, values beside limits, and distributions with limits and intervals in them. */

const VERDICT_SIGNS = { kept: '✓', undecided: '?', broken: '✕', exceeded: '✕', changed: '≠', unchanged: '=' };

const classOf = verdict => `is-${verdict.replace(/ .*/, '')}`;

function makeVerdict(verdict) {
	return make('span', { className: `verdict ${classOf(verdict)}` }, make('span', { ariaHidden: 'true' }, VERDICT_SIGNS[verdict] || '–'), ` ${verdict}`);
}

/* The names of a row: a path, or what it is, its source, … */
function makeRowName(text) {
	return / (>>?|~>) /.test(text) ? makePath(text) : make('span', {}, makeName(text));
}

/* Shows what cannot be shown at once when it is opened. */
function makeDisclosure(properties, summary, fill) {
	const element = make('details', properties, make('summary', {}, summary));
	const update = () => {
		if (element.open && element.children.length === 1) {
			element.append(...[fill()].flat());
		}
	};
	element.addEventListener('toggle', update);
	update();
	return element;
}

/* Keeps only what contains all words of the search. `texts`: a Map of elements and what is found in each. */
function addFilter(texts, placeholder) {
	const search = document.getElementById('search');
	search.placeholder = placeholder;
	search.ariaLabel = placeholder;
	search.addEventListener('input', () => {
		const words = search.value.toLowerCase().match(/\S+/g) || [];
		let shown = 0;
		for (const [element, text] of texts) {
			element.hidden = !words.every(word => text.toLowerCase().includes(word));
			shown += !element.hidden;
		}
		announce(`${shown} of ${texts.size} shown`);
	});
	document.addEventListener('keydown', event => {
		if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
			event.preventDefault();
			search.focus();
		}
	});
}

/* How much of a limit a value uses: a bar, and the limit as a mark in it. */
function makeUse(value, allowed, isBad) {
	const most = Math.max(Math.abs(value), Math.abs(allowed)) * 1.2 || 1;
	const share = number => `${Math.max(0, Math.min(100, 100 * number / most)).toFixed(1)}%`;
	return make('span', { className: 'use', ariaHidden: 'true' }, make('span', { className: `use-bar ${isBad ? 'bad' : ''}`, style: { width: share(value) } }),
		make('span', { className: 'use-limit', style: { left: share(allowed) } }));
}

/* --- drawings --- */

/* Of a drawing, in its own units, which are pixels where there is room. */
const DRAWING = { get width() { return innerWidth < 640 ? 320 : 520; }, bottom: 22, left: 10, whisker: 13, line: 14 };

function makeLine(className, x1, y1, x2, y2) {
	return makeSvg('line', { class: className, x1, y1, x2, y2 });
}

/* A text at a line, on the side where there is room. */
function makeMark(className, at, y, text) {
	const isLeft = at > DRAWING.width * 0.6;
	return makeSvg('text', { class: className, x: at + (isLeft ? -4 : 4), y, 'text-anchor': isLeft ? 'end' : 'start' }, text);
}

/* The outline of bars as steps, from the ground. */
function stepsOf(bars, group, x, y, ground) {
	let path = '', end = null;
	for (const bar of bars) {
		const from = x(bar.bucket), to = x(bar.bucket + group);
		path += end === bar.bucket ? `V${y(bar.share).toFixed(1)}` : `${end === null ? '' : `V${ground}`}M${from.toFixed(1)} ${ground}V${y(bar.share).toFixed(1)}`;
		path += `H${to.toFixed(1)}`;
		end = bar.bucket + group;
	}
	return `${path}V${ground}`;
}

/* Both ends of an interval and the value in it; an arrow where it has no end. */
function makeWhisker(name, { low, high, value }, at, y) {
	const parts = [];
	if (low !== null || high !== null) {
		const from = low === null ? DRAWING.left : at(low), to = high === null ? DRAWING.width - DRAWING.left : at(high);
		parts.push(makeLine('reach', from, y, to, y), low === null ? null : makeLine('reach', from, y - 3.5, from, y + 3.5),
			high === null ? makeSvg('path', { class: 'reach', d: `M${to - 5} ${y - 3.5}L${to} ${y}L${to - 5} ${y + 3.5}` }) : makeLine('reach', to, y - 3.5, to, y + 3.5));
	}
	return makeSvg('g', { class: `whisker ${name}` }, parts, makeSvg('circle', { cx: at(value), cy: y, r: 3.2 }));
}

/* One line for each figure and side below a drawing. figures: [{ label, sides: [{ name, value, low, high, text }] }] */
function addWhiskers(svg, figures, at, top) {
	let y = top + 10;
	for (const { label, sides } of figures) {
		svg.append(makeSvg('text', { class: 'figure', x: 0, y: y + DRAWING.whisker / 2 + 3 }, label));
		for (const side of sides) {
			const whisker = makeWhisker(side.name, side, at, y);
			whisker.append(makeSvg('title', {}, `${label} ${side.name}: ${side.text}`));
			svg.append(whisker);
			y += DRAWING.whisker;
		}
		y += 5;
	}
}

function heightOfWhiskers(figures) {
	return figures.reduce((sum, figure) => sum + 5 + DRAWING.whisker * figure.sides.length, figures.length > 0 ? 6 : 0);
}

/*
 * Distributions of durations over each other, each as the shares of its samples. layers: [{ name, bars }]; limits:
 * [{ ns, isLeast, text }], what is beyond them is marked; values: [{ ns, text }]; figures: as of addWhiskers(). Durations
 * are on the axis of their buckets.
 */
function makeDistribution({ layers, limits = [], values = [], figures = [], label }) {
	const { width, bottom } = DRAWING, left = figures.length > 0 ? 34 : DRAWING.left;
	const top = 8 + DRAWING.line * (limits.length + values.length);
	const ground = top + 120, height = ground + bottom + heightOfWhiskers(figures);
	const ends = figures.flatMap(figure => figure.sides.flatMap(side => [side.value, side.low, side.high])).filter(ns => ns !== null);
	const inside = [...limits, ...values].map(mark => mark.ns).concat(ends).map(ns => bucketPosition(ns, HISTOGRAM_BITS));
	const filled = layers.filter(layer => layer.bars.length > 0);
	const lows = filled.map(layer => layer.bars[0].bucket), highs = filled.map(layer => layer.bars[layer.bars.length - 1].bucket + 1);
	const group = bucketsOfBar(Math.max(...highs) - Math.min(...lows), 72);
	const first = Math.floor(Math.min(...lows, ...inside)) - 2 * group, last = Math.ceil(Math.max(...highs, ...inside)) + 3 * group;
	const drawn = filled.map(layer => {
		const total = layer.bars.reduce((sum, bar) => sum + bar.count, 0);
		return { ...layer, total, bars: groupBars(layer.bars, group).map(bar => ({ ...bar, share: bar.count / total })) };
	});
	const most = Math.max(...drawn.flatMap(layer => layer.bars.map(bar => bar.share)));
	const x = position => left + (position - first) / (last - first) * (width - left - DRAWING.left);
	const y = share => ground - Math.max(1.5, share / most * (ground - top));
	const at = ns => x(bucketPosition(ns, HISTOGRAM_BITS));
	const svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'distribution', role: 'img', 'aria-label': label });
	for (const limit of limits) {
		const from = limit.isLeast ? left : at(limit.ns), to = limit.isLeast ? at(limit.ns) : width - DRAWING.left;
		svg.append(makeSvg('rect', { class: 'beyond', x: from, y: top, width: Math.max(0, to - from), height: ground - top }));
	}
	for (const layer of drawn) {
		svg.append(makeSvg('path', { class: `layer ${layer.name}`, d: stepsOf(layer.bars, group, x, y, ground) }, makeSvg('title', {}, `${layer.name}: ${formatCount(layer.total)} samples`)));
	}
	svg.append(makeLine('base', left, ground, width - DRAWING.left, ground));
	addTicks(svg, first, last, x, ground);
	/* each text on a line of its own, so that none is on another */
	[...limits.map(mark => ['limit', mark]), ...values.map(mark => ['value', mark])].forEach(([className, mark], i) => {
		const y = 10 + i * DRAWING.line;
		svg.append(makeLine(className, at(mark.ns), y - 6, at(mark.ns), ground), makeMark(className, at(mark.ns), y, mark.text));
	});
	addWhiskers(svg, figures, at, ground + bottom);
	return svg;
}

function addTicks(svg, first, last, x, ground) {
	let end = 0;
	for (const tick of histogramTicks(first, last)) {
		const at = x(bucketPosition(tick, HISTOGRAM_BITS)), text = AXIS_UNITS(tick), half = 3.2 * text.length;
		if (at - half > end && at + half < DRAWING.width) {
			svg.append(makeLine('base', at, ground, at, ground + 4), makeSvg('text', { x: at, y: ground + 16, 'text-anchor': 'middle' }, text));
			end = at + half + 8;
		}
	}
}

/* Figures that are no durations: only their intervals, on a linear axis. */
function makeIntervals(figures, format, label) {
	const { width } = DRAWING, left = 34, ground = 2 + heightOfWhiskers(figures), height = ground + DRAWING.bottom;
	const ends = figures.flatMap(figure => figure.sides.flatMap(side => [side.value, side.low, side.high])).filter(value => value !== null);
	const low = Math.min(...ends), high = Math.max(...ends), room = (high - low || Math.abs(high) || 1) * 0.1;
	const at = value => left + (value - low + room) / (high - low + 2 * room) * (width - left - DRAWING.left);
	const svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'distribution', role: 'img', 'aria-label': label });
	addWhiskers(svg, figures, at, 0);
	svg.append(makeLine('base', left, ground, width - DRAWING.left, ground));
	for (const value of high > low ? [low, (low + high) / 2, high] : [low]) {
		svg.append(makeLine('base', at(value), ground, at(value), ground + 4),
			makeSvg('text', { x: at(value), y: ground + 16, 'text-anchor': 'middle' }, format(value)));
	}
	return svg;
}

/* A page without search or graph has no licences to show either: no library is in it. */
function finishPage(sections, views) {
	const licences = document.getElementById('licences');
	licences.hidden = licences.textContent.trim() === licences.querySelector('summary').textContent.trim();
	addNavigation(sections);
	addExplanations();
	addTheme(() => {});
	addPrinting(views);
	fitTables(() => views);
}
