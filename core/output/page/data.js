/* SPDX-License-Identifier: MIT */
/* The data of the page: tables, series and how they belong together. Names come from a trace: they are shown as text only. */

function bytesOfBase64(text) {
	if (Uint8Array.fromBase64) {
		return Uint8Array.fromBase64(text);
	}
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) {
		bytes[i] = binary.charCodeAt(i);
	}
	return bytes;
}

async function readData() {
	const stream = new Blob([bytesOfBase64(document.getElementById('data').textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
	return makeModel(await new Response(stream).json());
}

/* The rows of what page_columns.h wrote: columns of values, of texts named by their place in a list, or of differences. */
function rowsOf(cells) {
	const columns = cells.map(column => {
		if (Array.isArray(column)) {
			return column;
		}
		if (column.texts) {
			return column.which.map(place => place === null ? null : column.texts[place]);
		}
		let last = 0;
		return column.steps.map(step => step === null ? null : (last += step));
	});
	return columns.length === 0 ? [] : columns[0].map((_, row) => columns.map(column => column[row]));
}

/* The rows of a table are made when somebody looks at them: those of hops, say, are the most and are seen one by one. */
function addRows(table) {
	const { cells } = table;
	const set = value => Object.defineProperty(table, 'rows', { value, writable: true, enumerable: true, configurable: true });
	delete table.cells;
	Object.defineProperty(table, 'rows', { get: () => { const rows = rowsOf(cells); set(rows); return rows; }, set, enumerable: true, configurable: true });
}

function makeModel(data) {
	const model = { trace: data.trace, recordings: data.recordings || [], missing: data.missing, tables: data.tables, about: new Map(), series: data.series, flows: data.flows || [], threads: data.threads || { windows: [] },
		check: data.check, comparison: data.comparison };
	for (const table of data.tables) {
		addRows(table);
		for (const column of table.columns) {
			column.label = column.label.replace(/_ns$/, '');
			const isAlone = table.columns.filter(other => other.label === column.label && other.heading === column.heading).length === 1;
			column.full = (column.heading ? `${column.heading} ` : '') + (isAlone ? column.label : column.name.replace(/_ns$/, '')).replace(/_/g, ' ');
		}
		table.index = new Map(table.columns.map((column, i) => [column.name, i]));
		table.meant = new Map();
		table.columns.forEach((column, i) => column.means && !table.meant.has(meaningOf(column)) && table.meant.set(meaningOf(column), i));
		table.hidden = new Set(table.hidden);
		table.idle = new Set(table.idle);
		if (table.subject && !table.summary && !table.parent) {
			model.about.set(table.subject, table);
		}
	}
	for (const table of data.tables) {
		table.children = data.tables.filter(child => child.parent === table.name);
		table.series = data.series.filter(series => series.selection === table.selection && !table.parent &&
			series.key === table.columns[0].name);
	}
	for (const table of data.tables) {
		table.flows = model.flows.filter(flow => flow.selection === table.selection && !table.parent && flow.key === table.columns[0].name);
	}
	for (const series of [...data.series, ...model.flows]) {
		series.byId = new Map(series.rows.map(row => [row.id, row]));
	}
	return model;
}

/* What a column says of its row: "node", or "node of sender" where there are two; of a distribution, "p99 of duration". */
function meaningOf(column) {
	return column.side ? `${column.means} of ${column.side}` : column.heading && column.format === 'duration' ? `${column.label} of ${column.means}` : column.means;
}

/* The value of the first column of a meaning; null: there is none. */
function valueOf(table, row, meaning) {
	const index = table.meant.get(meaning);
	return index === undefined ? null : row[index];
}

function sumOf(table, meaning, isVisible) {
	const all = table && table.lacking && table.meant.has(meaning) ? table.lacking.sums : null;
	if (all && all.others[table.meant.get(meaning)] !== null) {
		const index = table.meant.get(meaning);
		return all.others[index] + (isVisible ? 0 : all.hidden[index]);
	}
	return table ? table.rows.reduce((sum, row, number) => sum + (isVisible && table.hidden.has(number) ? 0 : valueOf(table, row, meaning) || 0), 0) : 0;
}

/* The rows of a child that belong to a row of its parent. */
function rowsBelow(child, id) {
	if (!child.byParent) {
		child.byParent = new Map();
		for (const row of child.rows) {
			const rows = child.byParent.get(row[0]);
			if (rows) {
				rows.push(row);
			} else {
				child.byParent.set(row[0], [row]);
			}
		}
	}
	return child.byParent.get(id) || [];
}

/* The row of a main table that a row of a summary refers to: the one with the same names. */
function rowOfSummary(model, summary, row) {
	const main = model.tables.find(table => table.selection === summary.selection && !table.summary && !table.parent);
	if (!main) {
		return null;
	}
	const common = summary.columns.map((column, i) => [i, main.index.get(column.name)]).filter(([i, j]) =>
		j !== undefined && summary.columns[i].format !== 'rate' && !(typeof row[i] === 'number' && summary.columns[i].format === 'plain'));
	const found = common.some(([i]) => typeof row[i] === 'string')
		? main.rows.filter(candidate => common.every(([i, j]) => candidate[j] === row[i])) : [];
	return found.length > 0 ? { table: main, row: found[0] } : null;
}

const FOLD_FROM = 6, FOLD_SHOWN = 3; /* rows of one name */

/*
 * Of many rows of one name only the first are lines of their own, with a line after them that opens the others: 50
 * publishers and 100 subscriptions of /tf are 5,000 rows. A line is a row, or { name, left: how many rows }.
 */
function foldRows(rows, nameOf, opened) {
	const counts = new Map(), shown = new Map(), lines = [];
	rows.forEach(row => counts.set(nameOf(row), (counts.get(nameOf(row)) || 0) + 1));
	for (const row of rows) {
		const name = nameOf(row), before = shown.get(name) || 0;
		shown.set(name, before + 1);
		if (before < FOLD_SHOWN || counts.get(name) < FOLD_FROM || opened.has(name)) {
			lines.push(row);
		} else if (before === FOLD_SHOWN) {
			lines.push({ name, left: counts.get(name) - FOLD_SHOWN });
		}
	}
	return lines;
}

/*
 * The columns that are not shown and without which rows would look the same, as in text (text_apart.h): by index. Rows
 * that are not listed at first do not count.
 */
function columnsThatTellApart(table, isShown) {
	const split = (rows, keyOf) => {
		const parts = new Map();
		for (const row of rows) {
			const key = keyOf(row);
			parts.has(key) ? parts.get(key).push(row) : parts.set(key, [row]);
		}
		return [...parts.values()];
	};
	const columns = table.columns.map((column, i) => i);
	const looks = columns.filter(i => isShown(i) && (table.columns[i].is_name || table.columns[i].tells_apart));
	const candidates = columns.filter(i => !isShown(i) && table.columns[i].tells_apart > 0)
		.sort((a, b) => table.columns[a].tells_apart - table.columns[b].tells_apart || a - b);
	const needed = new Set();
	if (!table.columns.some(column => column.is_name) || table.parent) {
		return needed;
	}
	if (table.columns[0].is_id && !isShown(0)) {
		candidates.push(0);
	}
	let alike = [table.rows.filter((row, number) => !table.hidden.has(number) && !table.idle.has(number))];
	alike = alike.flatMap(rows => split(rows, row => JSON.stringify(looks.map(i => row[i]))));
	for (const i of candidates) {
		alike = alike.filter(rows => rows.length > 1).flatMap(rows => {
			const parts = split(rows, row => row[i]);
			if (parts.length > 1) {
				needed.add(i);
			}
			return parts;
		});
	}
	return needed;
}

/* What the title of a row leaves out. */
const IMPLIED = ['host', 'process_name', 'symbol', 'kind', 'callback', 'scope'];

/* The title of a row: its names, without those that its table implies. */
function titleOf(table, row) {
	const names = table.columns.map((column, i) => ({ column, value: row[i] })).filter(({ column, value }) =>
		typeof value === 'string' && value !== '' && (column.role === 'value' || column.role === 'group') && !IMPLIED.includes(column.means));
	const period = typeof valueOf(table, row, 'source') === 'number'
		? [formatDuration(valueOf(table, row, 'source'))] : [];
	const texts = [...names.map(({ value }) => value), ...period].slice(0, 3);
	if (texts.length > 0) {
		return texts;
	}
	const process = valueOf(table, row, 'process_name'), thread = valueOf(table, row, 'thread');
	return process ? [process, ...(thread === null ? [] : [`thread ${thread}`])] : [`${table.title} ${row[0]}`];
}

/* Count, least, mean and greatest of each piece of time, in equal pieces that mostly contain instances. */
function decodeSeries(series, beginNs) {
	let pieces = [];
	for (let i = 0; i < series.pieces.length; i++) {
		const count = series.pieces[i];
		if (count === 0) {
			pieces.push(null);
			continue;
		}
		const least = series.pieces[++i], mean = least + series.pieces[++i], greatest = mean + series.pieces[++i];
		pieces.push({ count, min: durationOfBucket(least, SERIES_BITS), max: durationOfBucket(greatest, SERIES_BITS),
			mean: durationOfBucket(mean, SERIES_BITS) });
	}
	let { first, shift } = series;
	while (pieces.length > 40 && pieces.filter(piece => piece).length < 0.6 * pieces.length) {
		pieces = mergePairs(pieces, first);
		first = Math.floor(first / 2);
		shift++;
	}
	const width = 2 ** shift / 1e9;
	return { pieces, width, times: pieces.map((_, i) => (first + i + 0.5) * width - beginNs / 1e9) };
}

function mergePairs(pieces, first) {
	const merged = [];
	const base = Math.floor(first / 2);
	pieces.forEach((piece, i) => {
		const index = Math.floor((first + i) / 2) - base;
		const other = merged[index];
		merged[index] = !other ? piece : !piece ? other : {
			count: piece.count + other.count, min: Math.min(piece.min, other.min), max: Math.max(piece.max, other.max),
			mean: (piece.mean * piece.count + other.mean * other.count) / (piece.count + other.count),
		};
	});
	return merged;
}

/* Pairs of a bucket and its count. */
function decodeHistogram(numbers) {
	const bars = [];
	let bucket = 0;
	for (let i = 0; i < numbers.length; i += 2) {
		bucket += numbers[i];
		bars.push({ bucket, count: numbers[i + 1] });
	}
	return bars;
}

/* A word of a command, for any shell. */
function quote(word) {
	const safe = word.startsWith('-') ? `./${word}` : word;
	return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replace(/'/g, "'\\''")}'`;
}

/* The command for a timeline of these ns, with some time around them to show what led to it. */
function timelineCommand(model, fromNs, toNs) {
	const begin = model.trace.begin_ns;
	const room = Math.max(20e6, 0.1 * (toNs - fromNs));
	const seconds = ns => `+${(Math.max(0, Math.min(ns, model.trace.end_ns) - begin) / 1e9).toFixed(3)}s`;
	return `ros2-latency --format=perfetto --output=timeline --begin=${seconds(fromNs - room)} --end=${seconds(toNs + room)} ${model.recordings.map(quote).join(' ') || 'TRACE'}`;
}
