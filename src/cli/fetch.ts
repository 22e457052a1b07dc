import type { Command } from 'commander';
import { UsageError } from '../base/errors.js';
import { wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { checkTheSources } from './fetch-check.js';
import { type FetchFlags, type SourceFlags, withFetchFlags, withSourceFlags } from './fetch-flags.js';
import { fetchBoard, fetchTraded, fetchWholeCatalog } from './fetch-markets.js';
import { fetchWallets } from './fetch-wallets.js';

/** Adds `oddslab fetch`, which fetches public records and reads them into the data folder. */
export function addFetchCommand(program: Command): void {
  // Its own flags are only those before the subcommand, which has flags of the same names.
  const fetch = withSourceFlags(program.command('fetch').enablePositionalOptions())
    .option('--check', 'ask one page of each source, and print what has changed')
    .action((flags: SourceFlags & { check?: true }) => {
      if (!flags.check) throw new UsageError('Say what to fetch, such as "oddslab fetch wallet 0x…", or add --check.');
      return interruptible((signal) => checkTheSources(flags, signal));
    });
  withFetchFlags(fetch.command('wallet'))
    .argument('<address...>', 'proxy wallets: 0x and 40 hex digits')
    .action((addresses: string[], flags: FetchFlags) =>
      interruptible((signal) => fetchWallets(addresses, flags, signal)),
    );
  for (const kind of ['market', 'event'] as const) {
    withFetchFlags(fetch.command(kind))
      .argument(
        '<name>',
        `${kind === 'market' ? "the market's" : "the event's"} slug, Gamma's number, or a condition id`,
      )
      .option('--wallets', 'fetch the whole record of each wallet that traded, too')
      .action((name: string, flags: FetchFlags & { wallets?: true }) =>
        interruptible((signal) => fetchTraded(kind, name, flags, signal)),
      );
  }
  for (const kind of ['markets', 'events'] as const) {
    withFetchFlags(fetch.command(kind)).action((flags: FetchFlags) =>
      interruptible((signal) => fetchWholeCatalog(kind, flags, signal)),
    );
  }
  withFetchFlags(fetch.command('leaderboard'))
    .option('--limit <wallets>', 'at most this many wallets', wholeNumber('--limit', 1, 1_000_000), 100)
    .option('--wallets <n>', 'fetch the whole record of the first n wallets, too', wholeNumber('--wallets', 1, 10_000))
    .action((flags: FetchFlags & { limit: number; wallets?: number }) =>
      interruptible((signal) => fetchBoard(flags, signal)),
    );
}
