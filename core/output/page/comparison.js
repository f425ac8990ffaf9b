/* SPDX-License-Identifier: MIT */
/* The page of `compare`: verdicts on limits, what changed with before and after over each other, then all figures. */

const CARDS_SHOWN = 24;
const FORMAT_OF_UNIT = { ns: 'duration', Hz: 'rate', '%': 'percent' };
const SIDES = ['before', 'after'];

const percentText = value => value === null ? '' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatPercent(Math.abs(value))}`;

/* The figures as objects, those of one statistic of a row together. */
function readFigures(model) {
	const table = model.tables.find(other => other.name === 'figures');
	const distributions = new Map(model.comparison.distributions.map(one => [`${one.table}\n${one.row}\n${one.statistic}`, one]));
	const groups = new Map(), groupOfRow = new Map();
	table.rows.forEach((row, i) => {
		const [tableName, name, figure, unit, before, after, percent, low, high, beforeSamples, afterSamples, verdict] = row;
		const statistic = unit === 'ns' ? figure.replace(/ [^ ]+$/, '') : figure;
		const key = `${tableName}\n${name}\n${statistic}`;
		const interval = model.comparison.intervals[i] || [null, null, null, null];
		const one = { row, label: figure.slice(unit === 'ns' ? statistic.length + 1 : 0), figure, format: FORMAT_OF_UNIT[unit] || 'plain', percent, low, high, verdict,
			sides: [{ name: 'before', value: before, low: interval[0], high: interval[1], samples: beforeSamples },
				{ name: 'after', value: after, low: interval[2], high: interval[3], samples: afterSamples }] };
		if (!groups.has(key)) {
			groups.set(key, { table: tableName, name, statistic, figures: [], distribution: distributions.get(key) });
		}
		groups.get(key).figures.push(one);
		groupOfRow.set(row, groups.get(key));
	});
	return { table, groups: [...groups.values()], groupOfRow };
}

function intervalText(side, format) {
	const ends = side.low === null && side.high === null ? '' : ` (${[side.low, side.high].map(end => end === null ? '' : formatCell(end, format)).join(' … ')})`;
	return `${formatCell(side.value, format)}${ends}, ${formatCount(side.samples)} samples`;
}

const LABEL_ORDER = ['mean', 'p50', 'p99'];
const inOrder = figures => [...figures].sort((a, b) => LABEL_ORDER.indexOf(a.label) - LABEL_ORDER.indexOf(b.label));

/* Both sides of the figures of a statistic in one drawing. */
function drawGroup(group) {
	const figures = inOrder(group.figures).map(figure => ({ label: figure.label, sides: figure.sides.filter(side => side.value !== null).map(side => ({ ...side, text: intervalText(side, figure.format) })) }))
		.filter(figure => figure.sides.length > 0);
	const label = `${group.statistic} before and after: ${figures.map(({ label: name, sides }) => `${name} ${sides.map(side => side.text).join(' → ')}`).join('; ')}`;
	if (group.distribution) {
		const layers = SIDES.map(side => ({ name: side, bars: decodeHistogram(group.distribution[side]) }));
		if (layers.some(layer => layer.bars.length > 0)) {
			return makeDistribution({ layers, figures, label });
		}
	}
	return figures.length > 0 ? makeIntervals(figures, value => formatCell(value, group.figures[0].format), label) : null;
}

function makeSideLegend() {
	return make('p', { className: 'legend' }, SIDES.map(side => make('span', {}, make('i', { className: `side ${side}` }), ` ${side}`)),
		make('span', {}, '├─●─┤ the figure lies in it with 95 % certainty'));
}

function makeFigureTable(figures) {
	return make('table', { className: 'grid limits' },
		make('thead', {}, make('tr', {}, ['verdict', 'figure', 'before', 'after', 'change', '95 % interval'].map((text, i) => make('th', { scope: 'col', className: i > 1 ? 'number' : '' }, text)))),
		make('tbody', {}, inOrder(figures).map(figure => make('tr', {}, make('td', {}, makeVerdict(figure.verdict)), make('td', {}, figure.label || figure.figure),
			...figure.sides.map((side, i) => make('td', { className: 'number' }, i && side.value !== null ? '→ ' : '', formatCell(side.value, figure.format))),
			make('td', { className: 'number' }, make('b', {}, percentText(figure.percent))), make('td', { className: 'number' }, changeInterval(figure))))));
}

function changeInterval({ low, high }) {
	return low === null && high === null ? '' : `${percentText(low)} … ${percentText(high)}`;
}

function makeCard(group) {
	return make('article', { className: 'change' }, make('h3', {}, makeRowName(group.name)), make('p', { className: 'muted' }, `${group.table}: ${group.statistic.replace(/_/g, ' ')}`),
		drawGroup(group), makeFigureTable(group.figures));
}

function makeChanges(groups) {
	const changed = groups.filter(group => group.figures.some(figure => figure.verdict === 'changed'));
	const cards = changed.slice(0, CARDS_SHOWN).map(makeCard);
	return makeSection('changes', 'What changed, beyond chance', changed.length > 0 ? makeSideLegend() : make('p', { className: 'none' }, 'Nothing.'),
		make('div', { className: 'changes' }, cards), changed.length > cards.length ? make('p', { className: 'muted' }, `and ${formatCount(changed.length - cards.length)} more, in the table of all figures`) : null);
}

function makeVerdicts({ limits }) {
	return makeSection('verdicts', 'Limits', ...limits.map(limit => make('p', { className: `budget ${classOf(limit.verdict)}` },
		make('span', { className: 'line' }, makeVerdict(limit.verdict), make('b', { className: 'budget-name' }, limit.limit), make('span', { className: 'muted' },
			limit.reason?.replace(`${limit.limit} `, '') || `none of ${formatCount(limit.decided)} figures changed by more`)))));
}

/* --- all figures --- */

/* The change and its interval on an axis that all rows share: what is far away is nearer on it. */
function makeChangeBar(figure) {
	const at = percent => 50 + 50 * Math.sign(percent) * Math.min(1, Math.log1p(Math.abs(percent) / 5) / Math.log1p(40));
	if (figure.percent === null) {
		return make('span');
	}
	const from = at(figure.low ?? -200), to = at(figure.high ?? 200);
	return make('span', { className: `forest ${classOf(figure.verdict)}`, title: `${percentText(figure.percent)}, ${changeInterval(figure)}` }, make('span', { className: 'zero' }),
		figure.low === null && figure.high === null ? null : make('span', { className: 'reach', style: { left: `${from.toFixed(1)}%`, width: `${Math.max(0.5, to - from).toFixed(1)}%` } }),
		make('span', { className: 'point', style: { left: `${at(figure.percent).toFixed(1)}%` } }));
}

function makeFigures(model, figures, groupOfRow, table) {
	const figureOf = row => groupOfRow.get(row).figures.find(figure => figure.row === row);
	/* of what ran on neither side there is nothing to see */
	table.idle = new Set([...table.rows.keys()].filter(number => figureOf(table.rows[number]).sides.every(side => side.value === null)));
	table.idle_text = 'without a value';
	const count = make('span', { className: 'count' });
	const view = new TableView(model, table, {
		open: (from, row, element) => model.detail.open(table, row, view, element),
		updated: rows => { count.textContent = formatCount(rows); },
	});
	const number = (label, text, rank) => ({ label, name: label, full: label, isShown: true, isNumber: true, className: 'number', rank, make: row => text(figureOf(row)) });
	const replaced = ['unit', 'base', 'new', 'change_percent', 'low_percent', 'high_percent', 'verdict'];
	const own = [number('before', one => formatCell(one.sides[0].value, one.format), row => figureOf(row).sides[0].value),
		number('after', one => formatCell(one.sides[1].value, one.format), row => figureOf(row).sides[1].value),
		number('change', one => percentText(one.percent), row => figureOf(row).percent),
		{ label: '95 % interval', name: 'interval', full: '95 % interval', isShown: true, rank: row => figureOf(row).high, make: row => makeChangeBar(figureOf(row)) },
		{ label: 'verdict', name: 'verdict', full: 'verdict', isShown: true, className: '', rank: row => Object.keys(VERDICT_SIGNS).indexOf(figureOf(row).verdict), make: row => makeVerdict(figureOf(row).verdict) }];
	for (const column of view.columns) {
		column.isInCsv = replaced.includes(column.name); /* the numbers that are shown in another form */
		column.isShown = column.isShown && !replaced.includes(column.name) && !/_samples$/.test(column.name);
		column.label = column.label.replace(/^base_/, 'before ').replace(/^new_/, 'after ');
	}
	view.columns.push(...own);
	view.update();
	const section = makeSection('figures', 'All figures', make('p', { className: 'muted subtitle' }, 'Open one to see its distribution on both sides.'), view.element);
	section.querySelector('h2').append(' ', count);
	return { section, view };
}

class ComparisonDetail extends DetailView {
	constructor(model, element, groupOfRow) {
		super(model, element);
		this.groupOfRow = groupOfRow;
	}

	makeParts() {
		const group = this.groupOfRow.get(this.row);
		return [make('section', {}, makeSideLegend(), drawGroup(group)), make('section', {}, makeFigureTable(group.figures))];
	}
}

function showComparison(model) {
	const main = document.getElementById('main');
	const { comparison } = model;
	const { table, groups, groupOfRow } = readFigures(model);
	const figures = groups.flatMap(group => group.figures);
	const countOf = verdict => figures.filter(figure => figure.verdict === verdict).length;
	const alone = model.tables.find(other => other.name === 'rows_of_one_side');
	const worst = comparison.limits.reduce((most, { verdict }) => most === 'exceeded' || verdict === 'exceeded' ? 'exceeded' : verdict === 'undecided' ? verdict : most, 'kept');
	const list = paths => paths.length > 2 ? `${paths[0]} and ${paths.length - 1} more` : paths.join(', ');
	document.getElementById('subtitle').textContent = `${list(comparison.before)} → ${list(comparison.after)}`;
	model.detail = new ComparisonDetail(model, document.getElementById('detail'), groupOfRow);
	const sections = [...(comparison.limits.length > 0 ? [makeVerdicts(comparison)] : []), makeChanges(groups)];
	const views = [];
	if (alone.rows.length > 0) {
		const view = new TableView(model, alone, { updated: () => {} });
		views.push(view);
		sections.push(makeSection('rows_of_one_side', 'Missing on one side', view.element));
	}
	if (table.rows.length > 0) {
		const { section, view } = makeFigures(model, figures, groupOfRow, table);
		views.push(view);
		sections.push(section);
	}
	const tiles = [...(comparison.limits.length > 0 ? [make('div', { className: `tile verdict-tile ${{ exceeded: 'bad', undecided: 'doubtful', kept: 'good' }[worst]}` },
		make('b', {}, { exceeded: 'Exceeded', undecided: 'Undecided', kept: 'Kept' }[worst]), make('span', {}, 'all limits together'))] : []),
	makeTile(formatCount(countOf('changed')), `changed by ${comparison.least_percent} % or more, beyond chance`), makeTile(formatCount(countOf('unchanged')), 'did not change'),
	makeTile(formatCount(countOf('too few samples') + countOf('too few independent samples')), 'have too few samples', ''), makeTile(formatCount(alone.rows.length), 'rows missing on one side', '')];
	main.replaceChildren(...model.missing.map(text => make('p', { className: 'banner bad' }, make('b', {}, 'Partial: '), text)), make('div', { className: 'tiles' }, tiles),
		...(figures.length === 0 ? [make('p', { className: 'banner' }, 'Nothing in common: no row is on both sides.')] : []), ...sections);
	const search = document.getElementById('search');
	search.addEventListener('input', () => views.forEach(view => view.search(search.value.trim())));
	finishPage(sections, views);
	followAddress(model, (of, row) => model.detail.open(of, row, views.find(view => view.table === of) || null, null));
}

startPage(showComparison);
