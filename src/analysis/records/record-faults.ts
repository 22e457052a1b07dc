import { faultyRecords } from '../../frame/tabular/completeness.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import type { Cell } from '../../frame/vector/vector.js';

/**
 * What the record of each wallet of a frame lacks, as the service said beside its answers.
 *
 * @param by The column that groups the rows; only groups of wallets have records.
 * @returns A function that gives the faults of a group by its key; none if nothing is known to be missing.
 */
export function faultsBy(frame: Tabular, by: string): (key: Cell) => readonly string[] {
  if (by !== 'proxy_wallet') return () => [];
  const faults = new Map(faultyRecords(frame).map((record) => [record.wallet, record.faults]));
  return (key) => faults.get(String(key).toLowerCase()) ?? [];
}
