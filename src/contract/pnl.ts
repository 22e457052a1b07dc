import { type Column, DOLLARS, HEX_ID, PERCENT, WALLETS } from './definition.js';
import { CATEGORY, CONDITIONS, EVENT } from './positions.js';

const CLOSINGS = { dtype: 'int32', unit: 'closing events', nullable: false } as const;

/** Columns of a profit-and-loss record (dataset 569), in the order of the wire. */
export const PNL_COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: false, meaning: 'First moment of the bucket, midnight UTC.' },
  { name: 'proxy_wallet', ...HEX_ID, meaning: 'Wallet address: 0x and 40 hexadecimal digits.' },
  { name: 'invested', ...DOLLARS, meaning: 'Dollars paid for buys and splits in the bucket.' },
  { name: 'pnl', ...DOLLARS, meaning: 'Net realized profit and loss of the bucket; negative is a loss.' },
  { name: 'trades', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Buy and sell fills in the bucket.' },
  { name: 'wins', ...CLOSINGS, meaning: 'Sells, merges and settlements of the bucket with a realized profit above 0.' },
  { name: 'losses', ...CLOSINGS, meaning: 'Sells, merges and settlements of the bucket with a realized loss.' },
  {
    name: 'win_rate',
    ...PERCENT,
    meaning: '100 · wins / (wins + losses), as the service sends it; 0 where both are 0.',
  },
] as const satisfies readonly Column[];

/** Dataset 569: realized profit and loss of wallets over time. */
export const PNL = {
  id: 569,
  name: 'pnl',
  title: 'Profit and loss of a wallet over time',
  key: ['date', 'proxy_wallet'],
  order: 'date, then proxy_wallet',
  columns: PNL_COLUMNS,
  parameters: [
    { name: 'wallet', ...WALLETS },
    {
      name: 'granularity',
      option: 'granularity',
      kind: 'granularity',
      required: false,
      default: '1d',
      meaning: 'Bucket: 1d, 3d (from start_time or the first day), 1w (from Monday), 1m (calendar month) or all.',
      example: '1w',
    },
    {
      name: 'start_time',
      option: 'startTime',
      kind: 'date',
      required: false,
      meaning: 'First day of the range. Omitted: from the first event.',
      example: '2025-06-01',
    },
    {
      name: 'end_time',
      option: 'endTime',
      kind: 'date',
      required: false,
      meaning: 'Last day of the range, itself included. Omitted: to the last event.',
      example: '2025-12-31',
    },
    { ...CONDITIONS, default: 'ALL' },
    EVENT,
    CATEGORY,
    {
      name: 'by',
      option: 'by',
      kind: 'choice',
      choices: ['market', 'event', 'category'],
      required: false,
      meaning:
        'A record for each market, event or category and bucket, with four columns more. Omitted: for each bucket.',
      example: 'market',
    },
  ],
} as const;

/** Columns of a profit-and-loss record that is asked for `by` market, event or category, in the order of the wire. */
export const PNL_BY_COLUMNS = [
  ...PNL_COLUMNS,
  {
    name: 'condition_id',
    ...HEX_ID,
    nullable: true,
    meaning: 'Condition id of the market; null by event and category.',
  },
  {
    name: 'question',
    dtype: 'string',
    nullable: true,
    meaning: 'The question that the market asks; null by event and category, and if no record of it was ingested.',
  },
  {
    name: 'event_slug',
    dtype: 'string',
    nullable: true,
    meaning: 'Name of the event; null by category, and of markets without one, which are one record by event.',
  },
  {
    name: 'category',
    dtype: 'string',
    nullable: true,
    meaning: 'What it is about; null if that is not known, or by event if the markets of the event differ.',
  },
] as const satisfies readonly Column[];

/** Dataset 569 as it answers where `by` is given. */
export const PNL_BY = {
  ...PNL,
  title: 'Profit and loss of a wallet over time, by market, event or category',
  key: ['date', 'proxy_wallet', 'condition_id', 'event_slug', 'category'],
  order: 'date, then proxy_wallet, then condition_id, event_slug or category, null last',
  columns: PNL_BY_COLUMNS,
} as const;
