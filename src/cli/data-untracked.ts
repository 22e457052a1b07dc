import type { Command } from 'commander';
import { requireFolder } from '../service/folder/require-folder.js';
import { dataOption } from './data-folder.js';
import { rowsText } from './rows-text.js';

interface Flags {
  data: string;
  csv?: boolean;
}

/** Adds `oddslab data untracked`, which prints the wallets whose profit the data does not cover. */
export function addDataUntrackedCommand(data: Command): void {
  data
    .command('untracked')
    .summary('print the wallets that gave up shares which the data never saw them get')
    .description(
      'Print the wallets that gave up shares which the data never saw them get, the most first: wallet and shares. ' +
        'Such shares realize nothing, so the profit of these wallets lacks what they made. On a terminal the lines ' +
        'have a header; elsewhere they have none, and tabs between. Prints nothing where the data covers everything.',
    )
    .addOption(dataOption())
    .option('--csv', 'as CSV with a header, for readCsv and the untracked option of trackRecord')
    .addHelpText('after', '\nExample:\n  $ oddslab data untracked --data data --csv > untracked.csv')
    .action(untracked);
}

const HEADS = ['proxy_wallet', 'untracked_shares'] as const;

async function untracked({ data, csv }: Flags): Promise<void> {
  await requireFolder(data);
  const { untrackedShares } = await import('../service/store/untracked-shares.js');
  const wallets = await untrackedShares(data);
  const rows = wallets.map(({ proxy_wallet, untracked_shares }) => [proxy_wallet, untracked_shares]);
  // Neither wallets nor numbers hold what CSV would quote.
  const text = csv ? [HEADS, ...rows].map((row) => `${row.join(',')}\n`).join('') : undefined;
  process.stdout.write(text ?? rowsText(['WALLET', 'SHARES'], rows, process.stdout.isTTY));
}
