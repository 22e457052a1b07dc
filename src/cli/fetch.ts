import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { IncompleteError, UsageError } from '../base/errors.js';
import { counted, shellWord } from '../base/texts.js';
import type { Missing } from '../fetch/fetch-folder.js';
import { SOURCE_URLS, Sources } from '../fetch/sources.js';
import type { WalletFetch } from '../fetch/wallet.js';
import { dataOption } from './command-options.js';
import { interruptible, joinedErrors } from './exit-code.js';
import { ingestHeadline, resultText } from './ingest-report.js';
import { Status } from './terminal-output.js';

/** The flags of every subcommand of `oddslab fetch`. */
export interface FetchFlags {
  data: string;
  out: string;
  ingest: boolean;
  gammaUrl: string;
  dataApiUrl: string;
  clobUrl: string;
  rate: number;
  userAgent?: string;
}

/** Adds `oddslab fetch`, which fetches public records and reads them into the data folder. */
export function addFetchCommand(program: Command): void {
  const fetch = program.command('fetch');
  withFetchFlags(fetch.command('wallet'))
    .argument('<address...>', 'proxy wallets: 0x and 40 hex digits')
    .action((addresses: string[], flags: FetchFlags) =>
      interruptible((signal) => fetchWallets(addresses, flags, signal)),
    );
}

/** Adds the flags that every subcommand has. */
export function withFetchFlags(command: Command): Command {
  const address = (flag: string, variable: string, what: string, right: string) =>
    new Option(`${flag} <address>`, `base address of ${what}`).env(variable).default(right);
  return command
    .option('--out <dir>', 'folder for the raw records; each fetch has a folder of its own in it', 'data/raw')
    .addOption(dataOption())
    .option('--no-ingest', 'fetch only, and read nothing into the data folder')
    .addOption(address('--gamma-url', 'ODDSLAB_GAMMA_URL', 'Gamma', SOURCE_URLS.gamma))
    .addOption(address('--data-api-url', 'ODDSLAB_DATA_API_URL', 'the Data API', SOURCE_URLS.data))
    .addOption(address('--clob-url', 'ODDSLAB_CLOB_URL', 'the CLOB', SOURCE_URLS.clob))
    .addOption(
      new Option(
        '--rate <share>',
        'share of the documented rates to use, up to 1; "unlimited" for a server of your own',
      )
        .env('ODDSLAB_FETCH_RATE')
        .default(0.5)
        .argParser(rateShare),
    )
    .addOption(new Option('--user-agent <text>', 'what to call yourself').env('ODDSLAB_FETCH_USER_AGENT'));
}

/** Reads `--rate`. @throws {UsageError} If it is neither a share nor `unlimited`. */
function rateShare(text: string): number {
  // An empty variable counts as unset.
  if (text === '') return 0.5;
  if (text === 'unlimited') return Number.POSITIVE_INFINITY;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share <= 1) return share;
  throw new UsageError(`--rate must be a number above 0 and up to 1, or "unlimited"; got ${JSON.stringify(text)}.`);
}

/** Runs a fetch with the sources that the flags name, and closes them. */
export async function withSources<T>(
  { gammaUrl, dataApiUrl, clobUrl, rate, userAgent }: FetchFlags,
  status: Status,
  signal: AbortSignal,
  fetch: (sources: Sources) => Promise<T>,
): Promise<T> {
  const onWait = (waitMs: number, reason: string) => {
    if (waitMs >= 1000) status.show(`waiting ${Math.round(waitMs / 1000)} s: ${reason}`);
  };
  const sources = new Sources({ ...given({ gammaUrl, dataApiUrl, clobUrl, userAgent }), rate, signal, onWait });
  try {
    return await fetch(sources);
  } finally {
    status.clear();
    await sources.close();
  }
}

/** Without empty values, as of variables that are set to nothing. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Partial<T>;
}

async function fetchWallets(addresses: readonly string[], flags: FetchFlags, signal: AbortSignal): Promise<void> {
  const { fetchWallet, walletOf } = await import('../fetch/wallet.js');
  const wallets = [...new Set(addresses.map(walletOf))];
  const status = new Status();
  const onProgress = (text: string) => status.show(text);
  const fetched: WalletFetch[] = [];
  const failures: unknown[] = [];
  await withSources(flags, status, signal, async (sources) => {
    for (const wallet of wallets) {
      try {
        const result = await fetchWallet(wallet, { sources, out: flags.out, onProgress });
        fetched.push(result);
        status.clear();
        process.stderr.write(`${walletText(result)}\n`);
      } catch (error) {
        signal.throwIfAborted();
        failures.push(error);
      }
    }
  });
  const folders = fetched.map(({ folder }) => folder);
  if (flags.ingest && folders.length > 0) {
    await ingestFolders(folders, flags.data, status, signal);
    const [{ wallet } = { wallet: '' }] = fetched;
    const place = flags.data === 'data' ? '' : ` --data ${shellWord(flags.data)}`;
    process.stderr.write(`Next:\n  $ npx oddslab query pnl --wallet ${wallet} --granularity 1w${place}\n`);
  }
  for (const folder of folders) process.stdout.write(`${folder}\n`);
  failures.push(...fetched.flatMap(({ folder, manifest }) => incompleteError(folder, manifest.missing)));
  if (failures.length > 0) throw joinedErrors(failures);
}

/** Reads folders of fetches into the data folder, and prints the report as `oddslab ingest` does. */
export async function ingestFolders(
  folders: readonly string[],
  data: string,
  status: Status,
  signal: AbortSignal,
): Promise<void> {
  const { ingest } = await import('../service/ingest/ingest-inputs.js');
  const result = await ingest({ folder: data, inputs: folders, signal, onProgress: (doing) => status.show(doing) });
  status.clear();
  process.stderr.write(`${ingestHeadline(result.version.manifest, data)}${resultText(result)}\n`);
}

function walletText({ wallet, folder, manifest, fresh, changed }: WalletFetch): string {
  const { activity = 0, markets = 0, 'clob-markets': clob = 0 } = manifest.rows;
  const isNew = activity === fresh ? '' : `, ${fresh.toLocaleString('en-US')} of them new`;
  const until = manifest.until === null ? '' : `, up to ${shownTime(new Date(manifest.until * 1000).toISOString())}`;
  const again = `${counted(changed, 'row')} of the last minutes had changed at the source and ${changed === 1 ? 'was' : 'were'} fetched anew.`;
  return [
    `${wallet}: ${counted(activity, 'row')} of activity${isNew}${until}; ${counted(markets + clob, 'market record')}; in ${folder}`,
    ...(changed > 0 ? [`  ${again}`] : []),
  ].join('\n');
}

/** The error for a fetch that is not complete; none if it is. It says what is missing, with dates. */
export function incompleteError(folder: string, missing: readonly Missing[]): IncompleteError[] {
  if (missing.length === 0) return [];
  const lines = missing.map(({ what, from, until, why }) => {
    const span =
      from === null
        ? ''
        : ` from ${shownTime(from)}${until === null || until === from ? '' : ` until ${shownTime(until)}`}`;
    return `  missing ${what}${span}: ${why}`;
  });
  const end = '  What was fetched is kept; the same command asks for the rest.';
  return [new IncompleteError([`${join(folder)} is not complete.`, ...lines, end].join('\n'))];
}

function shownTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
