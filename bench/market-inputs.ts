import { MARKETS } from '../src/contract/markets.js';
import { PNL } from '../src/contract/pnl.js';
import { frameFromVectors } from '../src/frame/danfo/frame-from-vectors.js';
import { FrameBuilder } from '../src/frame/decode/frame-builder.js';
import { column } from '../src/frame/tabular/column-values.js';
import type { DataFrame } from '../src/frame/tabular/data-frame.js';
import { vectorOf } from '../src/frame/tabular/tabular.js';
import { keyCodes } from '../src/frame/verbs/row-groups.js';

/** Rows of each frame. */
export const ROWS = 1_000_000;

/** Events that the markets belong to. */
export const EVENTS = 20_011;
const WALLETS = 4001;
const PAGE = 10_000;
const DAY = 86_400_000;
const OPENED = Date.UTC(2025, 4, 1);

/** Frames as a query returns them, and the same columns in the form that suits a plain loop best. */
export interface MarketInputs {
  readonly markets: DataFrame;
  /** The markets' dollars alone. */
  readonly volumes: DataFrame;
  readonly forecasts: DataFrame;
  readonly pnl: DataFrame;
  readonly dollars: Float64Array;
  readonly events: Int32Array;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly closes: readonly string[];
  readonly closed: Uint8Array;
  /** Outcome labels as numbers: Yes is 0, No is 1. */
  readonly sides: readonly Int32Array[];
  readonly winners: Int32Array;
  readonly probabilities: Float64Array;
  readonly outcomes: Float64Array;
  readonly wallets: readonly string[];
  /** The four summed columns of `pnl`; `days` holds the day of each row. */
  readonly sums: readonly Float64Array[];
  readonly days: Int32Array;
}

let made: MarketInputs | undefined;

/** The inputs, made by formula on the first call; `peers/pandas_markets.py` makes the same. */
export function marketInputs(): MarketInputs {
  made ??= makeInputs();
  return made;
}

function makeInputs(): MarketInputs {
  const float = { dtype: 'float64', nullable: false, meaning: '' } as const;
  const numbers = (columns: Record<string, Float64Array>) =>
    frameFromVectors(
      Object.keys(columns).map((name) => ({ name, ...float })),
      Object.values(columns).map((values) => ({ kind: 'number', values }) as const),
    );
  const each = (value: (i: number) => number) => Float64Array.from({ length: ROWS }, (_, i) => value(i));
  const inputs: MarketInputs = lazily({
    volumes: () => numbers({ volume_total: inputs.dollars }),
    dollars: () => each(dollarsOf),
    probabilities: () => each((i) => ((i * 7919) % 1_000_003) / 1_000_003),
    outcomes: () => inputs.probabilities.map((p, i) => (((i * 104_729) % 999_983) / 999_983 < p ? 1 : 0)),
    forecasts: () => numbers({ probability: inputs.probabilities, outcome: inputs.outcomes }),
    pnl: () => frameOf(PNL.columns, pnlRecord),
    wallets: () => column(inputs.pnl, 'proxy_wallet') as string[],
    sums: () => ['pnl', 'invested', 'wins', 'losses'].map((name) => column(inputs.pnl, name) as Float64Array),
    days: () => Int32Array.from({ length: ROWS }, (_, i) => Math.floor(i / WALLETS)),
    markets: () => frameOf(MARKETS.columns, market),
    events: () => keyCodes('event_slug', vectorOf(inputs.markets, 'event_slug')).codes,
    starts: () => column(inputs.markets, 'start_date') as string[],
    ends: () => column(inputs.markets, 'end_date') as string[],
    closes: () => column(inputs.markets, 'close_date') as string[],
    closed: () => new Uint8Array(ROWS).fill(1),
    sides: () => [new Int32Array(ROWS), new Int32Array(ROWS).fill(1)],
    winners: () => Int32Array.from({ length: ROWS }, (_, i) => (i % 2 === 1 ? 0 : 1)),
  });
  return inputs;
}

/**
 * An object whose values are made on first access. Otherwise garbage collections during a measure's calls would mark
 * millions of texts that it never reads.
 */
function lazily<Values extends object>(makers: { [Name in keyof Values]: () => Values[Name] }): Values {
  const values = {} as Values;
  for (const name of Object.keys(makers) as (keyof Values)[]) {
    const get = () => {
      const value = makers[name]();
      Object.defineProperty(values, name, { value });
      return value;
    };
    Object.defineProperty(values, name, { get, configurable: true });
  }
  return values;
}

function frameOf(columns: typeof MARKETS.columns | typeof PNL.columns, record: (i: number) => object): DataFrame {
  const first = record(0);
  const builder = new FrameBuilder([...columns].filter(({ name }) => name in first));
  for (let start = 0; start < ROWS; start += PAGE) {
    builder.append(Array.from({ length: PAGE }, (_, i) => record(start + i)));
  }
  return builder.build();
}

function dollarsOf(i: number): number {
  return ((i * 7919) % 1_000_003) / 100;
}

function market(i: number) {
  const time = (at: number) => `${new Date(OPENED + at).toISOString().slice(0, 19)}Z`;
  return {
    // Like real events: a few have many markets, and they come in no order.
    event_slug: `district-${Math.floor((((i * 7919) % 1_000_003) / 1_000_003) ** 3 * EVENTS)}`,
    closed: true,
    volume_total: dollarsOf(i),
    start_date: time(i * 7919),
    end_date: time(i * 7919 + 30 * DAY),
    close_date: time(i * 7919 + 31 * DAY + i),
    side_a_outcome: 'Yes',
    side_b_outcome: 'No',
    winning_outcome: i % 2 === 1 ? 'Yes' : 'No',
  };
}

function pnlRecord(i: number) {
  return {
    date: `${new Date(OPENED + Math.floor(i / WALLETS) * DAY).toISOString().slice(0, 19)}Z`,
    proxy_wallet: `0x${(i % WALLETS).toString(16).padStart(40, '0')}`,
    invested: (((i * 7919) % 1_000_003) + 25) / 100,
    pnl: (((i * 104_729) % 2_000_003) - 1_000_000) / 1000,
    wins: i % 7,
    losses: i % 5,
  };
}
