import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, walletOf } from '../../support/raw-records.js';
import { NEW_YEAR } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { tablesOf } from './tables-of.js';

const fill = { market: 1, side: 0, does: 'BUY', size: 10, price: 0.5, time: NEW_YEAR } as const;

/** A redemption of shares of a market, a day after the fills. */
const redemption = (wallet: number, market: number, size: number) =>
  activity('REDEEM', wallet, { conditionId: conditionOf(market), size, usdcSize: size, timestamp: NEW_YEAR + 86_400 });

it('each wallet with an event has a record of what was seen of it, and what is missing', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const stray = { ...trade({ ...fill, wallet: 5 }), asset: tokenOf(77, 0), conditionId: '' };
  const inputs = [
    await put(folder, 'm.json', [gammaMarket(1), gammaMarket(2, ended(0, '2026-01-03 00:00:00+00'))]),
    await put(folder, 't.json', [
      trade({ ...fill, wallet: 1 }),
      trade({ ...fill, wallet: 1, does: 'SELL', size: 4, time: NEW_YEAR + 60 }),
      trade({ ...fill, wallet: 2, does: 'SELL', size: 12.25, time: NEW_YEAR + 7 }),
      trade({ ...fill, wallet: 3, market: 8 }),
      trade({ ...fill, wallet: 3, market: 8, side: 1, time: NEW_YEAR + 1 }),
      trade({ ...fill, wallet: 3, market: 9, time: NEW_YEAR + 2 }),
      stray,
    ]),
    await put(folder, 'a.json', [redemption(4, 2, 30)]),
  ];
  await ingest({ folder: data, inputs });
  const { wallet_records: rows = [] } = await tablesOf(data);
  const record = (wallet: number, first: number, last: number, figures: object) => ({
    wallet: walletOf(wallet),
    first_ts: BigInt(NEW_YEAR + first),
    last_ts: BigInt(NEW_YEAR + last),
    untracked: 0n,
    redeemed: 0n,
    unknown_markets: 0,
    ...figures,
  });
  expect(rows).toMatchObject([
    record(1, 0, 60, { fills: 2 }),
    record(2, 7, 7, { fills: 1, untracked: 12_250_000n }),
    record(3, 0, 2, { fills: 3, unknown_markets: 2 }),
    record(4, 86_400, 86_400, { fills: 0, redeemed: 30_000_000n, untracked: expect.any(BigInt) }),
    // The only fill of a token that belongs to no market is left out of the ledger, but the wallet was seen.
    record(5, 0, 0, { fills: 1, unknown_markets: 1 }),
  ]);
});
