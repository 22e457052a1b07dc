import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { isObject } from '../../base/texts.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { type AnswerNotes, readNotes } from '../../contract/answer-notes.js';
import { canonicalParams, queryKey, type RecordedQuery, recordedQueryText } from './recorded-query.js';

/** Number of the format that this version writes and reads. */
const SNAPSHOT_FORMAT = 1;

/** A recorded query: what was asked, when, of which service, and what the answer is. */
export interface SnapshotEntry extends RecordedQuery, AnswerNotes {
  /** The dataset's name, for people. */
  readonly name: string;
  readonly records: number;
  /** Size of the uncompressed answer. */
  readonly bytes: number;
  /** SHA-256 of the uncompressed answer, which is also the file's name. */
  readonly sha256: string;
  /** When the service answered, ISO 8601 in UTC. */
  readonly recordedAt: string;
  /** Base address of the service. */
  readonly service: string;
  /** Version of the service's data, if it states one. */
  readonly dataVersion?: string | undefined;
  /** Version of this package that recorded it. */
  readonly oddslab: string;
}

/** The recorded queries of a snapshot by their canonical form. */
export type SnapshotManifest = ReadonlyMap<string, SnapshotEntry>;

/** Path of a snapshot's manifest. */
export function manifestPath(folder: string): string {
  return join(folder, 'manifest.json');
}

/** Path of an answer below its snapshot folder. */
export function answerName(sha256: string): string {
  return `answers/${sha256}.ndjson.gz`;
}

/**
 * Reads a snapshot's manifest.
 *
 * @returns Undefined if there is none.
 * @throws {DataError} If it is no manifest of a snapshot, or has a newer format.
 */
export async function readManifest(folder: string): Promise<SnapshotManifest | undefined> {
  const path = manifestPath(folder);
  let text: string;
  try {
    // Editors may write a byte order mark first.
    text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return undefined;
    const why = systemErrorCode(cause) === 'ENOTDIR' ? 'a part of its path is a file, not a folder' : String(cause);
    throw new DataError(`Cannot read the snapshot ${folder}: ${why}.`, { cause });
  }
  return parseManifest(path, text);
}

/** The text of a manifest: one line per field, sorted by query, so that diffs are readable. */
export function manifestText(manifest: SnapshotManifest): string {
  const placed = Array.from(manifest.values(), (entry) => ({
    entry,
    place: Object.entries(entry.params).flat().join('\0'),
  }));
  placed.sort(({ entry: a, place: one }, { entry: b, place: other }) => {
    if (a.dataset !== b.dataset) return a.dataset - b.dataset;
    if (one !== other) return one < other ? -1 : 1;
    return (a.maxRecords ?? 0) - (b.maxRecords ?? 0);
  });
  const queries = placed.map(({ entry }) => entry);
  return `${JSON.stringify({ format: SNAPSHOT_FORMAT, queries }, undefined, 2)}\n`;
}

/** An entry with its fields in the order in which they are written. */
export function inOrder(entry: SnapshotEntry): SnapshotEntry {
  const { dataset, name, params, maxRecords, records, bytes, sha256, recordedAt, service, dataVersion, oddslab } =
    entry;
  const query = {
    dataset,
    name,
    params: canonicalParams(dataset, params),
    ...(maxRecords === undefined ? {} : { maxRecords }),
  };
  const version = dataVersion === undefined ? {} : { dataVersion };
  return { ...query, records, bytes, sha256, recordedAt, service, ...version, ...readNotes(entry), oddslab };
}

function parseManifest(path: string, text: string): SnapshotManifest {
  const refuse = (what: string, options?: ErrorOptions): never => {
    const remedy = 'Restore it from version control, or record the snapshot anew into another folder.';
    throw new DataError(`${path} is no manifest of a snapshot: ${what}. ${remedy}`, options);
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return refuse(/^(<{7}|={7}|>{7})/m.test(text) ? 'it holds an unresolved merge' : 'it is not JSON', { cause });
  }
  const { format, queries } = Object(json) as { format?: unknown; queries?: unknown };
  if (typeof format === 'number' && format > SNAPSHOT_FORMAT) {
    throw new DataError(
      `${path} has form ${format}, and this version reads form ${SNAPSHOT_FORMAT}: use a newer oddslab.`,
    );
  }
  if (format !== SNAPSHOT_FORMAT || !Array.isArray(queries)) {
    return refuse(`it lacks "format": ${SNAPSHOT_FORMAT} with a list of "queries"`);
  }
  const manifest = new Map<string, SnapshotEntry>();
  const seen = new Set<string>();
  for (const [at, query] of queries.entries()) {
    const fault = faultOf(query);
    if (fault !== undefined) return refuse(`query ${at + 1}: ${fault}`);
    const entry = inOrder(query as SnapshotEntry);
    const key = queryKey(entry);
    const twin = manifest.get(key);
    const written = writtenForm(query as SnapshotEntry);
    if (seen.has(written)) return refuse(`query ${at + 1} is there twice: ${recordedQueryText(entry)}`);
    seen.add(written);
    // Earlier versions kept a query that named a default apart from the one that left it out.
    if (!twin || Date.parse(twin.recordedAt) < Date.parse(entry.recordedAt)) manifest.set(key, entry);
  }
  return manifest;
}

/** The text of a query as a manifest writes it, with its filters in any order. */
function writtenForm({ dataset, params, maxRecords }: RecordedQuery): string {
  return JSON.stringify([dataset, Object.entries(params).sort(), maxRecords ?? null]);
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => isObject(value) && Object.values(value).every(isText);

const RULES: readonly [keyof SnapshotEntry, (value: unknown) => boolean, string][] = [
  ['dataset', isCount, 'the number of a dataset'],
  ['name', isText, 'text'],
  ['params', isTexts, 'an object of texts'],
  ['maxRecords', (value) => value === undefined || isCount(value), 'a whole number'],
  ['records', isCount, 'a whole number'],
  ['bytes', isCount, 'a whole number'],
  ['sha256', (value) => isText(value) && /^[0-9a-f]{64}$/.test(String(value)), '64 hexadecimal digits'],
  ['recordedAt', (value) => isText(value) && !Number.isNaN(Date.parse(String(value))), 'an ISO 8601 time'],
  ['service', isText, 'an address'],
  ['dataVersion', (value) => value === undefined || isText(value), 'text'],
  ['completeness', (value) => value === undefined || isObject(value), 'an object'],
  ['window', (value) => value === undefined || isObject(value), 'an object'],
  ['unknown', (value) => value === undefined || Array.isArray(value), 'a list'],
  ['oddslab', isText, 'a version'],
];

function faultOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null) return 'it is no object';
  const broken = RULES.find(([name, holds]) => !holds(Reflect.get(query, name)));
  return broken && `"${broken[0]}" must be ${broken[2]}`;
}
