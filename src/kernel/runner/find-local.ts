import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXTENSIONS = ['.ts', '.mts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** A query or fragment behind a path, by which programs have Node load a file anew: `./fees.js?v=2`. */
const QUERY = /(?<=.)[?#].*$/s;
const TYPESCRIPT_OF: Record<string, string> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts' };

/** Whether an import names a file rather than a package. */
export function isLocal(specifier: string): boolean {
  return /^(\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
}

/**
 * Finds the file that a local import means: as written, as TypeScript where JavaScript is written, with an omitted
 * extension added, or a folder's index; a query is left out, since an edit counts without it. Undefined if there is none.
 */
export function findLocal(specifier: string, folder: string): string | undefined {
  const found = fileAt(pathOf(specifier, folder));
  const bare = specifier.replace(QUERY, '');
  return found ?? (bare === specifier ? undefined : fileAt(pathOf(bare, folder)));
}

function fileAt(path: string): string | undefined {
  const extension = JAVASCRIPT.exec(path)?.[0] ?? '';
  const typescript = TYPESCRIPT_OF[extension];
  const candidates = [
    path,
    ...(typescript ? [path.slice(0, -extension.length) + typescript] : []),
    ...(extension === '.js' ? [path.replace(JAVASCRIPT, '.tsx')] : []),
    ...EXTENSIONS.map((each) => path + each),
    ...EXTENSIONS.map((each) => join(path, `index${each}`)),
  ];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
}

/** Ends the name of a file of JavaScript. */
export const JAVASCRIPT = /\.[mc]?js$/;

/** The full path that a local import names, as written. */
export function pathOf(specifier: string, folder: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(folder, specifier);
}

/** A file's name in traces, beside a notebook in the given folder. */
export function nameOf(path: string, folder: string): string {
  return `./${relative(folder, path)}`.replace('./../', '../');
}
