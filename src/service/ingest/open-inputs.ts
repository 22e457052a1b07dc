import { createWriteStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../base/errors.js';
import { appendAll } from '../../base/many.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { readSampleManifest, SAMPLE_MANIFEST, sampleOf } from '../sample/sample-manifest.js';
import { checkZstd, contentOf, unreadable } from './compression.js';
import { SIMULATION } from './fetch-origins.js';
import { FETCH_STATUS, type FetchStatus, readFetchStatus } from './fetch-status.js';
import { FORMATS, formatOf } from './formats.js';
import { EmptyPage, MOST_DIGITS, parquetColumns, readHead } from './head.js';
import { type Mapping, mappedFormat } from './mapping.js';
import type { Format, Input } from './stage.js';

/** Options for opening inputs. */
interface OpenOptions {
  /** The data folder. */
  folder: string;
  /** A folder for what must be written to a file before it can be read: stdin and compressed Parquet. */
  scratch: string;
  /** What `-` stands for. */
  stdin: Readable;
  mapping?: Mapping | undefined;
  /** Id of the one format that inputs may have; `mapping` for that of the mapping. */
  format?: string | undefined;
  /** Whether all inputs that no `oddslab fetch` wrote are pages of one download. Default false: each is one. */
  pages?: boolean | undefined;
}

/** Inputs of known formats, and the others with the reason. The manifest of `oddslab simulate` is in neither list. */
interface OpenedInputs {
  inputs: Input[];
  /** What folders of `oddslab fetch` say of themselves. */
  fetches: FetchStatus[];
  left: LeftInput[];
}

/** An input that was not read, and why. */
export interface LeftInput {
  path: string;
  why: string;
  /** Whether it was named, not merely found in a folder, and is in no known format. */
  isRefused?: true;
}

/**
 * Reads how inputs begin and finds their formats. Files of no known format are left, as long as another has one.
 *
 * @throws {InputError} If an input is missing, has another format than asked for, or none has a known format.
 */
export async function openInputs(paths: readonly string[], options: OpenOptions): Promise<OpenedInputs> {
  const mapped = options.mapping && mappedFormat(options.mapping);
  const { found, fetched } = await findInputs(paths, options.folder);
  const opened: OpenedInputs = { inputs: [], fetches: [], left: [] };
  const statuses = new Map<string, FetchStatus>();
  for (const folder of fetched) statuses.set(folder, await readFetchStatus(folder));
  appendAll(opened.fetches, statuses.values());
  let first: Error | undefined;
  for (const [index, { path, inFolder, fetch }] of found.entries()) {
    const file = path === STDIN ? await spoolStdin(options.stdin, join(options.scratch, `input-${index}`)) : path;
    const input = await openInput(path === STDIN ? 'stdin' : path, file, { ...options, mapped }, index).catch(
      (error: unknown) => {
        const isHarmless = error instanceof UnknownFormat || error instanceof EmptyPage;
        if (isHarmless || (inFolder && error instanceof InputError)) return error;
        throw error;
      },
    );
    const download = fetch ?? (options.pages ? ONE_DOWNLOAD : undefined);
    if (!(input instanceof Error)) {
      const origin = fetch === undefined ? await simulationOf(path, input) : statuses.get(fetch);
      opened.inputs.push({ ...input, download, fetch: origin });
    } else {
      first ??= input;
      const isRefused = !inFolder && input instanceof UnknownFormat;
      const left = { path, why: input.message, ...(isRefused ? { isRefused } : {}) };
      if (!(await describesSample(path))) opened.left.push(left);
    }
  }
  if (opened.inputs.length === 0 && first) {
    const known = FORMATS.map(({ name }) => name).join(', ');
    const isOther = first instanceof UnknownFormat && mapped === undefined;
    const others = isOther ? ', and any other columns by --mapping: see oddslab ingest --help' : '';
    throw new InputError(`${first.message} Ingest knows ${known}${others}.`);
  }
  if (mapped && !opened.inputs.some(({ format }) => format === mapped)) {
    const why = first ? ` ${first.message}` : '';
    throw new InputError(`No input has the columns that the mapping names: ${mapped.required.join(', ')}.${why}`);
  }
  return opened;
}

/** A sample as the origin of its events, like a fetch, so that what is simulated can be told; undefined for other files. */
async function simulationOf(path: string, { file, head }: Input): Promise<FetchStatus | undefined> {
  const content = head.compression === 'none' ? undefined : contentOf(path, file, head.compression);
  // That a file is damaged is told when its records are read.
  const target = path === STDIN ? undefined : await sampleOf(path, content).catch(() => undefined);
  if (target === undefined) return undefined;
  // A sample is made at once, and is the same whenever it is made.
  const made = '1970-01-01T00:00:00Z';
  const whole = { complete: true, until: null, missing: [] };
  return { oddslab_fetch: 1, kind: SIMULATION, target, started: made, ended: made, ...whole };
}

/** Whether a file is the manifest that `oddslab simulate` writes beside a sample: it holds no records. */
async function describesSample(path: string): Promise<boolean> {
  return basename(path) === SAMPLE_MANIFEST && (await readSampleManifest(dirname(path))) !== undefined;
}

/** The refusal of an input whose format is not known; it is harmless as long as other inputs have a known one. */
class UnknownFormat extends InputError {}

async function openInput(
  path: string,
  file: string,
  { scratch, mapped, format: only }: OpenOptions & { mapped: Format | undefined },
  index: number,
): Promise<Input> {
  let head = await readHead(path, file);
  let place = file;
  const known = (names: readonly string[]) =>
    mapped?.required.every((name) => names.includes(name)) ? mapped : formatOf(names);
  // Damage must not be mistaken for an unknown format, nor go unnoticed when Parquet is unpacked.
  if (head.compression === 'zstd' && !known(head.names)) await checkZstd(path, file);
  if (head.kind === 'parquet' && head.compression !== 'none') {
    place = await spool(contentOf(path, file, head.compression), join(scratch, `unpacked-${index}`));
    head = { ...head, compression: 'none', ...(await parquetColumns(path, place)) };
  }
  const format = known(head.names);
  if (!format) throw new UnknownFormat(`${path} ${unknown(head.names, mapped)}`);
  if (only !== undefined && only !== (format === mapped ? 'mapping' : format.id)) {
    throw new InputError(`${path} holds ${format.name}, not what --format ${only} says.`);
  }
  const wide = [...format.required, ...format.optional].find((name) => head.tooWide.has(name));
  if (wide !== undefined) {
    throw new InputError(
      `${path} has decimals of more than ${MOST_DIGITS} digits in "${wide}", which cannot be read: write this column as ` +
        `DECIMAL(${MOST_DIGITS}, …) or as text.`,
    );
  }
  return { path, file: place, head, format };
}

function unknown(names: readonly string[], mapped: Format | undefined): string {
  const lacking = mapped?.required.filter((name) => !names.includes(name)) ?? [];
  const found = names.slice(0, 8).join(', ') || '(none)';
  if (mapped && lacking.length < mapped.required.length) {
    return `lacks columns that the mapping names: ${lacking.join(', ')}; it has ${found}.`;
  }
  return `has no format that ingest knows: its first record has the fields ${found}.`;
}

async function spoolStdin(stdin: Readable, file: string): Promise<string> {
  return spool(stdin, file).catch((cause: unknown) => {
    if (stdin.errored !== cause) throw cause;
    throw new InputError(`Cannot read stdin: ${systemErrorCode(cause) ?? cause}.`, { cause });
  });
}

async function spool(content: AsyncIterable<Uint8Array> | Readable, file: string): Promise<string> {
  await pipeline(content, createWriteStream(file));
  return file;
}

/** The path of an input, as given or within a given folder; files in folders were not named: they need not be usable. */
interface FoundInput {
  path: string;
  inFolder: boolean;
  /** The folder of `oddslab fetch` that it lies in. */
  fetch?: string | undefined;
}

/** What the files are pages of that are said to be pages of one download. */
const ONE_DOWNLOAD = 'pages';

/** The input that stands for stdin. */
const STDIN = '-';

/**
 * The files that inputs stand for, each once. A folder stands for all files in it and beneath it, sorted by name,
 * except hidden ones; one that `oddslab fetch` wrote for the records in it.
 *
 * @param data The data folder, whose files are no inputs even if it lies in an input folder.
 * @returns The files, and the folders that `oddslab fetch` wrote.
 * @throws {InputError} If an input does not exist or is the data folder, or a folder holds no file.
 */
async function findInputs(
  inputs: readonly string[],
  data: string,
): Promise<{ found: FoundInput[]; fetched: ReadonlySet<string> }> {
  const found = new Map<string, FoundInput>();
  const fetched = new Set<string>();
  for (const input of inputs) {
    if (input === STDIN || !(await isFolder(input))) {
      found.set(input, { path: input, inFolder: false });
      continue;
    }
    if (resolve(input) === resolve(data)) {
      throw new InputError(`${input} is the data folder itself: name the folder or the files with raw records.`);
    }
    const files = await filesIn(input, resolve(data));
    if (files.length === 0) throw new InputError(`The folder ${input} holds no file: name one with raw records.`);
    const folders = new Set(files.filter((path) => basename(path) === FETCH_STATUS).map((path) => dirname(path)));
    for (const folder of folders) fetched.add(folder);
    for (const path of files) {
      const fetch = fetchOf(path, input, folders);
      if (fetch !== undefined && !(await holdsRecords(path))) continue;
      // A file that is also named by itself is a page of what it lies in.
      if (fetch !== undefined || !found.has(path)) found.set(path, { path, inFolder: true, fetch });
    }
  }
  return { found: [...found.values()], fetched };
}

/** The folder of `oddslab fetch` that a file lies in or beneath, up to the one that was named. */
function fetchOf(path: string, named: string, folders: ReadonlySet<string>): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (folders.has(folder)) return folder;
    if (folder.length <= named.length || folder === dirname(folder)) return undefined;
  }
}

/** Whether a file in a folder of `oddslab fetch` holds records for ingest: not its notes and lists, nor an empty one. */
async function holdsRecords(path: string): Promise<boolean> {
  if (path.endsWith('.json') || basename(path) === 'leaderboard.ndjson') return false;
  return (await stat(path).catch(() => undefined))?.size !== 0;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw unreadable(`the input ${path}`, cause);
  }
}

async function filesIn(folder: string, data: string): Promise<string[]> {
  if (resolve(folder) === data) return [];
  const files: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      const info = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
      // Links to folders are not followed: they may lead back to this one.
      if (entry.isDirectory()) appendAll(files, await filesIn(path, data));
      else if (info.isFile()) files.push(path);
    }
  } catch (cause) {
    throw new InputError(`Cannot read the folder ${folder}: ${systemErrorCode(cause) ?? cause}.`, { cause });
  }
  return files.sort();
}
