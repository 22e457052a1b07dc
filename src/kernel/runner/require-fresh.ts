import { statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import type { Namespace } from './import-package.js';

type Load = (this: NodeModule, path: string) => unknown;

const { cache } = createRequire(join(packageRoot(), '_'));
/** The stamps of reloadable files from when they were loaded. */
const stamps = new WeakMap<NodeModule, string>();

/** Records files as they are loaded from here on, whichever file loads them and however late. */
export function watchRequired(): void {
  const load: Load = Reflect.get(Module.prototype, 'load');
  const loadKnown: Load = function (path) {
    if (isOwn(path)) stamps.set(this, stamp(path));
    return load.call(this, path);
  };
  Reflect.set(Module.prototype, 'load', loadKnown);
}

/**
 * Loads a CommonJS file or native addon as a namespace; reloads it if it, or a file that it requires, was edited since.
 */
export function importFresh(path: string): Namespace {
  const exported = requireFresh(path);
  const names = /^(object|function)$/.test(typeof exported) ? { ...(exported as object | null) } : {};
  return { ...names, default: exported };
}

/** Does the same as `require` would, also for JSON. */
export function requireFresh(path: string): unknown {
  dropStale();
  return createRequire(path)(path);
}

/** The module that requiring a file would return without loading it; undefined if it would be loaded. */
export function freshModule(path: string): NodeModule | undefined {
  dropStale();
  return cache[path];
}

/** Forgets the files whose code an interrupt has ended midway; `require` would return what they had exported by then. */
export function forgetHalfLoaded(): void {
  for (const [path, module] of Object.entries(cache)) if (module?.loaded === false) delete cache[path];
}

/** Forgets all files that were edited or that require such files: what is loaded next may require any of them. */
function dropStale(): void {
  const modules = Object.values(cache).filter((module) => module && stamps.has(module)) as NodeModule[];
  const stale = new Set(modules.filter((module) => stamps.get(module) !== stamp(module.filename)));
  for (let before = -1; before !== stale.size; ) {
    before = stale.size;
    for (const module of modules) if (module.children.some((child) => stale.has(child))) stale.add(module);
  }
  for (const { filename } of stale) delete cache[filename];
}

/**
 * Whether a file can be reloaded. Packages do not change while a notebook runs, and an addon cannot be loaded twice.
 */
function isOwn(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`) && !path.endsWith('.node');
}

function stamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.mtimeNs} ${found.size}` : '';
}
