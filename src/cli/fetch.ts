import type { Command } from 'commander';
import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { type FetchFlags, type SourceFlags, withFetchFlags, withSourceFlags } from './fetch-flags.js';

/** What is told of a fetch that was interrupted. */
const KEPT = 'what was fetched is kept, and the same command goes on from there';

/** Adds `oddslab fetch`, which fetches public records and reads them into the data folder. */
export function addFetchCommand(program: Command): void {
  const fetch = program.command('fetch');
  // The flags of `fetch --check` are those of a subcommand, since the command's own would take them from the others.
  withSourceFlags(fetch.command('check', { isDefault: true, hidden: true }))
    .argument('[what...]')
    .option('--check', 'ask one page of each source, and print what has changed')
    .action((what: string[], flags: SourceFlags & { check?: true }) => {
      if (flags.check && what.length === 0)
        return interruptible(async (signal) => (await import('./fetch-check.js')).checkTheSources(flags, signal));
      const names = fetch.commands.map((each) => each.name()).filter((name) => name !== 'check');
      const near = what[0] === undefined ? undefined : nearest(what[0], names);
      const hint = near === undefined ? `It fetches ${names.join(', ')}.` : `Did you mean "${near}"?`;
      const fault = what[0] === undefined ? 'Say what to fetch, or add --check.' : `There is no "fetch ${what[0]}".`;
      throw new UsageError(`${fault} ${hint}`);
    });
  withFetchFlags(fetch.command('wallet'))
    .argument('<address...>', 'proxy wallets: 0x and 40 hex digits')
    .action((addresses: string[], flags: FetchFlags) =>
      interruptible(
        async (signal) => (await import('./fetch-wallets.js')).fetchWallets(addresses, flags, signal),
        KEPT,
      ),
    );
  for (const kind of ['market', 'event'] as const) {
    withFetchFlags(fetch.command(kind))
      .argument(
        '<name>',
        `${kind === 'market' ? "the market's" : "the event's"} slug, Gamma's number, or a condition id`,
      )
      .option('--wallets', 'fetch the whole record of each wallet that traded, too')
      .action((name: string, flags: FetchFlags & { wallets?: true }) =>
        interruptible(
          async (signal) => (await import('./fetch-markets.js')).fetchTraded(kind, name, flags, signal),
          KEPT,
        ),
      );
  }
  for (const kind of ['markets', 'events'] as const) {
    withFetchFlags(fetch.command(kind)).action((flags: FetchFlags) =>
      interruptible(
        async (signal) => (await import('./fetch-markets.js')).fetchWholeCatalog(kind, flags, signal),
        KEPT,
      ),
    );
  }
  withFetchFlags(fetch.command('leaderboard'))
    .option('--limit <wallets>', 'at most this many wallets', wholeNumber('--limit', 1, 1_000_000), 100)
    .option('--wallets <n>', 'fetch the whole record of the first n wallets, too', wholeNumber('--wallets', 1, 10_000))
    .action((flags: FetchFlags & { limit: number; wallets?: number }) =>
      interruptible(async (signal) => (await import('./fetch-markets.js')).fetchBoard(flags, signal), KEPT),
    );
}
