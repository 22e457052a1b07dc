import type { Completeness } from '../../contract/completeness.js';
import { faultsOf } from '../../contract/completeness-words.js';
import { provenanceOf } from './provenance.js';
import { columnNames, rowCount, type Tabular, vectorOf } from './tabular.js';

/** How complete the record of one wallet is, and its address in lower case. */
export type WalletCompleteness = { readonly wallet: string } & Completeness;

/**
 * How complete the records behind a frame are: an entry for each wallet that its queries named, also one without a row,
 * and also after verbs; by address. If several queries named a wallet, the one that was answered last counts.
 *
 * @returns Empty if nothing is known of it: for frames of your own making, of markets, and of services that do not say.
 * @example completenessOf(pnl); // [{ wallet: '0x55…', seen: true, first: '2025-06-01T…', feeless_fills: 3, fills: 42 }]
 */
export function completenessOf(frame: Tabular): readonly WalletCompleteness[] {
  columnNames(frame);
  return completenessIn(provenanceOf(frame));
}

/** The same of queries. */
export function completenessIn(queries: ReturnType<typeof provenanceOf>): readonly WalletCompleteness[] {
  const told = queries.filter(({ completeness }) => completeness !== undefined);
  told.sort((a, b) => Number(a.queriedAt > b.queriedAt) - Number(a.queriedAt < b.queriedAt));
  const wallets = new Map<string, WalletCompleteness>();
  for (const { completeness = {} } of told) {
    for (const [wallet, record] of Object.entries(completeness)) wallets.set(wallet, { wallet, ...record });
  }
  return [...wallets.values()].sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
}

/** A wallet whose record is not complete, and what it lacks. */
export interface FaultyRecord {
  readonly wallet: string;
  readonly faults: readonly string[];
}

/** The columns of the wallets in all datasets; the leaderboard has one of its own. */
const WALLET_COLUMNS = ['proxy_wallet', 'address'];

/**
 * The wallets behind a frame's rows whose records are not complete. If the frame names wallets, only those that it
 * names count, as the rows of others were filtered out, but all count if it has no rows.
 */
export function faultyRecords(frame: Tabular): readonly FaultyRecord[] {
  const faulty = completenessOf(frame).flatMap(({ wallet, ...record }) => {
    const faults = faultsOf(record);
    return faults.length > 0 ? [{ wallet, faults }] : [];
  });
  const column = WALLET_COLUMNS.find((name) => columnNames(frame).includes(name));
  if (faulty.length === 0 || rowCount(frame) === 0 || column === undefined) return faulty;
  const named = walletsIn(frame, column);
  return named ? faulty.filter(({ wallet }) => named.has(wallet)) : faulty;
}

function walletsIn(frame: Tabular, column: string): ReadonlySet<string> | undefined {
  const vector = vectorOf(frame, column);
  if (vector.kind !== 'text') return undefined;
  const used = new Set<number>();
  for (const code of vector.codes) used.add(code);
  return new Set(Array.from(used, (code) => (vector.words[code] ?? '').toLowerCase()));
}
