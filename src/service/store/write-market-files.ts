import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { wholeText } from '../../base/duckdb.js';
import { itemAt } from '../../base/item-at.js';
import { openWhole, type WholeFile } from '../../base/whole-file.js';
import type { Database, SqlValue } from './database.js';
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
    for await (const chunk of db.chunks(ROWS)) {
      for (let i = 0; i < (chunk[0]?.length ?? 0); i++) await writer.add(rowAt(chunk, i));
    }
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

const PLAIN = ['condition_id', 'closed', 'volume', 'start_ms', 'end_ms', 'close_ms', 'winner'] as const;
const TEXTS = [...MARKET_TEXTS, 'searched', 'event'] as const;
const NAMES = [...PLAIN, ...TEXTS];
const ROWS = `SELECT ${[...PLAIN, ...TEXTS.map(wholeText)].join(', ')}
  FROM (SELECT *, lower(event_slug) AS event FROM market_rows)`;

function rowAt(chunk: readonly SqlValue[][], i: number): SearchedRow {
  return Object.fromEntries(NAMES.map((name, column) => [name, chunk[column]?.[i]])) as unknown as SearchedRow;
}

async function* idEntries(db: Database): AsyncGenerator<KeyEntry> {
  for await (const [ids = [], rows = []] of db.chunks(
    'SELECT condition_id, rowid::DOUBLE FROM market_rows ORDER BY condition_id',
  )) {
    for (const [i, id] of ids.entries()) {
      const key = conditionKey(String(id));
      if (key) yield { key, value: varints([Number(rows[i])]) };
    }
  }
}

class MarketWriter {
  readonly #file: WholeFile;
  readonly #collector = new TrigramCollector();
  readonly #starts: number[] = [];
  readonly #volumes: bigint[] = [];
  readonly #ends: number[] = [];
  readonly #lengths: number[] = [];
  readonly #crcs: number[] = [];
  readonly #closed: number[] = [];
  /** By segment: the number of its trigrams, and where its lists start. The columns of all lists follow. */
  readonly #segmentSizes: number[] = [];
  readonly #segmentStarts: number[] = [];
  readonly #trigrams: number[] = [];
  readonly #listLengths: number[] = [];
  readonly #listCrcs: number[] = [];
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
    this.#starts.push(this.#written + this.#pending);
    this.#volumes.push(row.volume);
    this.#ends.push(row.end_ms === null ? Number.NaN : Number(row.end_ms));
    this.#lengths.push(bytes.length);
    this.#crcs.push(crc32(bytes));
    this.#closed.push(row.closed ? 1 : 0);
    this.#collector.add((this.#starts.length - 1) % SEGMENT, searched);
    this.#put(bytes);
    if (this.#starts.length % SEGMENT === 0) this.#endSegment();
    if (this.#pending > 1 << 20) await this.#flush();
  }

  async finish(): Promise<void> {
    if (this.#starts.length % SEGMENT > 0) this.#endSegment();
    await this.#flush();
    // The widest columns come first, so that each starts at a multiple of its width.
    const index = Buffer.concat(
      [
        Float64Array.from(this.#starts),
        BigInt64Array.from(this.#volumes),
        Float64Array.from(this.#ends),
        Float64Array.from(this.#segmentStarts),
        Uint32Array.from(this.#lengths),
        Uint32Array.from(this.#crcs),
        Uint32Array.from(this.#segmentSizes),
        Uint32Array.from(this.#trigrams),
        Uint32Array.from(this.#listLengths),
        Uint32Array.from(this.#listCrcs),
        Uint8Array.from(this.#closed),
      ].map((column) => new Uint8Array(column.buffer)),
    );
    await this.#file.write(index);
    const end = { ...MARKETS_FILE, entries: this.#starts.length, parts: this.#segmentSizes.length };
    await this.#file.write(footerOf(end, index, this.#written));
  }

  #endSegment(): void {
    const { trigrams, lists } = this.#collector.take();
    this.#segmentSizes.push(trigrams.length);
    this.#segmentStarts.push(this.#written + this.#pending);
    for (const [i, list] of lists.entries()) {
      this.#trigrams.push(itemAt(trigrams, i));
      this.#listLengths.push(list.length);
      this.#listCrcs.push(crc32(list));
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
