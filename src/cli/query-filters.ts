import type { Command } from 'commander';
import { ServiceError, UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { nearest } from '../base/nearest.js';
import { DATASETS, type Dataset, findDataset } from '../contract/dataset.js';
import type { ParameterKind } from '../contract/definition.js';
import { QUERY_PATH } from '../contract/envelope.js';
import { LEADERBOARD } from '../contract/leaderboard.js';
import { helpLines } from './command-options.js';

/** The options of `oddslab query` itself. */
const OPTIONS = [
  'format',
  'out',
  'columns',
  'decimal',
  'dates',
  'ids',
  'full',
  'limit',
  'exact',
  'strict',
  'snapshot',
  'mode',
  'url',
  'data',
];

/**
 * Reads a query from the command line: the dataset by name or number, and its filters as options.
 *
 * @param words The filters as given: `--min-volume 1000`, `--min-volume=1000`, or `--closed` alone for true. A filter that
 * takes a list may be repeated.
 * @throws {UsageError} If the dataset, or a filter of a known dataset, does not exist (the message names the most
 * similar one); if a filter that takes one value is repeated; if a value is empty, or missing where the filter is not a
 * switch.
 */
export function readQuery(name: string, words: readonly string[]): CommandQuery {
  const dataset = findDataset(/^\d+$/.test(name) ? Number(name) : WALLET_WORDS.test(name) ? LEADERBOARD.name : name);
  if (!dataset && !/^\d+$/.test(name)) {
    const names = DATASETS.map((known) => known.name);
    const meant = nearest(name, names);
    const known = `one of ${names.join(', ')}, or a number`;
    throw new UsageError(
      `There is no dataset "${name}"${meant ? `; did you mean "${meant}"? Give ${known}.` : `: give ${known}.`}`,
    );
  }
  const params = new Map<string, string>();
  const flags = new Map<string, string>();
  let top: number | undefined;
  for (const [written, given] of filterPairs(words)) {
    if (dataset?.id === LEADERBOARD.id && written === 'top') {
      top = topOf(given, top);
      continue;
    }
    const flag = dataset?.id === LEADERBOARD.id && written === 'by' ? 'sort-by' : written;
    const wire = wireName(dataset, flag);
    const value = given ?? valueAlone(dataset, wire, flag);
    if (value === '') throw new UsageError(`--${flag} is empty: give it a value, or leave it out.`);
    const before = params.get(wire);
    if (before !== undefined && !takesList(dataset, wire)) {
      throw new UsageError(`--${flag} is given twice, as ${before} and ${value}, but takes one value: give it once.`);
    }
    params.set(wire, before === undefined ? value : `${before},${value}`);
    flags.set(wire, `--${written}`);
  }
  return { id: dataset?.id ?? Number(name), params: Object.fromEntries(params), flags, top };
}

/** A query from the command line. */
interface CommandQuery {
  readonly id: number;
  readonly params: Record<string, string>;
  /** The flag by which each of them was given. */
  readonly flags: ReadonlyMap<string, string>;
  /** The most records, if `--top` says it. */
  readonly top: number | undefined;
}

/** Words by which people ask for the list of wallets. */
const WALLET_WORDS = /^(wallets?|traders?|users?)$/i;

function topOf(given: string | undefined, before: number | undefined): number {
  if (before !== undefined) throw new UsageError('--top is given twice: give it once.');
  if (given !== undefined && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError(
    `--top needs a whole number of 1 or more, such as --top 20${given === undefined ? '' : `; got "${given}"`}.`,
  );
}

/** The flags that stand for options of the client's functions. */
const FLAGS: Readonly<Record<string, string>> = {
  baseUrl: '--url (or ODDSLAB_URL)',
  maxRecords: '--limit',
  mode: '--mode (or ODDSLAB_SNAPSHOT_MODE)',
};

/** What the client says that only callers of functions can do, and what is said on the command line. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/connect\(\{ snapshot \}\)/, '--snapshot'],
  [/ needs its \w+: name one, on the command line by (--[\w-]+)\./, ' needs $1: name one.'],
  [
    / must be a Date, an ISO 8601 date, or Unix seconds/,
    ' must be a date (2025-11-05), a time in UTC (2025-11-05T14:30:00Z) or Unix seconds',
  ],
  [/ must be a Date, or a date that exists/, ' must be a date that exists,'],
];

/**
 * An error of the client in the words of the command line: it begins with a filter's or option's name in TypeScript or
 * on the wire, where the reader wrote a flag. Any other error as it is.
 *
 * @param isOwn Whether the service is one that the command started itself, whose address tells the reader nothing.
 */
export function inFlags(error: unknown, { id, flags }: Pick<CommandQuery, 'id' | 'flags'>, isOwn: boolean): unknown {
  if (error instanceof ServiceError) return refusedInFlags(error, flagsOf(id, flags), isOwn);
  if (!(error instanceof UsageError)) return error;
  const begun = noteInFlags(error.message, { id, flags });
  const message = SAID.reduce((text, [said, instead]) => text.replace(said, instead), begun);
  return message === error.message ? error : new UsageError(message, { cause: error });
}

/** A warning of the client, which may begin with a filter's name, in the words of the command line. */
export function noteInFlags(text: string, { id, flags }: Pick<CommandQuery, 'id' | 'flags'>): string {
  const known = flagsOf(id, flags);
  return text.replace(/^\w+/, (name) => known.get(name) ?? name);
}

/** The flags by the names of filters and options: the one that was given, else the first that there is. */
function flagsOf(id: number, given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const flags = new Map(Object.entries(FLAGS));
  for (const { name, option } of findDataset(id)?.parameters ?? []) {
    for (const each of [name, option]) flags.set(each, given.get(name) ?? `--${flagOf(name)}`);
  }
  return flags;
}

/** A place in a request, and what the service says is wrong there, within the message of a refusal. */
const REFUSED = /\/params\/([\w-]+) (.+?)(?=\.?$|; \/params)/g;

/** A refusal without the request that the reader did not write: filters by their flags, and no method or path. */
function refusedInFlags(
  error: ServiceError,
  flags: ReadonlyMap<string, string>,
  isOwn: boolean,
): UsageError | ServiceError {
  // Within a text, a name without _ may be an ordinary word.
  const inWords = (text: string) => text.replace(/(?<!")\b[a-z]+(_[a-z]+)+\b/g, (name) => flags.get(name) ?? name);
  const faults = Array.from(error.message.matchAll(REFUSED), ([, name = '', fault = '']) => {
    return `${flags.get(name) ?? `--${flagOf(name)}`} ${inWords(fault)}`;
  });
  if (error.details.status === 422 && faults.length > 0) {
    const text = faults.join('; ');
    return new UsageError(/[.?!…]$/.test(text) ? text : `${text}.`, { cause: error });
  }
  const place = (url: string) => (isOwn ? '' : ` (${serviceAddress(url)})`);
  const message = error.message.replace(/ \(POST ([^\s)]*)\)/, (_, url: string) => place(url));
  return new ServiceError(message, error.details, { cause: error });
}

/** The base address of a service, from the one that queries are posted to. */
function serviceAddress(url: string): string {
  return url.endsWith(QUERY_PATH) ? url.slice(0, -QUERY_PATH.length) : url;
}

/** The value of a filter that is given without one: true for a switch, and for a filter that is not known here. */
function valueAlone(dataset: Dataset | undefined, wire: string, flag: string): string {
  const known = dataset?.parameters.find(({ name }) => name === wire);
  if (!known || known.kind === 'boolean') return 'true';
  throw new UsageError(`--${flag} needs a value, such as --${flag} ${known.example}.`);
}

/** The kinds of filters that take several values. */
const LISTS: readonly string[] = ['wallet', 'conditionIds'] satisfies ParameterKind[];

function takesList(dataset: Dataset | undefined, wire: string): boolean {
  return dataset?.parameters.some(({ name, kind }) => name === wire && LISTS.includes(kind)) ?? false;
}

/** The names that a query takes for a dataset, for the help. */
export function datasetNames(): string {
  const names = DATASETS.map(({ name }) => (name === LEADERBOARD.name ? `${name} (or wallets)` : name));
  return `${names.join(', ')}, or the number of any dataset`;
}

/** What a filter by time takes here; on the wire seconds alone. */
const DATES = 'as a date (2025-11-05, its first second), a time in UTC (2025-11-05T14:30:00Z) or Unix seconds';

/** The help text about the filters of every dataset. */
export function filterHelp(command: Command): string {
  const { items } = helpLines(command);
  return DATASETS.map(({ id, name, title, parameters }) => {
    const filters = parameters.map(({ name: wire, kind, meaning, required, example }) => {
      const times = kind === 'unixSeconds' ? meaning.replace('in Unix seconds', DATES) : meaning;
      const takes = kind === 'date' ? `${times} As a date (${example}).` : times;
      return [`  --${flagOf(wire)}`.padEnd(18), `${takes}${required ? ' Required.' : ''}`] as const;
    });
    return `  ${name} (${id}): ${title}\n${items(filters)}`;
  }).join('\n');
}

/** Each filter with its value; undefined if it has none. */
function filterPairs(words: readonly string[]): [string, string | undefined][] {
  const pairs: [string, string | undefined][] = [];
  for (let i = 0; i < words.length; i++) {
    const word = itemAt(words, i);
    const [, flag, , inline] = /^--([a-z][\w-]*)(=(.*))?$/i.exec(word) ?? [];
    if (flag === undefined) throw new UsageError(`"${word}" is no filter: filters are given as --name value.`);
    const next = words[i + 1];
    if (inline !== undefined) pairs.push([flag, inline]);
    else if (next === undefined || next.startsWith('--')) pairs.push([flag, undefined]);
    else {
      pairs.push([flag, next]);
      i++;
    }
  }
  return pairs;
}

function wireName(dataset: Dataset | undefined, flag: string): string {
  const name = flag.replaceAll('-', '_');
  if (!dataset) return name;
  const known = dataset.parameters.find((parameter) => parameter.name === name || parameter.option === name);
  if (known) return known.name;
  if (OPTIONS.includes(flag)) throw new UsageError(`--${flag} is an option, which behind -- is none: give it before.`);
  const flags = [...dataset.parameters.map((parameter) => flagOf(parameter.name)), ...OPTIONS];
  const meant = nearest(flag, flags);
  const hint = meant ? `did you mean --${meant}?` : `it has ${flags.map((each) => `--${each}`).join(', ')}.`;
  throw new UsageError(`--${flag} is neither an option nor a filter of ${dataset.name}; ${hint}`);
}

function flagOf(name: string): string {
  return name.replaceAll('_', '-');
}
