import { activityFormat } from './activity.js';
import { clobFormat } from './clob.js';
import { gammaFormat } from './gamma.js';
import { orderFilledFormat } from './order-filled.js';
import { pmaBlocksFormat } from './pma-blocks.js';
import { pmaMarketsFormat } from './pma-markets.js';
import { pmaTradesFormat } from './pma-trades.js';
import { polyTradesFormat } from './poly-trades.js';
import { tradesFormat } from './trades.js';

/** What an input's records are: the table into which they are staged, with its columns in `STAGED`. */
export type Records = 'markets' | 'events' | 'blocks';

/**
 * An input format: how to know it, and the query that stages its records as `STAGED` says, with `reason` and `row`; a
 * row with a reason is left out and counted under it.
 */
export interface Format {
  /** The word for it on the command line. */
  readonly id: string;
  readonly name: string;
  readonly into: Records;
  /** Fields without which a record is not of this format. */
  readonly required: readonly string[];
  /** Fields that are read where they are there. */
  readonly optional: readonly string[];
  /** Fields that tell that a record is of another format. */
  readonly without?: readonly string[];
  /** Selects the staged columns from `source`, a query that gives all fields as text, and `_row`. */
  readonly select: (source: string) => string;
}

/** Every format that is recognized by its fields. */
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

/** The format whose fields these are, or undefined. */
export function formatOf(names: readonly string[]): Format | undefined {
  const known = new Set(names);
  return FORMATS.find(
    ({ required, without = [] }) =>
      required.every((name) => known.has(name)) && !without.some((name) => known.has(name)),
  );
}
