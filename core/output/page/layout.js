/* SPDX-License-Identifier: MIT */
/* Where the nodes and topics of a graph are, by dagre, in as many rows as make it legible, and what they and the edges say. */

const GRAPH_LABELS_MAX = 90; /* edges */

function latencyText(edge) {
	const times = edge.p99 === null || edge.p99 === undefined ? [] : [`${formatDuration(edge.p50 || 0)} · p99 ${formatDuration(edge.p99)}`];
	return [...times, ...(edge.lost > 0 ? [`${formatCount(edge.lost)} lost`] : [])];
}

/* The labels of vertices and edges: a topic with one subscription shows its latency itself, others on their edges. */
function addLabels(graph, colour) {
	const hasLabels = graph.edges.length <= GRAPH_LABELS_MAX;
	for (const vertex of graph.vertices.values()) {
		const incoming = graph.edges.filter(edge => edge.to === vertex.id), outgoing = graph.edges.filter(edge => edge.from === vertex.id);
		const rate = incoming.reduce((sum, edge) => sum + edge.rate, 0);
		vertex.lines = [shorten(vertex.name, 40)];
		if (vertex.kind === 'topic') {
			vertex.lines[0] += rate > 0 ? ` ${threeDigits(rate)} Hz` : '';
			vertex.lines.push(...(outgoing.length === 1 ? latencyText(outgoing[0]) : []));
			vertex.isBad = outgoing.some(edge => edge.lost > 0);
		} else if (vertex.kind === 'group') {
			vertex.lines.push(`${formatCount(vertex.count)} nodes`);
		}
		if (colour === 'share' && vertex.share !== null) {
			vertex.lines.push(`${formatPercent(vertex.share)} in callbacks`);
		} else if (colour === 'cpu' && vertex.cpu !== null) {
			vertex.lines.push(`${formatDuration(vertex.cpu)} on a CPU`);
		}
		vertex.p99 = Math.max(0, ...incoming.map(edge => edge.p99 || 0));
		vertex.lines.push(...(vertex.hosts === '' ? [] : [`on ${shorten(vertex.hosts, 40)}`]));
		for (const edge of outgoing) {
			edge.label = !hasLabels ? [] : edge.topics.size > 0 ? [edge.topics.size === 1 ? shorten([...edge.topics][0], 40) : `${formatCount(edge.topics.size)} topics`, ...latencyText(edge)]
				: vertex.kind === 'topic' && outgoing.length > 1 ? latencyText(edge) : [];
		}
		vertex.width = Math.max(50, 22 + Math.max((vertex.kind === 'node' ? 7.8 : 7.2) * vertex.lines[0].length, 6 * Math.max(0, ...vertex.lines.slice(1).map(line => line.length))));
		vertex.height = (vertex.kind === 'node' ? 32 : 24) + 14 * (vertex.lines.length - 1);
	}
}

function layOut(graph, colour) {
	const layout = new dagre.graphlib.Graph({ multigraph: false });
	addLabels(graph, colour);
	layout.setGraph({ rankdir: 'LR', acyclicer: 'greedy', nodesep: 14, ranksep: 30, edgesep: 8, marginx: 12, marginy: 12 });
	layout.setDefaultEdgeLabel(() => ({}));
	for (const { id, width, height } of graph.vertices.values()) {
		layout.setNode(id, { width, height });
	}
	for (const { from, to, label } of graph.edges) {
		const longest = Math.max(0, ...label.map(line => line.length));
		layout.setEdge(from, to, label.length > 0 ? { width: 6 * longest + 8, height: 13 * label.length + 2, labelpos: 'c' } : {});
	}
	dagre.layout(layout);
	layout.edges().forEach(edge => passLabel(layout.edge(edge)));
	fold(layout);
	return layout;
}

/* A smooth line keeps away from where it turns: it passes its label level, so that it is seen whose label it is. */
function passLabel({ points, x, y, width }) {
	const at = points.findIndex(point => Math.abs(point.x - x) < 1 && Math.abs(point.y - y) < 1);
	if (at > 0 && at < points.length - 1) {
		const half = Math.sign(points[at + 1].x - points[at - 1].x) * width / 2;
		points.splice(at, 1, { x: x - half, y }, { x, y }, { x: x + half, y });
	}
}

const GRAPH_SHAPE = 2.4; /* of the view: width by height */
const GRAPH_WIDTH = 1300; /* up to which a graph stays in one row */

/*
 * A long graph goes on in further rows, as text does: all of it is seen then, and can be read. An edge to another row
 * leaves to the right and comes from the left.
 */
function fold(layout) {
	const size = layout.graph(), gap = 34, side = 26;
	const rows = size.width > GRAPH_WIDTH ? Math.max(1, Math.round(Math.sqrt(size.width / (GRAPH_SHAPE * (size.height + gap))))) : 1;
	if (rows === 1) {
		return;
	}
	const nodes = layout.nodes().map(id => layout.node(id)), edges = layout.edges().map(edge => [edge, layout.edge(edge)]);
	const width = size.width / rows, rowOf = x => Math.min(rows - 1, Math.floor(x / width)), height = size.height + gap;
	/* a row is as wide as what is in it */
	nodes.forEach(node => { node.row = rowOf(node.x); });
	const bounds = Array.from({ length: rows }, (_, row) => {
		const own = nodes.filter(node => node.row === row);
		return { left: Math.min(...own.map(node => node.x - node.width / 2)), right: Math.max(...own.map(node => node.x + node.width / 2)) };
	});
	const right = Math.max(...bounds.map(bound => bound.right - bound.left)) + 2 * side;
	const move = (point, row) => { point.x += side - bounds[row].left; point.y += row * height; };
	nodes.forEach(node => move(node, node.row));
	let crossing = 0; /* each on a line of its own, as far as there is room */
	for (const [{ v, w }, edge] of edges) {
		const from = layout.node(v), to = layout.node(w);
		if (from.row === to.row && edge.points.every(point => rowOf(point.x) === from.row)) {
			edge.points.forEach(point => move(point, from.row));
			if (edge.x !== undefined) {
				move(edge, from.row);
			}
			continue;
		}
		const lane = crossing++ % 6, between = (Math.max(from.row, to.row) * height) - gap / 2 + 4.5 * (lane - 2.5);
		const start = { x: from.x + from.width / 2, y: from.y }, end = { x: to.x - to.width / 2, y: to.y };
		const [out, back] = [right - 4 - 3 * lane, 4 + 3 * lane];
		edge.points = [start, { x: out, y: from.y }, { x: out, y: between }, { x: back, y: between }, { x: back, y: to.y }, end];
		edge.isFolded = true;
		if (edge.x !== undefined) {
			Object.assign(edge, { x: Math.min(start.x + 16 + edge.width / 2, right - edge.width / 2), y: from.y + 14 });
		}
	}
	Object.assign(size, { width: right, height: rows * height });
}

/* Straight lines with round corners. */
function roundLine(points) {
	let line = `M${points[0].x},${points[0].y}`;
	for (let i = 1; i < points.length - 1; i++) {
		const [before, corner, after] = points.slice(i - 1, i + 2);
		const towards = other => {
			const length = Math.hypot(other.x - corner.x, other.y - corner.y) || 1, share = Math.min(0.5, 8 / length);
			return `${corner.x + share * (other.x - corner.x)},${corner.y + share * (other.y - corner.y)}`;
		};
		line += `L${towards(before)}Q${corner.x},${corner.y} ${towards(after)}`;
	}
	return `${line}L${points[points.length - 1].x},${points[points.length - 1].y}`;
}

function smoothLine(points) {
	let line = `M${points[0].x},${points[0].y}`;
	for (let i = 1; i < points.length - 1; i++) {
		const next = points[i + 1], to = i === points.length - 2 ? next : { x: (points[i].x + next.x) / 2, y: (points[i].y + next.y) / 2 };
		line += `Q${points[i].x},${points[i].y} ${to.x},${to.y}`;
	}
	return points.length === 2 ? `${line}L${points[1].x},${points[1].y}` : line;
}
