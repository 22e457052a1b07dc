import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { InputError } from '../../base/errors.js';
import type { InputReport } from '../folder/version.js';
import { Database, type DatabaseOptions } from '../store/database.js';
import { checkZstd, contentOf } from './compression.js';
import { doubtfulRows } from './doubtful-rows.js';
import type { DoubtReport } from './doubts.js';
import { CsvLines, evenOut, LoneSurrogates, TopValues } from './even-out.js';
import { type InputOrigin, originName } from './fetch-origins.js';
import type { Head } from './head.js';
import type { Progress } from './ingest-progress.js';
import { noneStaged, type Records } from './load-raw.js';
import { type Format, type Input, type Staging, stageInput } from './stage.js';

/** What reading the inputs gave. */
export interface ReadInputs {
  reports: InputReport[];
  /** Parquet files by what they hold. */
  staged: Readonly<Record<Records, string[]>>;
  /** For each file of events, the number of the download that it belongs to. */
  downloads: number[];
  /** For each file of events, the fetch that wrote it. */
  origins: (InputOrigin | undefined)[];
  /** Hashes of contents that were read before and are read again, as pages of a download that has new ones. */
  again: string[];
  /** Inputs whose content was read before. They are skipped, so that nothing counts twice. */
  known: string[];
  /** Inputs from which another format kept rows before. They are skipped, since those rows would stay. */
  left: { path: string; why: string }[];
}

/** How inputs are read. */
export interface ReadOptions {
  /** Inputs that were read before. */
  held: readonly InputReport[];
  /** The size of building the ledger from the earlier events again, which is expected once an input is new. */
  rebuilding: number;
  staging: Staging;
  /** A folder for files that are needed only while reading. */
  scratch: string;
  engine: DatabaseOptions;
  progress: Progress;
  doubts: DoubtReport;
  signal: AbortSignal | undefined;
}

/** Bytes a second: of a file that is looked through, by its compression, and of content that is staged. */
const PACE = { none: 300e6, gzip: 50e6, zstd: 30e6, stage: 40e6 };
/** The time to build the ledger from an input, as a multiple of reading it, until its events are counted. */
const BUILDING = 1;
/** The assumed number of bytes of content in a compressed byte. */
const UNPACKED = 5;

/**
 * Reads inputs into Parquet, equal content once, and collects the rows that were left out.
 *
 * @throws {InputError} If an input cannot be read to its end.
 */
export async function readInputs(inputs: readonly Input[], options: ReadOptions): Promise<ReadInputs> {
  const { progress } = options;
  const sized = await Promise.all(inputs.map(async (input) => ({ input, ...(await costOf(input)) })));
  for (const { hashing, staging } of sized) progress.expect(hashing + (1 + BUILDING) * staging);
  const read: ReadInputs = {
    reports: [],
    staged: noneStaged(),
    downloads: [],
    origins: [],
    again: [],
    known: [],
    left: [],
  };
  const downloads: Downloads = new Map();
  const held = byContent(options.held);
  const seen = new Set<string>();
  const again: { input: Input; content: LookedThrough; staging: number }[] = [];
  const db = await Database.open(':memory:', options.engine);
  try {
    for (const { input, hashing, staging } of sized) {
      progress.begin(`looking through ${input.path}`, hashing);
      if (input.head.compression === 'zstd') await checkZstd(input.path, input.file);
      const content = await lookThrough(input, (bytes) => {
        options.signal?.throwIfAborted();
        progress.advance(bytes / PACE[input.head.compression]);
      });
      const { sha256 } = content;
      const before = held.get(sha256) ?? [];
      const isHeld = before.some((report) => isReadBy(input.format, report) && counts(report, input));
      const other = before.find(
        ({ records, kept, replaced }) => kept > 0 && records === input.format.into && replaced === undefined,
      );
      options.signal?.throwIfAborted();
      progress.begin(`reading ${input.path} (${input.format.name})`, staging);
      if (isHeld || seen.has(sha256)) {
        read.known.push(input.path);
        if (isHeld && !seen.has(sha256)) again.push({ input, content, staging });
        progress.spare(BUILDING * staging);
      } else if (other) {
        read.left.push({ path: input.path, why: wouldStay(other, input.format) });
        progress.spare(BUILDING * staging);
      } else {
        if (seen.size === 0) progress.expect(options.rebuilding);
        await readOne(db, input, content, { read, downloads, options });
        seen.add(sha256);
      }
      if (isHeld) await options.staging.remove(sha256, input.format);
      options.signal?.throwIfAborted();
    }
    // The equal rows of a download count together, also those on pages that were read before.
    for (const { input, content, staging } of again) {
      if (!downloads.has(downloadOf(input))) continue;
      progress.expect(staging);
      progress.begin(`reading ${input.path} again, as one of several pages`, staging);
      await readOne(db, input, content, { read, downloads, options, isKnown: true });
      options.signal?.throwIfAborted();
    }
    return read;
  } finally {
    db.close();
  }
}

function byContent(reports: readonly InputReport[]): Map<string, InputReport[]> {
  const contents = new Map<string, InputReport[]>();
  for (const report of reports) contents.set(report.sha256, [...(contents.get(report.sha256) ?? []), report]);
  return contents;
}

/**
 * Whether the content of a report was read in this format. Reports of earlier releases do not name the mapping: one
 * that kept no row may be of another mapping.
 */
function isReadBy({ id }: Format, { format_id, kept }: InputReport): boolean {
  return format_id === undefined ? kept > 0 : format_id === id;
}

/** Whether what an input states counts already, or is of an old copy of a folder whose later events took its place. */
function counts({ replaced }: InputReport, { fetch }: Input): boolean {
  return replaced === undefined || (fetch !== undefined && Date.parse(fetch.started) <= Date.parse(replaced));
}

function wouldStay({ format, rows, kept }: InputReport, { name }: Format): string {
  const how = name === format ? `${name}, as that stood then,` : format;
  return (
    `${how} kept ${kept} of its ${rows} rows before, and they would stay beside those of ${name}. Roll back to a version ` +
    'without it (oddslab data rollback), or read it into another data folder.'
  );
}

/** The numbers of the downloads that have new events. */
type Downloads = Map<string, number>;

/** The download that an input belongs to: its file, or all files of one format that are said to be pages of one. */
function downloadOf({ path, download, format }: Input): string {
  return download === undefined ? path : `${format.id} ${download}`;
}

/** Where what was read goes, and how it is read. */
interface Reading {
  read: ReadInputs;
  downloads: Downloads;
  options: ReadOptions;
  /** Whether it was read, and reported, by an earlier ingest. Default false. */
  isKnown?: boolean;
}

async function readOne(db: Database, looked: Input, content: LookedThrough, reading: Reading): Promise<void> {
  const { sha256, head, isUneven } = content;
  const { read, downloads, options, isKnown = false } = reading;
  const { staging, scratch, progress, doubts, signal } = options;
  const input = { ...looked, head };
  const { path, format, fetch } = input;
  const origin =
    fetch && format.into === 'events'
      ? { kind: fetch.kind, target: fetch.target, format: format.id, status: fetch }
      : undefined;
  let even: Promise<Input> | undefined;
  const evened = () => (even ??= isUneven ? evenOut(input, scratch, signal) : Promise.resolve(input));
  const found = await staging.find(sha256, format);
  if (found) progress.spare();
  const { staged, parquet } =
    found ?? (await staging.put(sha256, format, async (file) => stageInput(db, await evened(), file)));
  if (staged.kept === 0) await staging.remove(sha256, format);
  else {
    read.staged[format.into].push(parquet);
    if (format.into === 'events') {
      const download = downloadOf(input);
      if (!downloads.has(download)) downloads.set(download, downloads.size);
      read.downloads.push(downloads.get(download) ?? 0);
      read.origins.push(origin);
    }
  }
  if (isKnown) {
    read.again.push(sha256);
    return;
  }
  const from = origin ? { origin: originName(origin) } : {};
  read.reports.push({
    file: path,
    sha256,
    format_id: format.id,
    records: format.into,
    ...from,
    ...staged,
    doubtful: {},
  });
  if (Object.keys(staged.skipped).some((reason) => doubts.wants(reason))) {
    await doubts.add(doubtfulRows(db, input, await evened(), doubts.each));
  }
}

async function costOf({ file, head: { compression } }: Input): Promise<{ hashing: number; staging: number }> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return { hashing: size / PACE[compression], staging: (size * (compression === 'none' ? 1 : UNPACKED)) / PACE.stage };
}

/** What an input tells only when it is read to its end. */
interface LookedThrough {
  /** The hash of the unpacked content, which does not depend on the compression. */
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
 * @param onRead Called with the number of bytes that each step read from the file.
 * @throws {InputError} If that fails, a JSON list or a quoted value of a CSV has no end, or a comma follows a JSON
 *   list.
 */
async function lookThrough({ path, file, head }: Input, onRead: (bytes: number) => void): Promise<LookedThrough> {
  const { kind, layout, compression } = head;
  const lines = new CsvLines();
  const byLine = layout === 'newline_delimited';
  const values = new TopValues(byLine);
  const surrogates = new LoneSurrogates();
  const hash = createHash('sha256');
  let last: number | undefined;
  for await (const block of contentOf(path, file, compression, onRead)) {
    hash.update(block);
    if (kind === 'csv') lines.add(block);
    if (kind === 'json') surrogates.add(block);
    if (kind === 'json' && layout !== 'unstructured') values.add(block);
    last = block.findLast((byte) => byte > 32) ?? last;
  }
  surrogates.end();
  if (lines.unclosedOn !== undefined) {
    throw new InputError(
      `${path} has a quoted value on line ${lines.unclosedOn} that does not end, and takes up the rows behind it: mend the line.`,
    );
  }
  if (values.areParted && !byLine) {
    throw new InputError(`${path} has commas behind its JSON lists: leave these commas out.`);
  }
  if (kind === 'json' && layout === 'array' && !values.areSeveral && last !== LIST_END) {
    throw new InputError(`${path} is cut off: its list of JSON records has no end. Fetch it again.`);
  }
  return {
    sha256: hash.digest('hex'),
    head: values.areSeveral && !byLine ? { ...head, layout: 'lists' } : head,
    isUneven: lines.haveMixedEnds || surrogates.areThere || (byLine && (values.areSeveral || values.areParted)),
  };
}

/** The byte that ends a JSON list. */
const LIST_END = 93;
