import { contentOf } from './compression.js';
import { BACKSLASH, CLOSING, COMMA, NEWLINE, OPENING, QUOTE, RETURN, TopValues } from './even-out.js';
import type { Head } from './head.js';

/**
 * Finds the line of a text file on which each of some records begins.
 *
 * @param records In ascending order, each with its number among the file's records, from 1. The header and blank lines of a CSV are no records.
 * @returns The same records with their lines, counted from 1. A record has none if another begins on the same line.
 */
export async function* withLines<Record extends { record: number }>(
  path: string,
  file: string,
  head: Head,
  records: AsyncIterable<Record>,
): AsyncGenerator<Record & { line?: number }> {
  const starts = startsOf(head);
  let seen = head.kind === 'csv' ? -1 : 0;
  let last = 0;
  let held: Found<Record>[] = [];
  const wanted = records[Symbol.asyncIterator]();
  let next = await wanted.next();
  for await (const block of contentOf(path, file, head.compression)) {
    for (const line of starts(block)) {
      yield* held.map((found) => told(found, line));
      if (next.done) return;
      held = [];
      seen++;
      while (next.done !== true && next.value.record <= seen) {
        held.push({ wanted: next.value, line, isShared: line === last });
        next = await wanted.next();
      }
      last = line;
    }
  }
  yield* held.map((found) => told(found, 0));
}

/** A record with its line, and whether the record before it begins on the same line. */
interface Found<Record> {
  wanted: Record;
  line: number;
  isShared: boolean;
}

function told<Record>({ wanted, line, isShared }: Found<Record>, nextLine: number): Record & { line?: number } {
  return { ...wanted, ...(isShared || line === nextLine ? {} : { line }) };
}

/** The blank lines of a CSV, each by its number from 1, where a record over several lines counts as one. */
export async function* blankLines(path: string, file: string, { compression }: Head): AsyncGenerator<number> {
  const lines = csvLines();
  let nth = 0;
  for await (const block of contentOf(path, file, compression)) {
    for (const { isBlank } of lines(block)) {
      nth++;
      if (isBlank) yield nth;
    }
  }
}

/** A function that takes the blocks of a CSV in order and yields its lines; a quoted value may span several. */
function csvLines(): (block: Buffer) => Generator<{ line: number; isBlank: boolean }> {
  let [line, begun, quoted] = [1, false, false];
  return function* (block) {
    for (const byte of block) {
      if (byte === NEWLINE) {
        if (!begun) yield { line, isBlank: true };
        line++;
        begun = begun && quoted;
      } else {
        if (byte === QUOTE) quoted = !quoted;
        if (!begun && byte !== RETURN) {
          begun = true;
          yield { line, isBlank: false };
        }
      }
    }
  };
}

/** A function that takes the blocks of a file in order and yields the lines on which records begin. */
function startsOf(head: Head): (block: Buffer) => Generator<number> {
  if (head.kind === 'csv') return rowStarts();
  return head.layout === 'newline_delimited' ? lineStarts() : valueStarts(head);
}

/** Lines on which rows of a CSV begin. */
function rowStarts(): (block: Buffer) => Generator<number> {
  const lines = csvLines();
  return function* (block) {
    for (const { line, isBlank } of lines(block)) if (!isBlank) yield line;
  };
}

/** Lines on which the records of JSON lines begin; a line may hold several records. */
function lineStarts(): (block: Buffer) => Generator<number> {
  const values = new TopValues(true);
  let [line, begun] = [1, false];
  return function* (block) {
    const places = new Set(values.add(block));
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (byte === NEWLINE) line++;
      if (byte === NEWLINE || places.has(at)) begun = false;
      if (!begun && byte > 32 && !(places.has(at) && byte === COMMA)) {
        begun = true;
        yield line;
      }
    }
  };
}

const [LIST, N_OF_NULL] = [91, 110];
const BETWEEN = new Set([9, 10, 13, 32, 44, 58]);

/**
 * Lines on which the records of other JSON begin: in lists or pages, or over several lines each. Of a page, only the
 * list under its key holds records; a page without it counts as one.
 */
function valueStarts({ layout, page }: Head): (block: Buffer) => Generator<number> {
  const level = (layout === 'array' || layout === 'lists' ? 1 : 0) + (page ? 2 : 0);
  let [line, depth, quoted, escaped, inValue] = [1, 0, false, false, false];
  let [pageLine, key, hasList, inList] = [1, '', false, !page];
  return function* (block) {
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number;
      if (byte === NEWLINE) line++;
      if (quoted) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) quoted = false;
        // A longer text is another one already.
        if (quoted && depth === level - 1 && key.length <= (page?.length ?? 0)) key += String.fromCharCode(byte);
        continue;
      }
      if (page && depth === level - 2) {
        if (byte === N_OF_NULL) yield line;
        if (OPENING.has(byte)) [pageLine, hasList] = [line, false];
      } else if (page && depth === level - 1) {
        if (OPENING.has(byte)) {
          inList = byte === LIST && key === page;
          hasList ||= inList;
        }
        if (CLOSING.has(byte) && !hasList) yield pageLine;
      }
      if (CLOSING.has(byte)) depth--;
      else if (inList && depth === level && !BETWEEN.has(byte) && !inValue && byte < 128) {
        inValue = true;
        yield line;
      }
      if (BETWEEN.has(byte) || CLOSING.has(byte)) inValue = inValue && depth > level;
      if (OPENING.has(byte)) depth++;
      else if (byte === QUOTE) [quoted, key] = [true, ''];
    }
  };
}
