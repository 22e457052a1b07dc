import { type Column, DOLLARS, HEX_ID, PERCENT, WALLETS } from './definition.js';

/** Columns of a lifetime record (dataset 586), in the order of the wire. */
export const LIFETIME_COLUMNS = [
  { name: 'proxy_wallet', ...HEX_ID, meaning: 'Wallet address: 0x and 40 hexadecimal digits.' },
  { name: 'total_trades', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Buy and sell fills.' },
  { name: 'avg_trade_size', ...DOLLARS, meaning: 'Dollars traded per fill; 0 without a fill.' },
  { name: 'avg_pnl_per_trade', ...DOLLARS, meaning: 'total_pnl / total_trades; 0 without a fill.' },
  { name: 'total_invested', ...DOLLARS, meaning: 'Dollars paid for buys and splits.' },
  { name: 'total_pnl', ...DOLLARS, meaning: 'Net realized profit and loss.' },
  { name: 'roi_pct', ...PERCENT, meaning: '100 · total_pnl / total_invested; 0 where nothing was invested.' },
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
  parameters: [{ name: 'wallet_address', ...WALLETS }],
} as const;
