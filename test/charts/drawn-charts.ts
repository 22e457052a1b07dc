import { calendarChart } from '../../src/charts/calendar-chart.js';
import { calibrationChart } from '../../src/charts/calibration-chart.js';
import { cumulativePnlChart } from '../../src/charts/cumulative-pnl-chart.js';
import { Chart } from '../../src/charts/drawing/chart.js';
import { facet } from '../../src/charts/facet.js';
import { favouriteLongshotChart } from '../../src/charts/favourite-longshot-chart.js';
import { halvesChart } from '../../src/charts/halves-chart.js';
import { leaderboardChart } from '../../src/charts/leaderboard-chart.js';
import { lorenzChart } from '../../src/charts/lorenz-chart.js';
import { marketLifetimesChart } from '../../src/charts/market-lifetimes-chart.js';
import { pnlByPeriodChart } from '../../src/charts/pnl-by-period-chart.js';
import { roiByWalletChart } from '../../src/charts/roi-by-wallet-chart.js';
import { volumeByEventChart } from '../../src/charts/volume-by-event-chart.js';
import { volumeDistributionChart } from '../../src/charts/volume-distribution-chart.js';
import { volumeOverTimeChart } from '../../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../../src/charts/win-rate-chart.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import type { Tabular } from '../../src/frame/tabular/tabular.js';
import { sampleForecasts, sampleMarkets, samplePnl, sampleWeeks } from './sample-frames.js';

const FORECASTS = { probability: 'price', outcome: 'won' };

/** Two wallets that stand out. */
const TWO = [`0x${'a'.repeat(40)}`, `0x${'1010101010101010101010101010101010101010'}`];

/** A chart of one's own, with a unit of time that would follow the machine's zone. */
const OWN = {
  title: 'Mean PnL by weekday',
  mark: 'bar',
  encoding: {
    x: { field: 'date', timeUnit: 'day', title: 'Weekday, UTC' },
    y: { field: 'pnl', aggregate: 'mean', title: 'Mean PnL (USD)' },
  },
};

const empty = (columns: Record<string, string>): Tabular =>
  new DataFrame([], { columns: Object.keys(columns), dtypes: Object.values(columns) });

/** PnL of one losing day. */
export const oneDay = new DataFrame({
  date: ['2026-01-01T00:00:00Z'],
  proxy_wallet: ['0xabcdefabcdefabcdefabcdefabcdefabcdefabcd'],
  pnl: [-5],
  invested: [10],
  wins: [0],
  losses: [1],
});

/** Charts that several tests draw, by name. */
export const CHARTS: readonly [name: string, make: () => Chart][] = [
  ['cumulative-pnl', () => cumulativePnlChart(samplePnl(1))],
  ['cumulative-pnl-wallets', () => cumulativePnlChart(samplePnl(3, 40), { title: 'Three wallets' })],
  ['cumulative-pnl-two', () => cumulativePnlChart(samplePnl(10, 40), { highlight: TWO })],
  ['cumulative-pnl-weeks', () => cumulativePnlChart(sampleWeeks())],
  ['cumulative-pnl-one-day', () => cumulativePnlChart(oneDay)],
  ['pnl-by-period', () => pnlByPeriodChart(samplePnl(1))],
  ['pnl-by-month', () => pnlByPeriodChart(samplePnl(3), { by: 'month' })],
  ['pnl-by-period-one-day', () => pnlByPeriodChart(oneDay)],
  ['calendar', () => calendarChart(samplePnl(1, 60))],
  ['win-rate-months', () => winRateChart(samplePnl(1))],
  ['win-rate-weeks', () => winRateChart(samplePnl(1), { by: 'week', confidence: 0.8 })],
  ['win-rate-wallets', () => winRateChart(samplePnl(5), { by: 'proxy_wallet' })],
  ['win-rate-one-day', () => winRateChart(oneDay, { by: 'day' })],
  ['roi-by-wallet', () => roiByWalletChart(samplePnl(9), { top: 6 })],
  ['leaderboard', () => leaderboardChart(samplePnl(6, 8))],
  ['volume-over-time', () => volumeOverTimeChart(sampleMarkets(15), { by: 'month' })],
  ['volume-by-event', () => volumeByEventChart(sampleMarkets(30), { top: 8 })],
  ['volume-few-events', () => volumeByEventChart(sampleMarkets(3), { title: 'Three events' })],
  ['lorenz', () => lorenzChart(sampleMarkets(20))],
  ['volume-distribution', () => volumeDistributionChart(sampleMarkets(30))],
  ['calibration', () => calibrationChart(sampleForecasts(500), FORECASTS)],
  ['favourite-longshot', () => favouriteLongshotChart(sampleForecasts(500), FORECASTS)],
  ['halves', () => halvesChart(samplePnl(12))],
  ['calendar-years', () => calendarChart(samplePnl(1, 500))],
  ['own', () => new Chart(OWN, { data: samplePnl(1, 40) })],
  ['market-lifetimes', () => marketLifetimesChart(sampleMarkets(30))],
  [
    'facet',
    () => facet(samplePnl(3, 40), (part) => pnlByPeriodChart(part, { by: 'week' }), { by: 'proxy_wallet', columns: 3 }),
  ],
];

const noPnl = empty({
  ...{ date: 'string', proxy_wallet: 'string', pnl: 'float32', invested: 'float32' },
  ...{ wins: 'int32', losses: 'int32' },
});
const noMarkets = empty({
  ...{ event_slug: 'string', volume_total: 'float32' },
  ...{ start_date: 'string', end_date: 'string', close_date: 'string' },
});

/** Each chart function, given a frame of PnL, of markets or of forecasts. */
export const BY_KIND = {
  pnl: [
    (frame: Tabular) => cumulativePnlChart(frame),
    (frame: Tabular) => pnlByPeriodChart(frame),
    (frame: Tabular) => calendarChart(frame),
    (frame: Tabular) => winRateChart(frame),
    (frame: Tabular) => winRateChart(frame, { by: 'proxy_wallet' }),
    (frame: Tabular) => roiByWalletChart(frame),
    (frame: Tabular) => leaderboardChart(frame),
    (frame: Tabular) => halvesChart(frame),
  ],
  markets: [
    (frame: Tabular) => volumeOverTimeChart(frame),
    (frame: Tabular) => volumeByEventChart(frame),
    (frame: Tabular) => lorenzChart(frame),
    (frame: Tabular) => volumeDistributionChart(frame),
    (frame: Tabular) => marketLifetimesChart(frame),
  ],
  forecasts: [
    (frame: Tabular) => calibrationChart(frame, FORECASTS),
    (frame: Tabular) => favouriteLongshotChart(frame, FORECASTS),
  ],
} as const;

/** Frames without rows, for each of {@link BY_KIND}. */
export const EMPTY = { pnl: noPnl, markets: noMarkets, forecasts: empty({ price: 'float32', won: 'int32' }) } as const;
