import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { InputError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { NODE_MODULES, ofAnotherKind, ofAScheme, ofAVersion } from './foreign-specifier.js';
import { isSlipOf } from './near-names.js';
import { ownFile, ownPlace, similarFile } from './own-file.js';
import {
  dependenciesOf,
  dependencyOf,
  installedPackages,
  namesIn,
  packageNameOf,
  readManifest,
} from './package-manifest.js';
import { besidePath, mappedByProject, newInPackage, pathLike } from './path-alias.js';

/**
 * The error for an import that found no package; says what would be right. That is an installation only where a plain
 * name is like nothing that is there, neither a file, a folder or a path of a tsconfig.json, nor a module of Node's, nor
 * another package: a package of that name may be anybody's.
 *
 * @param folder That of the importing file.
 */
export function notInstalled(specifier: string, folder: string, cause: unknown): InputError {
  if (/\/jsx-(dev-)?runtime$/.test(specifier)) return missingModule(missingJsx(specifier, folder), { cause });
  const isInstalled = (name: string): boolean => installedPackages(folder).includes(name);
  const meant = (name: string): string | undefined => whatIsNear(name, folder);
  const own = (name: string): string | undefined => ofProject(name, folder);
  const known = { meant, own, isInstalled };
  const advice =
    ofAScheme(specifier, known) ?? meant(specifier) ?? ofAVersion(specifier, known) ?? unnameable(specifier);
  if (advice !== undefined) return missingModule(`Cannot find '${specifier}'. ${advice}`, { cause });
  const name = packageNameOf(specifier);
  const isListed = dependencyOf(name, folder) !== undefined;
  if (isListed || name === specifier)
    return missingModule(`Cannot find the package '${name}'. ${installing(name, folder)}`, { cause });
  const neither = `The project has no folder or file '${name}', and no package '${name}' is installed`;
  const path = `a file of yours is imported by its path, which begins with './' or '../'`;
  const installed = installing(name, folder, `'${name}', as it is written, is the name of a package`);
  return missingModule(`Cannot find '${specifier}'. ${neither}: ${path}. ${installed}`, { cause });
}

/** What to say where the package is missing of which JSX makes its elements. */
function missingJsx(specifier: string, folder: string): string {
  const name = packageNameOf(specifier);
  const begin = `Cannot find the package '${name}'. Elements in angle brackets (JSX) are made by it`;
  if (name !== 'react') return `${begin}. ${installing(name, folder)}`;
  return (
    `${begin}, or by Preact. Install one in the notebook's folder, with what shows its elements: npm install react ` +
    'react-dom, or: npm install preact preact-render-to-string. HTML itself is shown by display.html(text).'
  );
}

/** Advice where something near has the name, or one like it. */
function whatIsNear(specifier: string, folder: string): string | undefined {
  const isListed = dependencyOf(packageNameOf(specifier), folder) !== undefined;
  if (isListed) return mappedByProject(specifier, folder);
  return ofProject(specifier, folder) ?? ofAnotherKind(specifier) ?? misspelt(specifier, folder);
}

/** Advice where the project says what such names stand for, or has files of that name. */
function ofProject(specifier: string, folder: string): string | undefined {
  if (specifier.startsWith('#'))
    return newInPackage(specifier, folder) ?? ownFile(specifier, folder) ?? mappedByProject(specifier, folder);
  return (
    mappedByProject(specifier, folder) ??
    ownFile(specifier, folder) ??
    besidePath(specifier, folder) ??
    ownPlace(specifier, folder)
  );
}

/** How to install a package that the folder's package.json may list already. */
function installing(name: string, folder: string, what = 'that, as it is written, is its name'): string {
  const listed = dependencyOf(name, folder);
  if (listed !== undefined) return `The package.json there lists it (${listed}), so this installs it: npm install`;
  return `If ${what} on npm, where anybody may have published it, install it in the notebook's folder: npm install ${name}`;
}

/** Advice for what no package can be called, such as the names that projects give folders of their own. */
function unnameable(specifier: string): string | undefined {
  if (/^[@~$]\//.test(specifier))
    return 'No package can be called so. Such paths work where paths of a tsconfig.json beside the notebook say what they stand for.';
  if (!/^(?:@[\w.~-]+\/)?[a-z\d~-][\w.~-]*(?:\/|$)/i.test(specifier)) return 'No package can be called so.';
  const name = packageNameOf(specifier);
  if (name.toLowerCase() === name) return undefined;
  return `Packages are named in lower case: did you mean '${name.toLowerCase()}${specifier.slice(name.length)}'?`;
}

/** Advice where a module of Node's, another package or another file was meant. */
function misspelt(specifier: string, folder: string): string | undefined {
  if (/\.([mc]?[jt]sx?|json|wasm|csv)$/.test(specifier))
    return `An import of a file begins with './': './${specifier}'.`;
  const name = packageNameOf(specifier);
  const lower = name.toLowerCase();
  if (!isBuiltin(specifier) && isBuiltin(`node:${specifier}`)) return `Did you mean 'node:${specifier}'?`;
  const builtin = NODE_MODULES.find((each) => isBuiltin(each) && isSlipOf(specifier, each, 3));
  if (builtin !== undefined) return `Did you mean '${builtin}', which is a part of Node.js?`;
  const like = (other: string) => isSlipOf(lower, other, 4) || lower === other;
  const installed = installedPackages(folder);
  const near = [...installed, ...Object.keys(dependenciesOf(folder))].find(like);
  if (near !== undefined && near !== name)
    return `Did you mean '${near}', which ${installed.includes(near) ? 'is installed' : 'the package.json there lists'}?`;
  const alias = pathLike(specifier, folder);
  return alias === undefined ? similarFile(specifier, folder) : `Did you mean '${alias}'?`;
}

/**
 * The error for a file that an installed package lacks or does not let be imported; undefined if the specifier names
 * no such file.
 *
 * @param home The package's folder. Default: where the folder's imports find it.
 */
export function noInnerFile(specifier: string, folder: string, code: string, home?: string): InputError | undefined {
  const name = packageNameOf(specifier);
  const inner = specifier.slice(name.length + 1);
  const folders = createRequire(join(folder, '_')).resolve.paths(specifier) ?? [];
  const root = home ?? folders.map((each) => join(each, name)).find((each) => existsSync(each));
  if (inner === '' || root === undefined) return undefined;
  const { exports } = readManifest(join(root, 'package.json'));
  const files = namesIn(join(root, dirname(inner))).map((each) => each.replace(/\.(d\.[mc]?ts|[mc]?js|json)$/, ''));
  const known = exports
    ? Object.keys(Object(exports)).flatMap((each) => (/^\.\/(?!package\.json$)/.test(each) ? [each.slice(2)] : []))
    : files.map((each) => join(dirname(inner), each));
  const near = nearest(inner, new Set(known));
  const itself = exports && known.length === 0 ? ` Import from '${name}' itself.` : '';
  const question = near === undefined ? itself : ` Did you mean '${name}/${near}'?`;
  return missingModule(`The package '${name}' has nothing to import by '${specifier}'.${question}`, { code });
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

/** Says in the error for a missing package which of the user's files imports it. */
export function nameImporter(error: unknown, name: string): void {
  if (error instanceof InputError)
    error.message = error.message.replace(/^(Cannot find (?:the package )?'[^']+')\./, `$1, which ${name} imports.`);
}
