import { type Column, DOLLARS, HEX_ID, type Parameter, WALLETS } from './definition.js';

const PRICE = { dtype: 'float64', unit: 'USD per share', nullable: true, decimal: true } as const;
const TEXT = { dtype: 'string', nullable: true } as const;

/** Columns of what is known of a position's market, null where no record of it was ingested. */
export const MARKET_LABELS = [
  {
    name: 'slug',
    ...TEXT,
    meaning: 'Market name as it stands in a URL; null if no record of the market was ingested.',
  },
  { name: 'question', ...TEXT, meaning: 'The question that the market asks.' },
  { name: 'event_slug', ...TEXT, meaning: 'Name of the event that the market belongs to.' },
  { name: 'category', ...TEXT, meaning: 'What the market is about, by its event’s tags.' },
] as const satisfies readonly Column[];

/** Columns of a position (dataset 9001), in the order of the wire. */
export const POSITION_COLUMNS = [
  { name: 'proxy_wallet', ...HEX_ID, meaning: 'Wallet address: 0x and 40 hexadecimal digits.' },
  { name: 'condition_id', ...HEX_ID, meaning: 'Condition id of the market: 0x and 64 hexadecimal digits.' },
  ...MARKET_LABELS,
  {
    name: 'outcome',
    dtype: 'string',
    nullable: false,
    meaning: 'Label of the outcome that is held, such as Yes; first or second if no record states it.',
  },
  {
    name: 'outcome_index',
    dtype: 'int32',
    nullable: false,
    meaning: "0 for the market's first outcome, 1 for the second.",
  },
  { name: 'token_id', ...TEXT, meaning: 'Token of the outcome: up to 78 digits; null if it is not known.' },
  {
    name: 'shares',
    dtype: 'float64',
    unit: 'shares',
    nullable: false,
    decimal: true,
    meaning: 'Shares still held; 0 once the market is settled, which pays them.',
  },
  { name: 'cost', ...DOLLARS, meaning: 'What the shares still held cost, at average cost.' },
  {
    name: 'avg_price',
    ...PRICE,
    meaning:
      'Average cost of a share that is held; of a closed position, when its last shares were sold or settled. Null if no share was ever seen to come.',
  },
  {
    name: 'last_price',
    ...PRICE,
    meaning:
      'Once the result is known, what a share pays: 1, 0 or 0.5. Until then the price of the last fill of the outcome, of any wallet, even if the market has closed; null without one.',
  },
  { name: 'realized', ...DOLLARS, meaning: 'Profit and loss that sales, merges and the settlement realized.' },
  {
    name: 'unrealized',
    ...DOLLARS,
    nullable: true,
    meaning: 'shares · last_price − cost; null if shares are held whose price is not known.',
  },
  { name: 'invested', ...DOLLARS, meaning: 'Dollars paid for buys, and half of those for splits.' },
  { name: 'opened', dtype: 'datetime', nullable: false, meaning: "The wallet's first event in the outcome, UTC." },
  {
    name: 'last_traded',
    dtype: 'datetime',
    nullable: false,
    meaning: "The wallet's last event in the outcome, UTC; the settlement is none.",
  },
  {
    name: 'status',
    dtype: 'string',
    nullable: false,
    meaning: 'open while shares are held, also of a market that closed with result unknown; else closed.',
  },
  {
    name: 'result',
    ...TEXT,
    meaning:
      'What became of the outcome, held to the end or not: won, lost or tie; unknown if the market closed and nothing tells its result; null while it is open.',
  },
  {
    name: 'close_date',
    dtype: 'datetime',
    nullable: true,
    meaning: 'When the market closed or was resolved, UTC; null while it is open, and if nothing tells when.',
  },
] as const satisfies readonly Column[];

const OPTIONAL = { required: false, wildcard: 'ALL' } as const satisfies Partial<Parameter>;

/** The filter by one market or several. */
export const CONDITIONS = {
  ...OPTIONAL,
  name: 'condition_id',
  option: 'conditionId',
  kind: 'conditionIds',
  meaning: 'One market alone, or up to 100 with commas between; or ALL.',
  example: 'ALL',
} as const satisfies Parameter;

/** The filter by the event of markets. */
export const EVENT = {
  ...OPTIONAL,
  name: 'event_slug',
  option: 'eventSlug',
  kind: 'text',
  meaning: 'Markets of the event with this slug alone, in any case.',
  example: 'harbour-city-mayor',
} as const satisfies Parameter;

/** The filter by what markets are about. */
export const CATEGORY = {
  ...OPTIONAL,
  name: 'category',
  option: 'category',
  kind: 'text',
  meaning: 'Markets of this category alone, in any case.',
  example: 'Politics',
} as const satisfies Parameter;

/** Dataset 9001, of ours: what wallets hold and held, by market and outcome. */
export const POSITIONS = {
  id: 9001,
  name: 'positions',
  title: 'Positions of a wallet, held and closed',
  // Both outcomes of a market can have one label; without a record of the market, labels differ and tokens may be null.
  key: ['proxy_wallet', 'condition_id', 'outcome', 'token_id'],
  order: 'proxy_wallet, then condition_id, then outcome_index',
  columns: POSITION_COLUMNS,
  parameters: [
    { name: 'wallet', ...WALLETS },
    {
      ...OPTIONAL,
      name: 'status',
      option: 'status',
      kind: 'choice',
      choices: ['open', 'closed'],
      meaning: 'Positions with shares (open) or without (closed) alone.',
      example: 'open',
    },
    CONDITIONS,
    EVENT,
    CATEGORY,
  ],
} as const;
