import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { InputError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { pathAliases, pathMap, starOf } from '../transform/project-options.js';
import { meantFile, ownFile } from './own-file.js';

/**
 * The error for an import that found no package; says what would be right. That is an installation only if nothing
 * suggests that a file, a module of Node's or another package was meant: an unknown package of that name may be anybody's.
 *
 * @param folder That of the importing file.
 */
export function notInstalled(specifier: string, folder: string, cause: unknown): InputError {
  const advice =
    ofAnotherKind(specifier) ??
    mappedByProject(specifier, folder) ??
    (isListed(specifier, folder) ? undefined : ownFile(specifier, folder)) ??
    unnameable(specifier) ??
    misspelt(specifier, folder);
  if (advice !== undefined) return missingModule(`Cannot find '${specifier}'. ${advice}`, { cause });
  const name = packageNameOf(specifier);
  return missingModule(`Cannot find the package '${name}'. ${installing(name, folder)}`, { cause });
}

/** How to install a package that the folder's package.json may list already. */
function installing(name: string, folder: string): string {
  const listed = dependencyOf(name, folder);
  if (listed === undefined)
    return `If that is its name on npm, where anybody may have published it, install it in the notebook's folder: npm install ${name}`;
  return `The package.json there lists it (${listed}), so this installs it: npm install`;
}

/** Packages of Python for which people look by habit; npm has strangers' packages of these names. */
const OF_PYTHON = /^(pandas|numpy|scipy|matplotlib|seaborn|sklearn|scikit-learn|statsmodels|polars-lts-cpu|requests)$/;
const OF_A_SITE =
  /^https?:\/\/(?:esm\.sh|esm\.run|cdn\.skypack\.dev|unpkg\.com|cdn\.jsdelivr\.net\/npm)\/((?:@[^/@]+\/)?[^/@?]+)/;

/** Advice for specifiers that no package can have. */
function ofAnotherKind(specifier: string): string | undefined {
  const [, registry, packed = ''] = /^(npm|jsr):\/?((?:@[^/]+\/)?[^/@]+)/.exec(specifier) ?? [];
  if (registry === 'npm')
    return `Cells import a package by its own name: npm install ${packed}, then from '${packed}'.`;
  if (registry === 'jsr')
    return `Packages of JSR are installed by: npx jsr add ${packed}. Then import them from '${packed}'.`;
  if (/^https?:/.test(specifier)) {
    const [, name] = OF_A_SITE.exec(specifier) ?? [];
    const instead = name === undefined ? '' : `: npm install ${name}, then from '${name}'`;
    return `Node.js imports nothing from addresses. Install the package${instead}, or save the file beside the notebook and import that.`;
  }
  if (specifier.startsWith('@std/'))
    return `That is a package of JSR, installed by: npx jsr add ${packageNameOf(specifier)}`;
  if (/^danfojs(-node)?$/.test(specifier))
    return "Danfo's DataFrame and Series are a part of 'oddslab': import them from there.";
  if (/^node:/.test(specifier))
    return meant(specifier, nearest(specifier.slice(5), builtinModules), 'Node.js has no such module');
  if (OF_PYTHON.test(specifier.replace(/\..*/, ''))) return 'That is a package of Python, which cells do not run.';
  return undefined;
}

/** Advice where tsconfig.json or package.json say what a name stands for, but nothing is there. */
function mappedByProject(specifier: string, folder: string): string | undefined {
  const { paths } = pathMap(folder);
  if (Object.keys(paths).some((pattern) => pattern !== '*' && starOf(specifier, pattern) !== undefined)) {
    const looked = pathAliases(specifier, folder).map((path) => `./${relative(folder, path)}`.replace('./../', '../'));
    return `By paths of tsconfig.json it stands for ${looked.join(' or ')}, where there is no module.`;
  }
  const listed = dependencyOf(packageNameOf(specifier), folder);
  if (specifier.startsWith('#')) {
    const known = Object.keys(manifestAbove(folder)?.imports ?? {});
    const stated = known.length === 0 ? 'has no imports' : `has the imports ${known.join(', ')}`;
    const near = nearest(specifier, known);
    return `The package.json of its folder ${stated}${near === undefined ? '.' : `: did you mean '${near}'?`}`;
  }
  const isLinked = listed !== undefined && /^(workspace|file|link|portal):/.test(listed);
  return isLinked
    ? `The package.json lists it as ${listed}, which the package manager has not linked yet: npm install`
    : undefined;
}

/** Advice for the names that projects give folders of their own and that no package can have. */
function unnameable(specifier: string): string | undefined {
  return /^[@~$]\//.test(specifier)
    ? 'No package can be called so. Such paths work where paths of a tsconfig.json beside the notebook say what they stand for.'
    : undefined;
}

/** Advice where a module of Node's or another package was meant. */
function misspelt(specifier: string, folder: string): string | undefined {
  if (/\.([mc]?[jt]sx?|json|wasm|csv)$/.test(specifier))
    return `An import of a file begins with './': './${specifier}'.`;
  if (isListed(specifier, folder)) return undefined;
  const name = packageNameOf(specifier);
  const lower = name.toLowerCase();
  const builtin = builtinModules.find((each) => !each.startsWith('_') && isSlipOf(specifier, each, 3));
  if (builtin !== undefined) return `Did you mean '${builtin}', which is a part of Node.js?`;
  const like = (other: string) => isSlipOf(lower, other, 4) || lower === other;
  const installed = installedPackages(folder);
  const near = [...installed, ...Object.keys(dependenciesOf(folder))].find(like);
  if (near !== undefined && near !== name)
    return `Did you mean '${near}', which ${installed.includes(near) ? 'is installed' : 'the package.json there lists'}?`;
  const beside = entriesOf(folder).flatMap((each) => /^(.+)\.[mc]?[jt]sx?$/.exec(each)?.[1] ?? []);
  const file = beside.find((each) => isSlipOf(specifier, each, 4));
  if (file !== undefined) return meantFile(`./${file}`);
  if (/[A-Z]/.test(name)) return `Packages are named in lower case: did you mean '${specifier.toLowerCase()}'?`;
  return undefined;
}

/** The names of the packages that can be imported in a folder: those installed there or above it. */
function installedPackages(folder: string): string[] {
  const folders = createRequire(join(folder, '_')).resolve.paths('name') ?? [];
  const here = folders.flatMap((each) =>
    entriesOf(each).flatMap((name) =>
      name.startsWith('@') ? entriesOf(join(each, name)).map((inner) => `${name}/${inner}`) : [name],
    ),
  );
  return ['oddslab', ...here.filter((name) => !name.startsWith('.'))];
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The error for a file that an installed package lacks or does not let be imported; undefined if the specifier names
 * no such file.
 */
export function noInnerFile(specifier: string, folder: string, code: string): InputError | undefined {
  const name = packageNameOf(specifier);
  const inner = specifier.slice(name.length + 1);
  const folders = createRequire(join(folder, '_')).resolve.paths(specifier) ?? [];
  const root = folders.map((each) => join(each, name)).find((each) => existsSync(each));
  if (inner === '' || root === undefined) return undefined;
  const { exports } = readManifest(join(root, 'package.json'));
  const files = entriesOf(join(root, dirname(inner))).map((each) => each.replace(/\.(d\.[mc]?ts|[mc]?js|json)$/, ''));
  const known = exports
    ? Object.keys(exports).flatMap((each) => (each.startsWith('./') ? [each.slice(2)] : []))
    : files.map((each) => join(dirname(inner), each));
  const near = nearest(inner, new Set(known));
  const question = near === undefined ? '' : ` Did you mean '${name}/${near}'?`;
  return missingModule(`The package '${name}' has nothing to import by '${specifier}'.${question}`, { code });
}

/** " Did you mean …?" with the file beside the one that a local import names; empty if none is like it. */
export function fileLike(specifier: string, path: string): string {
  const written = basename(path);
  const names = entriesOf(dirname(path)).filter((each) => /\.([mc]?[jt]sx?|json)$/.test(each));
  const bare = /\.\w+$/.test(written) ? names : names.map((each) => each.replace(/\.\w+$/, ''));
  const near = nearest(written, new Set(bare));
  return near === undefined ? '' : ` Did you mean '${specifier.slice(0, specifier.length - written.length)}${near}'?`;
}

/** Whether a name is one slip away from another. Of short names, one with another letter is another name: `ws`, `pg`. */
function isSlipOf(name: string, other: string, least: number): boolean {
  if (!isOneEdit(name, other)) return false;
  const isReordered = [...name].sort().join('') === [...other].sort().join('');
  return isReordered || name.length > other.length || (name.length >= least && other.length > 3);
}

/** Whether one letter is missing, added or another, or two neighbours are swapped. */
function isOneEdit(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [one, other] = [a.slice(at), b.slice(at)];
  if (a === b) return false;
  const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return isSwapped || one.slice(1) === other || one === other.slice(1) || one.slice(1) === other.slice(1);
}

function meant(specifier: string, found: string | undefined, otherwise: string): string {
  return found === undefined
    ? `${otherwise}.`
    : `Did you mean '${specifier.startsWith('node:') ? 'node:' : ''}${found}'?`;
}

function isListed(specifier: string, folder: string): boolean {
  return dependencyOf(packageNameOf(specifier), folder) !== undefined;
}

/** What the nearest package.json lists a package as; undefined if it does not. */
function dependencyOf(name: string, folder: string): string | undefined {
  return dependenciesOf(folder)[name];
}

function dependenciesOf(folder: string): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifestAbove(folder) ?? {};
  return { ...optionalDependencies, ...devDependencies, ...dependencies };
}

/** The nearest package.json, in the folder or above it. */
function manifestAbove(folder: string): Manifest | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'package.json');
    if (existsSync(file)) return readManifest(file);
    if (dirname(at) === at) return undefined;
  }
}

type Manifest = Record<string, Record<string, string> | undefined>;

function readManifest(file: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** The package name in a specifier such as `@scope/name/inner`. */
export function packageNameOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/**
 * The error for a module that cannot be found. Its `code` is Node's, by default that of `cause`, so that programs
 * recognize it; it is not enumerable, since it tells a reader nothing.
 */
export function missingModule(message: string, { cause, code }: { cause?: unknown; code?: string }): InputError {
  const error = new InputError(message, cause === undefined ? undefined : { cause });
  const value = code ?? Reflect.get(Object(cause), 'code');
  return Object.defineProperty(error, 'code', { value, configurable: true, writable: true });
}
