import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { CsvOptions } from '../frame/csv/csv-options.js';
import { BINARY, ENDINGS, endingsOf, type Format, fitsName, namedFormat } from '../frame/csv/file-forms.js';

/** Where records go, and in which format. */
export interface QueryOutput {
  readonly format: Format;
  /** Path of the file; absent for stdout. */
  readonly path?: string;
  /** Whether the file is compressed as a whole. */
  readonly gzip: boolean;
  /** How CSV is written, where not by default. */
  readonly csv?: CsvOptions;
}

/**
 * Reads from `--format` and `--out` where the records go. The default format follows from the file's extension, or is a
 * table if there is no file. A file whose name ends in `.gz` is compressed; `-` and `/dev/stdout` mean stdout.
 *
 * @param isTerminal Whether stdout is a terminal.
 * @throws {UsageError} If the extension is unknown and no format is given, or contradicts the format; if a binary
 * format would go to a terminal or be compressed twice.
 * @example readOutput(undefined, 'pnl.csv.gz'); // { format: 'csv', path: 'pnl.csv.gz', gzip: true }
 */
export function readOutput(given: Format | undefined, out: string | undefined, isTerminal: boolean): QueryOutput {
  const path = out === '-' || out === '/dev/stdout' ? undefined : out;
  const format = given ?? (path === undefined ? 'table' : formatOf(path));
  if (path === undefined) {
    if (!BINARY.includes(format) || !isTerminal) return { format, gzip: false };
    throw new UsageError(`${format} is a binary form, not for a terminal: name a file by --out FILE.`);
  }
  if (!fitsName(path, format)) {
    throw new UsageError(
      `The name ${path} says ${namedFormat(path)}, but --format says ${format}: end it in ${endingsOf(format)}, or leave --format out.`,
    );
  }
  const gzip = /\.gz$/i.test(path);
  if (gzip && BINARY.includes(format)) {
    throw new UsageError(`${format} is compressed within: give the file a name without .gz.`);
  }
  return { format, path, gzip };
}

function formatOf(path: string): Format {
  const format = namedFormat(path);
  if (format !== undefined) return format;
  throw new UsageError(
    `The name ${path} does not say which form the file has: end it in ${Object.keys(ENDINGS)
      .map((each) => `.${each}`)
      .join(', ')}, or add --format.`,
  );
}

/** The options of a command that say how CSV is written. */
export interface CsvFlags {
  readonly decimal?: string;
  readonly dates?: string;
  readonly ids?: string;
}

/**
 * Adds to an output how CSV is written: `--decimal comma`, `--dates day`, `--ids text`.
 *
 * @throws {UsageError} If one of them is given for another format.
 */
export function withCsvFlags(output: QueryOutput, { decimal, dates, ids }: CsvFlags): QueryOutput {
  const given = Object.entries({ decimal, dates, ids }).find(([, value]) => value !== undefined);
  if (given === undefined) return output;
  if (output.format !== 'csv') {
    const why =
      output.format === 'xlsx' ? 'a workbook holds numbers, days and ids as they are' : `this is ${output.format}`;
    throw new UsageError(`--${given[0]} says how CSV is written, but ${why}: leave it out, or take --format csv.`);
  }
  return {
    ...output,
    csv: {
      ...(decimal === 'comma' ? { decimal: ',' } : {}),
      ...(dates === 'day' ? { dates: 'day' } : {}),
      ...(ids === 'text' ? { ids: 'text' } : {}),
    },
  };
}

/**
 * Reads `--columns a,b,c`.
 *
 * @param known The columns of the dataset; empty if they are not known before the answer.
 * @throws {UsageError} If a name is empty, repeated or unknown; the message names the most similar column.
 */
export function readColumns(text: string, known: readonly string[]): string[] {
  const names = text.split(',').map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (names.includes('') || twice !== undefined) {
    const what = twice ? `names ${twice} twice` : 'has an empty name';
    throw new UsageError(`--columns ${text} ${what}: it is a list of names with commas between.`);
  }
  const stray = known.length > 0 ? names.find((name) => !known.includes(name)) : undefined;
  if (stray === undefined) return names;
  const near = nearest(stray, known);
  const hint = near === undefined ? `The columns are ${known.join(', ')}.` : `Did you mean "${near}"?`;
  throw new UsageError(`--columns names "${stray}", which is no column of this dataset. ${hint}`);
}
