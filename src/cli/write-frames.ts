import { ColumnError } from '../base/errors.js';
import { writeWhole } from '../base/whole-file.js';
import type { CsvOptions } from '../frame/csv/csv-options.js';
import { CONTROLS } from '../frame/display/terminal-width.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { QueryOutput } from './query-output.js';

type Frames = AsyncIterable<Tabular>;

/** The text formats, which are written frame by frame. */
type TextForm = 'csv' | 'json' | 'ndjson';

/**
 * Writes frames as text, one after another, to stdout or to a file that appears only once it is complete. On a terminal
 * it replaces the control characters in the texts, which could control the terminal.
 */
export async function writeFrames(frames: Frames, form: TextForm, { path, gzip, csv }: QueryOutput): Promise<void> {
  const pieces = form === 'csv' ? csvOf(frames, csv) : form === 'json' ? arrayOf(frames) : linesOf(frames);
  if (path !== undefined) await writeWhole(path, pieces, { gzip });
  else for await (const piece of pieces) await print(process.stdout.isTTY ? shown(piece) : piece);
}

/** Replaces single control characters, not whole escape sequences: what seems to follow one may be the next field. */
function shown(lines: Uint8Array): string {
  const texts = Buffer.from(lines).toString().split('\n');
  return texts.map((text) => text.replace(CONTROLS, ' ')).join('\n');
}

/** Prints a piece on stdout, and waits until its reader has taken it. */
function print(piece: Uint8Array | string): Promise<void> {
  return new Promise((done) => process.stdout.write(piece, () => done()));
}

async function* csvOf(frames: Frames, options: CsvOptions = {}): AsyncGenerator<Uint8Array> {
  const { csvPieces } = await import('../frame/csv/to-csv.js');
  let columns: readonly string[] | undefined;
  for await (const frame of frames) {
    if (columns) checkColumns(columns, frame.columns);
    yield* csvPieces(frame, { ...options, header: columns === undefined });
    columns ??= [...frame.columns];
  }
}

function checkColumns(first: readonly string[], names: readonly string[]): void {
  const differing = [...names, ...first].find((name) => first.includes(name) !== names.includes(name));
  if (differing === undefined) return;
  throw new ColumnError(
    `The column "${differing}" is not in all pages, so that one CSV cannot hold them: choose the columns by --columns, ` +
      'or take --format ndjson.',
  );
}

async function* linesOf(frames: Frames): AsyncGenerator<Uint8Array> {
  const { jsonLinePieces } = await import('../frame/csv/json-lines.js');
  for await (const frame of frames) yield* jsonLinePieces(frame);
}

async function* arrayOf(frames: Frames): AsyncGenerator<Uint8Array> {
  const { jsonArrayPieces } = await import('../frame/csv/json-lines.js');
  yield* jsonArrayPieces(frames);
}
