import { type Column, HEX_ID, type Parameter, WALLETS } from './definition.js';

const USD = { dtype: 'float64', unit: 'USD', nullable: false } as const;
const COUNT = { dtype: 'int32', nullable: false } as const;

/** Columns of a place in the leaderboard (dataset 579), in the order of the wire. */
export const LEADERBOARD_COLUMNS = [
  {
    name: 'rank',
    ...COUNT,
    meaning: 'Place in the chosen order, from 1, among all wallets that pass the other filters than wallet_address.',
  },
  { name: 'address', ...HEX_ID, meaning: 'Wallet address: 0x and 40 hexadecimal digits.' },
  { name: 'total_pnl', ...USD, meaning: 'Net realized profit and loss of the period; negative is a loss.' },
  {
    name: 'roi',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'total_pnl over what buys and splits of the period paid: 0.25 is 25%; null where nothing was paid.',
  },
  {
    name: 'win_rate',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Closing events of the period with a profit, of those with a profit or a loss, 0 to 1; null without any.',
  },
  {
    name: 'sharpe_ratio',
    dtype: 'float64',
    nullable: true,
    meaning:
      '√365 · mean / standard deviation of the results of all days of the period (of all data: from the first day of the wallet on), days without one as 0; null of fewer than two days, or if all are equal.',
  },
  { name: 'total_volume', ...USD, meaning: 'Dollars of buy and sell fills of the period.' },
  { name: 'markets_traded', ...COUNT, unit: 'markets', meaning: 'Markets with a buy or sell fill of the period.' },
  { name: 'total_trades', ...COUNT, unit: 'fills', meaning: 'Buy and sell fills of the period.' },
] as const satisfies readonly Column[];

/** The periods of a leaderboard, by the days that each has back from the last one on which anything counts; `all` has no end. */
export const PERIOD_DAYS = { '1d': 1, '3d': 3, '7d': 7, '30d': 30, all: 0 } as const;

/** What a leaderboard can be sorted by. */
export const LEADERBOARD_ORDERS = ['pnl', 'roi', 'win_rate', 'volume', 'trades', 'sharpe'] as const;

const OPTIONAL = { required: false } as const satisfies Partial<Parameter>;

/** Dataset 579: wallets by what they earned; it lists all of them. */
export const LEADERBOARD = {
  id: 579,
  name: 'leaderboard',
  title: 'Leaderboard of wallets',
  key: ['address'],
  order: 'rank',
  columns: LEADERBOARD_COLUMNS,
  parameters: [
    {
      ...WALLETS,
      ...OPTIONAL,
      name: 'wallet_address',
      wildcard: 'ALL',
      meaning:
        'The wallet, or up to 100 wallets with commas between, each with its place among all. Omitted: every one.',
    },
    {
      ...OPTIONAL,
      name: 'leaderboard_period',
      option: 'period',
      kind: 'choice',
      choices: ['1d', '3d', '7d', '30d', 'all'],
      default: 'all',
      meaning: 'The days that count, back from the last one with a trade or a profit or loss: 1d, 3d, 7d, 30d or all.',
      example: '30d',
    },
    {
      ...OPTIONAL,
      name: 'min_pnl',
      option: 'minPnl',
      kind: 'signedAmount',
      meaning: 'Least profit of the period, in USD; may be negative.',
      example: '-1000',
    },
    {
      ...OPTIONAL,
      name: 'max_pnl',
      option: 'maxPnl',
      kind: 'signedAmount',
      meaning: 'Largest profit of the period, in USD; may be negative.',
      example: '50000',
    },
    {
      ...OPTIONAL,
      name: 'min_trades',
      option: 'minTrades',
      kind: 'count',
      meaning: 'Least number of fills in the period.',
      example: '100',
    },
    {
      ...OPTIONAL,
      name: 'min_volume',
      option: 'minVolume',
      kind: 'amount',
      meaning: 'Least dollars of fills in the period.',
      example: '10000',
    },
    {
      ...OPTIONAL,
      name: 'sort_by',
      option: 'sortBy',
      kind: 'choice',
      choices: LEADERBOARD_ORDERS,
      default: 'pnl',
      meaning:
        'The order, largest first: pnl, roi, win_rate, volume, trades or sharpe; what is null comes last, equals by profit, then address.',
      example: 'roi',
    },
  ],
} as const;
