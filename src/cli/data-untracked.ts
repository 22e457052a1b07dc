import type { Command } from 'commander';
import { requireFolder } from '../service/folder/folder-layout.js';
import { dataOption } from './data-folder.js';
import { rowsText } from './rows-text.js';

interface Flags {
  data: string;
  csv?: boolean;
}

/** Adds `oddslab data untracked`, which prints the wallets whose profit the data cover only in part. */
export function addDataUntrackedCommand(data: Command): void {
  data
    .command('untracked')
    .summary('print the wallets that gave up shares which the data do not show them getting')
    .description(
      'Print the wallets that gave up shares which the data do not show them getting: wallet and number of shares, ' +
        'the most shares first. Such shares count as no profit or loss, so the profit of these wallets is ' +
        'incomplete. On a terminal the output is a table with a header; elsewhere it is tab-separated without a ' +
        'header. Prints nothing if the data cover everything.',
    )
    .addOption(dataOption())
    .option('--csv', 'print CSV with a header, for readCsv and the untracked option of trackRecord')
    .addHelpText('after', '\nExample:\n  $ oddslab data untracked --data data --csv > untracked.csv')
    .action(untracked);
}

const HEADS = ['proxy_wallet', 'untracked_shares'] as const;

async function untracked({ data, csv }: Flags): Promise<void> {
  await requireFolder(data);
  const { untrackedShares } = await import('../service/store/duckdb-store.js');
  const wallets = await untrackedShares(data);
  const rows = wallets.map(({ proxy_wallet, untracked_shares }) => [proxy_wallet, untracked_shares]);
  // Neither wallets nor numbers need quotes in CSV.
  const text = csv ? [HEADS, ...rows].map((row) => `${row.join(',')}\n`).join('') : undefined;
  process.stdout.write(text ?? rowsText(['WALLET', 'SHARES'], rows, process.stdout.isTTY));
}
