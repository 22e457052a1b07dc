// Loaded into a process by `node --require`: tells which of our source files had a function run. A file of `dist/` is a
// bundle, in which esbuild wrote above each module's code the name of its source.
const { readFileSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { createServer } = require('node:net');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');
const { threadId } = require('node:worker_threads');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @type {Map<string, { at: number, name: string }[]>} Where each module's code begins in a bundle, by its address. */
const bundles = new Map();

/** @param {string} url */
function modulesOf(url) {
  const known = bundles.get(url);
  if (known) return known;
  const text = readFileSync(url.startsWith('file:') ? fileURLToPath(url) : url, 'utf8');
  const modules = [...text.matchAll(/^\/\/ (\S+)$/gm)].map((line) => ({ at: line.index, name: String(line[1]) }));
  bundles.set(url, modules);
  return modules;
}

/** Our source files of which a function ran since the last call. A module's own code is no function of it. */
function take() {
  const files = new Set();
  session.post('Profiler.takePreciseCoverage', (failure, { result }) => {
    if (failure) throw failure;
    for (const { url, functions } of result) {
      if (!/[\\/]dist[\\/](?!vendor)/.test(url)) continue;
      for (const { ranges } of functions) {
        const { startOffset = 0, count = 0 } = ranges[0] ?? {};
        if (count === 0 || startOffset === 0) continue;
        const name = modulesOf(url).findLast(({ at }) => at <= startOffset)?.name;
        if (name?.startsWith('src/')) files.add(name);
      }
    }
  });
  return [...files];
}

const name = join(process.env.ODDSLAB_WALK ?? '', `${process.pid}-${threadId}`);
Object.assign(globalThis, { filesThatRan: take });
createServer((socket) => socket.end(JSON.stringify(take())))
  .listen(`${name}.sock`)
  .unref();
process.on('exit', () => writeFileSync(`${name}.json`, JSON.stringify(take())));
