import { open } from 'node:fs/promises';
import { InputError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/** The opening of an input file, by which its format is recognized: never its name. */
export type Head =
  | { kind: 'json'; layout: 'array' | 'newline_delimited'; keys: ReadonlySet<string> }
  | { kind: 'csv'; columns: readonly string[] };

const HEAD_BYTES = 1 << 20;
const TAIL_BYTES = 1 << 12;

/**
 * Reads how an input begins: the keys of its first JSON record, or the names in its CSV header.
 *
 * @throws {InputError} If the file is missing, unreadable, empty, or begins like neither.
 */
export async function readHead(path: string): Promise<Head> {
  const text = (await readStart(path)).replace(/^\uFEFF/, '').trimStart();
  if (text === '') throw new InputError(`${path} is empty: it should hold JSON records or a CSV with a header.`);
  const layout = text.startsWith('[') ? 'array' : 'newline_delimited';
  if (layout === 'array' && !(await endsList(path))) {
    throw new InputError(`${path} is cut off: its list of JSON records has no end. Fetch it again.`);
  }
  if (text.startsWith('[') || text.startsWith('{')) return { kind: 'json', layout, keys: firstKeys(path, text) };
  const header = text.split(/\r?\n/, 1)[0] ?? '';
  const columns = header.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.length < 2) {
    throw new InputError(`${path} is neither JSON nor CSV: it begins with ${JSON.stringify(header.slice(0, 40))}.`);
  }
  return { kind: 'csv', columns };
}

async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      if ((await file.stat()).isDirectory()) throw new InputError(`${path} is a folder: name the files in it.`);
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 });
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const why = codeOf(cause) === 'ENOENT' ? 'no such file' : (codeOf(cause) ?? String(cause));
    throw new InputError(`Cannot read the input ${path}: ${why}.`, { cause });
  }
}

/** Whether the list that a file opens is closed: a cut between two records would pass for a shorter list. */
async function endsList(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(TAIL_BYTES),
      position: Math.max(0, size - TAIL_BYTES),
    });
    return buffer.toString('latin1', 0, bytesRead).trimEnd().endsWith(']');
  } finally {
    await file.close();
  }
}

/** Keys of the first object, found by its braces, so that the rest of the file need not be whole here. */
function firstKeys(path: string, text: string): ReadonlySet<string> {
  const start = text.indexOf('{');
  if (/^\[\s*\]\s*$/.test(text)) throw new InputError(`${path} is an empty list, without a record: leave it out.`);
  const end = start === -1 ? -1 : endOfObject(text, start);
  if (end === -1) {
    throw new InputError(`${path} is not a list of JSON records, or is cut off in its first one.`);
  }
  try {
    return new Set(Object.keys(JSON.parse(text.slice(start, end))));
  } catch (cause) {
    throw new InputError(`${path} holds malformed JSON in its first record: ${(cause as Error).message}.`, { cause });
  }
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return -1;
}
