import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../errors.js';
import { contentOf } from './bytes.js';
import { readContent } from './content-hash.js';
import type { Head } from './head.js';
import { LineEnds, withLineFeeds } from './line-ends.js';
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
 * @throws {InputError} If that fails, or its JSON list has no end, or commas stand between its lists or records.
 */
export async function lookThrough(
  { path, file, head }: Input,
  onRead: (bytes: number) => void,
): Promise<LookedThrough> {
  const { kind, layout, compression } = head;
  const ends = new LineEnds();
  const values = new TopValues(layout === 'newline_delimited');
  const { sha256, last } = await readContent(path, file, compression, onRead, (block) => {
    if (kind === 'csv') ends.add(block);
    if (kind === 'json' && layout !== 'unstructured') values.add(block);
  });
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
    hasMixedLineEnds: ends.areMixed,
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
