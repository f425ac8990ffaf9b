/* SPDX-License-Identifier: MIT */
/* Small parts that all sections use. Texts become text nodes, never markup. */

const PART_LENGTH = 40; /* characters */

function make(tag, properties, ...children) {
	const element = document.createElement(tag);
	setProperties(element, properties);
	element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
	return element;
}

function makeSvg(tag, attributes, ...children) {
	const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes || {})) {
		element.setAttribute(name, value);
	}
	element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
	return element;
}

function setProperties(element, properties) {
	for (const [name, value] of Object.entries(properties || {})) {
		if (name.startsWith('on')) {
			element.addEventListener(name.slice(2), value);
		} else if (name === 'style') {
			for (const [property, text] of Object.entries(value)) {
				element.style.setProperty(property, text);
			}
		} else if (name in element && name !== 'list') {
			element[name] = value;
		} else {
			element.setAttribute(name, value);
		}
	}
}

/* Names break between words and after slashes only; a part that is longer than any table has room for breaks anywhere. */
function makeName(text) {
	return text.split(/(?<=[^/\s]\/|\s)/).flatMap((part, i) => [
		i > 0 ? make('wbr') : null, part.length > PART_LENGTH ? make('span', { className: 'long' }, part) : part]);
}

/* What separates the names of a path. */
const PATH_SIGNS = {
	'>': [' › ', ''],
	'>>': [' » ', 'goes on later, from what was kept'],
	'~>': [' ~› ', 'to a callback that is inferred, or taken by hand'],
};

/* Of a path in a cell: how many names are shown of one that is longer. */
const PATH_NAMES = 7;

/*
 * The names of a path, with what separates them: "/lidar > /scan >> /plan". Of more than `limit` names, those in the middle
 * are left out: paths mostly differ at their ends.
 */
function makePath(text, limit) {
	const parts = text.split(/ (>>?|~>) /);
	const isNode = i => (parts.length - 1 - i) % 4 === 0; /* the last is one */
	const count = (parts.length + 1) / 2, left = limit && count > limit ? count - limit : 0;
	const from = 2 * Math.floor(limit / 2), to = from + 2 * left; /* the parts that are left out */
	return make('span', { className: 'path' }, parts.map((part, i) => {
		if (left > 0 && i >= from && i < to) {
			return i === from ? make('span', { className: 'muted', title: text }, `… ${left} more …`) : i === to - 1 ? make('span', { className: 'to' }, PATH_SIGNS[part][0]) : null;
		}
		return i % 2 ? make('span', { className: 'to', title: PATH_SIGNS[part][1] }, PATH_SIGNS[part][0])
			: make('span', { className: isNode(i) ? 'node' : 'topic' }, makeName(part));
	}));
}

/* A command to copy. */
function makeCommand(text) {
	const code = make('code', { tabIndex: 0 }, text);
	const button = make('button', { type: 'button', className: 'small', onclick: async () => {
		try {
			await navigator.clipboard.writeText(code.textContent);
			button.textContent = 'Copied';
		} catch {
			getSelection().selectAllChildren(code);
			button.textContent = 'Selected';
		}
		setTimeout(() => { button.textContent = 'Copy'; }, 1500);
	} }, 'Copy');
	const element = make('div', { className: 'command' }, code, button);
	element.setCommand = command => { code.textContent = command; };
	return element;
}

/* The address of what is shown, so that it can be sent with the file: "#callbacks/12" is a row by its number. */
function showAddress(hash) {
	history.replaceState(null, '', `#${hash}`);
}

/* The row that the address is of; null if it is of none. */
function rowOfAddress(model) {
	const parts = /^#(\w+)\/(\d+)$/.exec(location.hash);
	const table = parts && model.tables.find(other => other.name === parts[1]);
	return table && table.rows[parts[2]] ? { table, row: table.rows[parts[2]] } : null;
}

/* Follows the address, and the one that is entered later. open(table, row) */
function followAddress(model, open) {
	const follow = () => {
		const target = rowOfAddress(model);
		if (target) {
			open(target.table, target.row);
		} else if (location.hash.length > 1) {
			document.getElementById(location.hash.slice(1))?.scrollIntoView();
		}
	};
	addEventListener('hashchange', follow);
	follow();
}

/* Saves a text as a file of the reader's machine. */
function saveText(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = make('a', { href: url, download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/* A cell of CSV. A text that a spreadsheet would take for a formula is made one that it does not. */
function csvCell(value) {
	if (value === null || value === undefined) {
		return '';
	}
	const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
	return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/* A colour of the theme in use, as canvases need it. */
function colour(name) {
	const element = colour.element || (colour.element = document.body.appendChild(make('span', { hidden: true })));
	element.style.color = `var(--${name})`;
	return getComputedStyle(element).color;
}

function announce(text) {
	const region = announce.region || (announce.region = document.body.appendChild(make('div', { className: 'sr', role: 'status' })));
	region.setAttribute('aria-live', 'polite');
	region.textContent = text;
}
