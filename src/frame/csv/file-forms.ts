import { UsageError } from '../../base/errors.js';
import { fullPath } from './named-file.js';

/** The forms in which records are printed or written. */
export const FORMATS = ['table', 'csv', 'xlsx', 'json', 'ndjson', 'parquet', 'arrow'] as const;

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];

/** The forms by the endings of files' names. */
export const ENDINGS: Readonly<Record<string, Format>> = {
  txt: 'table',
  csv: 'csv',
  xlsx: 'xlsx',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  arrow: 'arrow',
};

/** The forms that are no text. */
export const BINARY: readonly Format[] = ['xlsx', 'parquet', 'arrow'];

/** The functions that write a frame as a file, by their forms. */
const WRITERS: Partial<Readonly<Record<Format, string>>> = {
  csv: 'writeCsv',
  xlsx: 'writeXlsx',
  ndjson: 'writeJsonLines',
  parquet: 'writeParquet',
  arrow: 'writeArrow',
};

/** The form that the ending of a file's name stands for, if any. */
export function namedFormat(path: string): Format | undefined {
  const ending = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

/** The endings of a form's files, as in `.ndjson or .jsonl`. */
export function endingsOf(format: Format): string {
  const endings = Object.entries(ENDINGS).filter(([, each]) => each === format);
  return endings.map(([ending]) => `.${ending}`).join(' or ');
}

/** Whether a file of that name may hold a form: a .txt file any text, and one of an unknown ending whatever it is. */
export function fitsName(path: string, format: Format): boolean {
  const named = namedFormat(path);
  return named === undefined || named === format || (named === 'table' && !BINARY.includes(format));
}

/**
 * The full path of a file that a function is to write in a form.
 *
 * @throws {UsageError} If the path is not a text or empty, or its ending says another form, or that a form which is
 *   compressed within is compressed: the message says what to write.
 */
export function writtenPath(path: string, format: Format): string {
  const target = fullPath(path);
  const [named, writer] = [namedFormat(path), WRITERS[format]];
  if (!fitsName(path, format)) {
    const other = named && WRITERS[named];
    throw new UsageError(
      `The name ${path} says ${named}, but ${writer} writes ${format}: end it in ${endingsOf(format)}` +
        `${other === undefined ? '' : `, or take ${other}`}.`,
    );
  }
  if (BINARY.includes(format) && /\.gz$/i.test(path))
    throw new UsageError(`${format} is compressed within: give the file a name without .gz.`);
  return target;
}
