/**
 * The formats of ingest that are recognized by their fields, in the order in which they are tried: the word for
 * `--format`, and what the files are. `formats.ts` must read each of them. It loads nothing, for the command's help.
 */
export const INGEST_FORMATS = {
  gamma: 'Gamma /markets, JSON (or CSV as poly_data stores it): markets with their result',
  clob: 'CLOB /markets, JSON, or its pages {"data": [...]}: markets with their result',
  trades: 'Data API /trades, JSON or CSV: fills',
  activity: 'Data API /activity, JSON: fills, splits, merges, redemptions, conversions',
  'order-filled': 'poly_data orderFilled.csv: fills; each row counts for its maker',
  'poly-trades': 'poly_data processed/trades.csv: fills; needs Gamma markets, since it names their ids',
  'pma-trades': 'prediction-market-analysis trades, Parquet: fills; needs the blocks for their times',
  'pma-blocks': 'prediction-market-analysis blocks, Parquet',
  'pma-markets': 'prediction-market-analysis markets, Parquet',
} as const;

/** The word for a format on the command line. */
export type FormatId = keyof typeof INGEST_FORMATS;
