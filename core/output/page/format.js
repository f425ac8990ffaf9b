/* SPDX-License-Identifier: MIT */
'use strict';
/* Values as people read them, by the same rules as the text report (core/base/text/human_text.c). */

const DURATION_UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
const SERIES_BITS = 6; /* core/output/page/page_bucket.h */
const HISTOGRAM_BITS = 4;

/* Three digits. */
function threeDigits(value) {
	const size = Math.abs(value);
	return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

function formatDuration(ns) {
	const size = Math.abs(ns);
	if (size < 999.5) {
		return `${Number.isInteger(ns) || size >= 99.95 ? Math.round(ns) : threeDigits(ns)} ns`;
	}
	const [scale, unit] = DURATION_UNITS.find(([least], i) => i === 0 ? size >= 999.5e6 : size >= 0.9995 * least);
	return `${threeDigits(ns / scale)} ${unit}`;
}

const BYTE_UNITS = [' B', ' kB', ' MB', ' GB', ' TB', ' PB'];

function formatBytes(bytes) {
	let unit = 0;
	for (; unit + 1 < BYTE_UNITS.length && Math.abs(bytes) >= 999.5; unit++) {
		bytes /= 1000;
	}
	return `${unit ? threeDigits(bytes) : bytes}${BYTE_UNITS[unit]}`;
}

function formatCount(value) {
	const [whole, fraction] = String(value).split('.');
	return whole.replace(/\B(?=(\d{3})+$)/g, whole.length > 4 ? '\u202f' : '') + (fraction ? `.${fraction}` : '');
}

function formatPercent(value) {
	return `${value !== 0 && Math.abs(value) < 10 ? threeDigits(value).slice(0, 4) : Math.round(value)} %`;
}

/* Since the start of the recording. */
function formatMoment(ns, beginNs) {
	const seconds = (ns - beginNs) / 1e9;
	return `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(3)} s`;
}

function formatTime(ns) {
	const date = new Date(ns / 1e6);
	return Number.isNaN(date.getTime()) ? String(ns) : date.toISOString().replace('T', ' ').replace('Z', ' UTC');
}

function formatCell(value, format, beginNs) {
	if (value === null || value === undefined) {
		return '';
	}
	if (typeof value !== 'number') {
		return String(value);
	}
	switch (format) {
	case 'duration': return formatDuration(value);
	case 'percent': return formatPercent(value);
	case 'id': return String(value);
	case 'bytes': return formatBytes(value);
	case 'rate': return `${threeDigits(value)} Hz`;
	case 'moment':
	case 'time': return formatMoment(value, beginNs);
	default: return formatCount(value);
	}
}

/* "5ms", "5 µs", "3": a number, in ns where it has a unit; NaN if it is none. */
function parseQuantity(text) {
	const parts = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*(ns|us|µs|ms|s|%|hz)?\s*$/i.exec(text);
	const scales = { ns: 1, us: 1e3, 'µs': 1e3, ms: 1e6, s: 1e9 };
	return parts ? Number(parts[1]) * (scales[(parts[2] || '').toLowerCase()] || 1) : NaN;
}

/* Shortens a name that is too long for a cell, keeping its beginning and end. */
function shorten(text, length) {
	return text.length <= length ? text : `${text.slice(0, Math.ceil(length * 0.6))}…${text.slice(-Math.floor(length * 0.35))}`;
}

/* The least duration of a bucket, of 2^bits an octave: the inverse of page_bucket(). */
function bucketLow(number, bits) {
	const size = Math.abs(number), octave = 2 ** bits;
	if (size < 2 * octave) {
		return number;
	}
	const shift = Math.floor(size / octave) - 1;
	return Math.sign(number) * (size - shift * octave) * 2 ** shift;
}

function durationOfBucket(number, bits) {
	return Math.abs(number) < 2 ** (bits + 1) ? number : (bucketLow(number, bits) + bucketLow(number + Math.sign(number), bits)) / 2;
}

/* The position of a duration on an axis of such buckets, between two numbers. */
function bucketPosition(ns, bits) {
	const size = Math.abs(ns), octave = 2 ** bits;
	if (size < 2 * octave) {
		return ns;
	}
	const shift = Math.floor(Math.log2(size)) - bits;
	return Math.sign(ns) * (shift * octave + size / 2 ** shift);
}
