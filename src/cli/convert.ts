import { statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { writeWhole } from '../base/whole-file.js';
import type { Converted } from '../notebook/convert-notebook.js';
import { PERCENT_EXTENSIONS } from '../notebook/format/percent-marker.js';
import { csvOptions } from './command-options.js';
import { convertData, DATA_FORMS, type DataConversion, isDataFile } from './convert-data.js';
import { readText } from './notebook-input.js';
import type { CsvFlags } from './query-output.js';

/** How files are converted. */
export interface ConvertOptions {
  /** The format to convert to. Default: the other one. */
  to?: string;
  /** File or folder for the result, or `-` for stdout. Default: beside the source. */
  out?: string;
  /** Whether to overwrite a target with different content. Default: false. */
  force?: boolean;
}

/** A converted file, and where to write it. */
interface Conversion extends Converted {
  source: string;
  /** Path to write to; undefined for stdout. */
  target: string | undefined;
  /** Present content of the target, if it exists. */
  existing: string | undefined;
}

/**
 * Converts notebooks to TypeScript files in percent format, and such files to notebooks. It reads and converts all
 * files before it writes the first.
 *
 * @param onNote Called with each message for the user.
 * @returns The files that were written. Files that are up to date are not written.
 * @throws {UsageError} If a file is missing, its name is not that of a notebook or program, two files have the same
 * target, or a target exists with different content.
 * @throws {InputError} If a file cannot be read, or is not a valid notebook or program.
 * @throws {DataError} If a result cannot be written.
 */
export async function convertFiles(
  paths: readonly string[],
  options: ConvertOptions,
  onNote: (text: string) => void = () => {},
): Promise<string[]> {
  const conversions: Conversion[] = [];
  for (const path of paths) conversions.push(await convert(path, paths.length > 1, options));
  refuseSameTargets(conversions);
  for (const conversion of conversions) refuseLoss(conversion, options.force ?? false);
  const written: string[] = [];
  for (const { source, target, existing, text, notes } of conversions) {
    for (const note of notes) onNote(`${target ?? source}: ${note}`);
    if (target === undefined) process.stdout.write(text);
    else if (existing === text) onNote(`${target} is up to date.`);
    else {
      await writeWhole(target, text);
      written.push(target);
    }
  }
  return written;
}

const EXAMPLES = `
Examples:
  $ oddslab convert report.ipynb            # writes report.ts
  $ oddslab convert report.ts --force       # updates report.ipynb, keeps outputs
  $ oddslab convert notebooks/*.ipynb --out programs   # a folder that is there
  $ oddslab convert report.ipynb --out - | less
  $ oddslab convert pnl.parquet --to xlsx   # data: CSV, JSON lines, Parquet, Arrow into these or a workbook
  $ oddslab convert pnl.csv --out for-excel.csv --decimal comma --dates day
  $ oddslab convert from-excel.csv --to parquet --decimal comma   # CSV that has commas before decimals`;

/** Registers `oddslab convert FILE…`. */
export function addConvertCommand(program: Command): void {
  const command = program
    .command('convert')
    .argument('<file...>', '.ipynb, or .ts, .mts, .js, .mjs in percent format; or .csv, .parquet, .arrow')
    .addOption(
      new Option('--to <form>', 'the format to convert to (default: for notebooks the other one)').choices([
        'ts',
        'ipynb',
        ...DATA_FORMS,
      ]),
    )
    .option('--out <path>', 'file or folder for the result, or - for stdout (default: beside the source)')
    .option('--force', 'overwrite a file that has different content', false)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], { decimal, dates, ids, ...options }: ConvertOptions & CsvFlags) => {
      const csv = Object.fromEntries(
        Object.entries({ decimal, dates, ids }).filter(([, value]) => value !== undefined),
      );
      if (paths.some(isDataFile)) {
        await convertAllData(paths, { ...options, ...csv });
        return;
      }
      const [flag] = Object.keys(csv);
      if (flag !== undefined) throw new UsageError(`--${flag} says how CSV is written, but these are notebooks.`);
      const written = await convertFiles(paths, options, (text) => process.stderr.write(`${text}\n`));
      for (const path of written) process.stdout.write(`${path}\n`);
    });
  for (const option of csvOptions()) command.addOption(option);
}

async function convertAllData(paths: readonly string[], options: DataConversion): Promise<void> {
  const other = paths.find((path) => !isDataFile(path));
  if (other !== undefined) throw new UsageError(`${other} is no file of data as the others are: convert it by itself.`);
  if (paths.length > 1 && options.out !== undefined && !isFolder(options.out)) {
    throw new UsageError(
      `--out ${options.out} is no folder; several files need one: make it first (mkdir -p ${options.out}).`,
    );
  }
  for (const path of paths) process.stdout.write(`${await convertData(path, options)}\n`);
}

async function convert(source: string, isOneOfMany: boolean, options: ConvertOptions): Promise<Conversion> {
  const { toNotebook, toPercent } = await import('../notebook/convert-notebook.js');
  const from = formOf(source);
  const to = options.to ?? (from === 'ipynb' ? 'ts' : 'ipynb');
  if (to !== 'ts' && to !== 'ipynb') {
    throw new UsageError(
      `${source} is a ${from === 'ts' ? 'program' : 'notebook'}, which does not become ${to}: take --to ts or ipynb.`,
    );
  }
  if (from === to)
    throw new UsageError(
      `${source} is ${to === 'ts' ? 'a program' : 'a notebook'} already; --to names the other form.`,
    );
  const target = targetOf(source, to, isOneOfMany, options.out);
  const text = readText(source);
  const existing = target === undefined ? undefined : readExisting(target);
  const older = target === undefined || existing === undefined ? undefined : { text: existing, name: target };
  const converted = to === 'ts' ? toPercent(text, source) : toNotebook(text, source, older);
  return { ...converted, source, target, existing };
}

function formOf(path: string): 'ts' | 'ipynb' {
  const extension = extname(path).toLowerCase();
  if (extension === '.ipynb') return 'ipynb';
  if (PERCENT_EXTENSIONS.includes(extension)) return 'ts';
  throw new UsageError(
    `${path} is neither a notebook (.ipynb) nor a program in percent format (${PERCENT_EXTENSIONS.join(', ')}).`,
  );
}

function targetOf(
  source: string,
  to: 'ts' | 'ipynb',
  isOneOfMany: boolean,
  out: string | undefined,
): string | undefined {
  if (out === '-') {
    if (!isOneOfMany) return undefined;
    throw new UsageError('--out - takes one file: several would run together on stdout.');
  }
  const name = `${basename(source, extname(source))}.${to}`;
  if (out === undefined) return join(dirname(source), name);
  if (isFolder(out)) return join(out, name);
  if (!isOneOfMany) return out;
  throw new UsageError(`--out ${out} is no folder; several files need one: make it first (mkdir -p ${out}).`);
}

function refuseSameTargets(conversions: readonly Conversion[]): void {
  const sources = new Map<string, string>();
  for (const { source, target } of conversions) {
    if (target === undefined) continue;
    const other = sources.get(resolve(target));
    if (other !== undefined) {
      throw new UsageError(`${other} and ${source} would both become ${target}: convert them one by one, with --out.`);
    }
    sources.set(resolve(target), source);
  }
}

function refuseLoss({ target, existing, text }: Conversion, force: boolean): void {
  if (force || target === undefined || existing === undefined || existing === text) return;
  const kept = extname(target) === '.ipynb' ? '; cells whose source is the same keep their outputs' : '';
  throw new UsageError(`${target} is there and differs, so nothing was written: --force overwrites it${kept}.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readExisting(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readText(path) : undefined;
}
