import type { DataFrame } from '../../src/frame/tabular/data-frame.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { profits, same, unknown } from './frames.js';

/** A frame of what JSON holds. */
declare const ofJson: DataFrame<ReturnType<typeof JSON.parse>>;

const kept = filterRows(profits, (row, at) => row.pnl > 0 && row.trades > at && row.wallet !== '' && row.closed);
same<typeof kept, typeof profits>(true);
filterRows(profits, [true, null, false]);
filterRows(profits, profits.pnl.gt(0));
filterRows(profits, Uint8Array.of(1, 0));
filterRows(unknown, (row) => row.anything === 1);
filterRows(unknown, (row) => row.anything);
filterRows(ofJson, (row) => row.closed && row.wallet.startsWith('0x'));

// @ts-expect-error A list is no verdict, whatever it holds.
filterRows(unknown, (row) => [row.anything]);
// @ts-expect-error A misspelt column.
filterRows(profits, (row) => row.pln > 0);
// @ts-expect-error A text compared with a number.
filterRows(profits, (row) => row.wallet === 0);
// @ts-expect-error Rows are read only.
filterRows(profits, (row) => Boolean(row.pnl++));
// @ts-expect-error An async function says nothing in time.
filterRows(profits, async (row) => row.pnl > 0);
// @ts-expect-error A number is no verdict.
filterRows(profits, (row) => row.pnl);
// @ts-expect-error Nor is a text.
filterRows(profits, ['yes']);
