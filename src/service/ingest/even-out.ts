import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentOf } from './bytes.js';
import { withLineFeeds } from './csv-lines.js';
import type { Head } from './head.js';
import { withWholeCharacters } from './lone-surrogates.js';
import type { Input } from './stage.js';
import { withLineEach } from './top-values.js';

/**
 * Writes an uncompressed copy that the engine can read: of a CSV with all lines ended by LF, of JSON without half
 * characters and, for JSON lines, with one record a line.
 *
 * @param scratch The folder for the copy.
 */
export async function evenOut(
  { path, file, head, format }: Input,
  scratch: string,
  signal?: AbortSignal,
): Promise<Input> {
  const even = join(scratch, 'even');
  const content = contentOf(path, file, head.compression);
  await pipeline(evened(content, head), createWriteStream(even), { signal });
  return { path, file: even, head: { ...head, compression: 'none' }, format };
}

function evened(content: AsyncIterable<Buffer>, { kind, layout }: Head): AsyncIterable<Buffer> {
  if (kind === 'csv') return withLineFeeds(content);
  const whole = withWholeCharacters(content);
  return layout === 'newline_delimited' ? withLineEach(whole) : whole;
}
