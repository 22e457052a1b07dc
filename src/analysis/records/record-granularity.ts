import { ColumnError } from '../../base/errors.js';
import { findDataset } from '../../contract/dataset.js';
import { PNL_COLUMNS } from '../../contract/pnl.js';
import { DAY_SECONDS, GRANULARITIES, type Granularity } from '../../contract/time.js';
import { knownColumns } from '../../frame/tabular/columns-of.js';
import { type Provenance, provenanceOf } from '../../frame/tabular/provenance.js';
import type { Tabular } from '../../frame/tabular/tabular.js';

/** The period that a record of each granularity covers, in words. */
const SPANS: Readonly<Record<Granularity, string>> = {
  '1d': 'days',
  '3d': 'spans of three days',
  '1w': 'weeks',
  '1m': 'months',
  all: 'the whole time',
};

/**
 * The granularity of PnL records, from the queries behind a frame; the coarsest of several. Undefined if it is unknown,
 * as for frames from elsewhere, and if days were queried but `date` is no longer the records' own column: rows may have
 * been pooled into coarser ones.
 */
export function granularityOf(frame: Tabular): Granularity | undefined {
  const asked = provenanceOf(frame).flatMap(granularityAsked);
  const coarsest = GRANULARITIES.findLast((granularity) => asked.includes(granularity));
  const isSure = !asked.includes('unknown') && knownColumns(frame)?.get('date')?.meaning === PNL_COLUMNS[0].meaning;
  return coarsest === '1d' && !isSure ? undefined : coarsest;
}

/** The granularity that a query asked for; empty for a dataset that has none. */
function granularityAsked({ dataset, params, together }: Provenance): (Granularity | 'unknown')[] {
  const parameter = findDataset(dataset)?.parameters.find(({ name }) => name === 'granularity');
  if (!parameter) return [];
  // For queries that are described together, only what all of them asked for is known.
  const asked = params[parameter.name] ?? (together ? undefined : parameter.default);
  return [GRANULARITIES.find((granularity) => granularity === asked) ?? 'unknown'];
}

/** So many dates of which none is of another weekday, or so many firsts of a month, no days have by chance. */
const [WEEKS, MONTHS] = [8, 4];

/** The granularity that the distinct times of records suggest, in milliseconds since 1970: `1d`, `1w` or `1m`. */
export function guessedGranularity(times: Float64Array): Granularity {
  const weekday = (time: number) => Math.floor(time / 1000 / DAY_SECONDS) % 7;
  if (times.length >= MONTHS && times.every((time) => new Date(time).getUTCDate() === 1)) return '1m';
  const isWeekly = times.length >= WEEKS && times.every((time) => weekday(time) === weekday(times[0] as number));
  return isWeekly ? '1w' : '1d';
}

/** Whether records of one granularity cover longer periods than those of another. */
export function isCoarser(granularity: Granularity, than: Granularity): boolean {
  return GRANULARITIES.indexOf(granularity) > GRANULARITIES.indexOf(than);
}

/**
 * Refuses records that are coarser than what a measure, a group or a bar of a chart stands for: each record would count
 * as one period but cover many.
 *
 * @param most The coarsest granularity that is fine enough.
 * @param found The granularity of the frame's records. Default: {@link granularityOf}; unknown ones are not refused.
 * @throws {ColumnError} If the records are coarser.
 */
export function refuseCoarser(frame: Tabular, most: Granularity, found = granularityOf(frame)): void {
  if (found === undefined || !isCoarser(found, most)) return;
  throw new ColumnError(
    `The records are of ${SPANS[found]}, but ${SPANS[most]} are needed: query them with granularity: '${most}'.`,
  );
}

/** A calendar period that rows are pooled by, in UTC; weeks start on Monday. */
export type Period = 'day' | 'week' | 'month';

/** The granularity of records that each cover one such period. */
export const GRANULARITY_OF: Readonly<Record<Period, Granularity>> = { day: '1d', week: '1w', month: '1m' };

/** Whether rows are pooled by a calendar period, not by a column. */
export function isPeriod(by: string): by is Period {
  return Object.hasOwn(GRANULARITY_OF, by);
}
