import { type Column, HEX_ID, type Parameter } from './definition.js';

const closed = {
  name: 'closed',
  option: 'closed',
  kind: 'boolean',
  required: false,
  meaning: 'True: closed markets only. False: open ones only. Omitted: both.',
  example: 'True',
} as const satisfies Parameter;

/** Columns of a market record (datasets 574 and 555), in the order of the wire. */
export const MARKET_COLUMNS = [
  { name: 'condition_id', ...HEX_ID, meaning: 'Condition id of the market: 0x and 64 hexadecimal digits.' },
  { name: 'question', dtype: 'string', nullable: false, meaning: 'The question that the market asks.' },
  { name: 'slug', dtype: 'string', nullable: false, meaning: 'Market name as it stands in a URL.' },
  { name: 'event_slug', dtype: 'string', nullable: true, meaning: 'Name of the event that the market belongs to.' },
  { name: 'closed', dtype: 'boolean', nullable: false, meaning: 'False while open, true once closed.' },
  {
    name: 'volume_total',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'Dollars traded over the life of the market, one side of each trade counted once.',
  },
  { name: 'start_date', dtype: 'datetime', nullable: true, meaning: 'When the market opened, UTC.' },
  { name: 'end_date', dtype: 'datetime', nullable: true, meaning: 'When the market was due to end, UTC.' },
  {
    name: 'close_date',
    alias: 'closed_date',
    dtype: 'datetime',
    nullable: true,
    meaning: 'When the market closed, UTC; null while open.',
  },
  { name: 'side_a_token_id', dtype: 'string', nullable: true, meaning: 'Token id of the first side: up to 78 digits.' },
  { name: 'side_b_token_id', dtype: 'string', nullable: true, meaning: 'Token id of the second side.' },
  { name: 'side_a_outcome', dtype: 'string', nullable: true, meaning: 'Label of the first side, such as Yes.' },
  { name: 'side_b_outcome', dtype: 'string', nullable: true, meaning: 'Label of the second side, such as No.' },
  {
    name: 'winning_outcome',
    dtype: 'string',
    nullable: true,
    meaning: 'Label of the side that won; null while unresolved and on a tie, which pays each side 0.50.',
  },
] as const satisfies readonly Column[];

/** Dataset 574: prediction-market records. */
export const MARKETS = {
  id: 574,
  name: 'markets',
  title: 'Prediction-market records',
  key: ['condition_id'],
  order: 'volume_total descending, then condition_id',
  columns: MARKET_COLUMNS,
  parameters: [
    closed,
    {
      name: 'min_volume',
      option: 'minVolume',
      kind: 'amount',
      required: false,
      meaning: 'Least total volume, in USD.',
      example: '100000',
    },
    {
      name: 'market_slug',
      option: 'marketSlug',
      kind: 'text',
      required: false,
      meaning: 'Text that the slug, the event slug or the question contains, in any case; % and _ are literal.',
      example: 'election',
    },
    {
      name: 'end_date_min',
      option: 'endDateMin',
      kind: 'unixSeconds',
      required: false,
      meaning: 'Ending at this time or later, in Unix seconds.',
      example: '1767225600',
    },
    {
      name: 'end_date_max',
      option: 'endDateMax',
      kind: 'unixSeconds',
      required: false,
      meaning: 'Ending at this time or before, in Unix seconds.',
      example: '1769904000',
    },
    {
      name: 'condition_id',
      option: 'conditionId',
      kind: 'conditionId',
      required: false,
      meaning: 'The one market with this condition id.',
      example: `0x${'4'.repeat(64)}`,
    },
    {
      name: 'event_slug',
      option: 'eventSlug',
      kind: 'text',
      required: false,
      meaning: 'Markets of the event with this slug, in any case.',
      example: 'harbour-city-mayor',
    },
  ],
} as const;

/** Dataset 555: the general examples' dataset: markets, with the one filter `closed`. */
export const MARKETS_BY_STATE = {
  ...MARKETS,
  id: 555,
  name: 'markets-by-state',
  title: 'Prediction-market records, by state alone',
  parameters: [closed],
} as const;
