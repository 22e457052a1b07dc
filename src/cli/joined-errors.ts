import { OddslabError } from '../errors.js';

/**
 * Several failures of one run as one error: of the first's class, so that it decides the exit code, with the messages
 * of all. One failure alone is given back as it is.
 *
 * @param of How many things were done in all.
 */
export function joinedErrors(failures: readonly unknown[], of: number): unknown {
  const [first] = failures;
  if (failures.length === 1 || !(first instanceof OddslabError)) return first;
  const messages = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  const text = [...messages, `${failures.length} of ${of} notebooks failed.`].join('\n\n');
  const Class = first.constructor as new (message: string, options: ErrorOptions) => OddslabError;
  return new Class(text, { cause: first });
}
