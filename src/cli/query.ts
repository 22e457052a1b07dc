import { statSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { NotSeenError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { systemErrorCode } from '../base/whole-file.js';
import type { Query } from '../client/dataset-query.js';
import { SNAPSHOT_MODES, type SnapshotMode } from '../client/snapshot/snapshot-options.js';
import { faultsOf, notesOf } from '../contract/completeness-words.js';
import { findDataset } from '../contract/dataset.js';
import type { WalletCompleteness } from '../frame/tabular/completeness.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Provenance } from '../frame/tabular/provenance.js';
import { dataOption, placeToAsk, wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { filterHelp, readQuery } from './query-filters.js';
import { FORMATS, type Format, type QueryOutput, readColumns, readOutput } from './query-output.js';

interface Flags {
  format?: Format;
  out?: string;
  columns?: string;
  limit?: number;
  exact?: true;
  strict?: true;
  snapshot?: string;
  mode?: SnapshotMode;
  url?: string;
  data: string;
}

/** Adds `oddslab query`, which prints the records of a dataset or writes them to a file. */
export function addQueryCommand(program: Command): void {
  program
    .command('query')
    .argument('<dataset>', 'markets, pnl, lifetime, or the number of any dataset')
    .argument('[filters...]', 'filters as options: --name value; --wallet may be repeated')
    .addOption(
      new Option(
        '--format <format>',
        'format of the output (default: by the extension of the file, else table)',
      ).choices(FORMATS),
    )
    .option('--out <file>', 'write to this file and print its path; a table then has all rows and columns')
    .option('--columns <names>', 'only these columns, in this order: a,b,c')
    .option('--limit <records>', 'at most this many records', wholeNumber('--limit', 1, 1e12))
    .option('--exact', 'keep amounts as exact decimals instead of doubles')
    .option('--strict', 'refuse records with fields that the contract does not know')
    .option('--snapshot <dir>', 'folder with recorded answers: answer from it, record into it')
    .addOption(
      new Option('--mode <mode>', 'how the snapshot is used: see oddslab snapshot --help').choices(SNAPSHOT_MODES),
    )
    .addOption(new Option('--url <address>', 'query service to ask').env('ODDSLAB_URL'))
    .addOption(dataOption())
    .allowUnknownOption()
    .addHelpText('after', (context) => `\nFilters:\n${filterHelp(context.command)}`)
    .action(runQuery);
}

async function runQuery(dataset: string, words: string[], flags: Flags, command: Command): Promise<void> {
  const { id, params } = readQuery(dataset, words);
  const output = readOutput(flags.format, flags.out, process.stdout.isTTY === true);
  const known = findDataset(id)?.columns.map(({ name }) => name) ?? [];
  const columns = flags.columns === undefined ? undefined : readColumns(flags.columns, known);
  const { limit: maxRecords, exact, strict, snapshot, mode } = flags;
  const [{ openLab }, { completenessIn }] = await Promise.all([
    import('../lab.js'),
    import('../frame/tabular/completeness.js'),
  ]);
  const place = placeToAsk(flags, command);
  let told: readonly WalletCompleteness[] = [];
  await interruptible(async (signal) => {
    const lab = await openLab({ ...place, snapshot, mode });
    try {
      const onProvenance = (queries: readonly Provenance[]) => {
        told = completenessIn(queries);
      };
      const query = lab.dataset(id, params, { maxRecords, exact, strict, signal, onProvenance });
      const isNothing = () => told.length > 0 && told.every(({ seen }) => !seen);
      await write(query, output, { columns, isKnown: known.length > 0, isNothing });
    } finally {
      await lab.close();
    }
  });
  // The path may name a pipe, even stdout itself.
  if (output.path !== undefined && isFile(output.path)) process.stdout.write(`${output.path}\n`);
  warnOf(told, place);
}

/**
 * Warns of each wallet whose record is not complete.
 *
 * @throws {NotSeenError} If no record mentions one of them.
 */
function warnOf(told: readonly WalletCompleteness[], { data }: { readonly data?: string }): void {
  for (const { wallet, ...record } of told) {
    const faults = record.seen ? faultsOf(record) : [];
    if (faults.length > 0) process.stderr.write(`${wallet}: ${faults.join('; ')}\n`);
    for (const note of notesOf(record)) process.stderr.write(`${wallet}: note: ${note}\n`);
  }
  const unseen = told.filter(({ seen }) => !seen);
  if (unseen.length === 0) return;
  const into = data === undefined || data === 'data' ? '' : ` --data ${shellWord(data)}`;
  const lines = unseen.map(({ wallet, fetched }) => {
    if (fetched) return `not seen: no record mentions ${wallet}, though it was fetched: is it the address of a login?`;
    return `not seen: no record mentions ${wallet}${data === undefined ? '' : ` (run: npx oddslab fetch wallet ${wallet}${into})`}`;
  });
  throw new NotSeenError(lines.join('\n'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Which columns of a query are written. */
interface Choice {
  readonly columns: readonly string[] | undefined;
  /** Whether the columns are known before the answer, so that it can be written page by page. */
  readonly isKnown: boolean;
  /** Whether no record mentions any wallet that was asked for; known once the answer is read. */
  readonly isNothing: () => boolean;
}

async function write(query: Query, output: QueryOutput, { columns, isKnown, isNothing }: Choice): Promise<void> {
  const { chosenColumns } = await import('../frame/verbs/with-columns.js');
  const whole = async () => chosenColumns(await query.frame(), columns);
  switch (output.format) {
    case 'table': {
      const frame = await whole();
      if (output.path !== undefined || !isNothing()) await writeTable(frame, output);
      return;
    }
    case 'parquet': {
      const { writeParquet } = await import('../frame/files/parquet.js');
      return writeBinary(output, async (path) => writeParquet(await whole(), path));
    }
    case 'arrow': {
      const { writeArrow } = await import('../frame/files/write-arrow.js');
      return writeBinary(output, async (path) => writeArrow(await whole(), path));
    }
  }
  const { writeFrames } = await import('./write-frames.js');
  // On a terminal, progress and records would be mixed up.
  const streams = isKnown && !(output.path === undefined && process.stdout.isTTY);
  await writeFrames(streams ? byPage(query, columns) : only(whole), output.format, output);
}

/** Writes a binary format; to stdout only once it is complete, since a reader could not recognize a cut one. */
async function writeBinary({ path }: QueryOutput, write: (path: string) => Promise<unknown>): Promise<void> {
  if (path !== undefined) {
    await write(path);
    return;
  }
  const records = await unnamedFile(write);
  try {
    await pipeline(records.createReadStream(), process.stdout, { end: false });
  } catch (error) {
    // The reader stopped early, which is no failure.
    if (systemErrorCode(error) !== 'EPIPE') throw error;
  }
}

/** Opens the file that `write` wrote and removes its name, so that nothing is left however the process ends. */
async function unnamedFile(write: (path: string) => Promise<unknown>): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-query-'));
  try {
    await write(join(folder, 'records'));
    return await open(join(folder, 'records'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* byPage(query: Query, columns: readonly string[] | undefined): AsyncGenerator<DataFrame> {
  const { chosenColumns } = await import('../frame/verbs/with-columns.js');
  for await (const frame of query.frames()) yield chosenColumns(frame, columns);
}

async function* only(frame: () => Promise<DataFrame>): AsyncGenerator<DataFrame> {
  yield await frame();
}

/** Writes a table: what fits the terminal to stdout, or all rows and columns to a file. */
async function writeTable(frame: DataFrame, { path, gzip }: QueryOutput): Promise<void> {
  const { toText } = await import('../frame/display/frame-text.js');
  if (path === undefined) {
    process.stdout.write(`${toText(frame, { width: process.stdout.columns || 120 })}\n`);
    return;
  }
  const text = toText(frame, { width: Number.POSITIVE_INFINITY, rows: Math.max(1, frame.shape[0]) });
  await (await import('../base/whole-file.js')).writeWhole(path, `${text}\n`, { gzip });
}
