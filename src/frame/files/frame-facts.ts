import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readNotes } from '../../contract/answer-notes.js';
import { faultsOf } from '../../contract/completeness-words.js';
import type { Column, Dtype } from '../../contract/definition.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf, describedColumn, isColumn } from '../tabular/columns-of.js';
import { type Provenance, provenanceOf, setProvenance } from '../tabular/provenance.js';
import type { Tabular } from '../tabular/tabular.js';
import type { MomentForm } from '../vector/moment-form.js';
import type { Vector } from '../vector/vector.js';

/** Key under which a Parquet or Arrow file holds the {@link FrameFacts} of the frame that it was written from. */
export const FACTS_KEY = 'oddslab';

/** What a file's own types do not tell about the frame that it was written from. */
export interface FrameFacts {
  readonly version: 1;
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
  readonly provenance: readonly Provenance[];
}

/** The description of a column, and the form of its moments if it has any. */
interface ColumnFacts extends Column {
  readonly moments?: MomentForm;
}

/** The facts of a frame as JSON. */
export function factsText(frame: Tabular, moments: readonly (MomentForm | undefined)[]): string {
  const columns = columnsOf(frame).map((column, at) => {
    const form = moments[at];
    return form === undefined ? column : { ...column, moments: form };
  });
  const provenance = foldedProvenance(provenanceOf(frame));
  const facts: FrameFacts = { version: 1, rows: frame.shape[0] ?? 0, columns, provenance };
  return JSON.stringify(facts);
}

/** Reads {@link factsText}; undefined if a file has none, or those of a later version of this package. */
export function readFacts(text: string | undefined): FrameFacts | undefined {
  if (text === undefined) return undefined;
  try {
    const facts: unknown = JSON.parse(text);
    return isFacts(facts) ? facts : undefined;
  } catch {
    return undefined;
  }
}

function isFacts(value: unknown): value is FrameFacts {
  if (typeof value !== 'object' || value === null) return false;
  const { version, columns, provenance } = value as Partial<FrameFacts>;
  return version === 1 && Array.isArray(provenance) && Array.isArray(columns) && columns.every(isColumnFacts);
}

function isColumnFacts(value: unknown): boolean {
  return isColumn(value) && typeof value.meaning === 'string';
}

/** The form of moments of each column that has any. */
export function momentForms(facts: FrameFacts | undefined): Map<string, MomentForm> {
  const forms = new Map<string, MomentForm>();
  for (const { name, moments } of facts?.columns ?? []) if (moments) forms.set(name, moments);
  return forms;
}

/** The largest total length, as JSON, of entries that are kept as they are: about thirty queries. */
const ROOM = 8000;

/**
 * The provenance that a file holds, which stays small however many queries the rows came from. The first entries stay
 * as they are; the others become one entry for each dataset of a service. It has the filters that all of them share,
 * the time of the last answer, the sum of their records and, in `together`, their number and the SHA-256 of their
 * entries.
 *
 * @returns Entries that folding again does not change; the given ones if they are few.
 */
export function foldedProvenance(entries: readonly Provenance[]): readonly Provenance[] {
  let length = 0;
  const first = entries.findIndex((entry) => {
    length += JSON.stringify({ ...entry, completeness: undefined }).length;
    return length > ROOM;
  });
  if (first < 0) return entries;
  const groups = new Map<string, Provenance[]>();
  for (const entry of entries.slice(first)) {
    const key = JSON.stringify([entry.service, entry.dataset]);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...entries.slice(0, first), ...Array.from(groups.values(), folded)];
}

function folded(entries: Provenance[]): Provenance {
  const [first, ...others] = entries as [Provenance, ...Provenance[]];
  if (others.length === 0) return first;
  const { service, dataset, params, dataVersion, snapshot, window } = first;
  const all = (same: (entry: Provenance) => boolean) => others.every(same);
  const shared = Object.entries(params).filter(([name, value]) => all((entry) => entry.params[name] === value));
  const faulty = entries.flatMap(({ completeness = {} }) =>
    Object.entries(completeness).filter(([, record]) => faultsOf(record).length > 0),
  );
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return {
    service,
    dataset,
    params: Object.fromEntries(shared),
    queriedAt:
      entries
        .map((entry) => entry.queriedAt)
        .sort()
        .at(-1) ?? '',
    records: entries.reduce((sum, { records }) => sum + records, 0),
    ...(dataVersion !== undefined && all((entry) => entry.dataVersion === dataVersion) ? { dataVersion } : {}),
    ...(snapshot !== undefined && all((entry) => entry.snapshot === snapshot) ? { snapshot } : {}),
    ...(faulty.length > 0 ? { completeness: Object.fromEntries(faulty) } : {}),
    ...(window !== undefined && all((entry) => isDeepStrictEqual(entry.window, window)) ? { window } : {}),
    together: {
      queries: entries.reduce((sum, { together }) => sum + (together?.queries ?? 1), 0),
      sha256: createHash('sha256').update(lines).digest('hex'),
    },
  };
}

/**
 * Describes a column that was read from a file: by the file's facts, if the values fit them.
 *
 * @param known The column's description in the facts that the file's writer left.
 */
function restoredColumn(name: string, dtype: Dtype, vector: Vector, known: Column | undefined): Column {
  return known && KINDS[known.dtype].includes(vector.kind) ? known : describedColumn(name, dtype, vector, undefined);
}

const KINDS: Readonly<Record<Dtype, readonly Vector['kind'][]>> = {
  int32: ['number', 'micros'],
  float64: ['number', 'micros'],
  boolean: ['boolean'],
  string: ['text'],
  datetime: ['text'],
};

/** An entry whose notes were read as they would be read from an answer: a file may hold anything. */
function restoredEntry({ completeness, window, unknown, ...entry }: Provenance): Provenance {
  return { ...entry, ...readNotes({ completeness, window, unknown }) };
}

/** Makes a frame from a file's columns and the facts that its writer left; see {@link restoredColumn}. */
export function restoredFrame<Row extends object>(
  read: readonly { readonly name: string; readonly dtype: Dtype; readonly vector: Vector }[],
  facts: FrameFacts | undefined,
): DataFrame<Row> {
  const known = new Map<string, Column>();
  for (const { moments: _, ...column } of facts?.columns ?? []) known.set(column.name, column);
  const columns = read.map(({ name, dtype, vector }) => restoredColumn(name, dtype, vector, known.get(name)));
  const frame = frameFromVectors<Row>(
    columns,
    read.map(({ vector }) => vector),
  );
  setProvenance(frame, (facts?.provenance ?? []).map(restoredEntry));
  return frame;
}
