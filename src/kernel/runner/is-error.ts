import { types } from 'node:util';

/** Whether a value is an error, be it of another realm, as what `node:vm` runs in a context of its own throws. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
