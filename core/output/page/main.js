/* SPDX-License-Identifier: MIT */
/* The page: what is wrong first, then the system, then all tables. */

const state = { views: [], briefs: [], detail: null, graph: null };

function shortTitle(table) {
	const name = table.name.replace(/_/g, ' ');
	return name[0].toUpperCase() + name.slice(1);
}

function longTitle(table) {
	const title = shortTitle(table);
	const rest = table.title.startsWith(`${title}: `) ? table.title.slice(title.length + 2) : table.title;
	return { title, subtitle: table.title.toLowerCase() === title.toLowerCase() ? '' : rest[0].toUpperCase() + rest.slice(1) };
}

/* --- what it is about --- */

function makeSubtitle({ trace }) {
	const things = [[trace.nodes, 'node'], [trace.topics, 'topic']].filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`);
	const parts = [trace.hosts.join(', '), things.join(', ')];
	if (trace.begin_ns !== null) {
		parts.push(`${formatDuration(trace.end_ns - trace.begin_ns)} from ${formatTime(trace.begin_ns).replace(/\.\d+/, '')}`);
	}
	if (trace.tracetools.length > 0) {
		parts.push(`tracetools ${trace.tracetools.map(({ version, release }) => version + (release ? ` (${release})` : '')).join(', ')}`);
	}
	return parts.filter(part => part).join(' · ');
}

/* What is of hidden names, and so in no row that a table lists at first. */
function textOfHidden(count) {
	return count > 0 ? `; ${formatCount(count)} more of hidden names` : '';
}

/* The sum over the rows that a table lists at first, as the reader can add up. */
function makeSumTile(table, name, label) {
	const sum = sumOf(table, name, true);
	return makeTile(formatCount(sum), label + textOfHidden(sumOf(table, name) - sum));
}

/* Good is only what is certain: that of no message it is unknown whether it was lost. */
function makeLostTile(communications) {
	const [published, lost, unknown] = ['sent', 'lost', 'unknown'].map(name => sumOf(communications, name, true));
	const isKnown = communications.rows.some(row => valueOf(communications, row, 'lost') !== null) || published === 0;
	const label = (isKnown ? 'messages lost' : 'lost messages: not recorded') + (lost > 0 ? `, ${formatPercent(100 * lost / published)}` : '') +
		(unknown > 0 ? `; of ${formatCount(unknown)} it is unknown` : '') + textOfHidden(sumOf(communications, 'lost') - lost);
	return makeTile(isKnown ? formatCount(lost) : '?', label, lost > 0 ? 'bad' : isKnown && unknown === 0 ? 'good' : '');
}

function makeTiles(model) {
	const { trace } = model;
	const callbacks = model.about.get('callbacks'), communications = model.about.get('messages'), paths = model.about.get('paths');
	const tiles = [];
	if (trace.begin_ns !== null) {
		tiles.push(makeTile(formatDuration(trace.end_ns - trace.begin_ns), 'recorded'));
	}
	tiles.push(makeTile(formatCount(trace.processes), trace.processes === 1 ? 'process' : 'processes'));
	if (callbacks) {
		tiles.push(makeSumTile(callbacks, 'count', 'callback executions'));
	}
	if (communications) {
		tiles.push(makeSumTile(communications, 'received', 'messages received'));
		tiles.push(makeLostTile(communications));
	}
	if (paths && paths.rows.length > 0) {
		const visible = paths.rows.filter((row, number) => !paths.hidden.has(number)).length + (paths.lacking ? paths.lacking.others : 0);
		tiles.push(makeTile(formatCount(visible), 'paths end to end'));
	}
	return make('div', { className: 'tiles' }, tiles);
}

/* --- what is wrong first --- */

function makeFindings(model) {
	const summaries = model.tables.filter(table => table.summary > 0 && table.rows.length > 0).sort((a, b) => a.summary - b.summary);
	const lines = summaries.filter(table => table.columns.length === 1);
	const cards = summaries.filter(table => table.columns.length > 1).map(table => {
		const open = (view, target, from) => state.detail.open(target.table, target.row, state.viewOf.get(target.table) || null, from);
		open.target = row => rowOfSummary(model, table, row);
		const view = new TableView(model, table, { isBrief: true, pageSize: 100, open });
		state.briefs.push(view);
		const isWide = table.columns.filter(column => column.format === 'name').length > 1 || table.columns.length > 7;
		return make('div', { className: `finding ${isWide ? 'wide' : ''}` }, make('h3', {}, table.title), view.element);
	});
	/* Findings come first, gaps of the trace last. */
	const isLast = table => table.subject === 'gaps';
	const hasSection = name => model.tables.some(table => table.name === name && table.rows.length > 0);
	const title = table => hasSection(table.selection) ? make('a', { href: `#${table.selection}` }, table.title) : table.title;
	const linesOf = tables => tables.flatMap(table => table.rows.map(row => make('p', {}, make('b', {}, title(table), ': '), row[0])));
	const found = linesOf(lines.filter(table => !isLast(table)));
	return makeSection('findings', 'Look here first', make('div', { className: 'found' }, found), make('div', { className: 'findings' }, cards.length + found.length > 0 ? cards : make('p', { className: 'none' }, 'Nothing stands out.')),
		make('div', { className: 'lines' }, linesOf(lines.filter(isLast))));
}

/* --- tables --- */

function makeTableSection(model, table) {
	const { title, subtitle } = longTitle(table);
	const canOpen = table.statistics.length > 0 || table.series.length > 0 || table.children.length > 0;
	const count = make('span', { className: 'count' });
	const columns = hopColumn(table);
	const view = new TableView(model, table, {
		open: canOpen ? (from, row, element) => state.detail.open(table, row, view, element) : null,
		updated: rows => { count.textContent = formatCount(rows); },
	});
	if (columns.length > 0) {
		const at = view.columns.findIndex(column => column.means === 'path') + 1;
		view.columns.splice(at, 0, { isShown: true, name: columns[0].label, ...columns[0] });
		view.update();
	}
	state.views.push(view);
	state.viewOf.set(table, view);
	const section = makeSection(table.name, title, subtitle ? make('p', { className: 'muted subtitle' }, subtitle) : null, columns.length > 0 ? makeLegend('Longer bar: longer mean (square root)') : null, view.element);
	section.querySelector('h2').append(' ', count);
	return section;
}

/* --- the page --- */

function addSearch() {
	const search = document.getElementById('search'), result = document.getElementById('result');
	let timer = 0, next = 0;
	const found = () => state.views.filter(view => view.rows.length > 0 && view.table.rows.length > 0);
	const go = view => {
		document.getElementById(view.table.name).scrollIntoView();
		(view.body.querySelector('.link') || view.scroller).focus({ preventScroll: true });
	};
	const run = () => {
		const words = search.value.trim();
		state.views.forEach(view => view.search(words));
		state.graph?.search(words);
		next = 0;
		result.hidden = words === '';
		result.replaceChildren(...(words === '' ? [] : found().length === 0 ? ['Nothing is found.'] : ['Found in ', found().map((view, i) => [i > 0 ? ', ' : '',
			make('button', { type: 'button', className: 'found-in', onclick: () => go(view) }, `${shortTitle(view.table)} ${formatCount(view.rows.length)}`)]).flat(), make('span', { className: 'hint' }, '. Enter goes there.')].flat()));
	};
	/* Enter: to the first table with such a row; again, from the search: to the next one */
	search.addEventListener('keydown', event => {
		if (event.key === 'Enter') {
			event.preventDefault(); /* it is not meant for the row that gets the focus */
			clearTimeout(timer);
			const before = next;
			run();
			const views = search.value.trim() === '' ? [] : found();
			if (views.length > 0) {
				go(views[before % views.length]);
				next = before + 1;
			}
		} else if (event.key === 'Escape' && search.value !== '') {
			search.value = '';
			run();
		}
	});
	search.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(run, 120);
	});
	document.addEventListener('keydown', event => {
		if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
			event.preventDefault();
			search.focus();
		}
	});
	return words => {
		search.value = words;
		run();
	};
}

/* Shows what there is so far before the next work begins. */
const untilDrawn = () => new Promise(resolve => (document.hidden ? resolve : () => requestAnimationFrame(() => setTimeout(resolve, 0)))());

/* What stands out is seen first, before the tables are made, and these before the graph is laid out. */
async function showPage(model) {
	const main = document.getElementById('main');
	state.viewOf = new Map();
	state.detail = new DetailView(model, document.getElementById('detail'));
	document.getElementById('subtitle').textContent = makeSubtitle(model);
	const banners = [...model.missing.map(text => make('p', { className: 'banner bad' }, make('b', {}, 'Partial: '), text)),
		...(model.trace.begin_ns === null ? [make('p', { className: 'banner' }, 'The recording holds no event of ROS 2.')] : [])];
	const findings = makeFindings(model);
	main.replaceChildren(...banners, makeTiles(model), findings);
	state.briefs.forEach(view => view.fit());
	await untilDrawn();
	performance.mark('first rows');

	const search = addSearch();
	const communications = model.about.get('messages');
	const graph = communications ? makeGraph(model, search, row => state.detail.open(communications, row, state.viewOf.get(communications), null)) : null;
	state.graph = graph;
	/* as they were written, what the trace lacks last */
	const tables = model.tables.filter(table => !table.summary && !table.parent).sort((a, b) => (a.subject === 'gaps') - (b.subject === 'gaps'));
	const sections = [...(graph ? [makeSection('graph', 'Nodes and topics', graph)] : []), ...tables.filter(table => table.rows.length > 0).map(table => makeTableSection(model, table))];
	main.append(...sections);
	addNavigation([findings, ...sections]);
	addExplanations();
	addTheme(() => state.detail.redraw());
	addPrinting(state.views);
	fitTables(() => [...state.views, ...state.briefs]);
	if (graph) {
		await untilDrawn();
		graph.start();
	}
	followAddress(model, (table, row) => state.detail.open(table, row, state.viewOf.get(table) || null, null));
}

startPage(showPage);
