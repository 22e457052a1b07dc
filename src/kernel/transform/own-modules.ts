import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathAliases, starOf } from './project-options.js';

/**
 * The paths that an import of the user's own modules may mean, without their endings: a file beside the importing one,
 * what `paths` of a tsconfig.json and `#imports` of a package.json stand for, or the folder (with a slash at its end) of
 * a package that is linked from elsewhere. Empty for packages that are installed.
 */
export function ownModules(specifier: string, folder: string): string[] {
  if (/^(\.{0,2}\/|\.{1,2}$)/.test(specifier)) return [resolve(folder, specifier)];
  if (specifier.startsWith('file:')) return [fileURLToPath(specifier)];
  if (/^\w+:/.test(specifier) || isBuiltin(specifier)) return [];
  if (specifier.startsWith('#')) return mapped(specifier, folder);
  const aliased = pathAliases(specifier, folder);
  return aliased.length > 0 ? aliased : linkedFolder(specifier, folder);
}

const FOREIGN = `${sep}node_modules${sep}`;

function linkedFolder(specifier: string, folder: string): string[] {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  for (const above of foldersAbove(folder)) {
    const found = join(above, 'node_modules', name);
    if (!existsSync(found)) continue;
    const real = realpathSync(found);
    return real.includes(FOREIGN) ? [] : [`${real}/`];
  }
  return [];
}

/** What `imports` of the nearest package.json say of a specifier, under whatever condition; that file, too. */
function mapped(specifier: string, folder: string): string[] {
  const home = foldersAbove(folder).find((above) => existsSync(join(above, 'package.json')));
  if (home === undefined) return [];
  const manifest = join(home, 'package.json');
  const targets = Object.entries(Object(readImports(manifest))).flatMap(([key, target]) => {
    const middle = starOf(specifier, key);
    return middle === undefined ? [] : textsIn(target).map((each) => resolve(home, each.replaceAll('*', middle)));
  });
  return [manifest, ...targets];
}

function readImports(manifest: string): unknown {
  try {
    return Object(JSON.parse(readFileSync(manifest, 'utf8'))).imports;
  } catch {
    return undefined;
  }
}

/** The texts within a value of conditions: `{ "types": "./a.d.ts", "default": ["./a.js"] }`. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('.') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}
