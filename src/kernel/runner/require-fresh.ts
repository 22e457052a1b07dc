import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Namespace } from './import-package.js';

const stamps = new Map<string, string>();

/** Loads a CommonJS file or a native addon as a namespace; anew where it, or a file that it requires, was edited since. */
export function importFresh(path: string): Namespace {
  const exported = requireFresh(path);
  const names = /^(object|function)$/.test(typeof exported) ? { ...(exported as object | null) } : {};
  return { ...names, default: exported };
}

/** The same as `require` gives it, of JSON too. */
export function requireFresh(path: string): unknown {
  const require = createRequire(join(dirname(path), '_'));
  dropStale(require.cache, path, new Map());
  const exported: unknown = require(path);
  remember(require.cache[path], new Set());
  return exported;
}

/** @param seen Whether each file that was looked at is stale; false while what it requires is looked at. */
function dropStale(cache: NodeJS.Dict<NodeModule>, path: string, seen: Map<string, boolean>): boolean {
  const known = seen.get(path);
  if (known !== undefined) return known;
  seen.set(path, false);
  const module = cache[path];
  if (!module || !isOwn(path)) return false;
  const children = module.children.map((child) => dropStale(cache, child.filename, seen));
  const isStale = stamps.get(path) !== stamp(path) || children.includes(true);
  if (isStale) delete cache[path];
  seen.set(path, isStale);
  return isStale;
}

function remember(module: NodeModule | undefined, seen: Set<string>): void {
  if (!module || !isOwn(module.filename) || seen.has(module.filename)) return;
  seen.add(module.filename);
  stamps.set(module.filename, stamp(module.filename));
  for (const child of module.children) remember(child, seen);
}

/** Packages do not change while a notebook runs, and an addon cannot be loaded twice. */
function isOwn(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`) && !path.endsWith('.node');
}

function stamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.mtimeNs} ${found.size}` : '';
}
