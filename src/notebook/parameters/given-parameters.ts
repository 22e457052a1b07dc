import { readFile } from 'node:fs/promises';
import { messageOf, UsageError } from '../../base/errors.js';

/** A value that a parameter can be set to. */
export type ParameterValue =
  | string
  | number
  | boolean
  | bigint
  | null
  | Date
  | NamedValue
  | ParameterValue[]
  | { [name: string]: ParameterValue };

/** A value that code must write by name, because the value itself has another type: an enum member, or undefined. */
export class NamedValue {
  readonly value: string | number | null;
  /** The name in code, such as `Side.Yes` or `undefined`. */
  readonly source: string;

  constructor(value: string | number | null, source: string) {
    this.value = value;
    this.source = source;
  }

  /** JSON holds only the value, not the name. */
  toJSON(): string | number | null {
    return this.value;
  }
}

/** A parameter that the user set: as text on the command line, or as data in a file. */
export interface GivenParameter {
  name: string;
  /** How errors call the place: `-p` or the file's name. */
  where: string;
  value: { text: string } | { data: unknown };
}

/**
 * Reads a value of `-p`.
 *
 * @throws {UsageError} If it does not have the form `name=value`.
 * @example givenByText('days=7'); // { name: 'days', where: '-p', value: { text: '7' } }
 */
export function givenByText(word: string): GivenParameter {
  const at = word.indexOf('=');
  const name = word.slice(0, Math.max(0, at)).trim();
  if (at === -1 || !isName(name)) {
    throw new UsageError(`-p takes name=value, such as -p days=30; got ${JSON.stringify(word)}.`);
  }
  return { name, where: '-p', value: { text: word.slice(at + 1) } };
}

/** Whether a text has the form of a variable's name. */
export function isName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);
}

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
    throw new UsageError(`Cannot read the parameters of ${path}: ${messageOf(cause)}`, { cause });
  }
  const { parseParameters } = await import('./parse-parameters.js');
  try {
    return parseParameters(text);
  } catch (cause) {
    throw new UsageError(`${path} cannot be taken as YAML or JSON: ${messageOf(cause).trim()}`, { cause });
  }
}
