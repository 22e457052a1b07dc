import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { constants, Script } from 'node:vm';
import { InputError } from '../../base/errors.js';
import { packageRoot } from '../../base/packages.js';
import { isLocal, nameOf } from './find-local.js';
import { missingModule, nameImporter, noInnerFile, notInstalled } from './missing-package.js';

/** A module's exports by name. */
export type Namespace = Record<string, unknown>;

type NativeImport = (specifier: string, options?: ImportCallOptions) => Promise<Namespace>;

/** Name of the file that imports on behalf of a folder; no such file exists. */
export const IMPORTER = '[oddslab].mjs';

/** Name of this package, which can be imported in any folder. */
export const OWN_NAME = 'oddslab';

/**
 * Imports a package or built-in by Node's own rules, as a file in this folder would. This package can be imported in
 * any folder; a copy in the folder wins. Every property that a CommonJS package exports becomes a name.
 *
 * @throws {InputError} If the package is not installed; the message says how to install it.
 */
export async function importPackage(
  specifier: string,
  folder: string,
  options?: ImportCallOptions,
): Promise<Namespace> {
  return wholeNamespace(await importAsNode(specifier, folder, options), nativeImport(folder));
}

async function importAsNode(specifier: string, folder: string, given?: ImportCallOptions): Promise<Namespace> {
  // JSON needs no import attribute, as with the user's own files.
  const options = given ?? (specifier.endsWith('.json') ? { with: { type: 'json' } } : undefined);
  try {
    return await nativeImport(folder)(specifier, options);
  } catch (error) {
    const other = elsewhere(error, specifier, folder);
    return nativeImport(other.folder)(other.specifier, options);
  }
}

/** What to import, and for which folder, in place of what Node did not find; throws a helpful error without any. */
function elsewhere(error: unknown, specifier: string, folder: string): { specifier: string; folder: string } {
  const missing = missingPackage(error);
  const isItself = missing?.importer.startsWith(join(folder, '[oddslab]'));
  if (isItself && missing?.name === OWN_NAME) {
    if (!/^oddslab(\/package\.json)?$/.test(specifier)) throw noOwnPart(specifier, folder);
    return { specifier, folder: packageRoot() };
  }
  if ((isItself && missing) || isOfAnotherKind(error, specifier)) throw notInstalled(specifier, folder, error);
  const dependency = missingDependency(error);
  if (dependency) throw dependency;
  const lenient = asCommonJs(error, specifier, folder);
  if (lenient) return { specifier: lenient, folder };
  if (isNoFile(error, folder))
    throw noInnerFile(specifier, folder, String(Reflect.get(Object(error), 'code'))) ?? withoutImporter(error, folder);
  throw withoutImporter(error, folder);
}

/** The error for a part of this package, which has none. */
export function noOwnPart(specifier: string, folder: string): InputError | undefined {
  return noInnerFile(specifier, folder, 'ERR_PACKAGE_PATH_NOT_EXPORTED', packageRoot());
}

/** Whether Node refuses a specifier that can name no package: an address, `npm:`, an unknown module of its own, `#name`, `@name`. */
function isOfAnotherKind(error: unknown, specifier: string): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (specifier === '') return true;
  if (code === 'ERR_INVALID_MODULE_SPECIFIER') return String(message).includes(`"${specifier}"`);
  return NO_PACKAGE.test(String(code));
}

const NO_PACKAGE = /^ERR_(UNSUPPORTED_ESM_URL_SCHEME|UNKNOWN_BUILTIN_MODULE|PACKAGE_IMPORT_NOT_DEFINED)$/;

/** Whether an error is Node's for what it did not find or cannot import by that name. */
export function isRefusedImport(error: unknown): boolean {
  return isMissingModule(error) || NO_PACKAGE.test(String(Reflect.get(Object(error), 'code')));
}

/** Whether Node says of the folder's own import that a package has no such file, or does not export it. */
function isNoFile(error: unknown, folder: string): boolean {
  const isSaid = /^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED)$/.test(String(Reflect.get(Object(error), 'code')));
  return isSaid && String(Reflect.get(Object(error), 'message')).includes(` imported from ${join(folder, IMPORTER)}`);
}

/** Removes the stand-in importer from an error's texts, since it means nothing to a reader. */
function withoutImporter(error: unknown, folder: string): unknown {
  if (!(error instanceof Error)) return error;
  const told = ` imported from ${join(folder, IMPORTER)}`;
  const { message, stack } = error;
  error.message = message.replace(told, '');
  if (stack !== undefined) error.stack = stack.replace(told, '');
  return error;
}

type NativeResolve = (specifier: string, importer: string) => string;

let nativeResolve: NativeResolve | undefined;

/** Loads the resolver of {@link resolvePackage}, which Node offers only to modules. */
export async function loadResolver(): Promise<void> {
  if (nativeResolve) return;
  const { default: resolve } = await nativeImport(packageRoot())(
    'data:text/javascript,export default import.meta.resolve',
  );
  nativeResolve = resolve as NativeResolve;
}

/** The URL that {@link importPackage} would import; throws the same error. */
export function resolvePackage(specifier: string, folder: string): string {
  try {
    const url = resolveAsNode(specifier, folder);
    // Node does not check whether a package's inner file exists.
    return url.startsWith('file:') && !existsFile(url) ? (commonJsUrl(specifier, folder) ?? url) : url;
  } catch (error) {
    const other = elsewhere(error, specifier, folder);
    return resolveAsNode(other.specifier, other.folder);
  }
}

/** The URL by Node's rules alone; throws Node's errors. */
export function resolveAsNode(specifier: string, folder: string): string {
  if (!nativeResolve) throw new InputError('import.meta.resolve() can be called once a cell has named import.meta.');
  return nativeResolve(specifier, pathToFileURL(join(folder, IMPORTER)).href);
}

/** `import()` in a script of this name resolves from the folder, with the conditions of ES modules. */
function nativeImport(folder: string): NativeImport {
  const script = new Script('(specifier, options) => import(specifier, options)', {
    filename: join(folder, IMPORTER),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return script.runInThisContext() as NativeImport;
}

/** Whether an error is Node's for a module that it did not find. */
export function isMissingModule(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));
}

/** The package that Node did not find and the file that asked for it; undefined for other errors. */
function missingPackage(error: unknown): { name: string; importer: string } | undefined {
  const [, name, importer] = (isMissingModule(error) && MISSING_PACKAGE.exec(error.message)) || [];
  return name !== undefined && importer !== undefined ? { name, importer } : undefined;
}

const MISSING_PACKAGE =
  /^Cannot find (?:package|module) '((?:@[^'/]+\/)?[^'/.][^'/]*)[^']*'(?: imported from |\nRequire stack:\n- )(.+)/;

/** Whether a package is in one of the folders from which a file's imports are resolved. */
export function isInstalled(name: string, importer: string): boolean {
  const folders = createRequire(importer).resolve.paths(name);
  return folders?.some((folder) => existsSync(join(folder, name))) ?? false;
}

const lacking = new Set<string>();

/**
 * The error for a package whose own dependency is not installed, or was not when Node looked for it, which it remembers;
 * says what helps. Undefined for other errors.
 */
export function missingDependency(error: unknown): InputError | undefined {
  const { name, importer } = missingPackage(error) ?? {};
  const needing = importer && /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(importer)?.[1];
  if (!name || !importer || !needing) return undefined;
  if (!isInstalled(name, importer)) {
    lacking.add(name);
    return missingModule(
      `The package '${needing}' needs the package '${name}', which cannot be found. ` +
        `Install it in the notebook's folder: npm install ${name}`,
      { cause: error },
    );
  }
  if (!lacking.has(name)) return undefined;
  return missingModule(
    `The package '${name}' is installed now, but Node remembers that '${needing}' did not find it. Restart the kernel.`,
    { cause: error },
  );
}

/**
 * The error for a package that a CommonJS file of the user's own requires and that is missing; names the file, and says
 * what was meant. Undefined for other errors.
 *
 * @param folder The notebook's.
 */
export function missingRequired(error: unknown, folder: string): InputError | undefined {
  const { code, message, requireStack } = Object(error) as Record<string, unknown>;
  const [, specifier] = (code === 'MODULE_NOT_FOUND' && /^Cannot find module '([^']+)'/.exec(String(message))) || [];
  const importer: unknown = Array.isArray(requireStack) ? requireStack[0] : undefined;
  if (specifier === undefined || isLocal(specifier) || typeof importer !== 'string') return undefined;
  if (importer.includes(`${sep}node_modules${sep}`)) return undefined;
  const missing = notInstalled(specifier, dirname(importer), error);
  nameImporter(missing, nameOf(importer, folder));
  return missing;
}

/** The URL by Node's CommonJS rules, which, unlike its ES rules, resolve inner files without extension and folders. */
function asCommonJs(error: unknown, specifier: string, folder: string): string | undefined {
  const isUnresolved = /ERR_(MODULE_NOT_FOUND|UNSUPPORTED_DIR_IMPORT)/.test(String(Reflect.get(Object(error), 'code')));
  return isUnresolved ? commonJsUrl(specifier, folder) : undefined;
}

function commonJsUrl(specifier: string, folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, '_')).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}

function existsFile(url: string): boolean {
  return statSync(fileURLToPath(url), { throwIfNoEntry: false })?.isFile() ?? false;
}

const wholes = new WeakMap<Namespace, Promise<Namespace>>();

/**
 * All exports of a package; the same namespace for an ES module or built-in. Node finds names of a CommonJS module by
 * reading its text, often only some or none. The others are the enumerable properties of `module.exports`, the default
 * export. They are read on access, so that later changes are seen and nothing is loaded needlessly.
 */
async function wholeNamespace(namespace: Namespace, load: NativeImport): Promise<Namespace> {
  const { default: exported } = namespace;
  if (!isObject(exported)) return namespace;
  let whole = wholes.get(namespace);
  if (!whole) {
    whole = isCommonJs(namespace, load).then((is) => (is ? withProperties(namespace, exported) : namespace));
    wholes.set(namespace, whole);
  }
  return whole;
}

/** Whether a namespace is that of the CommonJS module whose exports it has as default; an ES module's may have them. */
async function isCommonJs(namespace: Namespace, load: NativeImport): Promise<boolean> {
  const { cache } = createRequire(join(packageRoot(), '_'));
  const module = Object.values(cache).find((each) => each?.exports === namespace.default);
  if (!module) return false;
  try {
    return (await load(pathToFileURL(module.filename).href)) === namespace;
  } catch {
    // What was required is not JavaScript, but JSON, for example.
    return false;
  }
}

function withProperties(namespace: Namespace, exported: object): Namespace {
  const isOwn = (name: PropertyKey): boolean => Object.hasOwn(namespace, name);
  // With a `then`, the namespace would itself be awaited.
  const isMore = (name: PropertyKey): boolean =>
    typeof name === 'string' && name !== 'then' && Object.hasOwn(exported, name);
  const has = (name: PropertyKey): boolean => isOwn(name) || isMore(name);
  const get = (name: PropertyKey): unknown => {
    if (isOwn(name)) return Reflect.get(namespace, name);
    return isMore(name) ? Reflect.get(exported, name) : undefined;
  };
  const keys = (): string[] => [...new Set([...Object.keys(namespace), ...Object.keys(exported).filter(isMore)])];
  const isEnumerable = (name: PropertyKey): boolean =>
    Object.prototype.propertyIsEnumerable.call(isOwn(name) ? namespace : exported, name);
  const plain = (): Namespace => Object.fromEntries(keys().map((name) => [name, get(name)]));
  // Inspecting a proxy shows its target.
  const beneath: object = Object.create(null, { [inspect.custom]: { value: plain, configurable: true } });
  return new Proxy(beneath as Namespace, {
    has: (_, name) => has(name),
    get: (_, name) => get(name),
    ownKeys: keys,
    getOwnPropertyDescriptor: (_, name) =>
      has(name) ? { value: get(name), enumerable: isEnumerable(name), configurable: true } : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
