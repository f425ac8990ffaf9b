/* SPDX-License-Identifier: MIT */
/*
 * Traversals of a path one by one (page_flows.h): as lines through its nodes over time, and as bars of the parts of their
 * time. Both show a sample, and say which.
 */

/* The runs of a row: { instance, begin, latency, hops: [{ publish, take, start, end }] }, ns since its begin, null: unknown. */
function decodeTraversals(flow, row) {
	const size = flow.moments.length;
	return row.traversals.map(([instance, begin, ...moments]) => {
		const hops = [];
		for (let i = 0; i < moments.length; i += size) {
			const [publish, take, start, end] = moments.slice(i, i + size);
			hops.push({ publish, take, start, end });
		}
		const known = moments.filter(moment => moment !== null);
		return { instance, begin, hops, latency: Math.max(0, ...known) };
	}).sort((a, b) => a.begin - b.begin || a.instance - b.instance);
}

/* Where the time went: { hop, part, from, to }, as the tables of hops have it; what is not known has none. */
function partsOfTraversal({ hops }) {
	const parts = [];
	const add = (hop, part, from, to) => {
		if (from !== null && to !== null && to > from) {
			parts.push({ hop, part, from, to });
		}
	};
	hops.forEach((hop, i) => {
		if (i > 0) {
			const before = hops[i - 1];
			const isKept = before.end !== null && hop.publish !== null && before.end < hop.publish;
			add(i - 1, 'execution', before.start, isKept ? before.end : hop.publish);
			add(i - 1, 'kept', isKept ? before.end : null, hop.publish);
			add(i, 'transport', hop.publish, hop.take);
			add(i, 'wait', hop.take, hop.start);
		}
		if (i === hops.length - 1) {
			add(i, 'execution', hop.start, hop.end);
		}
	});
	return parts;
}

/* Traversals in a row, with the number of those before; one that is kept for being slow may be alone. */
function runsOf(traversals, length) {
	const runs = [];
	for (const traversal of traversals) {
		const last = runs[runs.length - 1];
		if (last && last.length < length && last[last.length - 1].instance + 1 === traversal.instance) {
			last.push(traversal);
		} else {
			runs.push([traversal]);
		}
	}
	return runs;
}

function textOfSample(flow, row) {
	const shown = row.traversals.length;
	if (shown === row.count) {
		return row.count === 1 ? 'The only traversal.' : `All ${formatCount(row.count)} traversals.`;
	}
	return `A sample: ${formatCount(shown)} of ${formatCount(row.count)} traversals, ${row.stride > 1 ? `${flow.run} in a row out of every ${formatCount(flow.run * row.stride)}, and the slowest` : 'those that were kept'}.`;
}

/* Slow: one of the slowest tenth of those shown, and at least one. */
function slowestOf(traversals) {
	const order = [...traversals].sort((a, b) => b.latency - a.latency);
	return new Set(order.slice(0, Math.max(1, Math.floor(order.length / 10))));
}

/* Ticks of an axis of time from `from` to `to`, ns. */
function timeTicks(from, to, count) {
	const least = (to - from) / Math.max(1, count), scale = 10 ** Math.floor(Math.log10(least || 1));
	const step = [1, 2, 5, 10].map(factor => factor * scale).find(size => size >= least) || 10 * scale;
	const ticks = [];
	for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
		ticks.push(Math.round(tick * 1e3) / 1e3);
	}
	return ticks;
}

function drawTimeAxis(svg, { left, right, top, bottom }, from, to, textOf) {
	const x = at => left + (right - left) * (at - from) / (to - from);
	for (const tick of timeTicks(from, to, Math.max(2, Math.floor((right - left) / 90)))) {
		svg.append(makeSvg('line', { class: 'grid-line', x1: x(tick), x2: x(tick), y1: top, y2: bottom }));
		const words = textOf(tick), half = 3.2 * words.length;
		svg.append(makeSvg('text', { x: Math.min(Math.max(x(tick), left + half), right - half), y: bottom + 14, 'text-anchor': 'middle' }, words));
	}
	return x;
}

/* "+12.5 ms" of a time since the beginning of something. */
function formatSince(ns) {
	return ns === 0 ? '0' : `${ns < 0 ? '−' : '+'}${formatDuration(Math.abs(ns)).replace(/(\.\d*?)0+ /, '$1 ').replace('. ', ' ')}`;
}

/*
 * A chart that is drawn at the width there is. draw(svg, width) gives the elements that the keys move between, each with
 * `words`; the one that has the focus or the mouse is told below.
 */
function makeDrawnChart(label, height, draw) {
	const holder = make('div', { className: 'drawn' });
	const readout = make('p', { className: 'readout muted', role: 'status' });
	const element = make('div', { className: 'drawn-chart' }, holder, readout);
	let marks = [];
	const tell = mark => {
		readout.textContent = mark ? mark.words : element.hint;
		marks.forEach(other => other.classList.toggle('current', other === mark));
	};
	element.hint = '';
	element.draw = () => {
		const width = Math.max(260, holder.clientWidth || 600), size = typeof height === 'function' ? height() : height;
		const svg = makeSvg('svg', { width, height: size, viewBox: `0 0 ${width} ${size}`, class: 'drawn-svg', role: 'group', 'aria-label': typeof label === 'function' ? label() : label });
		marks = draw(svg, width, size);
		marks.forEach((mark, i) => {
			mark.setAttribute('tabindex', i === 0 ? '0' : '-1');
			mark.setAttribute('role', 'img');
			mark.setAttribute('aria-label', mark.words);
			mark.addEventListener('mouseenter', () => tell(mark));
			mark.addEventListener('focus', () => tell(mark));
		});
		svg.addEventListener('mouseleave', () => tell(marks.find(mark => mark === document.activeElement)));
		svg.addEventListener('keydown', event => {
			const at = marks.indexOf(document.activeElement), step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
			const next = step ? marks[at + step] : event.key === 'Home' ? marks[0] : event.key === 'End' ? marks[marks.length - 1] : null;
			if (at >= 0 && next) {
				event.preventDefault();
				marks[at].setAttribute('tabindex', '-1');
				next.setAttribute('tabindex', '0');
				next.focus({ preventScroll: true });
			}
		});
		holder.replaceChildren(svg);
		tell(null);
	};
	return element;
}

/* --- lines through the nodes --- */

const FLOW_ROW = 40; /* px of a node and the message to it */

function describeTraversal(model, traversal, names) {
	const longest = partsOfTraversal(traversal).sort((a, b) => (b.to - b.from) - (a.to - a.from)).slice(0, 2);
	return `Traversal ${formatCount(traversal.instance)} at ${formatMoment(traversal.begin + model.trace.begin_ns, model.trace.begin_ns)}: ${formatDuration(traversal.latency)}; ` +
		longest.map(({ hop, part, from, to }) => `${formatDuration(to - from)} ${partText(names[hop] || {}, part)}`).join(', ');
}

/* names: [{ node, topic }] of the hops. */
function makeMessageFlow(model, flow, row, names) {
	const all = decodeTraversals(flow, row), runs = runsOf(all, flow.run), slow = slowestOf(all);
	const slowest = all.reduce((most, traversal) => traversal.latency > most.latency ? traversal : most, all[0]);
	const state = { run: runs.findIndex(run => run.includes(slowest)), isAligned: false, from: 0, to: 1 };
	const shown = () => state.isAligned ? all : runs[state.run];
	const zero = traversal => state.isAligned ? 0 : traversal.begin;
	const fit = () => {
		state.from = Math.min(...shown().map(zero));
		state.to = Math.max(...shown().map(traversal => zero(traversal) + traversal.latency));
		const around = 0.02 * (state.to - state.from || 1);
		state.from -= around;
		state.to += around;
	};
	const chart = makeDrawnChart(() => `Message flow: ${shown().length} traversals through ${names.length} nodes`, names.length * FLOW_ROW + 30, (svg, width, height) => {
		const area = { left: 4, right: width - 4, top: 6, bottom: height - 20 };
		const x = drawTimeAxis(svg, area, state.from, state.to, tick => state.isAligned ? formatSince(tick) : `+${(tick / 1e9).toFixed(state.to - state.from < 1e8 ? 4 : 3)} s`);
		const top = i => area.top + i * FLOW_ROW + 16, middle = i => top(i) + 9;
		const clip = makeSvg('g', {});
		names.forEach((name, i) => svg.append(makeSvg('rect', { class: 'flow-row', x: area.left, y: top(i), width: area.right - area.left, height: 18 })));
		const marks = shown().map(traversal => {
			const at = moment => Math.min(Math.max(x(zero(traversal) + moment), area.left - 20), area.right + 20).toFixed(1);
			const mark = makeSvg('g', { class: `flow ${slow.has(traversal) ? 'slow' : ''}` });
			const points = [];
			traversal.hops.forEach((hop, i) => {
				if (i > 0 && hop.publish !== null) {
					points.push([at(hop.publish), middle(i - 1)]);
				}
				const taken = hop.take ?? hop.start;
				if (taken !== null) {
					points.push([at(taken), middle(i)]);
				}
				if (hop.start !== null && hop.end !== null) {
					mark.append(makeSvg('rect', { x: at(hop.start), y: middle(i) - 5, width: Math.max(1, at(hop.end) - at(hop.start)), height: 10 }));
				}
			});
			const last = traversal.hops[traversal.hops.length - 1];
			if (last.end !== null) {
				points.push([at(last.end), middle(traversal.hops.length - 1)]);
			}
			const line = points.map(point => point.join(',')).join(' ');
			mark.append(makeSvg('polyline', { points: line }), makeSvg('polyline', { points: line, class: 'hit' }));
			mark.words = describeTraversal(model, traversal, names);
			return mark;
		});
		/* the slow ones on top */
		clip.append(...[...marks].sort((a, b) => a.classList.contains('slow') - b.classList.contains('slow')));
		svg.append(clip, ...names.map(({ node, topic }, i) => makeSvg('text', { x: area.left + 2, y: top(i) - 4, class: 'flow-name' }, topic ? makeSvg('tspan', { class: 'flow-topic' }, `${shorten(topic, Math.min(40, Math.floor(width / 16)))} → `) : null, shorten(node || '?', Math.min(40, Math.floor(width / 16))))));
		return marks;
	});
	const update = () => { fit(); chart.draw(); };
	const zoom = factor => {
		const middle = (state.from + state.to) / 2, half = (state.to - state.from) / 2 / factor;
		Object.assign(state, { from: middle - half, to: middle + half });
		chart.draw();
	};
	const move = share => {
		const by = share * (state.to - state.from);
		Object.assign(state, { from: state.from + by, to: state.to + by });
		chart.draw();
	};
	const button = (text, label, act) => make('button', { type: 'button', className: 'small', ariaLabel: label, title: label, onclick: act }, text);
	const choice = make('select', { ariaLabel: 'Which traversals', onchange: () => {
		state.isAligned = choice.value === 'all';
		state.run = state.isAligned ? state.run : Number(choice.value);
		update();
	} }, runs.map((run, i) => make('option', { value: i, selected: i === state.run }, `${run.length > 1 ? `${formatCount(run[0].instance)}–${formatCount(run[run.length - 1].instance)}` : formatCount(run[0].instance)} at +${(run[0].begin / 1e9).toFixed(3)} s${run.includes(slowest) ? ', with the slowest' : ''}`)),
	make('option', { value: 'all' }, `all ${formatCount(all.length)}, each from its beginning`));
	chart.hint = `${textOfSample(flow, row)} Red: the slowest tenth. Arrow keys go from one to the next.`;
	chart.prepend(make('div', { className: 'toolbar' }, choice, make('span', { className: 'space' }), button('◂', 'Earlier', () => move(-0.25)), button('▸', 'Later', () => move(0.25)),
		button('−', 'Zoom out', () => zoom(1 / 1.6)), button('+', 'Zoom in', () => zoom(1.6)), button('Fit', 'Show all of it', update)));
	fit();
	return chart;
}

/* --- bars of the parts of their time --- */

function makeStackedHops(model, flow, row, names) {
	const all = decodeTraversals(flow, row);
	const longest = Math.max(1, ...all.map(({ latency }) => latency));
	const chart = makeDrawnChart(`Parts of the time of ${all.length} traversals, one after the other; the longest took ${formatDuration(longest)}`, 190, (svg, width, height) => {
		const area = { left: 62, right: width - 4, top: 8, bottom: height - 22 };
		const y = ns => area.bottom - (area.bottom - area.top) * ns / longest, step = (area.right - area.left) / all.length;
		for (const tick of timeTicks(0, longest, 4)) {
			svg.append(makeSvg('line', { class: 'grid-line', x1: area.left, x2: area.right, y1: y(tick), y2: y(tick) }),
				makeSvg('text', { x: area.left - 5, y: y(tick) + 4, 'text-anchor': 'end' }, AXIS_UNITS(tick)));
		}
		let textEnd = -Infinity;
		return all.map((traversal, i) => {
			const left = area.left + i * step;
			const mark = makeSvg('g', { class: 'stack' }, makeSvg('rect', { class: 'stack-back', x: left, y: area.top, width: step, height: area.bottom - area.top }),
				partsOfTraversal(traversal).map(({ part, from, to }) => makeSvg('rect', { class: `part-${part}`, x: left + 0.1 * step, y: y(to), width: Math.max(0.8, 0.8 * step), height: Math.max(0, y(from) - y(to)) })));
			mark.words = describeTraversal(model, traversal, names);
			const text = `+${(traversal.begin / 1e9).toFixed(1)} s`, half = 3.2 * text.length;
			if (left + step / 2 - half > textEnd && left + step / 2 + half <= width) {
				svg.append(makeSvg('text', { x: left + step / 2, y: height - 6, 'text-anchor': 'middle' }, text));
				textEnd = left + step / 2 + half + 14;
			}
			svg.append(mark);
			return mark;
		});
	});
	chart.hint = `${textOfSample(flow, row)} A bar each, in the order of time.`;
	return chart;
}
