import { statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { UsageError } from '../base/errors.js';
import type { Format } from '../frame/csv/file-forms.js';
import { asOptions, type Remedy, tellUnreadNumbers } from '../frame/csv/unread-numbers.js';
import type { ReadCsvOptions } from '../frame/files/read-csv.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { type CsvFlags, readOutput, withCsvFlags } from './query-output.js';

/** The forms that files of data are converted to. */
export const DATA_FORMS = ['csv', 'xlsx', 'ndjson', 'parquet', 'arrow'] as const satisfies readonly Format[];

const READ = /\.(parquet|arrow)$|\.(csv|ndjson|jsonl)(\.gz)?$/i;

/** Whether a file is one of data, by its name. */
export function isDataFile(path: string): boolean {
  return READ.test(path);
}

/** How a file of data is converted. */
export interface DataConversion extends CsvFlags {
  readonly to?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/**
 * Converts a file of CSV, JSON lines, Parquet or Arrow into another form: a workbook, CSV, JSON lines, Parquet or Arrow.
 * What the flags say of CSV is said of the file that is written or, if that is none of CSV, of the one that is read.
 *
 * @returns The path of the file that was written.
 * @throws {UsageError} If the form is not said, is none for data, or is the file's own; or if the file is there already.
 * @throws {InputError} If the source cannot be read.
 * @throws {DataError} If the result cannot be written, or its form cannot hold it.
 */
export async function convertData(source: string, { to, out, force, ...flags }: DataConversion): Promise<string> {
  if (out === '-') throw new UsageError('--out - is for notebooks: name a file or a folder for data.');
  const isFolder = out !== undefined && statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const forms = `--to ${DATA_FORMS.join(', ')}, or by the ending of --out`;
  if (to === undefined && (out === undefined || isFolder)) {
    throw new UsageError(`${source} is a file of data: say what it becomes by ${forms}.`);
  }
  const form = DATA_FORMS.find((each) => each === to);
  if (to !== undefined && form === undefined) {
    throw new UsageError(`${source} is a file of data, which does not become ${to}: take ${forms}.`);
  }
  const name = `${basename(source)
    .replace(/\.gz$/i, '')
    .replace(extname(source.replace(/\.gz$/i, '')), '')}.${form}`;
  const target = out === undefined ? join(dirname(source), name) : isFolder ? join(out, name) : out;
  const asked = readOutput(form, target, false);
  // Of two files of CSV the flags are about the one that is written.
  const isReading = isCsv(source) && asked.format !== 'csv';
  const output = withCsvFlags(asked, isReading ? onlyWritten(flags) : flags);
  if (output.format === 'table' || output.format === 'json') {
    throw new UsageError(`${source} is a file of data, which does not become ${output.format}: take ${forms}.`);
  }
  if (!force && statSync(target, { throwIfNoEntry: false }) !== undefined) {
    throw new UsageError(`${target} is there, so nothing was written: --force overwrites it.`);
  }
  const frame = await readData(source, isReading, flags);
  switch (output.format) {
    case 'csv':
      await (await import('../frame/csv/write-csv.js')).writeCsv(frame, target, output.csv);
      break;
    case 'xlsx':
      await (await import('../frame/files/write-xlsx.js')).writeXlsx(frame, target);
      break;
    case 'parquet':
      await (await import('../frame/files/parquet.js')).writeParquet(frame, target);
      break;
    case 'arrow':
      await (await import('../frame/files/write-arrow.js')).writeArrow(frame, target);
      break;
    default:
      await (await import('../frame/csv/json-lines.js')).writeJsonLines(frame, target);
  }
  return target;
}

function isCsv(path: string): boolean {
  return /\.csv(\.gz)?$/i.test(path);
}

/** Those of the flags that say nothing of a file that is read. */
function onlyWritten({ dates }: CsvFlags): CsvFlags {
  return dates === undefined ? {} : { dates };
}

/** How a file of CSV is read that was written with such flags. */
function readingOf({ decimal, ids }: CsvFlags): ReadCsvOptions {
  return { ...(decimal === 'comma' ? { decimal: ',' } : {}), ...(ids === 'text' ? { ids: 'text' } : {}) };
}

async function readData(source: string, isReading: boolean, flags: CsvFlags): Promise<DataFrame> {
  if (/\.parquet$/i.test(source)) return (await import('../frame/files/parquet.js')).readParquet(source);
  if (/\.arrow$/i.test(source)) return (await import('../frame/files/read-arrow.js')).readArrow(source);
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(source)) {
    const { jsonLinesFrame } = await import('../frame/files/read-json-lines.js');
    const { frame, target, unread } = await jsonLinesFrame(source, {});
    tellUnreadNumbers(`Columns of ${target}`, unread, (write) => inFlags(write, false));
    return frame;
  }
  const { csvFrame } = await import('../frame/files/read-csv.js');
  const { frame, target, unread } = await csvFrame(source, isReading ? readingOf(flags) : {});
  tellUnreadNumbers(`Columns of ${target}`, unread, (write) => inFlags(write, isReading));
  return frame;
}

/** What to write of the file that is read, by the flag that says it, or else as code for a notebook. */
function inFlags(write: Remedy['write'], isReading: boolean): string {
  if (isReading && String(write) === "decimal: ','") return '--decimal comma';
  return `in a notebook, ${typeof write === 'string' ? '' : 'readCsv with '}${asOptions(write)}`;
}
