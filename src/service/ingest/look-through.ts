import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../errors.js';
import { contentOf } from './bytes.js';
import { readContent } from './content-hash.js';
import { CsvLines, withLineFeeds } from './csv-lines.js';
import type { Head } from './head.js';
import type { Input } from './stage.js';
import { TopValues } from './top-values.js';

/** What reading an input to its end tells that its beginning does not. */
export interface LookedThrough {
  sha256: string;
  head: Head;
  /** Whether it is a CSV whose lines end in different ways, which the engine does not read. */
  hasMixedLineEnds: boolean;
}

/**
 * Reads an input to its end.
 *
 * @throws {InputError} If that fails, or a JSON list or a quoted value of a CSV has no end, or commas stand between JSON
 *   values in no list.
 */
export async function lookThrough(
  { path, file, head }: Input,
  onRead: (bytes: number) => void,
): Promise<LookedThrough> {
  const { kind, layout, compression } = head;
  const lines = new CsvLines();
  const values = new TopValues(layout === 'newline_delimited');
  const { sha256, last } = await readContent(path, file, compression, onRead, (block) => {
    if (kind === 'csv') lines.add(block);
    if (kind === 'json' && layout !== 'unstructured') values.add(block);
  });
  if (lines.unclosedOn !== undefined) {
    throw new InputError(
      `${path} has a quoted value on line ${lines.unclosedOn} that does not end, and takes up the rows behind it: mend the line.`,
    );
  }
  if (values.areParted) {
    throw new InputError(`${path} has commas between JSON values that are in no list: leave these commas out.`);
  }
  if (kind === 'json' && layout === 'array' && !values.areSeveral && last !== ']') {
    throw new InputError(`${path} is cut off: its list of JSON records has no end. Fetch it again.`);
  }
  const several = layout === 'array' ? 'lists' : 'unstructured';
  return {
    sha256,
    head: values.areSeveral ? { ...head, layout: several } : head,
    hasMixedLineEnds: lines.haveMixedEnds,
  };
}

/** Writes a CSV out with all lines ended alike. @param scratch The folder for it. */
export async function evenOut(
  { path, file, head, format }: Input,
  scratch: string,
  signal?: AbortSignal,
): Promise<Input> {
  const even = join(scratch, 'even.csv');
  await pipeline(withLineFeeds(contentOf(path, file, head.compression)), createWriteStream(even), { signal });
  return { path, file: even, head: { ...head, compression: 'none' }, format };
}
