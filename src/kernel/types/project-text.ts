import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import { declarationFiles } from './declaration-files.js';
import { engineLibrary } from './engine-library.js';

/** The document that hides a file of this name on disk, if there is one. */
export const PROJECT_FILE = 'tsconfig.json';
/** The document that declares what `import … from 'tslab'` gives. */
export const TSLAB_FILE = '.oddslab-tslab.d.mts';

/**
 * The project in which cells of a folder are checked. The user's own tsconfig.json is not read, because the runner does
 * not read it either: what the checker accepts must run. So cells are strict everywhere and import what Node finds.
 *
 * @param documents Names of the documents without a file that the project begins with.
 * @returns The text of a tsconfig.json.
 */
export function projectText(folder: string, documents: string[]): string {
  const above = foldersAbove(folder);
  const root = packageRoot();
  const hasOddslab = above.some((each) => existsSync(join(each, 'node_modules/oddslab/package.json')));
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: engineLibrary(),
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
      tslab: [`./${TSLAB_FILE}`],
      'file:///*': ['/*'],
      ...(hasOddslab ? {} : { oddslab: [join(root, 'dist/index.d.ts')] }),
    },
  };
  // For an open document outside the project, the server would load another project.
  const files = [PROJECT_FILE, TSLAB_FILE, ...documents, cellGlobals(root), ...declarationFiles(folder)];
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

function cellGlobals(root: string): string {
  const source = join(root, 'src/kernel/cell-globals.d.ts');
  return existsSync(source) ? source : join(root, 'dist/kernel/cell-globals.d.ts');
}
