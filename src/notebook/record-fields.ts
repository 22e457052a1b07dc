/** Whether a value is an object of fields: no list, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of a value; undefined where the value is no object or lacks it. @example fieldOf(fieldOf(notebook.metadata, 'kernelspec'), 'name') */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
