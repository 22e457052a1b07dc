import { findDataset } from '../../contract/dataset.js';
import type { Parameter } from '../../contract/definition.js';
import { conditionText } from '../paging/encode-params.js';

/** What identifies a recorded query; how it was paged does not matter. */
export interface RecordedQuery {
  /** Number of the dataset. */
  readonly dataset: number;
  /** Filters as they are sent, with at most one wallet. */
  readonly params: Readonly<Record<string, string>>;
  /** The largest number of records; absent for all. */
  readonly maxRecords?: number | undefined;
}

/**
 * The canonical form of a query: equal queries have equal texts, whatever the order of their filters, and whether or
 * not they state default values.
 */
export function queryKey({ dataset, params, maxRecords }: RecordedQuery): string {
  return JSON.stringify([dataset, Object.entries(canonicalParams(dataset, params)), maxRecords ?? null]);
}

/** The filters sorted by name, without those that have the default value of their dataset's contract. */
export function canonicalParams(dataset: number, params: Readonly<Record<string, string>>): Record<string, string> {
  const parameters: readonly Parameter[] = findDataset(dataset)?.parameters ?? [];
  const canonical: [string, string][] = [];
  for (const [name, given] of Object.entries(params)) {
    const parameter = parameters.find((known) => known.name === name);
    const value =
      parameter?.kind === 'conditionId' || parameter?.kind === 'conditionIds' ? conditionText(given) : given;
    if (value !== parameter?.default) canonical.push([name, value]);
  }
  return Object.fromEntries(canonical.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A query for people. @example 'pnl (569): granularity=1w, wallet=0x…' */
export function recordedQueryText({ dataset, params, maxRecords }: RecordedQuery): string {
  const known = findDataset(dataset);
  const words = Object.entries(canonicalParams(dataset, params)).map(([name, value]) => `${name}=${plain(value)}`);
  if (maxRecords !== undefined) words.push(`the first ${maxRecords} records`);
  return `${known ? `${known.name} (${dataset})` : `dataset ${dataset}`}: ${words.join(', ') || 'no filters'}`;
}

/** A value as it is if it is one plain word, else quoted and escaped. */
function plain(value: string): string {
  return /^[\w.:+-]+$/.test(value) ? value : JSON.stringify(value);
}

/** The differences between a recorded query (`there`) and the one asked (`here`), each as part of a sentence. */
export function queryDifferences(there: RecordedQuery, here: RecordedQuery): string[] {
  const names = [...new Set([...Object.keys(there.params), ...Object.keys(here.params)])].sort();
  const said = (name: string, one: unknown, other: unknown) =>
    one === other ? [] : [`${name} is ${show(one)} there, ${show(other)} here`];
  return [
    ...said('the dataset', there.dataset, here.dataset),
    ...names.flatMap((name) => said(name, filterOf(there, name), filterOf(here, name))),
    ...said('the most records', there.maxRecords ?? 'all', here.maxRecords ?? 'all'),
  ];
}

/** A filter's value, or its default. */
function filterOf({ dataset, params }: RecordedQuery, name: string): string | undefined {
  if (Object.hasOwn(params, name)) return params[name];
  return findDataset(dataset)?.parameters.find((parameter: Parameter) => parameter.name === name)?.default;
}

function show(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? plain(value) : String(value);
}
