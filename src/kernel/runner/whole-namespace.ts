import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { packageRoot } from '../../base/packages.js';
import type { Namespace } from './import-package.js';

type Import = (specifier: string) => Promise<Namespace>;

const wholes = new WeakMap<Namespace, Promise<Namespace>>();

/**
 * All exports of a package. Node finds names of a CommonJS module by reading its text, often only some or none. The
 * others are the enumerable properties of `module.exports`, the default export. They are read on access, so that later
 * changes are seen and nothing is loaded needlessly.
 *
 * @param namespace The namespace that Node returned.
 * @param load Imports by Node's own rules.
 * @returns The same namespace for an ES module or built-in.
 */
export async function wholeNamespace(namespace: Namespace, load: Import): Promise<Namespace> {
  const { default: exported } = namespace;
  if (!isObject(exported)) return namespace;
  let whole = wholes.get(namespace);
  if (!whole) {
    whole = isCommonJs(namespace, load).then((is) => (is ? withProperties(namespace, exported) : namespace));
    wholes.set(namespace, whole);
  }
  return whole;
}

/**
 * Whether a namespace is a CommonJS module's. An ES module's default may be a CommonJS module's exports, too, but its
 * namespace differs from that module's.
 */
async function isCommonJs(namespace: Namespace, load: Import): Promise<boolean> {
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
