// Completes the lockfiles after `npm install` against a registry that does not carry every platform's binaries:
// npm leaves those optional packages out of the lockfile it writes, and `npm ci` then refuses it as incomplete.
// `npm run lock` runs this; a complete file stays unchanged.
import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], optionalDependencies?: Record<string, string> }} Locked */

/**
 * Adds to a lockfile the optional packages that its entries name but that it lacks.
 *
 * @param {string} path The package-lock.json.
 * @returns {Promise<number>} How many packages were added.
 */
export async function completeLock(path) {
  const lock = JSON.parse(await readFile(path, 'utf8'));
  /** @type {Record<string, Locked>} */
  const packages = lock.packages;
  const before = Object.keys(packages).length;
  for (const [place, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, place, name)) continue;
      const outer = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/')));
      const version = range.replace(/^[~^]/, '');
      packages[`${outer}node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) };
    }
  }
  const added = Object.keys(packages).length - before;
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (added > 0) await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
  return added;
}

/**
 * @param {Record<string, Locked>} packages
 * @param {string} place The folder of the package that names the other one.
 * @param {string} name
 */
function isLocked(packages, place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (`${folder}${folder && '/'}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

/** @param {string} name Such as `@biomejs/cli-darwin-arm64`. */
function platformOf(name) {
  const [, os, cpu] =
    /-(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32)-([a-z0-9]+)/.exec(name) ?? [];
  return os === undefined || cpu === undefined ? { os: ['none'] } : { os: [os], cpu: [cpu] };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of [
    'package-lock.json',
    'test/chdb/package-lock.json',
    'test/libraries/package-lock.json',
    'src/page/front/package-lock.json',
  ]) {
    const lock = fileURLToPath(new URL(`../${name}`, import.meta.url));
    console.error(`completed ${name}: ${await completeLock(lock)} packages added`);
  }
}
