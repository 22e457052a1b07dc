import { counted } from '../../base/texts.js';
import { completenessOf, faultyRecords } from '../../frame/tabular/completeness.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { cellAt } from '../../frame/vector/vector.js';
import type { GroupKey } from './grouped-rows.js';

/**
 * What the record of each wallet of a frame lacks, as the service said beside its answers.
 *
 * @returns A function that gives the faults of a group by its keys; none if nothing is known to be missing, or the
 *   groups are none of wallets.
 */
export function faultsBy(frame: Tabular): (keys: readonly GroupKey[], group: number) => readonly string[] {
  const faults = new Map(faultyRecords(frame).map((record) => [record.wallet, record.faults]));
  if (faults.size === 0) return () => [];
  return (keys, group) => {
    const wallets = keys.find(({ column }) => column.name === 'proxy_wallet');
    return (wallets && faults.get(String(cellAt(wallets.vector, group)).toLowerCase())) ?? [];
  };
}

/** What the records behind a frame lack, in one line; null if nothing is known to be missing. */
export function noteOfRecords(frame: Tabular): string | null {
  const faulty = faultyRecords(frame);
  const [first] = faulty;
  if (first === undefined) return null;
  if (completenessOf(frame).length === 1) return `incomplete record: ${first.faults.join(', ')}`;
  return `incomplete records of ${counted(faulty.length, 'wallet')}, such as ${first.wallet}: ${first.faults.join(', ')}`;
}
