import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DataError, messageOf } from '../../base/errors.js';
import { systemErrorCode } from '../../base/whole-file.js';
import type { RecordLines } from './record-lines.js';
import { recordedQueryText } from './recorded-query.js';
import { answerName, type SnapshotEntry } from './snapshot-manifest.js';

/** Number of records handed on at a time. */
const CHUNK_RECORDS = 1000;

const LINE_FEED = 0x0a;

/**
 * Reads a recorded answer in chunks of records. The last chunk comes only after the whole answer was found to match the
 * manifest, so that no reader ever gets all of a damaged answer.
 *
 * @throws {DataError} If the answer is missing or damaged; the message names the file and what to do.
 */
export async function* readRecorded(folder: string, entry: SnapshotEntry): AsyncGenerator<RecordLines> {
  const damaged = (how: string, options?: ErrorOptions) => damage(folder, entry, how, options);
  const hash = createHash('sha256');
  const cutter = new LineCutter();
  let [bytes, records] = [0, 0];
  let held: RecordLines | undefined;
  for await (const piece of unzipped(join(folder, answerName(entry.sha256)), damaged)) {
    hash.update(piece);
    bytes += piece.length;
    if (bytes > entry.bytes) throw damaged(`it holds more than the ${entry.bytes} bytes that manifest.json says`);
    for (const chunk of cutter.cut(piece)) {
      if (held) yield held;
      held = chunk;
      records += chunk.records;
    }
  }
  const last = cutter.rest();
  records += last?.records ?? 0;
  if (bytes < entry.bytes) throw damaged(`it holds ${bytes} of the ${entry.bytes} bytes that manifest.json says`);
  if (hash.digest('hex') !== entry.sha256) throw damaged('its content has another SHA-256 than its name says');
  if (records !== entry.records) {
    throw damaged(`it holds ${records} records where manifest.json says ${entry.records}`);
  }
  if (held) yield held;
  if (last) yield last;
}

async function* unzipped(
  path: string,
  damaged: (how: string, options: ErrorOptions) => DataError,
): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip({ chunkSize: 65_536 });
  pipeline(createReadStream(path), gunzip, () => {});
  try {
    yield* gunzip;
  } catch (cause) {
    const missing = systemErrorCode(cause) === 'ENOENT';
    throw damaged(missing ? 'it is missing' : `it cannot be unpacked (${messageOf(cause)})`, { cause });
  }
}

function damage(folder: string, entry: SnapshotEntry, how: string, options?: ErrorOptions): DataError {
  const path = join(folder, answerName(entry.sha256));
  const remedy = "Restore the file from version control, or record the query anew: mode 'record'.";
  return new DataError(`The answer ${path} of ${recordedQueryText(entry)} is damaged: ${how}. ${remedy}`, options);
}

/** Cuts text into chunks, at the line feed after each thousandth record. */
class LineCutter {
  #pieces: Buffer[] = [];
  #records = 0;

  *cut(piece: Buffer): Generator<RecordLines> {
    let begin = 0;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
      this.#records += 1;
      if (this.#records < CHUNK_RECORDS) continue;
      this.#pieces.push(piece.subarray(begin, at + 1));
      begin = at + 1;
      yield this.#take();
    }
    if (begin < piece.length) this.#pieces.push(piece.subarray(begin));
  }

  rest(): RecordLines | undefined {
    return this.#pieces.length > 0 ? this.#take() : undefined;
  }

  #take(): RecordLines {
    const lines = { text: Buffer.concat(this.#pieces), records: this.#records };
    this.#pieces = [];
    this.#records = 0;
    return lines;
  }
}
