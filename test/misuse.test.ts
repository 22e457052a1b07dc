import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LIFETIME } from '../src/contract/lifetime.js';
import { MARKETS } from '../src/contract/markets.js';
import { PNL } from '../src/contract/pnl.js';
import * as oddslab from '../src/index.js';

// Every function that the package exports is called with what only TypeScript would have refused: no frames where frames
// belong, and arguments and options of every wrong type. An answer may be right by chance; an error has to say what was
// wrong and what would be right, so it is one of ours, and a frame is never taken for one that is none.

const { DataFrame, Series, frameFromRecords, OddslabError, UsageError } = oddslab;
vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterAll(() => vi.restoreAllMocks());

/** A frame with every column that a measure or a chart looks for by default. */
const frame = frameFromRecords(
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

const NO_FRAMES: Readonly<Record<string, unknown>> = {
  null: null,
  nothing: undefined,
  'a number': 5,
  'a text': 'pnl',
  'a Series': new Series([1, 2]),
  'an array of records': [{ pnl: 5 }],
  'a promise': Promise.resolve(frame),
  'a query': oddslab.connect({ baseUrl: 'http://localhost:1' }).markets(),
  'an object': {},
};

/** Values of the wrong type, whatever is asked for; then some that are right here and wrong there. */
const NEVER: Readonly<Record<string, unknown>> = {
  'a symbol': Symbol('s'),
  'an object': { a: 1 },
  'a function': () => 1,
};
const ODD: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 5,
  NaN: Number.NaN,
  'a text': 'x',
  'an empty text': '',
  'a boolean': true,
  'an empty list': [],
  'a list of texts': ['pnl', 'invested'],
  'a list of objects': [{}],
  'a list of nulls': [null],
  'a list of numbers': [5],
  'a list of lists': [['pnl']],
  'an object of big integers': { pnl: 5n },
  'a Map': new Map([['pnl', 'profit']]),
  'a big integer': 5n,
  'an invalid date': new Date(Number.NaN),
  'a bare object': Object.create(null),
  'a Series': new Series([1, 2]),
};

const folder = await mkdtemp(join(tmpdir(), 'oddslab-misuse-'));
// Where a text is taken for a path, it is one in there.
const before = process.cwd();
process.chdir(folder);
afterAll(() => {
  process.chdir(before);
  return rm(folder, { recursive: true });
});
const path = join(folder, 'written');
await oddslab.writeCsv(frame, join(folder, 'read.csv'));
await oddslab.writeParquet(frame, join(folder, 'read.parquet'));
await oddslab.writeJsonLines(frame, join(folder, 'read.jsonl'));
await oddslab.writeArrow(frame, join(folder, 'read.arrow'));

const exact = await oddslab.readCsv(join(folder, 'read.csv'), { columns: PNL.columns, exact: true });

/** Right arguments of functions that need more than a frame; `frames` counts those that are frames. */
const CALLS: Readonly<
  Record<string, { readonly args: readonly unknown[]; readonly frames?: number; readonly of?: string }>
> = {
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
  topN: { args: [frame, 3, 'pnl'], frames: 1 },
  weightedMean: { args: ['pnl', 'invested'] },
  withColumns: { args: [frame, { a: () => 1 }], frames: 1 },
  ...Object.fromEntries(
    ['first', 'last', 'max', 'mean', 'median', 'min', 'nUnique', 'std', 'sum'].map((name) => [name, { args: ['pnl'] }]),
  ),
  ...Object.fromEntries(
    ['writeArrow', 'writeCsv', 'writeJsonLines', 'writeParquet', 'writeXlsx'].map((name) => [
      name,
      { args: [frame, name === 'writeXlsx' ? `${path}.xlsx` : path, {}], frames: 1 },
    ]),
  ),
};

/** Options whose values are functions or objects, everywhere or of one function. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  'a function': ['onProgress', 'onWarning', 'onWait', 'halves.measure'],
  'an object': [],
};

/** Functions of any number of frames, and those that read a frame as a whole, as `frames.map(recordsOf)` does. */
const MANY: readonly string[] = ['concatRows', 'recordsOf', 'columnsOf', 'completenessOf'];

const FUNCTIONS = Object.keys(oddslab).filter((name) => {
  const value: unknown = Reflect.get(oddslab, name);
  const isClass = name === 'DataFrame' || name === 'Series' || /^class\b/.test(String(value));
  return typeof value === 'function' && !isClass;
});

/** How a call ends: with an answer, or an error. A measure of groups is computed, too, since it reads its columns then. */
async function outcomeOf(name: string, args: readonly unknown[]): Promise<unknown> {
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

/** The names of the options that a function has, as it tells them of one that it does not have. */
async function optionsOf(name: string, args: readonly unknown[]): Promise<{ at: number; names: string[] } | undefined> {
  for (const at of [args.length - 1, args.length].filter((place) => place >= 0)) {
    const given = [...args];
    const right = args[at];
    if (right !== undefined && (typeof right !== 'object' || right instanceof DataFrame || Array.isArray(right)))
      continue;
    given[at] = { ...(right as object), 'no option at all': 1 };
    const said = String(await outcomeOf(name, given));
    const names = /is no option of [^.]*\. They are ([^.]*)\./.exec(said)?.[1];
    if (names !== undefined) return { at, names: names.split(', ') };
  }
  return undefined;
}

describe.each(FUNCTIONS)('%s', (name) => {
  const { args, frames = 0 } = CALLS[name] ?? { args: [frame], frames: 1 };

  it('does what it says', async () => expect(await outcomeOf(name, args)).toBe(undefined));

  if (frames > 0)
    it('takes nothing else for a frame', async () => {
      for (const [what, given] of Object.entries(NO_FRAMES)) {
        for (let at = 0; at < frames; at += 1) {
          const error = await outcomeOf(name, args.with(at, given));
          expect(error, `${what}: ${error}`).toBeInstanceOf(UsageError);
          expect(String(error), what).toMatch(/This needs a frame, but got /);
        }
      }
    });

  it('refuses arguments of wrong types in words', async () => {
    for (let at = frames; at < Math.max(args.length, frames + 1); at += 1) {
      for (const [what, given] of Object.entries({ ...NEVER, ...ODD })) {
        const wrong = [...args];
        wrong[at] = given;
        const error = await outcomeOf(name, wrong);
        if (error !== undefined) expect(error, `${what} as argument ${at}: ${error}`).toBeInstanceOf(OddslabError);
      }
    }
  });

  if (frames > 0 && !MANY.includes(name))
    it('takes nothing in silence that it would ignore', async () => {
      const options = await optionsOf(name, args);
      const given = options ? args.slice(0, options.at) : args;
      for (const extra of [{ 'no option at all': 1 }, 'pnl'])
        expect(await outcomeOf(name, [...given, extra])).toBeInstanceOf(OddslabError);
    });

  it('refuses options of wrong types in words', async () => {
    const options = await optionsOf(name, args);
    if (!options) return;
    for (const option of options.names) {
      for (const [what, given] of Object.entries({ ...NEVER, ...ODD })) {
        const error = await outcomeOf(
          name,
          args.length > options.at
            ? args.with(options.at, { ...(args[options.at] as object), [option]: given })
            : [...args, { [option]: given }],
        );
        const isTaken = [option, `${name}.${option}`].some((each) => TAKES[what]?.includes(each));
        const isRefused = Object.hasOwn(NEVER, what) && !isTaken;
        if (error !== undefined || isRefused)
          expect(error, `${option}: ${what}: ${error}`).toBeInstanceOf(OddslabError);
      }
    }
  });
});

/** The methods of a class that have a name of their own; those with $ and the three behind are danfo's inner ones. */
function methodsOf(prototype: object): string[] {
  const names = new Set<string>();
  for (let each = prototype; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === 'function' && !/^\$|^constructor$|^cumOps$|^load\w+$/.test(name)) names.add(name);
  }
  return [...names];
}

const some = () => new DataFrame({ a: [1, Number.NaN], s: ['x', null] });
const FRAMES: Readonly<Record<string, () => object>> = {
  'a frame': some,
  'a frame of vectors': () => oddslab.filterRows(some(), () => true),
  'a frame without rows': () => oddslab.filterRows(some(), () => false),
  'a frame without columns': () => new DataFrame([]),
};

describe.each(Object.entries(FRAMES))('methods of %s', (_, make) => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  it.each(methodsOf(DataFrame.prototype))('%s never fails in the words of the engine', async (name) => {
    for (const [what, given] of Object.entries({ nothing: undefined, ...NEVER, ...ODD })) {
      if (typeof given === 'function') continue; // It would be called.
      try {
        await Reflect.get(make(), name).call(make(), ...(what === 'nothing' ? [] : [given]));
      } catch (error) {
        expect(`${what}: ${error}`).not.toMatch(
          /^[^:]+: (Type|Range|Reference)Error: (?!\w+ operation is not supported)|end must be greater/,
        );
      }
    }
  });
});

it('classes that are given wrong values say so', () => {
  const { Chart } = oddslab;
  for (const given of [null, undefined, 5, 'x', [1], Symbol('s')])
    expect(() => new Chart(given as never), String(given)).toThrow(UsageError);
});
