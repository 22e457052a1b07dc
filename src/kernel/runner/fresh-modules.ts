import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import { isLocal } from './find-local.js';
import type { Namespace } from './import-package.js';
import { beforeLoading, narrowLookups } from './node-internals.js';
import { packageNameOf } from './package-manifest.js';

const { cache } = createRequire(join(packageRoot(), '_'));
/** The stamps of reloadable files from when they were loaded. */
const stamps = new WeakMap<NodeModule, string>();

/** Records files as they are loaded from here on, whichever file loads them and however late. */
export function watchRequired(): void {
  beforeLoading((module, path) => {
    if (isOwn(path)) stamps.set(module, stamp(path));
  });
}

/** Loads a CommonJS file or native addon as a namespace; anew if it, or a file that it requires, was edited since. */
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

/** Whether a file can be reloaded: packages do not change while a notebook runs, and no addon can be loaded twice. */
function isOwn(path: string): boolean {
  return !path.includes(`${sep}node_modules${sep}`) && !path.endsWith('.node');
}

/** What changes with the content of a file; empty if there is none. */
export function stamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.mtimeNs} ${found.size}` : '';
}

/** The versions of the loaded packages, by folder. */
const loaded = new Map<string, string>();

/**
 * What to tell the reader if another version of a package has been installed since the first call for it, when it was
 * loaded: Node keeps that one. Undefined if nothing changed or it is not a package.
 */
export function upgradedPackage(specifier: string, folder: string): string | undefined {
  if (isLocal(specifier)) return undefined;
  const name = packageNameOf(specifier);
  for (const parent of createRequire(join(folder, '_')).resolve.paths(name) ?? []) {
    const installed = versionIn(join(parent, name));
    if (installed === undefined) continue;
    const before = loaded.get(join(parent, name)) ?? installed;
    loaded.set(join(parent, name), before);
    if (before === installed) return undefined;
    return `${name} ${installed} is installed, ${before} is loaded: restart the kernel to use it.`;
  }
  return undefined;
}

const told = new Set<string>();

/** Warns of an upgrade under the importing cell, once for each version. */
export function warnOfUpgrade(specifier: string, folder: string): void {
  const upgrade = upgradedPackage(specifier, folder);
  if (upgrade === undefined || told.has(upgrade)) return;
  told.add(upgrade);
  process.stderr.write(`${upgrade}\n`);
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return String(Reflect.get(Object(manifest), 'version'));
  } catch {
    return undefined;
  }
}

/**
 * Makes packages that are installed while the process runs findable. When Node looks for a package that is not there,
 * even just to word the error of an import, it remembers that its `package.json` is missing and treats the package as
 * having none from then on. So Node is only sent to folders that hold the package.
 */
export function seeNewPackages(): void {
  narrowLookups((request, folders) =>
    isLocal(request) ? folders : folders?.filter((folder) => holds(folder, request)),
  );
}

/** Whether a folder holds the requested package or a file of its name; one without read permission counts as empty. */
function holds(folder: string, request: string): boolean {
  const name = packageNameOf(request);
  return ['', '.js', '.json', '.node'].some((end) => existsSync(join(folder, name + end)));
}
