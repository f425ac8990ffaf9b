/* SPDX-License-Identifier: MIT */
/*
 * Groups of the nodes of a graph: a group is one vertex until it is opened, then what it consists of is shown. A
 * namespace may be in another one, so that opening one shows the namespaces in it.
 */

/* The groups that a node is in, the largest first. */
const GROUPINGS = {
	none: () => [],
	namespace: ({ name }) => [...name.matchAll(/\//g)].map(match => name.slice(0, match.index + 1)).slice(1),
	process: ({ process, host }) => (process === '?' ? [] : [`process ${process}${host === '?' ? '' : ` on ${host}`}`]),
};

/* `nodes`: { name, process, host }, each once; `opened`: the names of the groups that are open. */
function makeGroups(nodes, grouping, opened) {
	const members = new Map(), chains = new Map(nodes.map(node => [node, GROUPINGS[grouping](node)]));
	for (const chain of chains.values()) {
		chain.forEach(group => members.set(group, (members.get(group) || 0) + 1));
	}
	/* a group of one node is that node, and one with all nodes of the group around it says nothing more */
	const isGroup = (group, around) => members.get(group) > 1 && members.get(group) !== members.get(around);
	chains.forEach((chain, node) => chains.set(node, chain.filter((group, i) => isGroup(group, chain[i - 1]))));
	return {
		sizeOf: group => members.get(group),
		chainOf: node => chains.get(node),
		/* What stands for a node: the outermost closed group, '' if all are open. */
		closedOf: node => chains.get(node).find(group => !opened.has(group)) || '',
	};
}

/* The two ends of the messages of a row: nodes { name, process, host }. Ends that are the same node are one object. */
function makeEnds(table) {
	const nodes = new Map();
	return row => ['sender', 'receiver'].map(side => {
		const value = name => valueOf(table, row, `${name} of ${side}`) ?? '?';
		const name = value('node') || '?', process = value('process'), host = value('host') || '?', key = `${name}\n${process}\n${host}`;
		if (!nodes.has(key)) {
			nodes.set(key, { name, process, host });
		}
		return nodes.get(key);
	});
}

/*
 * What the table of usage says of each node: its share of the time in callbacks, in percent, and its time on a CPU, where
 * the kernel was recorded. By meaning, and then by name, process and host.
 */
const USES = ['share', 'CPU time'];

function usesOfNodes(model) {
	const table = model.tables.find(other => other.meant.has('scope') && other.meant.has('share') && !other.summary);
	const name = table ? table.columns.findIndex(column => column.format === 'name') : -1, uses = new Map();
	for (const row of name < 0 ? [] : table.rows.filter(other => valueOf(table, other, 'scope') === 'node')) {
		const [process, host] = ['process', 'host'].map(what => valueOf(table, row, what) ?? '?');
		USES.forEach(use => uses.set(`${use}\n${row[name]}\n${process}\n${host}`, valueOf(table, row, use)));
	}
	/* The sum over nodes; null: none has any. */
	return (use, nodes) => nodes.map(({ name: node, process, host }) => uses.get(`${use}\n${node}\n${process}\n${host}`) ?? null)
		.filter(value => value !== null).reduce((sum, value) => sum + value, null);
}

/* 0 … 4: how large a value is among those, on a logarithmic scale. */
function heatOf(values) {
	const known = values.filter(value => value > 0).map(Math.log);
	const low = Math.min(...known), high = Math.max(...known);
	return value => (value > 0 ? Math.round(4 * (high > low ? (Math.log(value) - low) / (high - low) : 0)) : 0);
}
