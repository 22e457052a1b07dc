import { PNL_COLUMNS } from '../../src/contract/pnl.js';
import type { DataFrame } from '../../src/frame/danfo/danfo.js';
import { describeColumns } from '../../src/frame/tabular/columns-of.js';
import { type Provenance, setProvenance } from '../../src/frame/tabular/provenance.js';

/** A frame as if its rows were the answer to a query of profit and loss with these filters. */
export function recordsAsked<Row extends object>(
  params: Record<string, string>,
  frame: DataFrame<Row>,
  together?: Provenance['together'],
): DataFrame<Row> {
  const records = frame.copy();
  const source = { service: 'http://x', dataset: 569, params, queriedAt: '2026-01-01T00:00:00Z', records: 2 };
  setProvenance(records, [together ? { ...source, together } : source]);
  describeColumns(
    records,
    PNL_COLUMNS.filter(({ name }) => frame.columns.includes(name)),
  );
  return records;
}
