import { NotSeenError } from '../base/errors.js';
import { counted, shellWord } from '../base/texts.js';
import { unknownWords } from '../contract/answer-notes.js';
import { faultsOf, notesOf } from '../contract/completeness-words.js';
import { LEADERBOARD } from '../contract/leaderboard.js';
import { completenessIn, faultyRecords, type WalletCompleteness } from '../frame/tabular/completeness.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { leaderboardLine } from '../frame/tabular/leaderboard-line.js';
import type { Provenance } from '../frame/tabular/provenance.js';

/** Whether the data have nothing of what queries named: no record mentions any of the wallets, or a name is not known. */
export function namesNothing(queries: readonly Provenance[]): boolean {
  const told = completenessIn(queries);
  const isUnknown = queries.some(({ unknown = [] }) => unknown.length > 0);
  return isUnknown ? queries.every(({ records }) => records === 0) : told.length > 0 && told.every(({ seen }) => !seen);
}

/** The mark below a table of wallets whose records are not complete, which stays beside the figures wherever it goes. */
export function incompleteMark(frame: DataFrame): string | undefined {
  const faulty = faultyRecords(frame).map(({ wallet }) => wallet);
  if (faulty.length === 0) return undefined;
  const names = faulty.length > 3 ? counted(faulty.length, 'wallet') : faulty.join(', ');
  return `! Incomplete: figures of ${names} may be wrong, since the record lacks something.`;
}

/**
 * Tells on stderr what is worth knowing of an answer besides its records: what a leaderboard covers, and what the record
 * of each wallet lacks.
 *
 * @throws {NotSeenError} If no record mentions one of the wallets, or the data have nothing by a name that was asked for.
 */
export function tellNotes(queries: readonly Provenance[], { data }: { readonly data?: string }): void {
  const line = queries.some(({ dataset }) => dataset === LEADERBOARD.id) ? leaderboardLine(queries).text : '';
  if (line !== '') process.stderr.write(`${line}\n`);
  const told = completenessIn(queries);
  tellRecords(told);
  const unknown = queries.flatMap(({ unknown: names = [] }) => names.map((name) => `not known: ${unknownWords(name)}`));
  const unseen = told.flatMap((record) => (record.seen ? [] : unseenLine(record, data)));
  const lines = [...new Set([...unknown, ...unseen])];
  if (lines.length > 0) throw new NotSeenError(lines.join('\n'));
}

/** How many wallets are written about one by one: a query names at most as many, but a leaderboard lists more. */
const MOST_TOLD = 100;

function tellRecords(told: readonly WalletCompleteness[]): void {
  let others = 0;
  for (const [at, { wallet, ...record }] of told.entries()) {
    if (at >= MOST_TOLD) {
      if (faultsOf(record).length > 0) others += 1;
      continue;
    }
    const faults = record.seen ? faultsOf(record) : [];
    if (faults.length > 0) process.stderr.write(`${wallet}: ${faults.join('; ')}\n`);
    for (const note of notesOf(record)) process.stderr.write(`${wallet}: note: ${note}\n`);
  }
  if (others > 0) {
    process.stderr.write(
      `${counted(others, 'more wallet')} of this answer with a record that is not complete: completenessOf(frame) lists them\n`,
    );
  }
}

function unseenLine({ wallet, fetched }: WalletCompleteness, data: string | undefined): string {
  if (fetched) return `not seen: no record mentions ${wallet}, though it was fetched: is it the address of a login?`;
  const into = data === undefined || data === 'data' ? '' : ` --data ${shellWord(data)}`;
  return `not seen: no record mentions ${wallet}${data === undefined ? '' : ` (run: npx oddslab fetch wallet ${wallet}${into})`}`;
}
