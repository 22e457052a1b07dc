import type { Command } from 'commander';
import { helpLines } from './help-lines.js';
import { INGEST_FORMATS } from './ingest-formats.js';

/** What `oddslab ingest` does. */
export const INGEST_DESCRIPTION =
  'Read raw records into a data folder and build the ledger that the service answers from. What the folder holds ' +
  'stays; a content that was read before, packed or not, is left alone, so an ingest may simply be run again. A ' +
  'corrected mapping reads a file again of which no row was kept. An ingest that was cut off goes on after the last ' +
  'input that it had read whole. Nothing of it is served until all is ' +
  "built. The report stands on stderr and in the version's manifest.json, whose path is printed.";

const LEFT =
  'Files of other formats are named and left; a folder is read with all beneath it. Fills are dropped as repeats only ' +
  'by a true id (transaction and log index of pma-trades, the id of a mapping): give other fills in one file alone.';

const MAPPING = `\
  {
    "name": "my venue",
    "records": "fills",
    "columns": { "wallet": "trader", "side": "action", "token": "asset",
                 "size": "qty", "price": "px", "time": "executed_at",
                 "transaction": "tx_hash", "id": "fill_no" },
    "units": { "size": "millionths", "price": "cents", "time": "milliseconds" },
    "sides": { "buy": ["B", "long"], "sell": ["S", "short"] }
  }`;

const WORDS = [
  ['fills', 'wallet, side, token, size, time, and price, usd or both; also condition_id, transaction, id'],
  [
    'markets',
    'condition_id, slug, closed, token_a, token_b, outcome_a, outcome_b; also question, event_slug, volume, start, ' +
      "end, close, winner (an outcome's label or token, 0, 1, or tie)",
  ],
  ['size', 'in shares or millionths'],
  ['price', 'in dollars or cents'],
  ['usd, volume', 'in dollars, cents or micro-dollars'],
  ['time', 'in seconds, milliseconds, microseconds, nanoseconds or as date; without a unit told by the digits'],
] as const;

const EXAMPLES = `
Examples:
  $ oddslab ingest --data data sample/*.json
  $ oddslab ingest --data data pma/data/polymarket --memory 4GB
  $ oddslab ingest --data data fills.csv.gz --mapping map.json --strict
  $ zstdcat orders.csv.zst | oddslab ingest --data data - --format order-filled`;

/** What stands beneath the options of `oddslab ingest`: the formats, the mapping file, examples. */
export function ingestHelp(command: Command): string {
  const { paragraph, items } = helpLines(command);
  return [
    '',
    paragraph(
      'Formats, recognized by content, each plain or packed with gzip or zstd; JSON as a list or several one behind the ' +
        'other, records one behind the other, or pages:',
    ),
    items(INGEST_FORMATS),
    paragraph(LEFT),
    '',
    paragraph("A mapping file says which of a plain file's columns is which of ours, in what units, with what words:"),
    MAPPING,
    items(WORDS),
    paragraph('A wallet is 0x and 40 hex digits, a condition id 0x and 64.'),
    EXAMPLES,
  ].join('\n');
}
