import { UsageError } from './errors.js';

/**
 * A value's JSON form as a copy, so that later changes to the value do not show. Bigints become text, Maps objects and
 * Sets lists.
 *
 * @returns Null for what JSON cannot represent, such as undefined or a function.
 * @throws {UsageError} If the value contains itself.
 */
export function jsonCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, plain) as string | undefined;
    return text === undefined ? null : JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new UsageError(`The value cannot be written as JSON: ${reason}`, { cause });
  }
}

function plain(_key: string, part: unknown): unknown {
  if (typeof part === 'bigint') return String(part);
  if (part instanceof Map) return Object.fromEntries(part);
  if (part instanceof Set) return [...part];
  return part;
}
