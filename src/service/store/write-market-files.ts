import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { wholeText } from '../../base/duckdb.js';
import { itemAt } from '../../base/item-at.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import type { Database } from './database.js';
import { footerOf, varints } from './indexed-file.js';
import { type KeyEntry, writeKeyFile } from './key-file.js';
import { conditionKey, MARKET_IDS_FILE, MARKETS_FILE } from './market-file.js';
import { MARKET_TEXTS, type MarketRow } from './store.js';
import { SEGMENT, TrigramCollector } from './trigrams.js';
import { marketRecord } from './wire-records.js';

/**
 * Writes the files of markets into a folder, from the table `market_rows` in its stored order.
 *
 * @throws {DataError} If they cannot be written.
 */
export async function writeMarketFiles(db: Database, folder: string): Promise<void> {
  const file = await openWhole(join(folder, MARKETS_FILE.name), { durable: true });
  try {
    const writer = new MarketWriter(file);
    for await (const row of db.each<SearchedRow>(ROWS)) await writer.add(row);
    await writer.finish();
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
  await writeKeyFile(join(folder, MARKET_IDS_FILE.name), idEntries(db), MARKET_IDS_FILE);
}

/** A market with the lower-case texts that searches read. */
type SearchedRow = MarketRow & { searched: string; event: string | null };

const TEXTS = [...MARKET_TEXTS, 'searched', 'event'];
const ROWS = `SELECT * REPLACE (${TEXTS.map((name) => `${wholeText(name)} AS ${name}`).join(', ')})
  FROM (SELECT *, lower(event_slug) AS event FROM market_rows)`;

async function* idEntries(db: Database): AsyncGenerator<KeyEntry> {
  const rows = db.each<{ id: string; place: number }>(
    'SELECT condition_id AS id, rowid::DOUBLE AS place FROM market_rows ORDER BY condition_id',
  );
  for await (const { id, place } of rows) {
    const key = conditionKey(id);
    if (key) yield { key, value: varints([place]) };
  }
}

class MarketWriter {
  readonly #file: WholeFile;
  readonly #collector = new TrigramCollector();
  readonly #markets: { start: number; volume: bigint; end: number; length: number; crc: number; closed: number }[] = [];
  readonly #segments: { start: number; size: number }[] = [];
  /** The lists of all segments. */
  readonly #lists: { trigram: number; length: number; crc: number }[] = [];
  #pieces: Uint8Array[] = [];
  #pending = 0;
  #written = 0;

  constructor(file: WholeFile) {
    this.#file = file;
  }

  async add(row: SearchedRow): Promise<void> {
    const searched = Buffer.from(row.searched);
    const bytes = Buffer.concat([
      sized(row.event === null ? undefined : Buffer.from(row.event)),
      sized(searched),
      Buffer.from(JSON.stringify(marketRecord(row))),
    ]);
    this.#collector.add(this.#markets.length % SEGMENT, searched);
    this.#markets.push({
      start: this.#written + this.#pending,
      volume: row.volume,
      end: row.end_ms === null ? Number.NaN : Number(row.end_ms),
      length: bytes.length,
      crc: crc32(bytes),
      closed: row.closed ? 1 : 0,
    });
    this.#put(bytes);
    if (this.#markets.length % SEGMENT === 0) this.#endSegment();
    if (this.#pending > 1 << 20) await this.#flush();
  }

  async finish(): Promise<void> {
    const [markets, segments, lists] = [this.#markets, this.#segments, this.#lists];
    if (markets.length % SEGMENT > 0) this.#endSegment();
    await this.#flush();
    // The widest columns come first, so that each starts at a multiple of its width.
    const columns = [
      Float64Array.from(markets, ({ start }) => start),
      BigInt64Array.from(markets.map(({ volume }) => volume)),
      Float64Array.from(markets, ({ end }) => end),
      Float64Array.from(segments, ({ start }) => start),
      Uint32Array.from(markets, ({ length }) => length),
      Uint32Array.from(markets, ({ crc }) => crc),
      Uint32Array.from(segments, ({ size }) => size),
      Uint32Array.from(lists, ({ trigram }) => trigram),
      Uint32Array.from(lists, ({ length }) => length),
      Uint32Array.from(lists, ({ crc }) => crc),
      Uint8Array.from(markets, ({ closed }) => closed),
    ];
    const index = Buffer.concat(columns.map((column) => new Uint8Array(column.buffer)));
    await this.#file.write(index);
    const end = { ...MARKETS_FILE, entries: markets.length, parts: segments.length };
    await this.#file.write(footerOf(end, index, this.#written));
  }

  #endSegment(): void {
    const { trigrams, lists } = this.#collector.take();
    this.#segments.push({ start: this.#written + this.#pending, size: trigrams.length });
    for (const [i, list] of lists.entries()) {
      this.#lists.push({ trigram: itemAt(trigrams, i), length: list.length, crc: crc32(list) });
      this.#put(list);
    }
  }

  #put(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#pending += bytes.length;
  }

  async #flush(): Promise<void> {
    await this.#file.write(Buffer.concat(this.#pieces));
    this.#written += this.#pending;
    [this.#pieces, this.#pending] = [[], 0];
  }
}

/** A text after a varint of its length plus 1, or just a zero if there is none. */
function sized(text: Buffer | undefined): Buffer {
  return Buffer.concat([varints([text ? text.length + 1 : 0]), text ?? Buffer.alloc(0)]);
}
