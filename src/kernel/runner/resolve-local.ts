import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InputError } from '../../base/errors.js';
import { missingModule } from './missing-module.js';

const EXTENSIONS = ['.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '.json'];
const TYPESCRIPT_OF: Record<string, string> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts' };

/** Whether an import names a file rather than a package. */
export function isLocal(specifier: string): boolean {
  return /^(\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
}

/**
 * Finds the file that a local import means: as written, as TypeScript where JavaScript is written, with an omitted
 * extension added, or a folder's index.
 *
 * @throws {InputError} If there is none.
 */
export function resolveLocal(specifier: string, folder: string): string {
  const found = findLocal(specifier, folder);
  if (found !== undefined) return found;
  const path = pathOf(specifier, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return createRequire(join(folder, '_')).resolve(path);
  throw noLocal(specifier, 'ERR_MODULE_NOT_FOUND');
}

/** The error for a local module that does not exist. */
export function noLocal(specifier: string, code: string): InputError {
  const name = basename(specifier);
  const looked = JAVASCRIPT.test(name) ? name : `${name}.ts, ${name}.js and ${name}/index.ts`;
  const message = `Cannot find the module '${specifier}': looked for ${looked} from the importing file's folder.`;
  return missingModule(message, { code });
}

/** Does the same, but returns undefined if there is none. */
export function findLocal(specifier: string, folder: string): string | undefined {
  const path = pathOf(specifier, folder);
  const extension = JAVASCRIPT.exec(path)?.[0] ?? '';
  const typescript = TYPESCRIPT_OF[extension];
  const candidates = [
    path,
    ...(typescript ? [path.slice(0, -extension.length) + typescript] : []),
    ...EXTENSIONS.map((each) => path + each),
    ...EXTENSIONS.map((each) => join(path, `index${each}`)),
  ];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
}

const JAVASCRIPT = /\.[mc]?js$/;

function pathOf(specifier: string, folder: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(folder, specifier);
}
