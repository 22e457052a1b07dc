import { type Column, DOLLARS, HEX_ID, PERCENT, WALLETS } from './definition.js';

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
    {
      name: 'condition_id',
      option: 'conditionId',
      kind: 'conditionId',
      required: false,
      default: 'ALL',
      meaning: 'One market alone, or ALL.',
      example: 'ALL',
    },
  ],
} as const;
