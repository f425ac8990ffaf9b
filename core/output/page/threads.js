/* SPDX-License-Identifier: MIT */
/* What threads did around an instance (page_threads.h): executions, what preempted or woke them, what they were blocked in. */

/* with the thread that caused it, if it is known */
const STATE_TEXTS = { running: () => 'on a CPU', preempted: by => `preempted${by}`, woken: by => `woken${by}, waiting for a CPU`, 'interrupt woke it': () => 'woken by an interrupt, waiting for a CPU', blocked: () => 'blocked' };
const STATE_CLASSES = { running: 'running', preempted: 'preempted', woken: 'woken', 'interrupt woke it': 'woken', blocked: 'blocked' };

/* The window of a number, its parts decoded: { thread, label, from, to, by }, ns since the window's instance began. */
function decodeWindow(model, number) {
	const { windows, tracks, labels } = model.threads, window = windows[number];
	const parts = [];
	for (let i = 0; i < window.parts.length; i += 5) {
		const [track, label, begin, length, by] = window.parts.slice(i, i + 5);
		const from = window.from + begin - window.at;
		parts.push({ thread: track, ...labels[label], from, to: from + length, by: by < 0 ? null : tracks[by] });
	}
	const threads = [...new Set(parts.map(part => part.thread))].map(thread => ({ ...tracks[thread],
		executions: parts.filter(part => part.thread === thread && !part.state), states: parts.filter(part => part.thread === thread && part.state) }));
	return { ...window, length: window.end - window.at, threads };
}

function textOfState(part, by) {
	return `${STATE_TEXTS[part.state]?.(by ? ` by ${by.name}` : '') ?? part.state}${part.call ? ` in ${part.call}` : ''}`;
}

function describePart(part) {
	return `${part.state ? textOfState(part, part.by) : part.name ?? '?'}: ${formatDuration(part.to - part.from)} from ${formatSince(part.from)}`;
}

/* The time within the instance in each state and by its cause, the longest first. */
function sumOfStates(thread, length) {
	const sums = new Map();
	for (const part of thread.states) {
		const time = Math.min(part.to, length) - Math.max(part.from, 0);
		const text = textOfState(part, part.state === 'preempted' ? part.by : null);
		if (time > 0 && part.state !== 'ended') {
			sums.set(text, (sums.get(text) || 0) + time);
		}
	}
	return [...sums].sort(([, a], [, b]) => b - a);
}

/* How deep an execution is in others of its thread. */
function depthsOf(executions) {
	const open = [];
	return executions.map(part => {
		while (open.length > 0 && open[open.length - 1].to <= part.from) {
			open.pop();
		}
		open.push(part);
		return open.length - 1;
	});
}

/* instances: [{ at, duration, window, text }] with windows; waits(instance): [{ from, to, start }] in which messages waited for an execution. */
function makeThreadChart(model, instances, waits) {
	const state = { which: 0, window: null };
	const ROW = 52;
	const chart = makeDrawnChart(() => `Threads around ${formatDuration(state.window.length)}: ${state.window.threads.map(({ name }) => name).join('; ')}`, () => state.window.threads.length * ROW + 30, (svg, width, height) => {
		const { window } = state, waiting = waits(state.which, window);
		const area = { left: 4, right: width - 4, top: 4, bottom: height - 20 };
		const from = window.from - window.at, to = window.to - window.at;
		svg.append(makeSvg('rect', { class: 'instance', x: area.left + (area.right - area.left) * -from / (to - from), y: area.top, width: Math.max(1, (area.right - area.left) * window.length / (to - from)), height: area.bottom - area.top }));
		const x = drawTimeAxis(svg, area, from, to, formatSince);
		const left = at => Math.max(area.left, x(at)), right = at => Math.min(area.right, x(at));
		return window.threads.flatMap((thread, row) => {
			const top = area.top + row * ROW + 16, depths = depthsOf(thread.executions);
			const bar = (part, y, size, name) => {
				const mark = makeSvg('g', { class: `part ${name}` }, makeSvg('rect', { x: left(part.from), y, width: Math.max(1, right(part.to) - left(part.from)), height: size }));
				mark.words = `${describePart(part)} · ${thread.name}`;
				svg.append(mark);
				return mark;
			};
			const room = Math.floor(width / 7), name = shorten(thread.name, Math.min(60, room));
			const of = `${thread.process && thread.process !== thread.name ? ` · ${shorten(thread.process, 24)}` : ''}${thread.tid ? ` ${thread.tid}` : ''}`;
			svg.append(makeSvg('text', { x: area.left + 2, y: top - 4, class: 'flow-name' }, name, name.length + of.length <= room ? makeSvg('tspan', { class: 'flow-topic' }, of) : null));
			const isOwn = part => part.from >= 0 && part.to <= window.length && (part.from === 0 || waiting.some(({ start }) => start === part.from));
			const executions = thread.executions.map((part, i) => bar(part, top + 2 + 4 * Math.min(depths[i], 2), 14 - 4 * Math.min(depths[i], 2), isOwn(part) ? 'own' : 'other'));
			const states = thread.states.filter(part => part.to > part.from).map(part => bar(part, top + 18, 8, STATE_CLASSES[part.state] ?? 'unknown'));
			for (const wait of waiting) {
				if (thread.executions.some(part => part.from === wait.start)) {
					svg.append(makeSvg('line', { class: 'waiting', x1: left(wait.from), x2: right(wait.to), y1: top, y2: top }, makeSvg('title', {}, `a message waited for ${formatDuration(wait.to - wait.from)}`)));
				}
			}
			return [...executions, ...states];
		});
	});
	const sums = make('div', { className: 'sums' });
	chart.show = which => {
		state.which = which;
		state.window = decodeWindow(model, instances[which].window);
		choice.value = String(which);
		const { window } = state;
		const hasStates = window.threads.some(({ states }) => states.length > 0);
		chart.hint = `0: it began; shaded: it lasted.${window.left > 0 ? ` ${formatCount(window.left)} shorter parts are not drawn.` : ''}${hasStates ? '' : ' What the threads did between executions was not recorded (kernel events: docs/why.md).'} Arrow keys go from part to part.`;
		/* what is not drawn would be missing in a sum */
		sums.replaceChildren(...(window.left > 0 ? [] : window.threads.filter(({ states }) => states.length > 0).map(thread => make('p', {}, make('b', {}, `${thread.name}: `),
			sumOfStates(thread, window.length).slice(0, 5).map(([text, time]) => `${formatDuration(time)} ${text}`).join(', ')))));
		chart.draw();
	};
	const hasStates = instances.some(({ window }) => decodeWindow(model, window).threads.some(({ states }) => states.length > 0));
	const choice = make('select', { ariaLabel: 'Around which one', onchange: () => chart.show(Number(choice.value)) }, instances.map(({ text }, i) => make('option', { value: i }, text)));
	chart.prepend(make('div', { className: 'toolbar' }, choice, make('p', { className: 'legend' }, [...[['own', 'its callbacks'], ['other', 'other callbacks'], ['waiting', 'a message waits']], ...(hasStates ? [['running', 'on a CPU'], ['preempted', 'preempted'], ['woken', 'woken, no CPU yet'], ['blocked', 'blocked']] : [])]
		.map(([name, text]) => make('span', {}, make('i', { className: `key-${name}` }), ` ${text}`)))));
	chart.append(sums);
	return chart;
}
