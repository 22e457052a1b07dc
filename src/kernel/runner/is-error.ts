import { types } from 'node:util';

/** Whether a value is an error, even one of another realm, such as a context of `node:vm`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
