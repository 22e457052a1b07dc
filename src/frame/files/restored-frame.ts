import type { Column, Dtype } from '../../contract/definition.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { setProvenance } from '../provenance.js';
import type { Vector } from '../vector/vector.js';
import type { FrameFacts } from './column-facts.js';
import { restoredColumn } from './described-column.js';

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
  setProvenance(frame, facts?.provenance ?? []);
  return frame;
}
