import { InputError } from '../../errors.js';

/**
 * The error of a module that cannot be found, with the `code` by which programs know Node's own: of imports
 * `ERR_MODULE_NOT_FOUND`, of `require` `MODULE_NOT_FOUND`. It is not enumerable, as to a reader it tells nothing more.
 *
 * @param options.cause Node's error, whose code it takes unless another is given.
 */
export function missingModule(message: string, { cause, code }: { cause?: unknown; code?: string }): InputError {
  const error = new InputError(message, cause === undefined ? undefined : { cause });
  const value = code ?? Reflect.get(Object(cause), 'code');
  return Object.defineProperty(error, 'code', { value, configurable: true, writable: true });
}
