import { DataError, InputError, UsageError } from '../../base/errors.js';
import type { SentError } from './messages.js';

const CLASSES = { DataError, InputError, UsageError };

/** Makes an error ready to be sent to another process. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}

/** Makes the error that was sent, of the same class, so that the command reports it and ends as with one process. */
export function receivedError({ name, message, stack }: SentError): Error {
  const error = Object.hasOwn(CLASSES, name) ? new CLASSES[name as keyof typeof CLASSES](message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
