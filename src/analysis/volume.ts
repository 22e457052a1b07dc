import type { Column } from '../contract/column.js';
import { UsageError } from '../errors.js';
import { numericColumn } from '../frame/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromColumns } from '../frame/frame-from-columns.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { groupKey } from './group-key.js';
import { groupRows } from './group-rows.js';
import { sum } from './sum.js';

/** A row of {@link volume}: the group's key, its dollars, its share of all dollars, and how many markets it has. */
export type VolumeRecord<By extends string> = {
  [Key in By]: By extends 'event_slug' | 'slug' | 'question' | 'condition_id' ? string | null : Cell;
} & { volume_total: number; share: number; markets: number };

const COLUMNS = [
  { name: 'volume_total', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars traded in the group.' },
  { name: 'share', dtype: 'float64', nullable: true, meaning: 'Of the dollars of all groups, in [0, 1].' },
  { name: 'markets', dtype: 'int32', unit: 'markets', nullable: false, meaning: 'Markets of the group.' },
] as const satisfies readonly Column[];

/**
 * Where the volume is: dollars by group of markets, the largest first.
 *
 * share = Σ volume_total of the group / Σ volume_total of all.
 *
 * @param frame Market records: needs `volume_total` and the column of the groups. A missing volume counts as nothing.
 * @param options.by The column that groups the markets. Default `event_slug`. Markets without a value there form one
 * group, whose key is null.
 * @returns A row per group by falling volume, then by key; shares are NaN where nothing was traded at all.
 * @throws {ColumnError} If a column is missing or `volume_total` is not numeric.
 * @throws {UsageError} If it is to group by its own result.
 * @example volume(markets).head(3); // event_slug, volume_total, share, markets
 */
export function volume<By extends string = 'event_slug'>(
  frame: Tabular,
  options: { by?: By } = {},
): DataFrame<VolumeRecord<By>> {
  const by = options.by ?? 'event_slug';
  if (COLUMNS.some(({ name }) => name === by))
    throw new UsageError(`volume cannot group by "${by}": it computes that.`);
  const dollars = numericColumn(frame, 'volume_total');
  const { key, keyOfRow } = groupKey(frame, by);
  const { keys, groupOf } = groupRows(keyOfRow);
  const members = keys.map((): number[] => []);
  for (const [row, group] of groupOf.entries()) members[group]?.push(dollars[row] || 0);
  const groups = keys.map((value, at) => ({
    key: value,
    dollars: sum(members[at] ?? []),
    markets: members[at]?.length,
  }));
  groups.sort((a, b) => b.dollars - a.dollars || (String(a.key) < String(b.key) ? -1 : 1));
  const total = sum(groups.map((group) => group.dollars));
  return frameFromColumns<VolumeRecord<By>>(
    [key, ...COLUMNS],
    [
      groups.map((group) => group.key),
      groups.map((group) => group.dollars),
      groups.map((group) => group.dollars / total),
      groups.map((group) => group.markets),
    ],
  );
}
