import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';

const frame = new DataFrame({ wallet: ['a'], pnl: [1] });
const after = withColumns(frame, { roi: (row) => row.pnl / 2, won: (row) => row.pnl > 0 });

export const roi: Float64Array = column(after, 'roi');
export const won: (boolean | null)[] = column(after, 'won');
export const wallets: (string | null)[] = column(after, 'wallet');
// @ts-expect-error: no such column
column(after, 'rio');
// @ts-expect-error: no such column in a row
withColumns(frame, { x: (row) => row.pln });
