import type { Tabular } from '../tabular.js';
import { jsonPieces } from './json-encoder.js';

/**
 * A frame as JSON lines (NDJSON) in UTF-8, in pieces of whole lines: one object for each row, with its keys in the
 * order of the columns. Missing values and infinite numbers are null; numbers are the shortest text that reads back to
 * the same double; exact amounts are decimal text in quotes. Without rows there are no pieces.
 *
 * @example for (const piece of jsonLinePieces(frame)) process.stdout.write(piece);
 */
export function* jsonLinePieces(frame: Tabular): Generator<Uint8Array> {
  for (const piece of jsonPieces(frame, '\n')) yield new Uint8Array(piece);
}

/**
 * Frames, one after another, as one JSON array in UTF-8, in pieces: the objects of {@link jsonLinePieces}, one on each
 * line. Without rows it is `[]`.
 */
export async function* jsonArrayPieces(frames: Iterable<Tabular> | AsyncIterable<Tabular>): AsyncGenerator<Uint8Array> {
  let held: Buffer | undefined;
  for await (const frame of frames) {
    for (const piece of jsonPieces(frame, ',\n')) {
      yield held ?? Buffer.from('[');
      held = Buffer.from(piece);
    }
  }
  // No comma follows the last object.
  yield Buffer.concat([held ? held.subarray(0, -2) : Buffer.from('['), Buffer.from(']\n')]);
}
