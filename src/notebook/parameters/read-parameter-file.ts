import { readFile } from 'node:fs/promises';
import { UsageError } from '../../base/errors.js';
import { isName } from './given-by-text.js';
import type { GivenParameter } from './parameter-value.js';

/**
 * Reads parameters from a file of YAML or JSON that holds one mapping of names to values. An empty file gives none.
 *
 * @throws {UsageError} If the file cannot be read, is neither YAML nor JSON, holds anything but a mapping, a value that
 * JavaScript would change, or a name that no variable can have.
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
    throw new UsageError(`Cannot read the parameters of ${path}: ${reason}`, { cause });
  }
  const { parseParameters } = await import('./parse-parameters.js');
  try {
    return parseParameters(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new UsageError(`${path} cannot be taken as YAML or JSON: ${reason}`, { cause });
  }
}
