import type { Command } from 'commander';
import { helpLines } from './help-lines.js';
import { INGEST_FORMATS } from './ingest-formats.js';

/** The description of `oddslab ingest`. */
export const INGEST_DESCRIPTION =
  'Read raw records into a data folder and build the ledger that the service answers from. Earlier contents of the ' +
  'folder stay. Files whose content was read before, compressed or not, are skipped, so an ingest can simply be run ' +
  'again. A file of which no row was kept is read again if its mapping was corrected. An ingest that was interrupted ' +
  'continues after the last input that it read completely. Nothing is served until everything is built. The report ' +
  "is printed on stderr and stored in the version's manifest.json, whose path is printed on stdout.";

const LEFT =
  'Files in other formats are reported and skipped. Folders are read with all their subfolders. Repeated fills are ' +
  'dropped only if they have a true id (transaction and log index in pma-trades, or the id of a mapping), so give ' +
  'each other fill in only one file.';

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
  ['fills', 'wallet, side, token, size, time, and price, usd or both; optional: condition_id, transaction, id'],
  [
    'markets',
    'condition_id, slug, closed, token_a, token_b, outcome_a, outcome_b; optional: question, event_slug, volume, ' +
      "start, end, close, winner (an outcome's label or token, 0, 1, or tie)",
  ],
  ['size', 'in shares or millionths'],
  ['price', 'in dollars or cents'],
  ['usd, volume', 'in dollars, cents or micro-dollars'],
  ['time', 'in seconds, milliseconds, microseconds, nanoseconds or as date; without a unit, by the number of digits'],
] as const;

const EXAMPLES = `
Examples:
  $ oddslab ingest --data data sample/*.json
  $ oddslab ingest --data data pma/data/polymarket --memory 4GB
  $ oddslab ingest --data data fills.csv.gz --mapping map.json --strict
  $ zstdcat orders.csv.zst | oddslab ingest --data data - --format order-filled`;

/** The help below the options of `oddslab ingest`: the formats, the mapping file, examples. */
export function ingestHelp(command: Command): string {
  const { paragraph, items } = helpLines(command);
  return [
    '',
    paragraph(
      'Formats, recognized by content, each plain or compressed with gzip or zstd. JSON may be a list, several lists ' +
        'in a row, records in a row, or pages:',
    ),
    items(INGEST_FORMATS),
    paragraph(LEFT),
    '',
    paragraph("A mapping file maps a plain file's columns to those of Oddslab, with their units and words:"),
    MAPPING,
    items(WORDS),
    paragraph('A wallet is 0x and 40 hex digits, a condition id 0x and 64.'),
    EXAMPLES,
  ].join('\n');
}
