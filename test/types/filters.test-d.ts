import type { Client, LifetimeFilters, MarketFilters, PnlFilters } from '../../src/client/connect.js';
import { same } from './frames.js';

declare const client: Client;
same<Parameters<Client['markets']>[0], MarketFilters | undefined>(true);
same<Parameters<Client['pnl']>[0], PnlFilters>(true);
same<Parameters<Client['lifetime']>[0], LifetimeFilters>(true);
client.markets({ closed: true, minVolume: 1, endDateMin: new Date() });
client.pnl({ wallet: ['0x'], granularity: '1w', startTime: '2025-01-01' });

// @ts-expect-error A misspelt filter.
client.markets({ close: true });
// @ts-expect-error No wallet.
client.pnl({ granularity: '1w' });
// @ts-expect-error No such granularity.
client.pnl({ wallet: '0x', granularity: '2d' });
// @ts-expect-error Another dataset's filter.
client.lifetime({ wallet: '0x', closed: true });
