/* SPDX-License-Identifier: MIT */
/*
 * The details of one row: over time, a histogram, its traversals, its worst instances with the threads around them, and how
 * to look at them in a timeline.
 */

class DetailView {
	constructor(model, element) {
		this.model = model;
		this.element = element;
		document.addEventListener('keydown', event => {
			if (event.key === 'Escape' && !element.hidden) {
				this.close();
			}
		});
		addEventListener('resize', () => this.redraw());
	}

	/* view: the table that was clicked in, or null; from: the element that gets the focus back */
	open(table, row, view, from) {
		if (this.view && this.view !== view) {
			this.view.select(null);
		}
		Object.assign(this, { table, row, view, from: from || document.activeElement, charts: [], tables: [] });
		if (view) {
			view.select(row);
		}
		this.command = makeCommand(timelineCommand(this.model, this.model.trace.begin_ns, this.model.trace.end_ns));
		this.element.replaceChildren(this.makeHead(), make('div', { className: 'detail-body' }, this.makeParts()));
		this.element.hidden = false;
		document.body.classList.add('has-detail');
		this.element.scrollTop = 0;
		showAddress(`${table.name}/${table.rows.indexOf(row)}`);
		this.redraw();
		this.tables.forEach(other => other.fit());
		this.element.querySelector('h2').focus({ preventScroll: true });
	}

	close() {
		this.element.hidden = true;
		document.body.classList.remove('has-detail');
		showAddress(this.table.name);
		if (this.view) {
			this.view.select(null);
		}
		const target = this.from && this.from.isConnected ? this.from : null;
		const focusable = target && (target.matches('button, a, [tabindex]') ? target : target.querySelector('.link'));
		if (focusable) {
			focusable.focus({ preventScroll: true });
		} else if (this.view) { /* the table has been drawn again */
			this.view.focusRow(this.row);
		}
	}

	redraw() {
		if (!this.element.hidden) {
			for (const chart of this.charts) {
				chart.draw();
			}
		}
	}

	step(direction) {
		const rows = this.view.rows;
		const index = rows.indexOf(this.row) + direction;
		if (rows[index]) {
			this.open(this.table, rows[index], this.view, this.from);
		}
	}

	makeHead() {
		const { table, row } = this;
		const texts = titleOf(table, row);
		const isPath = table.meant.has('path');
		const button = (text, label, act) => make('button', { type: 'button', className: 'small', ariaLabel: label, title: label, onclick: act }, text);
		return make('header', { className: 'detail-head' },
			make('div', {}, make('p', { className: 'muted' }, table.title),
				make('h2', { id: 'detail-title', tabIndex: -1 }, isPath ? makePath(valueOf(table, row, 'path')) : texts.map((text, i) => [i ? make('span', { className: 'to' }, ' · ') : null, text]))),
			make('div', { className: 'buttons' }, this.view ? [button('↑', 'Row above', () => this.step(-1)), button('↓', 'Row below', () => this.step(1))] : [],
				button('✕', 'Close', () => this.close())));
	}

	makeParts() {
		const parts = [this.makeFacts()];
		const { table, row, model } = this;
		for (const child of table.children.filter(other => hasHops(other) && !other.meant.has('rank'))) {
			const rows = rowsBelow(child, row[0]);
			if (rows.length > 0) {
				parts.push(make('section', {}, make('h3', {}, `${child.title}, on average`), makeLegend(), makeWaterfall(hopsOf(child, rows))));
			}
		}
		for (const series of table.series) {
			const own = series.byId.get(row[0]);
			if (own && own.pieces.some(count => count > 0)) {
				const chart = makeTimeChart(model, own, (from, to, isAll) => this.setRange(from, to, isAll));
				this.charts.push(chart);
				parts.push(make('section', {}, make('h3', {}, `${series.label.replace(/_/g, ' ')} over time`), chart));
				parts.push(make('section', {}, make('h3', {}, `how often, over time (${series.label.replace(/_/g, ' ')})`), makeRateChart(model, own)));
			}
		}
		table.statistics.forEach((name, i) => {
			const section = this.makeStatistic(name, i);
			if (section) {
				parts.push(section);
			}
		});
		parts.push(...this.makeFlows(), ...this.makeWorst(), ...this.makeChildren());
		if (this.charts.length > 0 || parts.length > 1) {
			parts.push(make('section', {}, make('h3', {}, 'Look at it in a timeline'), this.command,
				make('p', { className: 'muted' }, `${this.model.recordings.length > 0 ? '' : 'TRACE is the recording. '}Open the file in ui.perfetto.dev.`)));
		}
		return parts;
	}

	setRange(from, to, isAll) {
		const begin = this.model.trace.begin_ns;
		this.command.setCommand(isAll ? timelineCommand(this.model, begin, this.model.trace.end_ns) : timelineCommand(this.model, begin + from * 1e9, begin + to * 1e9));
	}

	makeFacts() {
		const { table, row } = this;
		const facts = table.columns.map((column, i) => ({ column, value: row[i] })).filter(({ column, value }) =>
			value !== null && !(value === 0 && column.role !== 'value') && !table.statistics.includes(column.heading) && column.means !== 'path' && !column.is_id);
		return make('dl', { className: 'facts' }, facts.map(({ column, value }) => {
			const text = formatCell(value, isName(column) ? 'id' : column.format, this.model.trace.begin_ns);
			const isLong = text.length > 28;
			return make('div', { className: isLong ? 'long' : '' }, make('dt', {}, column.full),
				make('dd', { className: column.means === 'lost' && value > 0 ? 'bad' : '' }, column.format === 'time' ? `${text} (${formatTime(value)})` : text));
		}));
	}

	makeStatistic(name, i) {
		const { table, row } = this;
		const columns = table.columns.map((column, j) => ({ column, value: row[j] })).filter(({ column, value }) => column.heading === name && value !== null);
		const histogram = table.histograms[table.rows.indexOf(row)];
		if (columns.length === 0 || !histogram || histogram[i].length === 0) {
			return null;
		}
		const marks = columns.filter(({ column }) => /^p\d+$/.test(column.label) && column.label.length < 4).map(({ column, value }) => [column.label, value]);
		return make('section', {}, make('h3', {}, `${name.replace(/_/g, ' ')}: how often each came`), makeHistogram(decodeHistogram(histogram[i]), marks, name),
			make('dl', { className: 'numbers' }, columns.filter(({ column }) => column.label !== 'sum').map(({ column, value }) =>
				make('div', {}, make('dt', {}, column.label.replace(/_/g, ' ')), make('dd', {}, formatCell(value, column.format, this.model.trace.begin_ns))))));
	}

	/* A moment, with a button that makes its command. */
	makeMoment(atNs, durationNs) {
		return make('button', { type: 'button', className: 'small', title: 'The command for a timeline of this moment', onclick: () => {
			this.command.setCommand(timelineCommand(this.model, atNs, atNs + Math.max(0, durationNs)));
			this.command.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
			this.command.classList.add('flash');
			setTimeout(() => this.command.classList.remove('flash'), 1200);
			announce('The command below shows this moment');
		} }, 'timeline');
	}

	/* Its traversals one by one. */
	makeFlows() {
		const { table, row, model } = this;
		const hops = table.children.find(child => hasHops(child) && !child.meant.has('rank'));
		return table.flows.flatMap(flow => {
			const own = flow.byId.get(row[0]);
			if (!own && flow.without_room > 0 && hops) {
				return make('p', { className: 'muted' }, 'Of a system this large, the page has single traversals only of some of the slowest paths.');
			}
			if (!own || own.traversals.length === 0 || !hops) {
				return [];
			}
			const names = rowsBelow(hops, row[0]).map(hop => ({ node: valueOf(hops, hop, 'node'), topic: valueOf(hops, hop, 'topic') }));
			const section = (title, chart, legend) => {
				this.charts.push(chart);
				return make('section', {}, make('h3', {}, title), legend, chart);
			};
			return [section('message flow', makeMessageFlow(model, flow, own, names), null),
				section('where the time went, traversal by traversal', makeStackedHops(model, flow, own, names), makeLegend())];
		});
	}

	/* The messages that waited for executions within an instance: of a traversal those of its hops, of a message itself. */
	waitsOf(instance, window) {
		const { table, row } = this;
		for (const flow of table.flows) {
			const own = flow.byId.get(row[0]);
			const traversal = own && decodeTraversals(flow, own).find(({ begin, latency }) => begin === window.at && latency === window.length);
			if (traversal) {
				return traversal.hops.filter(({ publish, start }) => publish !== null && start !== null).map(({ publish, start }) => ({ from: publish, to: start, start }));
			}
		}
		return table.subject === 'messages' ? [{ from: 0, to: instance.duration, start: instance.duration }] : [];
	}

	makeThreads() {
		const { table, row, model } = this;
		const instances = [], seen = new Set();
		for (const series of table.series) {
			for (const [at, duration, window] of series.byId.get(row[0])?.worst ?? []) {
				if (window !== undefined && !seen.has(window) && model.threads.windows[window].parts.length > 0) {
					seen.add(window);
					instances.push({ duration, window, text: `${formatDuration(duration)} ${series.label.replace(/_/g, ' ')} at ${formatMoment(at, model.trace.begin_ns)}` });
				}
			}
		}
		this.threads = null;
		if (instances.length === 0) {
			return [];
		}
		const chart = makeThreadChart(model, instances, (which, window) => this.waitsOf(instances[which], window));
		this.threads = { chart, of: new Map(instances.map(({ window }, i) => [window, i])) };
		this.charts.push(chart);
		chart.show(0);
		return [make('section', { className: 'threads' }, make('h3', {}, 'The threads around it'), chart)];
	}

	/* Shows the threads around an instance. */
	makeThreadsButton(window) {
		return this.threads && this.threads.of.has(window) ? make('button', { type: 'button', className: 'small', title: 'What its threads did', onclick: () => {
			this.threads.chart.show(this.threads.of.get(window));
			this.element.querySelector('.threads').scrollIntoView({ block: 'nearest', behavior: 'smooth' });
			this.threads.chart.querySelector('select').focus({ preventScroll: true });
		} }, 'threads') : null;
	}

	makeWorst() {
		const { table, row, model } = this;
		const threads = this.makeThreads();
		const hops = table.children.find(child => hasHops(child) && child.meant.has('rank'));
		const sections = [];
		for (const series of table.series) {
			const own = series.byId.get(row[0]);
			if (!own) {
				continue;
			}
			const longest = own.worst.length > 0 ? own.worst[0][1] : 0;
			sections.push(make('section', {}, make('h3', {}, `Worst: ${series.label.replace(/_/g, ' ')}`), hops ? makeLegend() : null, make('div', { className: 'scroller', tabIndex: 0, role: 'region', ariaLabel: `Worst: ${series.label.replace(/_/g, ' ')}` },
				make('table', { className: 'grid worst' },
					make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'at'), make('th', { scope: 'col', className: 'number' }, series.label.replace(/_/g, ' ')), make('td'), make('td'))),
					make('tbody', {}, own.worst.map(([at, duration, window], i) => {
						const below = hops ? rowsBelow(hops, row[0]).filter(other => valueOf(hops, other, 'rank') === i + 1) : [];
						const bar = below.length > 0 ? makeHopBar(hopsOf(hops, below), duration / longest)
							: make('span', { className: 'plain-bar', style: { width: `${longest > 0 ? Math.max(0, 100 * duration / longest) : 0}%` } });
						return make('tr', {}, make('td', {}, formatMoment(at, model.trace.begin_ns)), make('td', { className: 'number' }, formatDuration(duration)),
							make('td', { className: 'wide' }, bar), make('td', { className: 'acts' }, this.makeThreadsButton(window), ' ', this.makeMoment(at, duration)));
					}))))));
			sections.push(...threads.splice(0));
			const slowest = hops ? rowsBelow(hops, row[0]).filter(other => valueOf(hops, other, 'rank') === 1) : [];
			if (slowest.length > 0) {
				sections.push(make('section', {}, make('h3', {}, `The slowest one, at ${formatMoment(own.worst[0][0], model.trace.begin_ns)}, hop by hop`), makeWaterfall(hopsOf(hops, slowest))));
			}
		}
		return sections;
	}

	/* Other tables about this row; the tables of the worst are above already. */
	makeChildren() {
		const { table, row, model } = this;
		return table.children.filter(child => !child.meant.has('rank')).map(child => ({ child, rows: rowsBelow(child, row[0]) }))
			.filter(({ rows }) => rows.length > 0).map(({ child, rows }) => {
				const part = { ...child, rows, hidden: new Set(), idle: new Set() };
				const view = new TableView(model, part, { isBrief: true, pageSize: 100 });
				this.tables.push(view);
				return make('section', {}, make('h3', {}, child.title), view.element);
			});
	}
}
