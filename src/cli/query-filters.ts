import type { Command } from 'commander';
import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { nearest } from '../base/nearest.js';
import { DATASETS, type Dataset, findDataset } from '../contract/dataset.js';
import { helpLines } from './command-options.js';

/** The options of `oddslab query` itself. */
const OPTIONS = ['format', 'out', 'columns', 'limit', 'exact', 'strict', 'snapshot', 'mode', 'url', 'data'];

/**
 * Reads a query from the command line: the dataset by name or number, and its filters as options.
 *
 * @param words The filters as given: `--min-volume 1000`, `--min-volume=1000`, or `--closed` alone for true. The wallet
 * filter may be repeated.
 * @throws {UsageError} If the dataset, or a filter of a known dataset, does not exist (the message names the most
 * similar one); if a filter that takes one value is repeated; if a value is empty, or missing where the filter is not a
 * switch.
 */
export function readQuery(name: string, words: readonly string[]): { id: number; params: Record<string, string> } {
  const dataset = findDataset(/^\d+$/.test(name) ? Number(name) : name);
  if (!dataset && !/^\d+$/.test(name)) {
    if (/^(wallets?|traders?|users?)$/i.test(name)) throw new UsageError(noWallets(name));
    const names = DATASETS.map((known) => known.name);
    const meant = nearest(name, names);
    const known = `one of ${names.join(', ')}, or a number`;
    throw new UsageError(
      `There is no dataset "${name}"${meant ? `; did you mean "${meant}"? Give ${known}.` : `: give ${known}.`}`,
    );
  }
  const params = new Map<string, string>();
  for (const [flag, given] of filterPairs(words)) {
    const wire = wireName(dataset, flag);
    const value = given ?? valueAlone(dataset, wire, flag);
    if (value === '') throw new UsageError(`--${flag} is empty: give it a value, or leave it out.`);
    const before = params.get(wire);
    if (before !== undefined && !takesList(dataset, wire)) {
      throw new UsageError(`--${flag} is given twice, as ${before} and ${value}, but takes one value: give it once.`);
    }
    params.set(wire, before === undefined ? value : `${before},${value}`);
  }
  return { id: dataset?.id ?? Number(name), params: Object.fromEntries(params) };
}

/** The value of a filter that is given without one: true for a switch, and for a filter that is not known here. */
function valueAlone(dataset: Dataset | undefined, wire: string, flag: string): string {
  const known = dataset?.parameters.find(({ name }) => name === wire);
  if (!known || known.kind === 'boolean') return 'true';
  throw new UsageError(`--${flag} needs a value, such as --${flag} ${known.example}.`);
}

function takesList(dataset: Dataset | undefined, wire: string): boolean {
  return dataset?.parameters.some(({ name, kind }) => name === wire && kind === 'wallet') ?? false;
}

function noWallets(name: string): string {
  return (
    `There is no dataset "${name}": the service answers for the wallets that you name, and lists none. Their addresses\n` +
    'stand in the raw records (proxyWallet) and on the pages of traders. The busiest of a data folder are "busiest" in its\n' +
    'versions/*/manifest.json, and in ODDSLAB_WALLETS for notebooks under "oddslab lab". Then:\n' +
    '  oddslab query pnl --wallet 0x… --granularity 1w\n' +
    '  oddslab query lifetime --wallet 0x…'
  );
}

/** The help text about the filters of every dataset. */
export function filterHelp(command: Command): string {
  const { items } = helpLines(command);
  return DATASETS.map(({ id, name, title, parameters }) => {
    const filters = parameters.map(({ name: wire, meaning, required }) => {
      return [`  --${flagOf(wire)}`.padEnd(18), `${meaning}${required ? ' Required.' : ''}`] as const;
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
