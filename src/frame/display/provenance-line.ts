import { findDataset } from '../../contract/dataset.js';
import { type Provenance, provenanceOf } from '../provenance.js';
import type { Tabular } from '../tabular.js';

/**
 * The snapshots that a frame's rows come from, in a few words; empty for other rows. The address of a live service and
 * the time of its answer are not shown (`frame.provenance` has them), so that a notebook run twice gives the same
 * bytes.
 *
 * @example provenanceLine(pnl); // 'pnl from snapshot 2026-11, 2026-11-21 09:30 UTC'
 */
export function provenanceLine(frame: Tabular): string {
  const sources = provenanceOf(frame).filter(({ snapshot }) => snapshot !== undefined);
  const places = [...new Set(sources.map(({ snapshot }) => `snapshot ${snapshot}`))];
  const names = [...new Set(sources.map(nameOf))];
  const times = sources.map(({ queriedAt }) => minuteOf(queriedAt)).sort();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return '';
  const many = sources.reduce((sum, { together }) => sum + (together?.queries ?? 1), 0);
  const queries = many > 1 ? ` (${many} queries)` : '';
  const time = first === last ? first : `${first} to ${last}`;
  return `${names.join(', ')} from ${places.join(' and ')}${queries}, ${time} UTC`;
}

function nameOf({ dataset }: Provenance): string {
  return findDataset(dataset)?.name ?? `dataset ${dataset}`;
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
