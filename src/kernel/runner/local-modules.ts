import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { type Module, SourceTextModule } from 'node:vm';
import { parseSync } from 'oxc-parser';
import { InputError } from '../../base/errors.js';
import { packageRoot } from '../../base/packages.js';
import type { Lang } from '../transform/jsx.js';
import { stripTypes } from '../transform/strip-types.js';
import { ownAsking } from './cell-scripts.js';
import type { Cells } from './cell-work.js';
import { isLocal, nameOf } from './find-local.js';
import { freshModule, importFresh, stamp } from './fresh-modules.js';
import { IMPORTER, loadResolver, missingRequired, type Namespace } from './import-package.js';
import { knownProject } from './known-project.js';
import { missingExport } from './missing-export.js';
import { nameImporter } from './missing-package.js';
import {
  asModule,
  exportedNames,
  isCommonTypeScript,
  type ModuleRequest,
  moduleOf,
  moduleRequests,
  readJsonModule,
  registered,
  requireTypeScript,
} from './module-formats.js';
import { metaOf, ownFile, resolveLocal } from './resolve-imports.js';
import { placeError, type SourceRegistry } from './stack.js';

/** Imports as a file in a folder would. */
export type ImportFrom = (specifier: string, folder: string, options?: ImportCallOptions) => Promise<Namespace>;

interface Entry {
  stamp: string;
  /** Imported files by path, with their stamps at that time; for CommonJS, with the module that was loaded. */
  needs: Map<string, string | NodeModule>;
  requests: Map<string, ModuleRequest>;
  /** The names that the module exports, those apart that it takes whole from others; and by specifier those of the others. */
  exported: string[];
  offered: Map<string, readonly string[]>;
  module: SourceTextModule;
  evaluated?: Promise<void>;
  /** The cell on whose behalf the module's code is running or waiting. */
  cell?: number | undefined;
}

/**
 * Makes the function that imports the TypeScript and JavaScript modules beside the notebook, by their full paths. It
 * reloads a module whose file was edited or that imports such a module; the others keep their state. It throws what the
 * module throws, a SyntaxError with its place, or an InputError if files of this kind cannot be imported.
 */
export function localModules(folder: string, registry: SourceRegistry, importFrom: ImportFrom, cells: Cells) {
  const entries = new Map<string, Entry>();
  const ownFolders = new Set([folder]);
  let linking: Promise<unknown> = Promise.resolve();
  let resolver: Promise<void> = Promise.resolve();
  /** Whether a file that Node itself loaded lies beside the notebook or beside a module that it imports. */
  const isOwn = (path: string): boolean => {
    const isForeign = path.includes(`${sep}node_modules${sep}`) || path.startsWith(join(packageRoot(), 'dist') + sep);
    if (isForeign || basename(path) === IMPORTER) return false;
    return [...ownFolders].some((each) => path.startsWith(each + sep));
  };
  requireTypeScript(registry, (path) => nameOf(path, folder));
  registry.nameFiles((path) => (isOwn(path) ? nameOf(path, folder) : undefined));

  /** Runs the code of a module and of all that it imports and that has not run yet. */
  async function evaluate({ module }: Entry): Promise<void> {
    const begun = [...entries.values()].filter((entry) => entry.module.status === 'linked');
    const cell = cells.current();
    for (const entry of begun) entry.cell = cell;
    try {
      await module.evaluate();
    } finally {
      for (const entry of begun) entry.cell = undefined;
    }
  }

  /** Loads and links a module. One at a time: two imports that link the same module at once would disturb each other. */
  function linked(path: string): Promise<Entry> {
    const next = async (): Promise<Entry> => {
      dropStale();
      const entry = entryOf(path);
      if (entry.module.status !== 'unlinked') return entry;
      try {
        await entry.module.link(link);
        await resolver;
      } catch (error) {
        placeMissingExport(error);
        throw error;
      }
      return entry;
    };
    const made = linking.then(next, next);
    linking = made;
    return made;
  }

  function entryOf(path: string): Entry {
    const known = entries.get(path);
    if (known) return known;
    const name = nameOf(path, folder);
    checkKind(path, name);
    const source = readFileSync(path, 'utf8');
    const lang = langOf(path);
    const project = () => knownProject(dirname(path));
    const stripped = stripTypes(source, { filename: path, lang, keepImports: false, project, asking: ownAsking });
    const url = `${path}?${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
    const { code, parsed } = registered(registry, url, { name, source }, stripped);
    if (parsed.module.importMetas.length > 0) resolver = loadResolver();
    const module = new SourceTextModule(code, {
      identifier: url,
      initializeImportMeta: (meta) => Object.assign(meta, metaOf(path)),
      importModuleDynamically: (async (specifier: string) =>
        asModule(
          await importFrom(specifier, dirname(path)).catch((error: unknown) => {
            nameImporter(error, name);
            throw error;
          }),
        )) as never,
    });
    const requests = moduleRequests(source, name, parsed);
    const exported = exportedNames(parsed);
    const entry = { stamp: stamp(path), needs: new Map(), requests, exported, offered: new Map(), module };
    entries.set(path, entry);
    return entry;
  }

  async function link(specifier: string, from: Module): Promise<Module> {
    const importer = from.identifier.slice(0, from.identifier.lastIndexOf('?'));
    try {
      return await found(specifier, importer);
    } catch (error) {
      nameImporter(error, nameOf(importer, folder));
      const place = entries.get(importer)?.requests.get(specifier)?.place;
      if (place) placeError(error, place);
      throw error;
    }
  }

  async function found(specifier: string, importer: string): Promise<Module> {
    const from = dirname(importer);
    const entry = entries.get(importer);
    const path = isLocal(specifier) ? resolveLocal(specifier, from) : await ownFile(specifier, from);
    if (path !== undefined) entry?.needs.set(path, stamp(path));
    const isRequired = path !== undefined && isCommonJs(path);
    if (path !== undefined && !isRequired && extname(path) !== '.json') {
      const { module, exported } = entryOf(path);
      entry?.offered.set(specifier, exported);
      return module;
    }
    const namespace = await importFrom(specifier, from);
    entry?.offered.set(specifier, Object.keys(namespace));
    const loaded = isRequired ? freshModule(path) : undefined;
    if (loaded) entry?.needs.set(loaded.filename, loaded);
    return moduleOf(namespace, entry?.requests.get(specifier));
  }

  /** Adds the place to V8's error, which names the missing export but not where it is imported, and what was meant. */
  function placeMissingExport(error: unknown): void {
    const [, specifier = '', name = ''] = (error instanceof SyntaxError && MISSING_EXPORT.exec(error.message)) || [];
    for (const { module, requests, offered } of entries.values()) {
      const place = module.status === 'evaluated' ? undefined : requests.get(specifier)?.names.get(name);
      if (!place) continue;
      placeError(error, place);
      (error as Error).message = missingExport(name, specifier, offered.get(specifier) ?? []);
    }
  }

  function dropStale(): void {
    const stale = new Set<string>();
    const isStale = (path: string, entry: Entry): boolean =>
      // Those that failed are gone already; code that an interrupt has ended may have been another cell's.
      entry.module.status === 'errored' ||
      // What waits for a timer of an interrupted cell waits for ever.
      (entry.cell !== undefined && cells.hasStruck(entry.cell)) ||
      entry.stamp !== stamp(path) ||
      [...entry.needs].some(([need, state]) => stale.has(need) || !isAsBefore(need, state));
    for (let before = -1; before !== stale.size; ) {
      before = stale.size;
      for (const [path, entry] of entries) if (isStale(path, entry)) stale.add(path);
    }
    for (const path of stale) entries.delete(path);
  }

  return async (path: string): Promise<Namespace> => {
    if (extname(path) === '.json') return readJsonModule(path, nameOf(path, folder), registry);
    if (isCommonJs(path)) {
      ownFolders.add(dirname(path));
      try {
        return importFresh(path);
      } catch (error) {
        throw missingRequired(error, folder) ?? error;
      }
    }
    try {
      const entry = await linked(path);
      entry.evaluated ??= evaluate(entry);
      await entry.evaluated;
      return entry.module.namespace as Namespace;
    } catch (error) {
      for (const [each, { module }] of entries) {
        if (module.status !== 'evaluated' && module.status !== 'evaluating') entries.delete(each);
      }
      throw error;
    }
  };
}

/** Refuses files that cannot be modules. A file without an extension is a script, as in Node. */
function checkKind(path: string, name: string): void {
  if (extname(path) === '.wasm')
    throw new InputError(
      `${name} holds WebAssembly, which is no module in Node.js. Load it: const { instance } = await ` +
        `WebAssembly.instantiate(readFileSync('${name}')), with readFileSync from 'node:fs'.`,
    );
  if (/^(\.([mc]?[jt]s|[jt]sx))?$/.test(extname(path))) return;
  throw new InputError(
    `${name} is no module: what can be imported are files of TypeScript and JavaScript (.ts, .mts, .cts, .tsx, .jsx, .js, ` +
      `.mjs, .cjs), .json and .node. Other files can be read: readFileSync('${name}', 'utf8'), from 'node:fs'.`,
  );
}

function langOf(path: string): Lang {
  const [, x] = /\.([tj]sx)$/.exec(path) ?? [];
  return (x as Lang | undefined) ?? (/\.[mc]?ts$/.test(path) ? 'ts' : 'js');
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
  if (!/\bmodule\.exports\b|\bexports\.\w|\brequire\(/.test(source)) return false;
  // A line of a text may begin so, and `import()` may stand in both.
  return !/^\s*(import|export)\b/m.test(source) || !parseSync(path, source).module.hasModuleSyntax;
}
