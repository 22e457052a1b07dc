const quiet = new WeakSet<object>();

/**
 * Marks an object that is not shown when a cell ends in it: the promise of `display(x)`, which has shown x, or a
 * progress bar.
 *
 * @returns The same object.
 */
export function makeQuiet<Value extends object>(value: Value): Value {
  quiet.add(value);
  return value;
}

/** Whether a value is marked. */
export function isQuiet(value: unknown): boolean {
  return quiet.has(Object(value));
}
