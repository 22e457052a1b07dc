import type { Column } from './definition.js';
import { CANDLE_INTERVALS } from './time.js';
import { CONDITION_ID, END_TIME, OUTCOME, START_TIME, TOKEN_ID } from './trades.js';

/** A price, sent as text. */
const PRICE = { dtype: 'float64', unit: 'USD per share', nullable: false, decimal: true } as const;

/** Columns of a candle (dataset 568), in the order of the wire. */
export const CANDLE_COLUMNS = [
  {
    name: 'candle_time',
    dtype: 'datetime',
    nullable: false,
    meaning: 'First moment of the interval, UTC; a week begins on Monday.',
  },
  { name: 'open', ...PRICE, meaning: 'Price of the first fill.' },
  { name: 'high', ...PRICE, meaning: 'Highest price of a fill.' },
  { name: 'low', ...PRICE, meaning: 'Lowest price of a fill.' },
  { name: 'close', ...PRICE, meaning: 'Price of the last fill.' },
  { name: 'mean', ...PRICE, meaning: 'Price of the average share of volume: prices weighted by shares.' },
  {
    name: 'volume',
    dtype: 'float64',
    unit: 'shares',
    nullable: false,
    decimal: true,
    meaning: 'Shares traded: of each transaction all buys or all sales, whichever are more shares.',
  },
  {
    name: 'trade_count',
    dtype: 'int32',
    unit: 'trades',
    nullable: false,
    meaning: 'Transactions with a fill; a fill without one counts by itself.',
  },
  OUTCOME,
  CONDITION_ID,
  { ...TOKEN_ID, nullable: false },
] as const satisfies readonly Column[];

/** Dataset 568: candles of a token, from its fills. */
export const CANDLES = {
  id: 568,
  name: 'candles',
  title: 'Candles of a token',
  key: ['token_id', 'candle_time'],
  order: 'candle_time; an interval without a fill has no record',
  columns: CANDLE_COLUMNS,
  parameters: [
    {
      name: 'token_id',
      option: 'tokenId',
      kind: 'tokenId',
      required: true,
      meaning: 'The token: one side of a market, whose record names both.',
      example: '7'.repeat(77),
    },
    {
      name: 'interval',
      option: 'interval',
      kind: 'choice',
      choices: CANDLE_INTERVALS,
      required: false,
      default: '1h',
      meaning: 'Length of a candle: minutes (m), hours (h), days (d) or a week (w), all in UTC.',
      example: '1h',
    },
    {
      ...START_TIME,
      meaning:
        'Of fills at this time or later, in Unix seconds. The first candle still begins with its interval, and has only its fills from then on.',
    },
    {
      ...END_TIME,
      meaning: 'Of fills at this time or before, in Unix seconds. The last candle has only its fills up to then.',
    },
  ],
} as const;
