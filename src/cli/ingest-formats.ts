/** The formats of `oddslab ingest`, for its help: the word for `--format`, and what the files are. */
export const INGEST_FORMATS: readonly (readonly [id: string, meaning: string])[] = [
  ['gamma', 'Gamma /markets, JSON (or CSV as poly_data stores it): markets with their result'],
  ['clob', 'CLOB /markets, JSON, or its pages {"data": [...]}: markets with their result'],
  ['trades', 'Data API /trades, JSON or CSV: fills'],
  ['activity', 'Data API /activity, JSON: fills, splits, merges, redemptions, conversions'],
  ['order-filled', 'poly_data orderFilled.csv: fills; each row counts for its maker'],
  ['poly-trades', 'poly_data processed/trades.csv: fills; needs Gamma markets, since it names their ids'],
  ['pma-trades', 'prediction-market-analysis trades, Parquet: fills; needs the blocks for their times'],
  ['pma-blocks', 'prediction-market-analysis blocks, Parquet'],
  ['pma-markets', 'prediction-market-analysis markets, Parquet'],
  ['mapping', 'any CSV, Parquet or JSON that --mapping describes'],
];

/** The words that `--format` takes. */
export const FORMAT_IDS: readonly string[] = INGEST_FORMATS.map(([id]) => id);
