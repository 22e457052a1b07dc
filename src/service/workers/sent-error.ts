import { DataError, InputError, UsageError } from '../../errors.js';
import type { SentError } from './messages.js';

const CLASSES = { DataError, InputError, UsageError };

/** An error as it is sent to another process. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}

/** The error that was sent: of the same class, so that it is told and ends the command as in one process. */
export function receivedError({ name, message, stack }: SentError): Error {
  const error = Object.hasOwn(CLASSES, name) ? new CLASSES[name as keyof typeof CLASSES](message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
