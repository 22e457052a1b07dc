import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { contentOf } from './bytes.js';
import { withLineFeeds } from './csv-lines.js';
import type { Input } from './stage.js';
import { withLineEach } from './top-values.js';

/** Writes a CSV out with all lines ended alike, or JSON with a line for each record. @param scratch The folder for it. */
export async function evenOut(
  { path, file, head, format }: Input,
  scratch: string,
  signal?: AbortSignal,
): Promise<Input> {
  const even = join(scratch, 'even');
  const content = contentOf(path, file, head.compression);
  const lines = head.kind === 'csv' ? withLineFeeds(content) : withLineEach(content);
  await pipeline(lines, createWriteStream(even), { signal });
  return { path, file: even, head: { ...head, compression: 'none' }, format };
}
