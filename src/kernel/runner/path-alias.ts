import { dirname, join, relative, resolve, sep } from 'node:path';
import { textsIn } from '../transform/own-modules.js';
import { pathAliases, pathMap, starOf } from '../transform/project-options.js';
import { findLocal } from './find-local.js';
import { isSlippedPath, listed, nearestPath, within } from './near-names.js';
import { modulesIn } from './own-file.js';
import { dependencyOf, homeOf, manifestAbove, packageNameOf, readManifest } from './package-manifest.js';

/** Advice where tsconfig.json or package.json say what a specifier stands for, but nothing is there. */
export function mappedByProject(specifier: string, folder: string): string | undefined {
  if (specifier.startsWith('#')) return mappedByPackage(specifier, folder);
  const { paths } = pathMap(folder);
  if (Object.keys(paths).some((pattern) => pattern !== '*' && starOf(specifier, pattern) !== undefined)) {
    const known = specifiersOf(folder);
    if (known.includes(specifier)) return `Did you mean '${specifier}'?`;
    const looked = pathAliases(specifier, folder).map((path) => `./${relative(folder, path)}`.replace('./../', '../'));
    const what = `By paths of tsconfig.json it stands for ${looked.join(' or ')}, where there is no module.`;
    return `${what}${instead(specifier, known)}`;
  }
  const version = dependencyOf(packageNameOf(specifier), folder);
  return version !== undefined && /^(workspace|file|link|portal):/.test(version)
    ? `The package.json lists it as ${version}, which the package manager has not linked yet: npm install`
    : undefined;
}

function mappedByPackage(specifier: string, folder: string): string {
  const known = Object.keys(Object(manifestAbove(folder)?.imports));
  const stated = known.length === 0 ? 'has no imports' : `has the imports ${known.join(', ')}`;
  return `The package.json of its folder ${stated}.${insteadOfImport(specifier, folder)}`;
}

/** Advice where the `#imports` of a package.json have a specifier by now, but Node does not know it. */
export function newInPackage(specifier: string, folder: string): string | undefined {
  if (!importsOf(folder).includes(specifier)) return undefined;
  return 'The package.json has it, which Node.js reads once: if it is new there, restart the kernel.';
}

/** The question or the list that follows where `#imports` of a package.json give nothing for a specifier; may be empty. */
export function insteadOfImport(specifier: string, folder: string): string {
  return instead(specifier, importsOf(folder));
}

/** The specifiers by `#imports` of the nearest package.json of the modules that there are. */
function importsOf(folder: string): string[] {
  const home = homeOf(folder);
  if (home === undefined) return [];
  const { imports } = readManifest(join(home, 'package.json'));
  const known = Object.entries(Object(imports)).flatMap(([pattern, target]) =>
    textsIn(target).flatMap((each) => standing(pattern, resolve(home, each))),
  );
  return [...new Set(known)];
}

/** Advice where a specifier begins as what paths of tsconfig.json say something of: `@utils/fees` beside `@utils`. */
export function besidePath(specifier: string, folder: string): string | undefined {
  const { paths } = pathMap(folder);
  const first = firstPart(specifier);
  const patterns = Object.keys(paths).filter((pattern) => pattern !== '*' && firstPart(pattern) === first);
  if (patterns.length === 0) return undefined;
  const has = `Of such names, paths of tsconfig.json have only ${listed(patterns)}.`;
  const known = specifiersOf(folder, patterns).filter((each) => !patterns.includes(each));
  return `${has}${instead(specifier, known)}`;
}

/** The specifier by paths of tsconfig.json that a misspelt one means; undefined if none is like it. */
export function pathLike(specifier: string, folder: string): string | undefined {
  return specifiersOf(folder).find((each) => isSlippedPath(specifier, each));
}

/** The question or the list that follows what is wrong; empty if there is nothing to name. */
function instead(specifier: string, known: readonly string[]): string {
  const near = nearestPath(specifier, known);
  if (near !== undefined) return ` Did you mean '${near}'?`;
  const first = firstPart(specifier);
  const inside = within(specifier, known);
  const alike = inside.length > 0 ? inside : known.filter((each) => firstPart(each) === first);
  return alike.length === 0 ? '' : ` There ${alike.length === 1 ? 'is' : 'are'} ${listed(alike)}.`;
}

/** The specifiers that the paths of a tsconfig.json give to the modules that there are. */
function specifiersOf(folder: string, among?: readonly string[]): string[] {
  const { paths } = pathMap(folder);
  const patterns = among ?? Object.keys(paths).filter((pattern) => pattern !== '*');
  const found = patterns.flatMap((pattern) => (paths[pattern] ?? []).flatMap((target) => standing(pattern, target)));
  return [...new Set(found)];
}

/** What a pattern makes of the modules that one of its targets, a full path, holds. */
function standing(pattern: string, target: string): string[] {
  const [before = '', after] = target.split('*');
  if (after === undefined) return findLocal(target, '/') === undefined ? [] : [pattern];
  const root = before.endsWith(sep) ? before : dirname(before);
  return modulesIn(root).flatMap((path) => {
    const full = join(root, path);
    const star = starOf(full, target) ?? starOf(full + after, target);
    return star === undefined || star === '' ? [] : [pattern.replace('*', star.split(sep).join('/'))];
  });
}

function firstPart(specifier: string): string {
  return specifier.split('/')[0] ?? '';
}
