import { createHash } from 'node:crypto';
import type { Provenance } from '../provenance.js';

/** The largest total length, as JSON, of entries that are kept as they are: about thirty queries. */
const ROOM = 8000;

/**
 * The provenance that a file holds, which stays small however many queries the rows came from. The first entries stay
 * as they are; the others become one entry for each dataset of a service. It has the filters that all of them share,
 * the time of the last answer, the sum of their records and, in `together`, their number and the SHA-256 of their
 * entries.
 *
 * @returns Entries that folding again does not change; the given ones if they are few.
 */
export function foldedProvenance(entries: readonly Provenance[]): readonly Provenance[] {
  let length = 0;
  const first = entries.findIndex((entry) => {
    length += JSON.stringify(entry).length;
    return length > ROOM;
  });
  if (first < 0) return entries;
  const groups = new Map<string, Provenance[]>();
  for (const entry of entries.slice(first)) {
    const key = JSON.stringify([entry.service, entry.dataset]);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...entries.slice(0, first), ...Array.from(groups.values(), folded)];
}

function folded(entries: Provenance[]): Provenance {
  const [first, ...others] = entries as [Provenance, ...Provenance[]];
  if (others.length === 0) return first;
  const { service, dataset, params, dataVersion, snapshot } = first;
  const all = (same: (entry: Provenance) => boolean) => others.every(same);
  const shared = Object.entries(params).filter(([name, value]) => all((entry) => entry.params[name] === value));
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return {
    service,
    dataset,
    params: Object.fromEntries(shared),
    queriedAt:
      entries
        .map((entry) => entry.queriedAt)
        .sort()
        .at(-1) ?? '',
    records: entries.reduce((sum, { records }) => sum + records, 0),
    ...(dataVersion !== undefined && all((entry) => entry.dataVersion === dataVersion) ? { dataVersion } : {}),
    ...(snapshot !== undefined && all((entry) => entry.snapshot === snapshot) ? { snapshot } : {}),
    together: {
      queries: entries.reduce((sum, { together }) => sum + (together?.queries ?? 1), 0),
      sha256: createHash('sha256').update(lines).digest('hex'),
    },
  };
}
