import { counted } from '../base/texts.js';
import type { FetchManifest } from '../fetch/fetch-folder.js';
import { joinedErrors } from './exit-code.js';
import type { FetchFlags } from './fetch-flags.js';
import { fetchEach } from './fetch-wallets.js';
import { driftText, incompleteError, ingestFolders, shownTime, withSources } from './run-fetch.js';
import { Status } from './terminal-output.js';

/** Runs `oddslab fetch market` and `oddslab fetch event`: the fills, and with `--wallets` the record of each wallet. */
export async function fetchTraded(
  kind: 'market' | 'event',
  name: string,
  flags: FetchFlags & { wallets?: true },
  signal: AbortSignal,
): Promise<void> {
  const { fetchEvent, fetchMarket, walletsOf } = await import('../fetch/market.js');
  const status = new Status();
  const options = { out: flags.out, onProgress: (text: string) => status.show(text) };
  const { main, others } = await withSources(flags, status, signal, async (sources) => {
    const main = await (kind === 'market' ? fetchMarket : fetchEvent)(name, { ...options, sources });
    const wallets = await walletsOf(main.folder);
    status.clear();
    const { slug, manifest, fresh, folder } = main;
    const { trades = 0, markets = 0, 'clob-markets': clob = 0 } = manifest.rows;
    const isNew = trades === fresh ? '' : `, ${fresh.toLocaleString('en-US')} of them new`;
    const of = `${counted(wallets.length, 'wallet')}; ${counted(markets + clob, 'market record')}`;
    const all = `${counted(trades, 'fill')}${isNew}${untilText(manifest)}, of ${of}; in ${folder}`;
    process.stderr.write(
      `${slug}: ${all}\n${driftText(manifest)}${main.isEndUntold ? UNTOLD : ''}${flags.wallets ? '' : PARTIAL}`,
    );
    return { main, others: await fetchEach(flags.wallets ? wallets : [], flags, sources, status) };
  });
  await end([main, ...others.fetched], flags, others.failures, signal);
}

const PARTIAL =
  'These are fills alone: splits, merges and redemptions of a whole market have no feed, so the profit of wallets that ' +
  'made some is partial. Add --wallets, or fetch a wallet itself, for the whole record.\n';

const UNTOLD =
  'The source does not show its oldest fill, and says itself that its list ended: whether older ones are missing cannot ' +
  'be told.\n';

/** Runs `oddslab fetch markets` and `oddslab fetch events`. */
export async function fetchWholeCatalog(
  kind: 'markets' | 'events',
  flags: FetchFlags,
  signal: AbortSignal,
): Promise<void> {
  const { catalogEstimate, fetchCatalog } = await import('../fetch/catalog.js');
  const status = new Status();
  const onProgress = (text: string) => status.show(text);
  process.stderr.write(`${catalogEstimate(kind)}\n`);
  const fetched = await withSources(flags, status, signal, (sources) =>
    fetchCatalog(kind, { sources, out: flags.out, onProgress }),
  );
  const { manifest, fresh, folder } = fetched;
  const all = `${counted(manifest.rows[kind] ?? 0, 'record')} of ${kind}, ${fresh.toLocaleString('en-US')} of them new`;
  process.stderr.write(`${all}${untilText(manifest)}; in ${folder}\n${driftText(manifest)}`);
  await end([fetched], flags, [], signal);
}

/** Runs `oddslab fetch leaderboard`: prints the wallets, and with `--wallets` fetches the first ones. */
export async function fetchBoard(
  flags: FetchFlags & { limit: number; wallets?: number },
  signal: AbortSignal,
): Promise<void> {
  const { fetchLeaderboard } = await import('../fetch/fetch-leaderboard.js');
  const status = new Status();
  const onProgress = (text: string) => status.show(text);
  const most = Math.max(flags.limit, flags.wallets ?? 0);
  const { board, others } = await withSources(flags, status, signal, async (sources) => {
    const board = await fetchLeaderboard(most, { sources, out: flags.out, onProgress });
    status.clear();
    const { wallets, folder, manifest } = board;
    process.stderr.write(
      `The ${counted(wallets.length, 'wallet')} of most profit; in ${folder}\n${driftText(manifest)}`,
    );
    for (const wallet of wallets.slice(0, flags.limit)) process.stdout.write(`${wallet}\n`);
    return { board, others: await fetchEach(wallets.slice(0, flags.wallets ?? 0), flags, sources, status) };
  });
  // The board itself holds nothing for the ledger.
  const failures = [...others.failures, ...incompleteError(board.folder, board.manifest.missing)];
  await end(others.fetched, flags, failures, signal, false);
}

function untilText({ until }: FetchManifest): string {
  return until === null ? '' : `, up to ${shownTime(new Date(until * 1000).toISOString())}`;
}

/** Reads what was fetched into the data folder, prints the folders, and fails if something is missing. */
async function end(
  fetched: readonly { readonly folder: string; readonly manifest: FetchManifest }[],
  flags: FetchFlags,
  failures: readonly unknown[],
  signal: AbortSignal,
  printsFolders = true,
): Promise<void> {
  const folders = fetched.map(({ folder }) => folder);
  if (flags.ingest && folders.length > 0) await ingestFolders(folders, flags.data, new Status(), signal);
  if (printsFolders) for (const folder of folders) process.stdout.write(`${folder}\n`);
  const all = [...failures, ...fetched.flatMap(({ folder, manifest }) => incompleteError(folder, manifest.missing))];
  if (all.length > 0) throw joinedErrors(all);
}
