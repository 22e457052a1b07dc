import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageNameOf } from './import-package.js';
import { isLocal } from './resolve-local.js';

/** The versions of the loaded packages, by folder. */
const loaded = new Map<string, string>();

/**
 * Checks whether another version of a loaded package has been installed since: Node keeps the one that it loaded. The
 * first call for a package records its version.
 *
 * @param folder Folder of the importing file.
 * @returns What to tell the reader; undefined if nothing changed or it is not a package.
 */
export function upgradedPackage(specifier: string, folder: string): string | undefined {
  if (isLocal(specifier)) return undefined;
  const name = packageNameOf(specifier);
  for (const parent of createRequire(join(folder, '_')).resolve.paths(name) ?? []) {
    const installed = versionIn(join(parent, name));
    if (installed === undefined) continue;
    const before = loaded.get(join(parent, name)) ?? installed;
    loaded.set(join(parent, name), before);
    if (before === installed) return undefined;
    return `${name} ${installed} is installed, ${before} is loaded: restart the kernel to use it.`;
  }
  return undefined;
}

const told = new Set<string>();

/** Warns of an upgrade under the importing cell, once for each version. */
export function warnOfUpgrade(specifier: string, folder: string): void {
  const upgrade = upgradedPackage(specifier, folder);
  if (upgrade === undefined || told.has(upgrade)) return;
  told.add(upgrade);
  process.stderr.write(`${upgrade}\n`);
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return String(Reflect.get(Object(manifest), 'version'));
  } catch {
    return undefined;
  }
}
