import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { type Module, SourceTextModule } from 'node:vm';
import { InputError } from '../../base/errors.js';
import { packageRoot } from '../../base/packages.js';
import { stripTypes } from '../transform/strip-types.js';
import type { Cells } from './cell-work.js';
import { freshModule, importFresh, stamp } from './fresh-modules.js';
import { IMPORTER, loadResolver, type Namespace } from './import-package.js';
import {
  asModule,
  isCommonTypeScript,
  type ModuleRequest,
  moduleOf,
  moduleRequests,
  readJsonModule,
  registered,
  requireTypeScript,
} from './module-formats.js';
import { isLocal, linkedTypeScript, metaOf, resolveLocal } from './resolve-imports.js';
import { placeError, type SourceRegistry } from './stack.js';

/** Imports as a file in a folder would. */
export type ImportFrom = (specifier: string, folder: string, options?: ImportCallOptions) => Promise<Namespace>;

interface Entry {
  stamp: string;
  /** Imported files by path, with their stamps at that time; for CommonJS, with the module that was loaded. */
  needs: Map<string, string | NodeModule>;
  requests: Map<string, ModuleRequest>;
  module: SourceTextModule;
  evaluated?: Promise<void>;
  /** The cell on whose behalf the module's code is running or waiting. */
  cell?: number | undefined;
}

/**
 * The TypeScript and JavaScript modules beside the notebook. The next import reloads a module whose file was edited or
 * that imports such a module; the others keep their state.
 */
export class LocalModules {
  readonly #entries = new Map<string, Entry>();
  readonly #folder: string;
  readonly #registry: SourceRegistry;
  readonly #importFrom: ImportFrom;
  readonly #cells: Cells;
  readonly #ownFolders: Set<string>;
  #linking: Promise<unknown> = Promise.resolve();
  #resolver: Promise<void> = Promise.resolve();

  constructor(folder: string, registry: SourceRegistry, importFrom: ImportFrom, cells: Cells) {
    this.#folder = folder;
    this.#registry = registry;
    this.#importFrom = importFrom;
    this.#cells = cells;
    this.#ownFolders = new Set([folder]);
    requireTypeScript(registry, (path) => this.#nameOf(path));
    registry.nameFiles((path) => (this.#isOwn(path) ? this.#nameOf(path) : undefined));
  }

  /**
   * Imports a file by its full path.
   *
   * @throws What the module throws, or a SyntaxError with its place.
   * @throws {InputError} If files of this kind cannot be imported.
   */
  async load(path: string): Promise<Namespace> {
    if (extname(path) === '.json') return readJsonModule(path, this.#nameOf(path), this.#registry);
    if (isCommonJs(path)) {
      this.#ownFolders.add(dirname(path));
      return importFresh(path);
    }
    try {
      const entry = await this.#linked(path);
      entry.evaluated ??= this.#evaluate(entry);
      await entry.evaluated;
      return entry.module.namespace as Namespace;
    } catch (error) {
      this.#dropUnfinished();
      throw error;
    }
  }

  /** Runs the code of a module and of all that it imports and that has not run yet. */
  async #evaluate({ module }: Entry): Promise<void> {
    const begun = [...this.#entries.values()].filter((entry) => entry.module.status === 'linked');
    const cell = this.#cells.current();
    for (const entry of begun) entry.cell = cell;
    try {
      await module.evaluate();
    } finally {
      for (const entry of begun) entry.cell = undefined;
    }
  }

  /**
   * Loads and links a module. One at a time: two imports that link the same module at once would disturb each other.
   */
  #linked(path: string): Promise<Entry> {
    const link = async (): Promise<Entry> => {
      this.#dropStale();
      const entry = this.#entry(path);
      if (entry.module.status !== 'unlinked') return entry;
      try {
        await entry.module.link((specifier, from) => this.#link(specifier, from));
        await this.#resolver;
      } catch (error) {
        this.#placeMissingExport(error);
        throw error;
      }
      return entry;
    };
    const linked = this.#linking.then(link, link);
    this.#linking = linked;
    return linked;
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known) return known;
    const name = this.#nameOf(path);
    checkKind(path, name);
    const source = readFileSync(path, 'utf8');
    const lang = path.endsWith('.tsx') ? 'tsx' : /\.[mc]?ts$/.test(path) ? 'ts' : 'js';
    const stripped = stripTypes(source, { filename: path, lang, keepImports: false });
    const url = `${path}?${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
    const { code, parsed } = registered(this.#registry, url, { name, source }, stripped);
    if (parsed.module.importMetas.length > 0) this.#resolver = loadResolver();
    const folder = dirname(path);
    const module = new SourceTextModule(code, {
      identifier: url,
      initializeImportMeta: (meta) => Object.assign(meta, metaOf(path)),
      importModuleDynamically: (async (specifier: string) =>
        asModule(await this.#importFrom(specifier, folder))) as never,
    });
    const entry: Entry = {
      stamp: stamp(path),
      needs: new Map(),
      requests: moduleRequests(source, name, parsed),
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
      const place = this.#entries.get(importer)?.requests.get(specifier)?.place;
      if (place) placeError(error, place);
      throw error;
    }
  }

  async #found(specifier: string, importer: string): Promise<Module> {
    const folder = dirname(importer);
    const entry = this.#entries.get(importer);
    const path = isLocal(specifier) ? resolveLocal(specifier, folder) : await linkedTypeScript(specifier, folder);
    if (path !== undefined) entry?.needs.set(path, stamp(path));
    const isRequired = path !== undefined && isCommonJs(path);
    if (path !== undefined && !isRequired && extname(path) !== '.json') return this.#entry(path).module;
    const namespace = await this.#importFrom(specifier, folder);
    const loaded = isRequired ? freshModule(path) : undefined;
    if (loaded) entry?.needs.set(loaded.filename, loaded);
    return moduleOf(namespace, entry?.requests.get(specifier));
  }

  /** Adds the place to V8's error, which names the missing export but not where it is imported. */
  #placeMissingExport(error: unknown): void {
    const [, specifier = '', name = ''] = (error instanceof SyntaxError && MISSING_EXPORT.exec(error.message)) || [];
    for (const { module, requests } of this.#entries.values()) {
      const place = module.status === 'evaluated' ? undefined : requests.get(specifier)?.names.get(name);
      if (place) placeError(error, place);
    }
  }

  /** Whether a file that Node itself loaded lies beside the notebook or beside a module that it imports. */
  #isOwn(path: string): boolean {
    const isForeign = path.includes(`${sep}node_modules${sep}`) || path.startsWith(join(packageRoot(), 'dist') + sep);
    return (
      !isForeign && basename(path) !== IMPORTER && [...this.#ownFolders].some((folder) => path.startsWith(folder + sep))
    );
  }

  /** A file's name in traces. */
  #nameOf(path: string): string {
    return `./${relative(this.#folder, path)}`.replace('./../', '../');
  }

  #dropStale(): void {
    const stale = new Set<string>();
    const isStale = (path: string, entry: Entry): boolean =>
      // Those that failed are gone already; code that an interrupt has ended may have been another cell's.
      entry.module.status === 'errored' ||
      // What waits for a timer of an interrupted cell waits for ever.
      (entry.cell !== undefined && this.#cells.hasStruck(entry.cell)) ||
      entry.stamp !== stamp(path) ||
      [...entry.needs].some(([need, state]) => stale.has(need) || !isAsBefore(need, state));
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

/** Refuses files that cannot be modules. A file without an extension is a script, as in Node. */
function checkKind(path: string, name: string): void {
  if (/^(\.([mc]?[jt]s|tsx))?$/.test(extname(path))) return;
  throw new InputError(
    `${name} is no module: what can be imported are files of TypeScript and JavaScript (.ts, .mts, .cts, .tsx, .js, .mjs, ` +
      `.cjs), .json and .node. Other files can be read: readFileSync('${name}', 'utf8'), from 'node:fs'.`,
  );
}

const MISSING_EXPORT = /^The requested module '(.+?)' .+ (?:named|for name) '(.+?)'/;

function isAsBefore(path: string, state: string | NodeModule): boolean {
  return state === (typeof state === 'string' ? stamp(path) : freshModule(path));
}

function isCommonJs(path: string): boolean {
  const extension = extname(path);
  if (extension === '.cjs' || extension === '.node') return true;
  if (extension === '.cts') return isCommonTypeScript(path);
  if (extension !== '.js') return false;
  const source = readFileSync(path, 'utf8');
  return /\bmodule\.exports\b|\bexports\.\w|\brequire\(/.test(source) && !/^\s*(import|export)\b/m.test(source);
}
