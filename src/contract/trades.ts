import { type Column, HEX_ID, type Parameter, WALLETS } from './definition.js';

/** The column of a token's id, and the labels of its market that trades and candles share. */
export const TOKEN_ID = {
  name: 'token_id',
  dtype: 'string',
  meaning: 'Token of the outcome: up to 78 digits.',
} as const satisfies Omit<Column, 'nullable'>;

export const OUTCOME = {
  name: 'outcome',
  dtype: 'string',
  nullable: true,
  meaning: 'Label of the outcome, such as Yes; null if no record of the market was ingested.',
} as const satisfies Column;

export const CONDITION_ID = {
  name: 'condition_id',
  ...HEX_ID,
  meaning: 'Condition id of the market: 0x and 64 hexadecimal digits.',
} as const satisfies Column;

/** Columns of a trade (dataset 556), in the order of the wire. */
export const TRADE_COLUMNS = [
  {
    name: 'id',
    dtype: 'string',
    nullable: false,
    meaning: "Tells the fill from all others: its wallet, its Unix second, and its place in the wallet's second.",
  },
  CONDITION_ID,
  {
    name: 'price',
    dtype: 'float64',
    unit: 'USD per share',
    nullable: false,
    meaning: 'Price of a share, 0 to 1, as the source states it, to six places; else dollars over shares.',
  },
  { name: 'side', dtype: 'string', nullable: false, meaning: 'BUY or SELL.' },
  { name: 'size', dtype: 'float64', unit: 'shares', nullable: false, meaning: 'Shares bought or sold.' },
  { name: 'timestamp', dtype: 'datetime', nullable: false, meaning: 'When it was filled, UTC, to the second.' },
  {
    name: 'transaction_hash',
    dtype: 'string',
    nullable: true,
    meaning: 'Transaction on the chain; null if the source states none.',
  },
  {
    name: 'slug',
    dtype: 'string',
    nullable: true,
    meaning: 'Market name as it stands in a URL; null if no record of the market was ingested.',
  },
  OUTCOME,
  { name: 'proxy_wallet', ...HEX_ID, meaning: 'Wallet address: 0x and 40 hexadecimal digits.' },
  { ...TOKEN_ID, nullable: true },
  {
    name: 'usd',
    dtype: 'float64',
    unit: 'USD',
    nullable: true,
    meaning:
      'Dollars paid or received, as the ledger counts them: with the fee where it is known. Null of a service that does not send it.',
  },
  { name: 'event_slug', dtype: 'string', nullable: true, meaning: 'Name of the event that the market belongs to.' },
  { name: 'category', dtype: 'string', nullable: true, meaning: "What the market is about, by its event's tags." },
] as const satisfies readonly Column[];

const OPTIONAL = { required: false, wildcard: 'ALL' } as const;

/** The filters by time that trades and candles share. */
export const START_TIME = {
  name: 'start_time',
  option: 'startTime',
  kind: 'unixSeconds',
  required: false,
  meaning: 'Filled at this time or later, in Unix seconds.',
  example: '1767225600',
} as const satisfies Parameter;

export const END_TIME = {
  name: 'end_time',
  option: 'endTime',
  kind: 'unixSeconds',
  required: false,
  meaning: 'Filled at this time or before, in Unix seconds.',
  example: '1769904000',
} as const satisfies Parameter;

/** Dataset 556: single fills. */
export const TRADES = {
  id: 556,
  name: 'trades',
  title: 'Trades: single fills',
  key: ['id'],
  order: 'timestamp descending, then id',
  columns: TRADE_COLUMNS,
  parameters: [
    { name: 'proxy_wallet', ...WALLETS, ...OPTIONAL },
    {
      name: 'condition_id',
      option: 'conditionId',
      kind: 'conditionIds',
      ...OPTIONAL,
      meaning: 'Fills in one market, or in up to 100 with commas between.',
      example: `0x${'4'.repeat(64)}`,
    },
    {
      name: 'market_slug',
      option: 'marketSlug',
      kind: 'text',
      ...OPTIONAL,
      meaning: 'Fills in the market with this slug, in any case.',
      example: 'harbour-city-new-mayor-january',
    },
    {
      name: 'side',
      option: 'side',
      kind: 'choice',
      choices: ['BUY', 'SELL'],
      ...OPTIONAL,
      meaning: 'Buys or sales alone.',
      example: 'BUY',
    },
    START_TIME,
    END_TIME,
    {
      name: 'token_id',
      option: 'tokenId',
      kind: 'tokenId',
      ...OPTIONAL,
      meaning: 'Fills of one token, which is one side of a market.',
      example: '7'.repeat(77),
    },
    {
      name: 'event_slug',
      option: 'eventSlug',
      kind: 'text',
      ...OPTIONAL,
      meaning: 'Fills in the markets of the event with this slug, in any case.',
      example: 'harbour-city-mayor',
    },
    {
      name: 'category',
      option: 'category',
      kind: 'text',
      ...OPTIONAL,
      meaning: 'Fills in markets of this category, in any case.',
      example: 'Politics',
    },
  ],
} as const;
