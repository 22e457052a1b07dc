/** Wallets in the records of {@link pnlPages}: enough, with the days, for a million records with distinct keys. */
const WALLETS = 4001;

/** Pages of PnL records as the service sends them, made by formula and so the same in every run. */
export function pnlPages(rows: number, pageSize: number, wallets = WALLETS): string[] {
  return [...eachPnlPage(rows, pageSize, wallets)];
}

/** The same pages one by one, for measurements of memory that all pages at once would dominate. */
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

/** Pages of market records as the service sends them: most texts are unique to their record. */
export function marketPages(rows: number, pageSize: number): string[] {
  const pages: string[] = [];
  for (let start = 0; start < rows; start += pageSize) {
    const records = Array.from({ length: Math.min(pageSize, rows - start) }, (_, i) => market(start + i));
    pages.push(JSON.stringify(records));
  }
  return pages;
}

function market(i: number) {
  const hex = ((i * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
  const time = (days: number) => new Date(Date.UTC(2025, 4, 1) + days * 86_400_000 + i * 7919).toISOString();
  const digits = String((i * 982_451_653) % 999_999_937).padStart(9, '0');
  return {
    condition_id: `0x${hex.repeat(8)}`,
    question: `Will candidate ${i} of “${hex.slice(0, 4)}” win the ${i % 97}th district by more than ${i % 13} points?`,
    slug: `will-candidate-${i}-win-the-${i % 97}th-district`,
    event_slug: `district-${i % 97}`,
    closed: i % 3 === 0,
    volume_total: ((i * 7919) % 1_000_003) / 100,
    start_date: time(0),
    end_date: time(30),
    close_date: i % 3 === 0 ? time(31) : null,
    side_a_token_id: `7${digits.repeat(8)}1`,
    side_b_token_id: `9${digits.repeat(8)}2`,
    side_a_outcome: 'Yes',
    side_b_outcome: 'No',
    winning_outcome: i % 3 === 0 ? 'Yes' : null,
  };
}
