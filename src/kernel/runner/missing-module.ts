import { InputError } from '../../base/errors.js';

/**
 * The error for a module that cannot be found. Its `code` is Node's, so that programs recognize it:
 * `ERR_MODULE_NOT_FOUND` for imports, `MODULE_NOT_FOUND` for `require`. It is not enumerable: it tells a reader
 * nothing.
 *
 * @param options.cause Node's error, whose code is used unless another is given.
 */
export function missingModule(message: string, { cause, code }: { cause?: unknown; code?: string }): InputError {
  const error = new InputError(message, cause === undefined ? undefined : { cause });
  const value = code ?? Reflect.get(Object(cause), 'code');
  return Object.defineProperty(error, 'code', { value, configurable: true, writable: true });
}
