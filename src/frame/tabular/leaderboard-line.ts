import { counted } from '../../base/texts.js';
import { faultsOf } from '../../contract/completeness-words.js';
import { completenessIn } from './completeness.js';
import type { Provenance } from './provenance.js';

/**
 * What a leaderboard covers, in one line: the days that it counts, how many wallets it has in all, how many others the
 * data have, and how many of the records behind the listed ones are not complete.
 *
 * @param queries Behind the leaderboard.
 * @param wallets Those that are listed, in lower case. Default: all that the service speaks of.
 * @returns Also whether a record lacks anything; an empty text if the service says nothing of all that.
 */
export function leaderboardLine(
  queries: readonly Provenance[],
  wallets?: readonly string[],
): { readonly text: string; readonly isLacking: boolean } {
  const listed = wallets && new Set(wallets);
  const told = completenessIn(queries);
  const records = told.filter(({ wallet, seen }) => listed === undefined || listed.has(wallet) || !seen);
  const lacking = records.filter((record) => faultsOf(record).length > 0).length;
  const isLacking = lacking > 0;
  const window = queries.find((query) => query.window !== undefined)?.window;
  const rows = wallets?.length ?? queries.reduce((sum, query) => sum + query.records, 0);
  const parts: string[] = [];
  if (window) {
    parts.push(
      `${window.first} to ${window.last}`,
      `${rows === 0 && window.wallets > 0 ? 'none' : rows} of ${counted(window.wallets, 'wallet')}`,
    );
    if (window.others > 0) parts.push(`${counted(window.others, 'other')} without anything that counts in these days`);
  }
  // Of a wallet that was named but is not listed, the record is told of, too.
  const whose = rows > 0 ? 'those listed' : 'those asked for';
  if (isLacking) parts.push(`${counted(lacking, 'record')} of ${whose} not complete`);
  else if (records.length > 0 && rows > 0) parts.push('all records listed complete');
  return { text: parts.join(', '), isLacking };
}
