/**
 * The formats of ingest that are recognized by their fields, in the order in which they are tried: the word for
 * `--format`, and what the files are. `formats.ts` must read each of them. It loads nothing, for the command's help.
 */
export const INGEST_FORMATS = {
  gamma:
    'Gamma /markets, JSON, or its pages {"markets": [...]} (or CSV as poly_data stores it): markets with their result',
  'gamma-events': 'Gamma /events, JSON, or its pages {"events": [...]}: their markets, with the tags of the event',
  clob: 'CLOB /markets, JSON, or its pages {"data": [...]}: markets with their result',
  trades: 'Data API /trades of v1 or v2, JSON, or pages of v2, or CSV: fills',
  activity:
    'Data API /activity of v1 or v2, also of combos, JSON, or pages of v2: fills, splits, merges, redemptions, conversions, migrations',
  tokens: 'Data API v2 /tokens, JSON, or its pages: the market and side of each token',
  resolutions: 'Data API v2 /resolutions, JSON, or its pages: what each side of a market paid',
  'order-filled': 'poly_data orderFilled.csv: fills; each row counts for its maker',
  'poly-trades': 'poly_data processed/trades.csv: fills; needs the markets, since it names their ids alone',
  'pma-trades': 'prediction-market-analysis trades, Parquet: fills; needs the blocks for their times',
  'pma-blocks': 'prediction-market-analysis blocks, Parquet',
  'pma-markets': 'prediction-market-analysis markets, Parquet',
} as const;

/** What files of a format lack by their nature, whatever is in them; the report of an ingest says so. */
export const FORMAT_LIMITS: Readonly<Record<string, string>> = {
  'poly-trades':
    'these files state no fees and, since 2026-04-28, hold the fills of one of the two exchanges alone: those of markets ' +
    'that exclude each other are missing',
} satisfies Partial<Record<FormatId, string>>;

/** The word for a format on the command line. */
export type FormatId = keyof typeof INGEST_FORMATS;
