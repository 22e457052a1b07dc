import { MICRO, microsOf } from '../../base/decimal.js';
import { DataError } from '../../base/errors.js';
import { findDataset } from '../../contract/dataset.js';
import type { Column } from '../../contract/definition.js';
import { lowerHex } from '../../frame/decode/scan-values.js';
import { readRecorded } from './read-recorded.js';
import { readManifest, type SnapshotEntry, type SnapshotManifest } from './snapshot-manifest.js';

/** The differences between two snapshots. */
export interface SnapshotDiff {
  /** Queries that only the second holds. */
  readonly added: readonly SnapshotEntry[];
  /** Queries that only the first holds. */
  readonly removed: readonly SnapshotEntry[];
  /** Queries with another answer in the second. */
  readonly changed: readonly AnswerDiff[];
  /** Number of queries with the same answer in both. */
  readonly same: number;
}

/**
 * Compares two snapshots: which queries were added or removed, and which records of changed answers differ.
 *
 * @param options.examples The largest number of records of each kind to show for an answer. Default: 3.
 * @throws {DataError} If one is no snapshot, or an answer to a query that both hold is missing or damaged.
 */
export async function diffSnapshots(
  before: string,
  after: string,
  { examples = 3 }: { readonly examples?: number } = {},
): Promise<SnapshotDiff> {
  const [old, now] = [await manifestOf(before), await manifestOf(after)];
  const added = [...now].flatMap(([key, entry]) => (old.has(key) ? [] : [entry]));
  const removed = [...old].flatMap(([key, entry]) => (now.has(key) ? [] : [entry]));
  const changed: AnswerDiff[] = [];
  for (const [key, entry] of old) {
    const other = now.get(key);
    if (!other) continue;
    if (other.sha256 !== entry.sha256) {
      changed.push(await diffAnswers({ folder: before, entry }, { folder: after, entry: other }, examples));
      continue;
    }
    // Equal manifests do not show whether a file was damaged since.
    for (const folder of [before, after]) for await (const _ of readRecorded(folder, entry));
  }
  return { added, removed, changed, same: old.size - removed.length - changed.length };
}

/** Reads the manifest of a folder. @throws {DataError} If it has none. */
export async function manifestOf(folder: string): Promise<SnapshotManifest> {
  const manifest = await readManifest(folder);
  if (manifest) return manifest;
  throw new DataError(`${folder} is no snapshot: it holds no manifest.json. Record one by connect({ snapshot }).`);
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** A field whose value changed; a value is undefined if the record lacks the field. */
export interface FieldChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** After minus before, if both are numbers or plain decimal text. */
  readonly difference?: number;
}

/** A record that was added, removed or changed. */
export interface RecordChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The record; of a changed one only its key. */
  readonly record: JsonRecord;
  /** The fields that changed, of a changed record. */
  readonly fields: readonly FieldChange[];
}

/** How often a field changed, and by how much. */
interface FieldSummary {
  readonly name: string;
  readonly records: number;
  /** The difference farthest from 0; absent if the field is not numeric. */
  readonly largest?: number;
}

/** The differences between two answers to one query. */
export interface AnswerDiff {
  readonly before: SnapshotEntry;
  readonly after: SnapshotEntry;
  /** Number of added records. If all three counts are 0, only order or notation differ. */
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly fields: readonly FieldSummary[];
  /** The first few of each kind. */
  readonly examples: readonly RecordChange[];
}

/** An answer in its snapshot. */
interface Kept {
  readonly folder: string;
  readonly entry: SnapshotEntry;
}

/** Compares two answers to one query, record by record: by the dataset's key or, without one, as whole records. */
async function diffAnswers(before: Kept, after: Kept, most: number): Promise<AnswerDiff> {
  const { key = [], columns = [] } = findDataset(before.entry.dataset) ?? {};
  const gone = new Map<string, string[]>();
  for await (const { line, id } of keyedLines(before, key)) {
    const lines = gone.get(id);
    if (lines) lines.push(line);
    else gone.set(id, [line]);
  }
  const tally = new Tally(key, columns, most);
  for await (const { line, id } of keyedLines(after, key)) {
    const lines = gone.get(id) ?? [];
    const known = lines.shift();
    if (lines.length === 0) gone.delete(id);
    if (known === undefined) tally.count('added', line);
    else if (known !== line) tally.compare(known, line);
  }
  for (const line of [...gone.values()].flat()) tally.count('removed', line);
  return { before: before.entry, after: after.entry, ...tally.result() };
}

async function* keyedLines({ folder, entry }: Kept, key: readonly string[]) {
  for await (const { text } of readRecorded(folder, entry)) {
    for (const line of text.toString().split('\n')) {
      if (line !== '') yield { line, id: key.length === 0 ? line : notationOf(pick(recordOf(line), key)) };
    }
  }
}

function recordOf(line: string): JsonRecord {
  return Object(JSON.parse(line));
}

function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.map((name) => [name, own(record, name)]));
}

function own(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A value as text; hexadecimal ids are the same in upper and lower case. */
function notationOf(value: unknown): string {
  return JSON.stringify([value], (_, part: unknown) => (typeof part === 'string' ? lowerHex(part) : part));
}

class Tally {
  readonly #key: readonly string[];
  /** Columns that are not numeric, even if their values are digits. */
  readonly #words: ReadonlySet<string>;
  readonly #most: number;
  readonly #counts = { added: 0, removed: 0, changed: 0 };
  readonly #examples: RecordChange[] = [];
  readonly #fields = new Map<string, FieldSummary>();

  constructor(key: readonly string[], columns: readonly Column[], most: number) {
    this.#key = key;
    this.#words = new Set(columns.filter(({ dtype }) => !isNumeric(dtype)).map(({ name }) => name));
    this.#most = most;
  }

  count(kind: RecordChange['kind'], line: string, fields: readonly FieldChange[] = []): void {
    this.#counts[kind] += 1;
    if (this.#counts[kind] > this.#most) return;
    const record = recordOf(line);
    this.#examples.push({ kind, record: kind === 'changed' ? pick(record, this.#key) : record, fields });
  }

  compare(before: string, after: string): void {
    const fields = fieldChanges(recordOf(before), recordOf(after), this.#words);
    if (fields.length > 0) this.count('changed', after, fields);
    for (const { name, difference } of fields) {
      const { records = 0, largest } = this.#fields.get(name) ?? {};
      const farthest = Math.abs(difference ?? 0) > Math.abs(largest ?? 0) ? difference : (largest ?? difference);
      this.#fields.set(name, {
        name,
        records: records + 1,
        ...(farthest === undefined ? {} : { largest: farthest }),
      });
    }
  }

  result(): Omit<AnswerDiff, 'before' | 'after'> {
    return { ...this.#counts, fields: [...this.#fields.values()], examples: this.#examples };
  }
}

function fieldChanges(before: JsonRecord, after: JsonRecord, words: ReadonlySet<string>): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [one, other] = [own(before, name), own(after, name)];
    if (notationOf(one) === notationOf(other)) return [];
    const difference = words.has(name) ? undefined : differenceOf(one, other);
    // Another notation of the same number is no change: 1.5, "1.5" and "1.50".
    if (difference === 0) return [];
    return [{ name, before: one, after: other, ...(difference === undefined ? {} : { difference }) }];
  });
}

/** After minus before, exact to six decimals; undefined if one is not a number. */
function differenceOf(before: unknown, after: unknown): number | undefined {
  const [one, other] = [numberOf(before), numberOf(after)];
  if (one === undefined || other === undefined) return undefined;
  const [exact, exactOther] = [microsOf(String(before)), microsOf(String(after))];
  const exactly = exact === undefined || exactOther === undefined ? 0 : Number(exactOther - exact) / MICRO;
  return exactly === 0 ? other - one : exactly;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  // Long digit strings are ids.
  return typeof value === 'string' && value.length <= 24 && microsOf(value) !== undefined ? Number(value) : undefined;
}

function isNumeric(dtype: Column['dtype']): boolean {
  return dtype === 'float64' || dtype === 'int32';
}
