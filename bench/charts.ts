import { calendarChart } from '../src/charts/calendar-chart.js';
import { calibrationChart } from '../src/charts/calibration-chart.js';
import { cumulativePnlChart } from '../src/charts/cumulative-pnl-chart.js';
import type { Chart } from '../src/charts/drawing/chart.js';
import { leaderboardChart } from '../src/charts/leaderboard-chart.js';
import { lorenzChart } from '../src/charts/lorenz-chart.js';
import { marketLifetimesChart } from '../src/charts/market-lifetimes-chart.js';
import { pnlByPeriodChart } from '../src/charts/pnl-by-period-chart.js';
import { roiByWalletChart } from '../src/charts/roi-by-wallet-chart.js';
import { volumeByEventChart } from '../src/charts/volume-by-event-chart.js';
import { volumeDistributionChart } from '../src/charts/volume-distribution-chart.js';
import { volumeOverTimeChart } from '../src/charts/volume-over-time-chart.js';
import { winRateChart } from '../src/charts/win-rate-chart.js';
import { MARKETS } from '../src/contract/markets.js';
import { PNL_COLUMNS } from '../src/contract/pnl.js';
import { frameFromColumns } from '../src/frame/danfo/frame-from-vectors.js';
import { FrameBuilder } from '../src/frame/decode/frame-builder.js';
import type { Tabular } from '../src/frame/tabular/tabular.js';
import type { Benchmark, Contender } from './benchmark.js';
import { pnlPages } from './records.js';

const ROWS = 1_000_000;
const DAY_MS = 86_400_000;

/** The most that a chart's specification may weigh, and the most time that drawing it may take. */
const [MOST_KB, MOST_MS] = [200, 1000];

/** Makes a frame on the first call and returns the same one from then on. */
function once(make: () => Tabular): () => Tabular {
  let made: Tabular | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const pnl = once(() => {
  const builder = new FrameBuilder(PNL_COLUMNS);
  for (const page of pnlPages(ROWS, 10_000)) builder.append(JSON.parse(page));
  return builder.build();
});

const markets = once(() => {
  const names = ['event_slug', 'volume_total', 'start_date', 'end_date', 'close_date'];
  const columns = names.flatMap((name) => MARKETS.columns.filter((column) => column.name === name));
  const start = Date.UTC(2024, 0, 1);
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const from = start + (at % 700) * DAY_MS;
    const close = from + (0.1 + ((at * 7919) % 1_000_003) / 10_000) * DAY_MS;
    const volume = ((at * 7919) % 1_000_003) ** 2 / 1e5;
    return [`event-${at % 9973}`, volume, iso(from), iso(close), at % 3 === 0 ? null : iso(close)];
  });
  return frameFromColumns(
    columns,
    names.map((_, column) => rows.map((row) => row[column])),
  );
});

const forecasts = once(() => {
  const meaning = 'A forecast.';
  const columns = ['probability', 'outcome'].map(
    (name) => ({ name, dtype: 'float64', nullable: false, meaning }) as const,
  );
  const prices = Array.from({ length: ROWS }, (_, at) => ((at * 7919) % 1_000_003) / 1_000_003);
  return frameFromColumns(columns, [prices, prices.map((price, at) => ((at * 104_729) % 1000 < 1000 * price ? 1 : 0))]);
});

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

const CHARTS: readonly [name: string, frame: () => Tabular, chartOf: (frame: Tabular) => Chart][] = [
  ['cumulativePnlChart', pnl, (frame) => cumulativePnlChart(frame)],
  ['pnlByPeriodChart by day', pnl, (frame) => pnlByPeriodChart(frame, { by: 'day' })],
  ['calendarChart', pnl, (frame) => calendarChart(frame)],
  ['winRateChart by day', pnl, (frame) => winRateChart(frame, { by: 'day' })],
  ['winRateChart by wallet', pnl, (frame) => winRateChart(frame, { by: 'proxy_wallet' })],
  ['roiByWalletChart', pnl, (frame) => roiByWalletChart(frame)],
  ['leaderboardChart', pnl, (frame) => leaderboardChart(frame)],
  ['volumeOverTimeChart by day', markets, (frame) => volumeOverTimeChart(frame, { by: 'day' })],
  ['volumeByEventChart', markets, (frame) => volumeByEventChart(frame)],
  ['lorenzChart', markets, (frame) => lorenzChart(frame)],
  ['volumeDistributionChart', markets, (frame) => volumeDistributionChart(frame)],
  ['marketLifetimesChart', markets, (frame) => marketLifetimesChart(frame)],
  ['calibrationChart', forecasts, (frame) => calibrationChart(frame)],
];

function contender(name: string, ready: () => Chart | Tabular, measure: (input: never) => Promise<number>): Contender {
  return {
    name,
    async prepare() {
      const input = ready();
      return { measure: () => measure(input as never) };
    },
  };
}

/** The value that the documentation promises, as a contender. */
function promise(value: number, unit: string): { contender: Contender; target: number } {
  const prepare = async () => ({ measure: async () => value });
  return { contender: { name: `the promise of ${value} ${unit}`, prepare }, target: 1 };
}

/** The processor time that work takes in this process, whatever else the machine does. */
async function milliseconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Each chart over a million rows: the weight of its specification, and the time to make it and to draw it. */
export const chartBenchmarks: Benchmark[] = CHARTS.flatMap(([name, frame, chartOf]) => {
  const bench = `${name} of a million rows`;
  const about = { area: 'charts', bench, better: 'less', rounds: 3 } as const;
  const weigh = async (chart: Chart) => JSON.stringify(chart.spec).length / 1000;
  return [
    {
      ...about,
      metric: 'kB of its specification',
      ours: contender(name, () => chartOf(frame()), weigh),
      peers: [promise(MOST_KB, 'kB')],
    },
    {
      ...about,
      metric: 'ms of CPU to be drawn as SVG',
      ours: contender(
        name,
        () => chartOf(frame()),
        (chart: Chart) => milliseconds(() => chart.toSvg()),
      ),
      peers: [promise(MOST_MS, 'ms')],
    },
    {
      ...about,
      metric: 'ms of CPU to be made of the frame',
      ours: contender(name, frame, (rows: Tabular) => milliseconds(() => chartOf(rows))),
      peers: [promise(MOST_MS, 'ms')],
    },
  ];
});
