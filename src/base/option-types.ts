import { UsageError } from './errors.js';

/** What an option holds that is checked here. A number, and a choice of texts, is checked further by the function. */
type PlainType = 'text' | 'names' | 'list' | 'number' | 'boolean' | 'function' | 'frame';

/**
 * What an option holds. What is not plain is checked by the function that takes it, which says more of what is right: a
 * choice of texts; a frame whose columns are drawn; a day, as text or a `Date`; a window of rows or days; a measure, by
 * name or as a function; descriptions of columns; one aggregation, or several by name; a prior; a signal.
 */
export type OptionType =
  | PlainType
  | 'choice'
  | 'source'
  | 'day'
  | 'window'
  | 'measure'
  | 'columns'
  | 'aggregation'
  | 'aggregations'
  | 'prior'
  | 'signal';

const RIGHT: Readonly<Record<PlainType, string>> = {
  text: 'text',
  names: 'the name of a column, or a list of names',
  list: 'a list of texts',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  frame: 'a frame',
};

/** What options hold, by name: an option has the same type in every function that has it, unless a function says otherwise. */
const OPTION_TYPES: Readonly<Record<string, OptionType>> = {
  ...ofType('text', 'title', 'subtitle', 'color', 'as', 'kind', 'suffix', 'format', 'compression', 'delimiter'),
  ...ofType('text', 'quoting', 'nullText', 'formulas', 'value', 'date', 'probability', 'outcome'),
  ...ofType('text', 'baseUrl', 'apiKey', 'url', 'path', 'data', 'snapshot', 'mode', 'sheet'),
  ...ofType('text', 'column', 'time', 'close'),
  ...ofType(
    'choice',
    'zone',
    'theme',
    'dates',
    'decimal',
    'thousands',
    'ids',
    'period',
    'weekStart',
    'validate',
    'method',
  ),
  ...ofType('names', 'by', 'highlight', 'zero', 'last'),
  ...ofType('frame', 'markets', 'prices', 'positions', 'untracked', 'pnl', 'categories', 'leaderboard'),
  ...ofType('day', 'from', 'to', 'at', 'startTime', 'endTime'),
  ...ofType('columns', 'columns'),
  ...ofType('measure', 'measure'),
  ...ofType('aggregation', 'values'),
  ...ofType('aggregations', 'measures'),
  ...ofType('prior', 'prior'),
  ...ofType('signal', 'signal'),
  ...ofType('number', 'rows', 'minValues', 'bands', 'hoursBefore'),
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
  ...ofType('boolean', 'header', 'bom', 'gzip', 'exact', 'strict', 'descending', 'progress', 'full', 'inplace'),
  ...ofType('function', 'onProgress', 'onProvenance', 'onWarning', 'onWait'),
};

function ofType(type: OptionType, ...names: readonly string[]): Record<string, OptionType> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/** What an option holds: as its function says, else what options of its name hold; undefined where that is not stated. */
export function optionType(name: string, types: Readonly<Record<string, OptionType>>): OptionType | undefined {
  return types[name] ?? OPTION_TYPES[name];
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
  if (value === undefined || type === undefined || !isPlain(type) || fits(value, type)) return;
  throw new UsageError(`${name} of ${of} must be ${RIGHT[type]}; got ${shownValue(value)}.`);
}

function isPlain(type: OptionType): type is PlainType {
  return Object.hasOwn(RIGHT, type);
}

function fits(value: unknown, type: PlainType): boolean {
  if (type === 'frame') return isFrame(value);
  if (type === 'number') return value === null || ['number', 'string', 'boolean'].includes(typeof value);
  const isList = Array.isArray(value) && value.every(isText);
  if (type === 'list') return isList;
  if (type === 'names') return isList || typeof value === 'string' || value === null;
  return typeof value === (type === 'text' ? 'string' : type);
}

/** Whether a value has what reading a frame takes, whoever made it. */
function isFrame(value: unknown): boolean {
  const { columns, shape, $isSeries } = Object(value) as Readonly<Record<string, unknown>>;
  return Array.isArray(columns) && Array.isArray(shape) && $isSeries !== true;
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
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'a Date of no time' : 'a Date';
  if (value instanceof Promise) return 'a Promise, which has to be awaited';
  if (typeof value === 'object' && '$isSeries' in value && value.$isSeries === true) return 'a Series';
  return `a value of type ${typeof value}`;
}

/** The same of a value that should be a number: text may look like one, so it is called a text. */
export function shownNumber(value: unknown): string {
  return typeof value === 'string' ? `the text ${shownValue(value)}` : shownValue(value);
}
