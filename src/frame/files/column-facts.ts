import type { Column, Dtype } from '../../contract/definition.js';
import { columnsOf } from '../columns-of.js';
import { type Provenance, provenanceOf } from '../provenance.js';
import type { Tabular } from '../tabular.js';
import { foldedProvenance } from './folded-provenance.js';
import type { MomentForm } from './moment-form.js';

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
export interface ColumnFacts extends Column {
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

const DTYPES: Readonly<Record<Dtype, true>> = {
  string: true,
  boolean: true,
  int32: true,
  float64: true,
  datetime: true,
};

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
  if (typeof value !== 'object' || value === null) return false;
  const { name, dtype, meaning } = value as Partial<ColumnFacts>;
  return typeof name === 'string' && typeof meaning === 'string' && typeof dtype === 'string' && dtype in DTYPES;
}

/** The form of moments of each column that has any. */
export function momentForms(facts: FrameFacts | undefined): Map<string, MomentForm> {
  const forms = new Map<string, MomentForm>();
  for (const { name, moments } of facts?.columns ?? []) if (moments) forms.set(name, moments);
  return forms;
}
