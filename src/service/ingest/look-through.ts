import { createHash } from 'node:crypto';
import { InputError } from '../../base/errors.js';
import { type Compression, contentOf } from './compression.js';
import { CsvLines, LoneSurrogates, TopValues } from './even-out.js';
import type { Head } from './head.js';
import type { Input } from './stage.js';

/** What an input tells only when it is read to its end. */
export interface LookedThrough {
  sha256: string;
  head: Head;
  /**
   * Whether the engine needs it evened out: a CSV whose lines end in different ways, or JSON whose records share lines
   * or that holds half a character.
   */
  isUneven: boolean;
}

/**
 * Reads an input to its end.
 *
 * @throws {InputError} If that fails, a JSON list or a quoted value of a CSV has no end, or a comma follows a JSON
 *   list.
 */
export async function lookThrough(
  { path, file, head }: Input,
  onRead: (bytes: number) => void,
): Promise<LookedThrough> {
  const { kind, layout, compression } = head;
  const lines = new CsvLines();
  const byLine = layout === 'newline_delimited';
  const values = new TopValues(byLine);
  const surrogates = new LoneSurrogates();
  const { sha256, last } = await readContent(path, file, compression, onRead, (block) => {
    if (kind === 'csv') lines.add(block);
    if (kind === 'json') surrogates.add(block);
    if (kind === 'json' && layout !== 'unstructured') values.add(block);
  });
  surrogates.end();
  if (lines.unclosedOn !== undefined) {
    throw new InputError(
      `${path} has a quoted value on line ${lines.unclosedOn} that does not end, and takes up the rows behind it: mend the line.`,
    );
  }
  if (values.areParted && !byLine) {
    throw new InputError(`${path} has commas behind its JSON lists: leave these commas out.`);
  }
  if (kind === 'json' && layout === 'array' && !values.areSeveral && last !== ']') {
    throw new InputError(`${path} is cut off: its list of JSON records has no end. Fetch it again.`);
  }
  return {
    sha256,
    head: values.areSeveral && !byLine ? { ...head, layout: 'lists' } : head,
    isUneven: lines.haveMixedEnds || surrogates.areThere || (byLine && (values.areSeveral || values.areParted)),
  };
}

/** What an input's whole content tells. */
interface Content {
  /** The hash of the unpacked content, which does not depend on the compression. */
  sha256: string;
  bytes: number;
  /** The last character that is no white space, or '' if there is none. */
  last: string;
}

/**
 * Reads an input to its end.
 *
 * @param onRead Called with the number of bytes that each step read from the file.
 * @param look Called with each block of the content.
 * @throws {InputError} If the input cannot be read or unpacked.
 */
async function readContent(
  path: string,
  file: string,
  compression: Compression,
  onRead: (bytes: number) => void,
  look: (block: Buffer) => void,
): Promise<Content> {
  const hash = createHash('sha256');
  let bytes = 0;
  let last = '';
  for await (const block of contentOf(path, file, compression, onRead)) {
    hash.update(block);
    look(block);
    bytes += block.length;
    last = lastCharacter(block) ?? last;
  }
  return { sha256: hash.digest('hex'), bytes, last };
}

function lastCharacter(block: Buffer): string | undefined {
  for (let at = block.length - 1; at >= 0; at--) {
    const byte = block[at] ?? 0;
    if (byte > 32) return String.fromCharCode(byte);
  }
  return undefined;
}
