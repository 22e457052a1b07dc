import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { SOURCE_URLS } from '../fetch/request-pace.js';
import { dataOption } from './command-options.js';

/** The flags of every subcommand of `oddslab fetch`. */
export interface FetchFlags extends SourceFlags {
  data: string;
  ingest: boolean;
}

/** The flags that say where the sources are, and where what they give is kept. */
export interface SourceFlags {
  out: string;
  gammaUrl: string;
  dataApiUrl: string;
  clobUrl: string;
  rate: number;
  userAgent?: string;
}

/** Adds the flags that every subcommand has. */
export function withFetchFlags(command: Command): Command {
  return withSourceFlags(command)
    .addOption(dataOption())
    .option('--no-ingest', 'fetch only, and read nothing into the data folder');
}

/** Adds the flags that say where the sources are, and where what they give is kept. */
export function withSourceFlags(command: Command): Command {
  const address = (flag: string, variable: string, what: string, right: string) =>
    new Option(`${flag} <address>`, `base address of ${what}`).env(variable).default(right);
  return command
    .option('--out <dir>', 'folder for the raw records; each fetch has a folder of its own in it', 'data/raw')
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
