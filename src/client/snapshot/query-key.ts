import { findDataset } from '../../contract/dataset.js';

/** What tells one recorded query from every other: how it was paged does not matter. */
export interface RecordedQuery {
  /** Number of the dataset. */
  readonly dataset: number;
  /** Filters as they are sent, one wallet at most. */
  readonly params: Readonly<Record<string, string>>;
  /** Absent where all records were asked for. */
  readonly maxRecords?: number | undefined;
}

/** The canonical form of a query: equal texts for equal queries, in whatever order their filters stand. */
export function queryKey({ dataset, params, maxRecords }: RecordedQuery): string {
  return JSON.stringify([dataset, Object.entries(sortedParams(params)), maxRecords ?? null]);
}

/** The filters in the order of their names. */
export function sortedParams(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A query for people. @example 'pnl (569): granularity=1w, wallet=0x…' */
export function queryText({ dataset, params, maxRecords }: RecordedQuery): string {
  const known = findDataset(dataset);
  const words = Object.entries(sortedParams(params)).map(([name, value]) => `${name}=${plain(value)}`);
  if (maxRecords !== undefined) words.push(`the first ${maxRecords} records`);
  return `${known ? `${known.name} (${dataset})` : `dataset ${dataset}`}: ${words.join(', ') || 'no filters'}`;
}

/** As it is where it is one plain word, else quoted and escaped. */
function plain(value: string): string {
  return /^[\w.:+-]+$/.test(value) ? value : JSON.stringify(value);
}

/** What differs between two queries, a sentence part each: `there` is one that is recorded, `here` one that is asked. */
export function queryDifferences(there: RecordedQuery, here: RecordedQuery): string[] {
  const names = [...new Set([...Object.keys(there.params), ...Object.keys(here.params)])].sort();
  const said = (name: string, one: unknown, other: unknown) =>
    one === other ? [] : [`${name} is ${show(one)} there, ${show(other)} here`];
  return [
    ...said('the dataset', there.dataset, here.dataset),
    ...names.flatMap((name) => said(name, own(there.params, name), own(here.params, name))),
    ...said('the most records', there.maxRecords ?? 'all', here.maxRecords ?? 'all'),
  ];
}

function own(params: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

function show(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? plain(value) : String(value);
}
