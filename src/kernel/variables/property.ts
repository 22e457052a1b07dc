import { types } from 'node:util';

// Values are looked at without running anything of the user's: no getter, no trap of a proxy, no `toString`. What looks at
// them is taken before any cell can replace it.
const { getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf, hasOwn, keys } = Object;
const { ownKeys } = Reflect;
const isEnumerable = Object.prototype.propertyIsEnumerable;

/** An object's prototype; undefined if it has none, or if asking for it, or later it, would run a proxy's trap. */
function prototypeOf(value: object): object | undefined {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === null || types.isProxy(prototype) ? undefined : (prototype as object);
}

/** Prototypes beyond which nothing is looked for. */
const LONGEST_CHAIN = 100;

/** The object, unless it is a proxy, and its prototypes up to one that is. */
export function* chainOf(value: object): Generator<object> {
  let at = types.isProxy(value) ? undefined : value;
  for (let length = 0; at && length < LONGEST_CHAIN; length += 1) {
    yield at;
    at = prototypeOf(at);
  }
}

/**
 * An own property of what is no proxy. The trace of an error is told without its value, since whoever reads it has it
 * written first, by a function that cells may have replaced.
 *
 * @returns Undefined if there is none, also for an export of a module that has not been set yet.
 */
export function propertyOf(value: object, key: PropertyKey): PropertyDescriptor | undefined {
  if (key === 'stack' && isHidden(value, key)) return { get: () => undefined, enumerable: false };
  try {
    return getOwnPropertyDescriptor(value, key);
  } catch {
    return undefined;
  }
}

function isHidden(value: object, key: string): boolean {
  return hasOwn(value, key) && !Reflect.apply(isEnumerable, value, [key]);
}

/** The value of an own property; undefined if there is none, or if reading it would call a getter. */
export function ownValue(value: object, key: PropertyKey): unknown {
  if (types.isProxy(value)) return undefined;
  return propertyOf(value, key)?.value;
}

/** The value of a property, be it the object's own or inherited; undefined where {@link ownValue} would be. */
export function inheritedValue(value: object, key: PropertyKey): unknown {
  for (const each of chainOf(value)) {
    const descriptor = propertyOf(each, key);
    if (descriptor) return descriptor.value;
  }
  return undefined;
}

/** A function's name; empty if it has none that can be read. */
export function functionName(value: object): string {
  const name = ownValue(value, 'name');
  return typeof name === 'string' ? name : '';
}

/** The name of the class of which an object is an instance; `Object` if it is of none, or of one without a name. */
export function className(value: object): string {
  for (const each of chainOf(value)) {
    if (each === value) continue;
    const made = ownValue(each, 'constructor');
    const name = typeof made === 'function' ? functionName(made) : '';
    if (name !== '') return name;
  }
  return 'Object';
}

/** Whether there is time left for more. */
export type HasTime = () => boolean;

/**
 * Time for a look at values: so many milliseconds, but on a busy machine until two thirds as much of the processor was had.
 *
 * @example const hasTime = timeFor(15);
 */
export function timeFor(ms: number): HasTime {
  const began = performance.now();
  const { user, system } = process.cpuUsage();
  return () => {
    if (performance.now() - began < ms) return true;
    const used = process.cpuUsage();
    return used.user + used.system - user - system < (1000 * 2 * ms) / 3;
  };
}

/**
 * Longest time for passing by an object's names. V8 lists and sorts all of them before it gives the first, which takes ten
 * times as long: 40 ms for 200,000.
 */
const LOOK_MS = 1;
/** Names beyond which none are told; of numbers as names only their list says how many there are. */
const MOST_NAMES = 50_000;
/** Objects that have more, or may have since a look took long, and how often it did. */
const looks = new WeakMap<object, number>();

/** Whether an object is known to have so many names that they take long to list. */
function hasMany(value: object): boolean {
  const before = looks.get(value) ?? 0;
  if (before > 1) return true;
  if (hasManyPlaces(value)) return isMany(value);
  const began = performance.now();
  // To find no symbols, V8 passes by all names.
  const symbols = getOwnPropertySymbols(value);
  const tookMs = performance.now() - began;
  if (symbols.length > MOST_NAMES) return isMany(value);
  if (tookMs < LOOK_MS) return false;
  looks.set(value, before + 1);
  // Something else may have taken the time, but hardly twice.
  return tookMs > 10 * LOOK_MS || hasMany(value);
}

function isMany(value: object): true {
  looks.set(value, 2);
  return true;
}

/** How many whole numbers are tried, up to twice as many as may be told. */
const TRIED = 32;

/** Whether an object has so many whole numbers from 0 on as names, which V8 does not pass by when it looks for others. */
function hasManyPlaces(value: object): boolean {
  let found = 0;
  for (let at = 1; at <= TRIED; at += 1) if (hasOwn(value, (at * 2 * MOST_NAMES) / TRIED)) found += 1;
  return found >= TRIED / 2;
}

/** The names of an object's enumerable properties; undefined if they would take long to list. */
export function enumerableNames(value: object): string[] | undefined {
  if (hasMany(value)) return undefined;
  const names = keys(value);
  return names.length > MOST_NAMES && isMany(value) ? undefined : names;
}

/**
 * The names of an object's enumerable properties, or of the others if it has only such.
 *
 * @returns Undefined if there is no time left, or they would take long to list.
 */
export function namesInTime(value: object, hasTime: HasTime): string[] | undefined {
  const names = hasTime() ? enumerableNames(value) : undefined;
  if (names?.length !== 0) return names;
  return hasManyHidden(value) ? undefined : getOwnPropertyNames(value);
}

/** All keys of an object, with symbols; undefined if they would take long to list. */
export function keysInTime(value: object): (string | symbol)[] | undefined {
  return enumerableNames(value) && !hasManyHidden(value) ? ownKeys(value) : undefined;
}

/** Whether V8, to find the enumerable names of an object that has few of them, passes by many others. */
function hasManyHidden(value: object): boolean {
  const isSlow = (): boolean => {
    const began = performance.now();
    keys(value);
    return performance.now() - began > LOOK_MS;
  };
  // Something else may have taken the time, but hardly three times.
  return isSlow() && isSlow() && isSlow();
}

/** A count with separators, `1,200`, without the time that the first use of Node's own formats takes. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
