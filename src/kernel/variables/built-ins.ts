import fs from 'node:fs';
import inspector from 'node:inspector';
import util from 'node:util';
import vm from 'node:vm';

// What looks after the others is taken before any cell can replace it, and is written so that nothing else is called: no
// method of a list, no iteration.
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
const { hasOwn } = Object;

/** A property of a built-in object as it was; its descriptor inherits nothing. */
interface Kept {
  of: object;
  key: PropertyKey;
  was: PropertyDescriptor;
}

/** What has been changed for a moment, the last first: a property, or, without a key, what an object inherits from. */
interface Change {
  of: object;
  key: PropertyKey | undefined;
  /** What is to be there again; undefined where nothing was. */
  before: PropertyDescriptor | object | null | undefined;
  next: Change | undefined;
}

let kept: readonly Kept[] = [];
let parents: readonly { of: object; parent: object | null }[] = [];
/** The keys of the objects to which nothing may be added: what is added there shows in lists and plain objects. */
let wholes: readonly { of: object; known: ReadonlySet<PropertyKey> }[] = [];
const knows = Set.prototype.has;
const { apply } = Reflect;

/** Remembers the built-in objects of JavaScript, and those of Node's that look at values, as they are now. */
export function keepBuiltIns(): void {
  const objects = builtIns();
  const globals = GLOBALS.split(' ').flatMap((key) => keptOf(globalThis, key));
  kept = [...globals, ...objects.flatMap((of) => ownKeys(of).flatMap((key) => keptOf(of, key)))];
  parents = objects.map((of) => ({ of, parent: getPrototypeOf(of) }));
  wholes = [Object.prototype, Array.prototype].map((of) => ({ of, known: new Set(ownKeys(of)) }));
}

function keptOf(of: object, key: PropertyKey): Kept[] {
  const was = getOwnPropertyDescriptor(of, key);
  const isCalled = was && (was.get || was.set || /^(function|object)$/.test(typeof was.value));
  return isCalled && (was.configurable || was.writable) ? [{ of, key, was: setNull(was) }] : [];
}

function setNull(descriptor: PropertyDescriptor): PropertyDescriptor {
  setPrototypeOf(descriptor, null);
  return descriptor;
}

/** The names of the global objects that code that looks at values uses. */
const GLOBALS =
  'Object Function Array String Number Boolean Symbol BigInt Map Set WeakMap WeakRef Date RegExp Error TypeError RangeError ' +
  'Promise Reflect JSON Math Intl ArrayBuffer Uint8Array Int32Array Uint32Array Float64Array Buffer performance process';

function builtIns(): object[] {
  const named = GLOBALS.split(' ').map((name) => Reflect.get(globalThis, name) as object);
  // Not flattened: the prototype of lists is one.
  const prototypes = named.map((each) => Reflect.get(each, 'prototype') as object | undefined).filter((each) => !!each);
  const iterators = [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)];
  const generated = (function* () {})();
  const inherited = [...iterators, generated, new Uint8Array(), performance].flatMap((each) => [...above(each)]);
  const modules = [util, util.types, fs, vm, inspector.Session.prototype, Object.getPrototypeOf(Uint8Array)];
  return [...new Set([...named, ...prototypes, ...inherited, ...modules])];
}

function* above(value: object): Generator<object> {
  for (let at = getPrototypeOf(value); at; at = getPrototypeOf(at)) yield at;
}

/**
 * Calls a task while the built-in objects are as they were when {@link keepBuiltIns} was called, and then makes them again
 * what the user has made of them. Nothing of the user's runs for that. The task is told whether they all are as they were:
 * not if one of them has been replaced for good.
 */
export function withBuiltIns<Result>(task: (isWhole: boolean) => Result): Result {
  const isWhole = restore();
  try {
    return task(isWhole);
  } finally {
    undo();
  }
}

/** Within {@link withBuiltIns}, calls code of the user's with the built-in objects as the user has made them. */
export function withUsersOwn<Result>(task: () => Result): Result {
  undo();
  try {
    return task();
  } finally {
    restore();
  }
}

let changes: Change | undefined;

/** Whether everything could be restored. */
function restore(): boolean {
  let isWhole = true;
  for (let at = 0; at < parents.length; at += 1) {
    const { of, parent } = parents[at] as { of: object; parent: object | null };
    const before = getPrototypeOf(of);
    if (before === parent) continue;
    changes = { of, key: undefined, before, next: changes };
    isWhole = setPrototypeOf(of, parent) && isWhole;
  }
  for (let at = 0; at < wholes.length; at += 1) {
    const { of, known } = wholes[at] as { of: object; known: ReadonlySet<PropertyKey> };
    const keys = ownKeys(of);
    for (let one = 0; one < keys.length; one += 1) {
      const key = keys[one] as PropertyKey;
      if (apply(knows, known, [key])) continue;
      const before = setNull(getOwnPropertyDescriptor(of, key) as PropertyDescriptor);
      changes = { of, key, before, next: changes };
      isWhole = deleteProperty(of, key) && isWhole;
    }
  }
  for (let at = 0; at < kept.length; at += 1) {
    const { of, key, was } = kept[at] as Kept;
    const now = getOwnPropertyDescriptor(of, key);
    if (now && isSame(now, was)) continue;
    changes = { of, key, before: now && setNull(now), next: changes };
    isWhole = defineProperty(of, key, was) && isWhole;
  }
  return isWhole;
}

/** Whether the same is read; a frozen object has other descriptors of the same values. */
function isSame(now: PropertyDescriptor, was: PropertyDescriptor): boolean {
  if (hasOwn(now, 'value')) return now.value === was.value && was.get === undefined;
  return now.get === was.get && now.set === was.set;
}

function undo(): void {
  for (; changes; changes = changes.next) {
    const { of, key, before } = changes;
    if (key === undefined) setPrototypeOf(of, before as object | null);
    else if (before) defineProperty(of, key, before as PropertyDescriptor);
    else deleteProperty(of, key);
  }
}
