import { UsageError } from './errors.js';

/** What an option holds. A number, and a choice of texts, is checked further by the function that takes it. */
export type OptionType = 'text' | 'names' | 'list' | 'number' | 'boolean' | 'function';

const RIGHT: Readonly<Record<OptionType, string>> = {
  text: 'text',
  names: 'the name of a column, or a list of names',
  list: 'a list of texts',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
};

/** What options hold, by name: an option has the same type in every function that has it, unless a function says otherwise. */
const OPTION_TYPES: Readonly<Record<string, OptionType>> = {
  ...ofType('text', 'title', 'subtitle', 'color', 'as', 'kind', 'suffix', 'format', 'compression', 'delimiter'),
  ...ofType('text', 'quoting', 'nullText', 'formulas', 'value', 'date', 'probability', 'outcome'),
  ...ofType('text', 'baseUrl', 'apiKey', 'url', 'snapshot', 'mode'),
  ...ofType('names', 'by'),
  ...ofType('number', 'bins', 'confidence', 'clip', 'capital', 'window', 'top', 'width', 'height', 'scale', 'seed'),
  ...ofType('number', 'samples', 'minDecided', 'pageSize', 'concurrency', 'maxRecords', 'timeoutMs', 'maxAnswerBytes'),
  ...ofType(
    'number',
    'retries',
    'backOffMs',
    'attemptTimeoutMs',
    'connectTimeoutMs',
    'headersTimeoutMs',
    'bodyTimeoutMs',
  ),
  ...ofType('boolean', 'header', 'bom', 'gzip', 'exact', 'descending', 'progress'),
  ...ofType('function', 'onProgress', 'onWarning', 'onWait'),
};

function ofType(type: OptionType, ...names: readonly string[]): Record<string, OptionType> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/**
 * Refuses an option of the wrong type. Options that are undefined have their default. Of numbers only what is no plain
 * value is refused here, since the function that takes one says its range; and of names no null, since it says which there are.
 *
 * @param of The function that takes the option, for the message.
 * @param type What it holds there. Default: what options of this name hold; of others nothing is known.
 * @throws {UsageError} If its value is of another type.
 */
export function refuseType(of: string, name: string, value: unknown, type = OPTION_TYPES[name]): void {
  if (value === undefined || type === undefined || fits(value, type)) return;
  throw new UsageError(`${name} of ${of} must be ${RIGHT[type]}; got ${shownValue(value)}.`);
}

function fits(value: unknown, type: OptionType): boolean {
  if (type === 'number') return value === null || ['number', 'string', 'boolean'].includes(typeof value);
  const isList = Array.isArray(value) && value.every(isText);
  if (type === 'list') return isList;
  if (type === 'names') return isList || typeof value === 'string' || value === null;
  return typeof value === (type === 'text' ? 'string' : type);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** A value in an error, whatever it is: plain ones as they are written, others by their kind. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n, a big integer`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  return `a value of type ${typeof value}`;
}
