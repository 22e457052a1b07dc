import type {
  CandleFilters,
  Client,
  LifetimeFilters,
  MarketFilters,
  PnlByRecord,
  PnlFilters,
  PnlGroup,
  PnlRecord,
  TradeFilters,
} from '../../src/client/connect.js';
import type { Query } from '../../src/client/dataset-query.js';
import { same } from './frames.js';

declare const client: Client;
same<Parameters<Client['markets']>[0], MarketFilters | undefined>(true);
same<Parameters<Client['pnl']>[0], PnlFilters>(true);
same<Parameters<Client['lifetime']>[0], LifetimeFilters>(true);
same<Parameters<Client['trades']>[0], TradeFilters | undefined>(true);
same<Parameters<Client['candles']>[0], CandleFilters>(true);
client.trades({ wallet: ['0x'], conditionId: ['0x'], side: 'ALL', startTime: new Date() });
client.candles({ tokenId: '7', interval: '15m' });
client.markets({ closed: true, minVolume: 1, endDateMin: new Date() });
client.pnl({ wallet: ['0x'], granularity: '1w', startTime: '2025-01-01' });

const days = client.pnl({ wallet: '0x', conditionId: ['0x', '0y'], eventSlug: 'mayor' });
same<typeof days, Query<PnlRecord>>(true);
const byMarket = client.pnl({ wallet: '0x', by: 'market', granularity: 'all' });
same<typeof byMarket, Query<PnlByRecord>>(true);
declare const group: PnlGroup;
const byGroup = client.pnl({ wallet: '0x', by: group });
same<typeof byGroup, Query<PnlByRecord>>(true);
declare const filters: PnlFilters;
const either = client.pnl(filters);
same<typeof either, Query<PnlRecord>>(true);

// @ts-expect-error No such group.
client.pnl({ wallet: '0x', by: 'markets' });
// @ts-expect-error A misspelt filter beside a group.
client.pnl({ walet: '0x', by: 'market' });
// @ts-expect-error A misspelt filter.
client.markets({ close: true });
// @ts-expect-error No wallet.
client.pnl({ granularity: '1w' });
// @ts-expect-error No such granularity.
client.pnl({ wallet: '0x', granularity: '2d' });
// @ts-expect-error No such side.
client.trades({ side: 'buy' });
// @ts-expect-error No token.
client.candles({ interval: '1h' });
// @ts-expect-error A number would lose digits.
client.candles({ tokenId: 7 });
// @ts-expect-error Another dataset's filter.
client.lifetime({ wallet: '0x', closed: true });
