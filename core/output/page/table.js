/* SPDX-License-Identifier: MIT */
/*
 * A table of any schema: sorted by any column, filtered by words and comparisons, in pages, so that only visible rows
 * are in the document. A row opens its details.
 */

const PAGE_SIZES = [15, 50, 200];
/* The longest texts of a cell, in characters: a name, and a text that wraps in the text report as well. */
const NAME_LENGTH = 60;
const SENTENCE_LENGTH = 240;

class TableView {
	/* options: open(view, row, element), updated(count), pageSize, isBrief: without controls */
	constructor(model, table, options) {
		this.model = model;
		this.table = table;
		this.options = options;
		this.columns = this.chooseColumns();
		this.page = 0;
		this.pageSize = options.pageSize || PAGE_SIZES[0];
		this.shows = { hidden: false, idle: false };
		this.words = '';
		this.everywhere = '';
		this.foldsBy = table.subject === 'messages' && !options.isBrief ? 'topic' : null;
		this.opened = new Set(); /* names whose rows are not folded */
		const ranked = this.columns.findIndex(column => column.ranks);
		this.sort = options.isBrief ? null : { column: this.columns[ranked], isDown: true };
		this.element = make('div', { className: 'table-view' });
		this.body = make('tbody');
		this.head = make('thead');
		this.grid = make('table', { className: 'grid' }, make('caption', { className: 'sr' }, table.title), this.head, this.body);
		this.scroller = make('div', { className: 'scroller', tabIndex: 0, role: 'region', ariaLabel: table.title }, this.grid);
		this.rest = make('button', { type: 'button', className: 'small rest', hidden: true, onclick: () => { this.showsAll = true; this.update(); this.scroller.focus(); } });
		this.element.append(...(options.isBrief ? [this.scroller, this.rest] : [this.makeToolbar(), this.scroller, this.makePager()]));
		this.body.addEventListener('keydown', event => this.moveFocus(event));
		this.update();
	}

	/* The visible columns: without ids, sums, what is empty in all rows, and, as in text, rare things that never happened. */
	chooseColumns() {
		const { table } = this;
		const headline = table.columns.reduce((last, column, i) => column.role === 'group' ? i : last, -1);
		const isConstant = i => table.rows.every(row => row[i] === table.rows[0][i]);
		const isWorth = i => table.rows.some(row => row[i] !== null && (!table.columns[i].only_if_any || row[i] > 0 || typeof row[i] === 'string'));
		const isShown = i => (table.columns[i].role === 'value' || i === headline || (table.columns[i].means === 'host' && !table.columns[i].side && table.columns[i].role !== 'hidden' && !isConstant(i))) && isWorth(i);
		const needed = columnsThatTellApart(table, isShown);
		const columns = table.columns.map((column, i) => ({
			...column, i, value: row => row[i],
			isNumber: table.rows.some(row => typeof row[i] === 'number') && table.rows.every(row => typeof row[i] !== 'string'),
			max: column.ranks ? table.rows.reduce((max, row) => Math.max(max, row[i] || 0), 0) : 0,
			isShown: isShown(i) || needed.has(i),
		}));
		/* in a headline the last column comes first, as in text */
		const groups = columns.filter(column => column.role === 'group').reverse();
		const others = columns.filter(column => column.role !== 'group');
		const value = others.findIndex((column, i) => i > 0 && isShown(column.i) && !column.is_name && column.format !== 'name' && !column.tells_apart);
		const apart = others.filter((column, i) => needed.has(column.i) && i > value && value >= 0);
		return [...groups, ...others.slice(0, Math.max(value, 0)), ...apart, ...others.slice(Math.max(value, 0)).filter(column => !apart.includes(column))];
	}

	shownColumns() {
		return this.columns.filter(column => column.isShown && !column.isLeftOut);
	}

	/* --- which rows --- */

	matcher() {
		const tests = [];
		this.unknownColumn = '';
		for (const word of `${this.words} ${this.everywhere}`.toLowerCase().match(/\S+/g) || []) {
			const comparison = /^([^<>=]+)(<=|>=|<|>|=)(.+)$/.exec(word);
			const column = comparison && this.findColumn(comparison[1]);
			const limit = comparison && parseQuantity(comparison[3]);
			if (comparison && !column && !Number.isNaN(limit) && this.words.toLowerCase().includes(word)) {
				this.unknownColumn = comparison[1];
			}
			if (column && !Number.isNaN(limit)) {
				const operators = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '=': (a, b) => a === b };
				tests.push(row => row[column.i] !== null && operators[comparison[2]](row[column.i], limit));
			} else if (word.startsWith('-') && word.length > 1) {
				tests.push(row => !this.textOf(row).includes(word.slice(1)));
			} else {
				tests.push(row => this.textOf(row).includes(word));
			}
		}
		return row => tests.every(test => test(row));
	}

	findColumn(name) {
		const columns = this.table.columns.map((column, i) => ({ ...column, i }));
		return columns.find(column => [column.name, column.name.replace(/_ns$/, ''), column.label,
			`${column.heading}.${column.label}`].some(text => text.toLowerCase() === name));
	}

	textOf(row) {
		this.texts = this.texts || new Map();
		let text = this.texts.get(row);
		if (text === undefined) {
			text = row.map((value, i) => typeof value === 'string' ? value
				: this.table.columns[i].means === 'source' ? formatCell(value, 'duration') : '').join(' ').toLowerCase();
			this.texts.set(row, text);
		}
		return text;
	}

	chooseRows() {
		const { table, shows } = this;
		const matches = this.matcher();
		const isSearch = this.words !== '' || this.everywhere !== '';
		let rows = [];
		this.left = { hidden: 0, idle: 0 };
		table.rows.forEach((row, number) => {
			if (!matches(row)) {
				return;
			}
			if (table.idle.has(number) && !shows.idle && !isSearch) {
				this.left.idle++;
			} else if (table.hidden.has(number) && !shows.hidden && !isSearch) {
				this.left.hidden++;
			} else {
				rows.push(row);
			}
		});
		if (this.sort && this.sort.column) {
			const { column, isDown } = this.sort;
			const rank = column.rank || column.value;
			const sign = isDown ? -1 : 1;
			rows = rows.map(row => [rank(row), row]).sort(([a], [b]) => compareValues(a, b, sign)).map(([, row]) => row);
		}
		return rows;
	}

	/* --- what is drawn --- */

	update() {
		this.rows = this.chooseRows();
		this.lines = this.foldsBy === null || this.words !== '' || this.everywhere !== '' ? this.rows : foldRows(this.rows, row => valueOf(this.table, row, this.foldsBy), this.opened);
		this.page = Math.min(this.page, Math.max(0, Math.ceil(this.lines.length / this.pageSize) - 1));
		this.fit();
		this.scroller.hidden = this.rows.length === 0 && this.words === '' && this.everywhere === '';
		if (!this.options.isBrief) {
			this.drawPager();
		}
		if (this.options.updated) {
			this.options.updated(this.rows.length);
		}
	}

	/*
	 * Draws as many columns as there is room for: no number is cut off. The first one and the one that ranks rows stay; the
	 * first to go are numbers of other things than that one is about, from the end.
	 */
	fit() {
		if (!this.scroller.isConnected) { /* it is drawn once it has a width */
			return;
		}
		const columns = this.columns.filter(column => column.isShown);
		const isCard = matchMedia('(max-width: 560px)').matches;
		const focused = this.body.contains(document.activeElement) ? document.activeElement.closest('tr').row : null;
		columns.forEach(column => { column.isLeftOut = false; });
		this.drawHead();
		this.drawBody();
		const heading = columns.find(column => column.ranks)?.heading;
		const worth = column => column.isNumber && !['count', 'sent', 'lost', 'missed'].includes(column.means) && !(heading && column.heading === heading) ? 0
			: ['kind', 'host'].includes(column.means) ? 1 : 2;
		const last = columns.filter((column, i) => i > 0 && !column.ranks && !(this.sort && this.sort.column === column)).reverse()
			.sort((a, b) => worth(a) - worth(b));
		while (!isCard && !this.showsAll && last.length > 0 && this.scroller.clientWidth > 0 && this.scroller.scrollWidth > this.scroller.clientWidth) {
			/* as many as are too wide together, so that the table is laid out only two or three times */
			const widths = new Map(this.shownColumns().map((column, i) => [column, this.head.lastChild.children[i].offsetWidth]));
			for (let over = this.scroller.scrollWidth - this.scroller.clientWidth; over > 0 && last.length > 0;) {
				const column = last.shift();
				column.isLeftOut = true;
				over -= widths.get(column);
			}
			this.drawHead();
			this.drawBody();
		}
		this.drawRest(columns.filter(column => column.isLeftOut));
		if (focused) {
			this.focusRow(focused);
		}
	}

	focusRow(row) {
		const element = [...this.body.children].find(other => other.row === row);
		element?.querySelector('.link')?.focus({ preventScroll: true });
	}

	/* What there is no room for. */
	drawRest(left) {
		this.rest.hidden = left.length === 0;
		this.rest.textContent = `+ ${left.length} column${left.length === 1 ? '' : 's'}`;
		this.rest.title = left.map(column => column.full || column.label).join(', ');
		this.rest.ariaLabel = `Show ${this.rest.title}, too`;
	}

	drawHead() {
		const columns = this.shownColumns();
		const rows = [];
		if (columns.some(column => column.heading)) {
			const cells = [];
			for (let i = 0; i < columns.length;) {
				let end = i + 1;
				while (end < columns.length && columns[end].heading === columns[i].heading) {
					end++;
				}
				cells.push(columns[i].heading ? make('th', { colSpan: end - i, scope: 'colgroup', className: 'group' }, columns[i].heading.replace(/_/g, ' '))
					: make('td', { colSpan: end - i }));
				i = end;
			}
			rows.push(make('tr', {}, cells));
		}
		rows.push(make('tr', {}, columns.map((column, i) => this.makeHeadCell(column, columns[i - 1]))));
		this.head.replaceChildren(...rows);
	}

	makeHeadCell(column, before) {
		const heading = column.heading ? `${column.heading.replace(/_/g, ' ')} ` : ''; /* on a phone, headings are not above */
		const className = `${column.isNumber ? 'number' : ''} ${column.heading && (!before || before.heading !== column.heading) ? 'first' : ''}`;
		if (this.options.isBrief) {
			const isOrder = column.name === this.table.order;
			const cell = make('th', { scope: 'col', className, 'data-about': aboutColumn(this.table, column) }, column.label.replace(/_/g, ' '), isOrder ? make('span', { className: 'arrow', ariaHidden: 'true' }, ' ↓') : null);
			return isOrder ? Object.assign(cell, { ariaSort: 'descending' }) : cell;
		}
		const isSorted = this.sort && this.sort.column === column;
		const cell = make('th', { scope: 'col', className }, make('button', {
			type: 'button', className: 'sort', onclick: () => this.sortBy(column),
			ariaLabel: `${column.full || column.label}, sort`, 'data-of': heading, 'data-about': aboutColumn(this.table, column), 'aria-description': aboutColumn(this.table, column),
		}, column.label.replace(/_/g, ' '), make('span', { className: 'arrow', ariaHidden: 'true' }, isSorted ? (this.sort.isDown ? ' ↓' : ' ↑') : '')));
		cell.setAttribute('aria-sort', isSorted ? (this.sort.isDown ? 'descending' : 'ascending') : 'none');
		return cell;
	}

	sortBy(column) {
		const isDown = this.sort && this.sort.column === column ? !this.sort.isDown : column.isNumber || Boolean(column.rank);
		this.sort = { column, isDown };
		this.page = 0;
		this.update();
		const index = this.shownColumns().indexOf(column);
		this.head.lastChild.children[index].querySelector('button').focus();
		announce(`Sorted by ${column.label}, ${isDown ? 'largest' : 'smallest'} first`);
	}

	drawBody() {
		const columns = this.shownColumns();
		const start = this.page * this.pageSize;
		const elements = this.lines.slice(start, start + this.pageSize).map(line => Array.isArray(line) ? this.makeRow(line, columns) : this.makeFold(line, columns));
		if (elements.length === 0) {
			elements.push(make('tr', {}, make('td', { colSpan: Math.max(1, columns.length), className: 'none' },
				this.table.rows.length === 0 ? 'Nothing.' : this.unknownColumn ? `No column is called “${this.unknownColumn}”.` : 'No row matches.')));
		}
		this.body.replaceChildren(...elements);
	}

	/* The rows of a name that are left out, until they are asked for; the focus is then on the first of them. */
	makeFold({ name, left }, columns) {
		const open = () => {
			const index = this.lines.findIndex(line => line.name === name);
			this.opened.add(name);
			this.update();
			this.focusRow(this.lines[index]);
		};
		return make('tr', { className: 'fold' }, make('td', { colSpan: Math.max(1, columns.length), className: 'names' },
			make('button', { type: 'button', className: 'small link', onclick: open }, `${formatCount(left)} more of ${name}`)));
	}

	makeRow(row, columns) {
		const { open } = this.options;
		const target = open && open.target ? open.target(row) : row;
		const element = make('tr', open && target ? { className: 'opens', onclick: event => {
			if (event.ctrlKey || event.metaKey || event.shiftKey) { /* in another tab or window */
				return;
			}
			event.preventDefault();
			if (!getSelection().toString() || event.detail === 0) {
				open(this, target, element);
			}
		} } : {});
		let isFirst = true;
		columns.forEach((column, i) => {
			const cell = this.makeCell(column, row, columns[i - 1]);
			cell.dataset.label = (column.full || column.label).replace(/_/g, ' ');
			if (isFirst && open && target && !column.make && cell.textContent) {
				cell.replaceChildren(makeRowLink(target.table ?? this.table, target.row ?? target, cell.childNodes));
				isFirst = false;
			}
			element.append(cell);
		});
		if (this.selected === row) {
			element.classList.add('selected');
		}
		element.row = row;
		return element;
	}

	makeCell(column, row, before) {
		const first = column.heading && (!before || before.heading !== column.heading) ? ' first' : '';
		if (column.make) {
			return make('td', { className: `${column.className ?? 'custom'}${first}` }, column.make(row));
		}
		let value = row[column.i], format = column.format;
		let isSubstitute = false;
		for (let i = column.i; value === null && this.table.columns[i].next_if_empty && i + 1 < row.length; i++) {
			value = row[i + 1];
			format = this.table.columns[i + 1].format;
			isSubstitute = true;
		}
		if (value === null && column.means === 'node' && !column.side && valueOf(this.table, row, 'process_name')) {
			value = `[${valueOf(this.table, row, 'process_name')}]`;
			isSubstitute = true;
		}
		if (value === null && column.if_empty) {
			value = column.if_empty;
			isSubstitute = true;
		}
		const text = formatCell(value, isName(column) ? 'id' : format, this.model.trace.begin_ns);
		if (typeof value === 'number' && column.isNumber) {
			const isBad = (column.means === 'lost' || column.means === 'missed') && value > 0;
			const cell = make('td', { className: `number${first}${isBad ? ' bad' : ''}` }, text);
			if (column.ranks && column.max > 0) {
				cell.classList.add('barred');
				cell.style.setProperty('--share', `${Math.max(0, Math.min(100, 100 * value / column.max)).toFixed(1)}%`);
			}
			return cell;
		}
		if (column.means === 'path') {
			return make('td', { className: 'names', title: text }, makePath(text, PATH_NAMES));
		}
		if (['state', 'kind'].includes(column.means) && text) {
			return make('td', {}, make('span', { className: `tag ${/^[a-z_]+$/.test(text) ? text : ''}` }, text.replace(/_/g, ' ')));
		}
		const shown = shorten(text, column.wraps ? SENTENCE_LENGTH : NAME_LENGTH);
		const hasNames = column.format === 'name' || text.includes('/');
		return make('td', { className: `${isSubstitute ? 'muted' : ''}${hasNames ? ' names' : ''}`, title: shown === text ? '' : text }, hasNames ? makeName(shown) : shown);
	}

	/* --- controls --- */

	makeToolbar() {
		const { table } = this;
		const filter = make('input', { type: 'search', placeholder: 'Filter: /planner  -rosout  p99>5ms', ariaLabel: `Filter ${table.title}`,
			autocomplete: 'off', spellcheck: false, oninput: () => { this.words = filter.value.trim(); this.page = 0; this.update(); } });
		const toggles = [];
		const addToggle = (key, set, text) => {
			if (set.size > 0) {
				const box = make('input', { type: 'checkbox', onchange: () => { this.shows[key] = box.checked; this.update(); } });
				toggles.push(make('label', { className: 'toggle' }, box, ` ${text} `, make('span', { className: 'muted' }, `(${formatCount(set.size)})`)));
			}
		};
		addToggle('hidden', table.hidden, 'hidden names');
		addToggle('idle', table.idle, table.idle_text || 'idle');
		filter.hidden = table.rows.length < 6;
		const csv = make('button', { type: 'button', className: 'small', title: 'Save the rows of this filter and order, with the columns shown', ariaLabel: `Save ${table.title} as CSV`,
			onclick: () => saveText(`${table.name}.csv`, 'text/csv', this.csv()) }, 'CSV');
		return make('div', { className: 'toolbar' }, filter, ...toggles, make('span', { className: 'space' }), this.rest, this.makeColumnMenu(), csv);
	}

	/* The rows as filtered and sorted, on all pages, with the shown columns: names and values as in --format=csv. */
	csv() {
		const columns = this.columns.filter(column => column.i !== undefined && (column.isShown || column.isInCsv));
		const line = cells => `${cells.map(csvCell).join(',')}\n`;
		return line(columns.map(column => column.name)) + this.rows.map(row => line(columns.map(column => row[column.i]))).join('');
	}

	makeColumnMenu() {
		const list = make('div', { className: 'menu' }, this.columns.filter(column => column.i !== undefined).map(column => {
			const box = make('input', { type: 'checkbox', checked: column.isShown, onchange: () => { column.isShown = box.checked; this.showsAll = this.showsAll || box.checked; this.update(); } });
			return make('label', {}, box, ` ${column.full}`);
		}));
		const menu = make('details', { className: 'columns' }, make('summary', {}, 'Columns'), list);
		menu.addEventListener('keydown', event => {
			if (event.key === 'Escape' && menu.open) {
				menu.open = false;
				menu.firstChild.focus();
				event.stopPropagation();
			}
		});
		document.addEventListener('click', event => { if (!menu.contains(event.target)) { menu.open = false; } });
		return menu;
	}

	makePager() {
		const turn = pages => () => { this.page += pages; this.update(); };
		this.previous = make('button', { type: 'button', className: 'small', ariaLabel: 'Previous page', onclick: turn(-1) }, '‹');
		this.next = make('button', { type: 'button', className: 'small', ariaLabel: 'Next page', onclick: turn(1) }, '›');
		this.where = make('span', { className: 'muted' });
		this.size = make('select', { ariaLabel: 'Rows of a page', onchange: () => { this.pageSize = Number(this.size.value); this.page = 0; this.update(); } },
			PAGE_SIZES.map(size => make('option', { value: size }, `${size} rows`)));
		this.lack = make('span', { className: 'muted' });
		return make('div', { className: 'pager' }, this.where, this.lack, make('span', { className: 'space' }), this.size, this.previous, this.next);
	}

	/* What the file does not hold: of a large system, only the rows that matter most (page_rows.h). */
	textOfLacking() {
		const { lacking, rows } = this.table;
		if (!lacking) {
			return '';
		}
		const parts = [[lacking.others, 'rows'], [lacking.hidden, 'rows of hidden names']].filter(([count]) => count > 0).map(([count, text]) => `${formatCount(count)} ${text}`);
		const ranked = this.columns.find(column => column.ranks);
		return `In this page: ${formatCount(rows.length)} of ${formatCount(rows.length + lacking.others + lacking.hidden)} rows; left out: ${parts.join(' and ')}${ranked ? `, the lowest by ${ranked.full}` : ''}. --format=csv has all.`;
	}

	drawPager() {
		const start = this.page * this.pageSize, end = Math.min(this.lines.length, start + this.pageSize);
		const left = [[this.left.hidden, 'of hidden names'], [this.left.idle, this.table.idle_text]].filter(([count]) => count > 0)
			.map(([count, text]) => `${formatCount(count)} ${text}`).join(', ');
		const folded = this.rows.length > this.lines.length ? `; ${formatCount(this.rows.length)} rows` : '';
		this.where.textContent = `${this.lines.length > 0 ? `${start + 1}–${end} of ${formatCount(this.lines.length)}${folded}` : 'none'}${left ? ` · not shown: ${left}` : ''}`;
		this.lack.textContent = this.textOfLacking();
		this.previous.disabled = this.page === 0;
		this.next.disabled = end >= this.lines.length;
		const isOnePage = this.lines.length <= PAGE_SIZES[0];
		this.where.hidden = isOnePage && folded === '' && left === '';
		for (const control of [this.size, this.previous, this.next]) {
			control.hidden = isOnePage;
		}
	}

	moveFocus(event) {
		const row = event.target.closest('tr');
		const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
		if (step && row && row[step]) {
			const button = row[step].querySelector('.link');
			if (button) {
				event.preventDefault();
				button.focus();
			}
		}
	}

	select(row) {
		this.selected = row;
		for (const element of this.body.children) {
			element.classList.toggle('selected', Boolean(row) && element.row === row);
		}
	}

	/* The text searched for in all tables. */
	search(words) {
		this.everywhere = words;
		this.page = 0;
		this.update();
	}
}

/* A link to the details of a row, which can be copied, or followed in another tab. */
function makeRowLink(table, row, content) {
	return make('a', { className: 'link', href: `#${table.name}/${table.rows.indexOf(row)}`, draggable: false }, ...content);
}

/* Whether the numbers of a column are names. */
function isName(column) {
	return /(pid|tid|_id)$/.test(column.name);
}

/* Compares cells; empty ones come last in either direction. */
function compareValues(a, b, sign) {
	const isEmpty = value => value === null || value === undefined || value === '';
	if (isEmpty(a) || isEmpty(b)) {
		return isEmpty(a) - isEmpty(b);
	}
	if (typeof a === 'number' && typeof b === 'number') {
		return sign * (a - b);
	}
	return typeof a === typeof b ? sign * (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1;
}
