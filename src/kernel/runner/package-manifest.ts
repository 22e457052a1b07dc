import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What is read of a package.json; any of it may be missing, or something else. */
export type Manifest = Record<string, Record<string, unknown> | string | undefined>;

/** The nearest package.json, in the folder or above it. */
export function manifestAbove(folder: string): Manifest | undefined {
  const home = homeOf(folder);
  return home === undefined ? undefined : readManifest(join(home, 'package.json'));
}

/** The folder of the nearest package.json: this one or one above it. */
export function homeOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A package.json; an empty one if it cannot be read. */
export function readManifest(file: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** The packages that the nearest package.json lists, and what as. */
export function dependenciesOf(folder: string): Record<string, unknown> {
  const { dependencies, devDependencies, optionalDependencies } = manifestAbove(folder) ?? {};
  return { ...Object(optionalDependencies), ...Object(devDependencies), ...Object(dependencies) };
}

/** What the nearest package.json lists a package as; undefined if it does not. */
export function dependencyOf(name: string, folder: string): string | undefined {
  const dependencies = dependenciesOf(folder);
  return Object.hasOwn(dependencies, name) ? String(dependencies[name]) : undefined;
}

/** The names of the packages that can be imported in a folder: those installed there or above it. */
export function installedPackages(folder: string): string[] {
  const folders = createRequire(join(folder, '_')).resolve.paths('name') ?? [];
  const here = folders.flatMap((each) =>
    namesIn(each).flatMap((name) =>
      name.startsWith('@') ? namesIn(join(each, name)).map((inner) => `${name}/${inner}`) : [name],
    ),
  );
  return ['oddslab', ...here.filter((name) => !name.startsWith('.'))];
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The package name in a specifier such as `@scope/name/inner`. */
export function packageNameOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}
