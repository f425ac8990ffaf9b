/* SPDX-License-Identifier: MIT */
/* What every page has: sections, tiles, navigation, the theme, printing, and how it starts. */

function makeSection(id, title, ...content) {
	const section = make('section', { className: 'card', id, 'aria-labelledby': `${id}-title` }, make('h2', { id: `${id}-title` }, title), ...content);
	section.name = title;
	return section;
}

function makeTile(value, label, className) {
	return make('div', { className: `tile ${className || ''}` }, make('b', {}, value), make('span', {}, label));
}

function addNavigation(sections) {
	const nav = document.getElementById('nav');
	nav.replaceChildren(...sections.map(section => make('a', { href: `#${section.id}` }, section.name)));
	const mark = () => {
		const above = sections.filter(section => section.getBoundingClientRect().top < 0.35 * innerHeight).length;
		sections.forEach((section, i) => nav.children[i].classList.toggle('here', i === Math.max(0, above - 1)));
	};
	addEventListener('scroll', mark, { passive: true });
	mark();
}

function addTheme(redraw) {
	for (const input of document.querySelectorAll('input[name=theme]')) {
		input.addEventListener('change', () => {
			document.documentElement.dataset.theme = input.value;
			redraw();
		});
	}
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

/* Tables have the columns that there is room for. */
function fitTables(views) {
	const main = document.getElementById('main');
	let width = 0;
	const fit = () => {
		if (main.clientWidth !== width) {
			width = main.clientWidth;
			views().forEach(view => view.fit());
		}
	};
	new ResizeObserver(() => requestAnimationFrame(fit)).observe(main);
	fit();
}

/* On paper: more rows of each table, in light colours. */
function addPrinting(views) {
	let before = [];
	addEventListener('beforeprint', () => {
		before = views.map(({ pageSize, showsAll }) => ({ pageSize, showsAll }));
		views.forEach(view => Object.assign(view, { pageSize: 100, showsAll: true }).update());
	});
	addEventListener('afterprint', () => views.forEach((view, i) => Object.assign(view, before[i]).update()));
}

/* Reads the data and shows it; a reader learns why if that fails. */
function startPage(show) {
	readData().then(async model => {
		await show(model);
		document.documentElement.dataset.ready = 'true';
	}).catch(error => {
		document.getElementById('main').replaceChildren(make('p', { className: 'banner bad' }, typeof DecompressionStream === 'undefined'
			? 'This browser is too old for this page: it needs one of 2023 or later.' : `This page cannot be shown: ${error}`));
		document.documentElement.dataset.ready = 'failed';
		throw error;
	});
}
