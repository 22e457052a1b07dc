import { inspect } from 'node:util';
import type { Dataset } from '../contract/dataset.js';

const SHOWN = { breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3, maxStringLength: 100 } as const;

/**
 * Describes a query for people: what it asks, and how to use it.
 *
 * @param filters The filters; undefined ones are left out.
 * @example queryText(PNL, { wallet }); // "Query of pnl { wallet: '0x…' }, of which nothing is asked before it is used: …"
 */
export function queryText({ name }: Dataset, filters: Readonly<Record<string, unknown>>): string {
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return (
    `Query of ${name} ${inspect(given, SHOWN)}, of which nothing is asked before it is used: ` +
    'await .frame(), .first() or .toCsv(path), or loop over its records: for await (const record of query.records())'
  );
}
