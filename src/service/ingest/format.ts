import { activityFormat } from './activity.js';
import { clobFormat } from './clob.js';
import { gammaFormat } from './gamma.js';
import { orderFilledFormat } from './order-filled.js';
import { pmaBlocksFormat } from './pma-blocks.js';
import { pmaMarketsFormat } from './pma-markets.js';
import { pmaTradesFormat } from './pma-trades.js';
import { polyTradesFormat } from './poly-trades.js';
import { tradesFormat } from './trades.js';

/** What an input's records are. `STAGED` has the columns that they are staged with. */
export type Records = 'markets' | 'events' | 'blocks';

/**
 * An input format: how to recognize it, and the query that stages its records with the columns of `STAGED`, `reason`
 * and `row`. A row with a reason is left out and counted under it.
 */
export interface Format {
  /** Its name on the command line. */
  readonly id: string;
  readonly name: string;
  readonly into: Records;
  /** Fields that every record of this format has. */
  readonly required: readonly string[];
  /** Fields that are read if they exist. */
  readonly optional: readonly string[];
  /** Fields that no record of this format has. */
  readonly without?: readonly string[];
  /** SQL for the staged columns, from `source`, a query that gives all fields as text, and `_row`. */
  readonly select: (source: string) => string;
}

/** All formats that are recognized by their fields. */
export const FORMATS: readonly Format[] = [
  gammaFormat,
  clobFormat,
  tradesFormat,
  activityFormat,
  orderFilledFormat,
  polyTradesFormat,
  pmaTradesFormat,
  pmaBlocksFormat,
  pmaMarketsFormat,
];

/** The format that has these fields, or undefined. */
export function formatOf(names: readonly string[]): Format | undefined {
  const known = new Set(names);
  return FORMATS.find(
    ({ required, without = [] }) =>
      required.every((name) => known.has(name)) && !without.some((name) => known.has(name)),
  );
}
