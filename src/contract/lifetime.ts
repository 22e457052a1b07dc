import type { Column } from './definition.js';

/** Columns of a lifetime record (dataset 586), in the order of the wire. */
export const LIFETIME_COLUMNS = [
  {
    name: 'proxy_wallet',
    dtype: 'string',
    hex: true,
    nullable: false,
    meaning: 'Wallet address: 0x and 40 hexadecimal digits.',
  },
  { name: 'total_trades', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Buy and sell fills.' },
  {
    name: 'avg_trade_size',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    decimal: true,
    meaning: 'Dollars traded per fill; 0 without a fill.',
  },
  {
    name: 'avg_pnl_per_trade',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    decimal: true,
    meaning: 'total_pnl / total_trades; 0 without a fill.',
  },
  {
    name: 'total_invested',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    decimal: true,
    meaning: 'Dollars paid for buys and splits.',
  },
  {
    name: 'total_pnl',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    decimal: true,
    meaning: 'Net realized profit and loss.',
  },
  {
    name: 'roi_pct',
    dtype: 'float64',
    unit: '%',
    nullable: false,
    decimal: true,
    meaning: '100 · total_pnl / total_invested; 0 where nothing was invested.',
  },
  { name: 'last_updated', dtype: 'datetime', nullable: true, meaning: "The wallet's last event that is counted, UTC." },
] as const satisfies readonly Column[];

/** Dataset 586: lifetime performance of wallets. */
export const LIFETIME = {
  id: 586,
  name: 'lifetime',
  title: 'Lifetime performance of a wallet',
  key: ['proxy_wallet'],
  order: 'proxy_wallet',
  columns: LIFETIME_COLUMNS,
  parameters: [
    {
      name: 'wallet_address',
      option: 'wallet',
      kind: 'wallet',
      required: true,
      meaning: 'The wallet, or up to 100 wallets with commas between.',
      example: `0x${'5'.repeat(40)}`,
    },
  ],
} as const;
