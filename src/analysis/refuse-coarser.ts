import { GRANULARITIES, type Granularity } from '../contract/bucket.js';
import { findDataset } from '../contract/dataset.js';
import { PNL_COLUMNS } from '../contract/pnl.js';
import { ColumnError } from '../errors.js';
import { knownColumns } from '../frame/columns-of.js';
import { type Provenance, provenanceOf } from '../frame/provenance.js';
import type { Tabular } from '../frame/tabular.js';

/** What the records of a granularity are of, in words. */
const SPANS: Readonly<Record<Granularity, string>> = {
  '1d': 'days',
  '3d': 'spans of three days',
  '1w': 'weeks',
  '1m': 'months',
  all: 'the whole time',
};

/**
 * The granularity of PnL records, as the queries behind a frame asked for it: the coarsest of several. Undefined where
 * they do not tell, as of frames of one's own making, and where days were asked for, but the dates are no longer those
 * of the records: rows that were pooled since are coarser.
 */
export function granularityOf(frame: Tabular): Granularity | undefined {
  const asked = provenanceOf(frame).flatMap(granularityAsked);
  const coarsest = GRANULARITIES.findLast((granularity) => asked.includes(granularity));
  const isSure = !asked.includes('unknown') && knownColumns(frame)?.get('date')?.meaning === PNL_COLUMNS[0].meaning;
  return coarsest === '1d' && !isSure ? undefined : coarsest;
}

/** None of a dataset that has no granularity. */
function granularityAsked({ dataset, params, together }: Provenance): (Granularity | 'unknown')[] {
  const parameter = findDataset(dataset)?.parameters.find(({ name }) => name === 'granularity');
  if (!parameter) return [];
  // Of queries told together, only what all of them asked for is known.
  const asked = params[parameter.name] ?? (together ? undefined : parameter.default);
  return [GRANULARITIES.find((granularity) => granularity === asked) ?? 'unknown'];
}

/** Whether records of one granularity span more than those of another. */
export function isCoarser(granularity: Granularity, than: Granularity): boolean {
  return GRANULARITIES.indexOf(granularity) > GRANULARITIES.indexOf(than);
}

/**
 * Refuses records that are coarser than a measure, a group or a bar of a chart: each would pass for one period of many.
 *
 * @param most The granularity of records that are fine enough.
 * @param found That of the frame's records. Default: what the queries behind it tell; what none tells is not refused.
 * @throws {ColumnError} If the records are coarser.
 */
export function refuseCoarser(frame: Tabular, most: Granularity, found = granularityOf(frame)): void {
  if (found === undefined || !isCoarser(found, most)) return;
  throw new ColumnError(
    `The records are of ${SPANS[found]}, but ${SPANS[most]} are needed: query them with granularity: '${most}'.`,
  );
}
