import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetPath, packageRoot } from '../../base/packages.js';
import type { Diagnostic } from './type-service.js';

/** The document that hides a file of this name on disk, if there is one. */
export const PROJECT_FILE = 'tsconfig.json';

/**
 * The tsconfig.json by which cells of a folder are checked. The user's own is not read, because the runner does not
 * read it either: what the checker accepts must run. So cells are strict everywhere and import what Node finds.
 *
 * @param documents Names of the documents without a file that the project begins with.
 */
export function projectText(folder: string, documents: string[]): string {
  const above = foldersAbove(folder);
  const hasOddslab = above.some((each) => existsSync(join(each, 'node_modules/oddslab/package.json')));
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: ['es2023', ...Object.entries(PARTS).flatMap(([part, isThere]) => (isThere ? [part] : []))],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    customConditions: ['node'],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    allowJs: true,
    jsx: 'react-jsx',
    experimentalDecorators: true,
    skipLibCheck: true,
    noEmit: true,
    disableSolutionSearching: true,
    types: ['node'],
    typeRoots: [...above.map((each) => join(each, 'node_modules/@types')).filter(existsSync), ...nodeTypes()],
    paths: {
      'file:///*': ['/*'],
      ...(hasOddslab ? {} : { oddslab: [join(packageRoot(), 'dist/index.d.ts')] }),
    },
  };
  // For an open document outside the project, the server would load another project.
  const files = [PROJECT_FILE, ...documents, assetPath('kernel/cell-globals.d.ts'), ...declarationFiles(folder)];
  return JSON.stringify({ compilerOptions, files });
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** The package's own @types, for folders without Node's; empty if it was left out when the package was installed. */
function nodeTypes(): string[] {
  try {
    return [dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json')))];
  } catch {
    return [];
  }
}

/**
 * The parts of TypeScript's library beyond ES2023, and whether this Node.js, which also runs the cells, has what they
 * declare. A part that it has only partly counts, so that nothing that runs is refused.
 */
const PARTS = {
  'es2024.arraybuffer': 'resize' in ArrayBuffer.prototype,
  'es2024.collection': 'groupBy' in Map,
  'es2024.object': 'groupBy' in Object,
  'es2024.promise': 'withResolvers' in Promise,
  'es2024.regexp': 'unicodeSets' in RegExp.prototype,
  'es2024.sharedmemory': 'waitAsync' in Atomics,
  'es2024.string': 'isWellFormed' in String.prototype,
  'es2025.collection': 'union' in Set.prototype,
  'es2025.float16': 'Float16Array' in globalThis,
  'es2025.intl': 'DurationFormat' in Intl,
  'es2025.iterator': 'Iterator' in globalThis,
  'es2025.promise': 'try' in Promise,
  'es2025.regexp': 'escape' in RegExp,
  'esnext.array': 'fromAsync' in Array,
  'esnext.collection': 'getOrInsert' in Map.prototype,
  'esnext.date': 'toTemporalInstant' in Date.prototype,
  // The types that `using` needs come from @types/node, so that it can be written everywhere.
  'esnext.disposable': 'DisposableStack' in globalThis,
  'esnext.error': 'isError' in Error,
  'esnext.sharedmemory': 'pause' in Atomics,
  'esnext.temporal': 'Temporal' in globalThis,
  'esnext.typedarrays': 'fromBase64' in Uint8Array,
};

/** A folder with more declaration files was not made for a notebook. */
const MOST = 100;

/** The names of the declaration files beside the notebook: every cell knows what they declare. */
export function declarationFiles(folder: string): string[] {
  // Reading a pipe would never end.
  const isOne = (each: Dirent): boolean =>
    /^[^.].*\.d\.[cm]?ts$/.test(each.name) && (each.isFile() || each.isSymbolicLink());
  try {
    const names = readdirSync(folder, { withFileTypes: true }).flatMap((each) => (isOne(each) ? [each.name] : []));
    return names.sort().slice(0, MOST);
  } catch {
    return [];
  }
}

const ENDINGS = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.json', '/index.ts', '/index.js'];
/** The language server's numbers of what may happen to a file. */
const CHANGES = { created: 1, changed: 2, deleted: 3 };

interface KnownFile {
  stamp: number;
  /** The local modules that it imports. */
  imports: string[];
}

/** A change of a file, in the form that the language server takes. */
interface FileChange {
  uri: string;
  type: number;
}

/** The user's own modules that cells import. The language server does not look at the disk again by itself. */
export class LocalFiles {
  readonly #folder: string;
  readonly #entries = new Set<string>();
  readonly #known = new Map<string, KnownFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Records what a cell imports. */
  add(sources: Iterable<string>): void {
    for (const source of sources) if (/^\.{0,2}\//.test(source)) this.#entries.add(resolve(this.#folder, source));
  }

  /** The files that appeared, changed or disappeared since the last call, including those that local modules import. */
  changes(): FileChange[] {
    const changes: FileChange[] = [];
    const seen = new Set<string>();
    const waiting = [...this.#entries];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = this.#look(path, changes);
      if (file) waiting.push(...file.imports);
    }
    return changes;
  }

  #look(path: string, changes: FileChange[]): KnownFile | undefined {
    const candidates = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([mc]?)js$/, '.$1ts')];
    for (const candidate of candidates) {
      const stamp = stampOf(candidate);
      const before = this.#known.get(candidate);
      const uri = pathToFileURL(candidate).href;
      if (stamp === undefined) {
        if (before) changes.push({ uri, type: CHANGES.deleted });
        this.#known.delete(candidate);
        continue;
      }
      if (before?.stamp === stamp) return before;
      const file = { stamp, imports: importsOf(candidate) };
      this.#known.set(candidate, file);
      changes.push({ uri, type: before ? CHANGES.changed : CHANGES.created });
      return file;
    }
    return undefined;
  }
}

function stampOf(path: string): number | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  return about?.isFile() ? about.mtimeMs + about.size : undefined;
}

function importsOf(path: string): string[] {
  try {
    const specifiers = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]*)['"]/g);
    return [...specifiers].map(([, specifier = '']) => resolve(dirname(path), specifier));
  } catch {
    return [];
  }
}

const NO_MODULE = 2307;
const NO_DECLARATION = 7016;

/** Whether a package, or its types, that the language server did not find is installed: it may be new. */
export function installedSince(diagnostics: Diagnostic[], folder: string): boolean {
  return diagnostics.some(({ code, message }) => {
    const name = /module '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(message)?.[1];
    if (name === undefined || (code !== NO_MODULE && code !== NO_DECLARATION)) return false;
    const types = join('@types', name.replace(/^@(.+)\//, '$1__'));
    const isInstalled = (each: string): boolean =>
      foldersAbove(folder).some((above) => existsSync(join(above, 'node_modules', each)));
    return isInstalled(types) || (code === NO_MODULE && isInstalled(name));
  });
}
