import { INGEST_FORMATS } from './ingest-formats.js';

/** What `oddslab ingest` does. */
export const INGEST_DESCRIPTION =
  'Read raw records into a data folder and build the ledger that the service answers from. What the folder holds\n' +
  'stays; a content that was read before, packed or not, is left alone, so an ingest may simply be run again. One\n' +
  'that was cut off goes on after the last input that it had read whole. Nothing of it is served until all is built.\n' +
  "The report stands on stderr and in the version's manifest.json, whose path is printed.";

const formats = INGEST_FORMATS.map(([id, meaning]) => `  ${id.padEnd(13)}${meaning}`).join('\n');

/** What stands beneath the options: the formats, the mapping file, examples. */
export const INGEST_HELP = `
Formats, recognized by content, each plain or packed with gzip or zstd; JSON as a list, a record a line, or pages:
${formats}
Files of other formats are named and left; a folder is read with all beneath it. Fills are dropped as repeats only by
a true id (transaction and log index of pma-trades, the id of a mapping): give other fills in one file alone.

A mapping file says which of a plain file's columns is which of ours, in what units, with what words:
  {
    "name": "my venue",
    "records": "fills",
    "columns": { "wallet": "trader", "side": "action", "token": "asset", "size": "qty", "price": "px",
                 "time": "executed_at", "transaction": "tx_hash", "id": "fill_no" },
    "units": { "size": "millionths", "price": "cents", "time": "milliseconds" },
    "sides": { "buy": ["B", "long"], "sell": ["S", "short"] }
  }
  fills     wallet, side, token, size, time, and price, usd or both; also condition_id, transaction, id
  markets   condition_id, slug, closed, token_a, token_b, outcome_a, outcome_b; also question, event_slug, volume,
            start, end, close, winner (an outcome's label or token, 0, 1, or tie)
  units     size: shares, millionths · price: dollars, cents · usd, volume: dollars, cents, micro-dollars
            time: seconds, milliseconds, microseconds, nanoseconds, date (without: told by the digits)
A wallet is 0x and 40 hex digits, a condition id 0x and 64.

Examples:
  $ oddslab ingest --data data sample/*.json
  $ oddslab ingest --data data pma/data/polymarket --memory 4GB
  $ oddslab ingest --data data fills.csv.gz --mapping map.json --strict --report doubtful.jsonl
  $ zstdcat orderFilled.csv.zst | oddslab ingest --data data - --format order-filled`;
