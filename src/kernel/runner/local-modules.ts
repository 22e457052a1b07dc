import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Module, SourceTextModule, SyntheticModule } from 'node:vm';
import type { ParseResult } from 'oxc-parser';
import type { Place } from '../events.js';
import { LineIndex } from '../line-index.js';
import { stripTypes } from '../strip-types.js';
import { moduleSyntaxError, placeError } from './error-places.js';
import type { Namespace } from './import-package.js';
import { requireFresh } from './require-fresh.js';
import { isLocal, resolveLocal } from './resolve-local.js';
import type { SourceRegistry } from './source-registry.js';

/** Imports as a file in a folder would. */
export type ImportFrom = (specifier: string, folder: string, options?: ImportCallOptions) => Promise<Namespace>;

interface Entry {
  stamp: string;
  /** What it imports, with the stamps that those files had. */
  needs: Map<string, string>;
  /** Where it names what it imports. */
  requests: Map<string, Place>;
  module: SourceTextModule;
  evaluated?: Promise<void>;
}

/**
 * The TypeScript and JavaScript modules beside the notebook. A module whose file was edited, or that imports one such,
 * is loaded anew by the next import; the others keep their state.
 */
export class LocalModules {
  readonly #entries = new Map<string, Entry>();
  readonly #folder: string;
  readonly #registry: SourceRegistry;
  readonly #importFrom: ImportFrom;
  #linking: Promise<unknown> = Promise.resolve();

  constructor(folder: string, registry: SourceRegistry, importFrom: ImportFrom) {
    this.#folder = folder;
    this.#registry = registry;
    this.#importFrom = importFrom;
  }

  /**
   * Imports a file by its full path.
   *
   * @throws What the module throws, or a SyntaxError with its place.
   */
  async load(path: string): Promise<Namespace> {
    if (extname(path) === '.json') return readJson(path, this.#nameOf(path));
    if (isCommonJs(path)) return requireFresh(path);
    try {
      const entry = await this.#linked(path);
      entry.evaluated ??= entry.module.evaluate();
      await entry.evaluated;
      return entry.module.namespace as Namespace;
    } catch (error) {
      this.#dropUnfinished();
      throw error;
    }
  }

  /** One at a time: two imports that link the same module at once would disturb each other. */
  #linked(path: string): Promise<Entry> {
    const link = async (): Promise<Entry> => {
      this.#dropStale();
      const entry = this.#entry(path);
      if (entry.module.status === 'unlinked') await entry.module.link((specifier, from) => this.#link(specifier, from));
      return entry;
    };
    const linked = this.#linking.then(link, link);
    this.#linking = linked;
    return linked;
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known) return known;
    const source = readFileSync(path, 'utf8');
    const name = this.#nameOf(path);
    const lang = path.endsWith('.tsx') ? 'tsx' : /\.[mc]?ts$/.test(path) ? 'ts' : 'js';
    const stripped = stripTypes(source, { filename: path, lang, keepImports: false });
    const url = `${path}?${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
    if ('fault' in stripped) {
      this.#registry.add(url, { name, source, position: (position) => position });
      throw moduleSyntaxError(stripped.fault, name);
    }
    this.#registry.add(url, { name, source, position: stripped.position });
    const folder = dirname(path);
    const module = new SourceTextModule(stripped.code, {
      identifier: url,
      initializeImportMeta: (meta) =>
        Object.assign(meta, { url: pathToFileURL(path).href, filename: path, dirname: folder }),
      importModuleDynamically: (async (specifier: string) => this.#importFrom(specifier, folder)) as never,
    });
    const entry: Entry = {
      stamp: stamp(path),
      needs: new Map(),
      requests: requestsOf(source, name, stripped.parsed),
      module,
    };
    this.#entries.set(path, entry);
    return entry;
  }

  async #link(specifier: string, from: Module): Promise<Module> {
    const importer = from.identifier.slice(0, from.identifier.lastIndexOf('?'));
    try {
      return await this.#found(specifier, importer);
    } catch (error) {
      const place = this.#entries.get(importer)?.requests.get(specifier);
      if (place) placeError(error, place);
      throw error;
    }
  }

  async #found(specifier: string, importer: string): Promise<Module> {
    const folder = dirname(importer);
    if (isLocal(specifier)) {
      const path = resolveLocal(specifier, folder);
      this.#entries.get(importer)?.needs.set(path, stamp(path));
      if (extname(path) !== '.json' && !isCommonJs(path)) return this.#entry(path).module;
    }
    const namespace = await this.#importFrom(specifier, folder);
    const names = Object.keys(namespace);
    return new SyntheticModule(names, function (this: SyntheticModule) {
      for (const name of names) this.setExport(name, namespace[name]);
    });
  }

  /** How traces call a file. */
  #nameOf(path: string): string {
    return `./${relative(this.#folder, path)}`.replace('./../', '../');
  }

  #dropStale(): void {
    const stale = new Set<string>();
    const isStale = (path: string, entry: Entry): boolean =>
      entry.stamp !== stamp(path) ||
      [...entry.needs].some(([need, itsStamp]) => stale.has(need) || itsStamp !== stamp(need));
    for (let before = -1; before !== stale.size; ) {
      before = stale.size;
      for (const [path, entry] of this.#entries) if (isStale(path, entry)) stale.add(path);
    }
    for (const path of stale) this.#entries.delete(path);
  }

  #dropUnfinished(): void {
    for (const [path, { module }] of this.#entries) {
      if (module.status !== 'evaluated' && module.status !== 'evaluating') this.#entries.delete(path);
    }
  }
}

function requestsOf(source: string, name: string, { module }: ParseResult): Map<string, Place> {
  const index = new LineIndex(source);
  const named = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)];
  const requests = named.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest] : []));
  return new Map(requests.map(({ value, start }) => [value, { name, ...index.position(start) }]));
}

/** The parts of an object are exports too, as TypeScript has it. */
function readJson(path: string, name: string): Namespace {
  try {
    const whole: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return { ...(typeof whole === 'object' && !Array.isArray(whole) ? whole : {}), default: whole };
  } catch (cause) {
    throw new SyntaxError(`${name} is no JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function stamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.mtimeNs} ${found.size}` : '';
}

function isCommonJs(path: string): boolean {
  const extension = extname(path);
  if (extension === '.cjs' || extension === '.node') return true;
  if (extension !== '.js') return false;
  const source = readFileSync(path, 'utf8');
  return /\bmodule\.exports\b|\bexports\.\w|\brequire\(/.test(source) && !/^\s*(import|export)\b/m.test(source);
}
