import { UsageError } from '../../base/errors.js';
import { refuseLocalMidnight } from '../../base/local-midnight.js';
import { nearest } from '../../base/nearest.js';
import type { Dataset } from '../../contract/dataset.js';
import type { Parameter, ParameterKind } from '../../contract/definition.js';
import { choiceOf, isWildcard, MAX_CONDITIONS, MAX_COUNT } from '../../contract/filters.js';
import { dayOfDate, GRANULARITIES, isUnixSecond } from '../../contract/time.js';

/**
 * Encodes a query's filters as the `params` of the specification: everything as text, booleans as `True` and `False`,
 * times as Unix seconds, lists of condition ids with commas between. A list of wallets becomes one request for each
 * wallet, and a list of condition ids one for each hundred of them, where each record is of one market: in the order
 * of the ids, wallet by wallet.
 *
 * @param options Filters by the client's names (`minVolume`) or the wire's (`min_volume`). Unknown names are sent as
 * they are, for the service to judge.
 * @returns The params of each request, in order.
 * @throws {UsageError} If a required filter is missing, one is given by both of its names, or a value has the wrong
 * type.
 */
export function encodeParams(dataset: Dataset, options: Readonly<Record<string, unknown>>): Record<string, string>[] {
  const params: Record<string, string> = {};
  let wallets: { name: string; values: string[] } | undefined;
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const parameter = dataset.parameters.find((known) => known.option === name || known.name === name);
    if (parameter) refuseTwice(given, parameter.name, name);
    if (parameter && IDS.includes(parameter.kind)) refuseAbbreviated(name, value);
    if (!parameter) params[name] = encodeUnknown(dataset, name, value);
    else if (isWildcard(parameter, value)) params[parameter.name] = parameter.wildcard ?? '';
    else if (parameter.kind === 'wallet') wallets = { name: parameter.name, values: walletList(name, value) };
    else params[parameter.name] = encodeValue(parameter, name, value);
  }
  for (const { name, option, required } of dataset.parameters) {
    if (required && wallets?.name !== name && !(name in params)) {
      const hint = strayHint(dataset, options, option);
      const flag = `--${name.replaceAll('_', '-')}`;
      throw new UsageError(
        `A query of ${dataset.name} (dataset ${dataset.id}) needs its ${option}: name one, on the command line by ${flag}.${hint}`,
      );
    }
  }
  const series = wallets ? wallets.values.map((wallet) => ({ ...params, [wallets.name]: wallet })) : [params];
  return series.flatMap((each) => inHundreds(dataset, each));
}

/** The params of one request, or of as many as its list of condition ids needs. */
function inHundreds(dataset: Dataset, params: Record<string, string>): Record<string, string>[] {
  const { name, option } = dataset.parameters.find(({ kind }) => kind === 'conditionIds') ?? { name: '', option: '' };
  const ids = params[name]?.split(',') ?? [];
  if (ids.length <= MAX_CONDITIONS) return [params];
  refuseSums(dataset, params, `${option} must be a list of at most ${MAX_CONDITIONS} condition ids`, ids.length);
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_CONDITIONS) }, (_, part) =>
    ids.slice(part * MAX_CONDITIONS, (part + 1) * MAX_CONDITIONS),
  );
  return parts.map((part) => ({ ...params, [name]: part.join(',') }));
}

/**
 * Refuses to ask by parts where the records of all parts are not those of the whole list: where each is a sum over the
 * ids, and where buckets are counted from the first day of all.
 */
function refuseSums({ columns }: Dataset, params: Record<string, string>, most: string, got: number): void {
  if (columns.some((column) => column.name === 'condition_id' && !column.nullable)) return;
  if (params.by !== 'market') {
    throw new UsageError(
      `${most} where profit is added up over them; got ${got}. Ask by: 'market', which takes any number of them, and add up what comes.`,
    );
  }
  if (params.start_time !== undefined || params.granularity !== '3d') return;
  throw new UsageError(
    `${most} where the buckets count from the first day of all, as of granularity '3d'; got ${got}. Give a startTime, from which they count then.`,
  );
}

/**
 * Says of a day without a time, as the end of records by the second, that it is the day's first second: the end of other
 * datasets is a whole day.
 *
 * @returns One sentence; undefined where the end is no such day, or is left out.
 */
export function endOfDayHint(dataset: Dataset, options: Readonly<Record<string, unknown>>): string | undefined {
  const timesBy = (wire: string) => {
    const parameter = dataset.parameters.find(({ name, kind }) => name === wire && kind === 'unixSeconds');
    return Object.entries(options).find(([name]) => name === parameter?.option || name === parameter?.name);
  };
  const [name, end] = timesBy('end_time') ?? [];
  if (typeof end !== 'string' || dayOfDate(end) === undefined) return undefined;
  const [, start] = timesBy('start_time') ?? [];
  const isMoment = start !== undefined && start !== null && encodeSeconds(start) === encodeSeconds(end);
  const what = isMoment ? 'so that second alone is asked for' : 'so the day is left out but for that second';
  return `${name} ${end} is the first second of that day in UTC, ${what}: to have the whole day, write ${end}T23:59:59Z.`;
}

/** The kinds of filters that take ids. */
const IDS: readonly ParameterKind[] = ['wallet', 'conditionId', 'conditionIds', 'tokenId'];

/** @throws {UsageError} If an id is one that a table has shortened. */
function refuseAbbreviated(name: string, value: unknown): void {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  const short = ids.find((id) => typeof id === 'string' && /\w(…|\.\.\.)\w/.test(id));
  if (short === undefined) return;
  throw new UsageError(
    `${name} must be whole, but ${shown(short)} is shortened, as a table shows it: \`oddslab query … --full\` ` +
      'prints ids whole, and so does any other format; a frame has them whole.',
  );
}

/** @throws {UsageError} If a filter is given by both of its names. */
function refuseTwice(given: Map<string, string>, wireName: string, name: string): void {
  const other = given.get(wireName);
  if (other !== undefined)
    throw new UsageError(`${other} and ${name} are one filter, given twice: leave one of them out.`);
  given.set(wireName, name);
}

const NO_FILTERS: Readonly<Record<string, string>> = {
  limit: 'say how many records are wanted by maxRecords, beside the filters',
  offset: 'the pages are followed from the first record on; say how many are wanted by maxRecords, beside the filters',
  maxRecords: 'it stands beside the filters, in an argument of its own',
  pageSize: 'it is an option of connect()',
};

/** Encodes a filter that the contract does not know as the user wrote it, since the service may know it. */
function encodeUnknown(dataset: Dataset, name: string, value: unknown): string {
  const instead = Object.hasOwn(NO_FILTERS, name) && dataset.parameters.length > 0 ? NO_FILTERS[name] : undefined;
  if (instead !== undefined) throw new UsageError(`${name} is no filter of ${dataset.name}: ${instead}.`);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const right = `must be text, a number, true, false or a Date; got ${shown(value)}`;
  const options = dataset.parameters.map(({ option }) => option);
  if (options.length === 0) throw new UsageError(`${name} ${right}.`);
  const meant = nearest(name, [...options, ...dataset.parameters.map((parameter) => parameter.name)]);
  if (meant !== undefined) throw new UsageError(`${name} is no filter of ${dataset.name}. Did you mean "${meant}"?`);
  const known = `It has ${options.join(', ')}; one that the service alone knows ${right}`;
  throw new UsageError(`${name} is no filter of ${dataset.name}. ${known}.`);
}

function shown(value: unknown): string {
  if (value instanceof Date) return 'an invalid Date';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The most characters of a wrong value that a message repeats. */
const MOST_SHOWN = 100;

/** A hint for the error about a missing required filter: an unknown filter may be that one, misspelt. */
function strayHint(dataset: Dataset, options: object, required: string): string {
  const strays = Object.keys(options).filter((given) => !isKnown(dataset, given));
  const meant = strays.find((given) => nearest(given, [required]) !== undefined);
  if (meant !== undefined) return ` "${meant}" is no option of it. Did you mean "${required}"?`;
  return strays.length === 0 ? '' : ` "${strays[0]}" is no option of it.`;
}

function isKnown(dataset: Dataset, given: string): boolean {
  return dataset.parameters.some(({ name, option }) => given === name || given === option);
}

function walletList(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length === 0) {
    throw new UsageError(
      `No wallet was passed: ${name} is an empty list, such as lab.wallets() gives where no wallet passes its filters.`,
    );
  }
  const given: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [''];
  const list = given.map((entry) => (typeof entry === 'string' ? entry.trim() : ''));
  if (list.includes('')) {
    throw new UsageError(`${name} must name a wallet: 0x and 40 hexadecimal digits, or a list of them.`);
  }
  return [...new Set(list.map((wallet) => wallet.toLowerCase()))];
}

function encodeValue(parameter: Parameter, name: string, value: unknown): string {
  const refuse = (right: string): never => {
    throw new UsageError(`${name} must be ${right}; got ${shown(value)}.`);
  };
  switch (parameter.kind) {
    case 'boolean':
      if (/^true$/i.test(plainText(value))) return 'True';
      return /^false$/i.test(plainText(value)) ? 'False' : refuse('true or false');
    case 'amount':
      return encodeAmount(value, refuse);
    case 'signedAmount':
      return encodeSigned(value, refuse);
    case 'count':
      return encodeCount(value) ?? refuse(`a whole number from 0 to ${MAX_COUNT}`);
    case 'choice':
      return encodeChoice(parameter, value, refuse);
    case 'conditionIds':
      return encodeConditions(value, refuse);
    case 'tokenId':
      // A number would have lost digits of it.
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : refuse('the text of a token id');
    case 'unixSeconds':
      refuseLocalMidnight(name, value, true);
      return encodeSeconds(value) ?? refuse('a Date, an ISO 8601 date, or Unix seconds');
    case 'date':
      refuseLocalMidnight(name, value, false);
      return encodeDate(value) ?? refuse('a Date, or a date that exists as YYYY-MM-DD');
    case 'granularity':
      return GRANULARITIES.find((known) => known === value) ?? refuse(`one of ${GRANULARITIES.join(', ')}`);
    case 'conditionId':
      return typeof value === 'string' ? conditionText(value) : refuse('text');
    default:
      return typeof value === 'object' || typeof value === 'function' ? refuse('text') : String(value);
  }
}

/** The text of a plain value; empty for lists and other objects, whose text might look like a valid value. */
function plainText(value: unknown): string {
  return typeof value === 'object' || typeof value === 'function' ? '' : String(value);
}

const DECIMAL = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Encodes an amount as plain decimal text, without an exponent and with at most six decimals, like the service's. */
function encodeAmount(value: unknown, refuse: (right: string) => never): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const number = DECIMAL.test(text) ? Number(text) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return refuse('a number of 0 or more');
  if (number > 1e12) return refuse('a number from 0 to 1000000000000');
  // A computed number may miss its decimals slightly: 0.1 + 0.2. Text keeps digits that a double cannot hold.
  const rounded = Number(number.toFixed(6));
  const near = Math.abs(rounded - number) <= 4 * Number.EPSILON * number ? rounded : number;
  const plain = /^\d+(\.\d+)?$/.test(text) ? text : String(near);
  return /^\d+(\.\d{1,6})?$/.test(plain) ? plain : refuse('a number with six decimals at most');
}

function encodeSigned(value: unknown, refuse: (right: string) => never): string {
  const text = typeof value === 'string' ? value.trim() : value;
  const isBelow = typeof text === 'string' ? text.startsWith('-') : typeof text === 'number' && text < 0;
  const size = isBelow ? (typeof text === 'string' ? text.slice(1) : -(text as number)) : text;
  const refuseSigned = (right: string): never =>
    refuse(right.replace('of 0 or more', 'such as -12.5').replace('from 0 to', 'from -1000000000000 to'));
  return `${isBelow ? '-' : ''}${encodeAmount(size, refuseSigned)}`;
}

function encodeCount(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_COUNT ? text : undefined;
}

function encodeChoice({ choices = [], wildcard }: Parameter, value: unknown, refuse: (right: string) => never): string {
  const known = wildcard === undefined ? choices : [...choices, wildcard];
  return (typeof value === 'string' ? choiceOf(value, known) : undefined) ?? refuse(`one of ${known.join(', ')}`);
}

function encodeConditions(value: unknown, refuse: (right: string) => never): string {
  const given: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const ids = [...new Set(given.map((id) => (typeof id === 'string' ? conditionText(id) : '')))];
  if (ids.length === 0 || ids.includes('')) return refuse('a condition id or a list of them');
  if (ids.length > 1 && ids.includes('ALL')) return refuse('ALL alone, or condition ids without it');
  if (ids.length <= MAX_CONDITIONS) return ids.join(',');
  // Sorted, so that the parts of the list are in the order of records by market; of one id in both lengths, one.
  const whole = new Map(ids.map((id) => [id.padEnd(66, '0'), id]));
  return [...whole]
    .sort(([a], [b]) => Number(a > b) - Number(a < b))
    .map(([, id]) => id)
    .join(',');
}

const ISO = /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/i;

function encodeSeconds(value: unknown): string | undefined {
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) {
    const [, day = '', clock = 'T00:00', zone = 'Z'] = ISO.exec(value) ?? [];
    // Text without a time zone is UTC, as the contract's dates are; else it would depend on the machine.
    return dayOfDate(day) === undefined ? undefined : encodeSeconds(new Date(day + clock.replace(' ', 'T') + zone));
  }
  const seconds = value instanceof Date ? value.getTime() / 1000 : Number(plainText(value) || Number.NaN);
  // The wire has whole seconds; a fraction is rounded down.
  const whole = Math.floor(seconds);
  return typeof value !== 'boolean' && isUnixSecond(whole) ? String(whole) : undefined;
}

function encodeDate(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 10);
  return typeof value === 'string' && dayOfDate(value) !== undefined ? value : undefined;
}

/** The id of a market in the form that is sent: lower case, or `ALL` for all markets. */
export function conditionText(id: string): string {
  const text = id.trim().toLowerCase();
  return text === 'all' ? 'ALL' : text;
}
