/* SPDX-License-Identifier: MIT */
/* Durations over time (uPlot), histograms of durations, and bars of the parts of a time. */

const AXIS_UNITS = value => value === 0 ? '0' : formatDuration(value).replace(/\.0+ /, ' ').replace(/(\.\d*?)0+ /, '$1 ');

/* The empty pieces between two instances that are no further apart than usual. */
function shortGaps(pieces) {
	const filled = pieces.map((piece, i) => piece ? i : -1).filter(i => i >= 0);
	const distances = filled.slice(1).map((at, i) => at - filled[i]).sort((a, b) => a - b);
	const usual = distances[Math.floor(distances.length * 0.9)] || 1;
	const bridged = new Array(pieces.length).fill(false);
	filled.slice(1).forEach((at, i) => {
		if (at - filled[i] <= 2 * usual) {
			bridged.fill(true, filled[i] + 1, at);
		}
	});
	return bridged;
}

/*
 * The band between the extremes of each piece of time, its mean, and the worst instances as dots. changed(from, to):
 * the seconds shown.
 */
function makeTimeChart(model, series, changed) {
	const { pieces, times, width } = decodeSeries(series, model.trace.begin_ns);
	const bridged = shortGaps(pieces);
	/* a line continues over undefined values and ends at null */
	const columns = ['max', 'min', 'mean'].map(name => pieces.map((piece, i) => piece ? piece[name] : bridged[i] ? undefined : null));
	const filled = pieces.filter(piece => piece);
	const least = Math.min(...filled.map(piece => piece.min)), greatest = Math.max(...filled.map(piece => piece.max));
	const state = { isLog: least > 0 && greatest > 30 * least };
	const holder = make('div', { className: 'chart', role: 'img', ariaLabel:
		`Over time, ${filled.length} pieces of ${formatDuration(width * 1e9)}: from ${formatDuration(least)} to ${formatDuration(greatest)}` });
	const readout = make('p', { className: 'readout muted' });
	const scale = make('button', { type: 'button', className: 'small', onclick: () => { state.isLog = !state.isLog; draw(); } });
	const reset = make('button', { type: 'button', className: 'small', hidden: true, onclick: () => draw() }, 'Whole recording');
	const worst = series.worst.map(([at, duration]) => [(at - model.trace.begin_ns) / 1e9, duration]);
	let plot = null;

	function describe(u) {
		const i = u && u.cursor.idx;
		const piece = i === null || i === undefined ? null : pieces[i];
		readout.textContent = piece ? `${formatMoment(times[i] * 1e9, 0)}: ${piece.count}× from ${formatDuration(piece.min)} to ${formatDuration(piece.max)}, mean ${formatDuration(piece.mean)}`
			: 'Drag to zoom; the command below follows.';
	}

	function drawWorst(u) {
		const context = u.ctx;
		context.save();
		context.fillStyle = colour('bad');
		context.beginPath();
		for (const [x, y] of worst) {
			const left = u.valToPos(x, 'x', true), top = u.valToPos(y, 'y', true);
			if (left >= u.bbox.left && left <= u.bbox.left + u.bbox.width && top >= u.bbox.top - 4 && top <= u.bbox.top + u.bbox.height) {
				context.moveTo(left + 3.5 * devicePixelRatio, top);
				context.arc(left, top, 3 * devicePixelRatio, 0, 2 * Math.PI);
			}
		}
		context.fill();
		context.restore();
	}

	function draw() {
		if (plot) {
			plot.destroy();
		}
		scale.textContent = state.isLog ? 'Linear scale' : 'Log scale';
		scale.disabled = least <= 0;
		reset.hidden = true;
		const axis = { stroke: colour('muted'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line'), width: 1 }, font: '11px system-ui, sans-serif' };
		const hasPoints = filled.length <= 60;
		plot = new uPlot({
			width: Math.max(200, holder.clientWidth || 460), height: 210, legend: { show: false },
			cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
			scales: { x: { time: false }, y: state.isLog ? { distr: 3, range: (u, low, high) => uPlot.rangeLog(low, high, 10, false) } : { range: (u, low, high) => {
				const from = low >= 0 && low < 0.6 * high ? 0 : low - 0.1 * (high - low || Math.abs(high) || 1);
				return [from, high + 0.08 * (high - from || 1)];
			} } },
			axes: [{ ...axis, values: (u, ticks) => ticks.map(tick => `+${Number(tick.toFixed(6))} s`), space: 70 },
				{ ...axis, values: (u, ticks) => ticks.map(AXIS_UNITS), size: 62, ...(state.isLog ? { splits: logTicks, filter: (u, ticks) => ticks } : {}) }],
			series: [{}, { stroke: colour('band-edge'), width: 1, points: { show: hasPoints, size: 4 } },
				{ stroke: colour('band-edge'), width: 1, points: { show: false } },
				{ stroke: colour('accent'), width: 1.75, points: { show: false } }],
			bands: [{ series: [1, 2], fill: colour('band') }],
			hooks: { draw: [drawWorst], setCursor: [describe], setScale: [(u, key) => {
				if (key === 'x' && plot) {
					const { min, max } = u.scales.x;
					reset.hidden = min <= times[0] && max >= times[times.length - 1];
					changed(Math.max(min, times[0] - width / 2), Math.min(max, times[times.length - 1] + width / 2), reset.hidden);
				}
			}] },
		}, [times, ...columns], holder);
		describe(null);
	}

	const element = make('div', { className: 'time-chart' }, holder, make('div', { className: 'chart-foot' }, readout, reset, scale));
	element.draw = draw;
	return element;
}

/* How often it happened in each piece of time, per second: a bar each. Nothing is drawn where nothing happened. */
function makeRateChart(model, series) {
	const { pieces, times, width } = decodeSeries(series, model.trace.begin_ns);
	const rates = pieces.map(piece => piece ? piece.count / width : 0), greatest = Math.max(...rates);
	const size = { width: 620, height: 80, left: 62, bottom: 18 };
	const x = i => size.left + (size.width - size.left) * i / pieces.length, step = (size.width - size.left) / pieces.length;
	const y = rate => (size.height - size.bottom - 8) * (1 - rate / greatest) + 8;
	const text = (left, top, anchor, words) => makeSvg('text', { x: left, y: top, 'text-anchor': anchor }, words);
	const second = at => formatMoment(at * 1e9, 0);
	return makeSvg('svg', { class: 'histogram', viewBox: `0 0 ${size.width} ${size.height}`, role: 'img',
		'aria-label': `How often over time: up to ${threeDigits(greatest)} a second, in pieces of ${formatDuration(width * 1e9)}` },
	rates.map((rate, i) => rate > 0 ? makeSvg('rect', { x: x(i), y: y(rate), width: Math.max(0.5, step - (step > 3 ? 1 : 0)), height: size.height - size.bottom - y(rate) },
		makeSvg('title', {}, `${second(times[i])}: ${threeDigits(rate)} a second (${pieces[i].count} in ${formatDuration(width * 1e9)})`)) : null),
	makeSvg('line', { class: 'base', x1: size.left, x2: size.width, y1: size.height - size.bottom + 0.5, y2: size.height - size.bottom + 0.5 }),
	text(size.left - 6, 14, 'end', `${threeDigits(greatest)}/s`), text(size.left - 6, size.height - size.bottom, 'end', '0'),
	text(size.left, size.height - 3, 'start', second(times[0])), text(size.width, size.height - 3, 'end', second(times[times.length - 1])));
}

/* Bars of 1, 2, 4, … buckets. */
function groupBars(bars, group) {
	const merged = [];
	for (const { bucket, count } of bars) {
		const from = Math.floor(bucket / group) * group, last = merged[merged.length - 1];
		if (last && last.bucket === from) {
			last.count += count;
		} else {
			merged.push({ bucket: from, count });
		}
	}
	return merged;
}

/* How many buckets a bar has, so that bars over so many buckets are few enough for each to be visible. */
function bucketsOfBar(range, most) {
	return 2 ** Math.max(0, Math.ceil(Math.log2(range / most)));
}

/* Decades, and 2 and 5 in each if there are few. */
function logTicks(u, axis, low, high) {
	const decades = Math.log10(high / low);
	const ticks = [];
	for (let decade = 10 ** Math.floor(Math.log10(low)); decade <= high; decade *= 10) {
		ticks.push(...(decades > 3 ? [1] : [1, 2, 5]).map(factor => factor * decade).filter(tick => tick >= low * 0.999 && tick <= high * 1.001));
	}
	return ticks;
}

/* A histogram of durations on an axis of buckets, with marks at quantiles: [[label, ns], …]. */
function makeHistogram(bars, marks, label) {
	const width = 460, height = 150, left = 8, bottom = 22, top = 16;
	const group = bucketsOfBar(bars[bars.length - 1].bucket - bars[0].bucket + 1, 64);
	bars = groupBars(bars, group);
	const first = Math.min(bars[0].bucket, ...marks.map(([, ns]) => Math.floor(bucketPosition(ns, HISTOGRAM_BITS)))) - 1;
	const last = Math.max(bars[bars.length - 1].bucket + group - 1, ...marks.map(([, ns]) => Math.ceil(bucketPosition(ns, HISTOGRAM_BITS)))) + 2;
	const most = Math.max(...bars.map(bar => bar.count));
	const total = bars.reduce((sum, bar) => sum + bar.count, 0);
	const x = position => left + (position - first) / (last - first) * (width - 2 * left);
	const y = count => height - bottom - count / most * (height - bottom - top);
	const svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'histogram', role: 'img',
		'aria-label': `How often each ${label} came: ${total} samples, ${marks.map(([name, ns]) => `${name} ${formatDuration(ns)}`).join(', ')}` });
	for (const bar of bars) {
		const from = x(bar.bucket), to = x(bar.bucket + group);
		const low = bucketLow(bar.bucket, HISTOGRAM_BITS), high = bucketLow(bar.bucket + group, HISTOGRAM_BITS);
		svg.append(makeSvg('rect', { x: from, y: Math.min(y(bar.count), height - bottom - 1.5), width: Math.max(1, to - from - 0.6),
			height: Math.max(1.5, height - bottom - y(bar.count)) },
		makeSvg('title', {}, `${formatDuration(low)} … ${formatDuration(high)}: ${formatCount(bar.count)} (${formatPercent(100 * bar.count / total)})`)));
	}
	svg.append(makeSvg('line', { class: 'base', x1: left, x2: width - left, y1: height - bottom, y2: height - bottom }));
	let end = -Infinity;
	for (const tick of histogramTicks(first, last)) {
		const at = x(bucketPosition(tick, HISTOGRAM_BITS));
		const text = AXIS_UNITS(tick);
		if (at - 3.2 * text.length > end && at + 3.2 * text.length < width) {
			svg.append(makeSvg('line', { class: 'base', x1: at, x2: at, y1: height - bottom, y2: height - bottom + 4 }),
				makeSvg('text', { x: at, y: height - 6, 'text-anchor': 'middle' }, text));
			end = at + 3.2 * text.length + 8;
		}
	}
	let textEnd = -Infinity;
	for (const [name, ns] of marks) {
		const at = x(bucketPosition(ns, HISTOGRAM_BITS));
		svg.append(makeSvg('line', { class: `mark ${name}`, x1: at, x2: at, y1: top - 2, y2: height - bottom }));
		if (at > textEnd) {
			svg.append(makeSvg('text', { class: 'mark', x: Math.min(at, width - 14), y: 10, 'text-anchor': 'middle' }, name));
			textEnd = at + 26;
		}
	}
	return svg;
}

/* 1, 2 and 5 of each decade between two buckets; or fewer. */
function histogramTicks(first, last) {
	const low = bucketLow(first, HISTOGRAM_BITS), high = bucketLow(last, HISTOGRAM_BITS);
	const ticks = low <= 0 && high >= 0 ? [0] : [];
	for (let decade = 1; decade <= 1e18; decade *= 10) {
		for (const factor of [1, 2, 5]) {
			ticks.push(...[factor * decade, -factor * decade].filter(tick => tick >= low && tick <= high));
		}
	}
	ticks.sort((a, b) => a - b);
	return ticks.length > 0 ? ticks : [low, high];
}

const TIME_PARTS = ['transport', 'wait', 'execution', 'kept'];

/*
 * One bar with the parts of all hops. hops: [{ topic, node, transport, wait, execution, kept }]; share: of the width, 0
 * … 1.
 */
function makeHopBar(hops, share) {
	const total = hops.reduce((sum, hop) => sum + TIME_PARTS.reduce((of, part) => of + (hop[part] || 0), 0), 0);
	const bar = make('span', { className: 'hop-bar', role: 'img', style: { width: `${Math.max(0.5, 100 * share).toFixed(2)}%` }, ariaLabel: describeHops(hops, total) });
	for (const hop of hops) {
		for (const part of TIME_PARTS) {
			if (hop[part] > 0 && total > 0) {
				bar.append(make('span', { className: `segment ${part}`, title: `${partText(hop, part)}: ${formatDuration(hop[part])} (${formatPercent(100 * hop[part] / total)})`,
					style: { 'flex-grow': hop[part] / total } }));
			}
		}
	}
	return bar;
}

function partText(hop, part) {
	return { transport: `${hop.topic} on the way to ${hop.node}`, wait: `${hop.topic} waiting at ${hop.node}`, execution: `callback of ${hop.node}`,
		kept: `kept in ${hop.node}` }[part];
}

function describeHops(hops, total) {
	const parts = hops.flatMap(hop => TIME_PARTS.map(part => [hop[part] || 0, partText(hop, part)])).sort(([a], [b]) => b - a).slice(0, 3);
	return parts.filter(([ns]) => ns > 0).map(([ns, text]) => `${formatPercent(100 * ns / total)} ${text}`).join(', ');
}
