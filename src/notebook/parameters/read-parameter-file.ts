import { readFile } from 'node:fs/promises';
import { InputError, UsageError } from '../../errors.js';
import { isName } from './given-by-text.js';
import type { GivenParameter } from './parameter-value.js';

/**
 * Reads parameters from a file of YAML or JSON that holds one mapping of names to values. An empty file gives none.
 *
 * @throws {InputError} If it cannot be read or is neither.
 * @throws {UsageError} If it holds something else than a mapping, or a name that is none.
 */
export async function readParameterFile(path: string): Promise<GivenParameter[]> {
  const data = await parseFile(path);
  if (data === null || data === undefined) return [];
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new UsageError(`${path} must hold one mapping of parameters to values, such as "days: 30" on a line.`);
  }
  return Object.entries(data).map(([name, value]) => {
    if (isName(name)) return { name, where: path, value: { data: value } };
    throw new UsageError(`${path}: ${JSON.stringify(name)} cannot be the name of a parameter.`);
  });
}

async function parseFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(`Cannot read the parameters of ${path}: ${reason}`, { cause });
  }
  const { parse } = await import('yaml');
  try {
    // Integers beyond 2^53 would be rounded otherwise; they are narrowed again where they are exact.
    return narrowed(parse(text, { intAsBigInt: true }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new InputError(`${path} is neither YAML nor JSON: ${reason}`, { cause });
  }
}

function narrowed(data: unknown): unknown {
  if (typeof data === 'bigint') return Number.isSafeInteger(Number(data)) ? Number(data) : data;
  if (Array.isArray(data)) return data.map(narrowed);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, narrowed(each)]));
}
