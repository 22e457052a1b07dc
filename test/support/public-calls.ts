import { join } from 'node:path';
import { LIFETIME } from '../../src/contract/lifetime.js';
import { MARKETS } from '../../src/contract/markets.js';
import { PNL } from '../../src/contract/pnl.js';
import * as oddslab from '../../src/index.js';

// Right arguments of every function that the package exports, for tests that replace one of them by a wrong one.

const { DataFrame, frameFromRecords } = oddslab;

/** A frame with every column that a measure or a chart looks for by default. */
export const frame = frameFromRecords(
  [
    ...new Map(
      [...LIFETIME.columns, ...MARKETS.columns, ...PNL.columns].map((column) => [column.name, column]),
    ).values(),
    { name: 'probability', dtype: 'float64', nullable: false, meaning: '' },
    { name: 'outcome', dtype: 'boolean', nullable: false, meaning: '' },
  ],
  Array.from({ length: 24 }, (_, n) => ({
    ...Object.fromEntries([...LIFETIME.columns, ...MARKETS.columns].map(({ name, dtype }) => [name, cellOf(dtype, n)])),
    date: new Date(Date.UTC(2026, 0, 1 + (n >> 1))).toISOString(),
    start_date: '2026-01-01T00:00:00Z',
    end_date: new Date(Date.UTC(2026, 1, 1 + n)).toISOString(),
    close_date: new Date(Date.UTC(2026, 1, 1 + n)).toISOString(),
    proxy_wallet: `0x${String(n % 2).repeat(40)}`,
    invested: 10,
    pnl: (n % 5) - 2,
    trades: 3,
    wins: n % 3,
    losses: 1,
    win_rate: 50,
    probability: (n + 0.5) / 24,
    outcome: n % 2 === 0,
  })),
) as unknown as InstanceType<typeof DataFrame>;

function cellOf(dtype: string, n: number): unknown {
  if (dtype === 'boolean') return true;
  if (dtype === 'datetime') return '2026-01-01T00:00:00Z';
  return dtype === 'string' ? `text ${n % 4}` : n + 1;
}

/** Trades, and what their measures need beside them. */
const trades = frameFromRecords(
  [],
  Array.from({ length: 6 }, (_, n) => ({
    proxy_wallet: '0xa',
    condition_id: `0x${n % 2}`,
    outcome: 'Yes',
    side: 'BUY',
    price: 0.4,
    size: 10 + n,
    timestamp: `2026-01-0${1 + n}T05:00:00Z`,
  })),
) as unknown as InstanceType<typeof DataFrame>;
const prices = new DataFrame({
  condition_id: ['0x0', '0x1'],
  outcome: ['Yes', 'Yes'],
  candle_time: ['2026-01-31', '2026-01-31'],
  close: [0.9, 0.1],
});
const markets = new DataFrame({ condition_id: ['0x0', '0x1'], close_date: ['2026-02-01', '2026-02-01'] });
const positions = new DataFrame({
  proxy_wallet: ['0xa', '0xa'],
  condition_id: ['0x0', '0x1'],
  outcome: ['Yes', 'Yes'],
  realized: [5, -5],
  shares: [0, 0],
  opened: ['2026-01-01T05:00:00Z', '2026-01-02T05:00:00Z'],
});

/** A call of a function; `frames` counts the first arguments that are frames. */
interface RightCall {
  readonly args: readonly unknown[];
  readonly frames?: number;
}

/**
 * Right arguments of each function that needs more than a frame.
 *
 * @param folder Where files are that are read, and where files may be written.
 */
export async function rightCalls(folder: string): Promise<Readonly<Record<string, RightCall>>> {
  const path = join(folder, 'written');
  await oddslab.writeCsv(frame, join(folder, 'read.csv'));
  await oddslab.writeParquet(frame, join(folder, 'read.parquet'));
  await oddslab.writeJsonLines(frame, join(folder, 'read.jsonl'));
  await oddslab.writeArrow(frame, join(folder, 'read.arrow'));
  const exact = await oddslab.readCsv(join(folder, 'read.csv'), { columns: PNL.columns, exact: true });
  return {
    bootstrapInterval: { args: [frame, () => 1, { samples: 20 }], frames: 1 },
    bucketBy: { args: [frame, 'date', 'week', {}], frames: 1 },
    calmar: { args: [frame, { capital: 100 }], frames: 1 },
    closingLines: { args: [trades, { markets, prices }], frames: 1 },
    closingLineValue: { args: [trades, { markets, prices }], frames: 1 },
    column: { args: [frame, 'pnl'], frames: 1 },
    concatRows: { args: [frame, frame], frames: 2 },
    connect: { args: [{ baseUrl: 'http://localhost:1' }] },
    count: { args: ['pnl'] },
    cumulative: { args: [frame, { column: 'pnl' }], frames: 1 },
    distinct: { args: [frame, 'date'], frames: 1 },
    dropColumns: { args: [frame, 'pnl'], frames: 1 },
    exactColumn: { args: [exact, 'pnl'], frames: 1 },
    exactSum: { args: [exact, 'pnl'], frames: 1 },
    exposure: { args: [trades, { markets }], frames: 1 },
    facet: {
      args: [frame, (part: never) => oddslab.pnlByPeriodChart(part, { by: 'week' }), { by: 'proxy_wallet' }],
      frames: 1,
    },
    fillDays: { args: [positions, { column: 'opened', by: ['condition_id'] }], frames: 1 },
    filterRows: { args: [frame, () => true], frames: 1 },
    formatPercent: { args: [0.5] },
    formatUsd: { args: [5] },
    frameFromRecords: { args: [[], [{ a: 1 }]] },
    groupBy: { args: [frame, 'date'], frames: 1 },
    holdingTimes: { args: [trades, { markets }], frames: 1 },
    joinOn: { args: [frame, frame, 'date', {}], frames: 2 },
    openLab: { args: [{ url: 'http://localhost:1' }] },
    pivot: { args: [frame, { rows: 'date', columns: 'proxy_wallet', values: oddslab.sum('pnl') }], frames: 1 },
    pnlBy: { args: [trades, { by: 'hour', positions }], frames: 1 },
    quantile: { args: ['pnl', 0.5] },
    query: { args: ['SELECT 1 AS a', {}, []] },
    readArrow: { args: [join(folder, 'read.arrow')] },
    readCsv: { args: [join(folder, 'read.csv'), {}] },
    readJsonLines: { args: [join(folder, 'read.jsonl'), {}] },
    readParquet: { args: [join(folder, 'read.parquet')] },
    renameColumns: { args: [frame, { pnl: 'profit' }], frames: 1 },
    resample: {
      args: [frame, { column: 'date', period: 'week', measures: { pnl: oddslab.sum('pnl') } }],
      frames: 1,
    },
    rolling: { args: [frame, { column: 'pnl', window: 3, measure: 'mean' }], frames: 1 },
    rollingWinRate: { args: [frame, { window: 3 }], frames: 1 },
    selectColumns: { args: [frame, 'pnl'], frames: 1 },
    sharpe: { args: [frame, { capital: 100 }], frames: 1 },
    shift: { args: [frame, { column: 'pnl' }], frames: 1 },
    sortBy: { args: [frame, 'pnl'], frames: 1 },
    sortino: { args: [frame, { capital: 100 }], frames: 1 },
    tearSheet: { args: [frame, undefined, {}], frames: 1 },
    topN: { args: [frame, 3, 'pnl'], frames: 1 },
    weightedMean: { args: ['pnl', 'invested'] },
    withColumns: { args: [frame, { a: () => 1 }], frames: 1 },
    ...Object.fromEntries(
      ['first', 'last', 'max', 'mean', 'median', 'min', 'nUnique', 'std', 'sum'].map((name) => [
        name,
        { args: ['pnl'] },
      ]),
    ),
    ...Object.fromEntries(
      ['writeArrow', 'writeCsv', 'writeJsonLines', 'writeParquet', 'writeXlsx'].map((name) => [
        name,
        { args: [frame, name === 'writeXlsx' ? `${path}.xlsx` : path, {}], frames: 1 },
      ]),
    ),
  };
}

/** The names of the functions, which are no classes, that the package exports. */
export const FUNCTIONS = Object.keys(oddslab).filter((name) => {
  const value: unknown = Reflect.get(oddslab, name);
  const isClass = name === 'DataFrame' || name === 'Series' || /^class\b/.test(String(value));
  return typeof value === 'function' && !isClass;
});

/** How a call ends: with an answer, or an error. A measure of groups is computed, too, since it reads its columns then. */
export async function outcomeOf(name: string, args: readonly unknown[]): Promise<unknown> {
  try {
    const called = (oddslab as unknown as Record<string, (...args: unknown[]) => unknown>)[name];
    const answer = await called?.(...args);
    if (typeof answer === 'object' && answer !== null && 'measure' in answer)
      oddslab.groupBy(frame, 'date').rollup({ a: answer as never });
    return undefined;
  } catch (error) {
    return error;
  }
}
