/* SPDX-License-Identifier: MIT */
/* Nodes and topics with rates and latencies, from the table of communications (layout.js lays them out). */

const GRAPH_MAX = 150; /* nodes and topics up to which all are shown at first */

/* The messages on the slowest paths: "publisher topic subscription". */
function slowestHops(model) {
	const summary = model.tables.find(table => table.summary > 0 && table.subject === 'paths');
	const paths = summary || model.about.get('paths');
	const hops = new Set();
	for (const row of paths ? paths.rows.slice(0, 5) : []) {
		const names = valueOf(paths, row, 'path').split(/ (?:>>?|~>) /);
		for (let i = names.length - 1; i >= 2; i -= 2) {
			hops.add(names.slice(i - 2, i + 1).join(' '));
		}
	}
	return hops;
}

/*
 * The parts of the graph that can be shown; each decides by the names of a message: publisher, topic and subscription.
 */
const GRAPH_PARTS = {
	all: () => () => true,
	slowest: model => {
		const hops = slowestHops(model);
		return names => hops.has(names.join(' '));
	},
	search: (model, words) => names => words !== '' && words.toLowerCase().split(/\s+/).every(word => names.join(' ').toLowerCase().includes(word)),
};

/*
 * Which hosts know a node, and which exchange messages of a topic: names alone do not tell the nodes and topics of two
 * robots with the same software apart. `rows`: names and hosts of publisher, topic and subscription.
 */
function hostsOf(rows) {
	const nodes = new Map(), parents = new Map(), topics = new Map();
	const root = key => (parents.get(key) === key ? key : root(parents.get(key)));
	const enter = (map, name, value) => map.set(name, (map.get(name) || new Set()).add(value));
	for (const { publisher, topic, subscription, from, to } of rows) {
		enter(nodes, publisher, from);
		enter(nodes, subscription, to);
		const keys = [from, to].map(host => `${topic}\n${host}`);
		keys.forEach((key, end) => parents.has(key) || (parents.set(key, key), enter(topics, topic, [from, to][end])));
		parents.set(root(keys[1]), root(keys[0]));
	}
	return {
		/* '' if all of the name are one */
		ofNode: (name, host) => (nodes.get(name).size > 1 ? host : ''),
		ofTopic: (name, host) => {
			const hosts = [...topics.get(name)], own = hosts.filter(other => root(`${name}\n${other}`) === root(`${name}\n${host}`));
			return own.length < hosts.length ? own.join(', ') : '';
		},
	};
}

/* `grouping`, `opened`: as groups.js has them. */
function graphOf(model, showsHidden, isShown, grouping = 'none', opened = new Set()) {
	const table = model.about.get('messages');
	const vertices = new Map(), edges = new Map(), rows = [];
	const add = (kind, name, hosts) => {
		const id = `${kind} ${name} ${hosts}`;
		if (!vertices.has(id)) {
			vertices.set(id, { id, kind, name, hosts });
		}
		return id;
	};
	const endsOf = makeEnds(table);
	(table ? table.rows : []).forEach((row, number) => {
		if (table.idle.has(number) || (table.hidden.has(number) && !showsHidden)) {
			return;
		}
		const ends = endsOf(row), [publisher, subscription] = ends.map(({ name }) => name), topic = valueOf(table, row, 'topic') || '?';
		if (isShown([publisher, topic, subscription])) {
			rows.push({ row, publisher, topic, subscription, from: ends[0].host, to: ends[1].host, ends });
		}
	});
	const nodes = [...new Set(rows.flatMap(row => row.ends))], hosts = hostsOf(rows), groups = makeGroups(nodes, grouping, opened);
	const takes = (edge, row, value) => {
		edge.rate += value('rate') || 0;
		edge.lost += value('lost') || 0;
		if (edge.row === undefined || (value('p99 of duration') || 0) > (edge.p99 || 0)) {
			Object.assign(edge, { row, p50: value('p50 of duration'), p99: value('p99 of duration') });
		}
	};
	const edgeOf = (from, to) => {
		const key = `${from}\n${to}`;
		let edge = edges.get(key);
		if (!edge) {
			edge = { from, to, rate: 0, p99: null, lost: 0, topics: new Set() };
			edges.set(key, edge);
		}
		return edge;
	};
	for (const { row, publisher, topic: name, subscription, from: publishingHost, to: takingHost, ends } of rows) {
		const value = column => valueOf(table, row, column);
		const [sender, receiver] = ends.map(groups.closedOf);
		const vertexOf = (group, node, host, end) => {
			const id = group === '' ? add('node', node, hosts.ofNode(node, host)) : add('group', group, '');
			const vertex = vertices.get(id);
			vertex.chain = groups.chainOf(end);
			vertex.members = (vertex.members || new Set()).add(end);
			return id;
		};
		const from = vertexOf(sender, publisher, publishingHost, ends[0]), to = vertexOf(receiver, subscription, takingHost, ends[1]);
		if (sender !== '' && receiver !== '') {
			if (sender !== receiver) {
				const edge = edgeOf(from, to);
				edge.topics.add(name);
				takes(edge, row, value);
			}
			continue;
		}
		const topic = add('topic', name, hosts.ofTopic(name, publishingHost));
		const publishing = edgeOf(from, topic);
		/* what the subscription lost, or what was replaced, was published, too */
		const sent = ['received', 'lost', 'overwritten'].reduce((sum, name) => sum + (value(name) || 0), 0);
		publishing.rate = Math.max(publishing.rate, value('received') > 0 ? value('rate') * sent / value('received') : 0);
		takes(edgeOf(topic, to), row, value);
	}
	const useOf = usesOfNodes(model);
	for (const vertex of vertices.values()) {
		[vertex.share, vertex.cpu] = USES.map(use => useOf(use, [...vertex.members ?? []]));
		vertex.count = vertex.kind === 'group' ? groups.sizeOf(vertex.name) : 1;
	}
	return { table, vertices, edges: [...edges.values()], groups, nodes };
}

/* Whether the time of any node on a CPU is known. */
function knowsCpu(model) {
	return model.tables.some(table => table.meant.has('CPU time') && !table.summary && table.rows.some(row => valueOf(table, row, 'CPU time') !== null));
}

/* chosen(name): a node or topic was clicked, or none; open(row): an edge into a node was clicked. */
function makeGraph(model, chosen, open) {
	const element = make('div', { className: 'graph' });
	const view = make('div', { className: 'graph-view' });
	const state = { showsHidden: false, selected: null, part: 'all', words: '', grouping: 'none', opened: new Set(), colour: 'losses' };
	const table = model.about.get('messages');
	const controls = make('div', { className: 'toolbar' });
	const hidden = make('input', { type: 'checkbox', onchange: () => { state.showsHidden = hidden.checked; start(); } });
	const zoomButtons = [['−', 'Zoom out', () => zoom(1 / 1.3)], ['+', 'Zoom in', () => zoom(1.3)], ['Fit', 'Fit: show all', () => fit()]].map(([text, label, act]) =>
		make('button', { type: 'button', className: 'small', ariaLabel: label, onclick: act }, text));
	let isMoved = false, svg = null, box = null, size = null, graph = null, marks = null;

	const choice = (label, values, act) => make('select', { ariaLabel: label, onchange: event => act(event.target.value) }, values.map(([value, text]) => make('option', { value }, text)));
	const grouping = choice('Groups', [['none', 'each node'], ['namespace', 'by namespace'], ['process', 'by process']], value => {
		Object.assign(state, { grouping: value, opened: new Set(), part: 'all' });
		start();
	});
	const colour = choice('Colours', [['losses', 'coloured by losses'], ['p99', 'coloured by p99'], ['share', 'coloured by time in callbacks'],
		...(knowsCpu(model) ? [['cpu', 'coloured by CPU time']] : [])], value => { state.colour = value; start(); });
	const names = make('datalist', { id: 'graph-nodes' });
	const find = make('input', { type: 'search', className: 'filter', placeholder: 'Find a node', ariaLabel: 'Find a node in the graph', onchange: () => reveal(find.value.trim()) });
	find.setAttribute('list', 'graph-nodes');
	const openGroups = make('div', { className: 'toolbar opened' });
	const part = make('select', { ariaLabel: 'What is shown', onchange: () => { state.part = part.value; start(); } },
		[['slowest', 'the slowest paths'], ['search', 'what is searched for'], ['all', 'everything']].map(([value, text]) => make('option', { value }, text)));
	controls.append(part, grouping, colour, find, names, table && table.hidden.size > 0 ? make('label', { className: 'toggle' }, hidden, ' hidden names') : '',
		make('span', { className: 'space' }), make('span', { className: 'muted hint' }, 'topic and its rate, median and p99 of its latency'), ...zoomButtons);
	element.append(controls, openGroups, view);

	function setBox(next) {
		box = next;
		svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
	}

	function fit() {
		setBox({ x: 0, y: 0, width: size.width, height: size.height });
	}

	/* The whole graph if names stay readable, else its beginning. */
	function showAll() {
		const available = view.clientWidth || 900;
		const scale = Math.min(1.1, Math.max(0.62, available / size.width));
		const height = Math.max(110, Math.min(720, scale * size.height));
		svg.style.setProperty('height', `${height}px`);
		if (scale * size.width <= available * 1.01 && scale * size.height <= height) {
			fit();
		} else {
			setBox({ x: 0, y: Math.max(0, (size.height - height / scale) / 2), width: available / scale, height: height / scale });
		}
	}

	function zoom(factor, at) {
		isMoved = true;
		const center = at || { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		const width = Math.min(4 * size.width, Math.max(80, box.width / factor)), ratio = width / box.width;
		setBox({ x: center.x - (center.x - box.x) * ratio, y: center.y - (center.y - box.y) * ratio, width, height: box.height * ratio });
	}

	function pointOf(event) {
		const bounds = svg.getBoundingClientRect();
		const scale = Math.max(box.width / bounds.width, box.height / bounds.height);
		return { x: box.x + (event.clientX - bounds.left) * scale, y: box.y + (event.clientY - bounds.top) * scale, scale };
	}

	function neighbours(id) {
		const near = new Set([id]);
		for (const edge of graph.edges) {
			if (edge.from === id || edge.to === id) {
				near.add(edge.from);
				near.add(edge.to);
			}
		}
		return near;
	}

	function highlight(id) {
		svg.classList.toggle('has-focus', id !== null);
		const near = id === null ? new Set() : neighbours(id);
		for (const [other, mark] of marks.vertices) {
			mark.classList.toggle('near', near.has(other));
		}
		marks.edges.forEach((mark, i) => {
			const isNear = graph.edges[i].from === id || graph.edges[i].to === id;
			mark.classList.toggle('near', isNear);
			graph.edges[i].words?.classList.toggle('near', isNear);
		});
	}

	function choose(id) {
		state.selected = state.selected === id ? null : id;
		for (const [other, mark] of marks.vertices) {
			mark.classList.toggle('selected', other === state.selected);
			mark.setAttribute('aria-pressed', String(other === state.selected));
		}
		highlight(state.selected);
		state.isOwnSearch = true;
		chosen(state.selected === null ? '' : graph.vertices.get(id).name);
		state.isOwnSearch = false;
	}

	function focusOn(id) {
		[...marks.vertices.values(), ...marks.edges].filter(mark => mark.hasAttribute('tabindex')).forEach(mark => mark.setAttribute('tabindex', '-1'));
		marks.vertices.get(id).setAttribute('tabindex', '0');
		marks.vertices.get(id).focus({ preventScroll: true });
	}

	/* Opens or closes a group. The focus stays with it, or with the first of its parts. */
	function toggle(group) {
		if (!state.opened.delete(group)) {
			state.opened.add(group);
		}
		start(() => focusOn([...graph.vertices.values()].find(({ chain }) => chain && chain.includes(group)).id));
	}

	function showInMiddle(id) {
		const { x, y } = marks.layout.node(id);
		isMoved = true;
		setBox({ ...box, x: x - box.width / 2, y: y - box.height / 2 });
		focusOn(id);
		highlight(id);
	}

	/* Opens the groups around a node of the name, or of a name with these words, and shows it. */
	function reveal(words) {
		const all = graphOf(model, state.showsHidden, () => true, state.grouping), text = words.toLowerCase();
		const node = all.nodes.find(({ name }) => name === words) || all.nodes.find(({ name }) => name.toLowerCase().includes(text));
		find.setCustomValidity(node || words === '' ? '' : `No node of the graph has ${words} in its name.`);
		find.reportValidity();
		if (words !== '' && node) {
			all.groups.chainOf(node).forEach(group => state.opened.add(group));
			state.part = 'all';
			start(() => showInMiddle([...graph.vertices.values()].find(({ kind, name }) => kind === 'node' && name === node.name).id));
		}
	}

	const yOf = at => (typeof at === 'string' ? marks.layout.node(at) : marks.layout.edge(at.from, at.to)).y;
	const markOf = at => (typeof at === 'string' ? marks.vertices.get(at) : marks.edges[graph.edges.indexOf(at)]);

	/* What arrow keys lead to from a vertex, by its id, or from an edge: an edge that opens a row is a stop on the way. */
	function stopsFrom(at, key) {
		const isAhead = other => (key === 'ArrowDown' ? yOf(other) > yOf(at) : yOf(other) < yOf(at));
		if (typeof at !== 'string') {
			return key === 'ArrowRight' ? [at.to] : key === 'ArrowLeft' ? [at.from]
				: graph.edges.filter(edge => edge.row && edge !== at && edge.from === at.from && isAhead(edge));
		}
		return key === 'ArrowRight' ? graph.edges.filter(edge => edge.from === at).map(edge => (edge.row ? edge : edge.to))
			: key === 'ArrowLeft' ? graph.edges.filter(edge => edge.to === at).map(edge => (edge.row ? edge : edge.from))
				: [...graph.vertices.keys()].filter(other => Math.abs(marks.layout.node(other).x - marks.layout.node(at).x) < 90 && isAhead(other));
	}

	function addKeys(mark, at, act) {
		mark.addEventListener('keydown', event => {
			if (event.key === 'Enter' || event.key === ' ') {
				event.preventDefault();
				act();
			} else if (event.key.startsWith('Arrow')) {
				event.preventDefault();
				event.stopPropagation();
				const next = stopsFrom(at, event.key).sort((a, b) => Math.abs(yOf(a) - yOf(at)) - Math.abs(yOf(b) - yOf(at)))[0];
				if (next) {
					mark.setAttribute('tabindex', '-1');
					markOf(next).setAttribute('tabindex', '0');
					markOf(next).focus();
				}
			}
		});
	}

	/* What the colour of a vertex or an edge follows. */
	function classOf(of, isBad) {
		return state.colour === 'losses' ? (isBad ? 'bad' : '') : of[state.colour] > 0 ? `heat heat-${marks.heat(of[state.colour])}` : '';
	}

	function drawVertex(vertex, isFirst) {
		const { x, y, width, height } = marks.layout.node(vertex.id);
		const mark = makeSvg('g', { class: `vertex ${vertex.kind} ${classOf(vertex, vertex.isBad)}`, transform: `translate(${x - width / 2},${y - height / 2})`, role: 'button',
			tabindex: isFirst ? 0 : -1, 'aria-pressed': 'false', 'aria-label': `${vertex.kind} ${vertex.lines.join(' ')}`, 'data-name': vertex.name },
		makeSvg('rect', { width, height, rx: vertex.kind === 'node' ? 6 : 12 }),
		vertex.lines.map((line, i) => makeSvg('text', { class: i ? 'more' : 'name', x: width / 2, y: height / 2 + 4 + 14 * (i - (vertex.lines.length - 1) / 2), 'text-anchor': 'middle' }, `${line} `)),
		vertex.name.length > 40 ? makeSvg('title', {}, vertex.name) : null);
		const act = () => (vertex.kind === 'group' ? toggle(vertex.name) : choose(vertex.id));
		mark.addEventListener('click', act);
		addKeys(mark, vertex.id, act);
		mark.addEventListener('mouseenter', () => highlight(vertex.id));
		mark.addEventListener('mouseleave', () => highlight(state.selected));
		return mark;
	}

	function drawEdge(edge) {
		const { points, x, y, isFolded } = marks.layout.edge(edge.from, edge.to);
		const className = `edge ${classOf(edge, edge.lost > 0)} ${edge.row ? 'opens' : ''}`;
		const line = isFolded ? roundLine(points) : smoothLine(points);
		const mark = makeSvg('g', { class: className }, makeSvg('path', { d: line, 'marker-end': edge.lost > 0 && state.colour === 'losses' ? 'url(#arrow-bad)' : 'url(#arrow)',
			'stroke-width': (1 + 0.45 * Math.log10(1 + edge.rate)).toFixed(2) }));
		if (edge.row) {
			mark.append(makeSvg('path', { d: line, class: 'hit' }));
			const names = [edge.from, edge.to].map(id => graph.vertices.get(id).name).join(' to ');
			Object.entries({ role: 'button', tabindex: -1, 'aria-label': `${names} ${edge.label.join(' ')}` }).forEach(([name, value]) => mark.setAttribute(name, value));
			mark.addEventListener('click', () => open(edge.row));
			addKeys(mark, edge, () => open(edge.row));
		}
		edge.words = edge.label.length === 0 ? null : makeSvg('g', { class: `edge words ${classOf(edge, edge.lost > 0)}` },
			makeSvg('rect', { x: x - 3 * Math.max(...edge.label.map(text => text.length)) - 3, y: y - 6.5 * edge.label.length - 1, width: 6 * Math.max(...edge.label.map(text => text.length)) + 6, height: 13 * edge.label.length + 2, rx: 3 }),
			edge.label.map((text, i) => makeSvg('text', { x, y: y + 4 + 13 * (i - (edge.label.length - 1) / 2), 'text-anchor': 'middle' }, text)));
		return mark;
	}

	function draw() {
		marks = { layout: layOut(graph, state.colour), vertices: new Map(), edges: [], heat: heatOf([...graph.edges, ...graph.vertices.values()].map(of => of[state.colour])) };
		size = marks.layout.graph();
		svg = makeSvg('svg', { role: 'group', 'aria-label': `Graph of ${graph.vertices.size} nodes and topics; arrow keys follow the edges` },
			makeSvg('defs', {}, ['arrow', 'arrow-bad'].map(id => makeSvg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
				markerUnits: 'userSpaceOnUse', orient: 'auto' }, makeSvg('path', { d: 'M0,0.5L8,4L0,7.5z' })))));
		marks.edges = graph.edges.map(drawEdge);
		/* what edges say is above all edges */
		svg.append(...marks.edges, ...graph.edges.flatMap(edge => edge.words ?? []));
		let isFirst = true;
		for (const vertex of graph.vertices.values()) {
			marks.vertices.set(vertex.id, drawVertex(vertex, isFirst));
			isFirst = false;
		}
		svg.append(...marks.vertices.values());
		view.replaceChildren(svg);
		isMoved = false;
		showAll();
		addPanning();
	}

	function addPanning() {
		let grip = null;
		svg.addEventListener('pointerdown', event => { grip = { x: event.clientX, y: event.clientY, box, isMoved: false }; });
		svg.addEventListener('pointermove', event => {
			if (grip && event.buttons & 1) {
				const { scale } = pointOf(event);
				if (!grip.isMoved && Math.hypot(event.clientX - grip.x, event.clientY - grip.y) > 4) {
					grip.isMoved = isMoved = true;
					svg.setPointerCapture(event.pointerId);
				}
				if (grip.isMoved) {
					setBox({ ...grip.box, x: grip.box.x - (event.clientX - grip.x) * scale, y: grip.box.y - (event.clientY - grip.y) * scale });
				}
			}
		});
		svg.addEventListener('click', event => {
			if (grip && grip.isMoved) {
				event.stopPropagation();
			}
		}, true);
		svg.addEventListener('wheel', event => {
			if (event.ctrlKey || event.metaKey) {
				event.preventDefault();
				zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, pointOf(event));
			}
		}, { passive: false });
		svg.addEventListener('keydown', event => {
			const act = { '+': () => zoom(1.3), '-': () => zoom(1 / 1.3), 0: fit }[event.key];
			if (act) {
				event.preventDefault();
				act();
			}
		});
	}

	/* The groups that are open, to be closed. */
	function showOpened() {
		openGroups.replaceChildren(...[...state.opened].map(group => make('button', { type: 'button', className: 'small', ariaLabel: `Close ${group}`, onclick: () => toggle(group) }, `${shorten(group, 40)} ×`)));
		openGroups.hidden = state.part !== 'all' || state.opened.size === 0;
	}

	/* `made`: what there is to be shown, if it is known. */
	function start(then = () => {}, made = null) {
		/* a part is small enough to show each node */
		graph = made ?? graphOf(model, state.showsHidden, GRAPH_PARTS[state.part](model, state.words), state.part === 'all' ? state.grouping : 'none', state.opened);
		state.selected = null;
		part.value = state.part;
		grouping.value = state.grouping;
		colour.value = state.colour;
		names.replaceChildren(...[...new Set(graph.nodes.map(({ name }) => name))].sort().map(value => make('option', { value })));
		showOpened();
		for (const button of zoomButtons) {
			button.hidden = graph.vertices.size === 0;
		}
		if (graph.vertices.size === 0) {
			view.replaceChildren(make('p', { className: 'none' }, state.part === 'search' ? 'Search for a node or a topic.' : 'No messages between nodes.'));
		} else if (graph.vertices.size <= GRAPH_MAX) {
			draw();
			then();
		} else {
			view.replaceChildren(make('p', { className: 'none', role: 'status' }, `Laying out ${formatCount(graph.vertices.size)} nodes and topics …`));
			setTimeout(() => { draw(); then(); }, 50);
		}
	}

	/* A large system is shown by its namespaces first, or, if these do not make it small, by its slowest paths. */
	element.start = () => {
		const whole = graphOf(model, false, () => true), isLarge = whole.vertices.size > GRAPH_MAX;
		const groups = isLarge ? graphOf(model, false, () => true, 'namespace') : null, isGrouped = isLarge && groups.vertices.size <= GRAPH_MAX;
		part.hidden = !isLarge;
		state.part = isLarge && !isGrouped ? 'slowest' : 'all';
		state.grouping = isGrouped ? 'namespace' : 'none';
		state.home = state.part;
		start(() => {}, !isLarge ? whole : isGrouped ? groups : null);
		if (isLarge && graph.vertices.size === 0) {
			state.part = 'search';
			start();
		}
	};
	element.search = words => {
		state.words = words;
		if (!part.hidden && (state.part === 'search' || words !== '') && !state.isOwnSearch) {
			state.part = words === '' ? state.home : 'search';
			start();
		}
	};
	new ResizeObserver(() => {
		if (svg && svg.isConnected && !isMoved) {
			showAll();
		}
	}).observe(view);
	return element;
}
