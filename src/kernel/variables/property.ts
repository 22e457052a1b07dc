import { types } from 'node:util';

// Values are looked at without running anything of the user's: no getter, no trap of a proxy, no `toString`.

/** An object's prototype; undefined if it has none, or if asking for it, or later it, would run a proxy's trap. */
function prototypeOf(value: object): object | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
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

/** The value of an own property; undefined if there is none, or if reading it would call a getter. */
export function ownValue(value: object, key: PropertyKey): unknown {
  if (types.isProxy(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** The value of a property, be it the object's own or inherited; undefined where {@link ownValue} would be. */
export function inheritedValue(value: object, key: PropertyKey): unknown {
  for (const each of chainOf(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(each, key);
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

/** Whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
