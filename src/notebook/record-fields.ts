/** Whether a value is an object that is neither a list nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of a value; undefined if the value is no object or lacks the field. @example fieldOf(fieldOf(notebook.metadata, 'kernelspec'), 'name') */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
