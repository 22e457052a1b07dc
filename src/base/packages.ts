import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataError, messageOf, OddslabError } from './errors.js';

let found: string | undefined;

/**
 * Finds the folder of Oddslab's package, whether this code runs from `src/`, from `dist/` or from a chunk within it.
 *
 * @throws {DataError} If no package.json named `oddslab` lies above this code.
 */
export function packageRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function search(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && isOurs(readFileSync(manifest, 'utf8'))) return folder;
    if (dirname(folder) === folder) {
      throw new DataError(`Found no package.json of oddslab above ${start}: install the package again.`);
    }
  }
}

function isOurs(manifest: string): boolean {
  return /"name":\s*"oddslab"/.test(manifest);
}

/** The version of Oddslab, or of a package that it depends on. */
export function versionOf(name: 'oddslab' | 'typescript'): string {
  const manifest = createRequire(join(packageRoot(), '_')).resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/**
 * The path of a file that stands beside the sources, such as a picture. The build copies each into `dist/`, for where
 * there are no sources.
 *
 * @param path Its path below `src/`.
 */
export function assetPath(path: string): string {
  const beside = join(packageRoot(), 'src', path);
  return existsSync(beside) ? beside : join(packageRoot(), 'dist', path);
}

/** Reads a text file that stands beside the sources, such as a style sheet; see {@link assetPath}. */
export function readAsset(path: string): string {
  return readFileSync(assetPath(path), 'utf8');
}

/**
 * Loads a module that needs a package with native code. An installation may lack that code for this platform.
 *
 * @param name The package's name on npm.
 * @throws {OddslabError} If it cannot be loaded; the message says why, for which platform, and what would help.
 */
export async function loadNative<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw nativeFault(name, cause);
  }
}

/**
 * The error for a package with native code that cannot be loaded. Errors of the system, such as too many open files,
 * stay as they are.
 */
export function nativeFault(name: string, cause: unknown): unknown {
  if (cause instanceof Error && 'syscall' in cause) return cause;
  const [reason] = messageOf(cause).split(/\.?(?:\n|\. |$)/, 1);
  const place = `${process.platform}-${process.arch}`;
  return new OddslabError(`${name} cannot be loaded on ${place}: ${reason}. ${remedy()}`, { cause });
}

function remedy(): string {
  if (process.versions.pnp !== undefined) return PNP;
  if (`${process.execArgv} ${process.env.NODE_OPTIONS}`.includes('--no-addons')) return NO_ADDONS;
  return 'Remove node_modules and run npm install again on this machine, without --omit=optional.';
}

const NO_ADDONS = 'Start Node.js without --no-addons, which NODE_OPTIONS may hold, too.';

const PNP =
  'Parts with native code need a node_modules folder: set nodeLinker: node-modules in .yarnrc.yml and run yarn install again.';
