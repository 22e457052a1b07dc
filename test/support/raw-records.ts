/** A wallet address out of a small number. */
export const walletOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

/** A condition id out of a small number. */
export const conditionOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

/** The token of one side of a market made by {@link gammaMarket}: 77 digits. */
export const tokenOf = (n: number, side: 0 | 1) => `${'9'.repeat(70)}${String(n * 2 + side).padStart(7, '0')}`;

/** A transaction hash out of a small number. */
export const txOf = (n: number) => `0x${n.toString(16).padStart(64, 'a')}`;

/** A market as Gamma's /markets returns it: open unless told otherwise. */
export function gammaMarket(n: number, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: String(n),
    question: `Will it happen (${n})?`,
    conditionId: conditionOf(n),
    slug: `will-it-happen-${n}`,
    endDate: '2026-02-01T12:00:00Z',
    startDate: '2026-01-01T00:00:00.250Z',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.5", "0.5"]',
    volume: String(1000 * n),
    closed: false,
    clobTokenIds: JSON.stringify([tokenOf(n, 0), tokenOf(n, 1)]),
    events: [{ slug: `event-${n}` }],
    updatedAt: '2026-01-25T00:00:00Z',
    ...changes,
  };
}

/** The fields of a market that ended at a time: side 0 or 1 won, or a tie. */
export function ended(winner: 0 | 1 | 'tie', closedTime = '2026-01-20 00:00:00+00'): Record<string, unknown> {
  const prices = winner === 'tie' ? ['0.5', '0.5'] : winner === 0 ? ['1', '0'] : ['0', '1'];
  return { closed: true, closedTime, outcomePrices: JSON.stringify(prices) };
}

/** A fill; its time is in Unix seconds. */
export interface FillOf {
  wallet: number;
  market: number;
  side: 0 | 1;
  does: 'BUY' | 'SELL';
  size: number | string;
  price: number | string;
  time: number;
  tx?: number;
}

/** A fill as the Data API's /trades returns it. */
export function trade({ wallet, market, side, does, size, price, time, tx = time }: FillOf): Record<string, unknown> {
  return {
    proxyWallet: walletOf(wallet),
    side: does,
    asset: tokenOf(market, side),
    conditionId: conditionOf(market),
    size,
    price,
    timestamp: time,
    outcomeIndex: side,
    transactionHash: txOf(tx),
  };
}

/** A wallet's activity as the Data API's /activity returns it. */
export function activity(type: string, wallet: number, changes: Readonly<Record<string, unknown>>) {
  return {
    proxyWallet: walletOf(wallet),
    timestamp: 1_767_600_000,
    conditionId: '',
    type,
    size: 0,
    usdcSize: 0,
    transactionHash: txOf(1),
    price: 0,
    asset: '',
    side: '',
    outcomeIndex: 999,
    ...changes,
  };
}
