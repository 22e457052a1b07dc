/** Wallets in the records of {@link pnlPages}: with the days, enough that no two of a million have one key. */
const WALLETS = 4001;

/** Pages of PnL records as text, as the service sends them, made by formula: the same in every run. */
export function pnlPages(rows: number, pageSize: number, wallets = WALLETS): string[] {
  return [...eachPnlPage(rows, pageSize, wallets)];
}

/** The same pages one after the other, where all of them at once would be what is measured. */
export function* eachPnlPage(rows: number, pageSize: number, wallets = WALLETS): Generator<string> {
  for (let start = 0; start < rows; start += pageSize) {
    const records = Array.from({ length: Math.min(pageSize, rows - start) }, (_, i) => record(start + i, wallets));
    yield JSON.stringify(records);
  }
}

function record(i: number, wallets: number) {
  const [wins, losses] = [i % 7, i % 5];
  return {
    date: `${new Date(Date.UTC(2025, 4, 1) + (i % 276) * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`,
    proxy_wallet: `0x${((i * 7919) % wallets).toString(16).padStart(40, '0')}`,
    invested: String((((i * 7919) % 1_000_003) + 25) / 100),
    pnl: String((((i * 104_729) % 2_000_003) - 1_000_000) / 1000),
    trades: wins + losses + 1,
    wins,
    losses,
    win_rate: wins + losses === 0 ? '0' : ((100 * wins) / (wins + losses)).toFixed(6),
  };
}
