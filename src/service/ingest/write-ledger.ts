import type { DayRow, LedgerMarket } from '../ledger/event.js';
import { foldLedger } from '../ledger/fold.js';
import type { Database } from '../store/database.js';
import { NumberTable } from '../store/number-table.js';
import { sortedEvents } from './sorted-events.js';

/** One row a wallet, market and day, each given by its number; money in micro-USD. */
const COLUMNS = {
  wallet: 'INTEGER',
  market: 'INTEGER',
  day: 'INTEGER',
  invested: 'DOUBLE',
  pnl: 'DOUBLE',
  traded: 'DOUBLE',
  trades: 'INTEGER',
  wins: 'INTEGER',
  losses: 'INTEGER',
  untracked: 'DOUBLE',
  last: 'DOUBLE',
} as const;

/**
 * Folds a table of events into a Parquet file of rows by wallet, market and day. Rows come in the order of wallets.
 *
 * @param events The name of a table for {@link sortedEvents}.
 * @returns The number of events that were folded.
 * @throws An error of the system if the file cannot be written.
 */
export async function writeLedger(
  db: Database,
  events: string,
  markets: readonly LedgerMarket[],
  parquet: string,
): Promise<number> {
  const table = await NumberTable.create(parquet, COLUMNS);
  async function* paced() {
    for await (const chunk of sortedEvents(db, events)) {
      await table.hasRoom();
      yield chunk;
    }
  }
  try {
    const folded = await foldLedger(paced(), markets, (wallet, rows) => {
      for (const row of rows) put(table, wallet, row);
    });
    await table.finish();
    return folded;
  } finally {
    await table.close();
  }
}

function put(table: NumberTable<typeof COLUMNS>, wallet: number, row: DayRow): void {
  const at = table.next();
  const { columns } = table;
  columns.wallet[at] = wallet;
  columns.market[at] = row.market;
  columns.day[at] = row.day;
  columns.invested[at] = row.invested;
  columns.pnl[at] = row.pnl;
  columns.traded[at] = row.traded;
  columns.trades[at] = row.trades;
  columns.wins[at] = row.wins;
  columns.losses[at] = row.losses;
  columns.untracked[at] = row.untracked;
  columns.last[at] = row.last;
}
