import type { Dataset } from '../../contract/dataset.js';
import type { Slice } from '../store/store.js';

/**
 * The canonical text of a query: equal for two requests exactly if their filters, as read, and their pages are equal,
 * however they were spelt. Together with the data version it identifies an answer.
 *
 * @param values Filters by wire name, as {@link readFilters} gives them.
 * @example canonicalRequest(PNL, { wallet: ['0x55…'], granularity: '1d' }, { limit: 200, offset: 0 });
 * // '569 200 0 wallet="0x55…" granularity="1d"'
 */
export function canonicalRequest(
  dataset: Dataset,
  values: Readonly<Record<string, unknown>>,
  { limit, offset }: Slice,
): string {
  let text = `${dataset.id} ${limit} ${offset}`;
  for (const { name } of dataset.parameters) {
    const value = values[name];
    // Quoted, so that no text can pass for a further filter.
    if (value !== undefined)
      text += ` ${name}=${JSON.stringify(typeof value === 'object' ? String(value) : plain(value))}`;
  }
  return text;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
