import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { assetPath, packageRoot } from '../../base/packages.js';
import { type ProjectOptions, pathMap, projectOptions } from '../transform/project-options.js';

/** The document that hides a file of this name on disk, if there is one. */
export const PROJECT_FILE = 'tsconfig.json';

/**
 * The tsconfig.json by which cells of a folder are checked. Of the user's own only that is taken which the runner takes,
 * too: what the checker accepts must run. So cells are strict everywhere and import what Node finds.
 *
 * @param documents Names of the documents without a file that the project begins with.
 * @param isLoose Whether null and undefined count as values of every type.
 */
export function projectText(folder: string, documents: string[], isLoose = false): string {
  const above = foldersAbove(folder);
  const hasOddslab = above.some((each) => existsSync(join(each, 'node_modules/oddslab/package.json')));
  const compilerOptions = {
    strict: true,
    strictNullChecks: !isLoose,
    // What these refuse runs, and cells are no place to be told how to write it otherwise.
    strictPropertyInitialization: false,
    strictFunctionTypes: false,
    useUnknownInCatchVariables: false,
    noImplicitThis: false,
    target: 'es2024',
    lib: [
      'es2023',
      'esnext.decorators',
      ...Object.entries(PARTS).flatMap(([part, isThere]) => (isThere ? [part] : [])),
    ],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    customConditions: ['node'],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    allowJs: true,
    ...settingsOf(projectOptions(folder)),
    skipLibCheck: true,
    noEmit: true,
    disableSolutionSearching: true,
    types: ['node'],
    typeRoots: [...above.map((each) => join(each, 'node_modules/@types')).filter(existsSync), ...nodeTypes()],
    paths: {
      'file:///*': ['/*'],
      ...aliases(folder),
      ...(hasOddslab ? {} : { oddslab: [join(packageRoot(), 'dist/index.d.ts')] }),
    },
  };
  // For an open document outside the project, the server would load another project.
  const ours = ['kernel/cell-globals.d.ts', 'kernel/required-modules.d.ts'].map(assetPath);
  const files = [PROJECT_FILE, ...documents, ...ours, ...declarationFiles(folder)];
  return JSON.stringify({ compilerOptions, files });
}

/** The paths of a tsconfig.json, which the runner follows, too; for `baseUrl`, which the language server has no more, a star. */
function aliases(folder: string): Record<string, string[]> {
  const { paths, base } = pathMap(folder);
  return { ...(base === undefined ? {} : { '*': [join(base, '*')] }), ...paths };
}

/** The options that the runner takes as well, as TypeScript names them. */
function settingsOf({ jsx, ...decorators }: ProjectOptions): object {
  const { runtime, importSource, pragma, pragmaFrag } = jsx;
  const classic = { jsx: 'react', jsxFactory: pragma, jsxFragmentFactory: pragmaFrag };
  return { ...decorators, ...(runtime === 'classic' ? classic : { jsx: 'react-jsx', jsxImportSource: importSource }) };
}

export function foldersAbove(folder: string): string[] {
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

const NO_MODULE = 2307;
const NO_DECLARATION = 7016;

/** The modules, other than files, of which a diagnostic says that they have no types. */
export function untypedModules(diagnostics: readonly { code?: number; message: string }[]): string[] {
  return diagnostics.flatMap(({ code, message }) => {
    const [, name = ''] = (code === NO_DECLARATION && /module '([^']+)'/.exec(message)) || [];
    return /^[./]|^$|^\w+:|\/jsx-(dev-)?runtime$/.test(name) ? [] : [name];
  });
}

/** Whether the types of a package are installed apart from it. */
export function hasTypesApart(module: string, folder: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(module) ?? [];
  return foldersAbove(folder).some((above) => existsSync(join(above, 'node_modules', typesOf(name))));
}

function typesOf(name: string): string {
  return join('@types', name.replace(/^@(.+)\//, '$1__'));
}

/** Whether a package, or its types, that the language server did not find is installed: it may be new. */
export function installedSince(diagnostics: readonly { code?: number; message: string }[], folder: string): boolean {
  return diagnostics.some(({ code, message }) => {
    const name = /module '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(message)?.[1];
    if (name === undefined || (code !== NO_MODULE && code !== NO_DECLARATION)) return false;
    const isInstalled = (each: string): boolean =>
      foldersAbove(folder).some((above) => existsSync(join(above, 'node_modules', each)));
    return isInstalled(typesOf(name)) || (code === NO_MODULE && isInstalled(name));
  });
}
