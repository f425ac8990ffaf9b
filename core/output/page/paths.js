/* SPDX-License-Identifier: MIT */
/* The parts of the time of a path: the tables of hops, as bars. */

/* The rows of hops with the parts of their time: means over all traversals, or one traversal. */
function hopsOf(child, rows) {
	return rows.map(row => {
		const hop = { topic: valueOf(child, row, 'topic'), node: valueOf(child, row, 'node'), share: valueOf(child, row, 'share') };
		for (const part of TIME_PARTS) {
			hop[part] = Math.max(0, valueOf(child, row, part) || 0);
		}
		return hop;
	});
}

function hasHops(child) {
	return TIME_PARTS.every(part => child.meant.has(part));
}

function totalOf(hops) {
	return hops.reduce((sum, hop) => sum + TIME_PARTS.reduce((of, part) => of + hop[part], 0), 0);
}

function makeLegend(note) {
	const texts = { transport: 'on the way', wait: 'waiting for its callback', execution: 'in the callback', kept: 'kept for a later message' };
	return make('p', { className: 'legend' }, TIME_PARTS.map(part => make('span', {}, make('i', { className: `segment ${part}` }), ` ${texts[part]}`)), note ? make('span', {}, note) : null);
}

/* The column of bars in a table that has hops. */
function hopColumn(table) {
	const child = table.children.find(other => hasHops(other) && !other.meant.has('rank'));
	if (!child) {
		return [];
	}
	const hops = row => hopsOf(child, rowsBelow(child, row[0]));
	const longest = table.rows.reduce((max, row, number) => table.hidden.has(number) ? max : Math.max(max, totalOf(hops(row))), 0);
	return [{
		label: 'mean, by part', rank: row => totalOf(hops(row)), isNumber: false,
		/* the square root keeps short ones visible next to long ones */
		make: row => makeHopBar(hops(row), longest > 0 ? Math.min(1, Math.sqrt(totalOf(hops(row)) / longest)) : 0),
	}];
}

/* One line per hop: its name, its bar at its position in time, and its parts. */
function makeWaterfall(hops) {
	const total = totalOf(hops) || 1;
	let start = 0;
	return make('div', { className: 'waterfall' }, hops.map((hop, i) => {
		const own = totalOf([hop]);
		const line = make('div', { className: 'fall' },
			make('div', { className: 'fall-name' }, make('span', { className: 'muted' }, `${i} `), make('b', {}, hop.node || ''), hop.topic ? make('span', { className: 'muted' }, ` ← ${hop.topic}`) : null),
			make('div', { className: 'fall-time' }, own > 0 ? formatDuration(own) : '–', ' ', make('span', { className: 'muted' }, formatPercent(100 * own / total))),
			make('div', { className: 'fall-track' }, make('div', { className: 'fall-bar', style: { left: `${100 * start / total}%`, width: `${100 * own / total}%` } }, makeHopBar([hop], 1))));
		start += own;
		return line;
	}));
}
