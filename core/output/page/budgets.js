/* SPDX-License-Identifier: MIT */
/* The page of `check`: the verdict, then what is broken, undecided and kept, with the limits in their distributions. */

const CHECK_SECTIONS = [['broken', 'Broken'], ['undecided', 'Undecided'], ['kept', 'Kept']];

const allowedOf = limit => limit.at_most ?? limit.at_least;
const boundOf = limit => `${limit.at_most === undefined ? 'at least' : 'at most'} ${limit.allowed}`;
/* As in files of budgets: without the unit that a column is named after. */
const nameOf = limit => limit.limit.replace(/_(ns|hz|percent)$/, '');
const valueTextOf = limit => limit.value === null ? 'no value' : formatCell(limit.value, limit.format);

/* Why a limit has its verdict, where its value does not say that. */
function reasonOf(check, limit) {
	if (limit.has_fallen_silent) {
		return 'with the silence at the end';
	}
	if (limit.verdict === 'broken') {
		return limit.longest_at_ns !== null && limit.at_most !== undefined ? `the longest at ${formatMoment(limit.longest_at_ns, check.begin_ns)}` : '';
	}
	if (limit.verdict === 'kept') {
		return '';
	}
	return limit.value === null ? 'the recording has no value' : 'what the recording lost may have broken it';
}

/* How near a limit is: 1 is at it. */
function nearness(limit) {
	const allowed = allowedOf(limit);
	if (limit.value === null) {
		return -Infinity;
	}
	return limit.at_most === undefined ? (limit.value > 0 ? allowed / limit.value : Infinity) : allowed > 0 ? limit.value / allowed : limit.value > allowed ? Infinity : 1;
}

function makeLimits(check, limits) {
	const rows = limits.map(limit => make('tr', {},
		make('td', {}, makeVerdict(limit.verdict)), make('td', {}, nameOf(limit)), make('td', { className: `number ${limit.verdict === 'broken' ? 'bad' : ''}` }, valueTextOf(limit)),
		make('td', {}, boundOf(limit)), make('td', {}, limit.value === null ? null : makeUse(limit.value, allowedOf(limit), limit.verdict === 'broken')),
		make('td', { className: 'why' }, reasonOf(check, limit))));
	return make('table', { className: 'grid limits' },
		make('thead', {}, make('tr', {}, ['verdict', 'figure', 'value', 'limit', '', ''].map((text, i) => text ? make('th', { scope: 'col', className: i === 2 ? 'number' : '' }, text) : make('td')))),
		make('tbody', {}, rows));
}

/* Limits of one distribution are drawn into it together. */
function makeDistributions(limits) {
	const groups = new Map();
	for (const limit of limits.filter(other => other.distribution)) {
		const name = limit.limit.replace(/ [^ ]+$/, '');
		groups.has(name) ? groups.get(name).push(limit) : groups.set(name, [limit]);
	}
	return [...groups].map(([name, of]) => {
		const bars = decodeHistogram(of[0].distribution), total = bars.reduce((sum, bar) => sum + bar.count, 0);
		const figure = limit => limit.limit.slice(name.length + 1);
		const limitsIn = of.map(limit => ({ ns: allowedOf(limit), isLeast: limit.at_most === undefined, text: `${figure(limit)} ${boundOf(limit)}` }));
		const values = of.filter(limit => limit.value !== null).map(limit => ({ ns: limit.value, text: `${figure(limit)} ${valueTextOf(limit)}` }));
		const label = `${name}, ${formatCount(total)} samples: ${of.map(limit => `${figure(limit)} ${valueTextOf(limit)}, ${boundOf(limit)}`).join('; ')}`;
		return make('figure', {}, make('figcaption', {}, `${name} of ${formatCount(total)} samples, and the limits`),
			makeDistribution({ layers: [{ name: 'samples', bars }], limits: limitsIn, values, label }));
	});
}

function makeBudgetRow(check, row) {
	return make('div', { className: 'subject' }, make('h3', {}, makeRowName(row.row)), makeLimits(check, row.limits),
		make('div', { className: 'figures' }, makeDistributions(row.limits)));
}

/* What the line of a closed budget says: the limit that is nearest, or why there is none. */
function headlineOf(check, budget) {
	if (budget.reason) {
		return budget.reason;
	}
	const limits = budget.rows.flatMap(row => row.limits).filter(limit => limit.verdict === budget.verdict);
	const nearest = limits.reduce((most, limit) => nearness(limit) > nearness(most) ? limit : most, limits[0]);
	return nearest ? [`${nameOf(nearest)} ${valueTextOf(nearest)}, ${boundOf(nearest)}`, budget.verdict === 'undecided' ? reasonOf(check, nearest) : ''].filter(text => text).join(': ') : '';
}

function makeBudget(check, budget) {
	const count = budget.rows.length + budget.left_out;
	return makeDisclosure({ className: `budget ${classOf(budget.verdict)}`, open: budget.verdict === 'broken' }, [
		makeVerdict(budget.verdict), make('b', { className: 'budget-name' }, makeRowName(budget.budget)), make('span', { className: 'muted' }, headlineOf(check, budget)),
		make('span', { className: 'muted where' }, `${count <= 1 ? '' : `${formatCount(count)} rows · `}${budget.table}, line ${budget.line}`),
	], () => [...budget.rows.map(row => makeBudgetRow(check, row)),
		budget.left_out > 0 ? make('p', { className: 'muted' }, `and ${formatCount(budget.left_out)} more rows, none worse than these: --format=json has all`) : null].filter(part => part));
}

function showCheck({ check }) {
	const main = document.getElementById('main');
	const texts = new Map();
	const budgetsOf = verdict => check.budgets.filter(budget => budget.verdict === verdict);
	document.getElementById('subtitle').textContent = `${check.file} on ${check.recording}`;
	const tiles = CHECK_SECTIONS.map(([verdict, title]) => makeTile(formatCount(budgetsOf(verdict).length), title.toLowerCase(),
		budgetsOf(verdict).length === 0 ? '' : { broken: 'bad', undecided: 'doubtful', kept: 'good' }[verdict]));
	const sections = CHECK_SECTIONS.filter(([verdict]) => budgetsOf(verdict).length > 0).map(([verdict, title]) => {
		const budgets = budgetsOf(verdict).map(budget => {
			const element = makeBudget(check, budget);
			texts.set(element, `${budget.budget} ${budget.table} ${budget.rows.map(row => row.row).join(' ')}`);
			return element;
		});
		return makeSection(verdict, title, ...budgets);
	});
	main.replaceChildren(make('div', { className: 'tiles' }, make('div', { className: `tile verdict-tile ${{ broken: 'bad', undecided: 'doubtful', kept: 'good' }[check.verdict]}` },
		make('b', {}, { broken: 'Not kept', undecided: 'Undecided', kept: 'Kept' }[check.verdict]), make('span', {}, 'all budgets together')), ...tiles),
	...(check.losses ? [make('p', { className: 'banner bad' }, make('b', {}, 'The recording is incomplete: '), check.losses)] : []), ...sections);
	addFilter(texts, 'Search budgets: node, topic, …');
	finishPage(sections, []);
}

startPage(showCheck);
