import { statSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.js';
import { systemErrorCode } from '../base/whole-file.js';
import type { Query } from '../client/dataset-query.js';
import { SNAPSHOT_MODES, type SnapshotMode } from '../client/snapshot/snapshot-options.js';
import { answeredDataset, findDataset } from '../contract/dataset.js';
import { FORMATS, type Format } from '../frame/csv/file-forms.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Provenance } from '../frame/tabular/provenance.js';
import { csvOptions, dataOption, placeToAsk, wholeNumber } from './command-options.js';
import { interruptible } from './exit-code.js';
import { datasetNames, filterHelp, inFlags, noteInFlags, readQuery } from './query-filters.js';
import { type CsvFlags, type QueryOutput, readColumns, readOutput, withCsvFlags } from './query-output.js';

interface Flags extends CsvFlags {
  full?: true;
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
  const command = program
    .command('query')
    .argument('<dataset>', datasetNames())
    .argument('[filters...]', 'filters as options: --name value; --wallet may be repeated')
    .addOption(
      new Option(
        '--format <format>',
        'format of the output (default: by the extension of the file, else table)',
      ).choices(FORMATS),
    )
    .option('--out <file>', 'write to this file and print its path; a table then has all rows and columns')
    .option('--columns <names>', 'only these columns, in this order: a,b,c')
    .option('--full', 'in a table, whole ids and texts, however wide it gets')
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
  for (const option of csvOptions()) command.addOption(option);
}

async function runQuery(dataset: string, words: string[], flags: Flags, command: Command): Promise<void> {
  const asked = readQuery(dataset, words);
  const { id, params, top } = asked;
  if (top !== undefined && flags.limit !== undefined) {
    throw new UsageError('--top and --limit both say how many records are wanted: give one of them.');
  }
  const output = withCsvFlags(readOutput(flags.format, flags.out, process.stdout.isTTY === true), flags);
  if (flags.full && output.format !== 'table') {
    throw new UsageError(`--full is about tables, but this is ${output.format}, which is always whole: leave it out.`);
  }
  const queried = findDataset(id);
  const known = queried ? answeredDataset(queried, params).columns.map(({ name }) => name) : [];
  const isShown = output.format === 'table' && output.path === undefined;
  const columns =
    flags.columns === undefined ? shownColumns(isShown, params, known) : readColumns(flags.columns, known);
  const { exact, strict, snapshot, mode } = flags;
  const [{ openLab }, { namesNothing, tellNotes }] = await Promise.all([
    import('../lab.js'),
    import('./query-notes.js'),
  ]);
  const place = placeToAsk(flags, command);
  let told: readonly Provenance[] = [];
  const notes = new Set<string>();
  const onWarning = (text: string) => {
    const note = noteInFlags(text, asked);
    if (!notes.has(note)) process.stderr.write(`note: ${note}\n`);
    notes.add(note);
  };
  await interruptible(async (signal) => {
    const lab = await openLab({ ...place, snapshot, mode, onWarning });
    try {
      const onProvenance = (queries: readonly Provenance[]) => {
        told = queries;
      };
      const query = lab.dataset(id, params, { maxRecords: top ?? flags.limit, exact, strict, signal, onProvenance });
      const isNothing = () => namesNothing(told);
      await write(query, output, { columns, isKnown: known.length > 0, isNothing, isFull: flags.full === true });
    } finally {
      await lab.close();
    }
  }).catch((error: unknown) => {
    throw inFlags(error, asked, place.data !== undefined);
  });
  // The path may name a pipe, even stdout itself.
  if (output.path !== undefined && isFile(output.path)) process.stdout.write(`${output.path}\n`);
  tellNotes(told, place);
}

/** What profit is told by, in the columns that name it. */
const GROUP_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  market: ['question', 'condition_id', 'event_slug', 'category'],
  event: ['event_slug', 'category'],
  category: ['category'],
};

/**
 * The columns of a table on a terminal, which leaves out those that do not fit: of profit by a group, what names the group
 * comes before the figures, and what the group has not is left out.
 *
 * @returns Undefined for all, as they come.
 */
function shownColumns(
  isShown: boolean,
  { by }: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] | undefined {
  // The id of a fill says what its wallet and its time say beside it, in more room than both.
  if (isShown && by === undefined && known[0] === 'id') return [...known.slice(1), 'id'];
  const group = by === undefined || !isShown ? undefined : GROUP_COLUMNS[by.toLowerCase()];
  if (group === undefined || !known.includes('category')) return undefined;
  const all = new Set(Object.values(GROUP_COLUMNS).flat());
  return ['date', 'proxy_wallet', ...group, ...known.slice(2).filter((name) => !all.has(name))];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Which columns of a query are written. */
interface Choice {
  readonly columns: readonly string[] | undefined;
  /** Whether the columns are known before the answer, so that it can be written page by page. */
  readonly isKnown: boolean;
  /** Whether the data have nothing of what was asked for; known once the answer is read. */
  readonly isNothing: () => boolean;
  /** Whether a table shows ids and texts whole. */
  readonly isFull: boolean;
}

async function write(
  query: Query,
  output: QueryOutput,
  { columns, isKnown, isNothing, isFull }: Choice,
): Promise<void> {
  const { chosenColumns } = await import('../frame/verbs/with-columns.js');
  const whole = async () => chosenColumns(await query.frame(), columns);
  switch (output.format) {
    case 'table': {
      const all = await query.frame();
      if (output.path === undefined && isNothing()) return;
      const { incompleteMark } = await import('./query-notes.js');
      await writeTable(chosenColumns(all, columns), output, { isFull, mark: incompleteMark(all) });
      return;
    }
    case 'xlsx': {
      const { writeXlsx } = await import('../frame/files/write-xlsx.js');
      return writeBinary(output, async (path) => writeXlsx(await whole(), path));
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

/** Writes a table: what fits the terminal, or all rows and columns to a file or another program; below it, its mark. */
async function writeTable(
  frame: DataFrame,
  { path, gzip }: QueryOutput,
  { isFull: full, mark }: { readonly isFull: boolean; readonly mark: string | undefined },
): Promise<void> {
  const { toText } = await import('../frame/display/frame-text.js');
  const width = path === undefined && process.stdout.isTTY ? process.stdout.columns || 120 : undefined;
  const whole = { width: Number.POSITIVE_INFINITY, rows: Math.max(1, frame.shape[0]), full };
  const table = toText(frame, width === undefined ? whole : { width, full });
  const text = mark === undefined ? `${table}\n` : `${table}\n${mark}\n`;
  if (path === undefined) process.stdout.write(text);
  else await (await import('../base/whole-file.js')).writeWhole(path, text, { gzip });
}
