import { appendAll } from '../base/many.js';
import { counted, shellWord } from '../base/texts.js';
import type { Sources } from '../fetch/sources.js';
import type { WalletFetch } from '../fetch/wallet.js';
import { joinedErrors } from './exit-code.js';
import type { FetchFlags } from './fetch-flags.js';
import { reconcileFetched } from './reconcile-wallets.js';
import { driftText, incompleteError, ingestFolders, shownTime, withSources } from './run-fetch.js';
import { Status } from './terminal-output.js';

/** Runs `oddslab fetch wallet`: each wallet in turn, then the ingest, then the comparison with the source's figures. */
export async function fetchWallets(
  addresses: readonly string[],
  flags: FetchFlags,
  signal: AbortSignal,
): Promise<void> {
  const { walletOf } = await import('../fetch/wallet.js');
  const wallets = [...new Set(addresses.map(walletOf))];
  const status = new Status();
  const { fetched, failures } = await withSources(flags, status, signal, (sources) =>
    fetchEach(wallets, flags, sources, status),
  );
  const folders = fetched.map(({ folder }) => folder);
  if (flags.ingest && folders.length > 0) {
    await ingestFolders(folders, flags.data, status, signal);
    const [{ wallet } = { wallet: '' }] = fetched;
    const place = flags.data === 'data' ? '' : ` --data ${shellWord(flags.data)}`;
    await reconcileFetched(
      fetched.map(({ wallet }) => wallet),
      flags,
      signal,
    );
    process.stderr.write(`Next:\n  $ npx oddslab query pnl --wallet ${wallet} --granularity 1w${place}\n`);
  }
  for (const folder of folders) process.stdout.write(`${folder}\n`);
  appendAll(
    failures,
    fetched.flatMap(({ folder, manifest }) => incompleteError(folder, manifest.missing)),
  );
  if (failures.length > 0) throw joinedErrors(failures);
}

/** Fetches wallets one after the other, and tells of each. One that fails does not keep the others from it. */
export async function fetchEach(
  wallets: readonly string[],
  { out }: FetchFlags,
  sources: Sources,
  status: Status,
): Promise<{ fetched: WalletFetch[]; failures: unknown[] }> {
  const { fetchWallet } = await import('../fetch/wallet.js');
  const onProgress = (text: string) => status.show(text);
  const fetched: WalletFetch[] = [];
  const failures: unknown[] = [];
  for (const wallet of wallets) {
    try {
      const result = await fetchWallet(wallet, { sources, out, onProgress });
      fetched.push(result);
      status.clear();
      process.stderr.write(`${walletText(result)}\n${driftText(result.manifest)}`);
    } catch (error) {
      sources.signal?.throwIfAborted();
      failures.push(error);
    }
  }
  return { fetched, failures };
}

function walletText({ wallet, folder, manifest, fresh, changed }: WalletFetch): string {
  const { activity = 0, markets = 0, 'clob-markets': clob = 0 } = manifest.rows;
  const isNew = activity === fresh ? '' : `, ${fresh.toLocaleString('en-US')} of them new`;
  const until = manifest.until === null ? '' : `, up to ${shownTime(new Date(manifest.until * 1000).toISOString())}`;
  const again = `${counted(changed, 'row')} of the last minutes had changed or vanished at the source: fetched anew.`;
  const whole = manifest.complete ? ' The record is complete.' : '';
  return [
    `${wallet}: ${counted(activity, 'row')} of activity${isNew}${until}; ${counted(markets + clob, 'market record')}; in ${folder}.${whole}`,
    ...(changed > 0 ? [`  ${again}`] : []),
    ...(manifest.pending ?? []).map((pending) => `  not final: ${pending}`),
  ].join('\n');
}
