import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { IncompleteError } from '../base/errors.js';
import { partText } from '../base/texts.js';
import { changeText } from '../fetch/drift.js';
import type { FetchManifest, Missing } from '../fetch/fetch-folder.js';
import { Sources } from '../fetch/sources.js';
import type { IngestResult } from '../service/ingest/ingest-inputs.js';
import type { SourceFlags } from './fetch-flags.js';
import { ingestHeadline, resultText } from './ingest-report.js';
import type { Status } from './terminal-output.js';

/** Runs a fetch with the sources that the flags name, and closes them. */
export async function withSources<T>(
  { gammaUrl, dataApiUrl, clobUrl, rate, userAgent }: SourceFlags,
  status: Status,
  signal: AbortSignal,
  fetch: (sources: Sources) => Promise<T>,
): Promise<T> {
  const onWait = (waitMs: number, reason: string) => {
    if (waitMs >= 1000) status.show(`waiting ${Math.round(waitMs / 1000)} s: ${reason}`);
  };
  const sources = new Sources({ ...given({ gammaUrl, dataApiUrl, clobUrl, userAgent }), rate, signal, onWait });
  try {
    return await fetch(sources);
  } finally {
    status.clear();
    await sources.close();
  }
}

/** Without empty values, as of variables that are set to nothing. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Partial<T>;
}

/** Reads folders of fetches into the data folder, and prints the report as `oddslab ingest` does. */
export async function ingestFolders(
  folders: readonly string[],
  data: string,
  status: Status,
  signal: AbortSignal,
): Promise<void> {
  const { ingest } = await import('../service/ingest/ingest-inputs.js');
  const result = await ingest({ folder: data, inputs: folders, signal, onProgress: (doing) => status.show(doing) });
  status.clear();
  const text = resultText(inFolders(result, folders));
  process.stderr.write(`${ingestHeadline(result.version.manifest, data)}${text}\n`);
  if (existsSync(join(data, 'sample'))) {
    process.stderr.write(
      `${data} also holds the simulated market, whose markets and wallets stand among yours: --data FOLDER keeps yours apart.\n`,
    );
  }
}

/** The result of an ingest whose files are named within their folders; what was read before is of no news. */
function inFolders(result: IngestResult, folders: readonly string[]): IngestResult {
  const [first = ''] = folders;
  const top = folders.length === 1 ? first : dirname(first);
  const short = <T extends object>(row: T): T =>
    'file' in row ? { ...row, file: relative(top, String(row.file)) } : row;
  const examples = new Map([...result.examples].map(([reason, rows]) => [reason, rows.map(short)]));
  return { ...result, reports: result.reports.map(short), known: [], examples };
}

/** The error for a fetch that is not complete; none if it is. It says what is missing, with dates. */
export function incompleteError(folder: string, missing: readonly Missing[]): IncompleteError[] {
  if (missing.length === 0) return [];
  const lines = missing.map((part) => `  missing ${partText(part)}: ${part.why}`);
  const end = '  What was fetched is kept; the same command asks for the rest.';
  return [new IncompleteError([`${folder} is not complete.`, ...lines, end].join('\n'))];
}

/** A time in UTC, as messages show it. */
export function shownTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** How the records of a fetch differ from what is known of their sources: a line each, with line ends. */
export function driftText({ drift }: Pick<FetchManifest, 'drift'>): string {
  if (drift.length === 0) return '';
  const lines = drift.slice(0, MOST_CHANGES).map((change) => `  ${changeText(change)}\n`);
  const rest = drift.length > MOST_CHANGES ? `  and ${drift.length - MOST_CHANGES} more, in fetch.json\n` : '';
  return `The sources have changed; what is not known is kept in the raw files, and left out of the ledger:\n${lines.join('')}${rest}`;
}

const MOST_CHANGES = 10;
